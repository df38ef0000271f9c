//! From a line's letters to words with places, strokes through them and the look of handwriting.

use super::ctc::Letter;
use super::hand::looks_handwritten;
use super::recognise::Strip;
use super::strike::{Struck, struck};
use crate::image::geometry::{Point, Projection, Quad};
use crate::image::ink::Ink;
use crate::page::{Rect, Word};

/// The share of a line's height, tails included, that its type size is.
const SIZE_OF_HEIGHT: f32 = 0.82;
/// The share of a line's height that stands above its baseline.
const BASELINE_OF_HEIGHT: f32 = 0.78;
/// A gap without a space is a space all the same when it is this share of the line's other spaces…
const SPACE_SHARE_MIN: f32 = 0.8;
/// …and this many times the usual gap between its letters.
const SPACE_OF_LETTER_GAP_MIN: f32 = 2.5;
/// A run of at least this many dots or strokes is a line to write on.
const LEADER_MIN: usize = 4;

/// The words of a line, in picture coordinates.
pub(super) fn words(strip: &Strip) -> Vec<Word> {
    let ink = Ink::of(&strip.picture);
    let strip_corners = Quad::upright(ink.width as f32, ink.height as f32);
    let Some(onto_page) = Projection::between(&strip_corners, &strip.place) else { return Vec::new() };
    let columns = InkColumns::of(&ink);
    let letters = with_missing_spaces(&strip.letters, &columns);
    let (top, bottom) = vertical_extent(&ink);
    let handwritten = looks_handwritten(strip, &ink);
    let rows = (top as usize, bottom as usize);
    let spelled = spelled(&letters);
    let (mut words, mut spans, mut strokes) = (Vec::new(), Vec::new(), Vec::new());
    for (index, letters) in spelled.iter().enumerate() {
        let before = index.checked_sub(1).map(|previous| &spelled[previous]);
        let (from, to) = reach(letters, before, spelled.get(index + 1), ink.width);
        let looked_at = |letters: &[Letter], from: usize, to: usize| {
            let (from, to) = columns.tightened(from, to);
            let (text, confidence) = (text(letters), confidence(letters));
            let stroke = struck(&ink, (from, to), rows, &text, confidence);
            (Word { text, confidence, ..Word::default() }, (from, to), stroke)
        };
        let mut pieces: Vec<_> =
            pieces(letters, from, to).map(|(letters, from, to)| looked_at(letters, from, to)).collect();
        // A stroke between two words is read as a hyphen where it strikes out one of them.
        if pieces.len() < 2 || pieces.iter().all(|(.., stroke)| *stroke != Struck::Yes) {
            pieces = vec![looked_at(letters, from, to)];
        }
        for (word, (from, to), stroke) in pieces.into_iter().filter(|(word, ..)| !is_leader(&word.text)) {
            let place = bounds(&onto_page, from as f32, top, to as f32, bottom);
            words.push(Word {
                size: place.height() * SIZE_OF_HEIGHT,
                baseline: place.y0 + place.height() * BASELINE_OF_HEIGHT,
                place,
                handwritten,
                ..word
            });
            spans.push((from, to));
            strokes.push(stroke);
        }
    }
    strike_on(&mut strokes, &spans);
    for (word, stroke) in words.iter_mut().zip(&strokes) {
        word.crossed_out = *stroke == Struck::Yes;
    }
    words
}

/// Strokes go on from struck words: to neighbours through which one may run, and over all words between two, where ink
/// leads all the way from the one to the other.
fn strike_on(strokes: &mut [Struck], spans: &[(usize, usize)]) {
    /// Columns without ink that a shaky stroke may leave.
    const BREAK_MAX: usize = 2;
    /// So many words of a stroke may have been missed; more, and it is two strokes.
    const BETWEEN_MAX: usize = 4;
    let joins = |left: usize| spans[left + 1].0 <= spans[left].1 + BREAK_MAX;
    let struck: Vec<usize> = (0..strokes.len()).filter(|index| strokes[*index] == Struck::Yes).collect();
    for ends in struck.windows(2) {
        let (from, to) = (ends[0], ends[1]);
        if to - from <= BETWEEN_MAX + 1 && (from..to).all(joins) {
            strokes[from..to].fill(Struck::Yes);
        }
    }
    for index in 1..strokes.len() {
        if strokes[index - 1] == Struck::Yes && strokes[index] == Struck::Perhaps && joins(index - 1) {
            strokes[index] = Struck::Yes;
        }
    }
    for index in (1..strokes.len()).rev() {
        if strokes[index] == Struck::Yes && strokes[index - 1] == Struck::Perhaps && joins(index - 1) {
            strokes[index - 1] = Struck::Yes;
        }
    }
}

