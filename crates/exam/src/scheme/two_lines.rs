//! Names of a table's columns that are set in two lines, "Question" over "Number" and "Scoring" over "Key": the one that
//! tells what the column holds is kept.

use super::layout::{Zone, cells, zone_named};
use reader::lines::{Line, lines};
use reader::page::{Page, Word};
use std::ops::Range;

/// A head has no more cells, and no fewer.
const CELLS: std::ops::RangeInclusive<usize> = 3..=8;
/// So many names stand over others.
const LEAST_STACKED: usize = 2;
/// White between the two lines, in sizes of type.
const LEADING: f32 = 0.9;

/// Puts such heads of a page into one line.
pub(super) fn settle(page: &mut Page) {
    let lines = lines(page);
    let heads = lines.windows(2).filter_map(|pair| {
        let [above, below] = pair else { return None };
        head(page, above, below).or_else(|| mended(page, above, below))
    });
    let heads: Vec<(Range<usize>, Vec<Word>)> = heads.collect();
    // From the last on, since words become fewer.
    for (own, words) in heads.into_iter().rev() {
        page.words.splice(own, words);
    }
}

/// The words of both lines, and those of the one that they make.
fn head(page: &Page, above: &Line, below: &Line) -> Option<(Range<usize>, Vec<Word>)> {
    let near = (below.place.y0 - above.place.y1).abs() < LEADING * above.size;
    let (upper, lower) = (cells(&page.words[above.words.clone()]), cells(&page.words[below.words.clone()]));
    let together = above.words.end == below.words.start && CELLS.contains(&upper.len().max(lower.len()));
    // A row of the table says more than names.
    let counts = |word: &Word| word.text.contains(|c: char| c.is_ascii_digit());
    let is_row = lower.iter().any(|name| zone(name).is_none() || name.iter().any(counts));
    if !near || !together || is_row {
        return None;
    }
    let under = |name: &[Word]| lower.iter().position(|other| overlap(name, other));
    let alone = lower.iter().filter(|name| !upper.iter().any(|other| overlap(name, other)));
    let stacked = upper.iter().filter(|name| under(name).is_some()).count();
    let told = upper.iter().map(|name| under(name).map_or(*name, |at| telling(name, lower[at])));
    let mut names: Vec<&[Word]> = told.chain(alone.copied()).collect();
    names.sort_by(|one, other| one[0].place.x0.total_cmp(&other[0].place.x0));
    let zones: Vec<Option<Zone>> = names.iter().map(|name| zone(name)).collect();
    let has = |wanted: Zone| zones.contains(&Some(wanted));
    if stacked < LEAST_STACKED || !CELLS.contains(&names.len()) || zones.contains(&None) {
        return None;
    }
    let words = names.concat().into_iter().map(|word| raised(word, above)).collect();
    (has(Zone::Label) && has(Zone::Answer)).then_some((above.words.start..below.words.end, words))
}

/// The same where names break within a word, "Punkt" over "e": the words of both lines, and those of the names made whole.
fn mended(page: &Page, above: &Line, below: &Line) -> Option<(Range<usize>, Vec<Word>)> {
    let near = (below.place.y0 - above.place.y1).abs() < LEADING * above.size;
    let (upper, lower) = (&page.words[above.words.clone()], &page.words[below.words.clone()]);
    if !near || above.words.end != below.words.start || lower.is_empty() || lower.len() > upper.len() {
        return None;
    }
    let mut whole = upper.to_vec();
    for end in lower {
        let goes_on = end.text.chars().all(char::is_lowercase);
        let over = whole
            .iter_mut()
            .find(|word| goes_on && overlap(std::slice::from_ref(word), std::slice::from_ref(end)))?;
        let joined = format!("{}{}", over.text, end.text);
        // A name that says something by itself is whole.
        if zone_named(&over.text).is_some() || zone_named(&joined).is_none() {
            return None;
        }
        over.text = joined;
    }
    Some((above.words.start..below.words.end, whole))
}

