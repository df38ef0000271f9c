//! Lays a page of the question paper over a page of a script: which page it is, and how it was shifted,
//! scaled and turned on its way through printer and scanner.

use reader::page::{Document, Page, Rect, Source};
use std::collections::BTreeMap;

/// Words that must agree before two pages are held to be the same.
const AGREEING_MIN: usize = 5;
/// The share of a template page's telling words that must be found again.
const AGREEING_SHARE_MIN: f32 = 0.25;
/// A word may lie this share of the page's width off its place and still agree.
const TOLERANCE: f32 = 0.02;
/// The same for a page that was never printed and scanned.
const EXACT_TOLERANCE: f32 = 0.006;
/// Shorter words stand in too many places to tell anything.
const TELLING_LENGTH: usize = 3;
/// Of the words that two pages share, so many are compared pair by pair for a first guess.
const GUESSED_FROM_MAX: usize = 300;
/// Rounds of fitting, each with the words that agreed in the one before.
const ROUNDS: usize = 5;

/// An affine map from a template page onto a page of the script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    x: [f64; 3],
    y: [f64; 3],
}

/// Which template page a script's page is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    /// Index of the template's page.
    pub(super) template: usize,
    /// How it lies on the script's page.
    pub(super) fit: Fit,
}

impl Fit {
    /// Both pages as whole sheets.
    pub(super) fn of_sheets(template: &Page, page: &Page) -> Fit {
        let across = f64::from(page.width / template.width.max(1.0));
        let down = f64::from(page.height / template.height.max(1.0));
        Fit { x: [across, 0.0, 0.0], y: [0.0, down, 0.0] }
    }

    /// Where a point of the template lies on the script's page.
    pub(super) fn apply(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let (x, y) = (f64::from(x), f64::from(y));
        let along = |row: &[f64; 3]| (row[0] * x + row[1] * y + row[2]) as f32;
        (along(&self.x), along(&self.y))
    }

    /// Where a rectangle of the template lies, as upright as the page is.
    pub(super) fn apply_rect(&self, rect: &Rect) -> Rect {
        let (x0, y0) = self.apply((rect.x0, rect.y0));
        let (x1, y1) = self.apply((rect.x1, rect.y1));
        Rect { x0: x0.min(x1), y0: y0.min(y1), x1: x0.max(x1), y1: y0.max(y1) }
    }

    /// The template's point that lies at a point of the script's page.
    pub(super) fn invert(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let [a, b, c] = self.x;
        let [d, e, f] = self.y;
        let determinant = a * e - b * d;
        let determinant = if determinant.abs() < 1e-9 { 1e-9 } else { determinant };
        let (x, y) = (f64::from(x) - c, f64::from(y) - f);
        (((e * x - b * y) / determinant) as f32, ((a * y - d * x) / determinant) as f32)
    }
}

/// What a page of a script is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// A page of the paper, written on.
    Laid(Match),
    /// The paper's words, but no longer at their places: it was typed into.
    Copy,
    /// Neither.
    Blank,
}

/// What each page of the script is.
pub(super) fn pages(template: &Document, script: &[&Page]) -> Vec<Kind> {
    let printed: Vec<Telling> = template.pages.iter().map(telling).collect();
    let (mut copies, mut matches) = (Vec::with_capacity(script.len()), Vec::with_capacity(script.len()));
    for page in script {
        let seen = telling(page);
        copies.push(is_moved_copy(&printed, page, &seen));
        matches.push(laid(template, page).or_else(|| best_match(&printed, page, &seen)));
    }
    fill_gaps(template, &printed, script, &mut matches);
    let kind = |(found, is_copy): (Option<Match>, bool)| match found {
        _ if is_copy => Kind::Copy,
        Some(found) => Kind::Laid(found),
        None => Kind::Blank,
    };
    matches.into_iter().zip(copies).map(kind).collect()
}

