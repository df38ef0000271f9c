//! Scores the marker against answers that people marked.
//!
//! `cargo run -p marker --example eval_marking -- FILE… [--predictions OUT] [--taught K [--points]]`

use marker::eval::{self, Taught};
use marker::meaning::Semantic;
use std::fs::File;
use std::io::{self, BufWriter, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut predictions = None;
    if let Some(at) = files.iter().position(|argument| argument == "--predictions") {
        let path = files.get(at + 1).cloned().ok_or("--predictions needs a file")?;
        predictions = Some(BufWriter::new(File::create(path)?));
        files.drain(at..at + 2);
    }
    let mut taught = Taught::default();
    if let Some(at) = files.iter().position(|argument| argument == "--points") {
        taught.by_points = true;
        files.remove(at);
    }
    if let Some(at) = files.iter().position(|argument| argument == "--taught") {
        taught.answers = files.get(at + 1).ok_or("--taught needs a number")?.parse()?;
        files.drain(at..at + 2);
    }
    let judge = Semantic::load()?;
    let out = predictions.as_mut().map(|file| file as &mut dyn Write);
    let scores = eval::marking(&judge, exam::key::rubric, &files, taught, out, |_, _| ())?;
    io::stdout().write_all(eval::table(&scores).as_bytes())?;
    Ok(())
}
