//! What the fuzz targets do with their input: plain functions, so that a test can run them as well.

use exam::{labels, marks};
use reader::Options;
use reader::page::{Document, Page, Rect, Word};

/// Any bytes are a document or a clean refusal.
pub fn pages(bytes: &[u8]) {
    let options = Options { max_pages: 20, ..Options::default() };
    if let Ok(document) = reader::pages(bytes, &options) {
        assert!(!document.pages.is_empty());
        let paper = exam::paper::read(&document);
        exam::scheme::read(&document, &paper);
    }
}

/// The parsers of labels and marks take any words.
pub fn labels(text: &str) {
    let words: Vec<&str> = text.split_whitespace().collect();
    for label in [labels::parse(&words), labels::parse_capital(&words)].into_iter().flatten() {
        assert!(!label.tokens.is_empty() && (1..=words.len()).contains(&label.words));
        labels::display(&label.tokens);
    }
    for note in [marks::at_end(&words), marks::at_start(&words)].into_iter().flatten() {
        assert!((1..=words.len()).contains(&note.words));
    }
    marks::paper_total(&words);
    labels::parse_cell(text);
}

/// A paper, a scheme and a script of any words: three texts, parted by form feeds.
pub fn exam(text: &str) {
    let mut texts = text.splitn(3, '\u{c}');
    let mut next = || document(texts.next().unwrap_or_default());
    let (paper, scheme, script) = (next(), next(), next());
    let reading = exam::read(&paper, &scheme);
    let read = exam::script::read(&paper, &reading.questions, &[script]);
    let leaves = reading.questions.iter().map(|question| question.parts.len().max(1)).sum::<usize>();
    assert_eq!(read.answers.len(), leaves);
}

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
