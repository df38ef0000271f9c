//! Draws scripts in a hand, photographs them, and marks them beside their typed twins:
//! `cargo run -p marker --example photographed_scripts -- COUNT [--first N] [--misses] [--keep FOLDER] [--font FILE]...`.
//!
//! The twins are the typed scripts of `samples/`: every word of theirs is written where it stands, on the paper's own pages
//! or on sheets, ruled or not, in pencil or a pen, and each page is photographed with faults of its own (shadow, curl,
//! perspective, turning, focus, grain, a coarse JPEG). The same numbers give the same photographs. What is printed: how
//! many answers are at their question, choices as they were made, marks as the twin's, and marks that are not and carry no
//! flag. `--keep` writes the photographs to a folder; hands are the tests' font and those given.

#![expect(clippy::unwrap_used, reason = "the photographs are those of the reader's tests")]

mod hand;
#[path = "../../../reader/tests/photograph/mod.rs"]
mod photograph;
mod shots;
mod twin;

use marker::Builtin;
use marker::meaning::Semantic;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use twin::{Leaf, Subject};

const SUBJECTS: [&str; 2] = ["biology", "mathematics"];
const KINDS: [&str; 4] = ["excellent", "middling", "weak", "boastful"];
/// An answer that has less in common with what was written is not at its question.
const ALIKE_MIN: f32 = 0.5;

/// How many of how many.
#[derive(Default)]
struct Share(usize, usize);

impl Share {
    fn count(&mut self, is_so: bool) {
        *self = Share(self.0 + usize::from(is_so), self.1 + 1);
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{} of {} ({:.3})", self.0, self.1, self.0 as f64 / self.1.max(1) as f64)
    }
}

#[derive(Default)]
struct Tally {
    placed: Share,
    chosen: Share,
    equal: Share,
    silent: Share,
    silent_of_wrong: Share,
    flagged: Share,
}

impl Tally {
    /// Counts a leaf; says so where its mark or its choice is another than the twin's.
    fn count(&mut self, leaf: &Leaf, twin: &Leaf) -> Option<&'static str> {
        let is_chosen = leaf.selected == twin.selected;
        let is_placed = twin::alike(&leaf.text, &twin.text) >= ALIKE_MIN;
        if !twin.selected.is_empty() {
            self.chosen.count(is_chosen);
        } else if !twin.text.is_empty() {
            self.placed.count(is_placed);
        }
        let is_equal = (leaf.awarded - twin.awarded).abs() < f64::EPSILON;
        self.equal.count(is_equal);
        self.flagged.count(leaf.is_flagged);
        self.silent.count(!is_equal && !leaf.is_flagged);
        if !is_equal {
            self.silent_of_wrong.count(!leaf.is_flagged);
        }
        match (is_equal, leaf.is_flagged) {
            (false, false) => Some("wrong and silent"),
            (false, true) => Some("wrong"),
            (true, _) if !is_chosen || twin.selected.is_empty() && !is_placed => Some("misread"),
            (true, _) => None,
        }
    }
}

struct Wanted {
    count: u64,
    first: u64,
    lists_misses: bool,
    folder: Option<PathBuf>,
    fonts: Vec<PathBuf>,
}

fn wanted() -> Result<Wanted, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().ok_or("how many scripts?")?.parse()?;
    let mut wanted = Wanted { count, first: 1, lists_misses: false, folder: None, fonts: Vec::new() };
    while let Some(option) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{option} what?"));
        match option.as_str() {
            "--misses" => wanted.lists_misses = true,
            "--first" => wanted.first = value()?.parse()?,
            "--keep" => wanted.folder = Some(value()?.into()),
            "--font" => wanted.fonts.push(value()?.into()),
            other => return Err(format!("{other} is no option").into()),
        }
    }
    Ok(wanted)
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = wanted()?;
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let engine = Builtin::new(Arc::new(Semantic::load()?));
    let subjects: Vec<Subject> = SUBJECTS
        .iter()
        .map(|name| Subject::new(&samples.join(name), &KINDS, &engine))
        .collect::<Result<_, _>>()?;
    let fonts = hand::fonts(&wanted.fonts)?;
    let mut stdout = std::io::stdout().lock();
    let mut tally = Tally::default();
    for seed in (wanted.first..).take(wanted.count as usize) {
        let subject = &subjects[seed as usize % SUBJECTS.len()];
        let kind = seed as usize / SUBJECTS.len() % KINDS.len();
        let shots = shots::shots(subject, kind, &fonts, seed)?;
        if let Some(folder) = &wanted.folder {
            std::fs::create_dir_all(folder)?;
            for (page, shot) in shots.iter().enumerate() {
                std::fs::write(folder.join(format!("{seed:03}-{}.jpg", page + 1)), shot)?;
            }
        }
        let script = subject.read(&shots)?;
        for (leaf, twin) in subject.marked(&engine, &script)?.iter().zip(&subject.twins[kind]) {
            let miss = tally.count(leaf, twin).filter(|_| wanted.lists_misses);
            if let Some(miss) = miss {
                let shown =
                    |leaf: &Leaf| format!("{} {}", leaf.selected.join(" "), leaf.text.replace('\n', " | "));
                writeln!(
                    stdout,
                    "{seed} {}: {miss}: {} for {}\n    {}\n    {}",
                    twin.label,
                    leaf.awarded,
                    twin.awarded,
                    shown(leaf),
                    shown(twin)
                )?;
            }
        }
    }
    let Tally { placed, chosen, equal, silent, silent_of_wrong, flagged } = tally;
    writeln!(stdout, "{} scripts", wanted.count)?;
    writeln!(stdout, "answers at their question  {placed}")?;
    writeln!(stdout, "choices as they were made  {chosen}")?;
    writeln!(stdout, "marks as the typed twin's  {equal}")?;
    writeln!(stdout, "wrong and without a flag   {silent}, of those that are wrong {silent_of_wrong}")?;
    writeln!(stdout, "flagged                    {flagged}")?;
    Ok(())
}
