//! Marks one script: what was read goes to the marker, what the marker says becomes a result.
//!
//! Plain blocking code without database or clock: the same questions, script, engine and settings always
//! give the same result.

mod evidence;
mod front;
#[cfg(test)]
mod tests;
mod understood;

use domain::grading::{FeedbackLevel, Grading};
use domain::marks::Marks;
use domain::question::{AnswerKey, Kind, Question};
use domain::result::{
    self, Choice, Flag, Likely, Marked, Marking, Model, PartKey, PartResult, Place, PointResult, Verdict,
};
use evidence::{Reading, Retyped, Words};
use exam::script::{Answer, Script};
use marker::rest::Rest;
use marker::taught::Kept;
use marker::{LeafAnswer, LeafOutcome, Marker, Picture, PointOutcome, Task};
use sha2::{Digest as _, Sha256};
pub use understood::Understood;

/// Below this a mark, or an answer that seems empty, is to be looked at by a person.
const SURE_MIN: f64 = 0.6;

/// Draws where answers stand, for an engine that can see.
pub trait Camera: std::fmt::Debug {
    /// A picture of each place, on which no hidden word is to be seen.
    fn pictures(&self, places: &[Place]) -> Result<Vec<Picture>, marker::Error>;
}

/// What goes with a script besides what was read of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// Words that must not leave this machine, such as the student's name.
    pub hidden: &'a [String],
    /// For an engine that wants pictures.
    pub camera: Option<&'a dyn Camera>,
    /// What those of its questions earned that are not judged now.
    pub rest: Rest,
}

/// Marks every question of a script. The error is the engine's: the built-in one never has any.
pub fn mark_script(
    questions: &Understood,
    script: &Script,
    marker: &dyn Marker,
    grading: &Grading,
    beside: Beside<'_>,
) -> Result<result::Result, marker::Error> {
    let leaves = judge_all(questions, |_| true, script, marker, grading, beside)?.results(beside.rest);
    let marked = questions.iter().zip(leaves).map(|(question, (_, leaves))| Marked {
        number: question.number.clone(),
        choice: choice(question),
        leaves,
    });
    let marked = marked.collect();
    let has_unassigned = front::has_unmatched(script, beside.hidden);
    Ok(result::assemble(marked, grading.feedback, has_unassigned))
}

/// Marks some questions of a script, by their places. The error is the engine's, as above.
pub fn mark_some(
    questions: &Understood,
    places: &[u32],
    script: &Script,
    marker: &dyn Marker,
    grading: &Grading,
    beside: Beside<'_>,
) -> Result<Vec<(u32, Vec<PartResult>)>, marker::Error> {
    let is_wanted = |place: u32| places.contains(&place);
    Ok(judge_all(questions, is_wanted, script, marker, grading, beside)?.results(beside.rest))
}

/// What those answers of a result earned that are `counted`, for the doubt about the others.
pub(crate) fn rest_of(result: &result::Result, counted: impl Fn(&PartKey) -> bool) -> Rest {
    let mut rest = Rest::default();
    for (_, part) in result.all_parts().iter().filter(|(key, _)| counted(key)) {
        rest.add(part.awarded, part.available, &part.flags);
    }
    rest
}

/// Questions of one script as the engine judged them, each with its place.
struct JudgedScript<'q> {
    questions: Vec<(u32, Vec<marker::Leaf<'q>>, Vec<Reading<'q>>)>,
    outcomes: Vec<marker::Outcome>,
}

impl JudgedScript<'_> {
    /// What becomes of them beside the `rest` of the script.
    fn results(mut self, rest: Rest) -> Vec<(u32, Vec<PartResult>)> {
        marker::rest::weigh(&mut self.outcomes, rest);
        let told = self.questions.iter().zip(&self.outcomes).map(|((place, leaves, readings), outcome)| {
            let parts = leaves.iter().zip(readings).zip(&outcome.leaves);
            (*place, parts.map(|((leaf, reading), outcome)| part_result(leaf, reading, outcome)).collect())
        });
        told.collect()
    }
}

