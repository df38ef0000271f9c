//! Answers that run on in one paragraph: "Section A 1. nucleus 2. membrane 3." over "cellulose 4. vacuole". The heading
//! becomes a line of its own, and a number at the end of a line goes with its answer.

use super::pairs::pairs_in_row;
use crate::flow::Line;
use crate::labels::{self, Kind, Style};
use lexicon::Concept;
use reader::page::{Document, Rect, Word};

/// A name such as "Section A" has so many words.
const NAME_WORDS: usize = 2;
/// So many numbers in a row make a paragraph of answers.
const ANSWERS_MIN: usize = 2;

/// Parts such lines.
pub(super) fn part<'d>(all: &mut Vec<(Line<'d>, bool)>, document: &'d Document) {
    let mut parted: Vec<(Line<'d>, bool)> = Vec::with_capacity(all.len());
    for (line, furniture) in all.drain(..) {
        match named(&line).filter(|_| !furniture) {
            Some(count) => {
                parted.push((some(&line, 0..count), false));
                parted.push((some(&line, count..line.words.len()), false));
            }
            None => parted.push((line, furniture)),
        }
    }
    *all = parted;
    for at in 1..all.len() {
        let Some((above, below)) = with_number(&all[at - 1], &all[at], document) else { continue };
        (all[at - 1].0, all[at].0) = (above, below);
    }
}

/// How many words name a section, where answers are counted behind them: the two of "Section A 1. nucleus", the three of
/// "Part A (6) 1b 2c 3a".
fn named(line: &Line<'_>) -> Option<usize> {
    let [word, name, rest @ ..] = line.words else { return None };
    let bare = |word: &Word| word.text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let section = word.text.starts_with(char::is_uppercase) && lexicon::is(Concept::Section, &bare(word));
    let short = name.text.trim_matches(|c: char| !c.is_alphanumeric()).len() == 1;
    let worth = |word: &&Word| {
        let inner = word.text.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        inner.is_some_and(|inner| inner.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let priced = rest.first().filter(worth).is_some();
    let texts: Vec<&str> = rest[usize::from(priced)..].iter().map(|word| word.text.as_str()).collect();
    let begins = numbers(&texts).first().is_some_and(|(at, number)| *at == 0 && (priced || *number == 1));
    let pairs = pairs_in_row(&texts).is_some_and(|pairs| pairs.len() > 1);
    (section && short && texts.len() > 1 && (begins || pairs)).then_some(NAME_WORDS + usize::from(priced))
}

/// Two lines of such a paragraph with the number that ends the first at the beginning of the second.
fn with_number<'d>(
    (above, out): &(Line<'d>, bool),
    (below, other): &(Line<'d>, bool),
    document: &'d Document,
) -> Option<(Line<'d>, Line<'d>)> {
    let texts = above.texts();
    let counted = numbers(&texts);
    let (last, before) = counted.split_last()?;
    let ends = last.0 + 1 == texts.len() && before.len() >= ANSWERS_MIN;
    // Bare numbers beside each other head a table.
    let counts = counted.windows(2).all(|pair| pair[1].1 == pair[0].1 + 1 && pair[1].0 > pair[0].0 + 1);
    let next = above.page == below.page && above.range.end == below.range.start;
    let begins = labels::parse(&below.texts()).is_none();
    if *out || *other || !(ends && counts && next && begins) {
        return None;
    }
    let page = document.pages.iter().find(|page| page.number == above.page)?;
    let range = above.range.end - 1..below.range.end;
    let words = page.words.get(range.clone())?;
    Some((some(above, 0..above.words.len() - 1), Line { words, range, ..below.clone() }))
}

/// True for a line that begins with a number and goes on to the next ones: "6. cellulose 7. vacuole 8. cytoplasm".
pub(super) fn counts(texts: &[&str]) -> bool {
    let counted = numbers(texts);
    let begins = counted.first().is_some_and(|(at, _)| *at == 0);
    begins && counted.len() > ANSWERS_MIN && counted.windows(2).all(|pair| pair[1].1 == pair[0].1 + 1)
}

/// The numbers "1." of a line, each with the place of its word.
fn numbers(texts: &[&str]) -> Vec<(usize, u32)> {
    let number = |text: &str| {
        let label = labels::parse(&[text]).filter(|label| !label.glued)?;
        let closed = matches!(label.style, Style::Dot | Style::Close);
        let [only] = label.tokens[..] else { return None };
        Some(only.value).filter(|_| closed && only.kind == Kind::Number)
    };
    texts.iter().enumerate().filter_map(|(at, text)| Some((at, number(text)?))).collect()
}

/// Some words of a line as a line of their own.
pub(super) fn some<'d>(line: &Line<'d>, own: std::ops::Range<usize>) -> Line<'d> {
    let words = &line.words[own.clone()];
    let place = match words {
        [first, .., last] => Rect { x0: first.place.x0, x1: last.place.x1, ..line.place },
        [only] => Rect { x0: only.place.x0, x1: only.place.x1, ..line.place },
        [] => line.place,
    };
    Line { page: line.page, place, words, range: line.range.start + own.start..line.range.start + own.end }
}
