//! Questions of which each blank is worth so much: how many they have is told by the words of their answers.

use super::{Printed, headings, leading_label, number_of};
use reader::page::{Document, Rect, Word};

/// Questions in a section whose blanks have a price.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Priced {
    questions: Vec<u32>,
    blank: f64,
    whole: f64,
}

/// No section has more questions, and no question more blanks.
const MOST: usize = 60;

/// The sections that name a price for each blank and a sum for all of them.
pub(super) fn sections(document: &Document, lines: &[Printed]) -> Vec<Priced> {
    let mut found: Vec<Priced> = Vec::new();
    let mut open = false;
    for line in lines.iter().filter(|line| line.page < document.pages.len()) {
        if let Some(heading) = headings::of(&line.text) {
            let priced = heading.blank.zip(heading.whole);
            open = priced.is_some();
            found.extend(priced.map(|(blank, whole)| Priced { questions: Vec::new(), blank, whole }));
        } else if let Some(last) = found.last_mut().filter(|own| open && own.questions.len() < MOST) {
            let next = last.questions.last().map(|before| before + 1);
            let number = leading_label(&line.text).map(|(number, _)| number);
            last.questions.extend(number.filter(|number| next.is_none_or(|next| next == *number)));
        }
    }
    found
}

/// No paper has more of them.
const SECTIONS_MAX: usize = 8;

/// Prints what each question is worth behind it, where that adds up to what the section is worth, and parts the answers.
pub(super) fn price(paper: &mut Document, scheme: &mut Document, sections: &[Priced]) {
    for section in sections.iter().take(SECTIONS_MAX) {
        let places: Vec<Option<Answers>> =
            section.questions.iter().map(|number| answers(scheme, *number)).collect();
        let Some(places) = places.into_iter().collect::<Option<Vec<Answers>>>() else { continue };
        let count: usize = places.iter().map(|own| own.words.len()).sum();
        if places.is_empty() || (count as f64 * section.blank - section.whole).abs() > 0.01 {
            continue;
        }
        for (number, own) in section.questions.iter().zip(&places) {
            let words = &mut scheme.pages[own.page].words;
            for at in own.words.iter().rev().skip(1) {
                words[*at].text.push(';');
            }
            print_behind(paper, *number, own.words.len() as f64 * section.blank);
        }
    }
}

/// Where the words of an answer stand.
struct Answers {
    page: usize,
    words: Vec<usize>,
}

/// The words behind a label, to the end of its line or to the next label in it.
fn answers(scheme: &Document, number: u32) -> Option<Answers> {
    let label = format!("{number}.");
    let next = format!("{}.", number + 1);
    scheme.pages.iter().enumerate().find_map(|(page, own)| {
        let at = own.words.iter().position(|word| word.text == label)?;
        let row = own.words[at].baseline;
        let size = own.words[at].size;
        let rest = own.words[at + 1..].iter().take(MOST);
        let own_line = rest.take_while(|word| (word.baseline - row).abs() < size / 2.0 && word.text != next);
        let words: Vec<usize> = (at + 1..at + 1 + own_line.count()).collect();
        (!words.is_empty()).then_some(Answers { page, words })
    })
}

/// Sets the marks of a question behind the line that it begins with.
fn print_behind(paper: &mut Document, number: u32, marks: f64) {
    for page in &mut paper.pages {
        let Some(at) = page.words.iter().position(|word| number_of(&word.text) == Some(number)) else {
            continue;
        };
        let (row, size) = (page.words[at].baseline, page.words[at].size);
        let same =
            page.words[at..].iter().take_while(|word| (word.baseline - row).abs() < size / 2.0).count();
        let last = page.words[at + same - 1].clone();
        let place = Rect { x0: last.place.x1 + size, x1: last.place.x1 + 4.0 * size, ..last.place };
        let text = format!("({marks}{})", lexicon::chinese::POINTS_EACH[0]);
        page.words.insert(at + same, Word { text, place, ..last });
        return;
    }
}
