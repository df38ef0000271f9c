//! Looks at readings of papers that nobody has read for us:
//! `cargo run -p exam --example survey_reading -- FOLDER [--only PART_OF_NAME] [--show] [--scheme] [--explain] [--kept PAGES] [--recognise] [--half even|odd] [--misses]`.
//!
//! With `--kept` the pages' words are kept in a folder, so that a second run reads no document again. A pair that has
//! a `truth.json` is scored against it, and `--misses` lists what went wrong. `--half` takes the pairs whose names
//! begin with an even or an odd number, so that rules can be made with one half and tried on the other.

use domain::marks::Marks;
use domain::question::{AnswerKey, Level, Question};
use exam::eval::{self, PairScore, Totals, ratio, survey};
use exam::join::Reading;
use reader::Options;
use reader::ocr::{Recogniser, Weights};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("which folder?")?;
    let flag = |name: &str| arguments.iter().any(|argument| argument == name);
    let value = |name: &str| {
        arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1))
    };
    let recogniser = flag("--recognise").then(|| Recogniser::load(&Weights::default(), 2)).transpose()?;
    let recognises = recogniser.as_ref().map(|own| own as &dyn reader::Recognise);
    let options = Options { recogniser: recognises, ..Options::default() };
    let kept = value("--kept").map(PathBuf::from);
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:42} {:>4} {:>5} {:>6} {:>5} {:>6} {:>7} {:>6} {:>6}",
        "pair", "qs", "leaf", "marked", "keyed", "sum", "printed", "known", "doubts"
    )?;
    let (mut met, mut known, mut keyed, mut leaves) = (0, 0, 0, 0);
    let mut totals = Totals::default();
    for pair in survey::pairs(Path::new(folder))? {
        let other = value("--half").is_some_and(|half| !is_in_half(&pair.name, half));
        if other || value("--only").is_some_and(|only| !pair.name.contains(only.as_str())) {
            continue;
        }
        let (paper, scheme) = survey::documents(&pair, &options, kept.as_deref())?;
        let (own, reading) = survey::survey(&paper, &scheme);
        let number = |marks: Option<f64>| marks.map_or_else(|| "-".to_owned(), |marks| marks.to_string());
        let sum = own.sum.map(Marks::as_number);
        known += usize::from(pair.total.is_some());
        met += usize::from(pair.total.is_some() && sum == pair.total);
        keyed += own.keyed;
        leaves += own.leaves;
        writeln!(
            out,
            "{:42} {:>4} {:>5} {:>6} {:>5} {:>6} {:>7} {:>6} {:>6}",
            pair.name.chars().take(42).collect::<String>(),
            own.questions,
            own.leaves,
            own.marked,
            own.keyed,
            number(sum),
            number(own.printed.map(Marks::as_number)),
            number(pair.total),
            if own.doubts { "yes" } else { "" },
        )?;
        if pair.folder.join("truth.json").is_file() {
            let score = eval::score_of(&pair.folder, &reading)?;
            print_score(&mut out, &score)?;
            for miss in score.misses.iter().filter(|_| flag("--misses")) {
                writeln!(out, "    {miss}")?;
            }
            totals.add(&score);
        }
        if flag("--show") {
            show(&mut out, &reading)?;
        }
        if flag("--scheme") {
            for entry in &exam::scheme::read(&scheme, &exam::paper::read(&paper)).entries {
                let name = exam::labels::display(&entry.path);
                let number = entry.path.first().map_or(0, |token| token.value);
                writeln!(out, "  [{} {number} {name}] {:?}", entry.section, entry.stated)?;
                for line in &entry.lines {
                    writeln!(out, "      {} | {} | {}", line.answer, line.marks, line.guidance)?;
                }
            }
        }
        if flag("--explain") {
            let text = exam::explain::text(&exam::explain::paper(&paper, &scheme));
            out.write_all(text.as_bytes())?;
        }
    }
    writeln!(out, "{met} of {known} totals met, {keyed} of {leaves} leaves with a key")?;
    if totals.doubted.1 + totals.alarmed.1 > 0 {
        print_score(&mut out, &PairScore { name: "overall".to_owned(), ..totals.sum.clone() })?;
        writeln!(out, "{} of {} totals right; {}", totals.total.0, totals.total.1, eval::doubts(&totals))?;
    }
    Ok(())
}

/// True for a name that begins with an even number, or an odd one where that is asked for.
fn is_in_half(name: &str, half: &str) -> bool {
    let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
    digits.parse::<u32>().is_ok_and(|number| number.is_multiple_of(2) == (half == "even"))
}

fn print_score(out: &mut impl Write, score: &PairScore) -> std::io::Result<()> {
    let (f1, marks, keys) = (score.leaf_f1(), ratio(score.marks), ratio(score.keys));
    let perfect = if score.is_perfect() { " perfect" } else { "" };
    writeln!(out, "  => {:40} F1 {f1:.3} marks {marks:.3} keys {keys:.3}{perfect}", score.name)
}

fn show(out: &mut impl Write, reading: &Reading) -> std::io::Result<()> {
    writeln!(out, "  {:?}", reading.warnings)?;
    for question in &reading.questions {
        let group = question.choice_group.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
        line(out, &question.number, question, &group)?;
        for part in &question.parts {
            let marks = part.marks.map_or_else(|| "-".to_owned(), |marks| marks.to_string());
            let label = format!("{} {}", question.number, part.label);
            writeln!(
                out,
                "  {label:12} {marks:>4} {}",
                said(&part.text, part.answer_key.as_ref(), part.options.len())
            )?;
        }
        for warning in &question.warnings {
            writeln!(out, "    ! {warning}")?;
        }
    }
    Ok(())
}

fn line(out: &mut impl Write, label: &str, question: &Question, group: &str) -> std::io::Result<()> {
    let marks = question.marks.map_or_else(|| "-".to_owned(), |marks| marks.to_string());
    let said = said(&question.text, question.answer_key.as_ref(), question.options.len());
    writeln!(out, "  {label:12} {marks:>4}{group} {said}")
}

fn said(text: &str, key: Option<&AnswerKey>, options: usize) -> String {
    let short = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let asked = format!("{:60} {options}o", short(text, 60));
    let Some(key) = key else { return asked };
    let points: Vec<String> =
        key.points.iter().map(|point| format!("{} [{}]", short(&point.text, 40), point.marks)).collect();
    let level =
        |level: &Level| format!("{}–{} {}; ", level.marks_from, level.marks_to, short(&level.descriptor, 40));
    let levels: String = key.levels.iter().map(level).collect();
    format!("{asked} => {levels}{}", points.iter().take(5).cloned().collect::<Vec<_>>().join(" | "))
}
