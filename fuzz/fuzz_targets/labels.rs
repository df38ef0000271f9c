//! The parsers of labels and marks take any words.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| bodies::labels(text));
