//! Several values in one wording: "P = (3, 7)", "q = 0.12, p = 0.3". Each must be given under its own name.

use super::algebra::constant_of;
use super::sums::is_near;
use super::verdict::{ALWAYS, NEVER, Reason, Verdict};
use crate::rule::Rule;
use lexicon::english::joints;
use std::ops::Range;

/// Names of the places of a point in the plane and in space.
const AXES: [&str; 3] = ["x", "y", "z"];
/// A longer name is a sentence.
const NAME_CHARACTERS_MAX: usize = 3;
/// A longer bracket is no place.
const PLACE_BYTES_MAX: usize = 60;

/// Judges a wording that is nothing but several values; `None` for every other wording.
pub(super) fn judge(wording: &str, answer: &str) -> Option<Verdict> {
    let numbers = |values: &[(String, f64)]| values.iter().map(|(_, value)| *value).collect::<Vec<f64>>();
    if let Some(values) = place(wording) {
        let wanted = numbers(&values);
        let is_same = |found: &[f64]| {
            found.len() == wanted.len() && found.iter().zip(&wanted).all(|(one, other)| is_near(*one, *other))
        };
        let said = places(answer).into_iter().find(|(found, _)| is_same(found)).map(|(_, span)| vec![span]);
        // Other forms of a point are for algebra to tell.
        return said.or_else(|| all_stated(&values, answer)).map(given);
    }
    if let Some(values) = labelled(wording) {
        return judge_rows(&values, answer);
    }
    let values = several(wording)?;
    let refused = || Verdict::refused(0.85, Some(Reason::OtherValue)).by(Rule::Algebra);
    Some(all_stated(&values, answer).map_or_else(refused, given))
}

/// "Oaks 9 Ashes 10": names, each with its number behind it, as a table's rows are read.
fn labelled(wording: &str) -> Option<Vec<(String, f64)>> {
    let words: Vec<&str> =
        wording.split_whitespace().map(|word| word.trim_matches([',', ';', ':', '='])).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let pair = |pair: &[&str]| {
        let (name, number) = (pair.first()?, pair.get(1)?);
        let is_name = name.chars().count() > NAME_CHARACTERS_MAX && name.chars().all(char::is_alphabetic);
        let value = number
            .parse::<f64>()
            .ok()
            .filter(|_| is_name && number.starts_with(|c: char| c.is_ascii_digit()));
        Some((name.to_lowercase(), value?))
    };
    let values: Option<Vec<(String, f64)>> = words.chunks(2).map(pair).collect();
    values.filter(|values| values.len() > 1 && has_own_names(values))
}

/// Rows of a table: each has its share of the marks. Numbers alone may stand in the table's order, which is for others to
/// tell.
fn judge_rows(rows: &[(String, f64)], answer: &str) -> Option<Verdict> {
    let said: Vec<Option<Range<usize>>> =
        rows.iter().map(|(name, value)| beside(answer, name, *value)).collect();
    let lower = answer.to_lowercase();
    if !rows.iter().any(|(name, _)| lower.contains(name)) {
        return None;
    }
    let evidence: Vec<Range<usize>> = said.iter().flatten().cloned().collect();
    if evidence.len() == rows.len() {
        return Some(given(evidence).by(Rule::Number));
    }
    let shares = said.iter().map(|row| if row.is_some() { ALWAYS } else { NEVER }).collect();
    Some(Verdict { evidence, shares, ..Verdict::refused(0.85, Some(Reason::OtherValue)).by(Rule::Number) })
}

/// Where the answer has the number right behind the name ("oak: 9", "oaks = 9") or before it ("9 oaks").
fn beside(answer: &str, name: &str, value: f64) -> Option<Range<usize>> {
    let lower = answer.to_ascii_lowercase();
    let number = |text: &str| {
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        text[..end].trim_end_matches('.').parse::<f64>().ok()
    };
    let is_said = |at: usize| {
        let behind = lower[at + name.len()..].trim_start_matches('s');
        let behind = behind.trim_start_matches([' ', ':', '=', '-']);
        let before = lower[..at].trim_end();
        let start = before.rfind(|c: char| !(c.is_ascii_digit() || c == '.')).map_or(0, |at| at + 1);
        let start = before.ceil_char_boundary(start);
        match number(behind) {
            Some(said) => is_near(said, value),
            None => number(&before[start..]).is_some_and(|said| is_near(said, value)),
        }
    };
    let places = lower.match_indices(name).map(|(at, _)| at);
    places.filter(|at| is_said(*at)).last().map(|at| at..at + name.len())
}

fn several(wording: &str) -> Option<Vec<(String, f64)>> {
    named(wording).filter(|values| values.len() > 1 && has_own_names(values))
}

fn given(evidence: Vec<Range<usize>>) -> Verdict {
    Verdict { evidence, ..Verdict::given(ALWAYS, 0.9, 0..0) }.by(Rule::Algebra)
}

fn all_stated(values: &[(String, f64)], answer: &str) -> Option<Vec<Range<usize>>> {
    values.iter().map(|(name, value)| stated(answer, name, *value)).collect()
}

