//! Letters that the network passed over: ink within a line for which nothing was read, because a letter that a power
//! blurs into is less likely there than nothing.

use super::ctc::Letter;
use super::recognise::Seen;
use super::signs::{self, Part};

/// Ink at least this share of a line's letters high is a letter by itself.
const HIGH_MIN: f32 = 0.55;
/// A letter that stands so near, in pixels of a line that is 48 high, is what is read there.
const NEAR: f32 = 5.0;
/// What was passed over is at least so wide.
const WIDE_MIN: usize = 5;
/// It is read when some letter is this likely.
const LIKELY_MIN: f32 = 0.1;
/// Where none stands, raised digits are a hundred times less likely than this: one is there when it is this likely itself...
const RAISED_MIN: f32 = 0.0025;
/// ...and with the plain one comes to this...
const RAISED_LIKELY_MIN: f32 = 0.01;
/// ...within so many pixels of what it is raised over...
const RAISED_REACH: f32 = 20.0;
/// ...and not so near to it or to the next letter.
const BESIDE: f32 = 4.0;
/// What is read leaves a little of itself so far beside it.
const TAIL: f32 = 16.0;

/// Puts the letters that were passed over among those that were read.
pub(super) fn fill(letters: &mut Vec<Letter>, parts: &[Part], seen: &Seen<'_>) {
    let read: Vec<f32> =
        letters.iter().filter(|letter| letter.text != " ").map(|letter| letter.step).collect();
    let mut owned = owned(parts, &read);
    let mut heights: Vec<f32> =
        parts.iter().zip(&owned).filter(|(_, owned)| **owned).map(|(part, _)| part.height()).collect();
    heights.sort_by(f32::total_cmp);
    let Some(usual) = heights.get(3 * heights.len() / 4).copied() else { return };
    let apart = |part: &Part| {
        let gap = |step: &f32| (part.x0 as f32 - step).max(step - part.x1 as f32);
        read.iter().map(gap).fold(f32::MAX, f32::min)
    };
    for (at, part) in parts.iter().enumerate() {
        let is_letter = part.height() >= HIGH_MIN * usual && apart(part) >= NEAR;
        if owned[at] || !is_letter || part.x1 - part.x0 < WIDE_MIN {
            continue;
        }
        if let Some(base) =
            seen.base(part.x0 as f32..part.x1 as f32).filter(|base| base.confidence >= LIKELY_MIN)
        {
            owned[at] = true;
            put(letters, base);
        }
    }
    raise(letters, seen);
}

/// Puts the small raised digits there that were passed over: no others are taken for such.
fn raise(letters: &mut Vec<Letter>, seen: &Seen<'_>) {
    let mut found = Vec::new();
    for (at, base) in letters.iter().enumerate().filter(|(_, letter)| signs::is_base(letter)) {
        let next = letters.get(at + 1);
        let end = next.map_or(f32::MAX, |next| next.step - BESIDE).min(base.step + RAISED_REACH);
        let columns = base.step + BESIDE..end;
        if columns.end - columns.start < BESIDE {
            continue;
        }
        let near = next.filter(|next| next.step < columns.end + TAIL);
        let likely = |digit: char| {
            let plain = digit.to_string();
            let text = signs::raised(&plain)?;
            // What was read leaves a little of itself beside it.
            let is_read = |read: &&Letter| read.text == plain || read.text == text;
            if [Some(base), near].into_iter().flatten().any(|read| is_read(&read)) {
                return None;
            }
            let small = seen.likelihood(&text, columns.clone()).filter(|small| *small >= RAISED_MIN)?;
            Some((text, small + seen.likelihood(&plain, columns.clone())?))
        };
        let best = ('2'..='9').filter_map(likely).max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((text, likelihood)) = best.filter(|(_, likelihood)| *likelihood >= RAISED_LIKELY_MIN) {
            let step = (columns.start + columns.end) / 2.0;
            found.push(Letter { text, confidence: likelihood.min(1.0), step });
        }
    }
    found.into_iter().for_each(|letter| put(letters, letter));
}

/// The parts that were read: each letter's own, the nearest one, and those that stand over or under these.
fn owned(parts: &[Part], read: &[f32]) -> Vec<bool> {
    let mut owned = vec![false; parts.len()];
    for step in read {
        let distance = |part: &Part| (part.x0 as f32 - step).max(step - part.x1 as f32).max(0.0);
        let nearest = (0..parts.len()).min_by(|a, b| {
            let (one, other) = (&parts[*a], &parts[*b]);
            distance(one).total_cmp(&distance(other)).then(other.height().total_cmp(&one.height()))
        });
        nearest.into_iter().for_each(|part| owned[part] = true);
    }
    let known: Vec<&Part> =
        parts.iter().zip(&owned).filter(|(_, owned)| **owned).map(|(part, _)| part).collect();
    let is_over = |part: &Part| {
        let shared = |other: &&Part| part.x1.min(other.x1).saturating_sub(part.x0.max(other.x0));
        known.iter().any(|other| 2 * shared(other) >= part.x1 - part.x0)
    };
    parts.iter().zip(&owned).map(|(part, own)| *own || is_over(part)).collect()
}

fn put(letters: &mut Vec<Letter>, letter: Letter) {
    let at = letters.partition_point(|other| other.step < letter.step);
    letters.insert(at, letter);
}
