//! Which of the ways to read a paper and its scheme is taken: the one for which most speaks.

use super::{Reading, Warning, join_with};
use crate::labels;
use crate::numbering::Outline;
use crate::paper::{self, Paper, Way};
use crate::rules::{Reason, Rule};
use crate::scheme::{self, SchemeLabels, Source};
use crate::{
    alphabets, answer_blanks, answer_brackets, bonus, bound, broken, codes, columns, edge_marks, edge_prices,
    fold, han, judged, marks_above, objective, outcomes, positions, rtl, series, sources, unit_column,
    verdict_columns, word_heads,
};
use reader::page::Document;
use std::collections::HashSet;

/// A reading with the way that led to it and what speaks for it.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// What was read.
    pub reading: Reading,
    /// In which way the paper was read.
    pub way: Way,
    /// What speaks for the reading and against it.
    pub reasons: Vec<Reason>,
    /// The same for the best of the other readings, where there were any.
    pub second: Option<Vec<Reason>>,
}

/// Weighs the ways to read a paper and its scheme.
pub fn choose(paper: &Document, scheme: &Document) -> Chosen {
    let (own, answers) = (alphabets::latin(paper), alphabets::latin(scheme));
    let mut chosen = choose_lettered(
        own.as_ref().map_or(paper, |own| &own.document),
        answers.as_ref().map_or(scheme, |answers| &answers.document),
    );
    if let Some(own) = own {
        own.name(&mut chosen.reading.questions);
    }
    chosen
}

/// The same for documents with Latin letters for labels, or Arabic ones.
fn choose_lettered(paper: &Document, scheme: &Document) -> Chosen {
    let (own, answers) = (rtl::mirrored(paper), rtl::mirrored(scheme));
    if own.is_none() && answers.is_none() {
        return choose_forwards(paper, scheme);
    }
    let mut chosen = choose_forwards(
        own.as_ref().map_or(paper, |own| &own.document),
        answers.as_ref().map_or(scheme, |own| &own.document),
    );
    let questions = &mut chosen.reading.questions;
    if let Some(own) = own {
        rtl::name(questions, own.own_digits);
    }
    if answers.is_some() {
        rtl::flip_keys(questions);
    }
    chosen
}

/// The same for documents that run from left to right.
fn choose_forwards(paper: &Document, scheme: &Document) -> Chosen {
    // One document that holds both stays one, whatever is set straight in it.
    let apart = paper != scheme;
    let paper = &*columns::prepared(paper);
    let paper = &*verdict_columns::prepared(paper);
    let paper = &*answer_brackets::prepared(paper);
    let paper = &*edge_marks::prepared(paper);
    let paper = &*marks_above::prepared(paper);
    let answers = apart.then(|| columns::prepared(scheme));
    let scheme = answers.as_deref().unwrap_or(paper);
    let priced = apart.then(|| edge_prices::prepared(scheme));
    let scheme = priced.as_deref().unwrap_or(scheme);
    let units = apart.then(|| unit_column::prepared(scheme));
    let coded = apart.then(|| outcomes::without(paper));
    let paper = coded.as_deref().unwrap_or(paper);
    let scheme = units.as_deref().unwrap_or(scheme);
    let (paper, scheme) = &han::prepared_pair(paper, scheme);
    let (paper, scheme) = (paper.as_ref(), scheme.as_ref());
    let (paper, scheme) = (&*broken::prepared(paper), &*broken::prepared(scheme));
    let (paper, scheme) = &judged::prepared(paper, scheme);
    let (paper, scheme) = (paper.as_ref(), scheme.as_ref());
    let filled = (paper != scheme).then(|| answer_blanks::prepared(paper, scheme));
    let scheme = filled.as_deref().unwrap_or(scheme);
    let (paper, scheme) = &word_heads::prepared(paper, scheme);
    let (paper, scheme) = (paper.as_ref(), scheme.as_ref());
    if let Some((plain, series)) = series::plain(paper) {
        let mut chosen = choose_plain(&plain, &series.plain_like(scheme));
        series.name(&mut chosen.reading.questions);
        return chosen;
    }
    let Some((plain, codes)) = codes::plain(paper) else { return choose_with_bonus(paper, scheme) };
    let answers = codes::plain_like(scheme, &codes);
    let mut chosen = choose_plain(&plain, answers.as_ref().unwrap_or(scheme));
    codes::name(&mut chosen.reading.questions, &codes);
    chosen
}

/// The same with questions that a word alone announces behind the numbered ones.
fn choose_with_bonus(paper: &Document, scheme: &Document) -> Chosen {
    let chosen = choose_by_place(paper, scheme);
    let questions = &chosen.reading.questions;
    let last = questions.last().and_then(|last| labels::parse_question_number(&last.number));
    let Some((plain, names)) = last.and_then(|last| bonus::numbered(paper, last, true)) else {
        return chosen;
    };
    let answers = last.and_then(|last| bonus::numbered(scheme, last, false)).map(|(answers, _)| answers);
    let mut other = choose_by_place(&plain, answers.as_ref().unwrap_or(scheme));
    if other.reading.questions.len() != questions.len() + names.len() {
        return chosen;
    }
    bonus::name(&mut other.reading.questions, &names);
    other
}

