//! What a key answers: the question's words, kind and options, which say how some wordings are meant.

use domain::question::{Choice, Kind};
use signs::words::tokens;
use std::collections::HashSet;

/// What a key answers.
pub(super) struct Asked<'a> {
    pub(super) kind: Kind,
    /// The options printed, for a multiple choice.
    pub(super) options: &'a [Choice],
    /// Stems that the question says itself.
    pub(super) stems: HashSet<String>,
    /// The labels of the question's parts.
    pub(super) labels: Vec<&'a str>,
}

impl<'a> Asked<'a> {
    pub(super) fn of(stem: &str, text: &str, kind: Kind, options: &'a [Choice]) -> Asked<'a> {
        // A part's text may begin with the question's.
        let above = if text.starts_with(stem) { "" } else { stem };
        let stems = [above, text].into_iter().flat_map(tokens).map(|token| token.stem).collect();
        Asked { kind, options, stems, labels: Vec::new() }
    }
}
