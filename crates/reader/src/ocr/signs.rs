//! Signs that the network takes for others, told by their ink: the slanting stroke of a fraction, which it reads as a
//! one, small raised digits, which it reads as if they stood in the line, and the sign of division, which it reads as that
//! of a sum.

use super::ctc::Letter;
use super::recognise::{Seen, Strip};
use super::unread;
use crate::image::ink::Ink;
use std::ops::Range;

/// A stroke that leans by this much to the right, of its height, is that of a fraction...
const SLASH_MIN: f32 = 0.32;
/// ...and by so much it may be.
const SLANT_MIN: f32 = 0.22;
/// A stroke is at most this share of its height thick.
const THICK_MAX: f32 = 0.3;
/// It is at least as high as the digits beside it, by this share.
const HIGH_MIN: f32 = 0.85;
/// How sure a sign is that may be another.
const DOUBTFUL: f32 = 0.4;
/// A raised digit ends above this share of the height of what it is raised over...
const RAISED_END: f32 = 0.6;
/// ...and is at most this share of its height high.
const RAISED_MAX: f32 = 0.75;

/// The bar between two dots is at least so many times as wide as high.
const BAR_MIN: f32 = 1.8;

/// A stroke between digits of which the network says this much that it is a fraction's leans a little, too...
const SLASH_LIKELY: f32 = 0.03;
/// ...and so much needs no look at it.
const SLASH_SURE: f32 = 0.08;
/// A digit of which it says this much that it is a small raised one...
const RAISED_LIKELY: f32 = 0.03;
/// ...does not reach the line...
const RAISED_END_MAX: f32 = 0.85;
/// ...and one of which it says this much needs no look at it, for it may have run into what is under it...
const RAISED_SURE: f32 = 0.05;
/// ...and one of which it says less than this is none, whatever its ink.
const RAISED_UNLIKELY: f32 = 0.004;
/// The sign of a sum between numbers divides when it is this likely...
const DIVISION_MIN: f32 = 0.045;
/// ...and with what else a blurred sign of division looks like this.
const NO_SUM_MIN: f32 = 0.1;
/// How far a letter's columns reach to each side, in pixels of a line that is 48 high.
const REACH: f32 = 12.0;

/// Ink that hangs together.
pub(super) struct Part {
    pub(super) x0: usize,
    pub(super) x1: usize,
    y0: usize,
    y1: usize,
    pixels: Vec<usize>,
}

