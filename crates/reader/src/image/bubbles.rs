//! Finds rows of bubbles to be filled in, knowing nothing of the sheet: circles of one size that stand in rows and
//! columns, and how dark each is inside.
//!
//! Every edge votes for the middle of a circle that it may be the rim of. What has votes from all around, and a rim
//! that is dark all around, is a circle, filled or not; letters and digits are not. Circles at equal distances make
//! blocks, and a place in a block where none was seen is looked at all the same.

use super::ink::luminance;
use super::{resize, shade};
use crate::page::{Bubble, Rect};
use image::RgbImage;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Sheets are looked at with at most this many pixels across.
const WIDTH_MAX: u32 = 1000;
/// Radii that are looked for, in pixels.
const RADII: &[f32] = &[
    4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.5, 18.0, 20.0,
    22.0,
];
/// An edge is at least so steep, in levels over two pixels.
const EDGE_MIN: f32 = 10.0;
/// More edges than a sheet of two hundred questions has; what is beyond is a photo of something else.
const EDGES_MAX: usize = 600_000;
/// Of eight directions, votes must come from so many.
const DIRECTIONS_MIN: u32 = 7;
/// Votes that a middle needs, as a share of the circle's length.
const VOTES_MIN: f32 = 0.45;
/// Directions in which a rim is looked at.
const RIM: usize = 16;
/// A rim's fourth faintest direction is at least this share of its mean: print that is no circle has gaps.
const RIM_EVEN_MIN: f32 = 0.55;
/// A rim is at least so much darker than the paper.
const RIM_DARK_MIN: f32 = 0.03;
/// Circles of one size that are looked at; a sheet of 200 questions with 5 options has 1000.
const CIRCLES_MAX: usize = 4000;
/// A neighbour may lie this share of a radius off its expected place.
const OFF_MAX: f32 = 0.6;
/// Neighbours are at most so many radii away.
const PITCH_MAX: f32 = 9.0;
/// A block has at least so many bubbles, rows and columns.
const BLOCK_MIN: (usize, i32, i32) = (8, 3, 2);
/// Rows and columns of a block.
const SIDE_MAX: i32 = 250;

/// The bubbles of an evenly lit page, by block, row and column; none on most pages. Places are in the page's pixels.
pub fn find(page: &RgbImage) -> Vec<Bubble> {
    let scale = (f64::from(WIDTH_MAX) / f64::from(page.width().max(1))).min(1.0);
    let small = if scale < 1.0 { resize(page, scale) } else { page.clone() };
    let grey = Grey::of(&small);
    let edges = grey.edges();
    if edges.len() > EDGES_MAX {
        return Vec::new();
    }
    let mut ballot = Ballot::new(grey.levels.len());
    let best = RADII.iter().map(|radius| (grey.circles(&edges, *radius, &mut ballot), *radius));
    let weight = |found: &(Vec<Circle>, f32)| found.0.len() as f32 * found.1;
    let Some((circles, radius)) = best.max_by(|a, b| weight(a).total_cmp(&weight(b))) else {
        return Vec::new();
    };
    let stretch = (1.0 / scale) as f32;
    let mut bubbles = Vec::new();
    for (block, places) in (0..).zip(blocks(&circles, radius)) {
        for ((row, column), at) in places {
            let fill = grey.fill(at, radius);
            let place = Rect {
                x0: (at.0 - radius) * stretch,
                y0: (at.1 - radius) * stretch,
                x1: (at.0 + radius) * stretch,
                y1: (at.1 + radius) * stretch,
            };
            bubbles.push(Bubble { place, fill, block, row: row as u32, column: column as u32 });
        }
    }
    bubbles
}

type Spot = (f32, f32);

/// The middle of a circle.
type Circle = Spot;

/// An edge and the direction in which it gets brighter.
struct Edge {
    at: Spot,
    towards: Spot,
    /// The same as one of eight bits.
    direction: u8,
}

/// Votes for each pixel as the middle of a circle, and from which directions they came.
struct Ballot {
    votes: Vec<u16>,
    directions: Vec<u8>,
    touched: Vec<usize>,
}

impl Ballot {
    fn new(pixels: usize) -> Ballot {
        Ballot { votes: vec![0; pixels], directions: vec![0; pixels], touched: Vec::new() }
    }

    fn clear(&mut self) {
        for at in self.touched.drain(..) {
            (self.votes[at], self.directions[at]) = (0, 0);
        }
    }

