//! What pages cost to read, in processor seconds: `cargo run --release -p reader --example cost -- [--text] [--over PAPER.pdf]
//! FILE...` prints a line a file, with `--text` what was read before it. `PAPER.pdf` is the paper whose pages the files may show. What is loaded once for a document
//! counts with its first page, as it does where documents are read one by one.

use reader::isolate::{Isolation, Limits, ReadOptions};
use reader::lines::lines;
use reader::ocr::Weights;
use reader::print::Prints;
use std::error::Error;
use std::io::Write;

/// The kernel counts processor time in hundredths of a second.
const TICKS: f64 = 100.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_shown = arguments.first().is_some_and(|first| first == "--text");
    arguments.drain(..usize::from(is_shown));
    let (paper, files) = match arguments.as_slice() {
        [flag, paper, files @ ..] if flag == "--over" => (Some(paper), files),
        files => (None, files),
    };
    let reader = Isolation::in_process(Limits { threads: 1, ..Limits::default() }, Weights::Embedded);
    let prints = match paper {
        Some(paper) => {
            let options = ReadOptions { keep_prints: true, ..ReadOptions::default() };
            Prints::of(&reader.read(&std::fs::read(paper)?, &options)?)
        }
        None => Prints::default(),
    };
    let mut stdout = std::io::stdout().lock();
    let (mut pages, mut seconds) = (0, 0.0);
    for file in files {
        let bytes = std::fs::read(file)?;
        let begun = spent()?;
        let read = reader.read_over(&bytes, &ReadOptions::default(), &prints)?;
        let taken = spent()? - begun;
        let words: usize = read.pages.iter().map(|page| page.words.len()).sum();
        for page in read.pages.iter().filter(|_| is_shown) {
            for line in lines(page) {
                let words = page.words[line.words].iter().map(|word| word.text.as_str());
                writeln!(stdout, "{}", words.collect::<Vec<_>>().join(" "))?;
            }
        }
        writeln!(stdout, "{file}: {} pages, {words} words, {taken:.2} s", read.pages.len())?;
        (pages, seconds) = (pages + read.pages.len(), seconds + taken);
    }
    writeln!(stdout, "{pages} pages, {:.2} s a page", seconds / pages.max(1) as f64)?;
    Ok(())
}

/// Processor time of this process so far: the 14th and 15th field of its status.
fn spent() -> Result<f64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/stat")?;
    let fields = status.rsplit(')').next().ok_or("a status without a name")?;
    let ticks: Vec<f64> =
        fields.split_whitespace().skip(11).take(2).map(str::parse).collect::<Result<_, _>>()?;
    Ok(ticks.iter().sum::<f64>() / TICKS)
}
