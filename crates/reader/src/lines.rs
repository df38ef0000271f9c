//! Words in reading order: rows of words that share a baseline, columns read one after the other.

mod hanging;
mod runs;

use crate::page::{Direction, Page, Rect, Ruling, Word};
use std::ops::Range;

/// A run of words on one baseline, in one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Which of the page's words it holds.
    pub words: Range<usize>,
    /// The extent of its words.
    pub place: Rect,
    /// The baseline of its largest word.
    pub baseline: f32,
    /// The size of its largest word.
    pub size: f32,
}

/// The lines of a page whose words are in reading order, as [`crate::pages`] gives them.
///
/// Words that run in another direction come last on a page and belong to no line.
pub fn lines(page: &Page) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut core = Rect::default();
    for (index, word) in page.words.iter().enumerate().filter(|(_, word)| !word.turned) {
        let previous = index.checked_sub(1).and_then(|before| page.words.get(before));
        let continues = !lines.is_empty()
            && previous.is_some_and(|previous| word.place.x0 >= previous.place.x0 - 0.5)
            && same_row(&core, &word.place);
        match lines.last_mut() {
            Some(line) if continues => {
                line.words.end = index + 1;
                line.place = line.place.union(&word.place);
                if word.size > line.size {
                    (line.size, line.baseline, core) = (word.size, word.baseline, word.place);
                }
            }
            _ => {
                core = word.place;
                lines.push(Line {
                    words: index..index + 1,
                    place: word.place,
                    baseline: word.baseline,
                    size: word.size,
                });
            }
        }
    }
    lines
}

/// Puts words into reading order, joins what touches and drops what is printed twice.
///
/// Rows of separate dots are lines to write on: they leave the words and come back as rulings.
pub fn arrange(words: &mut Vec<Word>, rulings: &[Ruling], page_width: f32) -> Vec<Ruling> {
    let (mut upright, turned): (Vec<Word>, Vec<Word>) = words.drain(..).partition(|word| !word.turned);
    let leaders = in_order(rows(&mut upright), words, rulings, page_width);
    words.extend(turned);
    leaders
}

/// The same for words that are known to stand in one line, run by run: where the lines of a hand climb or fall, a word may
/// stand nearer to those of the next line than to its own.
pub fn arrange_runs(runs: Vec<Vec<Word>>, rulings: &[Ruling], page_width: f32) -> (Vec<Word>, Vec<Ruling>) {
    let mut words = Vec::new();
    let leaders = in_order(runs::rows(runs), &mut words, rulings, page_width);
    (words, leaders)
}

fn in_order(rows: Vec<Vec<Word>>, words: &mut Vec<Word>, rulings: &[Ruling], page_width: f32) -> Vec<Ruling> {
    let mut leaders = Vec::new();
    for part in in_columns(rows, rulings, page_width) {
        words.extend(tidy(part, &mut leaders));
    }
    leaders
}

/// Notes which words a ruling underlines or strikes out.
pub fn mark_underlines(words: &mut [Word], rulings: &[Ruling]) {
    let flat: Vec<&Rect> = rulings
        .iter()
        .filter(|ruling| ruling.direction == Direction::Horizontal)
        .map(|ruling| &ruling.place)
        .collect();
    for word in words.iter_mut().filter(|word| !word.turned) {
        let covers = |line: &Rect, share: f32| {
            line.x1.min(word.place.x1) - line.x0.max(word.place.x0) >= share * word.place.width()
        };
        let (mut under, mut through) = (false, false);
        for line in &flat {
            let below = ((line.y0 + line.y1) / 2.0 - word.baseline) / word.size.max(0.1);
            under |= (0.02..0.27).contains(&below) && covers(line, 0.6);
            let tight = line.width() < word.place.width() + 2.0 * word.size;
            through |= (-0.42..-0.15).contains(&below) && covers(line, 0.8) && tight;
        }
        word.underlined = under;
        word.crossed_out = through;
    }
}