/// Letters between spaces.
fn spelled(letters: &[Letter]) -> Vec<Vec<Letter>> {
    let groups = letters.split(|letter| letter.text.trim().is_empty());
    groups.filter(|group| !group.is_empty()).map(<[Letter]>::to_vec).collect()
}

/// Letters between hyphens, with the columns that they reach over.
fn pieces(letters: &[Letter], from: usize, to: usize) -> impl Iterator<Item = (&[Letter], usize, usize)> {
    let is_hyphen = |letter: &Letter| letter.text == "-";
    let mut at = 0;
    letters.split(is_hyphen).filter_map(move |piece| {
        let start = at;
        at += piece.len() + 1;
        let before = start.checked_sub(1).map_or(from, |hyphen| letters[hyphen].step as usize);
        let after = letters.get(start + piece.len()).map_or(to, |hyphen| hyphen.step as usize);
        (!piece.is_empty()).then_some((piece, before.max(from), after.min(to).max(before)))
    })
}

fn text(letters: &[Letter]) -> String {
    letters.iter().map(|letter| letter.text.as_str()).collect()
}

/// Half way to the neighbours on both sides.
fn reach(
    letters: &[Letter],
    before: Option<&Vec<Letter>>,
    after: Option<&Vec<Letter>>,
    width: usize,
) -> (usize, usize) {
    let first = letters.first().map_or(0.0, |letter| letter.step);
    let last = letters.last().map_or(0.0, |letter| letter.step);
    let from = before.and_then(|word| word.last()).map_or(0.0, |letter| f32::midpoint(letter.step, first));
    let to =
        after.and_then(|word| word.first()).map_or(width as f32, |letter| f32::midpoint(last, letter.step));
    (from as usize, (to.ceil() as usize).min(width))
}

/// The mean says how well the word was read, the minimum whether one of its letters is a guess.
fn confidence(letters: &[Letter]) -> f32 {
    let mean = letters.iter().map(|letter| letter.confidence).sum::<f32>() / letters.len().max(1) as f32;
    let least = letters.iter().map(|letter| letter.confidence).fold(1.0, f32::min);
    f32::midpoint(mean, least).clamp(0.0, 1.0)
}

fn is_leader(text: &str) -> bool {
    let count = text.chars().count();
    count >= LEADER_MIN
        && text.chars().all(|character| matches!(character, '.' | '_' | '…' | '·' | '-' | '—'))
}

fn bounds(onto_page: &Projection, x0: f32, y0: f32, x1: f32, y1: f32) -> Rect {
    let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Point::new(x, y));
    let (x0, y0, x1, y1) = Quad(corners).through(onto_page).bounds();
    Rect { x0, y0, x1, y1 }
}

/// The rows between which the line's ink lies; specks at the strip's edges belong to its neighbours.
fn vertical_extent(ink: &Ink) -> (f32, f32) {
    let needed = (ink.width / 100).max(2);
    let has_ink = |y: &usize| ink.row(*y).iter().filter(|mark| **mark).count() >= needed;
    let top = (0..ink.height).find(has_ink).unwrap_or(0);
    let bottom = (0..ink.height).rev().find(has_ink).map_or(ink.height, |row| row + 1);
    if bottom > top + 4 { (top as f32, bottom as f32) } else { (0.0, ink.height as f32) }
}

/// How much ink each column of a line holds.
struct InkColumns(Vec<usize>);

impl InkColumns {
    fn of(ink: &Ink) -> InkColumns {
        let mut columns = vec![0; ink.width];
        for y in 0..ink.height {
            for (column, mark) in columns.iter_mut().zip(ink.row(y)) {
                *column += usize::from(*mark);
            }
        }
        InkColumns(columns)
    }

