//! Circles at equal distances: blocks of rows and columns.

use super::grey::Grey;
use super::{Spot, circles};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// A neighbour may lie this share of a radius off its expected place.
const OFF_MAX: f32 = 0.6;
/// The same for one that is hardly seen...
const FAINT_OFF_MAX: f32 = 0.35;
/// ...and as clear as this share of the others...
const FAINT_STEEP_SHARE: f32 = 0.35;
/// ...in a row that goes on from the others, or a column, where this share of the circles is seen.
const FAINT_SHARE_MIN: (f32, f32) = (0.7, 0.85);
/// Neighbours are at most so many radii away.
const PITCH_MAX: f32 = 9.0;
/// Circles are at least so many radii apart: those that touch each other are two, less a rim.
const TOUCHING: f32 = 1.8;
/// A block has at least so many bubbles, rows and columns.
const BLOCK_MIN: (usize, i32, i32) = (8, 3, 2);
/// Of a block's places, this share shows a circle; letters that happen to stand in rows leave gaps.
const SEEN_MIN: f32 = 0.6;
/// Rows of two blocks are one when they differ by less than this share of a row.
const SAME_ROW: f32 = 0.35;
/// How often blocks are made as long as their neighbours.
const LEVELLED: usize = 3;
/// A block is as long as the one beside it when this share of what it lacks is seen after all.
const LEVEL_SEEN_MIN: f32 = 0.15;
/// A place this dark is a filled circle, wherever its rim is.
const FILLED: f32 = 0.4;
/// Rows and columns of a block.
const SIDE_MAX: i32 = 250;
/// Distances at which circles stand on one sheet: an answer block's, a number block's...
const PITCHES_MAX: usize = 4;

/// A block's places by row and column.
pub(super) type Block = BTreeMap<(i32, i32), Spot>;

/// Circles of one radius in rows and columns.
pub(super) fn of(grey: &Grey, circles: &[Spot], radius: f32) -> Vec<Block> {
    let mut found = Vec::new();
    let mut rest = circles.to_vec();
    for _ in 0..PITCHES_MAX {
        let near = Near::new(&rest, PITCH_MAX * radius);
        let (Some(right), Some(below)) = (
            near.usual_step(radius, |(x, y)| x > 0.0 && y.abs() < 0.5 * x),
            near.usual_step(radius, |(x, y)| y > 0.0 && x.abs() < 0.5 * y),
        ) else {
            break;
        };
        let mut used = vec![false; rest.len()];
        let mut of_pitch = Vec::new();
        for start in 0..rest.len() {
            if !used[start] {
                let block = grown(&near, &mut used, start, (right, below), OFF_MAX * radius);
                let tidy = tidy(block).into_iter();
                of_pitch.extend(tidy.map(|block| extended(grey, block, radius)));
            }
        }
        if of_pitch.is_empty() {
            break;
        }
        let places: Vec<Spot> = of_pitch.iter().flat_map(BTreeMap::values).copied().collect();
        let taken = Near::new(&places, PITCH_MAX * radius);
        rest.retain(|circle| taken.closest(*circle, 2.0 * radius, &[]).is_none());
        found.extend(of_pitch);
    }
    // What was lengthened shows its own neighbour how far to go.
    (0..LEVELLED).fold(found, |blocks, _| levelled(grey, &blocks, radius))
}

/// How high the block begins.
pub(super) fn top(block: &Block) -> f32 {
    block.values().map(|at| at.1).fold(f32::MAX, f32::min)
}

/// All circles that can be reached from one by whole steps.
fn grown(near: &Near<'_>, used: &mut [bool], start: usize, steps: (Spot, Spot), off_max: f32) -> Block {
    let mut block = Block::from([((0, 0), near.circles[start])]);
    used[start] = true;
    // Steps follow the sheet as it bends: each circle knows those that led to it.
    let mut waiting = VecDeque::from([((0, 0), near.circles[start], steps)]);
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
            let there = near.circles[next];
            let seen = (sign * (there.0 - at.0), sign * (there.1 - at.1));
            let learned = (0.8 * step.0 + 0.2 * seen.0, 0.8 * step.1 + 0.2 * seen.1);
            let steps = if down == 0 { (learned, below) } else { (right, learned) };
            block.insert(place, there);
            waiting.push_back((place, there, steps));
        }
    }
    block
}

