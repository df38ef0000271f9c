//! Lays the picture of a page over the page as it was drawn, by their ink alone.
//!
//! First all drawn pages are tried at a few sizes and leans, coarsely. The best of them are followed from coarse to
//! fine: pieces of the drawn page look for themselves in the picture, and a projection is fitted to where they are
//! found, as often as it takes. At last each piece may lie a little off the projection, for paper curls.

use super::geometry::{Point, Projection, Quad};
use super::ink::Ink;
use super::maps::{Map, Pyramid};
use crate::print::Print;

/// How a drawn page lies on a picture.
#[derive(Clone, Debug)]
pub(crate) struct Lay {
    /// Which of the drawn pages it is.
    pub(crate) page: usize,
    /// From the drawn page's pixels to the picture's.
    projection: Projection,
    curl: Curl,
}

impl Lay {
    /// Where a point of the drawn page lies on the picture.
    pub(crate) fn apply(&self, at: Point) -> Point {
        let (x, y) = self.curl.at(at);
        self.projection.apply(Point::new(at.x + x, at.y + y))
    }

    /// The corners of a drawn page of this size on the picture, as if it lay flat.
    pub(crate) fn corners(&self, width: f32, height: f32) -> Quad {
        Quad::upright(width, height).through(&self.projection)
    }
}

/// The coarsest maps have cells of 32 pixels of the drawn page.
const COARSE: usize = 5;
/// Sizes at which pages are tried, of what fills the picture's width.
const SIZES: &[f32] = &[0.74, 0.8, 0.86, 0.92, 0.98, 1.04, 1.1, 1.17];
/// Leans in degrees at which pages are tried.
const LEANS: &[f32] = &[-4.5, -3.0, -1.5, 0.0, 1.5, 3.0, 4.5];
/// How far from the middle pages are tried, in cells across and down.
const SHIFT: (isize, isize) = (5, 6);
/// Pages are followed from so many beginnings, and further from the best of these.
const FINALISTS: usize = 16;
const FOLLOWED: usize = 3;
/// A page without print cannot be told from another.
const PRINT_MIN: f32 = 0.002;
/// A piece that is less like the picture than this is not found.
const ALIKE_MIN: f32 = 0.4;
/// Pieces that must be found.
const PIECES_MIN: usize = 6;
/// Of the print, this share must be found again on the picture...
const FOUND_MIN: f32 = 0.55;
/// ...and so much more of it than of the next best page.
const AHEAD_MIN: f32 = 0.08;

/// The drawn page that the picture shows, if it shows one. `before` is how the page before lay on its picture: a scanner
/// takes one page like the next.
pub(crate) fn lay(prints: &[&Print], ink: &Ink, before: Option<&Lay>) -> Option<Lay> {
    if prints.is_empty() || ink.width < 200 || ink.height < 200 {
        return None;
    }
    let picture = Pyramid::of(Map::of(ink), 8);
    // A coarse look at all of them shows which are worth a finer one.
    let mut tried: Vec<Attempt> = finalists(prints, &picture)
        .into_iter()
        .map(|start| Attempt { page: start.page, projection: start.projection, found: 0.0 })
        .filter_map(|attempt| attempt.followed(prints, &picture, &[4, 4, 3]))
        .collect();
    if let Some(before) = before {
        let again = (0..prints.len()).map(|page| Attempt { page, projection: before.projection, found: 0.0 });
        tried.extend(again.filter_map(|attempt| attempt.followed(prints, &picture, &[3])));
    }
    tried.sort_by(|a, b| b.found.total_cmp(&a.found));
    tried.truncate(FOLLOWED);
    tried = tried.into_iter().filter_map(|attempt| attempt.followed(prints, &picture, &[3, 2])).collect();
    tried.sort_by(|a, b| b.found.total_cmp(&a.found));
    let best = tried.first()?;
    let drawn = Pyramid::of(Map::of(&prints[best.page].ink()), COARSE);
    let projection = fitted(&drawn, &picture, &best.projection, 1).unwrap_or(best.projection);
    let lay = Lay { page: best.page, projection, curl: Curl::seen(&drawn, &picture, &projection) };
    let found = share_found(&drawn, &picture, |at| lay.apply(at), 1.0);
    let next = tried.iter().find(|other| other.page != best.page).map_or(0.0, |other| other.found);
    (found >= FOUND_MIN && best.found >= next + AHEAD_MIN).then_some(lay)
}

