//! Scores the reading of photographed pages: `cargo run -p exam --example eval_pages -- FOLDER [NAME]`.

use exam::eval::{self, ratio};
use reader::isolate::{Isolation, Limits};
use reader::ocr::Weights;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("which folder?")?;
    let wanted = arguments.get(1).map_or("", String::as_str);
    let reader = Isolation::in_process(Limits { threads: 1, ..Limits::default() }, Weights::Embedded);
    let mut stdout = std::io::stdout().lock();
    for path in eval::pairs(Path::new(folder))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(wanted) {
            continue;
        }
        let started = Instant::now();
        let score = eval::pages::pages(&path, &reader)?.score;
        let seconds = started.elapsed().as_secs_f64() / score.pages.max(1) as f64;
        for miss in &score.misses {
            writeln!(stdout, "    {miss}")?;
        }
        writeln!(
            stdout,
            "{name}: choices {:?}, answers {:?}, character error {:.3}, bubbles {:?}, {seconds:.2} s a page",
            score.choices,
            score.answers,
            ratio(score.letters),
            score.bubbles
        )?;
    }
    Ok(())
}