/// The page that the reader has laid the picture over already.
fn laid(template: &Document, page: &Page) -> Option<Match> {
    let index = template.pages.iter().position(|candidate| Some(candidate.number) == page.laid_on)?;
    Some(Match { template: index, fit: Fit::of_sheets(&template.pages[index], page) })
}

fn best_match(template: &[Telling], page: &Page, seen: &Telling) -> Option<Match> {
    let candidates = template.iter().enumerate().filter_map(|(index, printed)| {
        let (fit, agreeing) = fit_pages(printed, page, seen)?;
        Some((agreeing, Match { template: index, fit }))
    });
    // Of equally good pages the first one; repeated front pages are alike.
    candidates.rev().max_by_key(|(agreeing, _)| *agreeing).map(|(_, found)| found)
}

/// True when most of the page's telling words are the paper's, yet lie elsewhere than one sheet's would.
fn is_moved_copy(template: &[Telling], page: &Page, seen: &Telling) -> bool {
    /// Of the words that are found again, so many lie at their places on a page that was only written on.
    const IN_PLACE_MIN: f32 = 0.85;
    /// A copy holds so many of the words of the page that it is of.
    const SHARED_MIN: f32 = 0.5;
    if page.source == Source::Recognised {
        return false;
    }
    let best = template.iter().map(|printed| (pairs(printed, seen), printed));
    let Some((pairs, printed)) = best.max_by_key(|(pairs, _)| pairs.len()) else {
        return false;
    };
    let in_place = fit_pages(printed, page, seen)
        .map_or(0, |(fit, _)| agreeing(&fit, &pairs, EXACT_TOLERANCE * page.width).len());
    let shared = pairs.len() as f32;
    pairs.len() >= AGREEING_MIN
        && shared >= SHARED_MIN * printed.len().min(seen.len()) as f32
        && (in_place as f32) < IN_PLACE_MIN * shared
}

/// A page with hardly any print (lines to write on) lies between two that were recognised: it is the
/// template page between theirs when that page is as bare.
fn fill_gaps(template: &Document, printed: &[Telling], script: &[&Page], matches: &mut [Option<Match>]) {
    for index in 0..matches.len() {
        if matches[index].is_some() {
            continue;
        }
        let before = index.checked_sub(1).and_then(|before| matches[before]).map(|found| found.template + 1);
        let after = matches.get(index + 1).and_then(|found| found.as_ref());
        let after = after.and_then(|found| found.template.checked_sub(1));
        let expected = match (before, after) {
            (Some(before), Some(after)) if before == after => before,
            (Some(before), None) => before,
            (None, Some(after)) => after,
            _ => continue,
        };
        let Some(bare) = template.pages.get(expected) else { continue };
        if printed[expected].len() < 2 * AGREEING_MIN {
            let fit = Fit::of_sheets(bare, script[index]);
            matches[index] = Some(Match { template: expected, fit });
        }
    }
}

/// Words that stand once on a page, with their middles.
type Telling = BTreeMap<String, (f32, f32)>;

fn telling(page: &Page) -> Telling {
    let mut once: BTreeMap<String, Option<(f32, f32)>> = BTreeMap::new();
    for word in &page.words {
        let text = plain(&word.text);
        if text.chars().count() >= TELLING_LENGTH {
            once.entry(text).and_modify(|place| *place = None).or_insert(Some(word.place.centre()));
        }
    }
    once.into_iter().filter_map(|(text, place)| Some((text, place?))).collect()
}

/// Letters and digits alone, in lower case.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

type Pair = ((f32, f32), (f32, f32));

fn fit_pages(printed: &Telling, page: &Page, seen: &Telling) -> Option<(Fit, usize)> {
    let pairs = pairs(printed, seen);
    let is_enough =
        |count: usize| count >= AGREEING_MIN && count as f32 >= AGREEING_SHARE_MIN * printed.len() as f32;
    if !is_enough(pairs.len()) {
        return None;
    }
    let tolerance = TOLERANCE * page.width;
    let mut fit = first_guess(&pairs);
    // Begin with a wide net, for a guess may be a little off at the page's far end.
    for round in 0..ROUNDS {
        let net = tolerance * (ROUNDS - round) as f32;
        fit = least_squares(&agreeing(&fit, &pairs, net)).unwrap_or(fit);
    }
    let count = agreeing(&fit, &pairs, tolerance).len();
    (is_enough(count) && is_plausible(&fit)).then_some((fit, count))
}