/// True when two words stand side by side rather than one above the other.
fn same_row(core: &Rect, word: &Rect) -> bool {
    let overlap = core.y1.min(word.y1) - core.y0.max(word.y0);
    let (smaller, larger) = (core.height().min(word.height()), core.height().max(word.height()));
    if larger > 2.2 * smaller {
        // A headline or a tall sign beside small print: only the row that shares its foot joins it.
        return (core.y1 - word.y1).abs() < 0.6 * smaller;
    }
    overlap >= 0.5 * smaller
}

/// Rows from top to bottom, each from left to right.
fn rows(words: &mut Vec<Word>) -> Vec<Vec<Word>> {
    // Large words first, so that scripts join the row of the text they belong to.
    words.sort_by(|a, b| {
        let class = |word: &Word| -(word.size * 2.0).round();
        class(a).total_cmp(&class(b)).then(a.baseline.total_cmp(&b.baseline))
    });
    let mut rows: Vec<(Rect, Vec<Word>)> = Vec::new();
    for word in words.drain(..) {
        let overlap = |core: &Rect| core.y1.min(word.place.y1) - core.y0.max(word.place.y0);
        let home = rows
            .iter_mut()
            .filter(|(core, _)| same_row(core, &word.place))
            .max_by(|(a, _), (b, _)| overlap(a).total_cmp(&overlap(b)));
        match home {
            Some((_, row)) => row.push(word),
            None => rows.push((word.place, vec![word])),
        }
    }
    rows.sort_by(|(a, _), (b, _)| a.y1.total_cmp(&b.y1));
    let mut rows: Vec<Vec<Word>> = rows.into_iter().map(|(_, row)| row).collect();
    for row in &mut rows {
        row.sort_by(|a, b| a.place.x0.total_cmp(&b.place.x0));
    }
    rows
}

/// A stretch of a page that is set in two columns.
struct Columns {
    rows: Range<usize>,
    gutter: f32,
}

/// Splits rows where the page is set in two columns: the left column first, then the right.
fn in_columns(rows: Vec<Vec<Word>>, rulings: &[Ruling], page_width: f32) -> Vec<Vec<Word>> {
    let Some(columns) = find_columns(&rows, rulings, page_width) else { return rows };
    let (mut before, mut left, mut right, mut after) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, row) in rows.into_iter().enumerate() {
        if index < columns.rows.start {
            before.push(row);
        } else if index >= columns.rows.end {
            after.push(row);
        } else {
            let (on_left, on_right): (Vec<Word>, Vec<Word>) =
                row.into_iter().partition(|word| is_left_of(word, columns.gutter));
            left.push(on_left);
            right.push(on_right);
        }
    }
    before.into_iter().chain(left).chain(right).chain(after).filter(|row| !row.is_empty()).collect()
}

fn is_left_of(word: &Word, gutter: f32) -> bool {
    word.place.centre().0 <= gutter
}

/// Fewer rows than this side by side are a table or options, not columns.
const COLUMN_ROWS: usize = 8;
/// The least white between two columns, in points.
const GUTTER: f32 = 9.0;

/// How far beside a gutter the rulings of a table may end, in points.
const REACH: f32 = 30.0;

fn find_columns(rows: &[Vec<Word>], rulings: &[Ruling], page_width: f32) -> Option<Columns> {
    if let Some(parted) = parted_by_line(rows, rulings, page_width) {
        return Some(parted);
    }
    let candidates = (35..=65).map(|percent| page_width * percent as f32 / 100.0);
    let runs = candidates.flat_map(|gutter| clear_runs(rows, gutter, GUTTER));
    let columns = runs.filter(|run| is_two_columns(rows, run) && !is_ruled_table(rows, run, rulings, REACH));
    let columns: Vec<Columns> = columns.collect();
    let best = columns.iter().max_by_key(|run| run.rows.len())?;
    // A row or two, such as the page's number, may cross the gutter that keeps numbers with their text.
    let nearly = |run: &&Columns| run.rows.len() * 5 >= best.rows.len() * 4;
    let cuts = |run: &&Columns| hanging::are_cut(&rows[run.rows.clone()], run.gutter, GUTTER);
    let whole = columns.iter().filter(nearly).filter(|run| !cuts(run)).max_by_key(|run| run.rows.len());
    let kept = if cuts(&best) { whole.unwrap_or(best) } else { best };
    Some(Columns { rows: kept.rows.clone(), gutter: kept.gutter })
}

