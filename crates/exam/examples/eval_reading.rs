//! Scores the reader: `cargo run -p exam --example eval_reading -- FOLDER [--misses] [--recognise] [--predictions OUT]`.

use exam::eval::{self, Totals, ratio};
use reader::Recognise;
use reader::ocr::{Recogniser, Weights};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("which folder?")?;
    let misses = arguments.iter().any(|argument| argument == "--misses");
    let out = arguments
        .iter()
        .position(|argument| argument == "--predictions")
        .and_then(|at| arguments.get(at + 1));
    let out = out.map(PathBuf::from);
    let recognises = arguments.iter().any(|argument| argument == "--recognise");
    let recogniser = recognises.then(|| Recogniser::load(&Weights::default(), 1)).transpose()?;
    let mut totals = Totals::default();
    let mut stdout = std::io::stdout().lock();
    writeln!(
        stdout,
        "{:46} {:>5} {:>5} {:>5} {:>5} {:>5} {:>8}",
        "pair", "leaf", "marks", "keys", "page", "total", "s/page"
    )?;
    for path in eval::pairs(Path::new(folder))? {
        let evaluated = eval::pair(&path, recogniser.as_ref().map(|own| own as &dyn Recognise))?;
        let score = &evaluated.score;
        print(&mut stdout, score, score.total.map_or("-", |right| if right { "yes" } else { "no" }))?;
        if misses {
            for miss in &score.misses {
                writeln!(stdout, "    {miss}")?;
            }
            writeln!(
                stdout,
                "    {:?} {:?}",
                evaluated.reading.warnings,
                evaluated.reading.questions.iter().flat_map(|q| &q.warnings).collect::<Vec<_>>()
            )?;
        }
        if let Some(out) = &out {
            std::fs::create_dir_all(out)?;
            let text = serde_json::to_string_pretty(&eval::predictions(&evaluated.reading))?;
            std::fs::write(out.join(format!("{}.json", score.name)), text)?;
        }
        totals.add(score);
    }
    print(
        &mut stdout,
        &eval::PairScore { name: "overall".into(), ..totals.sum.clone() },
        &format!("{}/{}", totals.total.0, totals.total.1),
    )?;
    writeln!(stdout, "{}", eval::doubts(&totals))?;
    Ok(())
}

fn print(out: &mut impl Write, score: &eval::PairScore, total: &str) -> std::io::Result<()> {
    let name: String = score.name.chars().take(46).collect();
    writeln!(
        out,
        "{name:46} {:5.3} {:5.3} {:5.3} {:5.3} {total:>5} {:8.4}",
        score.leaf_f1(),
        ratio(score.marks),
        ratio(score.keys),
        ratio(score.page),
        score.seconds / score.pages.max(1) as f64,
    )
}
