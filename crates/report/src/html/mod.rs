//! The report as one page: no script, no link to anything, its style inside, made to be printed too.

mod escape;
mod sections;

use crate::wording;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::report::{Report, Section};
use escape::Escaped;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub fn html(report: &Report) -> String {
    let mut page = String::with_capacity(32 * 1024);
    // Writing to a string cannot fail.
    let _ = write(&mut page, report);
    page
}

/// The style's hash as a Content-Security-Policy names it: `style-src 'sha256-…'` lets it through, and
/// nothing else that might have found its way into the page.
pub fn style_hash() -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(STYLE)))
}

fn write(page: &mut String, report: &Report) -> std::fmt::Result {
    let title = Escaped(&report.title);
    write!(
        page,
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <title>{title}: {kind}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<p class=\"kind\">{kind}</p>\n<h1 dir=\"auto\">{title}</h1>\n",
        language = wording::LANGUAGE,
        kind = wording::KIND,
    )?;
    if let Some(name) = &report.student_name {
        writeln!(page, "<p class=\"who\" dir=\"auto\">{}</p>", Escaped(name))?;
    }
    page.write_str("</header>\n<main>\n")?;
    if report.has(Section::Summary) {
        sections::summary(page, report)?;
    }
    if report.has(Section::Questions) {
        sections::table(page, report)?;
    }
    if [Section::Questions, Section::Feedback, Section::Evidence].iter().any(|one| report.has(*one)) {
        sections::questions(page, report)?;
    }
    if let Some(statistics) = report.statistics.as_ref().filter(|_| report.has(Section::Statistics)) {
        sections::statistics(page, statistics)?;
    }
    if report.has(Section::Marking) {
        sections::marking(page, report)?;
    }
    page.write_str("</main>\n</body>\n</html>\n")
}
