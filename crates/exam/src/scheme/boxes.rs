//! Lists of boxes of which the scheme fills in the right ones: "■ by osmosis", "□ by diffusion".

use super::EntryLine;
use super::unit::Unit;

/// Boxes that are filled in, and those that are not.
const FILLED: [char; 8] = ['■', '☒', '☑', '⊠', '◼', '⬛', '▣', '✅'];
const EMPTY: [char; 6] = ['□', '☐', '◻', '⬜', '▢', '❏'];
/// Circles count nested bullets as well, so they are boxes only where two stand on one line.
const FILLED_CIRCLES: [char; 3] = ['●', '⬤', '◉'];
const EMPTY_CIRCLES: [char; 2] = ['○', '◯'];
/// White above a line, in line heights, that parts it from the box before it.
const APART: f32 = 0.75;

/// What stands behind a box, and whether it is filled in.
struct Item {
    filled: bool,
    text: String,
}

/// The texts behind the boxes that are filled in. `None` where a list has none, or no other.
pub(super) fn filled(lines: &[EntryLine]) -> Option<Vec<Unit>> {
    let is_circle = |c: char| FILLED_CIRCLES.contains(&c) || EMPTY_CIRCLES.contains(&c);
    let circles = lines.iter().any(|line| line.answer.chars().filter(|c| is_circle(*c)).count() >= 2);
    let is_filled = |c: char| FILLED.contains(&c) || (circles && FILLED_CIRCLES.contains(&c));
    let is_box = |c: char| is_filled(c) || EMPTY.contains(&c) || (circles && EMPTY_CIRCLES.contains(&c));
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
                items.push(Item { filled: is_filled(sign), text: String::new() });
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
    (!said.is_empty() && !wrong.is_empty()).then_some(said)
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
        filled(&lines).map(|units| units.into_iter().map(|unit| unit.text).collect())
    }

    #[test]
    fn filled_boxes_are_the_answer() {
        assert_eq!(
            read(&["□ oxygen", "■ water", "vapour", "□ air ■ heat"]).unwrap(),
            ["water vapour", "heat"]
        );
        assert_eq!(read(&["○ A ● B ○ C"]).unwrap(), ["B"]);
    }

    #[test]
    fn bullets_are_no_boxes() {
        assert!(read(&["● 3 pt: the pattern", "○ 21:30", "● 3 pt: the name"]).is_none());
        assert!(read(&["■ heat", "■ light"]).is_none());
        assert!(read(&["Is it a tree? ☑ Yes ☐ No", "Rotate left."]).is_none());
    }
}
