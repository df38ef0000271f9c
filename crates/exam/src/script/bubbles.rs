//! Answer sheets with rows of bubbles: which row is which question, and which bubbles are filled.
//!
//! There is no template for such a sheet. The paper says how many options a choice has and how its questions are
//! numbered; the sheet has blocks of circles with as many columns. A number left of a row names its question; where
//! numbers cannot be read, rows are counted down each column of blocks.

use super::choose::Chosen;
use super::leaves::Leaf;
use crate::labels;
use domain::question::Kind;
use reader::page::{Bubble, Page, Rect};

/// A gap this many times as wide as the others parts two groups of columns.
const GAP_MIN: f32 = 1.12;
/// A number stands at most so many columns left of its row.
const NUMBER_REACH: f32 = 3.5;
/// Rows that must be numbered alike before their numbers are believed.
const VOTES_MIN: usize = 2;
/// A filled bubble is at least this much darker than an empty one.
const DARKER_MIN: f32 = 0.12;
/// Between empty and filled, from here on a bubble counts as filled...
const FILLED: f32 = 0.5;
/// ...and between these two nobody can be sure.
const UNSURE: std::ops::Range<f32> = 0.25..0.72;
/// A faint mark counts when no other of its row comes as near.
const ALONE_MIN: f32 = 0.3;

/// A page that was read by its bubbles.
pub(super) struct BubbleSheet {
    pub(super) chosen: Vec<Chosen>,
    /// Where the rows stand, numbers included: no word there is an answer.
    pub(super) places: Vec<Rect>,
    /// Bubbles that stand for no question of the paper were filled all the same.
    pub(super) is_doubtful: bool,
}

/// A block's columns that stand for options.
struct Window<'p> {
    /// Row by row, one bubble an option.
    rows: Vec<Vec<&'p Bubble>>,
    pitch: f32,
    /// The first row's number, when enough numbers were read.
    first: Option<u32>,
}

impl Window<'_> {
    fn left(&self) -> f32 {
        self.rows.first().map_or(0.0, |row| row[0].place.x0)
    }

    fn top(&self) -> f32 {
        self.rows.first().map_or(0.0, |row| row[0].place.y0)
    }
}

/// Reads the page by its bubbles; `None` when they are not the paper's.
pub(super) fn read(leaves: &[Leaf<'_>], page: &Page) -> Option<BubbleSheet> {
    let choices: Vec<(usize, u32)> = leaves
        .iter()
        .enumerate()
        .filter(|(_, leaf)| {
            leaf.kind == Kind::MultipleChoice && leaf.label.is_empty() && leaf.options.len() > 1
        })
        .filter_map(|(index, leaf)| Some((index, labels::parse_question_number(leaf.number)?)))
        .collect();
    let options = usual(choices.iter().map(|(leaf, _)| leaves[*leaf].options.len()))?;
    let windows = numbered(ordered(windows(page, options)), choices.first()?.1);
    let rows: usize = windows.iter().map(|window| window.rows.len()).sum();
    if rows < 3 || 2 * rows < choices.len() {
        return None;
    }
    let scale = Scale::of(windows.iter().flat_map(|window| window.rows.iter().flatten()));
    let mut sheet = BubbleSheet { chosen: Vec::new(), places: Vec::new(), is_doubtful: false };
    for window in &windows {
        for (number, row) in (window.first.unwrap_or(1)..).zip(&window.rows) {
            let marked = scale.marked(row);
            match choices.iter().find(|(_, own)| *own == number) {
                Some((leaf, _)) => {
                    sheet.chosen.extend(marked.into_iter().filter_map(|(column, confidence)| {
                        let label = leaves[*leaf].options.get(column)?.label.clone();
                        Some(Chosen { leaf: *leaf, label, place: row[column].place, confidence })
                    }));
                }
                None => sheet.is_doubtful |= !marked.is_empty(),
            }
        }
        sheet.places.extend(place(window));
    }
    Some(sheet)
}

fn usual(values: impl Iterator<Item = usize>) -> Option<usize> {
    let mut counts = std::collections::BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_insert(0_usize) += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(value, _)| value)
}

/// The window's rows and the numbers left of them.
fn place(window: &Window<'_>) -> Option<Rect> {
    let bubbles = window.rows.iter().flatten().map(|bubble| bubble.place);
    let whole = bubbles.reduce(|whole, place| whole.union(&place))?;
    Some(Rect { x0: whole.x0 - NUMBER_REACH * window.pitch, ..whole })
}

/// All groups of as many columns as there are options.
fn windows(page: &Page, options: usize) -> Vec<Window<'_>> {
    let blocks = page.bubbles.iter().map(|bubble| bubble.block).max().map_or(0, |last| last + 1);
    (0..blocks).flat_map(|block| windows_of(page, block, options)).collect()
}

