//! Fractions that are written one number over the other. A row of writing that holds some is laid out anew as one line,
//! numerator, stroke, denominator, so that it can be read like any other.

mod line;

use super::ctc::Letter;
use super::recognise::Strip;
use crate::image::ink::Ink;
use image::RgbImage;
use line::{clear, strip};

/// A bar is at least this long, in pixels.
const BAR_MIN: usize = 14;
/// A bar is at most this many times as long as letters are high...
const BAR_MAX: f32 = 7.0;
/// ...and this share of its length thick, with its climb.
const THICKNESS_MAX: f32 = 0.3;
/// Numbers stand this near to their bar, in heights of letters...
const GAP_MAX: f32 = 0.8;
/// ...reach this far beyond its ends...
const BEYOND_MAX: f32 = 0.4;
/// ...and at least one sign of each is so high.
const SIGN_MIN: f32 = 0.45;
/// Beside a numerator or denominator nothing else stands so near.
const ALONE: f32 = 0.45;
/// What stands this far from the height of the bar is in its row...
const ROW: f32 = 0.6;
/// ...when it is no further along it from what else is.
const ALONG: f32 = 2.5;
/// How sure a fraction is of which a number was not read.
const UNREAD: f32 = 0.2;

/// Where the two numbers of a fraction stand along a strip, in its pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fraction {
    over: (f32, f32),
    under: (f32, f32),
}

/// Ink that hangs together.
#[derive(Clone, Debug)]
struct Part {
    pixels: Vec<usize>,
    x0: usize,
    y0: usize,
    x1: usize,
    y1: usize,
}

/// A bar with what stands over and under it, as numbers of parts.
struct Stack {
    bar: usize,
    over: Vec<usize>,
    under: Vec<usize>,
}

/// What one row holds, from left to right.
enum Piece {
    Fraction(Stack),
    Text(usize),
}

/// Takes the rows with fractions out of a page: each becomes a strip to be read, and is white on the page.
pub(super) fn take_out(picture: &mut RgbImage, ink: &mut Ink) -> Vec<Strip> {
    let parts: Vec<Part> = ink.parts().into_iter().map(|pixels| Part::of(pixels, ink.width)).collect();
    let Some(height) = usual_height(&parts) else { return Vec::new() };
    let stacks = stacks(&parts, height);
    if stacks.is_empty() {
        return Vec::new();
    }
    let rows = rows(&parts, stacks, height);
    let strips = rows.iter().filter_map(|row| strip(picture, ink.width, &parts, row)).collect();
    let own = rows.iter().flatten().flat_map(Piece::parts);
    let pixels: Vec<usize> = own.flat_map(|part| parts[part].pixels.iter().copied()).collect();
    clear(picture, ink, &pixels);
    strips
}

impl Part {
    fn of(pixels: Vec<usize>, width: usize) -> Part {
        let start = Part { pixels: Vec::new(), x0: usize::MAX, y0: usize::MAX, x1: 0, y1: 0 };
        let mut part = pixels.iter().fold(start, |part, at| {
            let (x, y) = (at % width, at / width);
            Part {
                x0: part.x0.min(x),
                y0: part.y0.min(y),
                x1: part.x1.max(x + 1),
                y1: part.y1.max(y + 1),
                ..part
            }
        });
        part.pixels = pixels;
        part
    }

    fn width(&self) -> f32 {
        (self.x1 - self.x0) as f32
    }

    fn height(&self) -> f32 {
        (self.y1 - self.y0) as f32
    }

    fn middle(&self) -> (f32, f32) {
        (f32::midpoint(self.x0 as f32, self.x1 as f32), f32::midpoint(self.y0 as f32, self.y1 as f32))
    }

    fn is_bar(&self) -> bool {
        self.x1 - self.x0 >= BAR_MIN && self.height() <= (THICKNESS_MAX * self.width()).max(6.0)
    }

