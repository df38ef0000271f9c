//! Circles of any size: what edges vote for, and what is bright outside and darker at its rim all around.

use super::Spot;
use super::grey::Grey;
use super::rays::{self, Levels, REACHES, RIM, Rays};
use rten_simd::{Isa, SimdOp};
use std::collections::HashMap;

/// Radii that are looked for, in pixels.
pub(super) const RADII: &[f32] = &[
    4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.5, 18.0, 20.0,
    22.0,
];
/// An edge is at least so steep, in levels over two pixels...
const EDGE_MIN: f32 = 6.0;
/// ...and so many times as steep as what most of the sheet is: the grain of a photo has no rims.
const GRAINS_MIN: f32 = 2.5;
/// Every so manieth pixel shows how coarse the grain is. It shares no divisor with usual widths.
const GRAIN_STEP: usize = 13;
/// More edges than a sheet of two hundred questions has; what is beyond is a photo of something else.
const EDGES_MAX: usize = 600_000;
/// Of eight directions, votes must come from so many.
const DIRECTIONS_MIN: u32 = 6;
/// Votes that a middle needs, as a share of the circle's length.
pub(super) const VOTES_MIN: f32 = 0.35;
/// Directions are looked at so many apart, for neighbours are alike. It has no divisor in common with their number.
const SPREAD: usize = 5;
/// Directions in which it may get no brighter outwards.
const FALLING_MAX: usize = 1;
/// In half of the directions, the worse one, it gets brighter outwards by so many levels...
const STEEP_MIN: f32 = 4.0;
/// ...or by so many where a circle must be...
pub(super) const STEEP_FAINT_MIN: f32 = 1.2;
/// ...and by this share of what it does in all: print that is no circle has gaps.
const STEEP_EVEN_MIN: f32 = 0.55;
/// A circle that is steeper is not clearer for it.
pub(super) const STEEP_CLEAR: f32 = 25.0;
/// Circles of a block differ in their radius by so many pixels at most.
const SIZE_OFF_MAX: f32 = 0.6;
/// Circles that are looked at; a sheet of 200 questions with 5 options has 1000.
const CIRCLES_MAX: usize = 6000;
/// Two circles of which one lies within the other are one: the one that speaks more clearly.
const APART: f32 = 0.9;

/// A circle on the sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circle {
    pub(super) at: Spot,
    pub(super) radius: f32,
    /// How much brighter it is right outside the rim than right inside, in levels.
    pub(super) steep: f32,
}

/// An edge and the direction in which it gets brighter, in parts of a pixel: every edge votes for every radius.
struct Edge {
    at: (i32, i32),
    towards: (i32, i32),
    /// The same as one of eight bits.
    direction: u8,
}

/// Bits behind the point of an edge's place: before it there is room for pictures of 32,768 pixels.
const PART_BITS: u32 = 16;

/// As many parts of a pixel as come nearest.
fn parts(pixels: f32) -> i32 {
    (pixels * (1 << PART_BITS) as f32).round() as i32
}

/// For each pixel the votes for it as the middle of a circle, and in the higher byte from which directions they came.
struct Ballot {
    votes: Vec<u16>,
}

/// Bits that count votes; no middle needs as many as they hold.
const VOTE_BITS: u32 = 8;
const VOTES: u16 = (1 << VOTE_BITS) - 1;
/// Pixels of which it is asked at once whether any has votes enough.
const AT_ONCE: usize = 64;

impl Ballot {
    fn new(pixels: usize) -> Ballot {
        Ballot { votes: vec![0; pixels] }
    }

    fn clear(&mut self) {
        self.votes.fill(0);
    }

    fn vote(&mut self, at: usize, direction: u8) {
        let votes = &mut self.votes[at];
        *votes = (*votes + u16::from(*votes & VOTES < VOTES)) | u16::from(direction) << VOTE_BITS;
    }

