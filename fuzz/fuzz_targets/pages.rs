//! Any bytes are a document or a clean refusal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reader::Options;

fuzz_target!(|bytes: &[u8]| {
    let options = Options { max_pages: 20, ..Options::default() };
    if let Ok(document) = reader::pages(bytes, &options) {
        assert!(!document.pages.is_empty());
        let paper = exam::paper::read(&document);
        exam::scheme::read(&document, &paper);
    }
});
