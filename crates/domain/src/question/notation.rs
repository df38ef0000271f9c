//! The shorthand of examiners, as keys carry it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What examiners write behind a point instead of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Notation {
    /// Or equivalent.
    OrEquivalent,
    /// Follow through from an earlier answer, even a wrong one.
    FollowThrough,
    /// Correct answer only.
    CorrectAnswerOnly,
    /// Correct solution only, no errors seen.
    CorrectSolutionOnly,
    /// Ignore subsequent working.
    IgnoreSubsequentWorking,
    /// Depends on the method mark before it.
    Dependent,
    /// Does not depend on the method before it.
    Independent,
    /// Seen or implied.
    SeenOrImplied,
    /// Answers which round to.
    AnswersRoundingTo,
    /// Error carried forward.
    ErrorCarriedForward,
    /// Or words to that effect.
    OrWordsToThatEffect,
    /// Or reverse argument.
    OrReverseArgument,
    /// Without wrong working.
    WithoutWrongWorking,
    /// Not from wrong working.
    NotFromWrongWorking,
    /// The answer is given in the question, so that the working must show it.
    AnswerGiven,
}

crate::names! {
    Notation {
        OrEquivalent = "oe",
        FollowThrough = "ft",
        CorrectAnswerOnly = "cao",
        CorrectSolutionOnly = "cso",
        IgnoreSubsequentWorking = "isw",
        Dependent = "dep",
        Independent = "indep",
        SeenOrImplied = "soi",
        AnswersRoundingTo = "awrt",
        ErrorCarriedForward = "ecf",
        OrWordsToThatEffect = "owtte",
        OrReverseArgument = "ora",
        WithoutWrongWorking = "www",
        NotFromWrongWorking = "nfww",
        AnswerGiven = "ag",
    }
}

impl Serialize for Notation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The notation of a stored key. Earlier versions kept any letters behind a mark; what means nothing is left out.
pub(super) fn of_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Notation>, D::Error> {
    let written = Vec::<String>::deserialize(deserializer)?;
    Ok(written.iter().filter_map(|name| Notation::parse(&name.to_lowercase())).collect())
}

#[cfg(test)]
mod tests {
    use crate::question::{Notation, Point};

    #[test]
    fn stored_keys_of_earlier_versions_are_read() {
        let stored = r#"{"text":"12 cm","marks":2,"kind":"accuracy","alternatives":[],"accept":[],"reject":[],
            "notation":["ft","FT","xyz","indep"]}"#;
        let point: Point = serde_json::from_str(stored).unwrap();
        let follow = Notation::FollowThrough;
        assert_eq!(point.notation, [follow, follow, Notation::Independent]);
        let again = serde_json::to_value(&point).unwrap();
        assert_eq!(again["notation"], serde_json::json!(["ft", "ft", "indep"]));
    }
}