/// The blocks that are left without rows and columns that hardly have any circle, each counted from 0, its gaps filled.
fn tidy(block: Block) -> Vec<Block> {
    let mut whole = Vec::new();
    let mut waiting = vec![block];
    while let Some(mut block) = waiting.pop() {
        let rows = counts(block.keys().map(|place| place.0));
        let columns = counts(block.keys().map(|place| place.1));
        let sparse_row = rows.iter().find(|(_, count)| 2 * **count < columns.len() && rows.len() > 1);
        let sparse_column = columns.iter().find(|(_, count)| 3 * **count < rows.len());
        // What stands on both sides of such a row or column does not belong together.
        let (row, column) = (sparse_row.map(|(row, _)| *row), sparse_column.map(|(column, _)| *column));
        if row.is_none() && column.is_none() {
            whole.extend(filled(&block));
            continue;
        }
        let after = match (row, column) {
            (Some(row), _) => {
                block.retain(|place, _| place.0 != row);
                block.split_off(&(row, i32::MIN))
            }
            (None, column) => {
                let column = column.unwrap_or_default();
                block.retain(|place, _| place.1 != column);
                let (before, after) = block.into_iter().partition(|(place, _)| place.1 < column);
                block = before;
                after
            }
        };
        waiting.extend([block, after].into_iter().filter(|part| !part.is_empty()));
    }
    whole
}

fn filled(block: &Block) -> Option<Block> {
    let reach =
        |pick: fn(&(i32, i32)) -> i32| Some((block.keys().map(pick).min()?, block.keys().map(pick).max()?));
    let ((first_row, last_row), (first, last)) = (reach(|place| place.0)?, reach(|place| place.1)?);
    let (count, rows, columns) = BLOCK_MIN;
    let (own_rows, own_columns) = (last_row - first_row + 1, last - first + 1);
    let is_dense = block.len() as f32 >= SEEN_MIN * (own_rows * own_columns) as f32;
    if block.len() < count || own_rows < rows || own_columns < columns || !is_dense {
        return None;
    }
    let mut whole = Block::new();
    for row in first_row..=last_row {
        for column in first..=last {
            let at = block.get(&(row, column)).copied().or_else(|| missing(block, (row, column)));
            whole.insert((row - first_row, column - first), at?);
        }
    }
    Some(whole)
}

/// The block with the rows and columns beside it that are hardly seen. Counted from 0 again.
fn extended(grey: &Grey, mut block: Block, radius: f32) -> Block {
    let off_max = FAINT_OFF_MAX * radius;
    let clear =
        block.values().filter_map(|at| circles::expected(grey, *at, radius, 1.0, circles::STEEP_FAINT_MIN));
    let mut clear: Vec<f32> = clear.map(|circle| circle.steep).collect();
    clear.sort_by(f32::total_cmp);
    let usual = clear.get(clear.len() / 2).copied().unwrap_or_default();
    let steep_min = (FAINT_STEEP_SHARE * usual).max(circles::STEEP_FAINT_MIN);
    let mut grows = true;
    while grows && block.len() < (SIDE_MAX * SIDE_MAX) as usize {
        grows = false;
        for (down, across) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let share_min = if across == 0 { FAINT_SHARE_MIN.0 } else { FAINT_SHARE_MIN.1 };
            let seen: Vec<((i32, i32), Spot, bool)> = beside(&block, (down, across))
                .into_iter()
                .map(|(place, at)| match circles::expected(grey, at, radius, off_max, steep_min) {
                    Some(circle) => (place, circle.at, true),
                    None => (place, at, false),
                })
                .collect();
            let count = seen.iter().filter(|(_, _, is_seen)| *is_seen).count();
            if count > 1 && count as f32 >= share_min * seen.len() as f32 {
                block.extend(seen.into_iter().map(|(place, at, _)| (place, at)));
                grows = true;
            }
        }
    }
    renumbered(block)
}

/// The block counted from 0.
fn renumbered(block: Block) -> Block {
    let first =
        block.keys().fold((i32::MAX, i32::MAX), |first, place| (first.0.min(place.0), first.1.min(place.1)));
    block.into_iter().map(|((row, column), at)| ((row - first.0, column - first.1), at)).collect()
}

/// The blocks as long as those that stand beside them, row for row.
fn levelled(grey: &Grey, blocks: &[Block], radius: f32) -> Vec<Block> {
    let longest = |block: &Block| {
        let longer = blocks.iter().filter(|other| rows(other) > rows(block));
        let same = longer.filter_map(|other| Some((other, same_row(other, block)?)));
        let apart = |other: &Block| (left(other) - left(block)).abs();
        same.min_by(|(a, _), (b, _)| apart(a).total_cmp(&apart(b)))
    };
    let level = |block: &Block| match longest(block) {
        Some((other, first)) => lengthened(grey, block, other, first, radius),
        None => block.clone(),
    };
    blocks.iter().map(level).collect()
}

