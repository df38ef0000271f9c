//! One wording of a point, with what it states and what may be left out.

use super::number;
use super::phrases::{variants, without_notation};
use domain::question::Kind;
use domain::scheme::Wording;
use lexicon::english::{notes, numbers, steps};
use signs::form::normal;
use signs::words::fold;

/// Understands a wording, given what sort of question it answers.
pub(super) fn of(text: &str, kind: Kind) -> Wording {
    let normal = normal(text);
    let form = without_mark_notes(&normal);
    let (needed, is_bracketed) = without_square_brackets(&normal);
    let is_numeric = kind == Kind::Numeric;
    let told = told_result(&form).and_then(|result| number::parse(result, is_numeric));
    let is_told = told.is_some();
    Wording {
        plain: without_notation(text),
        statement: without_asides(&normal),
        needed,
        is_bracketed,
        number: told.or_else(|| number::parse(&form, is_numeric)),
        name: name_of(text),
        ways: variants(&form),
        is_described: is_described(&form) && !is_told,
        is_theirs: is_theirs(text),
        form,
        text: text.to_owned(),
    }
}

/// "(1)", "[2]" and "1 mark" say what a wording is worth, not what it says.
pub(super) fn without_mark_notes(text: &str) -> String {
    let mut text = text.trim();
    for _ in 0..3 {
        let stripped = notes::WORTH.before(text).map(str::trim_end);
        match stripped {
            Some(shorter) if !shorter.is_empty() => text = shorter,
            _ => break,
        }
    }
    text.to_owned()
}

/// What square brackets hold need not be written: "[Total =] 1722".
pub(super) fn without_square_brackets(wording: &str) -> (String, bool) {
    let mut out = String::with_capacity(wording.len());
    let mut depth = 0_u32;
    for c in wording.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    let is_bracketed = out.len() < wording.len();
    (out.trim_matches([' ', ',', '=']).to_owned(), is_bracketed)
}

/// The wording byte for byte, with blanks for what stands in brackets or behind "e.g.".
fn without_asides(wording: &str) -> String {
    let mut depth = 0_u32;
    let mut out = String::with_capacity(wording.len());
    for c in wording.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => {
                out.push(c);
                continue;
            }
            _ => {}
        }
        out.extend(std::iter::repeat_n(' ', c.len_utf8()));
    }
    let lower = out.to_ascii_lowercase();
    let example = numbers::NOT_NEEDED.iter().filter_map(|mark| lower.find(mark)).min();
    if let Some(at) = example {
        out.truncate(at);
    }
    out
}

/// The name that a wording gives its result: "median" of "median = 18 cm".
fn name_of(wording: &str) -> Option<String> {
    let (before, _) = wording.split_once('=')?;
    let name = fold(before.trim().trim_matches(['(', ')', '[', ']']));
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '_' | '\''));
    (plain && name.split_whitespace().count() <= NAME_WORDS_MAX).then_some(name)
}

/// A longer name is a sentence.
const NAME_WORDS_MAX: usize = 4;

/// True for a step in words: "Solves 2y + x = 17 and y = 2x + 1 simultaneously".
fn is_described(text: &str) -> bool {
    let plain = |word: &&str| word.chars().all(|c| c.is_alphabetic() || ",.".contains(c));
    let mut words = text.split_whitespace().filter(plain);
    let first = words.next().unwrap_or_default().to_lowercase();
    steps::VERBS.has(&first) && words.next().is_some()
}

/// The value of "calculates that the cell's voltage is 1.56 V" and "determines the mass to be 2.4 g".
fn told_result(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once(' ')?;
    let told = steps::TELLING.has(&first.to_lowercase());
    let joints = steps::TOLD.iter().filter_map(|joint| rest.rfind(joint).map(|at| at + joint.len()));
    joints.max().filter(|_| told).map(|at| rest[at..].trim())
}

/// "Substitutes x = 4 into their …": a step with the student's own values, whose numbers are an example.
fn is_theirs(wording: &str) -> bool {
    is_described(wording) && notes::THEIRS.within(&wording.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Wording {
        of(text, Kind::ShortAnswer)
    }

    #[test]
    fn what_need_not_be_written_is_told_from_what_must() {
        assert_eq!(read("7.2 kg (1)").form, "7.2 kg");
        let total = read("[Total =] 1722");
        assert_eq!((total.needed.as_str(), total.is_bracketed), ("1722", true));
        assert!(!read("1722").is_bracketed);
        assert_eq!(read("they wilt (about 12)").statement.trim(), "they wilt");
        assert_eq!(read("a large city, e.g. one of 2 million").statement.trim(), "a large city,");
    }

    #[test]
    fn results_have_names_and_steps_are_described() {
        assert_eq!(read("median = 18 cm").name.as_deref(), Some("median"));
        assert_eq!(read("2 + 3 = 5").name, None);
        let told = read("calculates that the cell's voltage is 1.56 V");
        assert!(told.number.is_some_and(|number| number.value == 1.56) && !told.is_described);
        assert!(read("explains that the sum is 4 times the mean").number.is_none());
        let theirs = read("Substitutes x = 4 into their equation");
        assert!(theirs.is_described && theirs.is_theirs);
        assert!(!read("x = 4").is_described && !read("their result is 4").is_theirs);
    }
}
