//! Prints the lines of a document with their places: `cargo run -p reader --example lines -- FILE [PAGE]`.

use reader::lines::lines;
use reader::{Options, pages, tables};
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file?")?;
    let only: Option<u32> = arguments.next().map(|page| page.parse()).transpose()?;
    let document = pages(&std::fs::read(path)?, &Options::default())?;
    let mut out = std::io::stdout().lock();
    for page in document.pages.iter().filter(|page| only.is_none_or(|only| only == page.number)) {
        writeln!(out, "page {} ({} x {})", page.number, page.width, page.height)?;
        for line in lines(page) {
            let words: Vec<&str> =
                page.words[line.words.clone()].iter().map(|word| word.text.as_str()).collect();
            let place = line.place;
            writeln!(
                out,
                "{:5.0} {:5.0} {:5.0} {:4.1}  {}",
                place.x0,
                place.x1,
                line.baseline,
                line.size,
                words.join(" ")
            )?;
        }
        for table in tables::tables(page) {
            writeln!(out, "table {:?}: {} rows, {} columns", table.place, table.rows, table.columns)?;
        }
    }
    Ok(())
}
