//! A wording as concepts, ready to be looked for.

use crate::words::{Token, stem};

/// One way to say a wording.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Phrase {
    /// What must be said.
    pub(crate) concepts: Vec<Concept>,
}

/// One thing that must be said, in any of these words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Concept {
    pub(crate) words: Vec<Token>,
    /// The wording denies it: "does **not** conduct".
    pub(crate) negated: bool,
    /// "orange **to** green": it comes after the one before it.
    pub(crate) comes_after_previous: bool,
}

impl Phrase {
    /// A way to say a wording, its words stemmed.
    pub(crate) fn of(way: &domain::scheme::Phrase) -> Phrase {
        let word = |folded: &String| Token {
            folded: folded.clone(),
            stem: stem(folded),
            span: 0..0,
            starts_clause: false,
        };
        let concept = |concept: &domain::scheme::Concept| Concept {
            words: concept.words.iter().map(word).collect(),
            negated: concept.negated,
            comes_after_previous: concept.comes_after_previous,
        };
        Phrase { concepts: way.concepts.iter().map(concept).collect() }
    }
}
