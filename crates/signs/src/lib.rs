//! What is written, by schemes and by students alike: words, numbers and units, lists and options, in one form.
//!
//! `exam` reads keys with it and `marker` reads answers, so that both mean the same by "4.2 kN".

pub mod form;
pub mod list;
pub mod number;
pub mod options;
pub mod words;
