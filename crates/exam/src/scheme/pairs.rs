//! Rows of a multiple choice key: numbers of questions, each with the letter or the number of its right option.

use super::column::bare_number;
use super::known::Known;
use crate::flow::Line;
use std::collections::HashSet;

/// A line of a multiple choice key: "1. C 11. B 21. A". At least two pairs, or one alone.
pub(super) fn answer_pairs<'t>(texts: &[&'t str]) -> Option<Vec<(u32, &'t str)>> {
    let number =
        |word: &str| word.trim_end_matches(['.', ')', ':']).parse::<u32>().ok().filter(|number| *number > 0);
    let letter = |word: &str| word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let texts = without_remark(texts);
    if let Some(glued) = glued_pairs(texts) {
        return Some(glued);
    }
    // "1. B 1   26. D 1": the marks of each stand behind its letter.
    let marked = texts.len() >= 3
        && texts.len().is_multiple_of(3)
        && texts.chunks_exact(3).all(|three| bare_number(three[2]).is_some());
    let width = if marked { 3 } else { 2 };
    if texts.is_empty() || !texts.len().is_multiple_of(width) {
        return None;
    }
    let pair = |pair: &[&'t str]| {
        let bare = pair[1].trim_matches(['(', ')', '.']);
        number(pair[0]).filter(|_| letter(bare)).map(|number| (number, bare))
    };
    texts.chunks_exact(width).map(pair).collect()
}

/// A row without what is said in brackets behind it: "1 D, 2 C, 3 A (E is left over)".
fn without_remark<'a, 't>(texts: &'a [&'t str]) -> &'a [&'t str] {
    const PAIRS_MIN: usize = 3;
    let begins = texts.iter().rposition(|word| word.starts_with('('));
    let ends = texts.last().is_some_and(|last| last.ends_with(')') && !last.starts_with('('));
    match begins.filter(|at| ends && *at >= PAIRS_MIN) {
        Some(at) => &texts[..at],
        None => texts,
    }
}

/// "Part A 1. b 2. c 3. a" and "5c 6. a 7–b": pairs in any print behind the name of their section or what is said of all,
/// if there is any, for questions that offer such options.
pub(super) fn small_pairs<'t>(texts: &[&'t str], known: &Known) -> Option<Vec<(u32, &'t str)>> {
    const LEAST: usize = 2;
    const NAME_WORDS: usize = 2;
    const SIGNS: [char; 9] = ['.', ')', '(', ':', '-', '–', '=', ',', ';'];
    let letter = |word: &'t str| {
        let bare = word.trim_matches(SIGNS);
        Some(bare).filter(|bare| bare.len() == 1 && bare.bytes().all(|byte| byte.is_ascii_alphabetic()))
    };
    let number = |word: &'t str| -> Option<(u32, &'t str)> {
        let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let value = word[..end].parse().ok().filter(|value| known.offers(*value))?;
        Some((value, &word[end..]))
    };
    // "Two points for each right answer: 1b; 2d; 3a"
    let behind = || texts.iter().rposition(|word| word.ends_with(':')).map(|at| at + 1);
    let named = texts.iter().take(NAME_WORDS + 1).position(|word| number(word).is_some());
    let from = named.or_else(behind)?;
    let mut pairs: Vec<(u32, &str)> = Vec::new();
    let mut rest = texts[from..].iter();
    while let Some(word) = rest.next() {
        let (value, glued) = number(word)?;
        let closed = glued.trim_matches(SIGNS);
        let own = if closed.is_empty() && !glued.is_empty() { letter(rest.next()?)? } else { letter(glued)? };
        pairs.push((value, own));
    }
    let counts = pairs.windows(2).all(|two| two[1].0 == two[0].0 + 1);
    (pairs.len() >= LEAST && counts).then_some(pairs)
}

/// "1. (2) 2. (4)" and "(1) 2 (2) 4": the numbers of right options, as a row of a key prints them.
pub(super) fn numbered_pairs<'t>(texts: &[&'t str]) -> Option<Vec<(u32, &'t str)>> {
    if texts.is_empty() || !texts.len().is_multiple_of(2) {
        return None;
    }
    let pair = |pair: &[&'t str]| {
        let bare = |word: &'t str| word.trim_matches(['(', ')', '.', ':', '[', ']']);
        // "3 4" alone may be anything: one of the two is closed.
        let closed = pair[0].ends_with(['.', ')', ':']) || pair[1].ends_with(')');
        let number = bare(pair[0]).parse::<u32>().ok().filter(|number| *number > 0 && closed)?;
        let option = bare(pair[1]);
        let digit = option.len() == 1 && option.chars().all(|c| matches!(c, '1'..='5'));
        digit.then_some((number, option))
    };
    texts.chunks_exact(2).map(pair).collect()
}

/// The rows of a key that gives nothing but numbers.
#[derive(Debug, Default)]
pub(super) struct KeyRows {
    /// Which lines they are.
    pub(super) lines: HashSet<usize>,
    /// The number up to which they answer every question.
    pub(super) answered: u32,
}

