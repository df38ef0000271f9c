//! The words of papers, schemes and answers: what they mean, in every language that we read.
//!
//! Rules name a [`Concept`]; the tables in `languages` say which words and phrases mean it. All
//! lookups take lower-case text, with or without its accents, and look at all languages at once.

pub mod arabic;
pub mod chinese;
mod concept;
pub mod english;
mod fold;
mod language;
mod languages;
pub mod notation;
mod numbers;
mod opposites;
pub mod pleas;
mod tables;
mod words;

pub use concept::Concept;
pub use fold::fold;
pub use language::Language;
pub use languages::ALL;
pub use numbers::{number, number_in, ordinal, small_number};
pub use opposites::{Axis, Side, is_opposite, is_synonym, side};
pub use tables::{
    begins_with, ends_with, in_one_language, is, is_negation, is_stop_word, number_beside, says,
    without_prefix,
};
pub use words::Words;
