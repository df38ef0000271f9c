//! Heads of tables whose first cell is set in two lines beside the others: "Question" over "One", and "Evidence |
//! Achievement" between them. The name is set into the row, and the number below it.

use lexicon::Concept;
use reader::page::{Page, Rect, Word};
use std::ops::Range;

/// How far below the name its number may stand, in sizes of type.
const OFF: f32 = 1.0;
/// How far the row stands from either of them.
const APART: f32 = 0.25;
/// The head of a table has no more words.
const ROW_WORDS_MAX: usize = 12;
/// No paper has more questions.
const NUMBER_MAX: u32 = 50;

/// Puts such heads of a page in order.
pub(super) fn settle(page: &mut Page) {
    let mut from = 0;
    while let Some(found) = find(&page.words, from..page.words.len()) {
        from = found.end;
        found.apply(&mut page.words);
    }
}

/// Where the next head of a table begins, set so or in one row: "Question | Evidence | Achievement".
pub(super) fn next(words: &[Word], from: usize) -> Option<usize> {
    let in_row = |name: &usize| {
        let own = &words[*name];
        let beside = words[name + 1..].iter().take(ROW_WORDS_MAX);
        let mut row = beside.take_while(|word| (word.baseline - own.baseline).abs() < own.size / 2.0);
        // "No response" is no head: columns stand apart.
        let apart = words.get(name + 1).is_some_and(|next| next.place.x0 - own.place.x1 > own.size);
        apart && is(own, Concept::LabelColumn) && row.any(|word| is(word, Concept::AnswerColumn))
    };
    let plain = (from..words.len()).find(in_row);
    let stacked = find(words, from..plain.unwrap_or(words.len())).map(|head| head.name);
    stacked.or(plain)
}

/// A head's places among the words of its page.
struct Head {
    name: usize,
    number: usize,
    value: u32,
    /// The first word of its row, and the place behind the last.
    row: usize,
    end: usize,
}

/// The first head whose name stands in a range of words.
fn find(words: &[Word], names: Range<usize>) -> Option<Head> {
    names.into_iter().filter(|at| is(&words[*at], Concept::LabelColumn)).find_map(|name| {
        let own = &words[name];
        let reach = name + 1..words.len().min(name + 2 + ROW_WORDS_MAX);
        let (number, value) = reach.into_iter().find_map(|at| {
            let value = number(&words[at].text)?;
            let below = (words[at].place.y0 - own.place.y1) / own.size.max(1.0);
            let (x, _) = words[at].place.centre();
            let under = own.place.x0 <= x && x <= own.place.x1 && (-OFF..=OFF).contains(&below);
            (under && words[at].place.y0 > own.place.y0).then_some((at, value))
        })?;
        // The row stands between the name and the number: a number below a whole head begins the next row.
        let (above, below) = (own.place.centre().1, words[number].place.centre().1);
        let in_row = |at: usize| {
            let (_, y) = words[at].place.centre();
            let between = (above + APART * own.size..below - APART * own.size).contains(&y);
            between && words[at].place.x0 > own.place.x1 && at != number
        };
        // The number stands before the row's words or behind them.
        let row = if number == name + 1 { number + 1 } else { name + 1 };
        let end = (row..words.len()).find(|at| !in_row(*at)).unwrap_or(words.len());
        let named = (row..end).any(|at| is(&words[at], Concept::AnswerColumn));
        let end = if number == end { end + 1 } else { end };
        (named && end > row + 1 && number < end).then_some(Head { name, number, value, row, end })
    })
}

impl Head {
    fn apply(self, words: &mut Vec<Word>) {
        let row = words[self.row].clone();
        let height = row.place.height();
        let beside =
            |place: Rect, shift: f32| Rect { y0: row.place.y0 + shift, y1: row.place.y1 + shift, ..place };
        let mut name = words[self.name].clone();
        (name.place, name.baseline) = (beside(name.place, 0.0), row.baseline);
        let mut number = words[self.number].clone();
        let below = height * 1.2;
        (number.place, number.baseline) = (beside(number.place, below), row.baseline + below);
        number.text = self.value.to_string();
        // Words stand in the order of their lines.
        let others = (self.row..self.end).filter(|at| *at != self.number).map(|at| words[at].clone());
        let own: Vec<Word> = std::iter::once(name).chain(others).chain([number]).collect();
        words.splice(self.name..self.end, own);
    }
}

fn is(word: &Word, concept: Concept) -> bool {
    lexicon::is(concept, &word.text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
}

/// "One", "2"
fn number(text: &str) -> Option<u32> {
    let value = lexicon::small_number(&text.to_lowercase()).or_else(|| text.parse().ok());
    value.filter(|value| (1..=NUMBER_MAX).contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_over_a_number_beside_a_row_is_set_into_it() {
        let word = |text: &str, x0: f32, y0: f32| {
            let place = Rect { x0, y0, x1: x0 + 5.0 * text.len() as f32, y1: y0 + 8.5 };
            Word { text: text.to_owned(), place, size: 9.0, baseline: y0 + 7.0, ..Word::default() }
        };
        let row = |y: f32| vec![word("Evidence", 237.0, y), word("Achievement", 456.0, y)];
        let mut page = Page::default();
        page.words.push(word("Question", 46.0, 110.0));
        page.words.extend(row(116.0));
        page.words.push(word("One", 57.0, 121.5));
        settle(&mut page);
        let texts: Vec<&str> = page.words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["Question", "Evidence", "Achievement", "1"]);
        assert_eq!(page.words[0].baseline, page.words[1].baseline);
        assert!(page.words[3].place.y0 > page.words[1].place.y1);
    }
}
