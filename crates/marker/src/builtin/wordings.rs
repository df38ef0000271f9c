//! What a point's texts say that could be written: each wording by itself, without what is said to examiners.

use super::matcher::{is_described, without_mark_notes};
use super::meta::is_bracketed;
use super::number::NumberKey;
use super::torn::without_square_brackets;
use super::values::{self, NAME_CHARACTERS_MAX};
use domain::scheme::{TypedKey, TypedPoint};
use lexicon::english::{joints, notes};
use lexicon::notation;
use signs::form::normal;

/// Every wording that earns a point; numbers joined by "or" are apart.
pub(crate) fn wordings(point: &TypedPoint) -> Vec<String> {
    let all = std::iter::once(&point.text).chain(&point.alternatives).chain(&point.accept);
    let own =
        |wording: &&String| !wording.trim().is_empty() && !is_note(wording) && !is_bracketed(wording.trim());
    let mut found: Vec<String> = all.filter(own).flat_map(|wording| numbers_apart(wording)).collect();
    if found.is_empty() {
        found.push(point.text.clone());
    }
    found.extend(result_at_end(&point.text));
    found.extend(number_beside_brackets(&point.text));
    found
}

/// "[Total =] 1722": what square brackets hold need not be written.
fn number_beside_brackets(text: &str) -> Option<String> {
    let (plain, is_bracketed) = without_square_brackets(text);
    let states_number = || NumberKey::parse(&normal(&plain), false).is_some();
    (is_bracketed && states_number()).then_some(plain)
}

/// "… F = 230 × 0.37 / 0.98, F = 87 (N)": a worked example ends with its result.
fn result_at_end(text: &str) -> Option<String> {
    let is_worked = text.matches('=').count() >= 2 && !values::is_several(&normal(text));
    let (_, result) = text.rsplit_once('=').filter(|_| is_worked)?;
    let states_number = NumberKey::parse(&normal(result), false).is_some();
    states_number.then(|| result.trim().to_owned())
}

/// "ecf from (a)", "MAX 1", "35 for 3 marks if …": said to examiners beside a point, and no wording of it.
fn is_note(wording: &str) -> bool {
    let lower = wording.trim().to_lowercase();
    notes::BEGINNINGS.begin(&lower) || notes::INSIDE.within(&lower)
}

/// "ft their 3(a)", "ecf", "allow follow through", "their": the student's own value from before counts.
pub(super) fn says_follow_through(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| notes::FOLLOW_THROUGH_WORDS.has(word)) || notes::FOLLOW_THROUGH.within(&lower)
}

/// "Substitutes x = 4 into their …": a step with the student's own values, whose numbers are an example.
pub(super) fn is_theirs(wording: &str) -> bool {
    let lower = wording.to_lowercase();
    is_described(wording) && notes::THEIRS.within(&lower)
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
    let pieces: Vec<&str> = plain.split(joints::OR).flat_map(|piece| piece.split(" / ")).collect();
    let numeric = |piece: &&str| {
        piece.chars().any(|c| c.is_ascii_digit())
            && piece.split_whitespace().count() <= 4
            && !piece.contains('=')
    };
    if pieces.len() > 1 && pieces.iter().all(numeric) {
        pieces.into_iter().map(unclosed).collect()
    } else if let Some(listed) = numbers_listed(wording) {
        listed
    } else {
        vec![wording.to_owned()]
    }
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

/// "If M0 scored, SC B1 for 0.639": without its method a right result earns its own mark and implies nothing.
pub(crate) fn has_special_case(key: &TypedKey) -> bool {
    let notes = key.notes.as_deref().unwrap_or_default();
    let mut words = notes.split(|c: char| !c.is_alphanumeric());
    words.any(|word| notation::SPECIAL_CASE.has(word)) && notation::NOT_EARNED.within(notes)
}