fn windows_of(page: &Page, block: u32, options: usize) -> Vec<Window<'_>> {
    let mut rows: Vec<Vec<&Bubble>> = Vec::new();
    for bubble in page.bubbles.iter().filter(|bubble| bubble.block == block) {
        let row = bubble.row as usize;
        if rows.len() <= row {
            rows.resize_with(row + 1, Vec::new);
        }
        rows[row].push(bubble);
    }
    rows.iter_mut().for_each(|row| row.sort_by_key(|bubble| bubble.column));
    let columns = rows.first().map_or(0, Vec::len);
    if columns < options || rows.iter().any(|row| row.len() != columns) {
        return Vec::new();
    }
    let gaps: Vec<f32> = (1..columns)
        .map(|column| median(rows.iter().map(|row| row[column].place.x0 - row[column - 1].place.x0)))
        .collect();
    let pitch = median(gaps.iter().copied());
    let mut groups: Vec<(usize, usize)> = vec![(0, 1)];
    for (gap, column) in gaps.iter().zip(1..) {
        match groups.last_mut() {
            Some(last) if *gap < GAP_MIN * pitch => last.1 = column + 1,
            _ => groups.push((column, column + 1)),
        }
    }
    let cut = |from: usize, to: usize| {
        let rows: Vec<Vec<&Bubble>> = rows.iter().map(|row| row[from..to].to_vec()).collect();
        let first = first_number(page, &rows, pitch);
        Window { rows, pitch, first }
    };
    let exact = groups.iter().filter(|(from, to)| to - from == options).map(|(from, to)| cut(*from, *to));
    let exact: Vec<Window<'_>> = exact.collect();
    if !exact.is_empty() {
        return exact;
    }
    // A sheet for any paper may offer more options than this one has; its rows are numbered.
    let (from, to) = groups[0];
    let wide = (to - from > options).then(|| cut(from, to)).filter(|window| window.first.is_some());
    wide.into_iter().collect()
}

