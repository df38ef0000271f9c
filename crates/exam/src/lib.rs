//! From pages to questions, answer keys and the answers of students.

mod answer_blanks;
mod blanks;
mod bonus;
mod bound;
mod broken;
mod codes;
mod columns;
mod doubts;
mod edge_marks;
pub mod eval;
pub mod explain;
pub mod flow;
mod fold;
mod han;
pub mod join;
mod judged;
pub mod key;
pub mod labels;
pub mod marks;
mod marks_above;
pub mod numbering;
pub mod objective;
mod outcomes;
pub mod paper;
pub mod places;
mod positions;
mod rtl;
pub mod rules;
pub mod scheme;
pub mod script;
mod series;
mod shares;
mod short;
mod unit_column;
mod word_heads;

pub use join::{Reading, Warning, read};