fn left(block: &Block) -> f32 {
    block.values().map(|at| at.0).fold(f32::MAX, f32::min)
}

fn rows(block: &Block) -> i32 {
    block.keys().last().map_or(0, |place| place.0 + 1)
}

/// Which row of a block goes on in another one's first, when all the rows they share do so.
fn same_row(block: &Block, other: &Block) -> Option<i32> {
    let columns = block.keys().map(|place| place.1).max()?;
    // How far below a row of the block a spot lies, in rows.
    let below = |row: i32, spot: Spot| {
        let (left, right, next) = (
            block.get(&(row, 0))?,
            block.get(&(row, columns))?,
            block.get(&(row + 1, 0)).or(block.get(&(row - 1, 0)))?,
        );
        let pitch = (next.1 - left.1).abs().max(1.0);
        let lean = (right.1 - left.1) / (right.0 - left.0).max(1.0);
        Some((spot.1 - left.1 - lean * (spot.0 - left.0)) / pitch)
    };
    let first = *other.get(&(0, 0))?;
    let row = (0..rows(block)).find(|row| below(*row, first).is_some_and(|off| off.abs() < SAME_ROW))?;
    let shared = rows(other).min(rows(block) - row);
    let agree = (0..shared).filter(|at| {
        let spot = other.get(&(*at, 0)).copied().unwrap_or_default();
        below(row + at, spot).is_some_and(|off| off.abs() < SAME_ROW)
    });
    (10 * agree.count() as i32 >= 9 * shared && shared == rows(other)).then_some(row)
}

/// The block with rows added above and below, as far apart as another block's, where enough of them shows.
fn lengthened(grey: &Grey, block: &Block, other: &Block, first: i32, radius: f32) -> Block {
    let (own, all) = (rows(block), rows(other));
    let columns = block.keys().map(|place| place.1).max().unwrap_or(0);
    let mut whole = block.clone();
    let (mut seen, mut added) = (0, 0);
    let above = (0..first).rev().map(|row| (row - first, -1));
    for (row, down) in above.chain((first + own..all).map(|row| (row - first, 1))) {
        for column in 0..=columns {
            let step = other.get(&(row + first, 0)).zip(other.get(&(row + first - down, 0)));
            let (Some((to, from)), Some(last)) = (step, whole.get(&(row - down, column)).copied()) else {
                continue;
            };
            let at = (last.0 + to.0 - from.0, last.1 + to.1 - from.1);
            let circle =
                circles::expected(grey, at, radius, FAINT_OFF_MAX * radius, circles::STEEP_FAINT_MIN);
            added += 1;
            seen += usize::from(circle.is_some() || grey.fill(at, radius) >= FILLED);
            whole.insert((row, column), circle.map_or(at, |circle| circle.at));
        }
    }
    if seen as f32 >= LEVEL_SEEN_MIN * added as f32 { renumbered(whole) } else { block.clone() }
}

/// Where the next row or column of a whole block would be, on the side that a step leads to.
fn beside(block: &Block, (down, across): (i32, i32)) -> Vec<((i32, i32), Spot)> {
    /// Steps over which the distance is measured.
    const OVER: i32 = 4;
    let outer = block.iter().filter(|((row, column), _)| !block.contains_key(&(row + down, column + across)));
    let next = outer.filter_map(|((row, column), at)| {
        let (count, before) = (1..=OVER).rev().find_map(|count| {
            let place = (row - count * down, column - count * across);
            Some((count as f32, block.get(&place)?))
        })?;
        let there = (at.0 + (at.0 - before.0) / count, at.1 + (at.1 - before.1) / count);
        Some(((row + down, column + across), there))
    });
    next.collect()
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
    pub(super) circles: &'a [Spot],
    side: f32,
    cells: HashMap<(i32, i32), Vec<usize>>,
}

impl<'a> Near<'a> {
    fn new(circles: &'a [Spot], side: f32) -> Near<'a> {
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
        let free = self
            .around(at)
            .filter(|index| !used.get(*index).is_some_and(|used| *used) && distance(index) <= within);
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
                if length > TOUCHING * radius && length <= self.side && wanted(step) {
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