    /// How far apart the two are across the page; nothing when one stands over the other.
    fn apart(&self, other: &Part) -> f32 {
        (self.x0.max(other.x0) as f32 - self.x1.min(other.x1) as f32).max(0.0)
    }

    fn shares_rows(&self, other: &Part) -> bool {
        self.y0 < other.y1 && other.y0 < self.y1
    }

    fn union(&self, other: &Part) -> Part {
        Part {
            pixels: Vec::new(),
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }
}

impl Piece {
    fn parts(&self) -> Vec<usize> {
        match self {
            Piece::Fraction(Stack { bar, over, under }) => {
                [&[*bar], over.as_slice(), under.as_slice()].concat()
            }
            Piece::Text(part) => vec![*part],
        }
    }

    fn reach(&self, parts: &[Part]) -> Part {
        around(parts, &self.parts())
    }
}

fn around(parts: &[Part], own: &[usize]) -> Part {
    let first = parts[own[0]].union(&parts[own[0]]);
    own.iter().fold(first, |whole, part| whole.union(&parts[*part]))
}

/// How high digits and tall letters are: three quarters of the signs that are neither dots nor strokes are lower.
fn usual_height(parts: &[Part]) -> Option<f32> {
    let signs = parts.iter().filter(|part| !part.is_bar()).map(|part| part.y1 - part.y0);
    let mut heights: Vec<usize> = signs.filter(|height| *height >= 9).collect();
    heights.sort_unstable();
    heights.get(3 * heights.len() / 4).map(|height| *height as f32)
}

fn stacks(parts: &[Part], height: f32) -> Vec<Stack> {
    let bars = (0..parts.len()).filter(|bar| parts[*bar].is_bar() && parts[*bar].width() <= BAR_MAX * height);
    bars.filter_map(|bar| stack(parts, bar, height)).collect()
}

fn stack(parts: &[Part], bar: usize, height: f32) -> Option<Stack> {
    let stroke = &parts[bar];
    let beyond = BEYOND_MAX * height;
    let is_within = |part: &Part| {
        part.x0 as f32 >= stroke.x0 as f32 - beyond && part.x1 as f32 <= stroke.x1 as f32 + beyond
    };
    let others = || (0..parts.len()).filter(|other| *other != bar && is_within(&parts[*other]));
    let level = stroke.middle().1;
    let reach = GAP_MAX * height;
    // A number may be higher than letters are, but its foot or head is near the bar.
    let over: Vec<usize> = others()
        .filter(|part| {
            let foot = parts[*part].y1 as f32;
            foot <= level + 2.0 && stroke.y0 as f32 - foot <= reach
        })
        .collect();
    let under: Vec<usize> = others()
        .filter(|part| {
            let head = parts[*part].y0 as f32;
            head >= level - 2.0 && head - stroke.y1 as f32 <= reach
        })
        .collect();
    let is_number = |own: &[usize]| {
        let signs = || own.iter().map(|part| &parts[*part]);
        let is_written = signs().any(|part| part.height() >= SIGN_MIN * height);
        // Of an equals sign or between two lines a stroke has other strokes beside it.
        if !is_written || signs().any(|part| part.is_bar() && part.width() > 0.6 * stroke.width()) {
            return false;
        }
        let whole = around(parts, own);
        let is_alone = (0..parts.len()).all(|other| {
            other == bar || own.contains(&other) || !parts[other].shares_rows(&whole)
                || parts[other].apart(&whole) > ALONE * height
                // What stands in the row of the bar may be high.
                || (parts[other].middle().1 - level).abs() < 0.35 * height
        });
        let (middle, own) = (stroke.middle().0, whole.middle().0);
        is_alone && (middle - own).abs() <= 0.35 * stroke.width().max(0.5 * height)
    };
    (!over.is_empty() && !under.is_empty() && is_number(&over) && is_number(&under)).then_some(Stack {
        bar,
        over,
        under,
    })
}

/// Puts fractions and what stands beside them into rows.
fn rows(parts: &[Part], stacks: Vec<Stack>, height: f32) -> Vec<Vec<Piece>> {
    let mut taken = vec![false; parts.len()];
    let mut pieces: Vec<(f32, Piece)> = Vec::new();
    for stack in stacks {
        let own = Piece::Fraction(stack);
        // A bar within the number of another fraction is read with it, as well as it can be.
        if own.parts().iter().any(|part| taken[*part]) {
            continue;
        }
        own.parts().iter().for_each(|part| taken[*part] = true);
        let Piece::Fraction(Stack { bar, .. }) = &own else { continue };
        pieces.push((parts[*bar].middle().1, own));
    }
    let mut rows: Vec<Vec<Piece>> = Vec::new();
    while let Some((level, first)) = pieces.pop() {
        let mut row = vec![first];
        let mut reach = row[0].reach(parts);
        loop {
            let is_near = |whole: &Part, at: f32| {
                (at - level).abs() <= ROW * height && whole.apart(&reach) <= ALONG * height
            };
            let fraction = pieces.iter().position(|(at, piece)| is_near(&piece.reach(parts), *at));
            let text = (0..parts.len())
                .find(|part| !taken[*part] && is_near(&parts[*part], parts[*part].middle().1));
            let next = match (fraction, text) {
                (Some(at), _) => pieces.remove(at).1,
                (None, Some(part)) => Piece::Text(part),
                (None, None) => break,
            };
            next.parts().iter().for_each(|part| taken[*part] = true);
            reach = reach.union(&next.reach(parts));
            row.push(next);
        }
        row.sort_by_key(|piece| piece.reach(parts).x0);
        rows.push(row);
    }
    rows
}

/// What was read on a strip with its fractions as words: the stroke is known, spaces are none, sums stand in brackets.
pub(super) fn settled(letters: &[Letter], fractions: &[Fraction]) -> Vec<Letter> {
    let mut settled: Vec<Letter> = Vec::new();
    let mut rest = letters;
    for Fraction { over, under } in fractions {
        let before = rest.iter().take_while(|letter| letter.step < over.0).count();
        settled.extend_from_slice(&rest[..before]);
        let count = rest.iter().take_while(|letter| letter.step <= under.1).count();
        let own = &rest[before..count.max(before)];
        rest = &rest[count.max(before)..];
        let number = |(from, to): (f32, f32)| -> Vec<Letter> {
            let own = own.iter().filter(|letter| (from..=to).contains(&letter.step));
            own.filter(|letter| !letter.text.trim().is_empty()).cloned().collect()
        };
        let (numerator, denominator) = (number(*over), number(*under));
        let is_read = !numerator.is_empty() && !denominator.is_empty();
        let sure = if is_read { 1.0 } else { UNREAD };
        let space = |step: f32| Letter { text: " ".to_owned(), confidence: 1.0, step };
        if settled.last().is_some_and(|letter| !letter.text.trim().is_empty()) {
            settled.push(space(over.0));
        }
        settled.extend(bracketed(numerator));
        settled.push(Letter { text: "/".to_owned(), confidence: sure, step: f32::midpoint(over.1, under.0) });
        settled.extend(bracketed(denominator));
        if rest.first().is_some_and(|letter| !letter.text.trim().is_empty()) {
            settled.push(space(under.1));
        }
    }
    settled.extend_from_slice(rest);
    settled
}

fn bracketed(number: Vec<Letter>) -> Vec<Letter> {
    let is_sum =
        number.iter().skip(1).any(|letter| matches!(letter.text.as_str(), "+" | "-" | "−" | "–" | "±"));
    let (Some(first), Some(last), true) = (number.first(), number.last(), is_sum) else { return number };
    let bracket = |sign: &str, beside: &Letter| Letter { text: sign.to_owned(), ..beside.clone() };
    let (open, close) = (bracket("(", first), bracket(")", last));
    std::iter::once(open).chain(number.iter().cloned()).chain([close]).collect()
}
