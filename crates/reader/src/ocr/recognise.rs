//! Reads lines of text: each is cut out, laid flat, and read by the recognition network.

use super::ctc::{Alphabet, Letter, letters};
use super::fractions::{self, Fraction};
use super::network::Network;
use super::signs;
use crate::image::geometry::{Projection, Quad, warp};
use crate::page::Rect;
use image::RgbImage;
use rten_tensor::NdTensor;

/// The height at which the network sees a line.
pub(super) const HEIGHT: u32 = 48;
/// Shorter lines are padded to this, which the network was trained with.
const WIDTH_MIN: u32 = 160;
/// A longer strip is squeezed: no line of a page is that long, only rules and borders.
const WIDTH_MAX: u32 = 3200;
/// Pixels of the line for each step of the network's output.
const STEP: f32 = 8.0;
/// Lines read in one run.
const BATCH_MAX: usize = 8;
/// A run may pad its lines by this share at most, since padding costs as much as writing.
const PADDING_SHARE_MAX: f32 = 0.15;

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

/// Reads every strip, similar lengths together.
pub(super) fn read(
    network: &Network,
    alphabet: &Alphabet,
    strips: &mut [Strip],
) -> Result<(), rten::RunError> {
    let mut order: Vec<usize> = (0..strips.len()).collect();
    order.sort_by_key(|index| strips[*index].picture.width());
    let mut rest = order.as_slice();
    while let Some(first) = rest.first() {
        let shortest = padded(strips[*first].picture.width());
        let fits = |index: &&usize| {
            let width = padded(strips[**index].picture.width());
            width as f32 <= shortest as f32 * (1.0 + PADDING_SHARE_MAX)
        };
        let count = rest.iter().take(BATCH_MAX).take_while(fits).count().max(1);
        let (batch, later) = rest.split_at(count);
        read_batch(network, alphabet, strips, batch)?;
        rest = later;
    }
    Ok(())
}

fn padded(width: u32) -> u32 {
    width.max(WIDTH_MIN).next_multiple_of(STEP as u32)
}

fn read_batch(
    network: &Network,
    alphabet: &Alphabet,
    strips: &mut [Strip],
    batch: &[usize],
) -> Result<(), rten::RunError> {
    let width = batch.iter().map(|index| padded(strips[*index].picture.width())).max().unwrap_or(WIDTH_MIN);
    let likelihoods = network.run(tensor(
        batch.iter().map(|index| &strips[*index].picture),
        batch.len(),
        width as usize,
    ))?;
    let each = likelihoods.len() / batch.len();
    let step = width as f32 * alphabet.len() as f32 / each.max(1) as f32;
    for (index, likelihoods) in batch.iter().zip(likelihoods.chunks_exact(each.max(1))) {
        let strip = &mut strips[*index];
        strip.letters = letters(likelihoods, alphabet);
        for letter in &mut strip.letters {
            letter.step = (letter.step * step).min(strip.picture.width() as f32);
        }
        signs::mend(strip);
        strip.letters = fractions::settled(&strip.letters, &strip.fractions);
    }
    Ok(())
}

/// Padding is the middle grey that the network knows as "nothing here".
fn tensor<'a>(pictures: impl Iterator<Item = &'a RgbImage>, count: usize, width: usize) -> NdTensor<f32, 4> {
    let height = HEIGHT as usize;
    let plane = width * height;
    let mut data = vec![0.0; count * 3 * plane];
    for (index, picture) in pictures.enumerate() {
        for (x, y, pixel) in picture.enumerate_pixels() {
            for channel in 0..3 {
                let at = (index * 3 + channel) * plane + y as usize * width + x as usize;
                data[at] = f32::from(pixel.0[2 - channel]) / 127.5 - 1.0;
            }
        }
    }
    NdTensor::from_data([count, 3, height, width], data)
}