/// Finds the rows of a key that gives nothing but numbers: "1 2   4 1   6 2". Two numbers may be anything; lines that give most
/// questions with numbered options one of these each, and none twice, are a key.
pub(super) fn key_rows(lines: &[Line<'_>], known: &Known) -> KeyRows {
    const LEAST: usize = 3;
    let mut rows = HashSet::new();
    let mut answered: HashSet<u32> = HashSet::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(pairs) = bare_pairs(&line.texts(), known) else { continue };
        if pairs.iter().all(|(number, _)| !answered.contains(number)) {
            answered.extend(pairs.iter().map(|(number, _)| *number));
            rows.insert(index);
        }
    }
    let enough = answered.len() >= LEAST && answered.len() * 5 >= known.numbered.len() * 4;
    let open = (1..).find(|number| !answered.contains(number)).unwrap_or(1);
    if enough { KeyRows { lines: rows, answered: open - 1 } } else { KeyRows::default() }
}

/// Numbers of questions, each with that of one of its options.
pub(super) fn bare_pairs<'t>(texts: &[&'t str], known: &Known) -> Option<Vec<(u32, &'t str)>> {
    let pair = |pair: &[&'t str]| {
        let number = pair[0].parse::<u32>().ok()?;
        let option = pair[1].parse::<usize>().ok().filter(|option| *option > 0)?;
        known.numbered.get(&number).is_some_and(|count| option <= *count).then_some((number, pair[1]))
    };
    let even = !texts.is_empty() && texts.len().is_multiple_of(2);
    even.then(|| texts.chunks_exact(2).map(pair).collect()).flatten()
}

/// "1d 2c 3a", "1 d 2 c 3 a": three or more in a row, perhaps with marks behind them.
fn glued_pairs<'t>(texts: &[&'t str]) -> Option<Vec<(u32, &'t str)>> {
    const LEAST: usize = 3;
    let pair = |word: &&'t str| {
        let at = word.find(|c: char| !c.is_ascii_digit())?;
        let letter = word[at..].trim_matches(['-', '.', ')', ',', ';']);
        let single = letter.len() == 1 && letter.chars().all(|c| c.is_ascii_alphabetic());
        Some((word[..at].parse().ok()?, letter)).filter(|_| single)
    };
    let glued = || texts.iter().map_while(pair).collect::<Vec<(u32, &str)>>();
    let pairs = pairs_in_row(texts).unwrap_or_else(glued);
    let counts = pairs.windows(2).all(|two| two[1].0 == two[0].0 + 1);
    let all = texts.len() <= pairs.len() + 2 || texts.len() == 2 * pairs.len();
    (pairs.len() >= LEAST && counts && all).then_some(pairs)
}

/// Numbers, each with the letter that answers it, and nothing else: "1b 2c 3a", "8 T 9F 10 F".
pub(super) fn pairs_in_row<'t>(texts: &[&'t str]) -> Option<Vec<(u32, &'t str)>> {
    let mut pairs = Vec::new();
    let mut words = texts.iter();
    while let Some(word) = words.next() {
        let (number, glued) = word.split_at(word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len()));
        let letter = if glued.is_empty() { *words.next()? } else { glued };
        // "1 D, 2 C, 3 A."
        let letter = letter.trim_end_matches([',', ';', '.']);
        let single = letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_alphabetic());
        pairs.push((number.parse().ok().filter(|_| single)?, letter));
    }
    Some(pairs)
}

/// The marks that a row of "1. B 1" prints behind a letter; each row prints the same for all.
pub(super) fn marks_behind(texts: &[&str], letter: &str) -> String {
    let at = texts.iter().position(|word| word.trim_matches(['(', ')', '.']) == letter);
    let next = at.and_then(|at| texts.get(at + 1)).filter(|word| bare_number(word).is_some());
    let single = texts.len().is_multiple_of(3);
    next.filter(|_| single).map_or_else(String::new, |word| (*word).to_owned())
}

/// A row of numbers with the letters below it: "Question 1 2 3" over "Answer B C A".
pub(super) fn answers_below<'t>(above: &[&str], texts: &[&'t str]) -> Option<Vec<(u32, &'t str)>> {
    const LEAST: usize = 3;
    let numbers: Vec<u32> =
        above.iter().rev().map_while(|word| word.trim_end_matches('.').parse().ok()).collect();
    let letter = |word: &&&str| word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let letters: Vec<&str> = texts.iter().rev().take_while(letter).copied().collect();
    let named = above.len() - numbers.len() <= 2 && texts.len() - letters.len() <= 2;
    let counts = numbers.windows(2).all(|pair| pair[0] == pair[1] + 1);
    let fits = numbers.len() == letters.len() && numbers.len() >= LEAST && counts && named;
    fits.then(|| numbers.into_iter().rev().zip(letters.into_iter().rev()).collect())
}