    /// The pixels that have at least so many votes with their neighbours, and how many they have with them.
    fn with_neighbours(&self, width: usize, least: u16, mut take: impl FnMut(usize, u16)) {
        let (mut columns, mut sums) = (vec![0; width], vec![0; width]);
        let rows: Vec<&[u16]> = self.votes.chunks_exact(width.max(1)).collect();
        for (above, rows) in rows.array_windows::<3>().enumerate() {
            Sums { rows: *rows, columns: &mut columns, sums: &mut sums }.dispatch();
            for (index, chunk) in sums.chunks(AT_ONCE).enumerate() {
                if chunk.iter().copied().fold(0, u16::max) < least {
                    continue;
                }
                let start = (above + 1) * width + index * AT_ONCE;
                let each = chunk.iter().enumerate().filter(|(_, sum)| **sum >= least);
                each.for_each(|(at, sum)| take(start + at, *sum));
            }
        }
    }

    fn own(&self, at: usize) -> u16 {
        self.votes[at] & VOTES
    }

    /// Over a pixel and its neighbours; edges never vote for the outermost pixels.
    fn directions(&self, at: usize, width: usize) -> u16 {
        let rows = [at - width, at, at + width].map(|row| &self.votes[row - 1..=row + 1]);
        rows.iter().copied().flatten().fold(0, |all, votes| all | votes >> VOTE_BITS)
    }
}

/// The votes for each pixel of a row and its neighbours together; the first and the last have none.
struct Sums<'s> {
    rows: [&'s [u16]; 3],
    /// Room for those of a pixel and of the ones above and below.
    columns: &'s mut [u16],
    sums: &'s mut [u16],
}

impl SimdOp for Sums<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        let [above, own, below] = self.rows;
        for (column, ((above, own), below)) in self.columns.iter_mut().zip(above.iter().zip(own).zip(below)) {
            *column = (above & VOTES) + (own & VOTES) + (below & VOTES);
        }
        let Some(inner) = self.sums.get_mut(1..) else { return };
        let (left, own, right) = (&*self.columns, self.columns.iter().skip(1), self.columns.iter().skip(2));
        for (sum, ((left, own), right)) in inner.iter_mut().zip(left.iter().zip(own).zip(right)) {
            *sum = left + own + right;
        }
    }
}

/// What may be middles of circles of about a radius: none near another, and those with many votes first.
pub(super) struct Middles {
    radius: f32,
    /// Votes, and for which pixel.
    votes: Vec<(u32, usize)>,
}

/// The circles of a sheet, by what its edges vote for.
pub(super) struct Circles<'g> {
    grey: &'g Grey,
    edges: Vec<Edge>,
    ballot: Ballot,
}

impl Circles<'_> {
    pub(super) fn on(grey: &Grey) -> Circles<'_> {
        let mut edges = edges(grey);
        if edges.len() > EDGES_MAX {
            edges.clear();
        }
        Circles { grey, edges, ballot: Ballot::new(grey.levels.len()) }
    }

    /// Those around middles with this share of the votes that there may be, at least the least; none within another.
    pub(super) fn with(&mut self, votes_min: f32) -> Vec<Circle> {
        let (grey, edges, ballot) = (self.grey, &self.edges, &mut self.ballot);
        let mut found: Vec<Circle> = RADII
            .iter()
            .flat_map(|radius| of_radius(grey, edges, *radius, ballot, votes_min).circles(grey))
            .collect();
        let weight = |circle: &Circle| circle.steep.min(STEEP_CLEAR) * circle.radius;
        found.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        let mut apart = Apart::new(APART * RADII[RADII.len() - 1]);
        found.retain(|circle| apart.take(circle.at, APART * circle.radius));
        found.truncate(CIRCLES_MAX);
        found
    }
}

/// How much brighter it gets across a pixel, and down.
fn slope(grey: &Grey, at: usize) -> (f32, f32) {
    let across = grey.levels[at + 1] - grey.levels[at - 1];
    (across, grey.levels[at + grey.width] - grey.levels[at - grey.width])
}

