//! What each line of a paper was taken for: `cargo run -p exam --example explain_paper -- PAPER [SCHEME]`.

use reader::Options;
use reader::page::Document;
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let read = |path: &String| -> Result<Document, Box<dyn Error>> {
        Ok(reader::pages(&std::fs::read(path)?, &Options::default())?)
    };
    let paper = read(files.first().ok_or("which paper?")?)?;
    let scheme = files.get(1).map(read).transpose()?.unwrap_or_default();
    let text = exam::explain::text(&exam::explain::paper(&paper, &scheme));
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
