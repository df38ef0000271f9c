//! Operators without weights: what several pixels or several maps have in common.

use super::curves::{Everywhere, Onto, Pairwise, Sums};
use super::maps::{Maps, Spare};
use super::window::{Window, inside};
use rten_simd::{Isa, SimdOp};

/// The mean of all pixels of each picture.
pub(super) fn mean(maps: &Maps) -> Maps {
    let mut out = Maps::new(maps.count, 1, 1, maps.channels);
    let (area, mut row) = ((maps.height * maps.width).max(1) as f32, vec![0.0; maps.channels]);
    for (picture, sums) in out.values.chunks_exact_mut(maps.channels.max(1)).enumerate() {
        // Row by row, so that small numbers are not lost in a large sum.
        for y in 0..maps.height {
            row.fill(0.0);
            Sums { pixels: maps.row_of(picture, y), sums: &mut row }.dispatch();
            sums.iter_mut().zip(&row).for_each(|(sum, row)| *sum += row);
        }
        sums.iter_mut().for_each(|sum| *sum /= area);
    }
    out
}

/// Both put together by a rule for which order is nothing, where one may have a single pixel that counts for all of the
/// other's.
pub(super) fn together<F: Fn(f32, f32) -> f32 + Copy>(
    one: &Maps,
    other: &Maps,
    rule: F,
    spare: &mut Spare,
) -> Option<Maps> {
    let (one, other) = if (one.height, one.width) == (1, 1) { (other, one) } else { (one, other) };
    if !fits(one, other) {
        return None;
    }
    let mut out = spare.like(one);
    if one.is_like(other) {
        Pairwise { values: &one.values, others: &other.values, rule, out: &mut out.values }.dispatch();
        return Some(out);
    }
    let size = one.height * one.row();
    let pictures = one.values.chunks_exact(size).zip(out.values.chunks_exact_mut(size));
    for ((pixels, out), each) in pictures.zip(other.values.chunks_exact(other.channels)) {
        Everywhere { pixels, each, rule, out }.dispatch();
    }
    Some(out)
}

/// True when both are of one size, or the other has a single pixel.
fn fits(one: &Maps, other: &Maps) -> bool {
    let is_single =
        (other.height, other.width) == (1, 1) && (one.count, one.channels) == (other.count, other.channels);
    one.is_like(other) || is_single && !one.values.is_empty()
}

/// The same where nobody else needs the first, and both are of one size: it becomes what comes out.
pub(super) fn onto<F: Fn(f32, f32) -> f32>(mut one: Maps, other: &Maps, rule: F) -> Option<Maps> {
    if !one.is_like(other) {
        return None;
    }
    Onto { values: &mut one.values, others: &other.values, rule }.dispatch();
    Some(one)
}

/// The largest number in each window.
pub(super) fn largest(maps: &Maps, window: &Window, spare: &mut Spare) -> Maps {
    let larger = |most: f32, value: f32| if value > most { value } else { most };
    pooled(maps, window, f32::NEG_INFINITY, larger, spare)
}

/// The mean in each window; windows lie wholly on the map.
pub(super) fn average(maps: &Maps, window: &Window, spare: &mut Spare) -> Maps {
    let mut out = pooled(maps, window, 0.0, |sum, value| sum + value, spare);
    let area = (window.size.0 * window.size.1) as f32;
    out.values.iter_mut().for_each(|value| *value /= area);
    out
}

fn pooled<F: Fn(f32, f32) -> f32 + Copy>(
    maps: &Maps,
    window: &Window,
    start: f32,
    rule: F,
    spare: &mut Spare,
) -> Maps {
    let ((height, width), (above, left)) = window.onto(maps);
    let mut out = spare.maps(maps.count, height, width, maps.channels);
    let channels = maps.channels.max(1);
    for (index, row) in out.values.chunks_exact_mut((width * channels).max(1)).enumerate() {
        let (picture, y) = (index / height, index % height * window.step.0);
        row.fill(start);
        for dy in inside(y, above, window.size.0, maps.height) {
            let from = maps.row_of(picture, y + dy - above);
            Pooling { row, from, channels, window, left, rule }.dispatch();
        }
    }
    out
}

/// A row of windows put together with a row of pixels.
struct Pooling<'p, F> {
    row: &'p mut [f32],
    from: &'p [f32],
    channels: usize,
    window: &'p Window,
    /// Columns that are added at the left.
    left: usize,
    rule: F,
}

impl<F: Fn(f32, f32) -> f32> SimdOp for Pooling<'_, F> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        let channels = self.channels;
        if self.window.step.1 == 1 {
            return self.shifted();
        }
        for (x, pixel) in self.row.chunks_exact_mut(channels).enumerate() {
            let x = x * self.window.step.1;
            for dx in inside(x, self.left, self.window.size.1, self.from.len() / channels) {
                let start = (x + dx - self.left) * channels;
                for (value, other) in pixel.iter_mut().zip(&self.from[start..start + channels]) {
                    *value = (self.rule)(*value, *other);
                }
            }
        }
    }
}

impl<F: Fn(f32, f32) -> f32> Pooling<'_, F> {
    /// Windows that go on by one pixel each: all windows' pixels of one column are a piece of the row.
    #[inline(always)]
    fn shifted(self) {
        let (width, seen) = (self.row.len() / self.channels, self.from.len() / self.channels);
        for dx in 0..self.window.size.1 {
            let (first, skipped) =
                (self.left.saturating_sub(dx).min(width), dx.saturating_sub(self.left).min(seen));
            let row = &mut self.row[first * self.channels..];
            for (value, other) in row.iter_mut().zip(&self.from[skipped * self.channels..]) {
                *value = (self.rule)(*value, *other);
            }
        }
    }
}

/// The channels of all, side by side.
pub(super) fn joined(all: &[&Maps], spare: &mut Spare) -> Option<Maps> {
    let first = *all.first()?;
    if all
        .iter()
        .any(|maps| (maps.count, maps.height, maps.width) != (first.count, first.height, first.width))
    {
        return None;
    }
    let channels = all.iter().map(|maps| maps.channels).sum();
    let mut out = spare.maps(first.count, first.height, first.width, channels);
    let mut start = 0;
    for maps in all {
        let pixels = out.values.chunks_exact_mut(channels.max(1));
        for (to, from) in pixels.zip(maps.values.chunks_exact(maps.channels.max(1))) {
            to[start..start + maps.channels].copy_from_slice(from);
        }
        start += maps.channels;
    }
    Some(out)
}

/// Each pixel so many times as high and as wide.
pub(super) fn enlarged(maps: &Maps, (high, wide): (usize, usize), spare: &mut Spare) -> Maps {
    let mut out = spare.maps(maps.count, maps.height * high, maps.width * wide, maps.channels);
    let (row, channels) = (out.row().max(1), maps.channels.max(1));
    for (rows, from) in
        out.values.chunks_exact_mut(row * high).zip(maps.values.chunks_exact(maps.row().max(1)))
    {
        let (first, others) = rows.split_at_mut(row);
        for (pixels, pixel) in first.chunks_exact_mut(wide * channels).zip(from.chunks_exact(channels)) {
            pixels.chunks_exact_mut(channels).for_each(|to| to.copy_from_slice(pixel));
        }
        others.chunks_exact_mut(row).for_each(|other| other.copy_from_slice(first));
    }
    out
}
