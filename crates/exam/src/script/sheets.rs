//! Blank sheets: labels at the beginning of lines say which question follows.

use super::leaves::{Pointer, label_of};
use super::{Draft, Sheet};
use crate::labels::{Kind, Label, Style};
use reader::lines::Line;
use reader::page::Page;

/// A bare number begins an answer when it stands left of the writing by this share of the page's width.
const OUTDENT_MIN: f32 = 0.02;

/// A label is set apart from its answer when the gap after it is this many times the size of the writing.
const APART_MIN: f32 = 1.2;

/// Gives each line of the sheet to the question that was named last.
pub(super) fn read(pointer: &mut Pointer<'_>, sheet: Sheet<'_>, draft: &mut Draft) {
    let lines = reader::lines::lines(sheet.page);
    let margin = usual_start(&lines);
    for line in &lines {
        let texts: Vec<&str> =
            sheet.page.words[line.words.clone()].iter().map(|word| word.text.as_str()).collect();
        let label =
            label_of(&texts).filter(|label| is_label(label, &texts, line, margin, sheet.page, pointer));
        let named = label.as_ref().and_then(|label| pointer.follow(label));
        if named.is_some() {
            draft.current = named;
        }
        let skipped = if named.is_some() { label.map_or(0, |label| label.words) } else { 0 };
        for (position, index) in line.words.clone().enumerate().skip(skipped) {
            let text = sheet.page.words[index].text.clone();
            if is_heading_word(&text) && named.is_some() {
                continue;
            }
            let written = sheet.written(index, text, position == skipped);
            draft.add(draft.current, written);
        }
    }
}

/// Where most lines of the page begin.
fn usual_start(lines: &[Line]) -> f32 {
    let mut starts: Vec<f32> = lines.iter().map(|line| line.place.x0).collect();
    starts.sort_by(f32::total_cmp);
    starts.get(starts.len() / 2).copied().unwrap_or(0.0)
}

/// A label in brackets, with a dot or with its word is one; a bare number may be the answer itself, and
/// counts only alone on its line, out in the margin, or as the number that comes next.
fn is_label(
    label: &Label,
    texts: &[&str],
    line: &Line,
    margin: f32,
    page: &Page,
    pointer: &Pointer<'_>,
) -> bool {
    let is_number = label.tokens.first().is_some_and(|token| token.kind == Kind::Number);
    let is_apart = is_set_apart(label, line, page) && pointer.is_ahead(label);
    let alone = label.words == texts.len();
    let outdented = line.place.x0 < margin - OUTDENT_MIN * page.width;
    match label.style {
        Style::Keyword | Style::Brackets => true,
        // "3.5" is a number before it is a label, "2b" is not.
        Style::Path => {
            label.tokens.iter().any(|token| token.kind != Kind::Number && token.kind != Kind::Decimal)
                || alone
                || outdented
        }
        Style::Dot | Style::Close => {
            !is_number || alone || outdented || is_apart || pointer.expects(label) || label.tokens.len() > 1
        }
        Style::Bare => {
            is_number && (outdented || is_apart || alone && pointer.expects(label)) || label.tokens.len() > 1
        }
    }
}

/// True when the answer begins well to the right of its label, as in a column of numbers.
fn is_set_apart(label: &Label, line: &Line, page: &Page) -> bool {
    let words = &page.words[line.words.clone()];
    let Some([last, next]) = label.words.checked_sub(1).and_then(|last| words.get(last..last + 2)) else {
        return false;
    };
    next.place.x0 - last.place.x1 > APART_MIN * last.size.max(next.size)
}

/// "Question 3 (continued)": the note belongs to the label.
fn is_heading_word(text: &str) -> bool {
    matches!(super::align::plain(text).as_str(), "continued" | "cont" | "contd" | "answer" | "ans")
}
