//! Reads thousands of damaged documents through the isolation and counts how each ended.
//!
//!     cargo run -p reader --example mutations -- COUNT FILE...
//!
//! Each FILE (PDF, JPEG or PNG) is damaged in turn: bytes changed, cut out, repeated. The caller must
//! survive all of it, no child may outlast its limits, and nothing may be left running.

#![expect(clippy::print_stdout, reason = "a program that prints what it counted")]

#[path = "../tests/mutation/mod.rs"]
mod mutation;

use reader::isolate::{Drawing, Failure, Isolation, Limits, Recognition, run_if_child};
use reader::ocr::Weights;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run_if_child();
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().ok_or("how many?")?.parse()?;
    let seeds: Vec<Vec<u8>> = arguments.map(std::fs::read).collect::<Result<_, _>>()?;
    let limits =
        Limits { wall: Duration::from_secs(60), processor: Duration::from_secs(5), ..Limits::default() };
    let reader = Isolation::new(limits, Weights::Embedded);
    let mut endings: BTreeMap<&str, u64> = BTreeMap::new();
    let (start, mut longest) = (Instant::now(), Duration::ZERO);
    for round in 0..count {
        let seed = &seeds[(round % seeds.len().max(1) as u64) as usize];
        let begun = Instant::now();
        let ending = one(&reader, &mutation::mutated(seed, round));
        longest = longest.max(begun.elapsed());
        *endings.entry(ending).or_default() += 1;
        if round % 500 == 499 {
            println!("{} done in {:.0?}, longest {longest:.1?}: {endings:?}", round + 1, start.elapsed());
        }
    }
    println!("{count} documents in {:.0?}, longest {longest:.1?}: {endings:?}", start.elapsed());
    Ok(())
}

/// Opens, reads and draws; tells how it ended.
fn one(reader: &Isolation, document: &[u8]) -> &'static str {
    let outcome = reader.open(document).and_then(|mut session| {
        session.read_page(1, Recognition::Never)?;
        session.draw(&Drawing { page: 1, width: 300, corners: None, lossless: false })
    });
    match outcome {
        Ok(_) => "read",
        Err(Failure::Document(_)) => "refused",
        Err(Failure::TimedOut) => "timed out",
        Err(Failure::TooMuchMemory) => "too much memory",
        Err(Failure::Crashed { .. }) => "crashed child",
        Err(Failure::Unavailable(_) | Failure::Stopped) => "unavailable",
    }
}