/// True where one of two cells stands over the other.
fn overlap(one: &[Word], other: &[Word]) -> bool {
    let extent = |cell: &[Word]| (cell[0].place.x0, cell[cell.len() - 1].place.x1);
    let ((from, to), (start, end)) = (extent(one), extent(other));
    let middle = |from: f32, to: f32| (from + to) / 2.0;
    (from..=to).contains(&middle(start, end)) || (start..=end).contains(&middle(from, to))
}

/// The one of two names above each other that tells what their column holds: "Key" of "Scoring Key", and "Type" of
/// "Question Type".
fn telling<'w>(above: &'w [Word], below: &'w [Word]) -> &'w [Word] {
    match (zone(above), zone(below)) {
        (None | Some(Zone::Label), Some(_)) => below,
        _ => above,
    }
}

/// What a name's last telling word says.
fn zone(name: &[Word]) -> Option<Zone> {
    name.iter().rev().find_map(|word| zone_named(&word.text))
}

/// A word as it would stand in the upper line.
fn raised(mut word: Word, line: &Line) -> Word {
    let height = word.place.height();
    word.place.y1 = line.place.y1;
    word.place.y0 = word.place.y1 - height;
    word.baseline = line.baseline;
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use reader::page::Rect;

    fn word(text: &str, x0: f32, y0: f32) -> Word {
        let place = Rect { x0, y0, x1: x0 + 4.5 * text.len() as f32, y1: y0 + 9.0 };
        Word { text: text.to_owned(), place, size: 9.0, baseline: y0 + 7.0, ..Word::default() }
    }

    fn settled(words: Vec<Word>) -> Vec<String> {
        let mut page = Page { width: 612.0, height: 792.0, words, ..Page::default() };
        settle(&mut page);
        page.words.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn names_in_two_lines_become_one() {
        let upper = [("Question", 139.0), ("Scoring", 216.0), ("Question", 287.0), ("Credit", 366.0)];
        let lower = [("Number", 141.0), ("Key", 223.0), ("Type", 295.0)];
        let words = upper.iter().map(|(text, x)| word(text, *x, 429.0));
        let words = words.chain(lower.iter().map(|(text, x)| word(text, *x, 441.0)));
        assert_eq!(settled(words.collect()), ["Number", "Key", "Type", "Credit"]);
        let head = [("Question", 60.0), ("Answer", 160.0), ("Marks", 300.0)];
        let row = [("1a", 62.0), ("Ammeter", 160.0), ("1", 310.0)];
        let words = head.iter().map(|(text, x)| word(text, *x, 429.0));
        let words = words.chain(row.iter().map(|(text, x)| word(text, *x, 441.0)));
        assert_eq!(settled(words.collect()).len(), 6);
    }

    #[test]
    fn names_that_break_within_a_word_are_made_whole() {
        let upper = [("Aufgab", 60.0), ("Lösung", 140.0), ("Punkt", 360.0)];
        let lower = [("e", 60.0), ("e", 360.0)];
        let words = upper.iter().map(|(text, x)| word(text, *x, 429.0));
        let words = words.chain(lower.iter().map(|(text, x)| word(text, *x, 441.0)));
        assert_eq!(settled(words.collect()), ["Aufgabe", "Lösung", "Punkte"]);
    }

    #[test]
    fn text_in_two_lines_stays() {
        let lines =
            [("Question the answer and mark it", 60.0, 100.0), ("again where it may be wrong", 60.0, 112.0)];
        let words = |(text, x, y): (&str, f32, f32)| {
            let mut x = x;
            let place = |own: &str| {
                let placed = word(own, x, y);
                x = placed.place.x1 + 3.0;
                placed
            };
            text.split(' ').map(place).collect::<Vec<_>>()
        };
        let all: Vec<Word> = lines.into_iter().flat_map(words).collect();
        assert_eq!(settled(all.clone()).len(), all.len());
    }
}
