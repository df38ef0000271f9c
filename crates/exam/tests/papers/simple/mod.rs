//! Simple, home-made papers, schemes and scripts: what most people try first.
//!
//! Each case is a few lines of plain text (see `setting`), set as real PDF files, read through the real
//! reader, and shown as text again, so that a difference reads like a difference.

mod setting;
mod shown;

use proptest::prelude::*;
use reader::Options;
use reader::page::Document;

/// The width of a text as a sheet sets it.
pub(crate) fn width(text: &str) -> f32 {
    setting::width(text, setting::SIZE)
}

/// Every file of cases.
const ALL: [&str; 11] = [
    include_str!("papers.txt"),
    include_str!("schemes.txt"),
    include_str!("boards.txt"),
    include_str!("styles.txt"),
    include_str!("counting.txt"),
    include_str!("solutions.txt"),
    include_str!("points.txt"),
    include_str!("scripts.txt"),
    include_str!("languages.txt"),
    include_str!("layouts.txt"),
    include_str!("forms.txt"),
];

/// The paper, the scheme and the first script of each case, parted by form feeds.
pub(crate) fn texts() -> Vec<String> {
    let joined = |case: &Case<'_>| {
        let of = |name: &str| case.sections.iter().find(|(own, _)| *own == name).map_or("", |(_, text)| text);
        ["paper", "scheme", "script"].map(of).join("\u{c}")
    };
    ALL.iter().flat_map(|text| cases(text)).map(|case| joined(&case)).collect()
}

/// The papers of the first cases, as files.
pub(crate) fn files() -> Vec<Vec<u8>> {
    let first = |text: &&str| cases(text).first().map(|case| setting::set(&case.sections[0].1).finish());
    ALL.iter().filter_map(first).collect()
}

/// One paper, perhaps with its scheme and scripts, and what should be read.
struct Case<'t> {
    name: &'t str,
    sections: Vec<(&'t str, String)>,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("=== ") {
            cases.push(Case { name, sections: Vec::new() });
        } else if let Some(section) = line.strip_prefix("--- ") {
            let case = cases.last_mut().expect("a case begins with its name");
            case.sections.push((section, String::new()));
        } else if let Some((_, section)) = cases.last_mut().and_then(|case| case.sections.last_mut()) {
            section.push_str(line);
            section.push('\n');
        }
    }
    cases
}

fn document(text: &str) -> Document {
    reader::pages(&setting::set(text).finish(), &Options::default()).expect("the file is a PDF")
}

/// Reads a case and gives every difference between what was read and what should have been.
fn differences(case: &Case<'_>) -> Vec<String> {
    let section =
        |name: &str| case.sections.iter().find(|(own, _)| *own == name).map(|(_, text)| text.as_str());
    let paper = document(section("paper").expect("a case has a paper"));
    let scheme = section("scheme").map(document);
    let reading = exam::read(&paper, &scheme.clone().unwrap_or_default());
    let mut found = Vec::new();
    let mut compare = |what: &str, read: String, wanted: &str| {
        if read.trim() != wanted.trim() {
            let (read, wanted) = (read.trim(), wanted.trim());
            found.push(format!("=== {}: {what}\n--- read\n{read}\n--- wanted\n{wanted}\n", case.name));
        }
    };
    if let Some(wanted) = section("read") {
        compare("read", shown::reading(&reading, scheme.is_some()), wanted);
    }
    let mut scripts = case.sections.iter().filter(|(name, _)| *name == "script" || *name == "answers");
    while let (Some((_, script)), Some((_, wanted))) = (scripts.next(), scripts.next()) {
        let script = exam::script::read(&paper, &reading.questions, &[document(script)]);
        compare("answers", shown::answers(&script), wanted);
    }
    found
}

fn assert_all_read(text: &str) {
    let cases = cases(text);
    let wrong: Vec<String> = cases.iter().flat_map(differences).collect();
    let failed = wrong.len();
    assert!(wrong.is_empty(), "{failed} differences in {} cases:\n\n{}", cases.len(), wrong.join("\n"));
}

#[test]
fn papers_are_read() {
    assert_all_read(include_str!("papers.txt"));
}

#[test]
fn schemes_are_read() {
    assert_all_read(include_str!("schemes.txt"));
}

#[test]
fn boards_are_read() {
    assert_all_read(include_str!("boards.txt"));
}

#[test]
fn styles_are_read() {
    assert_all_read(include_str!("styles.txt"));
}

#[test]
fn ways_of_counting_are_read() {
    assert_all_read(include_str!("counting.txt"));
}

#[test]
fn solutions_are_read() {
    assert_all_read(include_str!("solutions.txt"));
}

#[test]
fn ways_to_price_points_are_read() {
    assert_all_read(include_str!("points.txt"));
}

#[test]
fn languages_are_read() {
    assert_all_read(include_str!("languages.txt"));
}

#[test]
fn layouts_are_read() {
    assert_all_read(include_str!("layouts.txt"));
}

#[test]
fn forms_that_boards_share_are_read() {
    assert_all_read(include_str!("forms.txt"));
}

#[test]
fn scripts_are_read() {
    assert_all_read(include_str!("scripts.txt"));
}

/// Bits that papers, schemes and scripts are made of, in any order.
const BITS: &[&str] = &[
    "1.",
    "2)",
    "(a)",
    "b)",
    "ii.",
    "Q3:",
    "1.1",
    "4",
    "A.",
    "B",
    "[2]",
    "(1)",
    "(1 mark each)",
    "/3",
    "M1",
    "dM1",
    "A1",
    "any two from:",
    ";",
    ",",
    "or",
    "accept",
    "(accept",
    ")",
    "Answer:",
    "Section B",
    "1 mark for",
    "•",
    "Total: 5",
    "Level 2 (3-4 marks):",
    "light",
    "carbon dioxide",
    "Name a gas.",
    "- ",
    "= 20 m/s",
    "see page 2",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn any_words_are_read_to_the_end(
        lines in prop::collection::vec(prop::collection::vec(0..BITS.len(), 1..5), 3..40)
    ) {
        let texts: Vec<String> =
            lines.iter().map(|line| line.iter().map(|bit| BITS[*bit]).collect::<Vec<_>>().join(" ")).collect();
        let third = texts.len() / 3;
        let paper = document(&texts[..third].join("\n"));
        let reading = exam::read(&paper, &document(&texts[third..2 * third].join("\n")));
        let script = exam::script::read(&paper, &reading.questions, &[document(&texts[2 * third..].join("\n"))]);
        let leaves: usize = reading.questions.iter().map(|question| question.parts.len().max(1)).sum();
        prop_assert_eq!(script.answers.len(), leaves);
    }
}
