//! Whole papers and schemes, read from PDF files that the tests write themselves.

mod boards;
mod fuzzed;
mod generated;
mod laws;
mod reading;
mod samples;
mod scanned;
mod shapes;
#[path = "../../../reader/tests/pdf/sheet.rs"]
mod sheet;
mod simple;
