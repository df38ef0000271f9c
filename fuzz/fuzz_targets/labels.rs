//! The parsers of labels and marks take any words.
#![no_main]

use exam::{labels, marks};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let Some(label) = labels::parse(&words) {
        assert!(!label.tokens.is_empty() && (1..=words.len()).contains(&label.words));
        labels::display(&label.tokens);
    }
    for note in [marks::at_end(&words), marks::at_start(&words)].into_iter().flatten() {
        assert!((1..=words.len()).contains(&note.words));
    }
    marks::paper_total(&words);
    labels::parse_cell(text);
});