/// A page where it was found so far.
struct Attempt {
    page: usize,
    projection: Projection,
    /// The share of its print that the picture has there.
    found: f32,
}

impl Attempt {
    /// The same after a finer look, level by level; `None` when it leads nowhere.
    fn followed(self, prints: &[&Print], picture: &Pyramid, levels: &[usize]) -> Option<Attempt> {
        let drawn = Pyramid::of(Map::of(&prints[self.page].ink()), COARSE);
        let mut projection = self.projection;
        for level in levels {
            projection = fitted(&drawn, picture, &projection, *level)?;
        }
        let found = share_found(&drawn, picture, |at| projection.apply(at), 2.0);
        Some(Attempt { projection, found, ..self })
    }
}

/// Where a page may lie, and how much speaks for it.
#[derive(Clone, Copy)]
struct Start {
    page: usize,
    projection: Projection,
    turn: usize,
    alike: f32,
}

/// The most likely beginnings, not more than two a page.
fn finalists(prints: &[&Print], picture: &Pyramid) -> Vec<Start> {
    let coarse: Vec<Option<Drawn>> = prints.iter().map(|print| Drawn::of(print)).collect();
    let size = (picture.level(0).width as f32, picture.level(0).height as f32);
    let mut best: Vec<Option<Start>> = vec![None; 4 * prints.len()];
    let sizes: std::collections::BTreeSet<(usize, usize)> = prints.iter().map(|print| print.size()).collect();
    for (width, height) in sizes {
        for turn in turns((width as f32, height as f32), size) {
            for scale in SIZES {
                for lean in LEANS {
                    let pose = pose((width as f32, height as f32), size, turn, *scale, *lean);
                    let around = Around::seen(picture, &pose, (width, height));
                    for (page, drawn) in coarse.iter().enumerate() {
                        let Some(drawn) = drawn.as_ref().filter(|drawn| drawn.size == (width, height)) else {
                            continue;
                        };
                        let (alike, shift) = around.best(drawn);
                        let known = &mut best[4 * page + turn];
                        if known.is_none_or(|known| alike > known.alike) {
                            let projection = Projection::shift(shift.0, shift.1).then(&pose);
                            *known = Some(Start { page, projection, turn, alike });
                        }
                    }
                }
            }
        }
    }
    let mut starts: Vec<Start> = best.into_iter().flatten().collect();
    starts.sort_by(|a, b| b.alike.total_cmp(&a.alike).then((a.page, a.turn).cmp(&(b.page, b.turn))));
    starts.truncate(FINALISTS);
    starts
}

/// The quarter turns that may set the page upright: a tall page lies tall on the picture, or on its side.
fn turns(page: (f32, f32), picture: (f32, f32)) -> [usize; 2] {
    if (page.0 > page.1) == (picture.0 > picture.1) { [0, 2] } else { [1, 3] }
}

/// The page in the middle of the picture, turned, sized and leaning.
fn pose(page: (f32, f32), picture: (f32, f32), turn: usize, scale: f32, lean: f32) -> Projection {
    let across = if turn.is_multiple_of(2) { picture.0 } else { picture.1 };
    let scale = scale * across / page.0;
    let angle = lean.to_radians() + turn as f32 * std::f32::consts::FRAC_PI_2;
    let (sin, cos) = angle.sin_cos();
    let (middle, onto) = ((page.0 / 2.0, page.1 / 2.0), (picture.0 / 2.0, picture.1 / 2.0));
    let placed = |x: f32, y: f32| {
        let (x, y) = (scale * (x - middle.0), scale * (y - middle.1));
        Point::new(onto.0 + x * cos - y * sin, onto.1 + x * sin + y * cos)
    };
    let corners = Quad::upright(page.0, page.1);
    let placed = Quad(corners.0.map(|corner| placed(corner.x, corner.y)));
    Projection::between(&corners, &placed).unwrap_or(Projection::IDENTITY)
}

