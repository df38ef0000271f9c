//! From pages to questions, answer keys and the answers of students.

pub mod eval;
pub mod flow;
pub mod join;
pub mod labels;
pub mod marks;
pub mod numbering;
pub mod paper;
pub mod places;
pub mod scheme;
pub mod script;

pub use join::{Reading, Warning, read};
