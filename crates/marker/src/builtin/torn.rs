//! Formulae that were printed over several lines and read in one: "12 1 = = 36 3" is 12/36 = 1/3. Where its numbers stood
//! is lost; which numbers it has is not, and an answer that writes them all has written the formula, most likely.

use super::verdict::{NEVER, Reason, STANDARD, Verdict};
use crate::rule::Rule;
use crate::words::tokens;
use domain::scheme::Wording;
use std::ops::Range;

/// How sure a formula is that was told by its numbers alone, and how sure it is that one was not written.
const CONFIDENCE: f32 = 0.72;
const CONFIDENCE_REFUSED: f32 = 0.65;
/// More words than this make a statement, which its numbers do not say.
const WORDS_MAX: usize = 3;
const LETTERS_MIN: usize = 4;
/// Fewer numbers than this, or none above [`SMALL`] among as few as [`SMALL_NEEDED`], stand in many other formulae too.
const NUMBERS_MIN: usize = 2;
const SMALL: f64 = 9.0;
const SMALL_NEEDED: usize = 5;
/// Rounding in working changes a number with so many figures by less than this share.
const FIGURES_MIN: usize = 3;
const ROUNDING: f64 = 0.006;

/// A number as it is written, sign and powers apart.
struct Numeral {
    value: f64,
    figures: usize,
    span: Range<usize>,
}

/// Judges a formula by its numbers, which no likeness of words can give; `None` for what is whole or says too little.
/// A point of several marks earns for as many of them as it has of the numbers.
pub(super) fn judge(wording: &Wording, answer: &str, marks: usize) -> Option<Verdict> {
    let needed = wording.needed.as_str();
    let wanted = told_once(numerals(needed));
    let is_telling = wanted.iter().any(Numeral::is_telling) || wanted.len() >= SMALL_NEEDED;
    let is_formula = is_torn(needed) || (wording.is_bracketed && !needed.contains('='));
    if wanted.len() < NUMBERS_MIN || !is_telling || !is_formula || words(needed) > WORDS_MAX {
        return None;
    }
    let evidence = written(&wanted, &numerals(answer));
    let is_turned = has_other_signs(needed, answer, &evidence);
    if evidence.len() == wanted.len() && !is_turned {
        return Some(Verdict { evidence, ..Verdict::given(STANDARD, CONFIDENCE, 0..0) }.by(Rule::Method));
    }
    let earned = if is_turned { 0 } else { marks * evidence.len() / wanted.len() };
    let shares = (0..marks).map(|share| if share < earned { STANDARD } else { NEVER }).collect();
    let refused = Verdict::refused(CONFIDENCE_REFUSED, Some(Reason::OtherValue)).by(Rule::Method);
    Some(if earned > 0 { Verdict { evidence, shares, ..refused } } else { refused })
}

/// True when the answer adds what the formula takes away or multiplies.
fn has_other_signs(wording: &str, answer: &str, evidence: &[Range<usize>]) -> bool {
    let start = evidence.iter().map(|span| span.start).min().unwrap_or_default();
    let end = evidence.iter().map(|span| span.end).max().unwrap_or_default();
    let shown = &answer[start..end];
    let lacks = |signs: &[char]| wording.contains(signs) && !shown.contains(signs);
    !wording.contains('+') && shown.contains('+') && (lacks(&['*', 'x']) || lacks(&['-']))
}

/// True when signs stand beside signs, or numbers beside numbers.
pub(super) fn is_torn(wording: &str) -> bool {
    let marks: Vec<&str> = wording.split_whitespace().collect();
    let is_sign = |mark: &str| matches!(mark, "=" | "+" | "*" | "/" | "≈" | "≠" | ",");
    let is_number = |mark: &str| mark.parse::<f64>().is_ok();
    // What stood below a bracket, or was raised, comes behind it.
    let ends = |mark: &str| mark == ")" || is_number(mark.trim_end_matches(')'));
    let side_by_side = marks.windows(2).any(|two| {
        (matches!(two[0], "=" | "+" | "*" | "/" | "≠") && is_sign(two[1]))
            || (ends(two[0]) && is_number(two[1]))
    });
    side_by_side || marks.last().is_some_and(|last| matches!(*last, "=" | "+" | "*" | "/"))
}

/// Words of prose; names of functions and of what was asked for are none.
fn words(wording: &str) -> usize {
    let is_word = |folded: &str| folded.len() >= LETTERS_MIN && folded.chars().all(char::is_alphabetic);
    tokens(wording).iter().filter(|token| token.is_content() && is_word(&token.folded)).count()
}

fn numerals(text: &str) -> Vec<Numeral> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let mut start = at + offset;
        let rest = &text.as_bytes()[start..];
        let digits = |from: usize| rest[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut length = digits(0);
        // ".355" as well as "0.355", and no full stop.
        if start > at && text.as_bytes()[start - 1] == b'.' {
            start -= 1;
            length += 1;
        } else if rest.get(length) == Some(&b'.') && digits(length + 1) > 0 {
            length += 1 + digits(length + 1);
        }
        let span = start..start + length;
        at = span.end;
        if let Ok(value) = text[span.clone()].parse::<f64>() {
            let figures = text[span.clone()].trim_start_matches(['0', '.']).replace('.', "").len();
            found.push(Numeral { value, figures, span });
        }
    }
    found
}

