//! One file a language.

mod arabic;
mod dutch;
mod english;
mod french;
mod german;
mod italian;
mod other;
mod polish;
mod portuguese;
mod spanish;
mod swedish;

use crate::Language;

/// All languages. English comes first: where two languages know a word, it keeps its English meaning.
pub const ALL: [&Language; 11] = [
    &english::ENGLISH,
    &german::GERMAN,
    &french::FRENCH,
    &spanish::SPANISH,
    &portuguese::PORTUGUESE,
    &italian::ITALIAN,
    &dutch::DUTCH,
    &swedish::SWEDISH,
    &polish::POLISH,
    &arabic::ARABIC,
    &other::OTHER,
];
