//! Signs that the network takes for others, told by their ink: the slanting stroke of a fraction, which it reads as a
//! one, small raised digits, which it reads as if they stood in the line, and the sign of division, which it reads as that
//! of a sum.

use super::ctc::Letter;
use super::recognise::Strip;
use crate::image::ink::Ink;

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

/// Ink that hangs together.
struct Part {
    x0: usize,
    x1: usize,
    y0: usize,
    y1: usize,
    pixels: Vec<usize>,
}

/// Mends what was read by the look of its ink.
pub(super) fn mend(strip: &mut Strip) {
    let is_digit = |letter: &Letter| letter.text.chars().all(|sign| sign.is_ascii_digit());
    if !strip.letters.iter().any(is_digit) {
        return;
    }
    let ink = Ink::of(&strip.picture);
    let parts: Vec<Part> = ink.parts().into_iter().map(|pixels| Part::of(pixels, ink.width)).collect();
    let owners: Vec<Option<usize>> = strip.letters.iter().map(|letter| owner(&parts, letter.step)).collect();
    for letter in strip.letters.iter_mut().filter(|letter| matches!(letter.text.as_str(), "+" | "-" | "−"))
    {
        if is_division(&parts, letter.step) {
            "÷".clone_into(&mut letter.text);
        }
    }
    for index in 1..strip.letters.len() {
        let (Some(own), Some(before)) = (owners[index], owners[index - 1]) else { continue };
        if own == before {
            continue;
        }
        let after = owners.get(index + 1).copied().flatten().filter(|after| *after != own);
        if let Some(after) = after
            && may_be_slash(&strip.letters[index])
            && [index - 1, index + 1].iter().all(|beside| is_term(&strip.letters[*beside]))
        {
            let lean = parts[own].lean(ink.width);
            let high = parts[before].height().max(parts[after].height());
            if lean >= SLANT_MIN && parts[own].is_stroke() && parts[own].height() >= HIGH_MIN * high {
                let letter = &mut strip.letters[index];
                letter.confidence = letter.confidence.min(if lean < SLASH_MIN { DOUBTFUL } else { 1.0 });
                if lean >= SLASH_MIN {
                    "/".clone_into(&mut letter.text);
                }
            }
        } else if is_digit(&strip.letters[index])
            && is_base(&strip.letters[index - 1])
            && parts[own].is_raised(&parts[before])
            && let Some(raised) = raised(&strip.letters[index].text)
        {
            strip.letters[index].text = raised;
        }
    }
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

fn may_be_slash(letter: &Letter) -> bool {
    matches!(letter.text.as_str(), "1" | "l" | "I" | "|" | "i" | "f" | "J")
}

/// What stands over or under the bar of a fraction.
fn is_term(letter: &Letter) -> bool {
    letter.text.chars().all(|sign| sign.is_ascii_digit())
}

/// What a power is raised over.
fn is_base(letter: &Letter) -> bool {
    letter.text.chars().all(|sign| sign.is_alphanumeric() && !"²³¹⁰⁴⁵⁶⁷⁸⁹".contains(sign) || sign == ')')
}

fn raised(digit: &str) -> Option<String> {
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

    fn height(&self) -> f32 {
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

    fn is_raised(&self, base: &Part) -> bool {
        let end = (self.y1 as f32 - base.y0 as f32) / base.height().max(1.0);
        // Something that is itself low says nothing: a dash, a dot.
        end <= RAISED_END && self.height() <= RAISED_MAX * base.height() && base.height() >= 10.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::geometry::Quad;
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
        mend(&mut strip);
        (strip.letters.iter().map(|letter| letter.text.as_str()).collect(), strip.letters[1].confidence)
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
            mend(&mut strip);
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