fn median(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// What the numbers left of the rows say of the first row's.
fn first_number(page: &Page, rows: &[Vec<&Bubble>], pitch: f32) -> Option<u32> {
    let mut votes: std::collections::BTreeMap<i64, usize> = std::collections::BTreeMap::new();
    let mut seen = 0;
    for (row, bubbles) in rows.iter().enumerate() {
        let (left, (_, middle)) = (bubbles[0].place.x0, bubbles[0].place.centre());
        let beside = page.words.iter().filter(|word| {
            let height = bubbles[0].place.height();
            (word.place.centre().1 - middle).abs() < 0.6 * height
                && word.place.x1 <= left + 0.3 * pitch
                && word.place.x1 >= left - NUMBER_REACH * pitch
        });
        let nearest = beside.max_by(|a, b| a.place.x1.total_cmp(&b.place.x1));
        let number =
            nearest.and_then(|word| word.text.trim_end_matches(['.', ')', ':', '-']).parse::<u32>().ok());
        if let Some(number) = number.filter(|number| (1..1000).contains(number)) {
            seen += 1;
            *votes.entry(i64::from(number) - row as i64).or_default() += 1;
        }
    }
    let (first, count) = votes.into_iter().max_by_key(|(_, count)| *count)?;
    let is_believed = count >= VOTES_MIN && 2 * count > seen;
    u32::try_from(first).ok().filter(|first| is_believed && *first > 0)
}

/// Down each column of blocks, one column after the other.
fn ordered(mut windows: Vec<Window<'_>>) -> Vec<Window<'_>> {
    windows.sort_by(|a, b| a.left().total_cmp(&b.left()));
    let mut columns: Vec<Vec<Window<'_>>> = Vec::new();
    for window in windows {
        match columns.last_mut() {
            Some(column) if window.left() - column[0].left() < 1.5 * window.pitch => column.push(window),
            _ => columns.push(vec![window]),
        }
    }
    columns.iter_mut().for_each(|column| column.sort_by(|a, b| a.top().total_cmp(&b.top())));
    columns.into_iter().flatten().collect()
}

/// Every window with its first number. Where some windows are numbered, one that is not goes on with the one above
/// it, or it is an example.
fn numbered(mut windows: Vec<Window<'_>>, first: u32) -> Vec<Window<'_>> {
    let any_named = windows.iter().any(|window| window.first.is_some());
    let longest = windows.iter().map(|window| window.rows.len()).max().unwrap_or(0);
    let mut next = if any_named { None } else { Some(first) };
    let mut above: Option<f32> = None;
    windows.retain_mut(|window| {
        let below_another = above.is_some_and(|left| (window.left() - left).abs() < 1.5 * window.pitch);
        let is_long = 3 * window.rows.len() >= longest;
        let own = match window.first {
            Some(own) => Some(own),
            None if any_named => next.filter(|_| below_another),
            None => next.filter(|_| is_long || below_another),
        };
        window.first = own;
        if let Some(own) = own {
            next = Some(own + window.rows.len() as u32);
            above = Some(window.left());
        }
        own.is_some()
    });
    windows
}

/// How dark empty and filled bubbles of this sheet are.
struct Scale {
    empty: f32,
    filled: Option<f32>,
}

impl Scale {
    fn of<'b>(bubbles: impl Iterator<Item = &'b &'b Bubble>) -> Scale {
        let mut fills: Vec<f32> = bubbles.map(|bubble| bubble.fill).collect();
        fills.sort_by(f32::total_cmp);
        // Of two options at most half are filled, of four a quarter.
        let empty = fills.get(fills.len() * 2 / 5).copied().unwrap_or_default();
        let dark: Vec<f32> = fills.into_iter().filter(|fill| *fill > empty + DARKER_MIN).collect();
        let filled = (!dark.is_empty()).then(|| median(dark.iter().copied().skip(dark.len() / 4)));
        Scale { empty, filled }
    }

    /// The columns of a row that are filled, and how surely each.
    fn marked(&self, row: &[&Bubble]) -> Vec<(usize, f32)> {
        let Some(filled) = self.filled else { return Vec::new() };
        let share = |bubble: &&Bubble| (bubble.fill - self.empty) / (filled - self.empty);
        let sure = |share: f32| if UNSURE.contains(&share) { 0.5 } else { 0.97 };
        let shares: Vec<f32> = row.iter().map(share).collect();
        let marked: Vec<(usize, f32)> = shares
            .iter()
            .enumerate()
            .filter(|(_, share)| **share >= FILLED)
            .map(|(column, share)| (column, sure(*share)))
            .collect();
        if !marked.is_empty() {
            return marked;
        }
        let mut order: Vec<usize> = (0..shares.len()).collect();
        order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
        match order.as_slice() {
            [best, second, ..] if shares[*best] - shares[*second] >= ALONE_MIN => vec![(*best, 0.5)],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::{Choice, Question};
    use reader::page::Word;

    fn questions(count: u32) -> Vec<Question> {
        let choice = |label: &str| Choice { label: label.into(), text: String::new() };
        let question = |number: u32| Question {
            number: number.to_string(),
            kind: Kind::MultipleChoice,
            options: ["A", "B", "C", "D"].map(choice).to_vec(),
            ..Question::default()
        };
        (1..=count).map(question).collect()
    }

    fn block(
        page: &mut Page,
        block: u32,
        (left, top): (f32, f32),
        rows: u32,
        columns: u32,
        filled: &[(u32, u32)],
    ) {
        for row in 0..rows {
            for column in 0..columns {
                let gap = if column > 3 { 8.0 } else { 0.0 };
                let (x, y) = (left + 20.0 * column as f32 + gap, top + 18.0 * row as f32);
                let fill = if filled.contains(&(row, column)) { 0.7 } else { 0.12 + 0.01 * column as f32 };
                let place = Rect { x0: x, y0: y, x1: x + 10.0, y1: y + 10.0 };
                page.bubbles.push(Bubble { place, fill, block, row, column });
            }
        }
    }

    fn number(page: &mut Page, text: &str, (left, top): (f32, f32), row: u32) {
        let y = top + 18.0 * row as f32;
        let place = Rect { x0: left - 28.0, y0: y, x1: left - 12.0, y1: y + 9.0 };
        page.words.push(Word { text: text.to_owned(), place, ..Word::default() });
    }

    fn chosen(questions: &[Question], page: &Page) -> Vec<(String, String)> {
        let leaves = super::super::leaves::leaves(questions);
        let sheet = read(&leaves, page).unwrap();
        sheet.chosen.iter().map(|one| (leaves[one.leaf].number.to_owned(), one.label.clone())).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(number, label)| ((*number).to_owned(), (*label).to_owned())).collect()
    }

    #[test]
    fn rows_are_counted_down_the_columns_of_blocks() {
        let mut page = Page::default();
        block(&mut page, 0, (300.0, 100.0), 5, 4, &[(1, 2)]);
        block(&mut page, 1, (100.0, 100.0), 5, 4, &[(0, 3), (4, 0), (4, 1)]);
        block(&mut page, 2, (500.0, 20.0), 10, 10, &[(3, 3)]);
        let expected = pairs(&[("1", "D"), ("5", "A"), ("5", "B"), ("7", "C")]);
        assert_eq!(chosen(&questions(10), &page), expected);
    }

    #[test]
    fn an_example_without_numbers_and_columns_beyond_a_gap_are_no_answers() {
        let mut page = Page::default();
        block(&mut page, 0, (300.0, 20.0), 4, 6, &[(0, 1), (2, 2)]);
        block(&mut page, 1, (100.0, 200.0), 6, 6, &[(0, 1), (2, 3), (2, 5)]);
        for (row, text) in [(0, "01"), (1, "02"), (3, "04"), (5, "O6")] {
            number(&mut page, text, (100.0, 200.0), row);
        }
        assert_eq!(chosen(&questions(6), &page), pairs(&[("1", "B"), ("3", "D")]));
    }

    #[test]
    fn a_sheet_that_nobody_filled_in_and_other_circles_choose_nothing() {
        let mut page = Page::default();
        block(&mut page, 0, (100.0, 100.0), 10, 4, &[]);
        assert_eq!(chosen(&questions(10), &page), []);
        let leaves_of = questions(40);
        let leaves = super::super::leaves::leaves(&leaves_of);
        assert!(read(&leaves, &page).is_none(), "far fewer rows than questions");
        assert!(read(&leaves, &Page::default()).is_none());
    }
}
