//! A paper, a scheme and a script of any words: three texts, parted by form feeds.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| bodies::exam(text));