/// Columns that a line from top to bottom parts. White is not asked for, nor that most rows are sentences; but no
/// other line is as long, since those of a table come together.
fn parted_by_line(rows: &[Vec<Word>], rulings: &[Ruling], page_width: f32) -> Option<Columns> {
    /// Of the page's width.
    const LEAST: f32 = 0.4;
    /// A sign may hang over by so much, in points.
    const OVERHANG: f32 = 2.0;
    let upright = || rulings.iter().filter(|ruling| ruling.direction == Direction::Vertical);
    let line = upright().map(|ruling| &ruling.place).max_by(|a, b| a.height().total_cmp(&b.height()))?;
    let rivals = |other: &Ruling| {
        other.place.height() > 0.6 * line.height() && (other.place.x0 - line.x0).abs() > OVERHANG
    };
    if line.height() < LEAST * page_width || upright().any(rivals) {
        return None;
    }
    let gutter = (line.x0 + line.x1) / 2.0;
    if !(0.35..=0.65).contains(&(gutter / page_width)) {
        return None;
    }
    let beside =
        |row: &Vec<Word>| row.first().is_some_and(|word| line.y0 < word.place.y1 && word.place.y0 < line.y1);
    let is_columns = |run: &Columns| {
        let own = &rows[run.rows.clone()];
        let sides = own.iter().map(|row| row.split_at(row.partition_point(|word| is_left_of(word, gutter))));
        let (left, right): (Vec<&[Word]>, Vec<&[Word]>) = sides.unzip();
        let enough = |side: &[&[Word]]| {
            side.iter().filter(|words| words.len() >= 4 && is_packed(words)).count() >= COLUMN_ROWS / 2
        };
        // Lines to answer on end before the one between the columns; those of a table reach it.
        let tabled = is_ruled_table(rows, run, rulings, OVERHANG);
        own.iter().all(beside) && (enough(&left) || enough(&right)) && !tabled
    };
    let runs = clear_runs(rows, gutter, -2.0 * OVERHANG).into_iter();
    let trimmed = runs.map(|run| {
        let start = run.rows.clone().find(|index| beside(&rows[*index])).unwrap_or(run.rows.end);
        let end = run.rows.clone().rfind(|index| beside(&rows[*index])).map_or(start, |last| last + 1);
        Columns { rows: start..end, gutter }
    });
    let long = trimmed.filter(|run| run.rows.len() >= COLUMN_ROWS && is_columns(run));
    long.max_by_key(|run| run.rows.len())
}

/// The longest stretches of rows that no word crosses at the gutter, with so much white.
fn clear_runs(rows: &[Vec<Word>], gutter: f32, white: f32) -> Vec<Columns> {
    let crosses = |row: &Vec<Word>| {
        let touches =
            |word: &Word| word.place.x0 < gutter + white / 2.0 && word.place.x1 > gutter - white / 2.0;
        row.iter().any(touches)
    };
    let mut runs = Vec::new();
    let mut start = 0;
    for (index, row) in rows.iter().enumerate() {
        if crosses(row) {
            runs.push(start..index);
            start = index + 1;
        }
    }
    runs.push(start..rows.len());
    // A title in the right half stands above both columns.
    let on_left = |row: &Vec<Word>| row.first().is_some_and(|word| word.place.x1 <= gutter);
    let from_left = |run: Range<usize>| {
        run.start + rows[run.clone()].iter().take_while(|row| !on_left(row)).count()..run.end
    };
    let runs = runs.into_iter().map(from_left);
    runs.filter(|run| run.len() >= COLUMN_ROWS).map(|rows| Columns { rows, gutter }).collect()
}

