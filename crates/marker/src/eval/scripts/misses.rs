//! What went wrong, and by which rule: where the next improvement starts.

use super::MarkedAnswer;
use crate::rule::Rule;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How often a rule decided a point that could be matched, and how often it was wrong.
#[derive(Clone, Debug, Serialize)]
pub struct Fired {
    /// The rule.
    pub rule: Rule,
    /// Points that it decided.
    pub fired: usize,
    /// Given, and the examiner did not.
    pub given_wrongly: usize,
    /// Refused, and the examiner did not.
    pub refused_wrongly: usize,
}

/// Every rule that decided a point, those that erred most first.
pub fn by_rule(answers: &[MarkedAnswer]) -> Vec<Fired> {
    let mut rules: BTreeMap<Rule, Fired> = BTreeMap::new();
    for point in answers.iter().flat_map(|one| &one.points) {
        let Some(truly) = point.truly else { continue };
        let given = point.given > 0.0;
        let none = Fired { rule: point.rule, fired: 0, given_wrongly: 0, refused_wrongly: 0 };
        let fired = rules.entry(point.rule).or_insert(none);
        fired.fired += 1;
        fired.given_wrongly += usize::from(given && !truly);
        fired.refused_wrongly += usize::from(!given && truly);
    }
    let mut rules: Vec<Fired> = rules.into_values().collect();
    rules.sort_by_key(|one| std::cmp::Reverse(one.given_wrongly + one.refused_wrongly));
    rules
}

/// Every answer that got another mark, the farthest off first, with what decided each point; then the rules.
pub fn misses(answers: &[MarkedAnswer]) -> String {
    let mut wrong: Vec<&MarkedAnswer> = answers.iter().filter(|one| !one.is_exact()).collect();
    let distance = |one: &MarkedAnswer| (one.given - one.truth.mark).abs();
    wrong.sort_by(|one, other| distance(other).total_cmp(&distance(one)));
    let mut text = String::new();
    for one in wrong {
        tell(&mut text, one);
    }
    text.push_str("\nrule                 fired  given wrongly  refused wrongly\n");
    for fired in by_rule(answers) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<20}{:>6}{:>15}{:>17}",
            fired.rule.name(),
            fired.fired,
            fired.given_wrongly,
            fired.refused_wrongly
        );
    }
    text
}

/// Longer texts are cut in the list.
const SHOWN_MAX: usize = 160;

fn tell(text: &mut String, one: &MarkedAnswer) {
    let truth = &one.truth;
    let label = truth.label.as_deref().unwrap_or_default();
    let flag = if one.is_flagged { ", flagged" } else { "" };
    let read = if one.is_read { "" } else { ", not read" };
    let _ = writeln!(
        text,
        "\n{} {} {}{label}: {} of {}, not {} ({:.2}{flag}{read}; {})\n  > {}",
        one.exam,
        one.student,
        truth.number,
        one.given,
        truth.max,
        truth.mark,
        one.confidence,
        truth.case,
        cut(&truth.answer)
    );
    for point in &one.points {
        let truly = point.truly.map_or("?", |truly| if truly { "+" } else { "-" });
        let _ = writeln!(
            text,
            "    {} {truly} {:<14} {:.2}  {}",
            point.given,
            point.rule.name(),
            point.confidence,
            cut(&point.text)
        );
    }
    for point in &truth.points {
        let _ = writeln!(text, "      = {} {} ({})", point.awarded, cut(&point.text), cut(&point.why));
    }
}

fn cut(text: &str) -> String {
    let line = text.replace('\n', " | ");
    if line.chars().count() <= SHOWN_MAX {
        line
    } else {
        line.chars().take(SHOWN_MAX).collect::<String>() + "…"
    }
}