/// A drawn page at its coarsest, without its mean.
struct Drawn {
    size: (usize, usize),
    map: Map,
    norm: f32,
}

impl Drawn {
    fn of(print: &Print) -> Option<Drawn> {
        let fine = Map::of(&print.ink());
        let coarse = Pyramid::of(fine, COARSE + 1).level(COARSE).softened().blurred();
        let (sum, count) = (coarse.sum(), (coarse.width * coarse.height) as f32);
        let mean = sum / count.max(1.0);
        let map = Map::from_fn(coarse.width, coarse.height, |x, y| coarse.at(x as isize, y as isize) - mean);
        let norm = map.sum_of_squares().sqrt();
        (mean > PRINT_MIN && norm > 0.0).then_some(Drawn { size: print.size(), map, norm })
    }
}

/// The picture as a pose shows it, in the cells of the coarsest map, with a margin for shifts.
struct Around {
    map: Map,
    /// Sums of all cells above and left, and of their squares.
    sums: Vec<(f32, f32)>,
}

impl Around {
    fn seen(picture: &Pyramid, pose: &Projection, size: (usize, usize)) -> Around {
        let cell = (1usize << COARSE) as f32;
        let (width, height) = (size.0.div_ceil(1 << COARSE), size.1.div_ceil(1 << COARSE));
        let (across, down) = (2 * SHIFT.0 as usize + width, 2 * SHIFT.1 as usize + height);
        let step = pose.apply(Point::new(cell, 0.0)).distance(pose.apply(Point::new(0.0, 0.0)));
        let map = Map::from_fn(across, down, |x, y| {
            let at = Point::new(
                (x as f32 + 0.5 - SHIFT.0 as f32) * cell,
                (y as f32 + 0.5 - SHIFT.1 as f32) * cell,
            );
            let at = pose.apply(at);
            picture.around(at.x, at.y, step)
        });
        let map = map.softened().blurred();
        let mut sums = vec![(0.0, 0.0); (across + 1) * (down + 1)];
        for y in 0..down {
            let mut row = (0.0, 0.0);
            for x in 0..across {
                let value = map.at(x as isize, y as isize);
                row = (row.0 + value, row.1 + value * value);
                let above = sums[y * (across + 1) + x + 1];
                sums[(y + 1) * (across + 1) + x + 1] = (above.0 + row.0, above.1 + row.1);
            }
        }
        Around { map, sums }
    }

    /// How alike the page is at its best shift, and that shift in its pixels.
    fn best(&self, drawn: &Drawn) -> (f32, (f32, f32)) {
        let cell = (1usize << COARSE) as f32;
        let mut best = (-1.0, (0.0, 0.0));
        for down in 0..=2 * SHIFT.1 {
            for across in 0..=2 * SHIFT.0 {
                let alike = self.alike(drawn, across as usize, down as usize);
                if alike > best.0 {
                    let shift = ((across - SHIFT.0) as f32 * cell, (down - SHIFT.1) as f32 * cell);
                    best = (alike, shift);
                }
            }
        }
        best
    }

    fn alike(&self, drawn: &Drawn, left: usize, top: usize) -> f32 {
        let (width, height) = (drawn.map.width, drawn.map.height);
        let mut product = 0.0;
        for y in 0..height {
            let own = drawn.map.row(y);
            let seen = &self.map.row(y + top)[left..left + width];
            product += own.iter().zip(seen).map(|(own, seen)| own * seen).sum::<f32>();
        }
        let stride = self.map.width + 1;
        let corner = |x: usize, y: usize| self.sums[y * stride + x];
        let over = |pick: fn((f32, f32)) -> f32| {
            pick(corner(left + width, top + height))
                - pick(corner(left, top + height))
                - pick(corner(left + width, top))
                + pick(corner(left, top))
        };
        let count = (width * height) as f32;
        let spread = over(|sums| sums.1) - over(|sums| sums.0).powi(2) / count;
        product / (drawn.norm * spread.max(1e-6).sqrt())
    }
}