/// True when both sides of the gutter hold running text.
fn is_two_columns(rows: &[Vec<Word>], run: &Columns) -> bool {
    let mut prose = [0; 2];
    let mut starts = [Vec::new(), Vec::new()];
    for row in &rows[run.rows.clone()] {
        let split = row.partition_point(|word| word.place.x1 <= run.gutter);
        for (side, words) in [&row[..split], &row[split..]].into_iter().enumerate() {
            if let Some(first) = words.first() {
                starts[side].push(first.place.x0);
            }
            prose[side] += usize::from(words.len() >= 4 && is_packed(words) && !is_product(words));
        }
    }
    let enough = |side: usize| prose[side] >= COLUMN_ROWS / 2 && prose[side] * 3 >= starts[side].len();
    let own = &rows[run.rows.clone()];
    let apart = (enough(0) && enough(1)) || counts_on(own, run.gutter);
    is_flush(&starts[1]) && apart && !letters_go_across(own, run.gutter)
}

/// True when options go on from left to right, row by row: "a) … b) …" beside "c) … d) …".
fn letters_go_across(rows: &[Vec<Word>], gutter: f32) -> bool {
    /// One row may do so by chance.
    const LEAST: usize = 2;
    const FIRST_CAPITAL: u32 = 'A' as u32;
    const FIRST_SMALL: u32 = 'a' as u32;
    let letter = |word: &Word| {
        let letter = word.text.strip_suffix([')', '.'])?.trim_start_matches('(');
        letter.parse::<char>().ok().filter(char::is_ascii_alphabetic).map(u32::from)
    };
    let across = |row: &&Vec<Word>| {
        let (left, right) = row.split_at(row.partition_point(|word| word.place.x1 <= gutter));
        let labels: Vec<u32> = left.iter().filter_map(letter).collect();
        let first =
            left.first().and_then(letter).filter(|first| matches!(*first, FIRST_CAPITAL | FIRST_SMALL));
        let next = right.first().and_then(letter).zip(labels.last());
        first.is_some() && next.is_some_and(|(next, last)| next == last + 1)
    };
    rows.iter().filter(across).count() >= LEAST
}

/// True when both sides are short lists and the right one counts on where the left one ends: "1. … 4." beside
/// "5. … 8.". Numbers that go on from left to right, row by row, are a table or options.
fn counts_on(rows: &[Vec<Word>], gutter: f32) -> bool {
    let number = |word: &Word| {
        let digits = word.text.trim_start_matches('Q').strip_suffix(['.', ')'])?;
        digits.parse::<u32>().ok().filter(|_| digits.len() <= 3)
    };
    let mut numbers = [Vec::new(), Vec::new()];
    let mut both = 0;
    for row in rows {
        let split = row.partition_point(|word| word.place.x1 <= gutter);
        let (left, right) = row.split_at(split);
        both += usize::from(!left.is_empty() && !right.is_empty());
        for (side, words) in [left, right].into_iter().enumerate() {
            numbers[side].extend(words.first().and_then(number));
        }
    }
    let [left, right] = numbers;
    let rises = |side: &[u32]| side.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let follows = left.last().zip(right.first()).is_some_and(|(last, first)| *first == last + 1);
    left.len() >= 2 && right.len() >= 2 && rises(&left) && rises(&right) && follows && both >= COLUMN_ROWS
}

/// "5 x 2p. = 10 points": marks beside what earns them.
fn is_product(words: &[Word]) -> bool {
    let number = |word: &Word| word.text.starts_with(|c: char| c.is_ascii_digit());
    let times = |word: &Word| matches!(word.text.as_str(), "x" | "×" | "*");
    matches!(words, [one, sign, other, ..] if number(one) && times(sign) && number(other))
}

