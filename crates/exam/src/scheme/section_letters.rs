//! Letters before the numbers of a scheme that the paper does not print there: those of its sections, "A1", "B2 (a)", or
//! one for all questions, "P1.", "P2.". The numbers are read as the paper has them.

use crate::codes::ANNOUNCING;
use crate::paper::Paper;
use lexicon::Concept;
use reader::page::{Document, Page};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

/// Fewer of them name something else.
const LEAST: usize = 3;
/// Sections are lettered no further.
const LAST: usize = 6;

/// A number with its section's letter: its page's place in the document, its word's on the page.
struct Lettered {
    page: usize,
    word: usize,
    section: usize,
    number: u32,
    /// Something closes the number: "P1."
    closed: bool,
    /// The word without the letter.
    rest: String,
}

/// The scheme with plain numbers, where its letters and numbers are those of the paper's sections and questions.
pub(super) fn plain<'d>(document: &'d Document, paper: &Paper) -> Cow<'d, Document> {
    let printed = |number: &str| number.chars().all(|c| c.is_ascii_digit());
    let numbers: Vec<(usize, u32)> = paper
        .questions
        .iter()
        .filter(|question| printed(&question.number))
        .filter_map(|question| Some((question.section, question.number.parse().ok()?)))
        .collect();
    let found: Vec<Lettered> =
        document.pages.iter().enumerate().flat_map(|(at, page)| on_page(at, page)).collect();
    if let Some(own) = of_all(&found, &numbers) {
        return Cow::Owned(replaced(document, &own, ANNOUNCING));
    }
    let counts_again = numbers.iter().any(|(section, _)| *section > 0);
    let known = |own: &Lettered| match counts_again {
        true => numbers.contains(&(own.section, own.number)),
        false => numbers.iter().any(|(_, number)| *number == own.number),
    };
    let own: Vec<&Lettered> = found.iter().filter(|own| own.section < LAST && known(own)).collect();
    let named: HashSet<(usize, u32)> = own.iter().map(|own| (own.section, own.number)).collect();
    let letters: HashSet<usize> = own.iter().map(|own| own.section).collect();
    // "A1" and "B1" are marks as well: those of a section count from one question to the next.
    let rises = own.windows(2).all(|pair| {
        let order = |own: &Lettered| (own.section, own.number);
        order(pair[0]) <= order(pair[1])
    });
    let plain =
        counts_again || named.len() == named.iter().map(|(_, number)| number).collect::<HashSet<_>>().len();
    if own.len() < LEAST || letters.len() < 2 || named.len() * 2 < numbers.len() || !rises || !plain {
        return Cow::Borrowed(document);
    }
    Cow::Owned(replaced(document, &own, ""))
}

/// Numbers behind one letter for all of them, which count on from the paper's first to its last. Letters that count
/// again below each part, "F1:", "F2:", name what earns its marks.
fn of_all<'l>(found: &'l [Lettered], numbers: &[(usize, u32)]) -> Option<Vec<&'l Lettered>> {
    let letters: BTreeSet<usize> = found.iter().filter(|own| own.closed).map(|own| own.section).collect();
    let most_of = |chain: &[&Lettered], all: usize| chain.len() * 4 >= all * 3;
    let chains = letters.into_iter().filter_map(|letter| {
        let own = || found.iter().filter(move |own| own.section == letter && own.closed);
        let mut chain: Vec<&Lettered> = Vec::new();
        for lettered in own() {
            let next = numbers.get(chain.len()).is_some_and(|(_, number)| *number == lettered.number);
            if next {
                chain.push(lettered);
            }
        }
        most_of(&chain, own().count()).then_some(chain)
    });
    chains.max_by_key(Vec::len).filter(|chain| chain.len() >= LEAST && most_of(chain, numbers.len()))
}

/// The document with numbers in the stead of letters and numbers.
fn replaced(document: &Document, own: &[&Lettered], lead: &str) -> Document {
    let mut document = document.clone();
    for own in own {
        document.pages[own.page].words[own.word].text = format!("{lead}{}", own.rest);
    }
    document
}

/// The letters with numbers that begin lines, perhaps behind the word that announces a question.
fn on_page(at: usize, page: &Page) -> Vec<Lettered> {
    let read = |line: reader::lines::Line| {
        let first = page.words.get(line.words.start)?;
        let announced = lexicon::is(Concept::Label, first.text.to_lowercase().trim_end_matches(['.', ':']));
        let word = line.words.start + usize::from(announced && line.words.len() > 1);
        let text = page.words[word].text.as_str();
        let letter = text.chars().next().filter(char::is_ascii_uppercase)?;
        let rest = text[1..].trim_start_matches(['.', '-', '–']);
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..end].parse().ok().filter(|number: &u32| (1..=99).contains(number))?;
        let closed = rest[end..].is_empty() || rest[end..].starts_with(['.', ')', '(', ':', '-']);
        let parted = || rest[end..].chars().all(|c| matches!(c, 'a'..='h')) && rest.len() == end + 1;
        let section = usize::try_from(u32::from(letter) - u32::from('A')).ok()?;
        let is_lettered = closed || parted();
        let closed = !announced && rest[end..].starts_with(['.', ')', ':']);
        let rest = rest.to_owned();
        is_lettered.then_some(Lettered { page: at, word, section, number, closed, rest })
    };
    reader::lines::lines(page).into_iter().filter_map(read).collect()
}