/// The picture as it lies under the drawn page, in cells of a level, with as many more cells on every side.
struct Seen {
    map: Map,
    pad: usize,
}

impl Seen {
    fn through(
        picture: &Pyramid,
        onto: impl Fn(Point) -> Point,
        drawn: &Map,
        level: usize,
        pad: usize,
    ) -> Seen {
        let cell = (1usize << level) as f32;
        let middle = Point::new(drawn.width as f32 * cell / 2.0, drawn.height as f32 * cell / 2.0);
        let step = onto(middle).distance(onto(Point::new(middle.x + cell, middle.y)));
        let map = Map::from_fn(drawn.width + 2 * pad, drawn.height + 2 * pad, |x, y| {
            let along = |at: usize| (at as f32 + 0.5 - pad as f32) * cell;
            let at = onto(Point::new(along(x), along(y)));
            picture.around(at.x, at.y, step)
        });
        Seen { map: map.blurred(), pad }
    }

    /// A row of the cells that begin at a place of the drawn page.
    fn row(&self, left: isize, y: isize, count: usize) -> &[f32] {
        let from = (left + self.pad as isize) as usize;
        &self.map.row((y + self.pad as isize) as usize)[from..from + count]
    }
}

/// How pieces are cut and looked for, in cells.
#[derive(Clone, Copy)]
struct Cut {
    side: usize,
    stride: usize,
    reach: isize,
}

impl Cut {
    /// Cells around the page that a piece at its edge may reach into.
    fn pad(self) -> usize {
        self.side + self.reach as usize + 2
    }
}

/// A piece of the drawn page and how far, in its pixels, the picture has it from where it should be.
#[derive(Clone, Copy, Debug)]
struct Piece {
    middle: Point,
    off: (f32, f32),
    alike: f32,
}

/// Looks for all pieces of a page.
fn pieces(drawn: &Map, seen: &Seen, level: usize, cut: Cut) -> Vec<Piece> {
    let cell = (1usize << level) as f32;
    let half = cut.side / 2;
    let mut found = Vec::new();
    for top in (0..drawn.height.saturating_sub(half)).step_by(cut.stride) {
        for left in (0..drawn.width.saturating_sub(half)).step_by(cut.stride) {
            if let Some((off, alike)) = look(drawn, seen, (left as isize, top as isize), cut) {
                let middle = Point::new((left + half) as f32 * cell, (top + half) as f32 * cell);
                found.push(Piece { middle, off: (off.0 * cell, off.1 * cell), alike });
            }
        }
    }
    found
}

/// Where a piece fits best, in cells; `None` when it is bare or found nowhere.
fn look(drawn: &Map, seen: &Seen, (left, top): (isize, isize), cut: Cut) -> Option<((f32, f32), f32)> {
    let side = cut.side as isize;
    let own: Vec<f32> = (top..top + side)
        .flat_map(|y| (left..left + side).map(move |x| (x, y)))
        .map(|(x, y)| drawn.at(x, y))
        .collect();
    let count = own.len() as f32;
    let sum: f32 = own.iter().sum();
    let spread = own.iter().map(|value| value * value).sum::<f32>() - sum * sum / count;
    if spread < 0.0004 * count {
        return None;
    }
    let alike = |across: isize, down: isize| {
        let (mut product, mut total, mut squares) = (0.0f32, 0.0f32, 0.0f32);
        for (row, own) in (top + down..).zip(own.chunks_exact(cut.side)) {
            for (own, seen) in own.iter().zip(seen.row(left + across, row, cut.side)) {
                product += own * seen;
                total += seen;
                squares += seen * seen;
            }
        }
        let seen_spread = squares - total * total / count;
        (product - sum * total / count) / (spread * seen_spread.max(1e-4 * count)).sqrt()
    };
    let mut best = (-1.0, 0, 0);
    for down in -cut.reach..=cut.reach {
        for across in -cut.reach..=cut.reach {
            // Of equals the nearest: a long rule fits everywhere along itself.
            let value = alike(across, down) - 0.004 * (across.abs() + down.abs()) as f32;
            if value > best.0 {
                best = (value, across, down);
            }
        }
    }
    let (value, across, down) = best;
    if value < ALIKE_MIN {
        return None;
    }
    let exact = alike(across, down);
    let peak = |before: f32, after: f32| {
        let bend = before + after - 2.0 * exact;
        if bend < -1e-4 { (0.5 * (before - after) / bend).clamp(-0.5, 0.5) } else { 0.0 }
    };
    let fine = (
        across as f32 + peak(alike(across - 1, down), alike(across + 1, down)),
        down as f32 + peak(alike(across, down - 1), alike(across, down + 1)),
    );
    Some((fine, value))
}

