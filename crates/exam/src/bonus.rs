//! Questions without a number that a word alone announces: "Bonus (2 points)". They are read as if they went on with the
//! paper's numbers, and named as they are printed afterwards.

use crate::codes::ANNOUNCING;
use crate::flow::{self, Line};
use crate::labels;
use crate::paper::Paper;
use domain::marks::Marks;
use domain::question::Question;
use lexicon::Concept;
use reader::page::{Document, Page, Rect, Word};

/// No paper has more of them.
const MOST: usize = 3;

/// The document with numbers for such words, from the one behind `last` on, and the names that they stand for.
/// A paper's say as well what they are, in their first word.
pub(crate) fn numbered(document: &Document, last: u32, is_paper: bool) -> Option<(Document, Vec<String>)> {
    let mut document = document.clone();
    let mut names: Vec<String> = Vec::new();
    for page in &mut document.pages {
        number_page(page, last, is_paper, &mut names);
    }
    (1..=MOST).contains(&names.len()).then_some((document, names))
}

fn number_page(page: &mut Page, last: u32, is_paper: bool, names: &mut Vec<String>) {
    let heads: Vec<(usize, usize, String)> = flow::page_lines(page)
        .filter_map(|line| heading(&line).map(|(words, name)| (line.range.start, words, name)))
        .collect();
    let before = names.len();
    names.extend(heads.iter().map(|(_, _, name)| name.clone()));
    // From the last on, so that the places of the others stay.
    for (at, (start, words, name)) in heads.into_iter().enumerate().rev() {
        let head = page.words[start].clone();
        let middle = (head.place.x0 + head.place.x1) / 2.0;
        let number = format!("{ANNOUNCING}{}", last as usize + before + at + 1);
        let label = Word { text: number, place: Rect { x1: middle, ..head.place }, ..head.clone() };
        let kind = Word { text: mark(&name), place: Rect { x0: middle, ..head.place }, ..head };
        page.words.splice(start..start + words, [label, kind].into_iter().take(1 + usize::from(is_paper)));
    }
}

/// The words that announce such a question at the beginning of a line, and its name.
fn heading(line: &Line<'_>) -> Option<(usize, String)> {
    /// A heading without a closing sign has no more words.
    const SHORT: usize = 6;
    /// Nor has what it is worth.
    const PRICE_WORDS: usize = 3;
    let texts = line.texts();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    if !texts[0].starts_with(char::is_uppercase) || labels::parse(&texts).is_some() {
        return None;
    }
    let first = lexicon::is(Concept::Bonus, &bare(texts[0]));
    let two = texts.get(1).map(|second| format!("{} {}", bare(texts[0]), bare(second)));
    let both = !first && two.is_some_and(|two| lexicon::is(Concept::Bonus, &two));
    let mut words = if first { 1 } else { 2 };
    if !first && !both {
        return None;
    }
    // "Bonus question: …"
    let named = texts.get(words).is_some_and(|next| lexicon::is(Concept::Label, &bare(next)));
    words += usize::from(named);
    let closed = texts[words - 1].ends_with([':', '.', ')']);
    let bracket = texts.get(words).is_none_or(|next| next.starts_with(['(', '[', '-', '–', '—']));
    let name = texts[0].trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    // "Bonus (+2 pts): What did …"
    let priced = texts[words..].iter().take(PRICE_WORDS).any(|word| word.ends_with("):"));
    (closed || bracket && (priced || texts.len() <= SHORT)).then_some((words, name))
}

fn mark(name: &str) -> String {
    format!("({name})")
}

/// Names questions as the paper does, the last of them by their words.
pub(crate) fn name(questions: &mut [Question], names: &[String]) {
    let first = questions.len() - names.len().min(questions.len());
    for (question, name) in questions[first..].iter_mut().zip(names) {
        question.number.clone_from(name);
        if let Some(rest) = question.text.strip_prefix(&mark(name)) {
            question.text = rest.trim_start().to_owned();
        }
    }
}

/// True for the first line of a question that says so, behind its label of so many words or in brackets: "4. Bonus: …",
/// "3. (5 points, bonus)".
pub(crate) fn is_said(texts: &[&str], label: usize) -> bool {
    /// The word stands among the first of the question.
    const WITHIN: usize = 3;
    let bare: Vec<String> =
        texts.iter().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()).collect();
    (0..texts.len()).any(|at| {
        let count = 1 + usize::from(!lexicon::is(Concept::Bonus, &bare[at]));
        let Some(own) = bare.get(at..at + count) else { return false };
        let bracketed = texts[at].starts_with(['(', '[']) || texts[at + count - 1].ends_with([')', ']']);
        lexicon::is(Concept::Bonus, &own.join(" ")) && (bracketed || at < label + WITHIN && at >= label)
    })
}

/// What such questions add beyond a paper's total.
pub(crate) fn beyond(paper: &Paper, questions: &[Question]) -> Marks {
    let bonus = paper.questions.iter().zip(questions).filter(|(source, _)| source.is_bonus);
    bonus.filter_map(|(_, question)| question.total()).sum()
}