/// Which of the eight parts of a full turn a direction lies in.
fn eighth(across: f32, down: f32) -> u32 {
    let (is_upwards, is_left, is_steep) = (down < 0.0, across < 0.0, down.abs() > across.abs());
    4 * u32::from(is_upwards) + 2 * u32::from(is_left) + u32::from(is_steep)
}

/// The square of how steep an edge must be.
fn steep_enough(grey: &Grey) -> f32 {
    let inner = grey.width + 1..grey.levels.len().saturating_sub(grey.width + 1);
    let squares = inner.step_by(GRAIN_STEP).map(|at| slope(grey, at)).map(|(x, y)| x * x + y * y);
    let mut squares: Vec<f32> = squares.collect();
    let middle = squares.len() / 2;
    let grain =
        if squares.is_empty() { 0.0 } else { *squares.select_nth_unstable_by(middle, f32::total_cmp).1 };
    (EDGE_MIN * EDGE_MIN).max(GRAINS_MIN * GRAINS_MIN * grain)
}

fn edges(grey: &Grey) -> Vec<Edge> {
    let steep_enough = steep_enough(grey);
    let mut edges = Vec::new();
    for y in 2..grey.height.saturating_sub(2) {
        for x in 2..grey.width.saturating_sub(2) {
            let at = y * grey.width + x;
            let (across, down) = slope(grey, at);
            let squared = across * across + down * down;
            if squared >= steep_enough {
                let steep = squared.sqrt();
                let towards = (across / steep, down / steep);
                let direction = 1u8 << eighth(across, down);
                // Half a pixel more, so that what is cut off is rounded.
                let at = (parts(x as f32 + 0.5), parts(y as f32 + 0.5));
                edges.push(Edge { at, towards: (parts(towards.0), parts(towards.1)), direction });
            }
        }
    }
    edges
}

impl Middles {
    fn circles(&self, grey: &Grey) -> Vec<Circle> {
        let rays = REACHES.map(|reach| Rays::of(grey, self.radius + reach));
        let spots = self.votes.iter().map(|(_, at)| ((at % grey.width) as f32, (at / grey.width) as f32));
        spots.filter_map(|spot| refined(grey, spot, self.radius, &rays)).collect()
    }
}

/// The middles with this share of the votes that there may be.
fn of_radius(grey: &Grey, edges: &[Edge], radius: f32, ballot: &mut Ballot, votes_min: f32) -> Middles {
    ballot.clear();
    let halves = (2.0 * radius) as i32;
    let (inner_width, inner_height) = (grey.width.saturating_sub(2), grey.height.saturating_sub(2));
    for Edge { at, towards, direction } in edges {
        let middle = |at: i32, towards: i32| ((at - towards * halves / 2) >> PART_BITS) as usize;
        let (x, y) = (middle(at.0, towards.0), middle(at.1, towards.1));
        // What is before the first pixel wraps around to beyond the last.
        if x.wrapping_sub(1) < inner_width && y.wrapping_sub(1) < inner_height {
            ballot.vote(y * grey.width + x, *direction);
        }
    }
    let needed = |share: f32| share * std::f32::consts::TAU * radius;
    let own_min = (needed(VOTES_MIN) / 9.0).ceil() as u16;
    let mut middles: Vec<(u32, usize)> = Vec::new();
    ballot.with_neighbours(grey.width, needed(votes_min).ceil() as u16, |at, sum| {
        if ballot.own(at) >= own_min && ballot.directions(at, grey.width).count_ones() >= DIRECTIONS_MIN {
            middles.push((u32::from(sum), at));
        }
    });
    if middles.is_empty() {
        return Middles { radius, votes: middles };
    }
    middles.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut apart = PixelsApart::new(grey, 0.5 * radius);
    middles.retain(|(_, at)| apart.take(*at));
    middles.truncate(CIRCLES_MAX);
    Middles { radius, votes: middles }
}

/// Pixels that keep a distance from each other.
struct PixelsApart {
    width: usize,
    /// Which are too near to one that was taken.
    is_near: Vec<bool>,
    /// For each row from the uppermost one that is too near, how far from the middle it is so.
    reaches: Vec<usize>,
}

