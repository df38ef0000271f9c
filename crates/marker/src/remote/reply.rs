//! What comes back, believed only as far as it can be checked against the scheme and the answer.

use crate::answer::Answer;
use crate::builtin::words_under;
use crate::outcome::PointOutcome;
use crate::rule::Rule;
use crate::turn::Behind;
use crate::words::fold;
use domain::marks::Marks;
use domain::question::{AnswerKey, Level};
use domain::result::Verdict;
use serde::Deserialize;
use signs::form::Normal;
use std::ops::Range;

/// A reply that holds against the scheme.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    /// One for each point of the key.
    pub(super) points: Vec<Credited>,
    /// The mark of the whole, for schemes with levels.
    pub(super) total: Marks,
    pub(super) confidence: f32,
    /// Tokens that the endpoint says it used.
    pub(super) tokens: Option<u64>,
}

/// What a point was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Credited {
    pub(super) awarded: Marks,
    /// Bytes of the normalised answer that were quoted, each really there.
    pub(super) evidence: Vec<Range<usize>>,
    /// Something was quoted that the answer does not say.
    pub(super) misquoted: bool,
    /// The quoted words are said to be wrong in the point's place, and it earns nothing.
    pub(super) is_contradicted: bool,
    /// A mark beside the verdict that nothing was earned.
    pub(super) is_inconsistent: bool,
}