/// Mends what was read by the look of its ink, and by what else the network sees there.
pub(super) fn mend(strip: &mut Strip, seen: Option<&Seen<'_>>) {
    let is_digit = |letter: &Letter| letter.text.chars().all(|sign| sign.is_ascii_digit());
    if !strip.letters.iter().any(is_digit) {
        return;
    }
    let ink = Ink::of_line(&strip.picture);
    let parts: Vec<Part> = ink.parts().into_iter().map(|pixels| Part::of(pixels, ink.width)).collect();
    if let Some(seen) = seen.filter(|_| strip.fractions.is_empty()) {
        unread::fill(&mut strip.letters, &parts, seen);
    }
    let likelihood = |index: usize, sign: &str| seen?.likelihood(sign, columns(&strip.letters, index));
    // Ink that several letters share says too little by itself.
    let parts_letters = likelihood(0, "1").is_some();
    let own = pieces(&parts, &strip.letters, ink.width, parts_letters);
    let mut mended: Vec<(usize, String, f32)> = Vec::new();
    for (index, letter) in strip.letters.iter().enumerate() {
        let is_plus = matches!(letter.text.as_str(), "+" | "±" | "≠");
        let is_likely = || {
            let likely = |sign: &str| likelihood(index, sign).unwrap_or_default();
            let division = likely("÷");
            division >= DIVISION_MIN && division + likely("±") + likely("≠") >= NO_SUM_MIN
        };
        if is_plus && is_between_numbers(&strip.letters, index) && is_likely() {
            mended.push((index, "÷".to_owned(), DOUBTFUL));
        } else if matches!(letter.text.as_str(), "+" | "-" | "−") && is_division(&parts, letter.step) {
            mended.push((index, "÷".to_owned(), 1.0));
        }
    }
    for index in 1..strip.letters.len() {
        let letter = &strip.letters[index];
        let (piece, before) = (own[index].as_ref(), own[index - 1].as_ref());
        let is_between = |letters: &[Letter]| {
            letters.get(index + 1).is_some_and(|after| is_term(after) && is_term(&letters[index - 1]))
        };
        if may_be_slash(letter) && is_between(&strip.letters) {
            let likely = likelihood(index, "/").unwrap_or_default();
            let high = [before, own[index + 1].as_ref()].into_iter().flatten().map(Part::height);
            let high = high.fold(0.0, f32::max);
            let lean = piece.map_or(0.0, |piece| piece.lean(ink.width));
            let is_stroke = lean >= SLANT_MIN
                && piece.is_some_and(|piece| piece.is_stroke() && piece.height() >= HIGH_MIN * high);
            let is_likely = likely >= SLASH_SURE || likely >= SLASH_LIKELY && lean >= SLANT_MIN / 2.0;
            if is_likely || is_stroke && lean >= SLASH_MIN {
                mended.push((index, "/".to_owned(), 1.0));
            } else if is_stroke {
                mended.push((index, letter.text.clone(), DOUBTFUL));
            }
        } else if is_digit(letter)
            && is_base(&strip.letters[index - 1])
            && let Some(small) = raised(&letter.text)
        {
            let ink_says = |says: &dyn Fn(&Part, &Part) -> bool| {
                piece.zip(before).is_some_and(|(piece, before)| says(piece, before))
            };
            let is_raised = match likelihood(index, &small) {
                Some(likely) if likely >= RAISED_SURE => true,
                Some(likely) if likely >= RAISED_LIKELY => {
                    ink_says(&|piece, before| piece.ends(before) <= RAISED_END_MAX)
                }
                Some(likely) if likely < RAISED_UNLIKELY => false,
                _ => ink_says(&Part::is_raised),
            };
            if is_raised {
                mended.push((index, small, 1.0));
            }
        }
    }
    for (index, text, confidence) in mended {
        let letter = &mut strip.letters[index];
        letter.confidence = letter.confidence.min(confidence);
        letter.text = text;
    }
}

/// The columns that are a letter's alone.
fn columns(letters: &[Letter], index: usize) -> Range<f32> {
    let step = letters[index].step;
    let reach =
        |other: Option<&Letter>| other.map_or(REACH, |other| ((other.step - step).abs() / 2.0).min(REACH));
    step - reach(index.checked_sub(1).and_then(|before| letters.get(before)))
        ..step + reach(letters.get(index + 1))
}

/// True for a sign with a number on both sides, or what stands in brackets.
fn is_between_numbers(letters: &[Letter], index: usize) -> bool {
    let is_space = |letter: &&Letter| letter.text == " ";
    let before = letters[..index].iter().rev().find(|letter| !is_space(letter));
    let after = letters[index + 1..].iter().find(|letter| !is_space(letter));
    let is_number = |letter: &Letter, bracket: &str| is_term(letter) || letter.text == bracket;
    before.is_some_and(|before| is_number(before, ")")) && after.is_some_and(|after| is_number(after, "("))
}

/// For each letter the ink that it stands on; where several stand on ink that hangs together, each has the columns that
/// are nearer to it than to the others.
fn pieces(parts: &[Part], letters: &[Letter], width: usize, parts_letters: bool) -> Vec<Option<Part>> {
    let owners: Vec<Option<usize>> = letters.iter().map(|letter| owner(parts, letter.step)).collect();
    let shares = |index: usize, other: Option<usize>| {
        other.filter(|other| owners.get(*other).is_some_and(|own| *own == owners[index]))
    };
    let piece = |index: usize| {
        let part = &parts[owners[index]?];
        let half_way =
            |other: usize| thinnest(part, f32::midpoint(letters[index].step, letters[other].step), width);
        let start = shares(index, index.checked_sub(1)).map_or(0, half_way);
        let end = shares(index, Some(index + 1)).map_or(width, half_way);
        let own = part.pixels.iter().copied().filter(|at| (start..end).contains(&(at % width)));
        let own: Vec<usize> = own.collect();
        (!own.is_empty() && (parts_letters || own.len() == part.pixels.len())).then(|| Part::of(own, width))
    };
    (0..letters.len()).map(piece).collect()
}

