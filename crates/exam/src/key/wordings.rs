//! What a point's texts say that could be written: each wording by itself, without what is said to examiners.

use super::headings::{is_bracketed, without_leading_mark};
use super::number;
use super::remarks::is_note;
use super::wording::{without_mark_notes, without_square_brackets};
use domain::question::Point;
use lexicon::english::{joints, notes};
use signs::form::normal;

/// A longer name is a sentence.
const NAME_CHARACTERS_MAX: usize = 3;

/// Every wording that earns a point; numbers joined by "or" are apart.
pub(super) fn of(point: &Point) -> Vec<String> {
    let all = std::iter::once(&point.text).chain(&point.alternatives).chain(&point.accept);
    let all = all.map(|wording| before_ruling(wording));
    let own =
        |wording: &&str| !wording.trim().is_empty() && !is_note(wording) && !is_bracketed(wording.trim());
    let all = all.filter(own).map(|wording| optional(concluded(without_leading_mark(wording))));
    let mut found: Vec<String> = all.flat_map(|wording| numbers_apart(&wording)).collect();
    if found.is_empty() {
        found.push(point.text.clone());
    }
    found.extend(result_at_end(&point.text));
    found.extend(number_beside_brackets(&point.text));
    found
}

/// "250 (J) an answer of 312 scores 0": a wording ends where it is said what another answer is worth.
fn before_ruling(wording: &str) -> &str {
    let lower = wording.to_ascii_lowercase();
    let start = notes::ANSWER_OF.iter().filter_map(|lead| lower.find(lead)).min();
    start.filter(|_| notes::INSIDE.within(&lower)).map_or(wording, |at| wording[..at].trim_end())
}

/// "2x + 6 = 10 ⇒ x = 2": of formulae that follow from each other, the last is what is to be reached.
fn concluded(text: &str) -> &str {
    const WORDS_MAX: usize = 2;
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 3;
    let is_formula = text.split_whitespace().filter(is_word).count() <= WORDS_MAX;
    let last = text.rsplit(['⇒', '⟹']).next().map(|last| last.trim_start_matches(['>', ' ']).trim());
    last.filter(|last| is_formula && last.len() < text.len() && last.contains(['=', '<', '>', '≤', '≥']))
        .unwrap_or(text)
}

/// "insulin is secreted «into the blood»": some boards print what may be left out between these signs. Where they quote,
/// they stand around a whole wording or, in French, apart from it.
fn optional(wording: &str) -> String {
    let Some((before, rest)) = wording.split_once('«') else { return wording.to_owned() };
    let Some((inner, after)) = rest.split_once('»') else { return wording.to_owned() };
    let quotes = inner.starts_with(char::is_whitespace) || before.is_empty() && after.is_empty();
    let is_word = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() > 3;
    let is_unit = !inner.split_whitespace().any(is_word);
    let is_english = lexicon::english::notes::ENGLISH_JOINTS.iter().any(|word| {
        wording.split_whitespace().any(|own| own.trim_matches(['«', '»']).eq_ignore_ascii_case(word))
    });
    if quotes || !(is_unit || is_english) {
        return wording.to_owned();
    }
    format!("{before}({inner}){}", optional(after))
}

/// "[Total =] 1722": what square brackets hold need not be written.
fn number_beside_brackets(text: &str) -> Option<String> {
    let (plain, is_bracketed) = without_square_brackets(text);
    let states_number = || number::parse(&normal(&plain), false).is_some();
    (is_bracketed && states_number()).then_some(plain)
}

/// "… F = 230 × 0.37 / 0.98, F = 87 (N)": a worked example ends with its result.
fn result_at_end(text: &str) -> Option<String> {
    let is_worked = text.matches('=').count() >= 2 && !names_values(&normal(text));
    let (_, result) = text.rsplit_once('=').filter(|_| is_worked)?;
    let states_number = number::parse(&normal(result), false).is_some();
    states_number.then(|| result.trim().to_owned())
}