impl PixelsApart {
    fn new(grey: &Grey, distance: f32) -> PixelsApart {
        // What is as far away as the distance is not too near.
        let far = (distance.ceil() as usize).max(1) - 1;
        let across =
            |down: usize| (0..=far).rev().find(|across| (*across as f32).hypot(down as f32) < distance);
        let half: Vec<usize> = (0..=far).map_while(across).collect();
        let reaches = half.iter().skip(1).rev().chain(&half).copied().collect();
        PixelsApart { width: grey.width, is_near: vec![false; grey.levels.len()], reaches }
    }

    /// Takes a pixel unless another one is nearer than the distance.
    fn take(&mut self, at: usize) -> bool {
        if self.is_near[at] {
            return false;
        }
        let (x, y, half) = (at % self.width, at / self.width, self.reaches.len() / 2);
        for (down, reach) in self.reaches.iter().enumerate() {
            let Some(start) = (y + down).checked_sub(half).map(|row| row * self.width) else { continue };
            let columns = start + x.saturating_sub(*reach)..start + (x + reach + 1).min(self.width);
            if let Some(near) = self.is_near.get_mut(columns) {
                near.fill(true);
            }
        }
        true
    }
}

/// The circle around a middle, or around one beside it that fits better.
fn refined(grey: &Grey, at: Spot, radius: f32, rays: &[Rays; REACHES.len()]) -> Option<Circle> {
    if !is_brighter_outside(grey, at, radius) {
        return None;
    }
    let of_radius = |radius: f32| rays.iter().find(|rays| rays.are_of(radius));
    let rim = |at: Spot, radius: f32| match of_radius(radius) {
        Some(rays) if rays.are_within(grey, at) => {
            rim_by(|direction| rays.levels(grey, at, direction), at, radius, STEEP_MIN)
        }
        _ => rim_of(grey, at, radius, STEEP_MIN),
    };
    let first = rim(at, radius)?;
    let beside = [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)];
    let beside = beside.iter().filter_map(|(x, y)| rim((at.0 + x, at.1 + y), first.radius));
    Some(beside.fold(first, |best, other| if other.steep > best.steep { other } else { best }))
}

/// Of eight directions, so many may be no brighter outside at the first look.
const DARK_MAX: usize = 2;

/// A quick look that spares most middles the long one.
fn is_brighter_outside(grey: &Grey, at: Spot, radius: f32) -> bool {
    const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
    let ways = [(1.0, 0.0), (0.0, 1.0), (DIAGONAL, DIAGONAL), (DIAGONAL, -DIAGONAL)];
    let level = |(x, y): Spot, reach: f32| grey.level((at.0 + reach * x, at.1 + reach * y));
    let both = ways.iter().flat_map(|(x, y)| [(*x, *y), (-x, -y)]);
    let mut dark = both.filter(|towards| {
        let rim = level(*towards, radius - 0.5).min(level(*towards, radius + 0.5));
        level(*towards, radius + 2.0) <= rim
    });
    dark.nth(DARK_MAX).is_none()
}

/// The circle of this radius that must be about here, by its neighbours: even a faint one is seen.
pub(super) fn expected(grey: &Grey, at: Spot, radius: f32, off_max: f32, steep_min: f32) -> Option<Circle> {
    let reach = off_max.max(1.0) as i32;
    let beside =
        (-reach..=reach).flat_map(|down| (-reach..=reach).map(move |across| (across as f32, down as f32)));
    let seen = beside.filter_map(|(x, y)| rim_of(grey, (at.0 + x, at.1 + y), radius, steep_min));
    let of_size = seen.filter(|circle| (circle.radius - radius).abs() <= SIZE_OFF_MAX);
    of_size.max_by(|a, b| a.steep.total_cmp(&b.steep))
}

/// The rim around any middle.
fn rim_of(grey: &Grey, at: Spot, radius: f32, steep_min: f32) -> Option<Circle> {
    rim_by(|direction| rays::levels(grey, at, radius, direction), at, radius, steep_min)
}

