//! How a paper's scripts are to be marked: the `grading` object of a paper.

use serde::{Deserialize, Serialize};

/// How to judge. The same settings hold for a whole paper.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Grading {
    /// How readily a doubtful answer earns its mark.
    pub strictness: Strictness,
    /// How much is said to the student.
    pub feedback: FeedbackLevel,
    /// The teacher's own words.
    pub instructions: Option<String>,
    /// True: a script with marks that a person should look at waits as graded, whatever the paper's release.
    #[serde(default)]
    pub hold_doubtful: bool,
    /// True: answers that a person has checked say how the unchecked ones to the same part are marked.
    #[serde(default)]
    pub learning: bool,
}

/// How readily a doubtful answer earns its mark. Strict never gives more than standard, and standard
/// never more than lenient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strictness {
    /// The benefit of the doubt goes to the student.
    Lenient,
    /// As a careful examiner marks.
    #[default]
    Standard,
    /// Only what is surely there earns a mark.
    Strict,
}

/// How much is said to the student.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackLevel {
    /// Only why a zero is a zero.
    None,
    /// One sentence, without the key.
    Brief,
    /// What was credited and what was missing.
    #[default]
    Standard,
    /// Each point by itself.
    Detailed,
}

/// When results become final.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Release {
    /// As soon as a script is marked.
    #[default]
    Automatic,
    /// By a call.
    AfterReview,
}

crate::names! {
    Strictness { Lenient = "lenient", Standard = "standard", Strict = "strict" }
    FeedbackLevel { None = "none", Brief = "brief", Standard = "standard", Detailed = "detailed" }
    Release { Automatic = "automatic", AfterReview = "after_review" }
}

impl Grading {
    /// The most characters that instructions may have.
    pub const INSTRUCTIONS_MAX: usize = 5000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_stored_document() {
        for &value in Strictness::ALL {
            assert_eq!(serde_json::to_string(&value).unwrap(), format!("\"{}\"", value.name()));
            assert_eq!(Strictness::parse(value.name()), Some(value));
        }
        for &value in FeedbackLevel::ALL {
            assert_eq!(serde_json::to_string(&value).unwrap(), format!("\"{}\"", value.name()));
            assert_eq!(FeedbackLevel::parse(value.name()), Some(value));
        }
        assert_eq!(Strictness::parse("Strict"), None);
    }
}
