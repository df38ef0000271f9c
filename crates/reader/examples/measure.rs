//! Measures recognition on pictures whose words are known.
//!
//!     cargo run -p reader --example measure -- FOLDER [NAME-PREFIX] [--folded]
//!
//! FOLDER holds NAME.png or NAME.jpg with NAME.txt, as `tests/measure/make_pages.py` draws them. Prints the
//! character error of each kind (the name up to its first dash), and what reading costs against the bare
//! runs of the two networks, both taken in the same run. With `--folded` capitals count as small letters.

#![expect(clippy::print_stdout, reason = "a program that prints its measurements")]

use reader::ocr::{Recogniser, Weights};
use reader::{Options, pages};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Tally {
    pictures: u32,
    letters: usize,
    wrong: usize,
    words: usize,
    handwritten: usize,
    crossed_out: usize,
    whole: Duration,
    networks: Duration,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (options, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let is_folded = options.iter().any(|option| option == "--folded");
    let folder = arguments.first().ok_or("which folder?")?;
    let prefix = arguments.get(1).cloned().unwrap_or_default();
    let recogniser = Recogniser::load(&Weights::Embedded, 1)?;
    let options = Options { recogniser: Some(&recogniser), ..Options::default() };
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    names.sort();
    for path in
        names.iter().filter(|path| path.extension().is_some_and(|kind| kind == "png" || kind == "jpg"))
    {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with(&prefix) {
            continue;
        }
        let truth = plain(&std::fs::read_to_string(path.with_extension("txt"))?, is_folded);
        let bytes = std::fs::read(path)?;
        let (start, before) = (Instant::now(), recogniser.network_time());
        let document = pages(&bytes, &options)?;
        let (whole, networks) = (start.elapsed(), recogniser.network_time() - before);
        let words: Vec<&reader::page::Word> = document.pages.iter().flat_map(|page| &page.words).collect();
        let read =
            plain(&words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "), is_folded);
        let wrong = distance(&read, &truth);
        println!(
            "{name}: {wrong} of {} letters wrong, {whole:.1?}, networks {networks:.1?}",
            truth.chars().count()
        );
        let kind = name.split('-').next().unwrap_or_default().to_owned();
        let tally = tallies.entry(kind).or_default();
        tally.pictures += 1;
        tally.letters += truth.chars().count();
        tally.wrong += wrong;
        tally.words += words.len();
        tally.handwritten += words.iter().filter(|word| word.handwritten).count();
        tally.crossed_out += words.iter().filter(|word| word.crossed_out).count();
        tally.whole += whole;
        tally.networks += networks;
    }
    for (kind, tally) in &tallies {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        println!(
            "{kind}: {} pictures, character error {:.4}, handwritten {:.2}, crossed out {:.3}, {:.2} s a picture, networks alone {:.2} s, ratio {:.2}",
            tally.pictures,
            share(tally.wrong, tally.letters),
            share(tally.handwritten, tally.words),
            share(tally.crossed_out, tally.words),
            tally.whole.as_secs_f64() / f64::from(tally.pictures),
            tally.networks.as_secs_f64() / f64::from(tally.pictures),
            tally.whole.as_secs_f64() / tally.networks.as_secs_f64().max(1e-9),
        );
    }
    Ok(())
}

/// White space made single, since where a line ends is not at issue.
fn plain(text: &str, is_folded: bool) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if is_folded { text.to_lowercase() } else { text }
}

/// Letters to add, drop or change.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut previous: Vec<usize> = (0..=other.len()).collect();
    for (row, left) in one.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, right) in other.iter().enumerate() {
            let changed = previous[column] + usize::from(left != *right);
            current.push(changed.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    previous[other.len()]
}
