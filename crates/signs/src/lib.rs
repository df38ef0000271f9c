//! What is written, by schemes and by students alike: words, numbers and units, in one form.
//!
//! `exam` reads keys with it and `marker` reads answers, so that both mean the same by "4.2 kN".

pub mod form;
pub mod number;
pub mod words;
