//! Reports to read and to print: a page in HTML, the annotated script as a tagged PDF, and cover sheets for scripts.
//!
//! Both are pure functions of their input: no clock, no network, no file. Whatever a student wrote is text
//! to be shown, never markup, and no input makes them panic.

#![warn(missing_docs)]

mod html;
mod leaf;
mod pdf;
#[cfg(any(test, feature = "sample"))]
pub mod sample;
#[cfg(test)]
mod tests;
mod wording;

pub use html::{html, style_hash};
pub use pdf::{CoverSheet, Error, PagePicture, PageWord, covers, pdf};