/// The projection that puts the pieces of a level where they are found.
fn fitted(drawn: &Pyramid, picture: &Pyramid, projection: &Projection, level: usize) -> Option<Projection> {
    let map = drawn.level(level).blurred();
    let cut = Cut { side: 12, stride: 8, reach: 3 };
    let seen = Seen::through(picture, |at| projection.apply(at), &map, level, cut.pad());
    let found = pieces(&map, &seen, level, cut);
    if found.len() < PIECES_MIN {
        return None;
    }
    let cell = (1usize << level) as f32;
    let pairs: Vec<(Point, Point)> = found
        .iter()
        .map(|piece| {
            let there = Point::new(piece.middle.x + piece.off.0, piece.middle.y + piece.off.1);
            (piece.middle, projection.apply(there))
        })
        .collect();
    let scale = projection.scale_at(pairs[pairs.len() / 2].0).max(0.05);
    let mut weights: Vec<f32> = found.iter().map(|piece| piece.alike * piece.alike).collect();
    let mut fit = Projection::fitted(&pairs, &weights)?;
    for _ in 0..4 {
        for ((pair, piece), weight) in pairs.iter().zip(&found).zip(&mut weights) {
            let off = fit.apply(pair.0).distance(pair.1) / (scale * cell);
            *weight = piece.alike * piece.alike / (1.0 + off * off).powi(2);
        }
        fit = Projection::fitted(&pairs, &weights)?;
    }
    is_plausible(&fit, map.width as f32 * cell, map.height as f32 * cell).then_some(fit)
}

/// A page photographed from the side is not squeezed to a strip nor mirrored.
fn is_plausible(projection: &Projection, width: f32, height: f32) -> bool {
    let page = Quad::upright(width, height);
    let placed = page.through(projection);
    let side = |from: usize, to: usize| placed.0[from].distance(placed.0[to]);
    let ratio = |a: f32, b: f32| a.max(b) / a.min(b).max(1.0);
    let turn = |a: Point, b: Point, c: Point| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    let is_convex = (0..4).all(|at| turn(placed.0[at], placed.0[(at + 1) % 4], placed.0[(at + 2) % 4]) > 0.0);
    let stretch = (side(0, 1) + side(3, 2)) / (side(0, 3) + side(1, 2)).max(1.0) * height / width;
    is_convex
        && ratio(side(0, 1), side(3, 2)) < 1.6
        && ratio(side(0, 3), side(1, 2)) < 1.6
        && (0.7..1.4).contains(&stretch)
}

/// The share of the print that has ink of the picture over it.
fn share_found(drawn: &Pyramid, picture: &Pyramid, onto: impl Fn(Point) -> Point, reach: f32) -> f32 {
    let map = drawn.level(0);
    let (mut found, mut all) = (0.0f32, 0.0f32);
    let middle = Point::new(map.width as f32 / 2.0, map.height as f32 / 2.0);
    let step = onto(middle).distance(onto(Point::new(middle.x + 1.0, middle.y))).max(0.1);
    for y in (1..map.height).step_by(3) {
        for x in (1..map.width).step_by(2) {
            if map.at(x as isize, y as isize) > 0.5 {
                let at = onto(Point::new(x as f32 + 0.5, y as f32 + 0.5));
                all += 1.0;
                found += f32::from(u8::from(picture.around(at.x, at.y, reach * step) > 0.2));
            }
        }
    }
    found / all.max(1.0)
}

