//! Any bytes are a document or a clean refusal.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| bodies::pages(bytes));
