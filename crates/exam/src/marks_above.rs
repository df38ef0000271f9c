//! Marks on a line of their own above each question, "max. 2 points" over "3 Name …": set behind the question's first line,
//! where other papers print them.

use crate::labels::{self, Kind, Style};
use crate::marks::{self, Certainty, Scope};
use reader::page::{Document, Page, Rect, Word};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// Fewer such lines may be anything.
const LEAST: usize = 3;

/// A line of marks and the line below it, by their words.
struct Pair {
    page: usize,
    marks: Range<usize>,
    label: Range<usize>,
}

/// The document with such marks behind the lines below them; itself where marks stand elsewhere.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    let pairs: Option<Vec<Pair>> =
        document.pages.iter().enumerate().flat_map(|(at, page)| pairs(at, page)).collect();
    let Some(pairs) = pairs.filter(|pairs| pairs.len() >= LEAST) else { return Cow::Borrowed(document) };
    let numbers: Vec<u32> = pairs.iter().filter_map(|pair| number(words(document, pair))).collect();
    if numbers.first() != Some(&1) || !numbers.windows(2).all(|two| two[1] == two[0] + 1) {
        return Cow::Borrowed(document);
    }
    let first = pairs[0].page;
    let mut document = document.clone();
    // What a cover counts is no question: none of its lines has marks above it.
    document.pages[..first].iter_mut().for_each(uncount);
    // From the last on, since words become fewer.
    for mut pair in pairs.into_iter().rev() {
        let words = &mut document.pages[pair.page].words;
        if says_most(&words[pair.marks.start].text) {
            words.remove(pair.marks.start);
            (pair.marks.end, pair.label) = (pair.marks.end - 1, pair.label.start - 1..pair.label.end - 1);
        }
        let line = words[pair.label.end - 1].clone();
        let from = words[pair.marks.start].place.x0.max(line.place.x1 + line.size);
        let shift = from - words[pair.marks.start].place.x0;
        for word in &mut words[pair.marks.clone()] {
            word.place = Rect {
                x0: word.place.x0 + shift,
                x1: word.place.x1 + shift,
                y0: line.place.y0,
                y1: line.place.y1,
            };
            word.baseline = line.baseline;
        }
        bracket(&mut words[pair.marks.clone()]);
        words[pair.marks.start..pair.label.end].rotate_left(pair.marks.len());
    }
    Cow::Owned(document)
}

/// Sets marks in brackets: the sentence beside them may go on below.
fn bracket(marks: &mut [Word]) {
    let bracketed = marks.first().is_some_and(|first| first.text.starts_with(['(', '[']));
    if let Some(first) = marks.first_mut().filter(|_| !bracketed) {
        first.text.insert(0, '(');
    }
    if let Some(last) = marks.last_mut().filter(|_| !bracketed) {
        last.text.push(')');
    }
}

fn words<'d>(document: &'d Document, pair: &Pair) -> &'d [Word] {
    &document.pages[pair.page].words[pair.label.clone()]
}

/// Takes the numbers off the lines that begin with one.
fn uncount(page: &mut Page) {
    let lines = reader::lines::lines(page).into_iter().map(|line| line.words);
    let counted: HashSet<usize> =
        lines.filter(|line| counts(&page.words[line.clone()])).map(|line| line.start).collect();
    let mut at = 0..;
    page.words.retain(|_| at.next().is_none_or(|at| !counted.contains(&at)));
}

/// True for a line that begins with "2" or "2.1" and goes on.
fn counts(words: &[Word]) -> bool {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let label = labels::parse(&texts).filter(|label| !label.glued && label.words == 1 && texts.len() > 1);
    label.is_some_and(|label| matches!(label.style, Style::Bare | Style::Dot | Style::Path))
}

/// The lines of marks of a page, each with the label below it: `None` for one that stands elsewhere.
fn pairs(at: usize, page: &Page) -> Vec<Option<Pair>> {
    let lines: Vec<Range<usize>> = reader::lines::lines(page).into_iter().map(|line| line.words).collect();
    let is_price = |line: &&Range<usize>| are_marks(&page.words[(*line).clone()]);
    let below = |at: usize| lines.get(at + 1).filter(|line| number(&page.words[(*line).clone()]).is_some());
    let found = lines.iter().enumerate().filter(|(_, line)| is_price(line));
    found
        .map(|(place, marks)| {
            let label = below(place).filter(|label| label.start == marks.end)?;
            Some(Pair { page: at, marks: marks.clone(), label: label.clone() })
        })
        .collect()
}

/// True for a line of nothing but marks: "1 point", "max. 2 points".
fn are_marks(words: &[Word]) -> bool {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let texts = &texts[usize::from(texts.first().is_some_and(|first| says_most(first)))..];
    let note = marks::at_end(texts).filter(|note| note.scope == Scope::Part);
    note.is_some_and(|note| note.certainty == Certainty::Sure && note.words == texts.len())
}

/// "max." before marks says no more than they do.
fn says_most(word: &str) -> bool {
    lexicon::english::schemes::MOST.has(word.trim_end_matches('.'))
}

/// The number of the question that a line begins.
fn number(words: &[Word]) -> Option<u32> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let label = labels::parse(&texts).filter(|label| !label.glued && label.words < texts.len())?;
    let [only] = label.tokens[..] else { return None };
    (only.kind == Kind::Number && label.style != Style::Brackets).then_some(only.value)
}