/// Judges the questions of a script that are wanted, by their places.
fn judge_all<'q>(
    questions: &'q Understood,
    is_wanted: impl Fn(u32) -> bool,
    script: &'q Script,
    marker: &dyn Marker,
    grading: &Grading,
    beside: Beside<'_>,
) -> Result<JudgedScript<'q>, marker::Error> {
    let mut answers = script.answers.as_slice();
    let mut judged = JudgedScript { questions: Vec::new(), outcomes: Vec::new() };
    for (place, (question, keys)) in (0_u32..).zip(questions.with_keys()) {
        let own = take_answers(&mut answers, question);
        if !is_wanted(place) {
            continue;
        }
        let leaves = marker::Leaf::all(question);
        let readings: Vec<Reading<'_>> = leaves.iter().map(|leaf| reading(leaf.label, &own)).collect();
        let mut given = Vec::with_capacity(leaves.len());
        for (leaf, reading) in leaves.iter().zip(&readings) {
            let mut answer = reading.to_marker(beside.hidden);
            if let Some(camera) = beside.camera {
                answer.pictures = camera.pictures(&reading.places())?;
            }
            given.push(LeafAnswer { label: leaf.label.map(str::to_owned), answer });
        }
        judged.outcomes.push(marker.mark(&Task { question, keys, answers: given, settings: grading })?);
        judged.questions.push((place, leaves, readings));
    }
    Ok(judged)
}

/// Judges one part of a question again, with another text for its answer. `parts` are the question's as they were
/// marked; what was read for the others goes along, because a part may rest on an earlier one.
pub fn judge_again(
    question: &Question,
    parts: &[PartResult],
    label: &str,
    text: &str,
    marker: &dyn Marker,
    grading: &Grading,
    beside: Beside<'_>,
) -> Result<PartResult, marker::Error> {
    let leaves = marker::Leaf::all(question);
    // A question that is marked as a whole, and what is marked beside the parts, have no label of their own.
    let is_wanted = |leaf: &marker::Leaf<'_>| match leaf.label {
        Some(own) => own == label,
        None => !leaves.iter().any(|other| other.label == Some(label)),
    };
    let read = |leaf: &marker::Leaf<'_>| {
        let own = parts.iter().find(|part| Some(part.label.as_str()) == leaf.label);
        own.map_or("", |part| part.answer.as_str())
    };
    let texts = leaves.iter().map(|leaf| if is_wanted(leaf) { text } else { read(leaf) });
    let mut outcome = judge_texts(question, texts, marker, grading, beside.hidden)?;
    marker::rest::weigh(std::slice::from_mut(&mut outcome), beside.rest);
    let judged = leaves.iter().zip(&outcome.leaves).find(|(leaf, _)| is_wanted(leaf));
    let earlier = parts.iter().find(|part| part.label == label).cloned().unwrap_or_default();
    let Some((leaf, outcome)) = judged else { return Ok(earlier) };
    let retyped = Retyped::new(text, earlier.places.first().copied());
    Ok(PartResult {
        label: earlier.label,
        awarded: outcome.awarded.min(earlier.available),
        available: earlier.available,
        answer: text.to_owned(),
        feedback: outcome.feedback.clone(),
        confidence: f64::from(outcome.confidence),
        flags: outcome.flags.clone(),
        points: points(leaf, &retyped, outcome),
        places: earlier.places,
        revision: None,
    })
}

/// Judges a question by texts, one for each of its leaves.
pub(crate) fn judge_texts<'t>(
    question: &Question,
    texts: impl Iterator<Item = &'t str>,
    marker: &dyn Marker,
    grading: &Grading,
    hidden: &[String],
) -> Result<marker::Outcome, marker::Error> {
    let given = marker::Leaf::all(question).into_iter().zip(texts).map(|(leaf, text)| {
        let mut answer = marker::Answer::from_text(text);
        answer.hidden = hidden.to_vec();
        LeafAnswer { label: leaf.label.map(str::to_owned), answer }
    });
    let keys = exam::key::typed(question);
    marker.mark(&Task { question, keys: &keys, answers: given.collect(), settings: grading })
}

