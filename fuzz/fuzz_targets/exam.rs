//! A paper, a scheme and a script of any words: three texts, parted by form feeds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reader::page::{Document, Page, Rect, Word};

fuzz_target!(|text: &str| {
    let mut texts = text.splitn(3, '\u{c}');
    let mut next = || document(texts.next().unwrap_or_default());
    let (paper, scheme, script) = (next(), next(), next());
    let reading = exam::read(&paper, &scheme);
    let read = exam::script::read(&paper, &reading.questions, &[script]);
    let leaves = reading.questions.iter().map(|question| question.parts.len().max(1)).sum::<usize>();
    assert_eq!(read.answers.len(), leaves);
});

/// Sets each line of a text under the one before it, six points a character.
fn document(text: &str) -> Document {
    let mut page = Page { number: 1, width: 595.0, height: 842.0, ..Page::default() };
    for (row, line) in text.lines().take(200).enumerate() {
        let y = 40.0 + 14.0 * row as f32;
        let mut x = 50.0;
        for word in line.split(' ') {
            let width = 6.0 * word.chars().count() as f32;
            if !word.is_empty() {
                page.words.push(Word {
                    text: word.to_owned(),
                    place: Rect { x0: x, y0: y, x1: x + width, y1: y + 11.0 },
                    size: 11.0,
                    baseline: y + 9.0,
                    confidence: 1.0,
                    ..Word::default()
                });
            }
            x += width + 6.0;
        }
    }
    Document { pages: vec![page] }
}
