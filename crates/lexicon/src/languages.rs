//! One file a language.

mod arabic;
mod catalan;
mod cyrillic;
mod czech;
mod dutch;
mod english;
mod finnish;
mod french;
mod german;
mod greek;
mod hungarian;
mod italian;
mod malay;
mod other;
mod polish;
mod portuguese;
mod romanian;
mod south_slavic;
mod spanish;
mod swedish;
mod turkish;
mod vietnamese;

use crate::Language;

/// All languages. English comes first: where two languages know a word, it keeps its English meaning.
pub const ALL: [&Language; 22] = [
    &english::ENGLISH,
    &german::GERMAN,
    &french::FRENCH,
    &spanish::SPANISH,
    &portuguese::PORTUGUESE,
    &italian::ITALIAN,
    &dutch::DUTCH,
    &swedish::SWEDISH,
    &polish::POLISH,
    &catalan::CATALAN,
    &cyrillic::CYRILLIC,
    &greek::GREEK,
    &czech::CZECH,
    &south_slavic::SOUTH_SLAVIC,
    &hungarian::HUNGARIAN,
    &romanian::ROMANIAN,
    &turkish::TURKISH,
    &malay::MALAY,
    &vietnamese::VIETNAMESE,
    &finnish::FINNISH,
    &arabic::ARABIC,
    &other::OTHER,
];