    fn vote(&mut self, at: usize, direction: u8) {
        if self.votes[at] == 0 {
            self.touched.push(at);
        }
        self.votes[at] = self.votes[at].saturating_add(1);
        self.directions[at] |= direction;
    }

    /// Over a pixel and its neighbours; edges never vote for the outermost pixels.
    fn around(&self, at: usize, width: usize) -> (u32, u8) {
        let near = [at - width, at, at + width].into_iter().flat_map(|row| row - 1..=row + 1);
        near.fold((0, 0), |(sum, directions), near| {
            (sum + u32::from(self.votes[near]), directions | self.directions[near])
        })
    }
}

/// How bright each pixel is, a little smoothed.
struct Grey {
    width: usize,
    height: usize,
    levels: Vec<f32>,
}

impl Grey {
    fn of(picture: &RgbImage) -> Grey {
        let grey = luminance(picture);
        let (width, height) = (grey.width() as usize, grey.height() as usize);
        let raw = grey.as_raw();
        let mut levels = vec![shade::WHITE; width * height];
        for y in 1..height.saturating_sub(1) {
            for x in 1..width.saturating_sub(1) {
                let rows = [y - 1, y, y + 1].map(|row| row * width + x);
                let sum: u32 =
                    rows.iter().flat_map(|at| &raw[at - 1..=at + 1]).map(|level| u32::from(*level)).sum();
                levels[y * width + x] = sum as f32 / 9.0;
            }
        }
        Grey { width, height, levels }
    }

    fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for y in 2..self.height.saturating_sub(2) {
            for x in 2..self.width.saturating_sub(2) {
                let at = y * self.width + x;
                let across = self.levels[at + 1] - self.levels[at - 1];
                let down = self.levels[at + self.width] - self.levels[at - self.width];
                let steep = across.hypot(down);
                if steep >= EDGE_MIN {
                    let towards = (across / steep, down / steep);
                    let turn = (towards.1.atan2(towards.0) / std::f32::consts::TAU).rem_euclid(1.0);
                    let direction = 1u8 << ((turn * 8.0) as u32).min(7);
                    edges.push(Edge { at: (x as f32, y as f32), towards, direction });
                }
            }
        }
        edges
    }

    /// Circles of about a radius, the surest first; none overlaps another.
    fn circles(&self, edges: &[Edge], radius: f32, ballot: &mut Ballot) -> Vec<Circle> {
        ballot.clear();
        for edge in edges {
            for reach in [radius - 0.5, radius, radius + 0.5] {
                let (x, y) = (edge.at.0 - edge.towards.0 * reach, edge.at.1 - edge.towards.1 * reach);
                let (x, y) = (x.round(), y.round());
                if x >= 1.0 && y >= 1.0 && x < self.width as f32 - 1.0 && y < self.height as f32 - 1.0 {
                    ballot.vote(y as usize * self.width + x as usize, edge.direction);
                }
            }
        }
        // Each edge votes three times.
        let length = 3.0 * std::f32::consts::TAU * radius;
        let needed = VOTES_MIN * length;
        let mut found: Vec<(f32, usize)> = Vec::new();
        for at in &ballot.touched {
            if f32::from(ballot.votes[*at]) * 9.0 < needed {
                continue;
            }
            let (sum, directions) = ballot.around(*at, self.width);
            if directions.count_ones() >= DIRECTIONS_MIN && sum as f32 >= needed {
                found.push((sum as f32 / length, *at));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut apart = Apart::new(1.6 * radius);
        let mut circles = Vec::new();
        for (_, at) in found {
            let spot = ((at % self.width) as f32, (at / self.width) as f32);
            if circles.len() < CIRCLES_MAX && apart.is_free(spot) {
                // What is no circle still hides the worse middles beside it.
                apart.take(spot);
                if self.has_even_rim(spot, radius) {
                    circles.push(spot);
                }
            }
        }
        circles
    }

    /// True when the rim is dark in all directions.
    fn has_even_rim(&self, at: Spot, radius: f32) -> bool {
        let mut rim: [f32; RIM] = std::array::from_fn(|index| {
            let (sin, cos) = (index as f32 / RIM as f32 * std::f32::consts::TAU).sin_cos();
            let reaches = [-1.0, -0.5, 0.0, 0.5, 1.0, 1.5];
            let darks =
                reaches.map(|off| self.darkness((at.0 + (radius + off) * cos, at.1 + (radius + off) * sin)));
            darks.into_iter().fold(0.0, f32::max)
        });
        rim.sort_by(f32::total_cmp);
        let mean = rim.iter().sum::<f32>() / RIM as f32;
        mean >= RIM_DARK_MIN && rim[3] >= RIM_EVEN_MIN * mean
    }

    /// 0 for paper, 1 for black.
    fn darkness(&self, (x, y): Spot) -> f32 {
        let x = x.clamp(0.0, self.width.saturating_sub(2) as f32);
        let y = y.clamp(0.0, self.height.saturating_sub(2) as f32);
        let (left, top) = (x as usize, y as usize);
        let (across, down) = (x - left as f32, y - top as f32);
        let level = |x: usize, y: usize| self.levels.get(y * self.width + x).copied().unwrap_or(shade::WHITE);
        let upper = level(left, top) * (1.0 - across) + level(left + 1, top) * across;
        let lower = level(left, top + 1) * (1.0 - across) + level(left + 1, top + 1) * across;
        (1.0 - (upper * (1.0 - down) + lower * down) / shade::WHITE).clamp(0.0, 1.0)
    }

    /// The mean darkness within a circle, without its rim.
    fn fill(&self, at: Spot, radius: f32) -> f32 {
        let inner = 0.6 * radius;
        let reach = inner.ceil() as i32;
        let (mut sum, mut count) = (0.0, 0.0f32);
        for down in -reach..=reach {
            for across in -reach..=reach {
                let (across, down) = (across as f32, down as f32);
                if across.hypot(down) <= inner {
                    sum += self.darkness((at.0 + across, at.1 + down));
                    count += 1.0;
                }
            }
        }
        sum / count.max(1.0)
    }
}

/// Spots that keep a distance from each other.
struct Apart {
    distance: f32,
    cells: HashMap<(i32, i32), Vec<Spot>>,
}

impl Apart {
    fn new(distance: f32) -> Apart {
        Apart { distance, cells: HashMap::new() }
    }

    fn cell(&self, at: Spot) -> (i32, i32) {
        ((at.0 / self.distance) as i32, (at.1 / self.distance) as i32)
    }

    fn is_free(&self, at: Spot) -> bool {
        let (column, row) = self.cell(at);
        let near =
            (column - 1..=column + 1).flat_map(|column| (row - 1..=row + 1).map(move |row| (column, row)));
        !near
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .any(|other| (other.0 - at.0).hypot(other.1 - at.1) < self.distance)
    }

    fn take(&mut self, at: Spot) {
        let cell = self.cell(at);
        self.cells.entry(cell).or_default().push(at);
    }
}

/// A block's places by row and column.
type Block = BTreeMap<(i32, i32), Spot>;

/// Circles in rows and columns, the block that begins highest first.
fn blocks(circles: &[Circle], radius: f32) -> Vec<Block> {
    let near = Near::new(circles, PITCH_MAX * radius);
    let (Some(right), Some(below)) = (
        near.usual_step(radius, |(x, y)| x > 0.0 && y.abs() < 0.5 * x),
        near.usual_step(radius, |(x, y)| y > 0.0 && x.abs() < 0.5 * y),
    ) else {
        return Vec::new();
    };
    let mut used = vec![false; circles.len()];
    let mut found = Vec::new();
    for start in 0..circles.len() {
        if !used[start] {
            let block = grown(circles, &near, &mut used, start, (right, below), OFF_MAX * radius);
            found.extend(tidy(block));
        }
    }
    found.sort_by(|a, b| top(a).total_cmp(&top(b)));
    found
}

fn top(block: &Block) -> f32 {
    block.values().map(|at| at.1).fold(f32::MAX, f32::min)
}

/// All circles that can be reached from one by whole steps.
fn grown(
    circles: &[Circle],
    near: &Near<'_>,
    used: &mut [bool],
    start: usize,
    steps: (Spot, Spot),
    off_max: f32,
) -> Block {
    let mut block = Block::from([((0, 0), circles[start])]);
    used[start] = true;
    // Steps follow the sheet as it bends: each circle knows those that led to it.
    let mut waiting = VecDeque::from([((0, 0), circles[start], steps)]);
    while let Some(((row, column), at, (right, below))) = waiting.pop_front() {
        for (down, across) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let place = (row + down, column + across);
            if block.contains_key(&place) || place.0.abs() > SIDE_MAX || place.1.abs() > SIDE_MAX {
                continue;
            }
            let (step, sign) = if down == 0 { (right, across as f32) } else { (below, down as f32) };
            let expected = (at.0 + sign * step.0, at.1 + sign * step.1);
            let Some(next) = near.closest(expected, off_max, used) else { continue };
            used[next] = true;
            let there = circles[next];
            let seen = (sign * (there.0 - at.0), sign * (there.1 - at.1));
            let learned = (0.8 * step.0 + 0.2 * seen.0, 0.8 * step.1 + 0.2 * seen.1);
            let steps = if down == 0 { (learned, below) } else { (right, learned) };
            block.insert(place, there);
            waiting.push_back((place, there, steps));
        }
    }
    block
}

