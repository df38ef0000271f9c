//! Which point of a reading is which point of the truth: both tell the same scheme in nearly the same words.

use super::TruePoint;
use crate::words::tokens;
use std::collections::HashSet;

/// Below this share of common words two points are not the same.
const SHARE_MIN: f64 = 0.4;

/// For each of these texts the point of the truth that it is, each used once; the closest pairs first.
pub(super) fn matched(texts: &[String], truth: &[TruePoint]) -> Vec<Option<usize>> {
    let words =
        |text: &str| -> HashSet<String> { tokens(text).into_iter().map(|token| token.stem).collect() };
    let own: Vec<HashSet<String>> = texts.iter().map(|text| words(text)).collect();
    let theirs: Vec<HashSet<String>> = truth.iter().map(|point| words(&point.text)).collect();
    let mut likely = Vec::new();
    for (mine, one) in own.iter().enumerate() {
        for (other, two) in theirs.iter().enumerate() {
            let common = one.intersection(two).count();
            let share = 2.0 * common as f64 / (one.len() + two.len()).max(1) as f64;
            if share >= SHARE_MIN {
                likely.push((share, mine, other));
            }
        }
    }
    likely.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut found = vec![None; texts.len()];
    let mut used = HashSet::new();
    for (_, mine, other) in likely {
        if found[mine].is_none() && used.insert(other) {
            found[mine] = Some(other);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_points_are_one() {
        let point =
            |text: &str| TruePoint { text: text.to_owned(), marks: 1.0, awarded: 0.0, why: String::new() };
        let truth = [point("the rate rises"), point("more collisions each second"), point("levels")];
        let texts =
            ["more frequent collisions each second".to_owned(), "rate rises".to_owned(), "x".to_owned()];
        assert_eq!(matched(&texts, &truth), [Some(1), Some(0), None]);
    }
}