/// True when words follow each other as in a sentence, without the wide gaps of a table.
fn is_packed(words: &[Word]) -> bool {
    let ink: f32 = words.iter().map(|word| word.place.width()).sum();
    let extent = words[words.len() - 1].place.x1 - words[0].place.x0;
    ink > 0.6 * extent
}

/// True when most lines of the column start at the same edge.
fn is_flush(starts: &[f32]) -> bool {
    let edge = starts.iter().copied().fold(f32::INFINITY, f32::min);
    let near = starts.iter().filter(|start| **start - edge < 40.0).count();
    near * 2 >= starts.len()
}

/// True when horizontal rulings go on from one side of the gutter to the other, as far from it as they may end.
///
/// Tables are often ruled cell by cell, so the two sides may be separate lines at one height.
fn is_ruled_table(rows: &[Vec<Word>], run: &Columns, rulings: &[Ruling], reach: f32) -> bool {
    let edge = |index: usize| rows.get(index).and_then(|row| row.first()).map_or(0.0, |word| word.place.y0);
    let (top, bottom) = (edge(run.rows.start) - 20.0, edge(run.rows.end - 1) + 20.0);
    let flat: Vec<&Rect> = rulings
        .iter()
        .filter(|ruling| {
            ruling.direction == Direction::Horizontal && (top..bottom).contains(&ruling.place.y0)
        })
        .map(|ruling| &ruling.place)
        .collect();
    let on_left = flat.iter().filter(|line| line.x0 < run.gutter - reach && line.x1 > run.gutter - reach);
    let goes_on = |line: &&&Rect| {
        let mate = |other: &&&Rect| {
            (other.y0 - line.y0).abs() < 2.0 && other.x0 < run.gutter + reach && other.x1 > run.gutter + reach
        };
        flat.iter().any(|other| mate(&other))
    };
    on_left.filter(goes_on).count() >= 2
}

/// Joins words that touch, drops repeats, and takes rows of dots out.
fn tidy(row: Vec<Word>, leaders: &mut Vec<Ruling>) -> Vec<Word> {
    let mut tidied: Vec<Word> = Vec::with_capacity(row.len());
    for word in row {
        match tidied.last_mut() {
            Some(last) if is_repeat(last, &word) => last.bold = true,
            _ => tidied.push(word),
        }
    }
    take_leaders(tidied, leaders)
}

/// True for the same word drawn again at nearly the same place: an outline or a poor man's bold.
fn is_repeat(last: &Word, word: &Word) -> bool {
    last.text == word.text
        && (last.place.x0 - word.place.x0).abs() < 0.2 * word.size
        && (last.baseline - word.baseline).abs() < 0.2 * word.size
}

/// As many separate dots in a row are a line to write on.
const DOTS: usize = 4;

fn take_leaders(row: Vec<Word>, leaders: &mut Vec<Ruling>) -> Vec<Word> {
    let is_dots = |word: &Word| word.text.chars().all(|dot| matches!(dot, '.' | '…' | '_' | '․'));
    if row.iter().filter(|word| is_dots(word)).count() < DOTS {
        return row;
    }
    let mut kept = Vec::with_capacity(row.len());
    let mut dots: Vec<Word> = Vec::new();
    let mut end_dots = |dots: &mut Vec<Word>, kept: &mut Vec<Word>| {
        let count: usize = dots.iter().map(|word| word.text.chars().count()).sum();
        if count < DOTS {
            kept.append(dots);
        } else if let (Some(first), Some(last)) = (dots.first(), dots.last()) {
            let baseline = first.baseline;
            let place =
                Rect { x0: first.place.x0, y0: baseline - 0.5, x1: last.place.x1, y1: baseline + 0.5 };
            leaders.push(Ruling { place, direction: Direction::Horizontal });
            dots.clear();
        }
    };
    for word in row {
        if is_dots(&word) {
            dots.push(word);
        } else {
            end_dots(&mut dots, &mut kept);
            kept.push(word);
        }
    }
    end_dots(&mut dots, &mut kept);
    kept
}
