//! A point that is worth several marks and says for what: "further from nucleus (1) less attraction (1)".

use super::script::Script;
use super::verdict::{NEVER, Verdict};
use crate::rule::Rule;
use domain::marks::Marks;
use domain::question::{Point, PointKind};

/// Judges each share of a point by itself; `None` when the point is one thing.
pub(crate) fn judge(script: &Script<'_>, point: &Point) -> Option<Verdict> {
    let verdicts: Vec<Verdict> = pieces(point)?.iter().map(|piece| script.judge_point(piece)).collect();
    let least = verdicts.iter().map(|verdict| verdict.confidence).fold(1.0, f32::min);
    let evidence =
        verdicts.iter().filter(|verdict| verdict.grant > NEVER).flat_map(|verdict| verdict.evidence.clone());
    Some(Verdict {
        grant: verdicts.iter().map(|verdict| verdict.grant).min().unwrap_or(NEVER),
        confidence: least,
        evidence: evidence.collect(),
        reason: verdicts.iter().find_map(|verdict| verdict.reason.clone()),
        rule: Rule::Shares,
        shares: verdicts.iter().map(|verdict| verdict.grant).collect(),
    })
}

/// True when a point says for what each of its marks is given.
pub(crate) fn is_shared(point: &Point) -> bool {
    pieces(point).is_some()
}

/// The shares: as many as there are "(1)" in the text, or as its semicolons or an "and" part it, if that is its marks.
fn pieces(point: &Point) -> Option<Vec<Point>> {
    let marks = point.marks.as_halves() / 2;
    if marks < 2
        || !point.alternatives.is_empty()
        || matches!(point.kind, PointKind::Method | PointKind::Option)
    {
        return None;
    }
    let text = point.text.replace("[1]", "(1)").replace("(1 mark)", "(1)").replace("✓", "(1)");
    let cut = |separator: &str| -> Vec<String> {
        text.split(separator)
            .map(|piece| piece.trim().trim_matches([';', ',']).trim().to_owned())
            .filter(|piece| !piece.is_empty())
            .collect()
    };
    let few_words = text.split_whitespace().count() <= PAIR_WORDS_MAX;
    let separators: &[&str] = if few_words { &["(1)", ";", " and ", ", "] } else { &["(1)", ";"] };
    let texts =
        separators.iter().map(|separator| cut(separator)).find(|texts| texts.len() == marks as usize)?;
    let piece = |text: String| Point {
        text,
        marks: Marks::whole(1),
        required: Vec::new(),
        depends_on: None,
        ..point.clone()
    };
    Some(texts.into_iter().map(piece).collect())
}

/// "oxygen and water" is two things; in a sentence "and" joins what belongs together.
const PAIR_WORDS_MAX: usize = 5;
