//! From marked answers to a result whose sums agree at every level.

use super::tell;
use super::{Flag, PartResult, PointResult, QuestionResult, Result, Score, Verdict};
use crate::grading::FeedbackLevel;
use crate::marks::Marks;
use serde::{Deserialize, Serialize};

/// What a part is called that holds the marks of the whole question beside its parts' own.
pub(super) const OVERALL: &str = "overall";
/// What a point is called that holds marks which no point of the scheme accounts for.
const AS_A_WHOLE: &str = "The answer judged as a whole";

/// One question as the marker left it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marked {
    /// As printed.
    pub number: String,
    /// The group of which only some questions count.
    pub choice: Option<Choice>,
    /// Its parts in paper order; one with an empty label holds the marks of the question itself.
    pub leaves: Vec<PartResult>,
}

/// A group of questions of which only some are to be answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Its name.
    pub group: String,
    /// How many of its questions count.
    pub count: u32,
}

/// Puts a result together. Sums are made here and nowhere else: points add up to their part (or question),
/// parts to their question, questions to the score. Of a choice group the best questions count.
///
/// `has_unassigned` says that there is writing for which no question could be found.
pub fn assemble(questions: Vec<Marked>, level: FeedbackLevel, has_unassigned: bool) -> Result {
    let choices: Vec<Option<Choice>> = questions.iter().map(|question| question.choice.clone()).collect();
    let mut results: Vec<QuestionResult> =
        questions.into_iter().map(|question| combine(question, level)).collect();
    for (result, choice) in results.iter_mut().zip(&choices) {
        result.choice.clone_from(choice);
    }
    for (index, choice) in set_aside(&choices, &results) {
        exclude(&mut results[index], choice, level);
    }
    let no_readable_answers = !results.iter().any(is_readable);
    let score = Score::of(
        results.iter().map(|question| question.awarded).sum(),
        results.iter().map(|question| question.available).sum(),
    );
    let (explanation, scheme_version) = (String::new(), super::first_version());
    let mut result = Result {
        score,
        explanation,
        no_readable_answers,
        questions: results,
        has_unassigned,
        scheme_version,
    };
    result.explanation = tell::explanation(&result, &choices, has_unassigned);
    result
}

fn combine(marked: Marked, level: FeedbackLevel) -> QuestionResult {
    let leaves: Vec<PartResult> = marked.leaves.into_iter().map(settled).collect();
    let is_whole = |leaf: &&PartResult| leaf.label.is_empty();
    let unsplit = leaves.iter().filter(|leaf| !is_whole(leaf)).all(|leaf| leaf.available.is_zero());
    match leaves.iter().find(is_whole) {
        Some(whole) if unsplit => of_whole(marked.number, whole),
        _ => of_parts(marked.number, leaves, level),
    }
}

/// A question that is marked as a whole.
fn of_whole(number: String, leaf: &PartResult) -> QuestionResult {
    let leaf = leaf.clone();
    QuestionResult {
        number,
        awarded: leaf.awarded,
        available: leaf.available,
        counted: true,
        answer: leaf.answer,
        feedback: leaf.feedback,
        confidence: leaf.confidence,
        flags: leaf.flags,
        parts: Vec::new(),
        points: leaf.points,
        places: leaf.places,
        revision: leaf.revision,
        choice: None,
        set_aside: Vec::new(),
    }
}

fn of_parts(number: String, mut parts: Vec<PartResult>, level: FeedbackLevel) -> QuestionResult {
    for part in parts.iter_mut().filter(|part| part.label.is_empty()) {
        OVERALL.clone_into(&mut part.label);
    }
    let awarded = parts.iter().map(|part| part.awarded).sum();
    let available = parts.iter().map(|part| part.available).sum();
    let answered = parts.iter().filter(|part| !part.answer.is_empty() && part.label != OVERALL);
    let answers: Vec<String> = answered.map(|part| format!("{} {}", part.label, part.answer)).collect();
    QuestionResult {
        number,
        awarded,
        available,
        counted: true,
        answer: answers.join("\n"),
        feedback: tell::parts(&parts, awarded, available, level),
        confidence: mean_confidence(&parts, available),
        flags: combined_flags(&parts),
        parts,
        points: Vec::new(),
        places: Vec::new(),
        revision: None,
        choice: None,
        set_aside: Vec::new(),
    }
}

/// Flags of all parts, each once; a question counts as not attempted only when none of its parts was.
fn combined_flags(parts: &[PartResult]) -> Vec<Flag> {
    let mut flags: Vec<Flag> = parts.iter().flat_map(|part| part.flags.iter().copied()).collect();
    flags.sort_unstable();
    flags.dedup();
    let untouched = parts.iter().all(|part| part.flags.contains(&Flag::NotAttempted));
    flags.retain(|flag| untouched || *flag != Flag::NotAttempted);
    flags
}

/// The parts' confidence, each weighing as many marks as it is worth.
fn mean_confidence(parts: &[PartResult], available: Marks) -> f64 {
    if available.is_zero() {
        return parts.iter().map(|part| part.confidence).fold(1.0, f64::min);
    }
    let weighed: f64 = parts.iter().map(|part| part.confidence * part.available.as_number()).sum();
    two_decimals(weighed / available.as_number())
}

