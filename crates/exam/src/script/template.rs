//! Takes the printed question paper away from a page that a student wrote on.

use super::align::{Fit, plain};
use reader::page::{Page, Rect, Word};

/// A printed word and a read one are in the same place when they share this much of the smaller.
const SHARED_MIN: f32 = 0.35;
/// How alike two words must be to be the same one, misread a little.
const ALIKE_MIN: f32 = 0.5;
/// Printed boxes are widened by this share of their height, since scans are never quite even.
const SLACK: f32 = 0.25;

/// What is left of a page: the student's words, by index into the page's words, with the text that is
/// theirs when print and writing were read as one word.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Left {
    pub(super) index: usize,
    pub(super) text: String,
}

/// The words of the page that are not the template's.
pub(super) fn take_away(template: &Page, page: &Page, fit: &Fit) -> Vec<Left> {
    let printed: Vec<(Rect, &Word)> =
        template.words.iter().map(|word| (widened(&fit.apply_rect(&word.place)), word)).collect();
    page.words.iter().enumerate().filter_map(|(index, word)| left_of(index, word, &printed)).collect()
}

/// The printed words that cannot be found at their places any more: circled, ticked over or struck out.
pub(super) fn covered<'a>(template: &'a Page, page: &Page, fit: &Fit) -> Vec<&'a Word> {
    let is_there = |word: &&Word| {
        let place = widened(&fit.apply_rect(&word.place));
        let wanted = plain(&word.text);
        page.words
            .iter()
            .any(|seen| share(&seen.place, &place) > SHARED_MIN && plain(&seen.text).contains(&wanted))
    };
    template.words.iter().filter(|word| !is_there(word)).collect()
}

pub(super) fn widened(rect: &Rect) -> Rect {
    let slack = rect.height() * SLACK;
    Rect { x0: rect.x0 - slack, y0: rect.y0 - slack, x1: rect.x1 + slack, y1: rect.y1 + slack }
}

/// How much of the smaller rectangle lies in the other.
pub(super) fn share(one: &Rect, other: &Rect) -> f32 {
    one.intersection(other).area() / one.area().min(other.area()).max(0.01)
}

fn left_of(index: usize, word: &Word, printed: &[(Rect, &Word)]) -> Option<Left> {
    let mut under: Vec<&(Rect, &Word)> =
        printed.iter().filter(|(place, _)| share(place, &word.place) >= SHARED_MIN).collect();
    if under.is_empty() {
        return Some(Left { index, text: word.text.clone() });
    }
    under.sort_by(|a, b| a.0.x0.total_cmp(&b.0.x0));
    let print: String = under.iter().map(|(_, word)| word.text.as_str()).collect();
    if is_same(&print, &word.text) {
        return None;
    }
    let rest = beyond_print(&print, &word.text);
    match rest {
        Some(rest) if !rest.is_empty() => Some(Left { index, text: rest.to_owned() }),
        Some(_) => None,
        // Something else stands where the print is. Writing over print covers it; a smear of print read
        // as one or two signs does not.
        None if word.text.chars().count() <= 2 && word.confidence < 0.8 => None,
        None => Some(Left { index, text: word.text.clone() }),
    }
}

fn is_same(print: &str, read: &str) -> bool {
    let (print, read) = (plain(print), plain(read));
    if read.is_empty() {
        // Brackets, dots and strokes on top of print are print.
        return true;
    }
    print == read || print.contains(&read) && read.chars().count() >= 2 || alike(&print, &read) >= ALIKE_MIN
}

/// What was written right after or before print and read with it: "=42" where "=" is printed.
fn beyond_print<'a>(print: &str, read: &'a str) -> Option<&'a str> {
    let after = read.strip_prefix(print);
    after.or_else(|| read.strip_suffix(print)).map(str::trim)
}

/// 1 for equal texts, 0 for texts without a letter in common place, or of which one is twice as long as the other:
/// they are not [`ALIKE_MIN`], however they go.
fn alike(one: &str, other: &str) -> f32 {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let longer = one.len().max(other.len());
    if longer == 0 {
        return 1.0;
    }
    if 2 * one.len().min(other.len()) < longer {
        return 0.0;
    }
    let mut previous: Vec<usize> = (0..=other.len()).collect();
    for (row, left) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, right) in other.iter().enumerate() {
            let changed = previous[column] + usize::from(left != right);
            current.push(changed.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    1.0 - previous[other.len()] as f32 / longer as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misread_print_is_print_and_writing_is_not() {
        assert!(is_same("photosynthesis", "photosynthesls"));
        assert!(is_same("(a)", "a)"));
        assert!(!is_same("Answer", "mitosis"));
        assert_eq!(beyond_print("=", "=42"), Some("42"));
        assert_eq!(beyond_print("cm", "12cm"), Some("12"));
        assert_eq!(beyond_print("cm", "kg"), None);
    }
}
