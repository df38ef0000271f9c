//! The teacher's instructions in plain words: what was understood, and what was not.
//!
//! An instruction changes a rule only when its whole sentence is understood. What is not understood is
//! reported, never guessed.

use crate::words::fold;
use lexicon::Words;
use lexicon::english::instructions::{
    ACCEPT, ANSWER, CANCEL, CARRIED, COUNTRIES, CREDIT, EQUIVALENT, ERRORS, EXTRAS, FIGURES, FOLLOW_THROUGH,
    FORM, GRAMMAR, HALF, IGNORE, IGNORE_ONLY, ISW, MARKS, METHOD, MISSPELT, NEEDED, NOT, PENALISE, SPELLING,
    STRICT, SUBSEQUENT, TAKE, UNITS, UNSIMPLIFIED, WORK, WORKING,
};

/// What the instructions change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// "no marks for units", "ignore units"
    pub ignore_units: bool,
    /// "units are required"
    pub require_units: bool,
    /// "be strict about significant figures"
    pub strict_figures: bool,
    /// "ignore significant figures", "do not penalise rounding"
    pub free_figures: bool,
    /// "accept equivalent fractions", "accept any equivalent form"
    pub accept_equivalents: bool,
    /// "ignore spelling"
    pub ignore_spelling: bool,
    /// "spelling must be correct"
    pub strict_spelling: bool,
    /// "half marks allowed"
    pub half_marks: bool,
    /// "allow follow through", "error carried forward"
    pub follow_through: bool,
    /// "ignore subsequent working"
    pub ignore_subsequent_working: bool,
    /// "working must be shown"
    pub require_working: bool,
    /// "wrong extra answers lose marks", "list rule applies"
    pub extras_cancel: bool,
}

/// What was understood of the instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Understood {
    /// The rules that they set.
    pub rules: Rules,
    /// The sentences that were understood, as written.
    pub used: Vec<String>,
    /// The sentences that were not: the paper warns of them with `scheme_instructions_not_used`.
    pub not_used: Vec<String>,
}

/// Reads instructions sentence by sentence.
pub fn understand(instructions: &str) -> Understood {
    let mut understood = Understood::default();
    for sentence in sentences(instructions) {
        let folded = fold(sentence);
        let words: Vec<&str> = folded
            .split(|c: char| !(c.is_alphanumeric() || c == '\''))
            .filter(|word| !word.is_empty())
            .collect();
        match PATTERNS.iter().find(|pattern| pattern.fits(&words)) {
            Some(pattern) => {
                (pattern.set)(&mut understood.rules);
                understood.used.push(sentence.to_owned());
            }
            None => understood.not_used.push(sentence.to_owned()),
        }
    }
    understood
}

/// Sentences end with a stop and a space, a semicolon or a line.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', ';'])
        .flat_map(|line| line.split(". "))
        .flat_map(|part| part.split("! "))
        .map(|sentence| sentence.trim().trim_end_matches(['.', '!']))
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
}

/// A sentence that holds one word of each group, and none of the forbidden ones.
struct Pattern {
    needs: &'static [Words],
    forbids: Words,
    set: fn(&mut Rules),
}

impl Pattern {
    fn fits(&self, words: &[&str]) -> bool {
        let has = |group: Words| words.iter().any(|word| group.begin(word));
        words.len() <= WORDS_MAX && self.needs.iter().all(|group| has(*group)) && !has(self.forbids)
    }
}

/// A longer sentence says more than a pattern can know.
const WORDS_MAX: usize = 16;