/// The rim where it gets brighter outwards most, if it does so all around, by the levels along each direction.
#[inline]
fn rim_by(levels: impl Fn(usize) -> Levels, at: Spot, radius: f32, steep_min: f32) -> Option<Circle> {
    // How much brighter it gets, for each reach, in each direction.
    let mut steeps = [[0.0f32; RIM]; REACHES.len()];
    let mut falling = [0; REACHES.len()];
    for index in (0..RIM).map(|turn| turn * SPREAD % RIM) {
        let levels = levels(index);
        for (step, falling) in falling.iter_mut().enumerate() {
            let steep = levels[step + 4] - levels[step];
            steeps[step][index] = steep;
            *falling += usize::from(steep <= 0.0);
        }
        // Most places are no middle of a circle, and a few directions show it.
        if falling.iter().all(|falling| *falling > FALLING_MAX) {
            return None;
        }
    }
    let mut best: Option<Circle> = None;
    for ((mut steeps, reach), falling) in steeps.into_iter().zip(REACHES).zip(falling) {
        if falling > FALLING_MAX {
            continue;
        }
        steeps.sort_by(f32::total_cmp);
        let worse = steeps[..RIM / 2].iter().sum::<f32>() / (RIM / 2) as f32;
        let mean = steeps.iter().sum::<f32>() / RIM as f32;
        let is_rim = worse >= steep_min && worse >= STEEP_EVEN_MIN * mean;
        if is_rim && best.is_none_or(|best| worse > best.steep) {
            best = Some(Circle { at, radius: radius + reach, steep: worse });
        }
    }
    best
}

/// Spots that keep a distance from each other.
struct Apart {
    side: f32,
    cells: HashMap<(i32, i32), Vec<Spot>>,
}

impl Apart {
    /// No distance will be larger than this.
    fn new(side: f32) -> Apart {
        Apart { side, cells: HashMap::new() }
    }

    /// Takes a spot unless another one is nearer than the distance.
    fn take(&mut self, at: Spot, distance: f32) -> bool {
        let (column, row) = ((at.0 / self.side) as i32, (at.1 / self.side) as i32);
        let near =
            (column - 1..=column + 1).flat_map(|column| (row - 1..=row + 1).map(move |row| (column, row)));
        let is_free = !near
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .any(|other| (other.0 - at.0).hypot(other.1 - at.1) < distance);
        if is_free {
            self.cells.entry((column, row)).or_default().push(at);
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_count_with_those_of_their_neighbours() {
        let (width, height) = (70, 5);
        let mut ballot = Ballot::new(width * height);
        for at in [width + 1, width + 2, 2 * width + 66, 3 * width + 67, 3 * width + 67] {
            ballot.vote(at, 4);
        }
        let mut found = Vec::new();
        ballot.with_neighbours(width, 2, |at, sum| found.push((at, sum)));
        let around = |at: usize| {
            let rows = [at - width, at, at + width];
            rows.iter().flat_map(|row| row - 1..=row + 1).map(|at| ballot.own(at)).sum::<u16>()
        };
        let inner = (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| y * width + x));
        let expected: Vec<(usize, u16)> =
            inner.map(|at| (at, around(at))).filter(|(_, sum)| *sum >= 2).collect();
        assert_eq!(found, expected);
        assert_eq!(ballot.directions(2 * width + 67, width), 4);
    }

    #[test]
    fn a_full_turn_has_eight_parts() {
        let part = |turn: f32| {
            let (sin, cos) = (turn * std::f32::consts::TAU).sin_cos();
            eighth(cos, sin)
        };
        let mut parts: Vec<u32> = (0..8).map(|index| part((index as f32 + 0.5) / 8.0)).collect();
        for (index, own) in parts.iter().enumerate() {
            assert_eq!(part((index as f32 + 0.1) / 8.0), *own);
            assert_eq!(part((index as f32 + 0.9) / 8.0), *own);
        }
        parts.sort_unstable();
        assert_eq!(parts, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