/// How far, in the drawn page's pixels, each part of it lies off its projection.
#[derive(Clone, Debug, Default)]
struct Curl {
    columns: usize,
    rows: usize,
    offs: Vec<(f32, f32)>,
}

/// Pixels of the drawn page from one place where its curl is known to the next.
const CURL_STEP: usize = 32;

impl Curl {
    /// What a coarse look says, made finer.
    fn seen(drawn: &Pyramid, picture: &Pyramid, projection: &Projection) -> Curl {
        let mut curl = Curl::default();
        for (level, side, reach) in [(2, 14, 4), (1, 28, 2)] {
            let map = drawn.level(level).blurred();
            let cut = Cut { side, stride: CURL_STEP >> level, reach };
            let onto = |at: Point| {
                let (x, y) = curl.at(at);
                projection.apply(Point::new(at.x + x, at.y + y))
            };
            let seen = Seen::through(picture, onto, &map, level, cut.pad());
            curl = curl.and(&pieces(&map, &seen, level, cut), drawn.level(0));
        }
        curl
    }

    /// The same with what the pieces say besides.
    fn and(&self, found: &[Piece], page: &Map) -> Curl {
        let (columns, rows) = (page.width / CURL_STEP + 2, page.height / CURL_STEP + 2);
        let mut offs = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                let at = Point::new((column * CURL_STEP) as f32, (row * CURL_STEP) as f32);
                let (known, more) = (self.at(at), around(found, at));
                offs.push((known.0 + more.0, known.1 + more.1));
            }
        }
        Curl { columns, rows, offs }
    }

    fn at(&self, at: Point) -> (f32, f32) {
        if self.columns < 2 || self.rows < 2 {
            return (0.0, 0.0);
        }
        let along = |at: f32, count: usize| {
            let at = (at / CURL_STEP as f32).clamp(0.0, count as f32 - 1.001);
            (at as usize, at - at.floor())
        };
        let ((column, across), (row, down)) = (along(at.x, self.columns), along(at.y, self.rows));
        let off = |column: usize, row: usize| self.offs[row * self.columns + column];
        let mix = |pick: fn((f32, f32)) -> f32| {
            let upper = pick(off(column, row)) * (1.0 - across) + pick(off(column + 1, row)) * across;
            let lower = pick(off(column, row + 1)) * (1.0 - across) + pick(off(column + 1, row + 1)) * across;
            upper * (1.0 - down) + lower * down
        };
        (mix(|off| off.0), mix(|off| off.1))
    }
}

