//! Reads lines of text: each is cut out, laid flat, and read by the recognition network.

use super::ctc::{Alphabet, Letter, letters};
use super::fractions::{self, Fraction};
use super::network::{self, Maps, Network, Output};
use super::signs;
use crate::image::geometry::{Projection, Quad};
use crate::image::scale;
use crate::image::warp::warp;
use crate::page::Rect;
use image::RgbImage;
use std::cmp::Reverse;
use std::ops::Range;

/// The height at which the network sees a line.
pub(super) const HEIGHT: u32 = 48;
/// Shorter lines are padded to this, which the network was trained with.
const WIDTH_MIN: u32 = 160;
/// A longer strip is squeezed: no line of a page is that long, only rules and borders.
const WIDTH_MAX: u32 = 3200;
/// Pixels of the line for each step of the network's output.
const STEP: u32 = 8;
/// One pixel of padding for so many of the line: the last letters are read better when something follows them.
const PADDING: u32 = 12;

/// A line that is read less surely is looked at again...
const SURE: f32 = 0.96;
/// ...so many times as wide: who writes narrowly or runs letters together is read better so.
const WIDER: [f32; 2] = [1.2, 1.1];

/// A line laid flat and what was read on it.
#[derive(Debug)]
pub(super) struct Strip {
    /// The line, `HEIGHT` pixels high.
    pub(super) picture: RgbImage,
    /// Where it stands on the page's picture.
    pub(super) place: Quad,
    /// What was read, from left to right; places are in pixels of the strip.
    pub(super) letters: Vec<Letter>,
    /// Fractions that were laid out along it, from left to right.
    pub(super) fractions: Vec<Fraction>,
}

/// Cuts a line out of the picture and lays it flat.
pub(super) fn cut(picture: &RgbImage, place: &Quad) -> Option<Strip> {
    let (long, thick) = (place.width(), place.height());
    if long < 2.0 || thick < 2.0 {
        return None;
    }
    let width = ((long / thick * HEIGHT as f32).ceil() as u32).clamp(8, WIDTH_MAX);
    let to_source = Projection::between(&Quad::upright(width as f32, HEIGHT as f32), place)?;
    let picture = warp(picture, &to_source, width, HEIGHT);
    Some(Strip { picture, place: *place, letters: Vec::new(), fractions: Vec::new() })
}

/// A picture that is one line, and where it stands on the page.
pub(super) fn whole(picture: &RgbImage, place: &Rect) -> Option<Strip> {
    let strip = cut(picture, &Quad::upright(picture.width() as f32, picture.height() as f32))?;
    Some(Strip { place: Quad::from(*place), ..strip })
}

/// Reads every strip, each by itself: what is read on one depends on no other. Of several looks the surest counts.
pub(super) fn read(
    network: &Network,
    alphabet: &Alphabet,
    strips: &mut [Strip],
) -> Result<(), rten::RunError> {
    // Long ones first: the memory that they need serves all others.
    let mut strips: Vec<&mut Strip> = strips.iter_mut().collect();
    strips.sort_by_key(|strip| Reverse(strip.picture.width()));
    for strip in strips {
        let mut look = Look::of(network, alphabet, &strip.picture, 1.0)?;
        for stretch in WIDER {
            if look.letters.is_empty() || confidence(&look.letters) >= SURE {
                break;
            }
            let again = Look::of(network, alphabet, &strip.picture, stretch)?;
            if confidence(&again.letters) > confidence(&look.letters) {
                look = again;
            }
        }
        strip.letters.clone_from(&look.letters);
        signs::mend(strip, Some(&look.seen(alphabet)));
        strip.letters = fractions::settled(&strip.letters, &strip.fractions);
    }
    Ok(())
}

/// A look at a line.
pub(super) struct Look {
    pub(super) letters: Vec<Letter>,
    pub(super) output: Output,
    /// How many of the line's pixels a step of the output comes to.
    pub(super) step: f32,
}

impl Look {
    /// What is read on a line that is seen so many times as wide as it is.
    fn of(
        network: &Network,
        alphabet: &Alphabet,
        picture: &RgbImage,
        stretch: f32,
    ) -> Result<Look, rten::RunError> {
        let wide = (picture.width() as f32 * stretch).round() as u32;
        let width = padded(wide);
        let output = network.run(maps(&scale::rgb(picture, wide, HEIGHT), width))?;
        let step = width as f32 / alphabet.steps(&output).max(1) as f32 / stretch;
        let mut letters = letters(&output, alphabet);
        for letter in &mut letters {
            letter.step = (letter.step * step).min(picture.width() as f32);
        }
        Ok(Look { letters, output, step })
    }

    pub(super) fn seen<'l>(&'l self, alphabet: &'l Alphabet) -> Seen<'l> {
        Seen { look: self, alphabet }
    }
}

/// What else a line may say, by its pixels.
pub(super) struct Seen<'l> {
    look: &'l Look,
    alphabet: &'l Alphabet,
}

impl Seen<'_> {
    /// How likely a sign is at best between two columns; `None` where that is not known.
    pub(super) fn likelihood(&self, sign: &str, columns: Range<f32>) -> Option<f32> {
        self.alphabet.likelihood(&self.look.output, sign, self.steps(columns))
    }

    /// The letter or digit that is likeliest between two columns.
    pub(super) fn base(&self, columns: Range<f32>) -> Option<Letter> {
        let base = self.alphabet.likeliest_base(&self.look.output, self.steps(columns))?;
        Some(Letter { step: base.step * self.look.step, ..base })
    }

    fn steps(&self, columns: Range<f32>) -> Range<usize> {
        let start = (columns.start / self.look.step).max(0.0) as usize;
        start..((columns.end / self.look.step).ceil() as usize).max(start + 1)
    }
}

/// How surely a line is read: the mean over its letters.
pub(super) fn confidence<'l>(letters: impl IntoIterator<Item = &'l Letter>) -> f32 {
    let (sum, count) = letters
        .into_iter()
        .fold((0.0, 0.0f32), |(sum, count), letter| (sum + letter.confidence, count + 1.0));
    sum / count.max(1.0)
}

fn padded(width: u32) -> u32 {
    (width + width / PADDING).max(WIDTH_MIN).next_multiple_of(STEP)
}

/// Padding is the middle grey that the network knows as "nothing here".
fn maps(picture: &RgbImage, width: u32) -> Maps {
    let mut maps = Maps::new(1, HEIGHT as usize, width as usize, 3);
    for (x, y, pixel) in picture.enumerate_pixels() {
        let at = 3 * (y * width + x) as usize;
        maps.values[at..at + 3].copy_from_slice(&network::levels(pixel.0));
    }
    maps
}