/// The part of ink that a letter's middle lies on: the highest one there.
fn owner(parts: &[Part], step: f32) -> Option<usize> {
    let holds = |part: &&(usize, &Part)| (part.1.x0 as f32..part.1.x1 as f32).contains(&step);
    let all: Vec<(usize, &Part)> = parts.iter().enumerate().collect();
    all.iter().filter(holds).max_by_key(|(_, part)| part.y1 - part.y0).map(|(index, _)| *index)
}

/// True for a bar with a dot above its middle and one below.
fn is_division(parts: &[Part], step: f32) -> bool {
    let holds = |part: &&Part| (part.x0 as f32 - 1.0..part.x1 as f32 + 1.0).contains(&step);
    let own: Vec<&Part> = parts.iter().filter(holds).collect();
    let Some(bar) = own.iter().max_by_key(|part| part.x1 - part.x0) else { return false };
    let (wide, high) = ((bar.x1 - bar.x0) as f32, bar.height());
    let is_dot = |part: &&&Part| {
        let middle = f32::midpoint(part.x0 as f32, part.x1 as f32);
        let is_small = ((part.x1 - part.x0) as f32).max(part.height()) <= wide / 2.0 && part.height() >= 2.0;
        is_small && (middle - f32::midpoint(bar.x0 as f32, bar.x1 as f32)).abs() <= wide / 4.0
    };
    let near = |from: usize, to: usize| (to.saturating_sub(from) as f32) <= wide / 2.0;
    let dots: Vec<&&Part> = own.iter().filter(is_dot).collect();
    wide >= BAR_MIN * high
        && dots.iter().any(|dot| dot.y1 <= bar.y0 && near(dot.y1, bar.y0))
        && dots.iter().any(|dot| dot.y0 >= bar.y1 && near(bar.y1, dot.y0))
}

/// The column near a place where ink that hangs together is thinnest: steps do not say quite where letters end.
fn thinnest(part: &Part, place: f32, width: usize) -> usize {
    const NEAR: usize = 3;
    let mut counts = [0_usize; 2 * NEAR + 1];
    let start = (place as usize).saturating_sub(NEAR);
    for at in &part.pixels {
        if let Some(count) = (at % width).checked_sub(start).and_then(|column| counts.get_mut(column)) {
            *count += 1;
        }
    }
    let middle = counts.len() / 2;
    let thinnest = (0..counts.len()).min_by_key(|at| (counts[*at], at.abs_diff(middle))).unwrap_or(middle);
    start + thinnest
}

fn may_be_slash(letter: &Letter) -> bool {
    matches!(letter.text.as_str(), "1" | "l" | "I" | "|" | "i" | "f" | "J")
}

/// What stands over or under the bar of a fraction.
fn is_term(letter: &Letter) -> bool {
    letter.text.chars().all(|sign| sign.is_ascii_digit())
}

/// What a power is raised over.
pub(super) fn is_base(letter: &Letter) -> bool {
    letter.text.chars().all(|sign| sign.is_alphanumeric() && !"²³¹⁰⁴⁵⁶⁷⁸⁹".contains(sign) || sign == ')')
}

pub(super) fn raised(digit: &str) -> Option<String> {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let value = digit.chars().next()?.to_digit(10)?;
    Some(RAISED[value as usize].to_string())
}

impl Part {
    fn of(pixels: Vec<usize>, width: usize) -> Part {
        let columns = || pixels.iter().map(|at| at % width);
        let rows = || pixels.iter().map(|at| at / width);
        let (x0, x1) = (columns().min().unwrap_or(0), columns().max().map_or(0, |x| x + 1));
        let (y0, y1) = (rows().min().unwrap_or(0), rows().max().map_or(0, |y| y + 1));
        Part { x0, x1, y0, y1, pixels }
    }

    pub(super) fn height(&self) -> f32 {
        (self.y1 - self.y0) as f32
    }

