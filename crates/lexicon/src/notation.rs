//! The shorthand of examiners.

use crate::Words;
use domain::question::Notation;

/// A special case with marks of its own, in capitals.
pub const SPECIAL_CASE: Words = Words::of(&["SC"]);

/// A method or accuracy mark that was not earned, in capitals.
pub const NOT_EARNED: Words = Words::of(&["M0", "A0"]);

/// What stands beside marks in their column.
pub const IN_COLUMN: Words = Words::of(&["ft", "cao", "oe", "dep", "isw", "cso"]);

/// A mark that stands by itself, as columns write it.
pub const INDEPENDENT_MARK: &str = "B1";

/// Before the number of a marking point, in capitals.
pub const MARK_POINT: &str = "MP";

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
    ("indep", Notation::Independent),
    ("indep.", Notation::Independent),
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

/// Reads a word in lower case.
pub fn read(word: &str) -> Option<Notation> {
    WRITTEN.iter().find(|(written, _)| *written == word).map(|(_, notation)| *notation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_is_read_by_its_name() {
        for notation in Notation::ALL {
            assert_eq!(read(notation.name()), Some(*notation));
        }
        assert_eq!(read("eq"), Some(Notation::OrEquivalent));
        assert_eq!(read("iron"), None);
    }
}
