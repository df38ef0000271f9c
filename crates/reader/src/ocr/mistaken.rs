//! Blocks of bubbles that are writing: round letters may stand as evenly as bubbles do. A line that runs over several of
//! a block's bubbles is read, and where it spells words the block is none.

use super::ctc::Letter;
use super::detect::Line;
use super::straighten::Turn;
use crate::image::geometry::Quad;
use crate::page::{Bubble, Rect};
use std::collections::BTreeMap;

/// A line lies on a block's row when it holds so many of its bubbles.
const HELD_MIN: usize = 3;
/// Blocks that are looked at; what most of these are, the others are too.
const BLOCKS_MAX: usize = 6;
/// Letters beside each other that no row of bubbles shows: so many, and this share of all.
const TELLING_MIN: usize = 4;
const TELLING_SHARE: f32 = 0.5;
/// The longest level of a part's label: "viii".
const LEVEL_MAX: usize = 4;
/// What circles are read as, filled or not.
const ROUND: &str = "oO0QCcGDeauU@";

/// For each of some blocks the longest line that runs over its bubbles, or `None` when no line does, largest first.
pub(super) fn trials(lines: &[Line], bubbles: &[Bubble]) -> Vec<(u32, Option<Quad>)> {
    let mut blocks: BTreeMap<u32, Vec<&Bubble>> = BTreeMap::new();
    for bubble in bubbles {
        blocks.entry(bubble.block).or_default().push(bubble);
    }
    let mut blocks: Vec<(u32, Vec<&Bubble>)> = blocks.into_iter().collect();
    blocks.sort_by_key(|(block, own)| (std::cmp::Reverse(own.len()), *block));
    let over = |own: &[&Bubble]| {
        let columns = own.iter().map(|bubble| bubble.column as usize + 1).max().unwrap_or_default();
        let held = lines.iter().filter(|line| {
            let (x0, y0, x1, y1) = line.place.bounds();
            let place = Rect { x0, y0, x1, y1 };
            let held: Vec<&&Bubble> =
                own.iter().filter(|bubble| place.contains(bubble.place.centre())).collect();
            // The number of a row stands left of its bubbles; what a label begins with is taken for one of them. Lines
            // are found with a little paper around them.
            let reach = (y1 - y0) / 4.0;
            let begins = || held.iter().any(|bubble| bubble.place.x0 - x0 < bubble.place.width() + reach);
            held.len() >= HELD_MIN.min(columns) && (columns >= HELD_MIN || begins())
        });
        let length = |line: &&Line| line.place.width().max(line.place.height());
        held.max_by(|a, b| length(a).total_cmp(&length(b))).map(|line| line.place)
    };
    blocks.iter().take(BLOCKS_MAX).map(|(block, own)| (*block, over(own))).collect()
}

/// The ways round in which a line may be writing.
pub(super) fn turns(line: &Quad) -> [Turn; 2] {
    if line.width() >= line.height() {
        [Turn::None, Turn::Half]
    } else {
        [Turn::Quarter, Turn::ThreeQuarters]
    }
}

/// True when what was read is writing, none of it bubbles.
pub(super) fn is_writing(letters: &[Letter]) -> bool {
    spells_words(letters) || names_a_part(letters)
}

/// True for the label of a question's part, "3(b)" or "5(b)(ii)": no letters of options, which count on from bracket to
/// bracket.
fn names_a_part(letters: &[Letter]) -> bool {
    let text: String = letters.iter().map(|letter| letter.text.trim()).collect();
    let levels = text.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let Some(inner) = levels.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) else {
        return false;
    };
    let levels: Vec<&str> = inner.split(")(").collect();
    let is_level = |level: &&str| {
        (1..=LEVEL_MAX).contains(&level.len()) && level.chars().all(|sign| sign.is_ascii_lowercase())
    };
    let counts_on = levels.windows(2).any(|two| {
        let [one, next] = [two[0], two[1]].map(|level| level.bytes().next().unwrap_or_default());
        two.iter().all(|level| level.len() == 1) && next == one + 1
    });
    text.starts_with(|first: char| first.is_ascii_digit()) && levels.iter().all(is_level) && !counts_on
}

