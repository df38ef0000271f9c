//! The client's own notes on an object: a map from strings to strings.

use crate::text::{Problem, check_line};
use std::collections::BTreeMap;

/// A client's own notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata(BTreeMap<String, String>);

/// What is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MetadataProblem {
    /// More keys than [`Metadata::KEYS_MAX`].
    TooMany,
    /// The key or its value.
    Entry {
        /// Which key.
        key: String,
        /// What is wrong.
        problem: Problem,
        /// True when it is the key itself.
        is_key: bool,
    },
}

impl Metadata {
    /// The most keys.
    pub const KEYS_MAX: usize = 50;
    /// The longest key.
    pub const KEY_MAX: usize = 40;
    /// The longest value.
    pub const VALUE_MAX: usize = 500;

    /// Takes the entries if all keep the bounds.
    pub fn parse(entries: Vec<(String, String)>) -> Result<Metadata, MetadataProblem> {
        if entries.len() > Metadata::KEYS_MAX {
            return Err(MetadataProblem::TooMany);
        }
        for (key, value) in &entries {
            let problem = |problem, is_key| MetadataProblem::Entry { key: key.clone(), problem, is_key };
            check_line(key, 1, Metadata::KEY_MAX).map_err(|found| problem(found, true))?;
            check_line(value, 0, Metadata::VALUE_MAX).map_err(|found| problem(found, false))?;
        }
        Ok(Metadata(entries.into_iter().collect()))
    }

    /// The map.
    pub fn entries(&self) -> &BTreeMap<String, String> {
        &self.0
    }

    /// As it is stored.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.0).expect("a map of strings can be written")
    }

    /// Reads what [`Metadata::to_json`] wrote.
    pub fn from_json(text: &str) -> Option<Metadata> {
        serde_json::from_str(text).ok().map(Metadata)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(key: &str, value: &str) -> Result<Metadata, MetadataProblem> {
        Metadata::parse(vec![(key.to_owned(), value.to_owned())])
    }

    #[test]
    fn keys_and_values_have_their_bounds() {
        assert!(one(&"k".repeat(40), &"v".repeat(500)).is_ok());
        assert!(one("class", "").is_ok());
        assert!(matches!(one("", "x"), Err(MetadataProblem::Entry { is_key: true, .. })));
        assert!(matches!(one("class", "\u{202e}"), Err(MetadataProblem::Entry { is_key: false, .. })));
        let many = (0..51).map(|number| (number.to_string(), String::new())).collect();
        assert_eq!(Metadata::parse(many), Err(MetadataProblem::TooMany));
    }

    #[test]
    fn it_reads_back() {
        let metadata = one("class", "7b \"ü\"").unwrap();
        assert_eq!(Metadata::from_json(&metadata.to_json()), Some(metadata));
    }
}