/// "q = 0.12, p = 0.3": values of several names, which are no steps towards the last.
fn names_values(text: &str) -> bool {
    let plain = text.replace(joints::AND, ",").replace(';', ",");
    let names: Option<Vec<&str>> = plain.split(',').map(|piece| named_value(piece.trim())).collect();
    let mut names = names.unwrap_or_default();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    count > 1 && names.len() == count
}

fn named_value(piece: &str) -> Option<&str> {
    let (name, value) = piece.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    let is_name = name.chars().count() <= NAME_CHARACTERS_MAX
        && name.starts_with(char::is_alphabetic)
        && name.chars().all(char::is_alphanumeric);
    let is_value = value.contains(|c: char| c.is_ascii_digit())
        && !value.contains(|c: char| c.is_ascii_alphabetic() || c == '=');
    (is_name && is_value).then_some(name)
}

/// "-0.197 (or -0.196)", "0.25 or 1/4", "0.5 (accept 0.45 to 0.55)": each number is a wording of its own.
fn numbers_apart(wording: &str) -> Vec<String> {
    // "t = 21.8or 21.9": the name stands before each.
    if let Some((name, values)) = wording.split_once('=').filter(|(name, values)| {
        name.trim().chars().count() <= NAME_CHARACTERS_MAX
            && !values.contains('=')
            && values.contains(notes::OR)
    }) {
        let pieces = numbers_apart(values.trim());
        if pieces.len() > 1 {
            return pieces.into_iter().map(|piece| format!("{} = {piece}", name.trim())).collect();
        }
    }
    // "= 523 allow (522 - 524)(2)": neither the sign before nor the marks behind belong to the values.
    let wording = without_mark_notes(wording.trim_start_matches(['=', ' ']));
    let wording = wording.as_str();
    let mut plain = parted_or(wording);
    for joint in notes::VALUE_JOINTS.iter() {
        plain = plain.replace(joint, joints::OR);
    }
    // "(8.0 - 3.0) / 8.0 × 100" divides.
    let strokes: Vec<&str> = plain.split(" / ").collect();
    let divides = strokes.len() > 1 && strokes.iter().any(|piece| is_sum(piece));
    let stroke = if divides { joints::OR } else { " / " };
    let pieces: Vec<&str> = plain.split(joints::OR).flat_map(|piece| piece.split(stroke)).collect();
    let says_digit = |piece: &str| normal(piece).contains(|c: char| c.is_ascii_digit());
    let numeric =
        |piece: &&str| says_digit(piece) && piece.split_whitespace().count() <= 4 && !piece.contains('=');
    // "No effect / stays the same / 68 cm³": words stand beside a number that says the same.
    let few = |piece: &&str| numeric(piece) || !says_digit(piece) && piece.split_whitespace().count() <= 4;
    // "60 km / h" begins with its number and has one value.
    let begins_in_words = pieces.first().is_some_and(|first| !says_digit(first));
    let mixed =
        wording.contains(" / ") && begins_in_words && pieces.iter().any(numeric) && pieces.iter().all(few);
    if pieces.len() > 1 && (pieces.iter().all(numeric) || mixed) {
        pieces.into_iter().map(unclosed).collect()
    } else if let Some(listed) = numbers_listed(wording) {
        listed
    } else {
        vec![wording.to_owned()]
    }
}

/// Numbers that are reckoned with; "3 × 10⁻²" is one number, and "4.1 - 4.3" are the ends of a range.
fn is_sum(piece: &str) -> bool {
    let plain = normal(piece).replace("* 10^", "");
    plain.contains(['*', '+', '÷']) || plain.contains('(') && plain.contains(" - ")
}

/// "21.8or 21.9" as it was meant.
fn parted_or(wording: &str) -> String {
    let mut text = String::with_capacity(wording.len() + 1);
    for (at, c) in wording.char_indices() {
        let after_digit = text.ends_with(|before: char| before.is_ascii_digit());
        if after_digit && wording[at..].starts_with(joints::OR.trim_start()) {
            text.push(' ');
        }
        text.push(c);
    }
    text
}