/// Why a reply cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unusable {
    #[error("the reply is not the JSON that was asked for")]
    NotJson,
    #[error("the reply was cut off")]
    CutOff,
    #[error("the endpoint declined to answer")]
    Declined,
    #[error("point {0} does not exist in the scheme")]
    UnknownPoint(i64),
    #[error("point {0} is named twice")]
    RepeatedPoint(i64),
    #[error("point {0} was given a mark that the scheme does not allow")]
    MarkOutOfRange(i64),
    #[error("the total is not a mark that the scheme allows")]
    TotalOutOfRange,
    #[error("the total is not a mark of the level that was named")]
    TotalOutsideLevel,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<ChoiceMessage>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Usage {
    total_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct ChoiceMessage {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Marking {
    points: Vec<MarkedPoint>,
    total: f64,
    confidence: f64,
    /// The name of the level reached, where the scheme has levels.
    level: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkedPoint {
    index: i64,
    awarded: f64,
    evidence: Vec<String>,
    verdict: Option<SaidVerdict>,
}

/// What the model says of a point; a server without schemas may leave it out.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum SaidVerdict {
    Credited,
    Missing,
    Contradicted,
}

/// Confidence of a reply whose own is none: low enough to be flagged.
const CONFIDENCE_UNKNOWN: f32 = 0.5;

/// Reads and checks a reply. `sent` is the answer as it was sent, `normal` the whole answer in one form.
pub(super) fn check(
    body: &str,
    key: &AnswerKey,
    available: Marks,
    sent: &str,
    normal: &Normal,
) -> Result<Reply, Unusable> {
    let completion: Completion = serde_json::from_str(body).map_err(|_| Unusable::NotJson)?;
    let choice = completion.choices.into_iter().next().ok_or(Unusable::NotJson)?;
    if choice.message.refusal.is_some_and(|refusal| !refusal.is_empty())
        || choice.finish_reason.as_deref() == Some("content_filter")
    {
        return Err(Unusable::Declined);
    }
    if choice.finish_reason.as_deref() == Some("length") {
        return Err(Unusable::CutOff);
    }
    let content = choice.message.content.ok_or(Unusable::NotJson)?;
    let marking: Marking = serde_json::from_str(unfenced(&content)).map_err(|_| Unusable::NotJson)?;
    let mut points = vec![Credited::default(); key.points.len()];
    let mut named = vec![false; key.points.len()];
    for point in marking.points {
        let index = usize::try_from(point.index)
            .ok()
            .filter(|index| *index < points.len())
            .ok_or(Unusable::UnknownPoint(point.index))?;
        if std::mem::replace(&mut named[index], true) {
            return Err(Unusable::RepeatedPoint(point.index));
        }
        let awarded = Marks::from_number(point.awarded)
            .filter(|marks| *marks <= key.points[index].marks)
            .ok_or(Unusable::MarkOutOfRange(point.index))?;
        points[index] = credited(awarded, &point.evidence, sent, normal).with(point.verdict);
    }
    let total = Marks::from_number(marking.total)
        .filter(|total| *total <= available)
        .ok_or(Unusable::TotalOutOfRange)?;
    check_level(key, total, marking.level.as_deref())?;
    // A model that says 100 where it was asked for 0 to 1 does not know how sure it is.
    let confidence = if (0.0..=1.0).contains(&marking.confidence) {
        marking.confidence as f32
    } else {
        CONFIDENCE_UNKNOWN
    };
    Ok(Reply { points, total, confidence, tokens: completion.usage.and_then(|usage| usage.total_tokens) })
}

/// A total by levels is one of the level that was named, or of any where none was; nothing is below them all.
fn check_level(key: &AnswerKey, total: Marks, named: Option<&str>) -> Result<(), Unusable> {
    if key.levels.is_empty() || total.is_zero() {
        return Ok(());
    }
    let holds = |level: &Level| level.marks_from <= total && total <= level.marks_to;
    let is_named = |level: &&Level| named.is_some_and(|name| fold(name.trim()) == fold(level.name.trim()));
    match key.levels.iter().find(is_named) {
        Some(level) if !holds(level) => Err(Unusable::TotalOutsideLevel),
        None if named.is_some() || !key.levels.iter().any(holds) => Err(Unusable::TotalOutsideLevel),
        _ => Ok(()),
    }
}

impl Credited {
    /// With what the model says of the point in a word. It is believed only where mark and quotation agree with it.
    fn with(mut self, verdict: Option<SaidVerdict>) -> Credited {
        match verdict {
            Some(SaidVerdict::Missing | SaidVerdict::Contradicted) if !self.awarded.is_zero() => {
                self.is_inconsistent = true;
                self.awarded = Marks::ZERO;
            }
            Some(SaidVerdict::Contradicted) => self.is_contradicted = !self.evidence.is_empty(),
            _ => {}
        }
        self
    }
}

/// Some servers wrap the object in a code block, though they were asked not to.
fn unfenced(content: &str) -> &str {
    let trimmed = content.trim();
    let inner = trimmed
        .strip_prefix("```json")
        .or_else(|| trimmed.strip_prefix("```"))
        .and_then(|rest| rest.strip_suffix("```"));
    inner.unwrap_or(trimmed).trim()
}

/// Only quotations that the answer really holds count; a point without one earns nothing.
fn credited(awarded: Marks, quotations: &[String], sent: &str, normal: &Normal) -> Credited {
    let mut evidence = Vec::new();
    let mut misquoted = false;
    for quotation in quotations.iter().take(QUOTATIONS_MAX) {
        let plain = Normal::of(quotation).text;
        let is_sent = !plain.is_empty() && squeeze(sent).contains(&squeeze(quotation));
        match find(&normal.text, &plain).filter(|_| is_sent) {
            Some(span) => evidence.push(span),
            None => misquoted = true,
        }
    }
    let awarded = if evidence.is_empty() { Marks::ZERO } else { awarded };
    Credited { awarded, evidence, misquoted, ..Credited::default() }
}

/// More quotations for one point prove nothing more.
pub(super) const QUOTATIONS_MAX: usize = 8;

/// Case, accents and white space do not make another quotation.
fn squeeze(text: &str) -> String {
    let plain = Normal::of(text).text;
    fold(&plain).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where a quotation stands, word for word, whatever its case.
fn find(text: &str, quotation: &str) -> Option<Range<usize>> {
    let wanted: Vec<String> = quotation.split_whitespace().map(fold).collect();
    let mut words: Vec<(Range<usize>, String)> = Vec::new();
    let mut end = 0;
    for word in text.split_whitespace() {
        let start = end + text[end..].find(word)?;
        end = start + word.len();
        words.push((start..end, fold(word)));
    }
    let trimmed = |word: &str| word.trim_matches(|c: char| c.is_ascii_punctuation()).to_owned();
    words.windows(wanted.len().max(1)).find_map(|window| {
        let same = !wanted.is_empty()
            && window
                .iter()
                .zip(&wanted)
                .all(|((_, word), want)| word == want || trimmed(word) == trimmed(want));
        same.then(|| window[0].0.start..window[window.len() - 1].0.end)
    })
}

/// What is told of each point: `earned` after all checks, `contradicted` where its quotation was found related.
pub(super) fn outcomes(
    answer: &Answer,
    normal: &Normal,
    reply: &Reply,
    earned: &[Marks],
    contradicted: &[bool],
    is_full: bool,
) -> Vec<PointOutcome> {
    let verdict = |marks: Marks, index: usize| match (marks.is_zero(), is_full) {
        (false, _) => Verdict::Credited,
        (true, true) => Verdict::Superseded,
        (true, false) if contradicted[index] => Verdict::Contradicted,
        (true, false) => Verdict::Missing,
    };
    let outcome = |(index, (credited, marks)): (usize, (&Credited, &Marks))| PointOutcome {
        rule: Rule::RemoteModel,
        index: index as u32,
        awarded: *marks,
        verdict: verdict(*marks, index),
        evidence: words_under(normal, answer, &credited.evidence),
        confidence: reply.confidence,
        behind: Behind::default(),
    };
    reply.points.iter().zip(earned).enumerate().map(outcome).collect()
}
