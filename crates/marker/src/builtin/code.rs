//! Lines of a program: corrections of numbered lines ("Line 07 / IF x = 1 TO n should be FOR x = 1 TO n") and calls
//! ("CALL Mean(3, 8)"). Signs and key words decide, which no likeness of words can.

use super::verdict::{ALWAYS, Reason, STANDARD, Verdict};
use crate::rule::Rule;
use lexicon::english::{algebra, code};
use std::ops::Range;

/// How sure a line is that was compared sign by sign.
const CONFIDENCE: f32 = 0.85;
/// A line of a program is no longer.
const SIGNS_MAX: usize = 60;

/// Judges a wording that is a line of a program; `None` for other wordings, and where the answer describes the line in
/// words of its own.
pub(super) fn judge(wording: &str, answer: &str) -> Option<Verdict> {
    match Correction::parse(wording) {
        Some(correction) => correction.judge(answer),
        None => judge_call(wording, answer),
    }
}

/// True for an answer that is a program. One line of it may meet several of a scheme's criteria ("loops until valid",
/// "calls the function"), as no sentence makes several points.
pub(super) fn is_program(answer: &str) -> bool {
    const LINES_MIN: usize = 3;
    let lines: Vec<&str> = answer.lines().filter(|line| !line.trim().is_empty()).collect();
    let has_signs = |line: &&&str| !line.ends_with('.') && line.contains(['=', '(', ')', '[', ']', ':', '←']);
    let is_plain = |word: &&str| {
        let word = word.trim_matches(['.', ',', ':', ';', '!', '?']);
        word.chars().count() > 3 && word.chars().all(char::is_alphabetic)
    };
    let words = answer.split_whitespace().count();
    let names = |line: &&&str| {
        line.split(|c: char| !c.is_alphanumeric()).any(|word| {
            let word = word.to_lowercase();
            code::CALLS.has(&word) || code::BLOCKS.has(&word) || code::STATEMENTS.has(&word)
        })
    };
    lines.len() >= LINES_MIN
        && lines.iter().any(|line| names(&line))
        && lines.iter().filter(has_signs).count() * 5 >= lines.len() * 3
        && answer.split_whitespace().filter(is_plain).count() * 5 < words * 3
}

/// What a scheme says of a numbered line.
struct Correction {
    line: u32,
    /// What stands there, where the scheme says it.
    old: Vec<String>,
    new: Vec<String>,
}

impl Correction {
    fn parse(wording: &str) -> Option<Correction> {
        let text = wording.trim_start();
        let (word, rest) = text.split_once(' ')?;
        if !code::LINE.has(&word.to_lowercase()) {
            return None;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let line: u32 = rest[..digits].parse().ok()?;
        let rest = rest[digits..].trim_start_matches([' ', ':', '/', '-', '–', ',']);
        let parted = code::SHOULD_BE.iter().find_map(|between| rest.split_once(between));
        let (old, new) = parted.unwrap_or(("", rest));
        // Lines of poems and of graphs are numbered too, and have brackets and colons.
        let has_signs = new.contains(['=', '←', '[']);
        let correction = Correction { line, old: signs(old), new: signs(new) };
        let is_line = (1..=SIGNS_MAX).contains(&correction.new.len()) && (parted.is_some() || has_signs);
        is_line.then_some(correction)
    }

    fn judge(&self, answer: &str) -> Option<Verdict> {
        let refused = || Verdict::refused(CONFIDENCE, Some(Reason::OtherValue)).by(Rule::Algebra);
        let all = references(answer);
        if all.is_empty() {
            return None;
        }
        let own: Vec<&Range<usize>> =
            all.iter().filter(|(line, _)| *line == self.line).map(|(_, said)| said).collect();
        let said: Vec<String> = own.iter().flat_map(|span| signs(&answer[(*span).clone()])).collect();
        if said.iter().all(|sign| algebra::SEPARATORS.has(sign) || code::LINE.has(sign)) {
            return Some(refused());
        }
        let evidence: Vec<Range<usize>> = own.into_iter().cloned().collect();
        let given = |grant| {
            let verdict = Verdict::given(grant, CONFIDENCE, 0..0).by(Rule::Algebra);
            Some(Verdict { evidence: evidence.clone(), ..verdict })
        };
        if holds(&said, &self.new) {
            return given(ALWAYS);
        }
        let fresh: Vec<&String> = self.new.iter().filter(|sign| !self.old.contains(sign)).collect();
        if !self.old.is_empty() && !fresh.is_empty() && fresh.iter().all(|sign| said.contains(sign)) {
            return given(STANDARD);
        }
        // The line is written anew, and otherwise.
        let is_program =
            !self.old.is_empty() || evidence.iter().any(|span| answer[span.clone()].contains(['(', '[']));
        let is_rewritten = is_program && self.new.first().is_some_and(|first| said.contains(first))
            || said.iter().any(|sign| matches!(sign.as_str(), "←" | "=") && self.new.contains(sign));
        is_rewritten.then(refused)
    }
}

/// A call or heading with its key word: "CALL Mean(3, 8)". `None` where the answer names nothing of it.
fn judge_call(wording: &str, answer: &str) -> Option<Verdict> {
    let wanted = signs(wording);
    let (word, rest) = wording.trim().split_once(' ')?;
    let is_key_word = word.chars().all(|c| c.is_ascii_uppercase()) && code::CALLS.has(&word.to_lowercase());
    let name = rest.split_once('(')?.0;
    let is_call = rest.ends_with(')')
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && wanted.len() <= SIGNS_MAX;
    if !is_key_word || !is_call {
        return None;
    }
    let said = signs(answer);
    let is_named = said.contains(&name.to_lowercase());
    let whole = Verdict::given(ALWAYS, CONFIDENCE, 0..answer.len()).by(Rule::Algebra);
    let refused = Verdict::refused(CONFIDENCE, Some(Reason::OtherValue)).by(Rule::Algebra);
    is_named.then(|| if holds(&said, &wanted) { whole } else { refused })
}

/// What an answer says of each line that it names, by the line's number.
fn references(answer: &str) -> Vec<(u32, Range<usize>)> {
    let mut found: Vec<(u32, usize, usize)> = Vec::new();
    let mut start = 0;
    for line in answer.split_inclusive('\n') {
        let mut at = start;
        let mut before: Option<&str> = None;
        let mut named = None;
        for piece in line.split_inclusive([' ', '\t', '\n']) {
            let word =
                piece.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '.' | ',' | ')' | '('));
            let lower = word.to_lowercase();
            let is_first = before.is_none_or(|before| before.ends_with(['.', ';']));
            if let Ok(number) = word.parse::<u32>()
                && (is_first || named.is_some())
            {
                found.push((number, named.unwrap_or(at), at + piece.trim_end().len()));
                named = None;
            } else if code::LINE.has(&lower) {
                named = Some(at);
            } else if !code::NUMBER.has(&lower) && !word.is_empty() {
                named = None;
            }
            if !piece.trim().is_empty() {
                before = Some(piece.trim());
            }
            at += piece.len();
        }
        start += line.len();
    }
    let ends = found.iter().skip(1).map(|(_, from, _)| *from).chain([answer.len()]);
    let spans = found.iter().zip(ends).map(|((line, _, from), to)| (*line, *from..to.max(*from)));
    spans.collect()
}

