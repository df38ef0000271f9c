//! Layers for which pixels are worked on by themselves, some at a time.

use super::maps::{Maps, Spare};
use super::point::{Gemm, Pixels, Point, Room};
use rayon::prelude::*;

/// Pixels worked on at a time: what becomes of them stays near the processor.
const TILE: usize = 128;

/// One layer after the other, each pixel by itself; `beside` is added to what comes out.
pub(super) fn points(
    gemm: &Gemm,
    layers: &[Point],
    maps: &Maps,
    beside: Option<&Maps>,
    spare: &mut Spare,
) -> Option<Maps> {
    let last = layers.last()?;
    let mut out = spare.maps(maps.count, maps.height, maps.width, last.outputs);
    if beside.is_some_and(|beside| !out.is_like(beside)) {
        return None;
    }
    let tiles = maps.values.par_chunks(TILE * layers.first()?.inputs).enumerate();
    tiles.zip(out.values.par_chunks_mut(TILE * last.outputs)).try_for_each_init(
        Room::taken,
        |room, ((index, tile), out)| {
            let start = index * TILE * last.outputs;
            let beside = beside.map(|beside| &beside.values[start..start + out.len()]);
            let [firsts @ .., last] = layers else { return None };
            let (mut from, mut to) = (std::mem::take(&mut room.from), std::mem::take(&mut room.to));
            let count = tile.len() / firsts.first().unwrap_or(last).inputs;
            let (mut is_left, mut is_first) = (false, true);
            for (layer, next) in firsts.iter().zip(&layers[1..]) {
                let given = given(is_left, is_first, tile, &from);
                is_left = layer.leaves(next);
                if is_left {
                    layer.leave(gemm, given, room)?;
                } else {
                    to.resize(count * layer.outputs);
                    layer.run(gemm, given, &mut to, None, room)?;
                    std::mem::swap(&mut from, &mut to);
                }
                is_first = false;
            }
            let done = last.run(gemm, given(is_left, is_first, tile, &from), out, beside, room);
            (room.from, room.to) = (from, to);
            done
        },
    )?;
    Some(out)
}

/// What the next layer is given: what the one before left in the room or made, or the pixels themselves.
fn given<'p>(is_left: bool, is_first: bool, tile: &'p [f32], made: &'p [f32]) -> Pixels<'p> {
    match (is_left, is_first) {
        (true, _) => Pixels::Left,
        (false, true) => Pixels::Numbers(tile),
        (false, false) => Pixels::Numbers(made),
    }
}

/// A layer that makes a window of pixels of each: its channels are those of the window's pixels, row by row.
pub(super) fn spread(
    gemm: &Gemm,
    layer: &Point,
    (high, wide): (usize, usize),
    maps: &Maps,
    spare: &mut Spare,
) -> Option<Maps> {
    let channels = layer.outputs / (high * wide);
    let mut out = spare.maps(maps.count, maps.height * high, maps.width * wide, channels);
    let row = out.row();
    let rows = maps.values.par_chunks(maps.row().max(1));
    rows.zip(out.values.par_chunks_mut((row * high).max(1))).try_for_each_init(
        || (Room::default(), Vec::new()),
        |(room, made), (pixels, out)| {
            made.resize(maps.width * layer.outputs, 0.0);
            layer.run(gemm, Pixels::Numbers(pixels), made, None, room)?;
            for (x, pixel) in made.chunks_exact(layer.outputs).enumerate() {
                for (dy, part) in pixel.chunks_exact(wide * channels).enumerate() {
                    let start = dy * row + x * wide * channels;
                    out[start..start + wide * channels].copy_from_slice(part);
                }
            }
            Some(())
        },
    )?;
    Some(out)
}