/// "x = 2, x = -3" are two solutions, and no values of two names.
fn has_own_names(values: &[(String, f64)]) -> bool {
    let mut names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).all(|pair| pair[0] != pair[1])
}

/// "(3, 7)", "P = (3, 7)", "P (3, 7)": the whole wording is one point.
fn place(wording: &str) -> Option<Vec<(String, f64)>> {
    let text = wording.trim().trim_end_matches(['.', ';']);
    let open = text.find('(')?;
    let name = text[..open].trim().trim_end_matches('=').trim();
    if name.chars().count() > NAME_CHARACTERS_MAX || !text.ends_with(')') {
        return None;
    }
    let inside = &text[open + 1..text.len() - 1];
    let numbers = numbers(inside)?;
    Some(AXES.iter().map(ToString::to_string).zip(numbers).collect())
}

/// Two or three numbers parted by commas.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let pieces: Vec<&str> = text.split(',').collect();
    let is_place = (2..=AXES.len()).contains(&pieces.len());
    let value = |piece: &&str| constant_of(piece.trim()).map(|(value, _)| value);
    is_place.then(|| pieces.iter().map(value).collect()).flatten()
}

/// "q = 0.12, p = 0.3": every piece names a number.
fn named(wording: &str) -> Option<Vec<(String, f64)>> {
    let plain = wording.replace(joints::AND, ",").replace(';', ",");
    plain.split(',').map(|piece| assignment(piece.trim())).collect()
}

fn assignment(piece: &str) -> Option<(String, f64)> {
    let (name, value) = piece.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty()
        && name.chars().count() <= NAME_CHARACTERS_MAX
        && name.starts_with(char::is_alphabetic)
        && name.chars().all(char::is_alphanumeric);
    let (value, _) = constant_of(value.trim())?;
    is_name.then(|| (name.to_owned(), value))
}

/// Every "(a, b)" of an answer. A bracket that closes far away is none, and thousands of them cost nothing.
fn places(answer: &str) -> Vec<(Vec<f64>, Range<usize>)> {
    let closed = |open: usize| {
        answer
            .bytes()
            .skip(open)
            .take(PLACE_BYTES_MAX)
            .position(|byte| byte == b')')
            .map(|length| open + length)
    };
    let found = answer.match_indices('(').filter_map(|(open, _)| {
        let close = closed(open)?;
        Some((numbers(&answer[open + 1..close])?, open..close + 1))
    });
    found.collect()
}

/// Where the answer last says that the name has a value, if it is this one.
fn stated(answer: &str, name: &str, value: f64) -> Option<Range<usize>> {
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let said = answer.match_indices(name).filter_map(|(at, _)| {
        let rest = &answer[at + name.len()..];
        let begins = is_edge(answer[..at].chars().next_back());
        let after = rest.trim_start().strip_prefix('=')?;
        let end = after.find(|c: char| matches!(c, ',' | ';' | '\n' | '=') || c.is_alphabetic());
        let given = after[..end.unwrap_or(after.len())].trim().trim_end_matches(['.', '(', ' ']);
        let span = at..answer.len() - after.len() + end.unwrap_or(after.len());
        let (given, _) = constant_of(given).filter(|_| begins)?;
        Some((given, span))
    });
    said.last().filter(|(given, _)| is_near(*given, value)).map(|(_, span)| span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_given(wording: &str, answer: &str) -> bool {
        judge(wording, answer).is_some_and(|verdict| verdict.grant > NEVER)
    }

    #[test]
    fn places_and_named_values_are_found_in_any_order() {
        for (wording, answer) in [
            ("P = ( 3,7 )", "2(2x + 1) + x = 17, 5x = 15, x = 3, y = 7"),
            ("P = (3, 7)", "so P is (3, 7)"),
            ("(3, -2)", "x = 3 and y = -2"),
            ("q = 0.12, p = 0.3", "p=0.3 q=0.12 (calculator)"),
            ("a = 2 and b = 1/4", "b = 0.25\na = 2"),
            ("Oaks 9 Ashes 10 Elms 10", "oaks: 9, ashes = 10 and 10 elms"),
        ] {
            assert!(is_given(wording, answer), "{wording} / {answer}");
        }
    }

    #[test]
    fn rows_of_a_table_have_their_shares() {
        let verdict = judge("Oaks 9 Ashes 10 Elms 10", "oaks 9, ashes 10, elms 9").unwrap();
        assert_eq!((verdict.grant, verdict.shares), (NEVER, vec![ALWAYS, ALWAYS, NEVER]));
    }

    #[test]
    fn other_values_names_and_wordings_are_not() {
        for (wording, answer) in [
            ("P = (3, 7)", "(7, 3)"),
            ("P = (3, 7)", "x = 3.2, y = 7.4"),
            ("q = 0.12, p = 0.3", "q = 0.3, p = 0.12"),
            ("q = 0.12, p = 0.3", "p = 0.3"),
            ("x = 5", "x = 5"),
            ("Oaks 9 Ashes 10 Elms 10", "oaks 10, ashes 9, elms 8"),
            ("Oaks 9 Ashes 10", "9, 10"),
            ("force = mass × acceleration", "force = 3"),
        ] {
            assert!(!is_given(wording, answer), "{wording} / {answer}");
        }
    }
}
