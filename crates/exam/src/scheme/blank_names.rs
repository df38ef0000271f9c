//! Letters that name the blanks of a program or a picture in a filled-in paper: alone on their lines, above the parts that
//! ask for them.

use crate::flow::Line;
use crate::labels::{self, Kind, Style, Token};
use std::collections::HashSet;

/// The parts stand so many lines below the blanks at most.
const REACH: usize = 60;
/// One may begin an answer on the next line.
const LEAST: usize = 2;

/// The lines that hold nothing but such a letter: each comes again below, before the next question, with text behind it.
pub(super) fn lines(lines: &[Line<'_>]) -> HashSet<usize> {
    let mut names = HashSet::new();
    // The letters alone since the last question, each with its line, and how many of them came again.
    let mut open: Vec<(Token, usize)> = Vec::new();
    let mut again: Vec<usize> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let texts = line.texts();
        let Some(label) = labels::parse(&texts).filter(|label| !label.glued) else { continue };
        let heads = label.tokens[0].kind == Kind::Number
            && matches!(label.style, Style::Dot | Style::Close | Style::Keyword)
            && label.words < texts.len();
        if heads {
            close(&mut open, &mut again, &mut names);
        }
        let [only] = label.tokens[..] else { continue };
        if only.kind != Kind::Letter || label.style != Style::Brackets {
            continue;
        }
        // What stands too far above names none of these.
        open.retain(|own| own.1 + REACH >= index);
        if label.words == texts.len() {
            open.push((only, index));
        } else {
            if let Some(at) = open.iter().position(|own| own.0 == only) {
                again.push(open.remove(at).1);
            }
        }
    }
    close(&mut open, &mut again, &mut names);
    names
}

/// A letter in brackets alone on its line.
pub(super) fn is_letter(line: &Line<'_>) -> bool {
    let label = labels::parse(&line.texts()).filter(|label| !label.glued && label.words == line.words.len());
    label.is_some_and(|label| label.style == Style::Brackets && label.tokens[0].kind == Kind::Letter)
}

fn close(open: &mut Vec<(Token, usize)>, again: &mut Vec<usize>, names: &mut HashSet<usize>) {
    open.clear();
    if again.len() >= LEAST {
        names.extend(again.iter());
    }
    again.clear();
}
