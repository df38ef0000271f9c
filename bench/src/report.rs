//! What a report costs: the page, and the annotated script as a PDF.

use crate::cpu::Stopwatch;
use crate::table::{Row, Target};
use domain::grading::FeedbackLevel;

/// Pages of the script. The sample's pictures are 1240 by 1754 pixels.
const PAGES: u32 = 6;
/// Enough that the kernel's hundredths of a second do not show.
const ROUNDS: u32 = 20;

pub(crate) fn run() -> anyhow::Result<Vec<Row>> {
    let report = ::report::sample::report(PAGES, FeedbackLevel::Detailed);
    let pages = ::report::sample::pages(PAGES);
    let size = ::report::pdf(&report, &pages)?.len();
    let watch = Stopwatch::start()?;
    for _ in 0..ROUNDS {
        std::hint::black_box(::report::pdf(&report, &pages)?);
    }
    let pdf = each(&watch)?;
    let watch = Stopwatch::start()?;
    for _ in 0..ROUNDS {
        std::hint::black_box(::report::html(&report));
    }
    let html = each(&watch)?;
    Ok(vec![
        Row {
            what: format!("report of a {PAGES}-page script as PDF"),
            measured: format!("{pdf:.1} ms"),
            baseline: String::new(),
            value: pdf,
            target: Some(Target::AtMost(300.0)),
            note: format!("{} kB", size / 1000),
        },
        Row {
            what: "the same as a page".to_owned(),
            measured: format!("{html:.1} ms"),
            baseline: String::new(),
            value: html,
            target: None,
            note: String::new(),
        },
    ])
}

/// Milliseconds of processor time for one round.
fn each(watch: &Stopwatch) -> anyhow::Result<f64> {
    Ok(watch.stop()?.cpu.as_secs_f64() * 1000.0 / f64::from(ROUNDS))
}