/// How a script was marked, for its result's record.
///
/// `files` are the SHA-256 sums of the script's files in hexadecimal.
pub fn record(marker: &dyn Marker, grading: &Grading, questions: &[Question], files: Vec<String>) -> Marking {
    let identity = marker.identity();
    let understood = grading.instructions.as_deref().map(marker::instructions::understand);
    Marking {
        engine: identity.name,
        engine_version: identity.version,
        models: identity
            .models
            .into_iter()
            .map(|model| Model { name: model.name, sha256: model.checksum })
            .collect(),
        scheme_sha256: scheme_sha256(questions),
        files,
        strictness: grading.strictness,
        feedback: grading.feedback,
        instructions_used: understood.map(|understood| understood.used).unwrap_or_default(),
    }
}

/// What each answer of a result means and which points it makes, packed, in its order: for learning and for groups of
/// answers.
pub(crate) fn meanings(marker: &dyn Marker, result: &result::Result) -> Vec<String> {
    let kept =
        |part: &PartResult| Kept { meaning: marker.direction(&part.answer), points: points_made(part) };
    result.all_parts().iter().map(|(_, part)| kept(part).pack()).collect()
}

/// How likely an answer makes each point of the scheme, or how much of it where that is all that is known; nothing where
/// there is one point whose mark says all.
pub(crate) fn points_made(part: &PartResult) -> Vec<f32> {
    let share = |point: &PointResult| {
        let marks = point.marks.as_number();
        if marks > 0.0 { (point.awarded.as_number() / marks) as f32 } else { 0.0 }
    };
    let made = |point: &PointResult| point.likely.0.unwrap_or_else(|| share(point));
    let is_telling = part.points.len() > 1 || part.points.iter().any(|point| point.likely.0.is_some());
    if is_telling { part.points.iter().map(made).collect() } else { Vec::new() }
}

/// The fingerprint of what a script was marked by: the questions with their keys.
pub fn scheme_sha256(questions: &[Question]) -> String {
    let document = serde_json::to_vec(questions).expect("questions are plain data");
    Sha256::digest(document).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The answers that belong to a question: one for it, or one for each of its parts. Question numbers may
/// repeat from one section to the next, so the order counts and the names are only checked.
fn take_answers<'s>(answers: &mut &'s [Answer], question: &Question) -> Vec<&'s Answer> {
    let count = question.parts.len().max(1);
    let belongs = |answer: &&Answer| answer.number == question.number;
    let own: Vec<&Answer> = answers.iter().take(count).take_while(belongs).collect();
    *answers = &answers[own.len()..];
    own
}

fn choice(question: &Question) -> Option<Choice> {
    Some(Choice { group: question.choice_group.clone()?, count: question.choice_count? })
}

/// What was read for a leaf. What is marked as a whole beside its parts is judged by all that was written.
fn reading<'s>(label: Option<&str>, answers: &[&'s Answer]) -> Reading<'s> {
    match label {
        Some(label) => Reading::of(answers.iter().filter(|answer| answer.label == label).copied()),
        None => Reading::of(answers.iter().copied()),
    }
}

fn part_result(leaf: &marker::Leaf<'_>, reading: &Reading<'_>, outcome: &LeafOutcome) -> PartResult {
    let mut flags: Vec<Flag> = outcome.flags.clone();
    let sureness = reading.sureness();
    let is_unsure = sureness < SURE_MIN || reading.is_crossed_out();
    if is_unsure && !flags.contains(&Flag::LowConfidence) {
        flags.push(Flag::LowConfidence);
    }
    let mut feedback = outcome.feedback.clone();
    if reading.is_crossed_out() {
        feedback.push_str(" It was crossed out, and marked because nothing was written in its place.");
    }
    PartResult {
        label: outcome.label.clone().unwrap_or_default(),
        awarded: outcome.awarded,
        available: outcome.available,
        answer: reading.shown(),
        feedback: feedback.trim_start().to_owned(),
        confidence: f64::from(outcome.confidence).min(sureness),
        flags,
        points: points(leaf, reading, outcome),
        places: reading.places(),
        revision: None,
    }
}