/// The block counted from 0, without rows and columns that hardly have any circle, its gaps filled.
fn tidy(mut block: Block) -> Option<Block> {
    loop {
        let rows = counts(block.keys().map(|place| place.0));
        let columns = counts(block.keys().map(|place| place.1));
        let sparse_row = rows.iter().find(|(_, count)| 2 * **count < columns.len() && rows.len() > 1);
        let sparse_column = columns.iter().find(|(_, count)| 3 * **count < rows.len());
        match (sparse_row, sparse_column) {
            (Some((row, _)), _) => block.retain(|place, _| place.0 != *row),
            (None, Some((column, _))) => block.retain(|place, _| place.1 != *column),
            (None, None) => break,
        }
    }
    let (first_row, last_row) =
        (block.keys().map(|place| place.0).min()?, block.keys().map(|place| place.0).max()?);
    let (first, last) = (block.keys().map(|place| place.1).min()?, block.keys().map(|place| place.1).max()?);
    let (count, rows, columns) = BLOCK_MIN;
    if block.len() < count || last_row - first_row + 1 < rows || last - first + 1 < columns {
        return None;
    }
    let mut whole = Block::new();
    for row in first_row..=last_row {
        for column in first..=last {
            let at = block.get(&(row, column)).copied().or_else(|| missing(&block, (row, column)));
            whole.insert((row - first_row, column - first), at?);
        }
    }
    Some(whole)
}

fn counts(indices: impl Iterator<Item = i32>) -> BTreeMap<i32, usize> {
    let mut counts = BTreeMap::new();
    indices.for_each(|index| *counts.entry(index).or_default() += 1);
    counts
}

/// Where a circle that was not seen must be: as high as its row, as far right as its column.
fn missing(block: &Block, (row, column): (i32, i32)) -> Option<Spot> {
    // The nearest two of its column and of its row span the place.
    let along = |same: &dyn Fn(&(i32, i32)) -> bool, index: &dyn Fn(&(i32, i32)) -> i32, wanted: i32| {
        let mut own: Vec<(i32, Spot)> =
            block.iter().filter(|(place, _)| same(place)).map(|(place, at)| (index(place), *at)).collect();
        own.sort_by_key(|(index, _)| (index - wanted).abs());
        match own.as_slice() {
            [(a, from), (b, to), ..] => {
                let part = (wanted - a) as f32 / (b - a) as f32;
                Some((from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part))
            }
            _ => None,
        }
    };
    let down = along(&|place| place.1 == column, &|place| place.0, row);
    let across = along(&|place| place.0 == row, &|place| place.1, column);
    match (down, across) {
        (Some(down), Some(across)) => {
            Some((f32::midpoint(down.0, across.0), f32::midpoint(down.1, across.1)))
        }
        (one, other) => one.or(other),
    }
}

/// Circles by place.
struct Near<'a> {
    circles: &'a [Circle],
    side: f32,
    cells: HashMap<(i32, i32), Vec<usize>>,
}

impl<'a> Near<'a> {
    fn new(circles: &'a [Circle], side: f32) -> Near<'a> {
        let mut cells: HashMap<(i32, i32), Vec<usize>> = HashMap::new();
        for (index, circle) in circles.iter().enumerate() {
            cells.entry(((circle.0 / side) as i32, (circle.1 / side) as i32)).or_default().push(index);
        }
        Near { circles, side, cells }
    }

    fn around(&self, at: Spot) -> impl Iterator<Item = usize> + '_ {
        let (column, row) = ((at.0 / self.side).floor() as i32, (at.1 / self.side).floor() as i32);
        let cells = (column - 1..=column + 1)
            .flat_map(move |column| (row - 1..=row + 1).map(move |row| (column, row)));
        cells.filter_map(|cell| self.cells.get(&cell)).flatten().copied()
    }

