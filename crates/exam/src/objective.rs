//! How good a reading of a paper and its scheme is: one sum of named reasons, by which candidate readings
//! are weighed against each other.

use crate::join::Reading;
use crate::labels;
use crate::paper::Paper;
use crate::rules::{Reason, Rule};
use crate::scheme::SchemeLabels;
use domain::marks::Marks;
use domain::question::{AnswerKey, Question};
use std::collections::HashSet;

/// What speaks for and against a reading.
pub fn reasons(paper: &Paper, reading: &Reading, labels: &SchemeLabels) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let mut weigh = |rule: Rule, amount: f32| reasons.push((rule, rule.weight() * amount));
    let totals = totals(paper, reading);
    let met = totals.iter().filter(|met| **met).count() as f32;
    weigh(Rule::TotalMet, met);
    weigh(Rule::TotalMissed, totals.len() as f32 - met);
    let leaves: Vec<(Option<Marks>, bool)> = reading.questions.iter().flat_map(leaves).collect();
    let share = |has: fn(&(Option<Marks>, bool)) -> bool| {
        leaves.iter().filter(|leaf| has(leaf)).count() as f32 / leaves.len().max(1) as f32
    };
    weigh(Rule::KeyFound, share(|(_, key)| *key));
    weigh(Rule::MarksFound, share(|(marks, _)| marks.is_some()));
    let complete = leaves.iter().filter(|(marks, key)| marks.is_some() && *key).count();
    weigh(Rule::CompleteLeaf, complete as f32);
    if labels.speaks() {
        let missing = labels.without(paper.leaves().map(|leaf| leaf.path.as_slice())).len();
        weigh(Rule::SchemeCovered, 1.0 / (1.0 + missing as f32));
        weigh(Rule::SharedWithScheme, labels.share(paper.leaves().map(|leaf| leaf.path.as_slice())));
    }
    weigh(Rule::MissingLabel, missing_numbers(paper) as f32);
    weigh(Rule::AskedTwice, asked_twice(paper) as f32);
    reasons.retain(|(_, weight)| *weight != 0.0);
    reasons
}

/// The sum of the reasons.
pub fn score(reasons: &[Reason]) -> f32 {
    reasons.iter().map(|(_, weight)| weight).sum()
}

/// For the paper and each question that prints a total, whether its parts add up to it.
fn totals(paper: &Paper, reading: &Reading) -> Vec<bool> {
    let mut met = Vec::new();
    for (source, question) in paper.questions.iter().zip(&reading.questions) {
        let parts: Option<Vec<Marks>> = question.parts.iter().map(|part| part.marks).collect();
        if let (Some(printed), Some(parts), true) = (source.marks, parts, source.leaves.len() > 1) {
            let counted = source.leaves.iter().zip(&parts).filter(|(leaf, _)| !leaf.is_instead);
            met.push(counted.map(|(_, marks)| *marks).sum::<Marks>() == printed);
        }
    }
    if let Some(total) = paper.total {
        met.push(domain::question::available(&reading.questions) == total);
    }
    met
}

fn leaves(question: &Question) -> Vec<(Option<Marks>, bool)> {
    let has_key = |key: &Option<AnswerKey>| key.as_ref().is_some_and(|key| !key.is_empty());
    if question.parts.is_empty() {
        return vec![(question.marks, has_key(&question.answer_key))];
    }
    question.parts.iter().map(|part| (part.marks, has_key(&part.answer_key))).collect()
}

/// How many parts ask what one before them asks, word for word.
fn asked_twice(paper: &Paper) -> usize {
    /// Openings of so many letters may well be alike where they are shorter.
    const LEAST: usize = 40;
    let mut asked: HashSet<Vec<char>> = HashSet::new();
    let opening =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).take(LEAST).collect::<Vec<char>>();
    let openings = paper.leaves().map(|leaf| opening(&leaf.text)).filter(|text| text.len() == LEAST);
    openings.filter(|text| !asked.insert(text.clone())).count()
}

/// How many questions are missing between two that are there, or before the first.
fn missing_numbers(paper: &Paper) -> u32 {
    let numbers =
        paper.questions.iter().filter_map(|question| labels::parse_question_number(&question.number));
    let mut before = paper.begins_with().map_or(0, |first| first.saturating_sub(1));
    let mut missing = 0;
    for number in numbers {
        let leaps = paper.leaps(before, number);
        missing += if leaps { 0 } else { number.saturating_sub(before + 1).min(10) };
        before = number;
    }
    missing
}
