//! The shorthand of examiners.

use crate::Words;

/// Begins what says that a mark does not depend on the method before it.
pub const INDEPENDENT: &str = "indep";

/// Begins what says in words that errors are followed through.
pub const FOLLOW: &str = "follow";

/// A special case with marks of its own, in capitals.
pub const SPECIAL_CASE: Words = Words::of(&["SC"]);

/// A method or accuracy mark that was not earned, in capitals.
pub const NOT_EARNED: Words = Words::of(&["M0", "A0"]);

/// What stands beside marks in their column.
pub const IN_COLUMN: Words = Words::of(&["ft", "cao", "oe", "dep", "isw", "cso"]);

/// Before the number of a marking point, in capitals.
pub const MARK_POINT: &str = "MP";

/// What examiners write behind a point instead of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Notation {
    /// oe: or equivalent.
    OrEquivalent,
    /// ft: follow through from an earlier answer, even a wrong one.
    FollowThrough,
    /// cao: correct answer only.
    CorrectAnswerOnly,
    /// cso: correct solution only, no errors seen.
    CorrectSolutionOnly,
    /// isw: ignore subsequent working.
    IgnoreSubsequentWorking,
    /// dep: depends on the method mark before it.
    Dependent,
    /// soi: seen or implied.
    SeenOrImplied,
    /// awrt: answers which round to.
    AnswersRoundingTo,
    /// ecf: error carried forward.
    ErrorCarriedForward,
    /// owtte, aw: or words to that effect.
    OrWordsToThatEffect,
    /// ora: or reverse argument.
    OrReverseArgument,
    /// www: without wrong working.
    WithoutWrongWorking,
    /// nfww: not from wrong working.
    NotFromWrongWorking,
    /// ag: answer given in the question, so that the working must show it.
    AnswerGiven,
}

/// As examiners write it, and what it means.
const WRITTEN: &[(&str, Notation)] = &[
    ("oe", Notation::OrEquivalent),
    ("o.e.", Notation::OrEquivalent),
    ("o.e", Notation::OrEquivalent),
    ("eq", Notation::OrEquivalent),
    ("ft", Notation::FollowThrough),
    ("f.t.", Notation::FollowThrough),
    ("cao", Notation::CorrectAnswerOnly),
    ("c.a.o.", Notation::CorrectAnswerOnly),
    ("cso", Notation::CorrectSolutionOnly),
    ("isw", Notation::IgnoreSubsequentWorking),
    ("dep", Notation::Dependent),
    ("dep.", Notation::Dependent),
    ("soi", Notation::SeenOrImplied),
    ("awrt", Notation::AnswersRoundingTo),
    ("ecf", Notation::ErrorCarriedForward),
    ("e.c.f.", Notation::ErrorCarriedForward),
    ("owtte", Notation::OrWordsToThatEffect),
    ("aw", Notation::OrWordsToThatEffect),
    ("ora", Notation::OrReverseArgument),
    ("www", Notation::WithoutWrongWorking),
    ("nfww", Notation::NotFromWrongWorking),
    ("ag", Notation::AnswerGiven),
];

impl Notation {
    /// Reads a word in lower case.
    pub fn parse(word: &str) -> Option<Notation> {
        WRITTEN.iter().find(|(written, _)| *written == word).map(|(_, notation)| *notation)
    }

    /// The short name that keys carry.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::OrEquivalent => "oe",
            Notation::FollowThrough => "ft",
            Notation::CorrectAnswerOnly => "cao",
            Notation::CorrectSolutionOnly => "cso",
            Notation::IgnoreSubsequentWorking => "isw",
            Notation::Dependent => "dep",
            Notation::SeenOrImplied => "soi",
            Notation::AnswersRoundingTo => "awrt",
            Notation::ErrorCarriedForward => "ecf",
            Notation::OrWordsToThatEffect => "owtte",
            Notation::OrReverseArgument => "ora",
            Notation::WithoutWrongWorking => "www",
            Notation::NotFromWrongWorking => "nfww",
            Notation::AnswerGiven => "ag",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_as_itself() {
        for (_, notation) in WRITTEN {
            assert_eq!(Notation::parse(notation.name()), Some(*notation));
        }
        assert_eq!(Notation::parse("eq"), Some(Notation::OrEquivalent));
        assert_eq!(Notation::parse("iron"), None);
    }
}