    fn closest(&self, at: Spot, within: f32, used: &[bool]) -> Option<usize> {
        let distance = |index: &usize| {
            let there = self.circles[*index];
            (there.0 - at.0).hypot(there.1 - at.1)
        };
        let free = self.around(at).filter(|index| !used[*index] && distance(index) <= within);
        free.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The step that most often leads from one circle to another.
    fn usual_step(&self, radius: f32, wanted: impl Fn(Spot) -> bool) -> Option<Spot> {
        // Steps that differ by less than this are the same.
        let grain = (radius / 3.0).max(1.0);
        let mut steps: BTreeMap<(i32, i32), (u32, f32, f32)> = BTreeMap::new();
        for circle in self.circles {
            for other in self.around(*circle) {
                let there = self.circles[other];
                let step = (there.0 - circle.0, there.1 - circle.1);
                let length = step.0.hypot(step.1);
                if length > 2.0 * radius && length <= self.side && wanted(step) {
                    let cell = ((step.0 / grain).round() as i32, (step.1 / grain).round() as i32);
                    let entry = steps.entry(cell).or_default();
                    *entry = (entry.0 + 1, entry.1 + step.0, entry.2 + step.1);
                }
            }
        }
        // Neighbouring cells share a step that lies between them; of two as frequent the shorter one.
        let around = |(column, row): (i32, i32)| {
            let near = (column - 1..=column + 1)
                .flat_map(|column| (row - 1..=row + 1).map(move |row| (column, row)));
            near.filter_map(|cell| steps.get(&cell))
                .fold((0, 0.0, 0.0), |sum, step| (sum.0 + step.0, sum.1 + step.1, sum.2 + step.2))
        };
        let weight = |cell: &(i32, i32)| {
            let length = (cell.0 as f32).hypot(cell.1 as f32) * grain / radius;
            around(*cell).0 as f32 / (1.0 + 0.1 * length)
        };
        let best = steps.keys().max_by(|a, b| weight(a).total_cmp(&weight(b)))?;
        let (count, across, down) = around(*best);
        (count >= 4).then(|| (across / count as f32, down / count as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    /// Four columns of ten circles, two of them filled, on a sheet that leans a little.
    fn sheet(filled: &[(u32, u32)]) -> RgbImage {
        let mut page = RgbImage::from_pixel(400, 500, Rgb([250; 3]));
        for row in 0..10u32 {
            for column in 0..4u32 {
                let middle =
                    (80.0 + 30.0 * column as f32 - row as f32, 90.0 + 28.0 * row as f32 + column as f32);
                for (x, y, pixel) in page.enumerate_pixels_mut() {
                    let reach = (x as f32 - middle.0).hypot(y as f32 - middle.1);
                    let is_rim = (7.5..9.2).contains(&reach);
                    if is_rim || reach < 9.0 && filled.contains(&(row, column)) {
                        *pixel = Rgb([90; 3]);
                    }
                }
            }
        }
        page
    }

    #[test]
    fn circles_in_rows_are_found_and_the_filled_ones_are_dark() {
        let filled = [(0, 3), (4, 1), (9, 0)];
        let bubbles = find(&sheet(&filled));
        assert_eq!(bubbles.len(), 40);
        for bubble in &bubbles {
            let is_filled = filled.contains(&(bubble.row, bubble.column));
            assert_eq!(bubble.fill > 0.4, is_filled, "{bubble:?}");
        }
        let at =
            |row, column| bubbles.iter().find(|bubble| (bubble.row, bubble.column) == (row, column)).unwrap();
        assert!((at(2, 1).place.centre().0 - 108.0).abs() < 2.0);
    }

    #[test]
    fn a_missing_circle_keeps_its_place() {
        let mut page = sheet(&[]);
        for (x, y, pixel) in page.enumerate_pixels_mut() {
            if (95..125).contains(&x) && (190..215).contains(&y) {
                *pixel = Rgb([250; 3]);
            }
        }
        assert_eq!(find(&page).len(), 40);
    }

    #[test]
    fn a_page_without_circles_has_none() {
        let squares = RgbImage::from_fn(400, 500, |x, y| {
            let on_rim = x % 30 < 2 && x % 90 < 70 || y % 28 < 2;
            Rgb([if on_rim { 60 } else { 250 }; 3])
        });
        assert_eq!(find(&squares), []);
        assert_eq!(find(&RgbImage::from_pixel(300, 300, Rgb([250; 3]))), []);
        assert_eq!(find(&RgbImage::new(1, 1)), []);
    }
}