/// What the pieces around a place say together; those that disagree with the middle one of them do not count.
fn around(found: &[Piece], at: Point) -> (f32, f32) {
    const REACH: f32 = 110.0;
    const AGREE: f32 = 2.5;
    let near: Vec<&Piece> = found.iter().filter(|piece| piece.middle.distance(at) < REACH).collect();
    let median = |pick: fn(&Piece) -> f32| {
        let mut values: Vec<f32> = near.iter().map(|piece| pick(piece)).collect();
        values.sort_by(f32::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    let (across, down) = (median(|piece| piece.off.0), median(|piece| piece.off.1));
    let (mut sum, mut weights) = ((0.0, 0.0), 0.3f32);
    for piece in near {
        if (piece.off.0 - across).hypot(piece.off.1 - down) <= AGREE {
            let off = piece.middle.distance(at) / (0.4 * REACH);
            let weight = piece.alike * (-off * off).exp();
            sum = (sum.0 + weight * piece.off.0, sum.1 + weight * piece.off.1);
            weights += weight;
        }
    }
    (sum.0 / weights, sum.1 / weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bars like words, different on every page.
    fn page(seed: u32) -> Ink {
        let (width, height) = (827, 1169);
        let mut marks = vec![false; width * height];
        let mut chance = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
        let mut next = |range: u32| {
            chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (chance >> 16) % range
        };
        let mut y = 80;
        while y < height - 80 {
            let end = 300 + next(450) as usize;
            let mut x = 80 + next(3) as usize * 20;
            while x < end {
                let length = 12 + next(50) as usize;
                for row in y..y + 9 {
                    for column in x..(x + length).min(width - 60) {
                        marks[row * width + column] = (column + row / 3) % 4 < 2 || row == y;
                    }
                }
                x += length + 7;
            }
            y += 18 + next(60) as usize;
        }
        Ink::from_marks(width, height, marks)
    }

    /// A photo of the page, a little curled, with writing on it.
    fn photo(page: &Ink, corners: &Quad, size: (usize, usize)) -> Ink {
        let back =
            Projection::between(corners, &Quad::upright(page.width as f32, page.height as f32)).unwrap();
        let mut marks = vec![false; size.0 * size.1];
        for y in 0..size.1 {
            for x in 0..size.0 {
                let at = back.apply(Point::new(x as f32 + 0.5, y as f32 + 0.5));
                let at = Point::new(at.x, at.y + 4.0 * (at.x / 160.0).sin());
                let written =
                    at.x > 100.0 && at.x < 600.0 && (at.y - 700.0 - 9.0 * (at.x / 6.0).sin()).abs() < 2.0;
                let printed = at.x >= 0.0 && at.y >= 0.0 && page.at(at.x as usize, at.y as usize);
                marks[y * size.0 + x] = printed || written;
            }
        }
        Ink::from_marks(size.0, size.1, marks)
    }

    #[test]
    fn a_curled_photo_is_laid_over_its_own_page() {
        let inks: Vec<Ink> = (1..5).map(page).collect();
        let prints: Vec<Print> = inks.iter().filter_map(Print::of).collect();
        let corners = Quad([
            Point::new(70.0, 40.0),
            Point::new(1130.0, 20.0),
            Point::new(1180.0, 1560.0),
            Point::new(30.0, 1600.0),
        ]);
        let prints: Vec<&Print> = prints.iter().collect();
        let lay = lay(&prints, &photo(&inks[2], &corners, (1220, 1640)), None).unwrap();
        assert_eq!(lay.page, 2);
        let true_place = Projection::between(&Quad::upright(827.0, 1169.0), &corners).unwrap();
        for (x, y) in [(150.0, 200.0), (600.0, 300.0), (300.0, 800.0), (250.0, 1000.0)] {
            let expected = true_place.apply(Point::new(x, y - 4.0 * (x / 160.0f32).sin()));
            let found = lay.apply(Point::new(x, y));
            assert!(found.distance(expected) < 3.5, "{x} {y}: {found:?}, not {expected:?}");
        }
    }

    #[test]
    fn an_upside_down_page_is_found_and_a_strange_one_is_not() {
        let inks: Vec<Ink> = (1..4).map(page).collect();
        let prints: Vec<Print> = inks.iter().filter_map(Print::of).collect();
        let prints: Vec<&Print> = prints.iter().collect();
        let upside_down = Quad([
            Point::new(1120.0, 1600.0),
            Point::new(40.0, 1590.0),
            Point::new(60.0, 40.0),
            Point::new(1100.0, 50.0),
        ]);
        let found = lay(&prints, &photo(&inks[1], &upside_down, (1160, 1640)), None).unwrap();
        assert_eq!(found.page, 1);
        assert!(found.apply(Point::new(0.0, 0.0)).distance(upside_down.0[0]) < 12.0);
        let straight = Quad::upright(1160.0, 1640.0);
        assert!(lay(&prints, &photo(&page(77), &straight, (1160, 1640)), None).is_none());
        assert!(lay(&prints, &Ink::from_marks(1160, 1640, Vec::new()), None).is_none());
    }
}