impl Numeral {
    fn is_telling(&self) -> bool {
        self.value > SMALL || self.value.fract() > 0.0
    }
}

/// A scheme names a value again and again that an answer writes once; small numbers are parts of others.
fn told_once(all: Vec<Numeral>) -> Vec<Numeral> {
    let mut kept: Vec<Numeral> = Vec::with_capacity(all.len());
    for one in all {
        let is_known = kept.iter().any(|known| known.value == one.value);
        if !is_known || !one.is_telling() {
            kept.push(one);
        }
    }
    kept
}

/// Where the wanted numbers are written, each once.
fn written(wanted: &[Numeral], given: &[Numeral]) -> Vec<Range<usize>> {
    let mut is_used = vec![false; given.len()];
    let mut spans = Vec::with_capacity(wanted.len());
    for one in wanted {
        let is_same = |at: &usize| {
            let other = &given[*at];
            let is_rounded = one.figures.min(other.figures) >= FIGURES_MIN
                && (one.value - other.value).abs() <= one.value.abs() * ROUNDING;
            !is_used[*at] && (one.value == other.value || is_rounded)
        };
        if let Some(at) = (0..given.len()).find(is_same) {
            is_used[at] = true;
            spans.push(given[at].span.clone());
        }
    }
    spans
}

/// True for a formula in which a number stands behind a letter with nothing between them: "2x − 12x 2" has lost where its
/// power stood, or what.
pub(super) fn lost_power(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let ends_in_letter = pair[0].ends_with(|c: char| c.is_ascii_alphabetic() && c.is_lowercase());
        let is_formula = pair[0].len() <= 3 || pair[0].starts_with(|c: char| c.is_ascii_digit());
        ends_in_letter && is_formula && pair[1].chars().all(|c| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use signs::form::normal;

    fn whole(needed: &str) -> Wording {
        Wording { needed: normal(needed), ..Wording::default() }
    }

    fn is_given(wording: &str, answer: &str) -> bool {
        judge(&whole(wording), &normal(answer), 1).is_some_and(|verdict| verdict.grant > NEVER)
    }

    #[test]
    fn a_power_that_was_lost_is_seen() {
        assert!(lost_power("dy/dx = 2x − 2 − 12x 2") && lost_power("3x 2 + 1"));
        assert!(!lost_power("2x − 2 = 12x") && !lost_power("x² + 2") && !lost_power("mass 12"));
    }

    #[test]
    fn a_torn_formula_is_told_by_its_numbers() {
        for (wording, answer) in [
            ("15 3 = = 40 8", "so 15/40 = 3/8"),
            (
                "84 − 61.5 P(X<84) = P( Z < ) = P( Z < 1.875) 12",
                "P(X < 84): (84 - 61.5)/12 = 1.88, so P(X<84) = 0.97",
            ),
            ("2 5 1 P(C) = + + 20 20 20", "2/20 + 5/20 + 1/20 = 0.4"),
        ] {
            assert!(is_given(wording, answer), "{wording} / {answer}");
        }
        let rest = Wording { is_bracketed: true, ..whole("12, 8.4") };
        assert!(judge(&rest, "N(12, 8.4)", 1).is_some_and(|verdict| verdict.grant > NEVER));
        assert_eq!(judge(&whole("12, 8.4"), "N(12, 8.4)", 1), None, "nothing was left out");
    }

    #[test]
    fn other_numbers_whole_formulae_and_statements_are_not() {
        for (wording, answer) in [
            ("15 3 = = 40 8", "15/48 = 0.31"),
            ("2 5 1 P(C) = + + 20 20 20", "2/20 + 5/20 = 0.35"),
            ("15/40 = 3/8", "15/40 = 3/8"),
            ("1 2 x = = 2", "2(1 + x) = 2"),
            ("Evidence from 2 sources 1914 1918 is compared and judged reliable", "1914, 1918, 2"),
        ] {
            assert!(!is_given(wording, answer), "{wording} / {answer}");
        }
        for (needed, answer) in
            [("11 C4 * 9 C2", "11C4 + 9C2 = 366"), ("15! * 2 - 14! *2 *2", "15! x 2 + 14! x 2 x 2")]
        {
            let rest = Wording { is_bracketed: true, ..whole(needed) };
            assert!(judge(&rest, answer, 1).is_none_or(|verdict| verdict.grant == NEVER), "{needed}");
        }
    }

    #[test]
    fn several_marks_are_earned_by_as_much_of_the_formula() {
        let verdict = judge(&whole("60.5 - 48 P( Z > ) 19.2"), "z = (60 - 48)/19.2", 2).unwrap();
        assert_eq!(verdict.shares, [STANDARD, NEVER]);
    }
}
