//! Writes the sample's report as `report.html` and `report.pdf` into the folder given:
//! `cargo run -p report --features sample --example sample -- FOLDER [PAGES]`.

use domain::grading::FeedbackLevel;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name a folder to write to")?);
    let pages = arguments.next().map_or(Ok(2), |count| count.parse())?;
    let report = report::sample::report(pages, FeedbackLevel::Detailed);
    std::fs::write(folder.join("report.html"), report::html(&report))?;
    std::fs::write(folder.join("report.pdf"), report::pdf(&report, &report::sample::pages(pages))?)?;
    Ok(())
}