/// True when what was read are words: neither the letters of options in their order nor circles.
fn spells_words(letters: &[Letter]) -> bool {
    let signs: Vec<char> = letters.iter().filter_map(|letter| letter.text.chars().next()).collect();
    let pairs: Vec<&[char]> =
        signs.windows(2).filter(|two| two.iter().all(|sign| !sign.is_whitespace())).collect();
    let telling = pairs.iter().filter(|two| {
        let (one, next) = (two[0], two[1]);
        let follows = u32::from(next.to_ascii_lowercase()) == u32::from(one.to_ascii_lowercase()) + 1;
        one.is_alphabetic()
            && next.is_alphabetic()
            && one != next
            && !follows
            && !(ROUND.contains(one) && ROUND.contains(next))
    });
    let telling = telling.count();
    telling >= TELLING_MIN && telling as f32 >= TELLING_SHARE * pairs.len() as f32
}

/// The bubbles of the blocks that are no writing. `are_words`: for each block that was looked at.
pub(super) fn without_writing(bubbles: Vec<Bubble>, are_words: &[(u32, bool)]) -> Vec<Bubble> {
    let most = 2 * are_words.iter().filter(|(_, are)| *are).count() > are_words.len();
    let is_writing =
        |block: u32| are_words.iter().find(|(known, _)| *known == block).map_or(most, |(_, are)| *are);
    bubbles.into_iter().filter(|bubble| !is_writing(bubble.block)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Letter> {
        let letter = |sign: char| Letter { text: sign.to_string(), confidence: 0.9, step: 0.0 };
        text.chars().map(letter).collect()
    }

    fn bubble(block: u32, row: u32, column: u32) -> Bubble {
        let (x, y) = (100.0 + 20.0 * column as f32, 50.0 + 300.0 * block as f32 + 24.0 * row as f32);
        let place = Rect { x0: x, y0: y, x1: x + 12.0, y1: y + 12.0 };
        Bubble { place, fill: 0.0, block, row, column }
    }

    #[test]
    fn words_are_told_from_options_and_circles() {
        assert!(spells_words(&read("it has a better resolution")) && spells_words(&read("there are more")));
        for row in ["ABCDE", "A B C D", "a b c d e", "OOOOO", "oOCOQO", "0123456789", "12 A B C D", ""] {
            assert!(!spells_words(&read(row)), "{row}");
        }
    }

    #[test]
    fn labels_of_parts_are_told_from_rows_of_two() {
        for label in ["3(b)", "5(b)(ii)", "12(a)", "4(viii)"] {
            assert!(is_writing(&read(label)), "{label}");
        }
        for row in ["3(a)(b)", "(a)(b)", "3(A)", "3ab", "3", "12()", "7(true)(false)"] {
            assert!(!is_writing(&read(row)), "{row}");
        }
        // Two columns of round letters: the label begins with the first of them, the number of a row stands before it.
        let all: Vec<Bubble> =
            (0..4).flat_map(|row| (0..2).map(move |column| bubble(0, row, column))).collect();
        let line = |x0: f32| Line { place: Quad::from(Rect { x0, y0: 70.0, x1: 150.0, y1: 90.0 }) };
        assert_eq!(trials(&[line(95.0)], &all), [(0, Some(line(95.0).place))]);
        assert_eq!(trials(&[line(80.0)], &all), [(0, None)]);
    }

    #[test]
    fn a_block_over_which_words_run_is_none() {
        let all: Vec<Bubble> = (0..2)
            .flat_map(|block| {
                (0..3).flat_map(move |row| (0..8).map(move |column| bubble(block, row, column)))
            })
            .collect();
        let line = |x0, y0, x1, y1| Line { place: Quad::from(Rect { x0, y0, x1, y1 }) };
        let lines =
            [line(98.0, 45.0, 320.0, 66.0), line(98.0, 20.0, 600.0, 40.0), line(98.0, 346.0, 130.0, 366.0)];
        let trials = trials(&lines, &all);
        assert_eq!(trials, [(0, Some(lines[0].place)), (1, None)], "two bubbles are too few");
        let left = without_writing(all.clone(), &[(0, true), (1, false)]);
        assert!(left.len() == 24 && left.iter().all(|bubble| bubble.block == 1));
        assert_eq!(without_writing(all, &[(0, true)]), [], "what was not looked at is as most are");
    }
}
