//! The fuzz targets' own functions on the home-made papers, mutated by a seeded generator. `FUZZ_ROUNDS` runs
//! more of them than the few of each test run.

#[expect(unreachable_pub, reason = "the fuzz targets are crates of their own and share these functions")]
#[path = "../../../../fuzz/src/bodies.rs"]
mod bodies;

use crate::simple;

/// Rounds of each test run.
const ROUNDS: u64 = 150;

/// A small generator of our own: the same seed gives the same mutations everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }
}

fn rounds() -> u64 {
    std::env::var("FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS)
}

/// Drops, doubles, moves and changes words and lines.
fn mutated(words: &[&str], dice: &mut Dice) -> String {
    const ODD: &[&str] =
        &["\n", "\u{c}", "1.", "(i)", "[9]", "½", "é", "OR", "II.", "(", "0", "999", "\u{301}"];
    let mut words: Vec<&str> = words.to_vec();
    for _ in 0..1 + dice.roll(12) {
        let at = dice.roll(words.len());
        let to = (at + 1 + dice.roll(8)).min(words.len());
        match dice.roll(5) {
            0 => drop(words.drain(at..to)),
            1 => words.extend_from_within(at..to),
            2 => words.swap(at, to - 1),
            3 => words.insert(at, ODD[dice.roll(ODD.len())]),
            _ => words[at] = ODD[dice.roll(ODD.len())],
        }
        if words.is_empty() {
            words.push("1");
        }
    }
    words.join(" ")
}

#[test]
fn mutated_papers_schemes_and_scripts_are_read_to_the_end() {
    let cases = simple::texts();
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for _ in 0..rounds() {
        let text = cases[dice.roll(cases.len())].replace('\n', " \n ");
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        let text = mutated(&words, &mut dice);
        bodies::exam(&text);
        text.lines().for_each(bodies::labels);
    }
}

#[test]
fn mutated_files_are_documents_or_refused() {
    let files = simple::files();
    let mut dice = Dice(0xD1B5_4A32_D192_ED03);
    for _ in 0..rounds() / 3 {
        let mut bytes = files[dice.roll(files.len())].clone();
        for _ in 0..1 + dice.roll(20) {
            let at = dice.roll(bytes.len());
            bytes[at] = dice.roll(256) as u8;
        }
        bytes.truncate(bytes.len() - dice.roll(bytes.len() / 4));
        bodies::pages(&bytes);
    }
}
