//! A leaf judged for all settings at once: what the cache keeps.

use super::choice;
use super::code;
use super::company;
use super::evidence;
use super::examples;
use super::follow::Earlier;
use super::implied::{imply, imply_shown};
use super::listing;
use super::matcher::Matcher;
use super::number;
use super::rubric;
use super::ruled;
use super::script::Script;
use super::steps;
use super::verdict::{LENIENT, NEVER, Reason, Verdict};
use super::whole::{self, Content};
use crate::meaning::Grade;
use crate::rule::Rule;
use domain::question::{Kind, PointKind};
use domain::scheme::{TypedKey, TypedPoint};
use lexicon::english::demands;
use signs::list::items;
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
    /// What the scheme says that an answer judged by levels may contain.
    pub(crate) content: Vec<Content>,
    pub(crate) off_topic: bool,
    /// What this part should have given and did give, for the parts that follow.
    pub(crate) value: Option<Earlier>,
}

/// Judges a leaf that has a key and an answer.
pub(crate) fn judge(script: &Script<'_>, key: &TypedKey, selected: &[String]) -> Judged {
    if script.leaf.kind == Kind::Drawing {
        let verdicts = key
            .points
            .iter()
            .map(|_| Verdict::refused(0.0, Some(Reason::NeedsPerson)).by(Rule::Drawing))
            .collect();
        return Judged { verdicts, ..Judged::default() };
    }
    // Options that were not read as such, and a letter that was ticked or written, with others or without.
    let is_chosen = || {
        let [only] = key.points.as_slice() else { return false };
        is_letter(&only.text)
            && script.leaf.kind == Kind::ShortAnswer
            && (!selected.is_empty() || choice::is_labels(script.answer))
    };
    let is_choice = script.leaf.kind == Kind::MultipleChoice && (!selected.is_empty() || key.names_options);
    if is_choice || is_chosen() {
        let chosen = choice::chosen(script.answer, selected, script.leaf.options, choice::asked(key));
        let (verdicts, too_many) = choice::judge(key, &chosen);
        let verdicts = verdicts.into_iter().map(|verdict| verdict.by(Rule::Choice)).collect();
        return Judged { verdicts, too_many, ..Judged::default() };
    }
    whole::by_levels(script, key)
        .or_else(|| whole::against_model_answer(script, key))
        .unwrap_or_else(|| judge_points(script, key))
}

/// True for a key that is one letter.
pub(super) fn is_letter(text: &str) -> bool {
    let mut characters = text.trim().chars();
    characters.next().is_some_and(|c| c.is_ascii_uppercase()) && characters.next().is_none()
}

fn judge_points(script: &Script<'_>, key: &TypedKey) -> Judged {
    let judge_all = || -> Vec<Verdict> { key.points.iter().map(|point| script.judge_point(point)).collect() };
    let mut verdicts = filled_in(script, key).unwrap_or_else(&judge_all);
    if script.opinions.ask(script.judge, &script.question, script.answer) {
        verdicts = filled_in(script, key).unwrap_or_else(judge_all);
    }
    company::weigh(&mut verdicts);
    if !code::is_program(script.answer) {
        evidence::apart(key, script.leaf.available(), script.answer.len(), &mut verdicts);
    }
    if !script.demands.working && !script.rules.require_working && !key.remarks.has_special_case {
        imply(script, key, &mut verdicts);
    } else if !key.remarks.has_special_case {
        imply_shown(script, key, &mut verdicts);
    }
    steps::judge(script, key, &mut verdicts);
    rubric::judge(script, key, &mut verdicts);
    ruled::judge(script, key, &mut verdicts);
    examples::set_aside(key, script.leaf.available(), &mut verdicts);
    let (too_many, extras) = weigh_list(script, key, &mut verdicts);
    let off_topic = verdicts.iter().all(|verdict| verdict.grant == NEVER) && script.is_off_topic();
    let value = final_value(script, key);
    Judged { verdicts, too_many, extras, off_topic, value, ..Judged::default() }
}

/// Gaps to be filled are marked place by place when there are as many items as gaps.
fn filled_in(script: &Script<'_>, key: &TypedKey) -> Option<Vec<Verdict>> {
    let text = script.leaf.text.to_lowercase();
    let gaps = demands::GAPS.within(&text);
    let items = items(script.answer);
    if !gaps || key.points.len() < 2 || items.len() != key.points.len() || !key.groups.is_empty() {
        return None;
    }
    let in_place = |(point, item): (&TypedPoint, &Range<usize>)| {
        let place = Script::new(
            script.leaf,
            key,
            &script.answer[item.clone()],
            script.rules,
            script.judge,
            script.earlier,
        );
        let mut verdict = place.judge_alone(point);
        for span in &mut verdict.evidence {
            *span = span.start + item.start..span.end + item.start;
        }
        let elsewhere = script.judge_point(point).at_most(LENIENT, Reason::OtherValue);
        verdict.or(elsewhere)
    };
    Some(key.points.iter().zip(&items).map(in_place).collect())
}

/// Lists with more items than asked for: whether there are too many, and how many wrong ones.
fn weigh_list(script: &Script<'_>, key: &TypedKey, verdicts: &mut [Verdict]) -> (bool, usize) {
    let items = items(script.answer);
    let terms = verdicts.iter().all(|verdict| verdict.evidence.len() <= 3);
    let in_words = |point: &TypedPoint| {
        matches!(Matcher::of(&point.own, script.leaf.kind, &script.demands), Matcher::Words(_))
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
    // A point that is a list itself asks for all of it: "R = {(3, 15), (3, 18)}".
    let listed: usize = key.points.iter().map(|point| point.asks).sum();
    let asked = script
        .demands
        .count
        .or(picked.filter(|_| !key.groups.is_empty()))
        .map_or(listed, |count| count as usize)
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
        for verdict in verdicts.iter_mut().filter(|verdict| verdict.grant > limit) {
            *verdict = verdict.clone().at_most(limit, Reason::SeveralAnswers).by(Rule::TooMany);
        }
        return (true, 0);
    }
    (true, wrong.min(items.len() - asked))
}

/// The number that this part should have given and the one it did give.
fn final_value(script: &Script<'_>, key: &TypedKey) -> Option<Earlier> {
    let given = number::final_value(script.answer)?.value;
    let is_result = |kind: PointKind| !matches!(kind, PointKind::Method);
    let right = key
        .points
        .iter()
        .rev()
        .filter(|point| is_result(point.kind))
        .find_map(|point| stated_result(script, point))?;
    Some(Earlier { label: script.leaf.label.map(str::to_owned), right, given })
}

/// The number that a point states, or that its worked example ends with.
fn stated_result(script: &Script<'_>, point: &TypedPoint) -> Option<f64> {
    point
        .wordings
        .iter()
        .rev()
        .find_map(|wording| Matcher::of(wording, script.leaf.kind, &script.demands).stated_number())
}
