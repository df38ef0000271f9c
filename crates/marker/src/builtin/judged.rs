//! A leaf judged for all settings at once: what the cache keeps.

use super::choice;
use super::follow::Earlier;
use super::implied::imply;
use super::listing;
use super::matcher::Matcher;
use super::meta::is_meta;
use super::number;
use super::script::{Script, wordings};
use super::shares::is_shared;
use super::verdict::{ALWAYS, LENIENT, NEVER, Reason, Verdict};
use crate::meaning::{Expected, Grade};
use domain::marks::Marks;
use domain::question::{AnswerKey, Kind, PointKind};
use std::ops::Range;

/// A leaf judged for all settings at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    /// One for each point of the key.
    pub(crate) verdicts: Vec<Verdict>,
    /// More options ticked or items listed than were asked for.
    pub(crate) too_many: bool,
    /// Wrong items beyond the number asked for: each cancels a right one under the strict setting.
    pub(crate) extras: usize,
    /// The whole answer's share, where the key has levels or one model answer instead of points.
    pub(crate) grade: Option<Grade>,
    pub(crate) off_topic: bool,
    /// What this part should have given and did give, for the parts that follow.
    pub(crate) value: Option<Earlier>,
}

/// Judges a leaf that has a key and an answer.
pub(crate) fn judge(script: &Script<'_>, key: &AnswerKey, selected: &[String]) -> Judged {
    if script.leaf.kind == Kind::Drawing {
        let verdicts = key.points.iter().map(|_| Verdict::refused(0.0, Some(Reason::NeedsPerson))).collect();
        return Judged { verdicts, ..Judged::default() };
    }
    if script.leaf.kind == Kind::MultipleChoice && (!selected.is_empty() || names_options(key)) {
        let chosen = choice::chosen(script.answer, selected, script.leaf.options);
        let (verdicts, too_many) = choice::judge(key, script.leaf.options, &chosen);
        return Judged { verdicts, too_many, ..Judged::default() };
    }
    if !key.levels.is_empty() {
        return Judged { grade: Some(grade_levels(script, key)), ..without_points(key) };
    }
    if let Some(grade) = grade_model_answer(script, key) {
        return Judged { grade: Some(grade), off_topic: script.is_off_topic(), ..without_points(key) };
    }
    judge_points(script, key)
}

fn without_points(key: &AnswerKey) -> Judged {
    Judged { verdicts: key.points.iter().map(|_| Verdict::refused(0.5, None)).collect(), ..Judged::default() }
}

/// A multiple choice key names labels; one that describes what to write is marked in words.
fn names_options(key: &AnswerKey) -> bool {
    key.points.iter().all(|point| point.text.split_whitespace().count() <= OPTION_WORDS_MAX)
}

const OPTION_WORDS_MAX: usize = 12;

fn judge_points(script: &Script<'_>, key: &AnswerKey) -> Judged {
    let mut verdicts = filled_in(script, key)
        .unwrap_or_else(|| key.points.iter().map(|point| script.judge_point(point)).collect());
    if !script.demands.working && !script.rules.require_working {
        imply(script, key, &mut verdicts);
    }
    let (too_many, extras) = weigh_list(script, key, &mut verdicts);
    let off_topic = verdicts.iter().all(|verdict| verdict.grant == NEVER) && script.is_off_topic();
    Judged { verdicts, too_many, extras, grade: None, off_topic, value: final_value(script, key) }
}

/// Gaps to be filled are marked place by place when there are as many items as gaps.
fn filled_in(script: &Script<'_>, key: &AnswerKey) -> Option<Vec<Verdict>> {
    let text = script.leaf.text.to_lowercase();
    let gaps = ["complete the", "fill in", "fill the", "missing word", "gaps"]
        .iter()
        .any(|phrase| text.contains(phrase));
    let items = listing::items(script.answer);
    if !gaps || key.points.len() < 2 || items.len() != key.points.len() || !key.groups.is_empty() {
        return None;
    }
    let in_place = |(point, item): (&domain::question::Point, &Range<usize>)| {
        let place = Script::new(
            script.leaf,
            &script.answer[item.clone()],
            script.rules,
            script.judge,
            script.earlier,
        );
        let mut verdict = place.judge_point(point);
        for span in &mut verdict.evidence {
            *span = span.start + item.start..span.end + item.start;
        }
        let elsewhere = script.judge_point(point).at_most(LENIENT, Reason::OtherValue);
        verdict.or(elsewhere)
    };
    Some(key.points.iter().zip(&items).map(in_place).collect())
}

