//! Columns of a page with few lines: plain numbers count down the left one and on down the right, "18. … 22. …" over
//! "19. … 23. …".

use super::{APART, Gutter, MARGIN};
use crate::flow::{self, Line};
use crate::paper::is_section_heading;
use lexicon::Concept;
use reader::page::{Page, Word};

/// Fewer numbers in a column may be anything.
const SIDE_MIN: usize = 2;
/// The numbers of a column stand so close to its edge, in points: "9." and "10." may end at the same place.
const EDGE: f32 = 12.0;
/// White before the right column, in sizes of type.
const WHITE: f32 = 1.5;
/// A line that has less of it there is set across both columns.
const WORD_SPACE: f32 = 0.8;
/// The largest number of a question.
const MOST: u32 = 200;

/// What stands behind the numbers of an answer sheet, "1. B 1", are fewer words.
const ASKS: usize = 3;

/// A number that begins a line or stands behind white.
struct Head {
    number: u32,
    line: usize,
    x: f32,
    /// How many words stand behind it, up to the next.
    said: usize,
}

/// Where the right column begins, and what of the page both of them take up.
pub(super) fn between(page: &Page) -> Option<Gutter> {
    let lines: Vec<Line<'_>> = flow::page_lines(page).collect();
    let heads = heads(&lines);
    let edge =
        |from: f32| heads.iter().map(|head| head.x).filter(|x| *x > from).fold(f32::INFINITY, f32::min);
    let x = edge(edge(f32::NEG_INFINITY) + APART * page.width) - MARGIN;
    let first = heads.first().map(|head| head.line)?;
    let ends = |line: &Line<'_>| is_across(line.words, x) || heads_section(line);
    // The columns end at the first line that belongs to none.
    let last = heads.iter().filter(|head| head.x > x).map(|head| head.line).max()?;
    let end = first + lines[first..].iter().position(ends).unwrap_or(lines.len() - first);
    let own = || heads.iter().filter(|head| head.line < end);
    let (left, right): (Vec<&Head>, Vec<&Head>) = own().partition(|head| head.x < x);
    let counts = left
        .iter()
        .chain(&right)
        .zip(left.iter().chain(&right).skip(1))
        .all(|(one, next)| next.number == one.number + 1);
    let at_edge = |side: &[&Head]| {
        let edge = side.iter().map(|head| head.x).fold(f32::INFINITY, f32::min);
        side.len() >= SIDE_MIN && side.iter().all(|head| head.x - edge < EDGE)
    };
    // Where the columns are read one after the other, each line is one column's.
    let beside = right.iter().any(|head| lines[head.line].place.x0 < x);
    let says = |side: &[&Head]| side.iter().filter(|head| head.said >= ASKS).count() * 2 > side.len();
    let asks = says(&left) || says(&right);
    if last >= end || !asks || !counts || !beside || !at_edge(&left) || !at_edge(&right) {
        return None;
    }
    let bottom = lines.get(end).map_or(f32::INFINITY, |line| line.place.y0 - MARGIN);
    Some(Gutter { edges: vec![x], top: lines[first].place.y0 - MARGIN, bottom })
}

/// "THEORY", "Section B": what stands below it is read apart.
fn heads_section(line: &Line<'_>) -> bool {
    is_section_heading(line) || lexicon::is(Concept::KindHeading, &line.text().to_lowercase())
}

/// The numbers of a page that may begin a question, in its order.
fn heads(lines: &[Line<'_>]) -> Vec<Head> {
    let number = |word: &Word| word.text.strip_suffix(['.', ')'])?.parse().ok().filter(|own| *own <= MOST);
    let mut found = Vec::new();
    for (line, own) in lines.iter().enumerate() {
        for (at, word) in own.words.iter().enumerate() {
            let white = |before: usize| word.place.x0 - own.words[before].place.x1 > WHITE * word.size;
            let begins = at.checked_sub(1).is_none_or(white) && at + 1 < own.words.len();
            if let Some(number) = number(word).filter(|_| begins) {
                let said = (at + 2..own.words.len())
                    .take_while(|next| {
                        own.words[*next].place.x0 - own.words[next - 1].place.x1 <= WHITE * word.size
                    })
                    .count();
                found.push(Head { number, line, x: word.place.x0, said: said + 1 });
            }
        }
    }
    found
}

/// True for a line without white where the right column begins.
fn is_across(words: &[Word], x: f32) -> bool {
    let inside = words.iter().any(|word| word.place.x0 < x && word.place.x1 > x + MARGIN);
    let over = words.windows(2).any(|pair| {
        let [one, next] = pair else { return false };
        one.place.x1 <= x + MARGIN
            && next.place.x0 >= x
            && next.place.x0 - one.place.x1 < WORD_SPACE * one.size
    });
    inside || over
}
