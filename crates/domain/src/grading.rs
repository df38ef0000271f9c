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

impl Strictness {
    /// Every value, in the API's order.
    pub const ALL: [Strictness; 3] = [Strictness::Lenient, Strictness::Standard, Strictness::Strict];

    /// The API's word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Strictness::Lenient => "lenient",
            Strictness::Standard => "standard",
            Strictness::Strict => "strict",
        }
    }

    /// The value that the word names.
    pub fn parse(name: &str) -> Option<Strictness> {
        Strictness::ALL.into_iter().find(|value| value.name() == name)
    }
}

impl FeedbackLevel {
    /// Every value, in the API's order.
    pub const ALL: [FeedbackLevel; 4] =
        [FeedbackLevel::None, FeedbackLevel::Brief, FeedbackLevel::Standard, FeedbackLevel::Detailed];

    /// The API's word for it.
    pub const fn name(self) -> &'static str {
        match self {
            FeedbackLevel::None => "none",
            FeedbackLevel::Brief => "brief",
            FeedbackLevel::Standard => "standard",
            FeedbackLevel::Detailed => "detailed",
        }
    }

    /// The value that the word names.
    pub fn parse(name: &str) -> Option<FeedbackLevel> {
        FeedbackLevel::ALL.into_iter().find(|value| value.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_stored_document() {
        for value in Strictness::ALL {
            assert_eq!(serde_json::to_string(&value).unwrap(), format!("\"{}\"", value.name()));
            assert_eq!(Strictness::parse(value.name()), Some(value));
        }
        for value in FeedbackLevel::ALL {
            assert_eq!(serde_json::to_string(&value).unwrap(), format!("\"{}\"", value.name()));
            assert_eq!(FeedbackLevel::parse(value.name()), Some(value));
        }
        assert_eq!(Strictness::parse("Strict"), None);
    }
}