/// Lists with more items than asked for: whether there are too many, and how many wrong ones.
fn weigh_list(script: &Script<'_>, key: &AnswerKey, verdicts: &mut [Verdict]) -> (bool, usize) {
    let items = listing::items(script.answer);
    let terms = verdicts.iter().all(|verdict| verdict.evidence.len() <= 3);
    let in_words = |point: &domain::question::Point| {
        matches!(Matcher::of(&point.text, script.leaf.kind, &script.demands), Matcher::Words(_))
    };
    if items.is_empty()
        || !terms
        || !key.points.iter().all(in_words)
        || script.leaf.kind == Kind::Numeric
        || script.leaf.kind == Kind::Expression
    {
        return (false, 0);
    }
    let picked: Option<u32> = key.groups.iter().map(|group| group.pick).sum();
    let asked = script
        .demands
        .count
        .or(picked.filter(|_| !key.groups.is_empty()))
        .map_or(key.points.len(), |count| count as usize)
        .max(1);
    let is_right = |item: &Range<usize>| {
        verdicts.iter().any(|verdict| {
            verdict.grant > NEVER
                && verdict.evidence.iter().any(|span| span.start < item.end && item.start < span.end)
        })
    };
    let ignored = |item: &Range<usize>| {
        let text = script.answer[item.clone()].to_lowercase();
        key.points.iter().flat_map(|point| &point.ignore).any(|ignore| text.contains(&ignore.to_lowercase()))
    };
    let wrong = items.iter().filter(|item| !is_right(item) && !ignored(item)).count();
    if items.len() <= asked || wrong == 0 {
        return (false, 0);
    }
    if asked == 1 {
        let hedged = listing::is_hedged(script.answer);
        let limit = if hedged { NEVER } else { LENIENT };
        for verdict in verdicts.iter_mut() {
            *verdict = verdict.clone().at_most(limit, Reason::SeveralAnswers);
        }
        return (true, 0);
    }
    (true, wrong.min(items.len() - asked))
}

/// Levels of response: the points, if any, are what an answer may contain.
fn grade_levels(script: &Script<'_>, key: &AnswerKey) -> Grade {
    let content: Vec<&str> =
        key.points.iter().map(|point| point.text.as_str()).filter(|text| !text.trim().is_empty()).collect();
    let descriptors: Vec<&str> = key.levels.iter().map(|level| level.descriptor.as_str()).collect();
    // Without points, the notes beside the levels are what an answer may contain.
    let notes: Vec<&str> =
        key.notes.iter().flat_map(|notes| notes.lines()).filter(|line| !is_meta(line)).collect();
    let mut content = if content.is_empty() { notes } else { content };
    content.truncate(CONTENT_MAX);
    if script.is_far_from(content.iter().chain(&descriptors).map(|&text| text.to_owned())) {
        return Grade { fraction: 0.0, confidence: LEVELS_CONFIDENCE_MAX };
    }
    let scale = key.levels.iter().map(|level| format!("{} marks: {}", level.marks_to, level.descriptor));
    let list = content.iter().map(|text| format!("• {text}"));
    let rubric = list.chain(scale).collect::<Vec<_>>().join("\n");
    let mut graded = grade(script, &content, Some(&rubric), true);
    // Which level an essay reaches is a person's judgement; the engine only proposes.
    graded.confidence = graded.confidence.min(LEVELS_CONFIDENCE_MAX);
    graded
}

/// Judging against more than this says nothing more, and costs.
const CONTENT_MAX: usize = 24;

const LEVELS_CONFIDENCE_MAX: f32 = 0.5;

/// One long point worth several marks is a model answer: it is graded as a whole.
fn grade_model_answer(script: &Script<'_>, key: &AnswerKey) -> Option<Grade> {
    let [point] = key.points.as_slice() else { return None };
    let words = point.text.split_whitespace().count();
    let is_model = point.marks > Marks::whole(1)
        && words >= MODEL_WORDS_MIN
        && matches!(script.leaf.kind, Kind::ShortAnswer | Kind::Extended);
    let in_words = matches!(Matcher::of(&point.text, script.leaf.kind, &script.demands), Matcher::Words(_));
    if !is_model || !in_words || is_shared(point) {
        return None;
    }
    if script.judge_point(point).grant == ALWAYS {
        return Some(Grade { fraction: 1.0, confidence: 0.85 });
    }
    let references = wordings(point);
    let references: Vec<&str> = references.iter().map(String::as_str).collect();
    let rubric = script.leaf.key.and_then(|key| key.notes.as_deref());
    Some(grade(script, &references, rubric, false))
}

/// The answer as a whole, held against a rubric and model answers, or what an answer may contain.
fn grade(script: &Script<'_>, references: &[&str], rubric: Option<&str>, is_content: bool) -> Grade {
    let marks = Some(script.leaf.available().as_number() as f32);
    let expected = Expected { question: &script.question, references, rubric, marks, is_content };
    script.judge.grade(&expected, script.answer)
}

const MODEL_WORDS_MIN: usize = 8;

/// The number that this part should have given and the one it did give.
fn final_value(script: &Script<'_>, key: &AnswerKey) -> Option<Earlier> {
    let given = number::final_value(script.answer)?.value;
    let is_result = |kind: PointKind| !matches!(kind, PointKind::Method);
    let right = key
        .points
        .iter()
        .rev()
        .filter(|point| is_result(point.kind))
        .find_map(|point| Matcher::of(&point.text, script.leaf.kind, &script.demands).stated_number())?;
    Some(Earlier { right, given })
}
