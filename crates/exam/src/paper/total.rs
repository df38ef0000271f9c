//! The total that a paper prints.

use crate::marks::{self, Scope};
use domain::marks::Marks;
use reader::page::Document;

/// A printed number of marks that is smaller says little by itself: it may be a question's.
const TELLING_TOTAL: Marks = Marks::whole(5);

/// The total that the paper prints, from any of its lines, headers included. `sum` is what its parts add up
/// to as far as their marks are printed.
pub(super) fn of_paper(document: &Document, sum: Marks) -> Option<Marks> {
    let mut found: Vec<(Marks, u32)> = Vec::new();
    // "[Total: 5]" after each question sums that question up; alone in a paper it is the paper's.
    let mut sums: Vec<Marks> = Vec::new();
    let mut boxes: Vec<(Marks, u32)> = Vec::new();
    for page in &document.pages {
        for line in reader::lines::lines(page) {
            let words: Vec<&str> = page.words[line.words].iter().map(|word| word.text.as_str()).collect();
            let note = marks::at_end(&words).filter(|note| note.words == words.len());
            if let Some(note) = note.filter(|note| note.scope == Scope::Question(None)) {
                sums.push(note.marks);
            } else if let Some(total) = marks::paper_total(&words) {
                found.push((total, page.number));
            } else {
                boxes.extend(marks::score_box(&words).map(|total| (total, page.number)));
            }
        }
    }
    // Several are those of questions.
    if let ([only], true) = (&boxes[..], found.is_empty()) {
        found.push(*only);
    }
    // A number that is the sum of all parts is the paper's, however small and wherever it stands.
    if found.iter().map(|(total, _)| total).chain(&sums).any(|total| *total == sum) {
        return Some(sum);
    }
    found.retain(|(total, _)| *total >= TELLING_TOTAL);
    if found.is_empty() {
        // Of several sums only the last can be the paper's, and only when it is the sum of the others.
        let (last, others) = sums.split_last()?;
        let closes = others.is_empty() || others.iter().copied().sum::<Marks>() == *last;
        return Some(*last).filter(|last| closes && *last >= TELLING_TOTAL);
    }
    // The front page's word counts most; else the last line's.
    let front = found.iter().find(|(_, page)| *page == 1).or(found.last());
    front.map(|(total, _)| *total)
}