    /// The widest stretch without ink between two places.
    fn widest_gap(&self, from: f32, to: f32) -> usize {
        let (mut widest, mut current) = (0, 0);
        let from = (from as usize).min(self.0.len());
        let to = (to as usize).clamp(from, self.0.len());
        for column in &self.0[from..to] {
            current = if *column == 0 { current + 1 } else { 0 };
            widest = widest.max(current);
        }
        widest
    }

    /// Without the empty columns at both ends.
    fn tightened(&self, from: usize, to: usize) -> (usize, usize) {
        let within = &self.0[from.min(to)..to];
        let first = within.iter().position(|column| *column > 0);
        let last = within.iter().rposition(|column| *column > 0);
        match (first, last) {
            (Some(first), Some(last)) if last > first => (from + first, from + last + 1),
            _ => (from, to),
        }
    }
}

/// Handwriting often has spaces that the network does not see; the ink shows them.
fn with_missing_spaces(letters: &[Letter], columns: &InkColumns) -> Vec<Letter> {
    let is_space = |letter: &Letter| letter.text.trim().is_empty();
    let mut letter_gaps = Vec::new();
    let mut space_gaps = Vec::new();
    for window in letters.windows(2).filter(|pair| !is_space(&pair[0]) && !is_space(&pair[1])) {
        letter_gaps.push(columns.widest_gap(window[0].step, window[1].step));
    }
    for window in letters.windows(3).filter(|three| is_space(&three[1])) {
        space_gaps.push(columns.widest_gap(window[0].step, window[2].step));
    }
    let (Some(letter_gap), Some(space_gap)) = (median(letter_gaps), median(space_gaps)) else {
        return letters.to_vec();
    };
    let least = (space_gap as f32 * SPACE_SHARE_MIN).max((letter_gap as f32 + 1.0) * SPACE_OF_LETTER_GAP_MIN);
    let mut complete: Vec<Letter> = Vec::with_capacity(letters.len());
    for letter in letters {
        if let Some(previous) = complete.last()
            && !is_space(previous)
            && !is_space(letter)
            && columns.widest_gap(previous.step, letter.step) as f32 >= least
        {
            let step = f32::midpoint(previous.step, letter.step);
            complete.push(Letter { text: " ".to_owned(), confidence: 1.0, step });
        }
        complete.push(letter.clone());
    }
    complete
}

fn median(mut values: Vec<usize>) -> Option<usize> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_under_one_stroke_are_struck_out_together() {
        let struck = |marks: &str, gap: usize| -> String {
            let stroke = |sign| match sign {
                'x' => Struck::Yes,
                '?' => Struck::Perhaps,
                _ => Struck::No,
            };
            let mut strokes: Vec<Struck> = marks.chars().map(stroke).collect();
            let spans: Vec<(usize, usize)> =
                (0..strokes.len()).map(|at| (at * 10, at * 10 + 10 - gap)).collect();
            strike_on(&mut strokes, &spans);
            strokes.iter().map(|stroke| if *stroke == Struck::Yes { 'x' } else { '.' }).collect()
        };
        assert_eq!(struck(".x...x.", 1), ".xxxxx.");
        assert_eq!(struck(".x...x.", 5), ".x...x.", "no ink leads from one to the other");
        assert_eq!(struck("x.....x", 1), "x.....x", "two strokes");
        assert_eq!(struck("??x?.?", 1), "xxxx..", "a stroke goes on to its neighbours");
        assert_eq!(struck("?x?", 5), ".x.");
    }

    #[test]
    fn a_word_is_parted_at_its_hyphens() {
        let letter = |(at, text): (usize, char)| Letter {
            text: text.to_string(),
            confidence: 1.0,
            step: 10.0 * at as f32 + 5.0,
        };
        let letters: Vec<Letter> = "-a-bc".chars().enumerate().map(letter).collect();
        let parted: Vec<(String, usize, usize)> =
            pieces(&letters, 0, 60).map(|(letters, from, to)| (text(letters), from, to)).collect();
        assert_eq!(parted, [("a".to_owned(), 5, 25), ("bc".to_owned(), 25, 60)]);
    }
}