/// "86.8, 86.84, 86.83…", "9.18/9.2/9 (g)": values that are taken, one beside the other.
fn numbers_listed(wording: &str) -> Option<Vec<String>> {
    let plain = normal(wording);
    let is_sign = |c| matches!(c, ' ' | '.' | ',' | '/' | '(' | ')' | '-');
    let is_unit = |c| matches!(c, 'g' | 'c' | 'm' | 's' | 'k' | 'J' | 'N' | 'V' | 'A' | 'W' | '°' | 'C');
    let is_list = plain.chars().all(|c| c.is_ascii_digit() || is_sign(c) || is_unit(c));
    let spaced = plain.replace(", ", " ").replace('/', " ").replace("...", " ");
    let pieces: Vec<String> = spaced
        .split_whitespace()
        .filter(|piece| piece.chars().any(|c| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect();
    let decimals = pieces.iter().filter(|piece| piece.contains('.')).count();
    (is_list && pieces.len() >= 2 && decimals >= 1).then_some(pieces)
}

/// A piece without the bracket that closed what it was cut from.
fn unclosed(piece: &str) -> String {
    let piece = piece.trim();
    let balanced = piece.matches(['(', '[']).count() >= piece.matches([')', ']']).count();
    if balanced { piece.to_owned() } else { piece.trim_end_matches([')', ']']).to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, accept: &[&str]) -> Vec<String> {
        let accept = accept.iter().map(ToString::to_string).collect();
        of(&Point { text: text.into(), accept, ..Point::default() })
    }

    #[test]
    fn what_may_be_left_out_is_told_from_quotations() {
        assert_eq!(optional("62.5 «%»"), "62.5 (%)");
        assert_eq!(optional("released «into the blood» by cells"), "released (into the blood) by cells");
        assert_eq!(optional("la palabra «viento»"), "la palabra «viento»");
        assert_eq!(optional("le mot « air »"), "le mot « air »");
    }

    #[test]
    fn numbers_that_are_as_good_stand_apart() {
        assert_eq!(texts("0.25 or 1/4", &[]), ["0.25", "1/4"]);
        assert_eq!(texts("0.75 / 75 % / ¾ / 3 out of 4", &[]), ["0.75", "75 %", "¾", "3 out of 4"]);
        assert_eq!(texts("60 km / h", &[]), ["60 km / h"]);
        assert_eq!(texts("(8.0 − 3.0) / 8.0 × 100", &[]), ["(8.0 − 3.0) / 8.0 × 100"]);
        assert_eq!(texts("2 × 10⁻³ / 0.002", &[]), ["2 × 10⁻³", "0.002"]);
        assert_eq!(texts("No effect / the same / 68 cm³", &[]), ["No effect", "the same", "68 cm³"]);
        assert_eq!(texts("0.5 (accept 0.45 to 0.55)", &[]), ["0.5", "0.45 to 0.55"]);
        assert_eq!(texts("t = 21.8or 21.9", &[]), ["t = 21.8", "t = 21.9"]);
        assert_eq!(texts("[Total =] 1722", &[]), ["[Total =] 1722", "1722"]);
    }

    #[test]
    fn formulae_that_follow_from_each_other_come_to_the_last() {
        assert_eq!(concluded("2x + 6 = 10 =⇒ x = 2"), "x = 2");
        assert_eq!(concluded("2x + 6 = 10 ⇒"), "2x + 6 = 10 ⇒");
        let told = "the mass doubles ⇒ the weight doubles too, F = 2 N";
        assert_eq!(concluded(told), told);
    }

    #[test]
    fn a_worked_example_ends_with_its_result_and_values_of_several_names_do_not() {
        assert_eq!(texts("F = 230 × 0.37 / 0.98, F = 87 (N)", &[]).last().unwrap(), "87 (N)");
        assert_eq!(texts("q = 0.12, p = 0.3", &[]), ["q = 0.12, p = 0.3"]);
    }

    #[test]
    fn what_is_said_to_examiners_is_no_wording() {
        assert_eq!(
            texts("it rusts", &["ecf from (a)", "it corrodes", "2 marks for both"]),
            ["it rusts", "it corrodes"]
        );
        assert_eq!(texts("max 2", &[]), ["max 2"], "a point has one wording at least");
    }
}