fn two_decimals(value: f64) -> f64 {
    // A number that is none would not survive being stored as JSON.
    if value.is_nan() { 0.0 } else { (value.clamp(0.0, 1.0) * 100.0).round() / 100.0 }
}

/// A leaf whose numbers agree with each other, and that says why when it earned nothing.
fn settled(mut leaf: PartResult) -> PartResult {
    leaf.awarded = leaf.awarded.min(leaf.available);
    leaf.confidence = two_decimals(leaf.confidence);
    leaf.flags.sort_unstable();
    leaf.flags.dedup();
    if !leaf.points.is_empty() {
        settle_points(&mut leaf.points, leaf.awarded);
    }
    if leaf.awarded.is_zero() && leaf.feedback.trim().is_empty() {
        leaf.feedback = tell::why_nothing(&leaf).to_owned();
    }
    leaf
}

/// Makes the points add up to the mark. Where limits ("max 2") took marks away, the last points lose them;
/// marks that no point accounts for, as where an answer is graded as a whole, become a point of their own.
fn settle_points(points: &mut Vec<PointResult>, awarded: Marks) {
    let mut left = awarded;
    for point in points.iter_mut() {
        point.awarded = point.awarded.min(point.marks).min(left);
        left = left.less(point.awarded);
        point.verdict = match point.verdict {
            _ if !point.awarded.is_zero() => Verdict::Credited,
            // It was made, and a limit kept it from earning.
            Verdict::Credited => Verdict::Superseded,
            other => other,
        };
    }
    if !left.is_zero() {
        let text = AS_A_WHOLE.to_owned();
        let verdict = Verdict::Credited;
        points.push(PointResult { text, marks: left, awarded: left, verdict, ..PointResult::default() });
    }
}

/// The questions that do not count, each with its group: the best of a group do, of equally good ones those
/// that are worth more, then those that come first.
fn set_aside<'c>(choices: &'c [Option<Choice>], results: &[QuestionResult]) -> Vec<(usize, &'c Choice)> {
    let mut ranked: Vec<(usize, &Choice)> = choices
        .iter()
        .enumerate()
        .filter_map(|(index, choice)| choice.as_ref().map(|choice| (index, choice)))
        .collect();
    ranked.sort_by(|(a, _), (b, _)| {
        let merit =
            |index: usize| (results[index].awarded, is_attempted(&results[index]), results[index].available);
        merit(*b).cmp(&merit(*a)).then(a.cmp(b))
    });
    let mut taken: Vec<(&str, u32)> = Vec::new();
    let mut aside: Vec<(usize, &Choice)> = Vec::new();
    for (index, choice) in ranked {
        let place = taken.iter().position(|(group, _)| *group == choice.group).unwrap_or_else(|| {
            taken.push((&choice.group, 0));
            taken.len() - 1
        });
        taken[place].1 += 1;
        if taken[place].1 > choice.count {
            aside.push((index, choice));
        }
    }
    aside.sort_by_key(|(index, _)| *index);
    aside
}

/// Takes a question out of the sums and says so.
fn exclude(question: &mut QuestionResult, choice: &Choice, level: FeedbackLevel) {
    question.set_aside = question.leaves().into_owned();
    question.feedback = tell::not_counted(
        &question.feedback,
        is_attempted(question).then_some((question.awarded, question.available)),
        Some(choice.count),
        level,
    );
    question.counted = false;
    question.awarded = Marks::ZERO;
    question.available = Marks::ZERO;
    clear_points(&mut question.points);
    for part in &mut question.parts {
        let attempted = !part.flags.contains(&Flag::NotAttempted);
        let would_be = attempted.then_some((part.awarded, part.available));
        part.feedback = tell::not_counted(&part.feedback, would_be, None, level);
        part.awarded = Marks::ZERO;
        part.available = Marks::ZERO;
        clear_points(&mut part.points);
    }
}

fn clear_points(points: &mut [PointResult]) {
    for point in points {
        point.awarded = Marks::ZERO;
        if point.verdict == Verdict::Credited {
            point.verdict = Verdict::Superseded;
        }
    }
}

fn is_attempted(question: &QuestionResult) -> bool {
    !question.flags.contains(&Flag::NotAttempted)
}

/// True when at least one answer was read, whatever it earned.
fn is_readable(question: &QuestionResult) -> bool {
    let readable = |flags: &[Flag], answer: &str, awarded: Marks| {
        let hidden = flags.contains(&Flag::NotAttempted) || flags.contains(&Flag::Illegible);
        // Where a drawing is asked for, there may be one that nobody has looked at, or nothing at all.
        let unseen = flags.contains(&Flag::NotJudged) && answer.is_empty();
        (!hidden && !unseen) || !awarded.is_zero()
    };
    if question.parts.is_empty() {
        return readable(&question.flags, &question.answer, question.awarded);
    }
    question.parts.iter().any(|part| readable(&part.flags, &part.answer, part.awarded))
}