const PATTERNS: &[Pattern] = &[
    Pattern { needs: &[IGNORE, UNITS], forbids: NOT, set: |rules| rules.ignore_units = true },
    Pattern { needs: &[NOT, UNITS, PENALISE], forbids: Words::NONE, set: |rules| rules.ignore_units = true },
    Pattern { needs: &[UNITS, STRICT], forbids: NOT, set: |rules| rules.require_units = true },
    Pattern { needs: &[IGNORE, FIGURES], forbids: NOT, set: |rules| rules.free_figures = true },
    Pattern {
        needs: &[NOT, FIGURES, PENALISE],
        forbids: Words::NONE,
        set: |rules| rules.free_figures = true,
    },
    Pattern { needs: &[FIGURES, STRICT], forbids: NOT, set: |rules| rules.strict_figures = true },
    Pattern { needs: &[ACCEPT, EQUIVALENT], forbids: NOT, set: |rules| rules.accept_equivalents = true },
    Pattern { needs: &[ACCEPT, UNSIMPLIFIED], forbids: NOT, set: |rules| rules.accept_equivalents = true },
    // Both spellings are right in any case; saying so is understood and changes nothing.
    Pattern { needs: &[ACCEPT, COUNTRIES, SPELLING], forbids: NOT, set: |_| {} },
    Pattern { needs: &[IGNORE, SPELLING], forbids: NOT, set: |rules| rules.ignore_spelling = true },
    Pattern {
        needs: &[NOT, SPELLING, PENALISE],
        forbids: Words::NONE,
        set: |rules| rules.ignore_spelling = true,
    },
    Pattern { needs: &[TAKE, MISSPELT], forbids: NOT, set: |rules| rules.ignore_spelling = true },
    Pattern { needs: &[SPELLING, STRICT], forbids: NOT, set: |rules| rules.strict_spelling = true },
    Pattern { needs: &[IGNORE, FORM], forbids: NOT, set: |_| {} },
    Pattern { needs: &[NOT, GRAMMAR, PENALISE], forbids: Words::NONE, set: |_| {} },
    Pattern { needs: &[NOT, HALF, MARKS], forbids: Words::NONE, set: |rules| rules.half_marks = false },
    Pattern { needs: &[HALF, MARKS], forbids: NOT, set: |rules| rules.half_marks = true },
    Pattern { needs: &[ACCEPT, FOLLOW_THROUGH], forbids: NOT, set: |rules| rules.follow_through = true },
    Pattern { needs: &[ERRORS, CARRIED], forbids: NOT, set: |rules| rules.follow_through = true },
    Pattern {
        needs: &[IGNORE_ONLY, SUBSEQUENT, WORK],
        forbids: NOT,
        set: |rules| rules.ignore_subsequent_working = true,
    },
    Pattern { needs: &[ISW], forbids: NOT, set: |rules| rules.ignore_subsequent_working = true },
    Pattern { needs: &[METHOD, NEEDED], forbids: NOT, set: |rules| rules.require_working = true },
    Pattern {
        needs: &[NOT, ANSWER, WORKING, CREDIT],
        forbids: Words::NONE,
        set: |rules| rules.require_working = true,
    },
    Pattern { needs: &[EXTRAS, CANCEL], forbids: NOT, set: |rules| rules.extras_cancel = true },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Rules {
        let understood = understand(text);
        assert!(understood.not_used.is_empty(), "{text}: {:?}", understood.not_used);
        understood.rules
    }

    #[test]
    fn plain_sentences_set_rules() {
        assert!(rules("No marks for units.").ignore_units);
        assert!(rules("Ignore spelling.").ignore_spelling);
        assert!(rules("Do not penalise spelling mistakes").ignore_spelling);
        assert!(rules("Be strict about significant figures").strict_figures);
        assert!(rules("Half marks allowed").half_marks);
        assert!(!rules("No half marks").half_marks);
        assert!(rules("Accept equivalent fractions").accept_equivalents);
        assert!(rules("Allow error carried forward").follow_through);
        assert!(rules("Working must be shown").require_working);
        assert_eq!(rules("Accept American spelling"), Rules::default());
        assert!(rules("Units are required; ignore subsequent working").require_units);
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let understood =
            understand("Ignore spelling. Give a bonus mark for neat diagrams. Mark the essay kindly");
        assert_eq!(understood.used, ["Ignore spelling"]);
        assert_eq!(understood.not_used, ["Give a bonus mark for neat diagrams", "Mark the essay kindly"]);
    }

    #[test]
    fn an_instruction_that_is_denied_is_not_followed() {
        assert!(!understand("Do not ignore spelling").rules.ignore_spelling);
        assert!(!understand("Do not accept equivalent fractions").rules.accept_equivalents);
    }
}