/// Where each word that both pages hold once stands on either.
fn pairs(printed: &Telling, seen: &Telling) -> Vec<Pair> {
    printed.iter().filter_map(|(text, place)| Some((*place, *seen.get(text)?))).collect()
}

fn agreeing(fit: &Fit, pairs: &[Pair], tolerance: f32) -> Vec<Pair> {
    let lies_right = |(from, to): &&Pair| {
        let (x, y) = fit.apply(*from);
        (x - to.0).hypot(y - to.1) <= tolerance
    };
    pairs.iter().filter(lies_right).copied().collect()
}

/// A printer and a scanner do not stretch a page threefold nor shear it.
fn is_plausible(fit: &Fit) -> bool {
    let (across, down) = (fit.x[0], fit.y[1]);
    (0.3..3.0).contains(&across)
        && (0.8..1.25).contains(&(down / across))
        && fit.x[1].abs() < 0.2 * across
        && fit.y[0].abs() < 0.2 * across
}

/// Scale and shift by medians, which a third of wrong pairs cannot move far. Every word is compared with every
/// other, so of very many only some are asked, picked evenly.
fn first_guess(pairs: &[Pair]) -> Fit {
    let asked: Vec<Pair> =
        pairs.iter().step_by(pairs.len().div_ceil(GUESSED_FROM_MAX).max(1)).copied().collect();
    let pairs = &asked;
    let one_way = |pick: fn((f32, f32)) -> f32| {
        let mut ratios = Vec::new();
        for (index, (from, to)) in pairs.iter().enumerate() {
            for (other_from, other_to) in &pairs[index + 1..] {
                let apart = pick(*other_from) - pick(*from);
                if apart.abs() > 30.0 {
                    ratios.push((pick(*other_to) - pick(*to)) / apart);
                }
            }
        }
        let scale = median(ratios).unwrap_or(1.0);
        let shift = median(pairs.iter().map(|(from, to)| pick(*to) - scale * pick(*from)).collect());
        (f64::from(scale), f64::from(shift.unwrap_or(0.0)))
    };
    let (across, right) = one_way(|point| point.0);
    let (down, lower) = one_way(|point| point.1);
    Fit { x: [across, 0.0, right], y: [0.0, down, lower] }
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

fn least_squares(pairs: &[Pair]) -> Option<Fit> {
    if pairs.len() < AGREEING_MIN {
        return None;
    }
    let mut normal = [[0.0f64; 3]; 3];
    let (mut right_x, mut right_y) = ([0.0f64; 3], [0.0f64; 3]);
    for (from, to) in pairs {
        let row = [f64::from(from.0), f64::from(from.1), 1.0];
        for (index, value) in row.iter().enumerate() {
            for (other, factor) in row.iter().enumerate() {
                normal[index][other] += value * factor;
            }
            right_x[index] += value * f64::from(to.0);
            right_y[index] += value * f64::from(to.1);
        }
    }
    Some(Fit { x: solve(normal, right_x)?, y: solve(normal, right_y)? })
}

/// Three equations by Cramer's rule; `None` when the words stand in one line.
fn solve(rows: [[f64; 3]; 3], right: [f64; 3]) -> Option<[f64; 3]> {
    let determinant = |m: &[[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = determinant(&rows);
    if whole.abs() < 1e-3 {
        return None;
    }
    Some(std::array::from_fn(|column| {
        let mut replaced = rows;
        replaced.iter_mut().zip(right).for_each(|(row, value)| row[column] = value);
        determinant(&replaced) / whole
    }))
}
