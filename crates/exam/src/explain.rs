//! Why a paper was read as it was: what each line was taken for, by which rules, and what came second.

use crate::join::{self, Chosen};
use crate::paper::{self, LineTaken};
use crate::rules::Reason;
use crate::{alphabets, han, objective, rtl};
use reader::page::Document;
use std::fmt::Write as _;

/// A paper's lines and the reading that was chosen.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The reading, with what speaks for it.
    pub chosen: Chosen,
    /// The paper's lines in reading order.
    pub lines: Vec<LineTaken>,
}

/// Explains how a paper is read beside its scheme.
pub fn paper(paper: &Document, scheme: &Document) -> Explained {
    let chosen = join::choose(paper, scheme);
    let lines =
        paper::explain(&han::prepared(&rtl::prepared(&alphabets::prepared(paper))), chosen.way.clone());
    Explained { chosen, lines }
}

/// The explanation as a text: a line of the paper a line, then the reading as a whole.
pub fn text(explained: &Explained) -> String {
    let mut out = String::new();
    for line in &explained.lines {
        let part = line.part.as_deref().unwrap_or("-");
        let part = if line.begins { format!("[{part}]") } else { part.to_owned() };
        let marks = line.marks.map(|marks| format!(" = {marks}")).unwrap_or_default();
        let second = line.second.as_ref().map(|(path, why)| format!("; might be {path}: {}", said(why)));
        let second = second.unwrap_or_default();
        let shown: String = line.text.chars().take(SHOWN).collect();
        _ = writeln!(out, "{:>3} {part:<12}{marks:<6} {shown}  <{}{second}>", line.page, said(&line.reasons));
    }
    let chosen = &explained.chosen;
    _ = writeln!(out, "reading {}", weighed(&chosen.reasons));
    if let Some(second) = &chosen.second {
        _ = writeln!(out, "second  {}", weighed(second));
    }
    for question in &chosen.reading.questions {
        for warning in &question.warnings {
            _ = writeln!(out, "question {}: {warning}", question.number);
        }
    }
    out
}

/// So much of a line is shown.
const SHOWN: usize = 70;

/// What speaks for a whole reading: the sum, and the rules behind it.
pub fn weighed(reasons: &[Reason]) -> String {
    format!("{:.2}: {}", objective::score(reasons), said(reasons))
}

/// The rules that spoke, each with its weight where it has one.
pub fn said(reasons: &[Reason]) -> String {
    let one = |(rule, weight): &Reason| match *weight {
        0.0 => format!("{rule:?}"),
        weight => format!("{rule:?} {weight:+.2}"),
    };
    reasons.iter().map(one).collect::<Vec<_>>().join(", ")
}
