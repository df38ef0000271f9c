//! Points made in words: looked for concept by concept, then weighed by meaning where words alone do not decide.

mod paired;
mod phrase;
mod relation;
mod search;
mod spelling;

pub(crate) use paired::is_mispaired;
pub(crate) use phrase::Phrase;
pub(crate) use relation::{Relation, relation};
pub(crate) use search::{Match, Said};