/// Names, numbers and signs of a line, in small letters.
fn signs(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut grows = false;
    for c in text.replace("<--", "←").replace("<-", "←").chars() {
        let is_letter = c.is_alphanumeric() || c == '_';
        match found.last_mut().filter(|_| grows && is_letter) {
            Some(last) => last.extend(c.to_lowercase()),
            None if is_letter
                || matches!(c, '←' | '=' | '+' | '-' | '−' | '*' | '/' | '<' | '>' | '≤' | '≥') =>
            {
                found.push(c.to_lowercase().collect());
            }
            None => {}
        }
        grows = is_letter;
    }
    found
}

/// True when the wanted signs stand in a row.
fn holds(said: &[String], wanted: &[String]) -> bool {
    said.windows(wanted.len()).any(|stretch| stretch == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::verdict::NEVER;

    fn granted(wording: &str, answer: &str) -> Option<bool> {
        judge(wording, answer).map(|verdict| verdict.grant > NEVER)
    }

    const READ: &str = "Line 04 / READ Step should be READ Height";
    const ADD: &str = "Line 12 / Sum ← Sum - Height should be Sum ← Sum + Height";

    #[test]
    fn a_corrected_line_is_compared_sign_by_sign() {
        let all = "04 READ Height\n12: Sum <- Sum + Height";
        assert_eq!((granted(READ, all), granted(ADD, all)), (Some(true), Some(true)));
        assert_eq!(granted(READ, "Line 4: READ Sum. Line 12: Sum <- Sum * Height"), Some(false));
        assert_eq!(granted(ADD, "Line 4: READ Sum. Line 12: Sum <- Sum * Height"), Some(false));
        assert_eq!(granted(ADD, "Line 4 READ Height"), Some(false), "not a word of line 12");
        assert_eq!(
            granted(READ, "Line 04, line 07 and line 12"),
            Some(false),
            "numbers alone correct nothing"
        );
        assert_eq!(granted(ADD, "Lines 4, 7 and line 12"), Some(false), "nor the last of them");
        assert_eq!(granted(ADD, "12 + not -"), Some(true));
        assert_eq!(granted(ADD, "12 Sum <-- Sum + Height"), Some(true));
        let told = "Error 1 line number: 02 correction: count = 0\nError 2 line number: 05 correction: n = 3";
        assert_eq!(granted("Line 02 count = 0", told), Some(true));
        assert_eq!(granted("Line 05 n = 0", told), Some(false));
    }

    #[test]
    fn a_program_is_told_from_prose() {
        assert!(is_program("n = int(input())\nwhile n < 1:\n    n = int(input())\nprint(twice(n))"));
        assert!(!is_program(
            "First: ask for the number.\nThen check that it is valid (1 to 9).\nThen print it."
        ));
        assert!(!is_program("x = 2y + 1\ny = 3\nx = 7"));
    }

    #[test]
    fn what_is_said_in_other_words_is_left_to_the_judge() {
        assert_eq!(granted(ADD, "line 12 has to add the height, not take it away"), None);
        assert_eq!(granted(ADD, "it should add up"), None);
        assert_eq!(granted("Line 4 shows the tangent", "line 4"), None);
        assert_eq!(granted("After line 09", "after line 09"), None);
        assert_eq!(granted("ln 4 = 1.39", "1.39"), None, "a logarithm");
        assert_eq!(granted("Line 1: gradient = 2", "line 1 has a gradient of 2"), None, "a line of a graph");
        assert_eq!(granted("Line 12: a simile (1)", "line 12 is a simile"), None, "a line of a poem");
    }

    #[test]
    fn a_call_has_its_key_word() {
        assert_eq!(granted("CALL Mean(3, 8)", "call mean (3,8)"), Some(true));
        assert_eq!(granted("CALL Mean(3, 8)", "PROCEDURE Mean(3, 8)"), Some(false));
        assert_eq!(granted("CALL Mean(3, 8)", "it is called with both numbers"), None);
        assert_eq!(granted("DNA (in the nucleus)", "DNA"), None);
        assert_eq!(granted("ATP synthase(s)", "ATP synthase"), None, "an ending in brackets is no call");
    }
}