fn points(leaf: &marker::Leaf<'_>, reading: &dyn Words, outcome: &LeafOutcome) -> Vec<PointResult> {
    let Some(key) = leaf.key else { return Vec::new() };
    if let Some(level) = level_reached(key, reading, outcome) {
        return vec![level];
    }
    let named =
        outcome.points.iter().filter_map(|point| Some((point, key.points.get(point.index as usize)?)));
    named
        .map(|(found, point)| PointResult {
            text: point.text.clone(),
            marks: point.marks,
            awarded: found.awarded,
            verdict: found.verdict,
            evidence: match found.verdict {
                // The words nearest to a point that was not made say nothing about it.
                Verdict::Missing | Verdict::NotJudged => Vec::new(),
                _ if leaf.kind == Kind::MultipleChoice && reading.is_ticked() => reading.ticked(),
                _ => reading.evidence(&found.evidence),
            },
            likely: Likely(likely(found, point.marks)),
        })
        .collect()
}

/// An answer that is judged by levels earns its marks by the level it reached, not point by point.
fn level_reached(key: &AnswerKey, reading: &dyn Words, outcome: &LeafOutcome) -> Option<PointResult> {
    let reached = key
        .levels
        .iter()
        .filter(|level| level.marks_from <= outcome.awarded)
        .max_by_key(|level| level.marks_from);
    let level = reached.or_else(|| key.levels.iter().min_by_key(|level| level.marks_from))?;
    let text = format!("{}: {}", level.name, level.descriptor);
    Some(PointResult {
        text: text.trim_end_matches([':', ' ']).to_owned(),
        marks: level.marks_to,
        awarded: outcome.awarded,
        verdict: whole_verdict(outcome),
        evidence: reading.evidence(&outcome.evidence),
        likely: Likely::default(),
    })
}

/// How likely an answer makes a point that is worth so much, where the judge of meaning was asked; nothing is said of one
/// that earned a piece of it, or that something else than its words kept from earning.
fn likely(found: &PointOutcome, marks: Marks) -> Option<f32> {
    found.behind.judge?;
    // A verdict is never less likely than its opposite.
    let sure = found.confidence.clamp(0.5, 1.0);
    match found.verdict {
        Verdict::Credited if found.awarded == marks => Some(sure),
        Verdict::Missing | Verdict::Contradicted => Some(1.0 - sure),
        _ => None,
    }
}

/// What is said of an answer that was judged as a whole.
fn whole_verdict(outcome: &LeafOutcome) -> Verdict {
    if !outcome.awarded.is_zero() {
        Verdict::Credited
    } else if outcome.flags.contains(&Flag::NotJudged) {
        Verdict::NotJudged
    } else {
        Verdict::Missing
    }
}

/// A result that gives every mark, for tests that ask for one without an answer to mark.
pub(crate) fn full_marks(questions: &[Question], level: FeedbackLevel) -> result::Result {
    same_for_all(questions, level, |part| PartResult {
        awarded: part.available,
        answer: "A test answer.".to_owned(),
        feedback: "Full marks, as the test asked for.".to_owned(),
        ..part
    })
}

/// A result that gives no mark, as of a script on which nothing can be read.
pub(crate) fn no_marks(questions: &[Question], level: FeedbackLevel) -> result::Result {
    same_for_all(questions, level, |part| PartResult {
        feedback: "No answer was found.".to_owned(),
        flags: vec![Flag::NotAttempted],
        ..part
    })
}

/// A result that says the same of every part, without doubt.
fn same_for_all(
    questions: &[Question],
    level: FeedbackLevel,
    say: impl Fn(PartResult) -> PartResult,
) -> result::Result {
    let part = |leaf: marker::Leaf<'_>| {
        say(PartResult {
            label: leaf.label.unwrap_or_default().to_owned(),
            available: leaf.available(),
            confidence: 1.0,
            ..PartResult::default()
        })
    };
    let marked = questions.iter().map(|question| Marked {
        number: question.number.clone(),
        choice: choice(question),
        leaves: marker::Leaf::all(question).into_iter().map(part).collect(),
    });
    result::assemble(marked.collect(), level, false)
}

/// What marks a script in place of an engine, because a test said how it ends.
pub(crate) struct NoEngine;

impl Marker for NoEngine {
    fn mark(&self, _: &Task<'_>) -> Result<marker::Outcome, marker::Error> {
        Err(marker::Error::Unavailable("a test has no engine".to_owned()))
    }

    fn identity(&self) -> marker::EngineIdentity {
        marker::EngineIdentity {
            name: "test_outcome".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            models: Vec::new(),
        }
    }
}
