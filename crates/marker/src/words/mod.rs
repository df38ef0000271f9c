//! Words of an answer or a key, and how far two of them are apart.

mod apart;

pub(crate) use apart::letters_apart;
pub use signs::words::*;