/// The same where keys are missing with the scheme's numbers for places, if that is better.
fn choose_by_place(paper: &Document, scheme: &Document) -> Chosen {
    let chosen = choose_plain(paper, scheme);
    if !chosen.reading.warnings.contains(&Warning::AnswerKeysMissing) || paper == scheme {
        return chosen;
    }
    let Some(scheme) = positions::like_paper(scheme, &chosen.reading.questions) else { return chosen };
    let other = choose_plain(paper, &scheme);
    let gains = objective::score(&other.reasons) > objective::score(&chosen.reasons) + MARGIN;
    if gains { other } else { chosen }
}

fn choose_plain(paper: &Document, scheme: &Document) -> Chosen {
    let source = Source::of_paper(scheme, paper);
    let labels = SchemeLabels::of(&source.document);
    // Where both stand in one document, a table of answers may pass for the questions.
    let bound_together = paper == scheme;
    let (mut alone, outline, share) = weigh(paper, &source, &labels, Way::default());
    if !bound_together {
        alone.reading.drop_empty_keys();
    }
    if alone.reading.is_settled() && !bound_together && !alone.reading.is_parted_by(&labels) {
        return alone;
    }
    let telling = share >= TELLING_SHARE;
    let joint = labels.speaks().then_some((labels.clone(), telling));
    let mut ways = Vec::new();
    if joint.is_some() {
        ways.push((Way { scheme: joint.clone(), ..Way::default() }, MARGIN));
    }
    if bound_together {
        let cuts = bound::scheme_pages(paper);
        ways.extend(cuts.into_iter().map(|page| (Way { until: Some(page), ..Way::default() }, MARGIN)));
    }
    if outline != Outline::default() {
        ways.push((Way { scheme: joint, outline: Some(Outline::default()), until: None }, OUTLINE_MARGIN));
    }
    let mut best = alone;
    let weighed: Vec<(Chosen, f32)> =
        ways.into_iter().map(|(way, margin)| (weigh(paper, &source, &labels, way).0, margin)).collect();
    let cut = |other: &Chosen| other.way.until.is_some();
    let asked: HashSet<(String, String)> = weighed
        .iter()
        .filter(|(other, _)| cut(other))
        .flat_map(|(other, _)| other.reading.labels())
        .collect();
    let numbers: HashSet<u32> = weighed
        .iter()
        .filter(|(other, _)| cut(other))
        .flat_map(|(other, _)| other.reading.numbers())
        .collect();
    for (mut other, margin) in weighed {
        // Questions that stand behind the cut speak against it: the scheme begins after the last of them.
        let lost = asked.difference(&other.reading.labels()).count() as f32 / asked.len().max(1) as f32;
        if cut(&other) && lost > LOST_MAX {
            continue;
        }
        let behind = other.reading.beyond(&numbers);
        if cut(&other) && behind > 0.0 {
            other.reasons.push((Rule::BehindCut, Rule::BehindCut.weight() * behind));
        }
        if !bound_together {
            other.reading.drop_empty_keys();
        }
        // Parts that only the scheme shows are worth as much as what they make harder to read.
        let parts = other.reading.parted_alone_by(&labels) < best.reading.parted_alone_by(&labels);
        let margin = if parts && !bound_together { -PARTED } else { margin };
        if objective::score(&other.reasons) > objective::score(&best.reasons) + margin {
            std::mem::swap(&mut best, &mut other);
        }
        let second = best.second.as_deref().map_or(f32::NEG_INFINITY, objective::score);
        if objective::score(&other.reasons) > second {
            best.second = Some(other.reasons);
        }
    }
    if bound_together && !cut(&best) {
        best.reading.drop_questions();
    }
    best
}

/// A scheme that has so many of the paper's labels has them all, or nearly.
const TELLING_SHARE: f32 = 0.7;
/// How much better than the paper's own another reading must be.
const MARGIN: f32 = 0.05;
/// How much worse a reading may be that has the scheme's parts where another has none.
const PARTED: f32 = 0.5;
/// No cut between a paper and its scheme may lose more of the questions that another keeps.
const LOST_MAX: f32 = 0.2;
/// The same for a reading that gives up how the paper seems to count.
const OUTLINE_MARGIN: f32 = 1.5;

/// Reads in one way: what was read, how the paper counts, and what share of its labels the scheme has.
fn weigh(paper: &Document, scheme: &Source, labels: &SchemeLabels, way: Way) -> (Chosen, Outline, f32) {
    let read = paper::read_in(paper, way.clone());
    if let Some(page) = way.until {
        let scheme = scheme.from_page(page);
        let labels = SchemeLabels::of(&scheme.document);
        return judge(&read, &scheme, &labels, way);
    }
    judge(&read, scheme, labels, way)
}

fn judge(read: &Paper, scheme: &Source, labels: &SchemeLabels, way: Way) -> (Chosen, Outline, f32) {
    let answers = scheme::read_source(scheme, read);
    if let Some(settled) = fold::folded(read, &answers).or_else(|| sources::without(read, &answers)) {
        return judge(&settled, scheme, labels, way);
    }
    let reading = join_with(read, &answers, labels);
    let reasons = objective::reasons(read, &reading, labels);
    let share = labels.share(read.leaves().map(|leaf| leaf.path.as_slice()));
    (Chosen { reading, way, reasons, second: None }, read.outline(), share)
}
