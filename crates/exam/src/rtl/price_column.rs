//! A column of marks between the labels' side and the answers, under its name: set behind the answers, where schemes that
//! run the other way have it.

use lexicon::Concept;
use reader::page::{Rect, Word};

/// How far beside the name a number may stand, in sizes of its type.
const BESIDE: f32 = 1.5;
/// Where the marks go, as a share of the page's width.
const EDGE: f32 = 0.92;
/// No page has more tables.
const HEADS_MAX: usize = 12;
/// No row adds up more marks.
const ADDENDS_MAX: usize = 10;

/// Moves the numbers of such columns and writes each as marks: `2+2` is `[4]`.
pub(super) fn move_behind(words: &mut [Word], width: f32) {
    let named = |word: &Word, concept: Concept| lexicon::is(concept, word.text.trim_end_matches(':'));
    let beside = |one: &Word, other: &Word| (one.baseline - other.baseline).abs() < one.size / 2.0;
    let names = words.iter().filter(|word| named(word, Concept::MarksColumn)).take(HEADS_MAX);
    let heads = names.filter(|name| {
        let answers = |word: &&Word| {
            named(word, Concept::AnswerColumn) && beside(name, word) && word.place.x0 > name.place.x1
        };
        words.iter().any(|word| answers(&word))
    });
    let heads: Vec<Rect> = heads.map(|name| name.place).collect();
    for word in words.iter_mut() {
        let (x, _) = word.place.centre();
        let reach = BESIDE * word.size;
        let is_below =
            |head: &Rect| word.place.y0 > head.y0 && (head.x0 - reach..=head.x1 + reach).contains(&x);
        let Some(sum) = sum(&word.text).filter(|_| heads.iter().any(is_below)) else { continue };
        let x0 = EDGE * width;
        word.place = Rect { x0, x1: x0 + word.place.width() + word.size, ..word.place };
        word.text = format!("[{sum}]");
    }
    for word in words.iter_mut().filter(|word| heads.contains(&word.place)) {
        let x0 = EDGE * width;
        word.place = Rect { x0, x1: x0 + word.place.width(), ..word.place };
    }
}

fn sum(text: &str) -> Option<u32> {
    const MOST: u32 = 60;
    let addends: Vec<u32> = text
        .split('+')
        .take(ADDENDS_MAX + 1)
        .map(|own| own.trim().parse().ok().filter(|value| (1..=MOST).contains(value)))
        .collect::<Option<_>>()?;
    (addends.len() <= ADDENDS_MAX).then(|| addends.iter().sum()).filter(|sum| *sum <= MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_added_up() {
        assert_eq!(sum("2+2"), Some(4));
        assert_eq!(sum("6"), Some(6));
        assert_eq!(sum("2a"), None);
        assert_eq!(sum("700"), None);
    }
}