    /// How far its upper end stands to the right of its lower end, of its height.
    fn lean(&self, width: usize) -> f32 {
        let third = (self.y1 - self.y0).div_ceil(3);
        let mean = |rows: std::ops::Range<usize>| {
            let own =
                self.pixels.iter().filter(|at| rows.contains(&(*at / width))).map(|at| (at % width) as f32);
            let (sum, count) = own.fold((0.0, 0.0f32), |(sum, count), x| (sum + x, count + 1.0));
            sum / count.max(1.0)
        };
        let (upper, lower) = (mean(self.y0..self.y0 + third), mean(self.y1 - third..self.y1));
        (upper - lower) / (2.0 * third as f32).max(1.0)
    }

    /// True when it is as thin everywhere as a pen's stroke.
    fn is_stroke(&self) -> bool {
        let thick = self.pixels.len() as f32 / self.height().max(1.0);
        thick <= THICK_MAX * self.height()
    }

    /// How far down it reaches, of the height of what it may be raised over.
    fn ends(&self, base: &Part) -> f32 {
        (self.y1 as f32 - base.y0 as f32) / base.height().max(1.0)
    }

    pub(super) fn is_raised(&self, base: &Part) -> bool {
        // Something that is itself low says nothing: a dash, a dot.
        self.ends(base) <= RAISED_END && self.height() <= RAISED_MAX * base.height() && base.height() >= 10.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::geometry::Quad;
    use crate::ocr::ctc::Alphabet;
    use crate::ocr::network::Output;
    use crate::ocr::recognise::Look;
    use image::{Rgb, RgbImage};

    fn letter(text: &str, step: f32) -> Letter {
        Letter { text: text.to_owned(), confidence: 0.95, step }
    }

    /// Two blocks as digits with a stroke between them that leans to the right, and a small block high beside them.
    fn strip(lean: f32) -> Strip {
        let picture = RgbImage::from_fn(120, 48, |x, y| {
            let block = |from: u32, to: u32| (from..to).contains(&x) && (8..40).contains(&y);
            let middle = 50.0 + lean * (24.0 - y as f32);
            let stroke = (6..42).contains(&y) && (x as f32 - middle).abs() < 2.0;
            let small = (90..98).contains(&x) && (6..20).contains(&y);
            Rgb([if block(10, 26) || block(70, 86) || stroke || small { 30 } else { 245 }; 3])
        });
        let letters = vec![letter("9", 18.0), letter("1", 50.0), letter("6", 78.0), letter("2", 94.0)];
        Strip { picture, place: Quad::upright(120.0, 48.0), letters, fractions: Vec::new() }
    }

    fn mended(lean: f32) -> (String, f32) {
        let mut strip = strip(lean);
        mend(&mut strip, None);
        (strip.letters.iter().map(|letter| letter.text.as_str()).collect(), strip.letters[1].confidence)
    }

    /// A line of blocks, mended with what the network says of some of its steps beside what it read.
    fn mended_with(
        blocks: &[(Range<u32>, Range<u32>)],
        read: &[(&str, f32)],
        beside: &[(usize, &str, f32)],
    ) -> String {
        const SIGNS: [&str; 9] = ["", "2", "²", "+", "÷", "±", "1", "/", "x"];
        let picture = RgbImage::from_fn(120, 48, |x, y| {
            let is_ink = blocks.iter().any(|(columns, rows)| columns.contains(&x) && rows.contains(&y));
            Rgb([if is_ink { 30 } else { 245 }; 3])
        });
        let letters: Vec<Letter> = read.iter().map(|(text, step)| letter(text, *step)).collect();
        let mut rows = vec![[0.001; SIGNS.len()]; 15];
        for (step, sign, likelihood) in beside {
            let class = SIGNS.iter().position(|other| other == sign).unwrap();
            rows[*step][class] = *likelihood;
        }
        let alphabet = Alphabet::new(SIGNS.map(str::to_owned).to_vec());
        let look = Look { letters: letters.clone(), output: Output::Numbers(rows.concat()), step: 8.0 };
        let mut strip = Strip { picture, place: Quad::upright(120.0, 48.0), letters, fractions: Vec::new() };
        mend(&mut strip, Some(&look.seen(&alphabet)));
        strip.letters.iter().map(|letter| letter.text.as_str()).collect()
    }

    #[test]
    fn a_raised_digit_that_blurs_into_its_base_is_told_by_what_the_network_says_beside() {
        // A three with a small two that touches it, then one of full height.
        let joined = [(10..26, 8..40), (26..36, 6..22)];
        let read = [("3", 18.0), ("2", 31.0)];
        assert_eq!(mended_with(&joined, &read, &[(3, "²", 0.04)]), "3²");
        assert_eq!(mended_with(&joined, &read, &[]), "32", "the network is sure of it");
        assert_eq!(mended_with(&[(10..26, 8..40), (26..36, 6..40)], &read, &[(3, "²", 0.04)]), "32");
    }

    #[test]
    fn a_blurred_sign_of_division_or_of_a_fraction_is_told_so_too() {
        let blocks = [(10..26, 8..40), (44..56, 18..30), (70..86, 8..40)];
        let sum = [("2", 18.0), ("+", 50.0), ("2", 78.0)];
        let beside = [(6, "÷", 0.06), (6, "±", 0.05)];
        assert_eq!(mended_with(&blocks, &sum, &beside), "2÷2");
        assert_eq!(mended_with(&blocks, &sum, &[(6, "÷", 0.01)]), "2+2");
        let letters = [("2", 18.0), ("+", 50.0), ("x", 78.0)];
        assert_eq!(mended_with(&blocks, &letters, &beside), "2+x", "no number after it");
        let one = [("2", 18.0), ("1", 50.0), ("2", 78.0)];
        assert_eq!(mended_with(&blocks, &one, &[(6, "/", 0.4)]), "2/2");
        assert_eq!(mended_with(&blocks, &one, &[(6, "/", 0.02)]), "212");
    }

    #[test]
    fn letters_that_were_passed_over_are_read_after_all() {
        let blocks = [(10..24, 16..40), (25..32, 8..22), (70..86, 8..40)];
        let beside = [(2, "x", 0.3), (3, "2", 0.09), (3, "²", 0.05)];
        assert_eq!(mended_with(&blocks, &[("2", 78.0)], &beside), "x²2");
        assert_eq!(mended_with(&blocks, &[("2", 78.0)], &[]), "2", "nothing is likely there");
        assert_eq!(mended_with(&blocks, &[("x", 24.0), ("2", 78.0)], &beside), "x²2", "the power alone");
        let late = [("x", 20.0), ("2", 46.0)];
        let beside_it = [(4, "2", 0.2), (4, "²", 0.06)];
        assert_eq!(mended_with(&blocks, &late, &beside_it), "x²", "raised, and not once more");
        let whole = [("x", 20.0), ("²", 30.0), ("2", 78.0)];
        assert_eq!(mended_with(&blocks, &whole, &beside), "x²2", "it is there already");
    }

    #[test]
    fn a_bar_between_two_dots_divides() {
        let read = |dots: u32, is_crossed: bool| {
            let picture = RgbImage::from_fn(120, 48, |x, y| {
                let block = |from: u32, to: u32| (from..to).contains(&x) && (8..40).contains(&y);
                let bar = (42..58).contains(&x) && (23..26).contains(&y);
                let dot = (48..52).contains(&x)
                    && [14, 31].iter().take(dots as usize).any(|top| (*top..top + 4).contains(&y));
                let cross = is_crossed && (48..51).contains(&x) && (16..33).contains(&y);
                Rgb([if block(10, 26) || block(70, 86) || bar || dot || cross { 30 } else { 245 }; 3])
            });
            let letters = vec![letter("9", 18.0), letter("+", 50.0), letter("6", 78.0)];
            let mut strip =
                Strip { picture, place: Quad::upright(120.0, 48.0), letters, fractions: Vec::new() };
            mend(&mut strip, None);
            strip.letters.iter().map(|letter| letter.text.as_str()).collect::<String>()
        };
        assert_eq!(
            (read(2, false), read(1, false), read(2, true)),
            ("9÷6".into(), "9+6".into(), "9+6".into())
        );
    }

    #[test]
    fn a_slanting_stroke_is_a_fraction_and_a_raised_digit_a_power() {
        assert_eq!(mended(0.45).0, "9/6²");
        assert_eq!(mended(0.0), ("916²".to_owned(), 0.95));
        assert_eq!(mended(0.27), ("916²".to_owned(), DOUBTFUL), "it may be either");
    }
}
