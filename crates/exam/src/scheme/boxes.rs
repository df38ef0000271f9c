//! Lists of boxes of which the scheme fills in the right ones: "■ by osmosis", "□ by diffusion".

use super::EntryLine;
use super::unit::Unit;

/// Boxes that are filled in, and those that are not.
const FILLED: [char; 8] = ['■', '☒', '☑', '⊠', '◼', '⬛', '▣', '✅'];
const EMPTY: [char; 6] = ['□', '☐', '◻', '⬜', '▢', '❏'];
/// Circles count nested bullets as well, so they are boxes only where two stand on one line.
const FILLED_CIRCLES: [char; 3] = ['●', '⬤', '◉'];
const EMPTY_CIRCLES: [char; 3] = ['○', '◯', RING];
/// The ring around nothing that formulae are typeset with counts no bullets.
const RING: char = '\u{20DD}';
/// What stands in its place before the right options.
const TICKS: [char; 3] = ['√', '✓', '✔'];
/// White above a line, in line heights, that parts it from the box before it.
const APART: f32 = 0.75;

/// Fewer words behind an empty box are the option's own.
const REMARK_WORDS: usize = 6;

/// What stands behind a box, and whether it is filled in.
struct Item {
    filled: bool,
    text: String,
    /// True when its line says no more than the question.
    repeats: bool,
}

impl Item {
    /// True when the scheme says of an option why it is wrong, or what it earns nevertheless.
    fn remarks(&self) -> bool {
        !self.repeats && self.text.split_whitespace().count() >= REMARK_WORDS
    }
}

/// The texts behind the boxes that are filled in, and what is remarked on the others. `None` where a list has none,
/// or no other.
pub(super) fn filled(lines: &[EntryLine]) -> Option<(Vec<Unit>, Option<String>)> {
    let is_circle = |c: char| FILLED_CIRCLES.contains(&c) || EMPTY_CIRCLES.contains(&c);
    let begins = |signs: &[char]| lines.iter().any(|line| line.answer.trim_start().starts_with(signs));
    let ringed = begins(&[RING]) && begins(&TICKS);
    let circles =
        ringed || lines.iter().any(|line| line.answer.chars().filter(|c| is_circle(*c)).count() >= 2);
    let is_filled = |c: char| {
        FILLED.contains(&c) || (circles && FILLED_CIRCLES.contains(&c)) || (ringed && TICKS.contains(&c))
    };
    let is_box = |c: char| is_filled(c) || EMPTY.contains(&c) || (circles && EMPTY_CIRCLES.contains(&c));
    let led = with_boxes_in_front(lines, is_box);
    let lines = led.as_deref().unwrap_or(lines);
    // A box inside a sentence is only a part of the answer.
    if !lines.iter().any(|line| line.answer.trim_start().starts_with(is_box)) {
        return None;
    }
    let mut items: Vec<Item> = Vec::new();
    for line in lines {
        let mut goes_on = line.space < APART;
        for piece in line.answer.split_inclusive(is_box) {
            let text = piece.trim_end_matches(is_box).trim();
            match items.last_mut() {
                Some(last) if goes_on || !last.text.is_empty() && text.is_empty() || last.text.is_empty() => {
                    append(&mut last.text, text);
                }
                _ => {}
            }
            if let Some(sign) = piece.chars().next_back().filter(|c| is_box(*c)) {
                let (filled, repeats) = (is_filled(sign), line.repeats_question);
                items.push(Item { filled, text: String::new(), repeats });
                goes_on = true;
            }
        }
    }
    let (right, wrong): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| item.filled);
    let said: Vec<Unit> = right
        .into_iter()
        .filter(|item| !item.text.is_empty())
        .map(|item| Unit { text: item.text, ..Unit::default() })
        .collect();
    let remarks: Vec<&str> =
        wrong.iter().filter(|item| item.remarks()).map(|item| item.text.as_str()).collect();
    let remarks = (!remarks.is_empty()).then(|| remarks.join("\n"));
    (!said.is_empty() && !wrong.is_empty()).then_some((said, remarks))
}

/// The lines with the boxes in front of what they end: "It floats. ☒" over "It sinks. ☐".
fn with_boxes_in_front(lines: &[EntryLine], is_box: impl Fn(char) -> bool) -> Option<Vec<EntryLine>> {
    const LEAST: usize = 3;
    let only = |line: &EntryLine| {
        let text = line.answer.trim();
        let sign = text.chars().next_back().filter(|sign| is_box(*sign))?;
        let own = text.strip_suffix(sign)?.trim_end();
        (!own.is_empty() && !own.contains(&is_box)).then(|| format!("{sign} {own}"))
    };
    let begins = |line: &EntryLine| line.answer.trim_start().starts_with(&is_box);
    if lines.iter().any(begins) || lines.iter().filter(|line| only(line).is_some()).count() < LEAST {
        return None;
    }
    let led = |line: &EntryLine| EntryLine {
        answer: only(line).unwrap_or_else(|| line.answer.clone()),
        ..line.clone()
    };
    Some(lines.iter().map(led).collect())
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Option<Vec<String>> {
        let line = |text: &&str| EntryLine { answer: (*text).to_owned(), ..EntryLine::default() };
        let lines: Vec<EntryLine> = lines.iter().map(line).collect();
        filled(&lines).map(|(units, _)| units.into_iter().map(|unit| unit.text).collect())
    }

    #[test]
    fn what_is_said_of_an_empty_box_is_a_remark() {
        let line = |text: &str, repeats_question: bool| EntryLine {
            answer: text.to_owned(),
            repeats_question,
            ..EntryLine::default()
        };
        let lines = [
            line("□ it sinks also given a mark where the sea was named", false),
            line("□ it is blown on by every wind", true),
            line("■ it floats", false),
        ];
        let (_, remarks) = filled(&lines).unwrap();
        assert_eq!(remarks.as_deref(), Some("it sinks also given a mark where the sea was named"));
    }

    #[test]
    fn filled_boxes_are_the_answer() {
        assert_eq!(
            read(&["□ oxygen", "■ water", "vapour", "□ air ■ heat"]).unwrap(),
            ["water vapour", "heat"]
        );
        assert_eq!(read(&["○ A ● B ○ C"]).unwrap(), ["B"]);
        assert_eq!(read(&["\u{20DD} iron", "√", "copper", "\u{20DD} zinc"]).unwrap(), ["copper"]);
        assert_eq!(
            read(&["It floats. ☒", "It sinks. ☐", "It is blue. ☒"]).unwrap(),
            ["It floats.", "It is blue."]
        );
    }

    #[test]
    fn bullets_are_no_boxes() {
        assert!(read(&["● 3 pt: the pattern", "○ 21:30", "● 3 pt: the name"]).is_none());
        assert!(read(&["■ heat", "■ light"]).is_none());
        assert!(read(&["Is it a tree? ☑ Yes ☐ No", "Rotate left."]).is_none());
    }
}
