//! Answers that are judged as a whole: by levels of response, or against one model answer.

use super::judged::Judged;
use super::matcher::Matcher;
use super::script::Script;
use super::torn::is_torn;
use super::verdict::{ALWAYS, Verdict};
use crate::meaning::{Expected, Grade, Opinion};
use crate::rule::Rule;
use crate::words::{Token, tokens};
use domain::marks::Marks;
use domain::question::{Kind, Level};
use domain::scheme::{Levels, Rubric, Scale, TypedKey};
use std::collections::HashSet;
use std::ops::Range;

/// One thing that an answer may contain.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) text: String,
    /// The words that say it; `None` where it was not found.
    pub(crate) evidence: Option<Range<usize>>,
}

const LEVELS_CONFIDENCE_MAX: f32 = 0.5;
/// A thing is found from here on, as a point is under the standard setting.
const FOUND_MIN: f32 = 0.5;
/// A shorter point is a point, and no model answer.
const MODEL_WORDS_MIN: usize = 8;
const TORN_CONFIDENCE: f32 = 0.4;
/// From here on an answer is held to say something else than its model. Of 104 answers to model answers eleven were, and
/// their examiners gave them a twentieth of the marks.
const GAINSAID_MIN: f32 = 0.5;

/// Levels of response: the points, if any, are what an answer may contain. `None` without levels.
pub(super) fn by_levels(script: &Script<'_>, key: &TypedKey) -> Option<Judged> {
    let Scale::Levels(scale) = &key.scale else { return None };
    if script.is_far_from(scale.vocabulary.iter()) {
        let grade = Grade { fraction: 0.0, confidence: LEVELS_CONFIDENCE_MAX };
        return Some(judged(key, grade, Rule::Levels));
    }
    let statements = &scale.statements;
    if statements.len() >= STATEMENTS_MIN
        && !repeats_descriptors(script, scale)
        && let Some(said) = said_of(script, &statements.iter().map(String::as_str).collect::<Vec<_>>())
    {
        let fraction = by_content(&said, script.said.tokens.len(), script.leaf.available());
        let grade = Grade { fraction, confidence: LEVELS_CONFIDENCE_MAX };
        let content = statements.iter().zip(said).map(|(text, opinion)| {
            let is_found = opinion.credited >= FOUND_MIN;
            Content { text: text.clone(), evidence: opinion.evidence.filter(|_| is_found) }
        });
        return Some(Judged { content: content.collect(), ..judged(key, grade, Rule::Levels) });
    }
    let content: Vec<&str> = scale.content.iter().map(String::as_str).collect();
    let mut grade = graded(script, &content, Some(&scale.rubric), true);
    if let Some(said) = said_of_levels(script, scale) {
        let height = height(scale, &said);
        // Two witnesses of different things: what an answer contains, and what its descriptors ask for.
        grade.fraction = height + grade.fraction * (1.0 - height);
        grade.fraction *= 1.0 - GAINSAID_COST * gainsaid(&said);
    }
    // Which level an essay reaches is a person's judgement; the engine only proposes.
    grade.confidence = grade.confidence.min(LEVELS_CONFIDENCE_MAX);
    let content = content.iter().map(|text| looked_for(script, text)).collect();
    Some(Judged { content, ..judged(key, grade, Rule::Levels) })
}

// How far up its levels an answer comes, by what it says of what an answer may contain. Chosen on 99 answers to seventeen
// questions of five papers; with each paper left out in turn, marks are a seventh of the maximum off, a quarter before.
/// Who says nothing wrong has this much, and loses it by what is wrong, this much faster than it is said.
const UNDISPUTED: f32 = 0.35;
const DISPUTED: f32 = 1.5;
/// Whoever makes less than this of the content may write beside the point, and is believed this little.
const TOUCHED: f32 = 0.03;
const BESIDE: f32 = 0.2;
/// So much of what an answer may contain is all that a good one does.
const ENOUGH: f32 = 0.26;
/// Words for each mark below which an answer develops nothing, and how much that costs.
const WORDS_A_MARK: f32 = 12.0;
const BREVITY: f32 = 0.6;

/// How far up the levels an answer comes, as a share of the marks.
fn by_content(said: &[Opinion], words: usize, available: Marks) -> f32 {
    let mean = |of: fn(&Opinion) -> f32| said.iter().map(of).sum::<f32>() / said.len().max(1) as f32;
    let (made, gainsaid) = (mean(|own| own.credited), mean(|own| own.contradicted));
    let on_topic = (BESIDE + made / TOUCHED).min(1.0);
    let undisputed = UNDISPUTED * (1.0 - DISPUTED * gainsaid).max(0.0) * on_topic;
    let content = undisputed + (1.0 - UNDISPUTED) * (made / ENOUGH).min(1.0);
    let wanted = WORDS_A_MARK * available.as_number().max(1.0) as f32;
    content * (words as f32 / wanted).min(1.0).powf(BREVITY)
}

/// What is taken off an answer that says the opposite of what its levels ask for: fluent and wrong is not good. Chosen on
/// 108 answers to twenty questions by levels, of four papers.
const GAINSAID_COST: f32 = 0.7;

/// What the judge of points says of an answer beside each level's descriptor. `None` where it does not read both together,
/// and for an answer that only praises itself in the words of the descriptors.
fn said_of_levels(script: &Script<'_>, scale: &Levels) -> Option<Vec<Opinion>> {
    if !script.judge.reads_jointly() || repeats_descriptors(script, scale) {
        return None;
    }
    let descriptors: Vec<&str> = scale.levels.iter().map(|level| level.descriptor.as_str()).collect();
    said_of(script, &descriptors)
}

/// What the judge of points says of an answer beside each of these texts.
fn said_of(script: &Script<'_>, texts: &[&str]) -> Option<Vec<Opinion>> {
    if !script.judge.reads_jointly() {
        return None;
    }
    let said = || -> Option<Vec<Opinion>> {
        // Every text is noted before any is missing.
        let on = |text: &&str| script.opinions.on(text, &[]);
        texts.iter().map(on).collect::<Vec<_>>().into_iter().collect()
    };
    if said().is_none() {
        script.opinions.ask(script.judge, &script.question, script.answer);
    }
    said()
}

/// Fewer statements say too little of what an answer may contain.
const STATEMENTS_MIN: usize = 3;

/// How far up the levels an answer comes, as a share of the marks. Who has reached a level has reached those below it.
fn height(scale: &Levels, said: &[Opinion]) -> f32 {
    let top = |level: &Level| level.marks_to.as_number() as f32;
    let credited = said.iter().map(|opinion| opinion.credited);
    let mut levels: Vec<(f32, f32)> = scale.levels.iter().map(top).zip(credited).collect();
    levels.sort_by(|one, other| other.0.total_cmp(&one.0));
    let most = levels.first().map_or(0.0, |level| level.0);
    let mut reached = 0.0_f32;
    let mut marks = 0.0;
    for (index, (top, credited)) in levels.iter().enumerate() {
        reached = reached.max(*credited);
        let below = levels.get(index + 1).map_or(0.0, |level| level.0);
        marks += (top - below) * reached;
    }
    if most > 0.0 { (marks / most).clamp(0.0, 1.0) } else { 0.0 }
}

/// How much more an answer speaks against some level than for any.
fn gainsaid(said: &[Opinion]) -> f32 {
    let most = |of: fn(&Opinion) -> f32| said.iter().map(of).fold(0.0_f32, f32::max);
    (most(|opinion| opinion.contradicted) - most(|opinion| opinion.credited)).max(0.0)
}

/// True when hardly a word of the answer is not the question's or a descriptor's.
fn repeats_descriptors(script: &Script<'_>, scale: &Levels) -> bool {
    const OWN_SHARE_MIN: f32 = 0.3;
    let descriptors = scale.levels.iter().flat_map(|level| tokens(&level.descriptor));
    let given: HashSet<String> = descriptors.map(|word| word.stem).collect();
    let content: Vec<_> = script.said.tokens.iter().filter(|word| word.is_content()).collect();
    let is_own = |word: &&&Token| !given.contains(&word.stem) && !script.asked.contains(&word.stem);
    let own = content.iter().filter(is_own).count();
    (own as f32) < content.len() as f32 * OWN_SHARE_MIN
}

fn looked_for(script: &Script<'_>, text: &str) -> Content {
    let judgement = script.judge.judge(&script.question, text, script.answer);
    Content { text: text.to_owned(), evidence: judgement.evidence.filter(|_| judgement.score >= FOUND_MIN) }
}

/// One long point worth several marks is a model answer: it is graded as a whole. `None` for other keys.
pub(super) fn against_model_answer(script: &Script<'_>, key: &TypedKey) -> Option<Judged> {
    let [point] = key.points.as_slice() else { return None };
    let words = point.text.split_whitespace().count();
    let is_model = point.marks > Marks::whole(1)
        && words >= MODEL_WORDS_MIN
        && matches!(script.leaf.kind, Kind::ShortAnswer | Kind::Extended);
    let in_words = matches!(Matcher::of(&point.own, script.leaf.kind, &script.demands), Matcher::Words(_));
    if !is_model || !in_words || !point.shares.is_empty() {
        return None;
    }
    let made = script.judge_alone(point);
    let grade = if made.grant == ALWAYS {
        Grade { fraction: 1.0, confidence: 0.85 }
    } else {
        let references: Vec<&str> = point.wordings.iter().map(|wording| wording.text.as_str()).collect();
        let grade = graded(script, &references, key.remarks.rubric.as_ref(), false);
        // Words that are like the model's may say the opposite, which the judge of points hears.
        let gainsaid = made.measured.opinion.as_ref().map_or(0.0, |said| said.contradicted);
        let kept = if gainsaid > GAINSAID_MIN { 1.0 - gainsaid } else { 1.0 };
        Grade { fraction: grade.fraction * kept, ..grade }
    };
    // Formulae that were read in pieces are no model of what a student writes.
    let confidence =
        if is_torn(&point.text) { grade.confidence.min(TORN_CONFIDENCE) } else { grade.confidence };
    let mut judged = judged(key, Grade { confidence, ..grade }, Rule::ModelAnswer);
    judged.verdicts[0].evidence = made.evidence;
    judged.verdicts[0].measured = made.measured;
    judged.off_topic = script.is_off_topic();
    Some(judged)
}

/// Judged as a whole: the points, if there are any, earn nothing by themselves.
fn judged(key: &TypedKey, grade: Grade, rule: Rule) -> Judged {
    let verdicts = key.points.iter().map(|_| Verdict::refused(0.5, None).by(rule)).collect();
    Judged { verdicts, grade: Some(grade), ..Judged::default() }
}

/// The answer as a whole, held against a rubric and model answers, or what an answer may contain.
fn graded(script: &Script<'_>, references: &[&str], rubric: Option<&Rubric>, is_content: bool) -> Grade {
    let marks = Some(script.leaf.available().as_number() as f32);
    let expected = Expected { question: &script.question, references, rubric, marks, is_content };
    script.judge.grade(&expected, script.answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_lifts_an_answer_and_what_is_gainsaid_or_beside_the_point_does_not() {
        let said = |credited: f32, contradicted: f32| {
            vec![Opinion { credited, contradicted, ..Opinion::default() }; 6]
        };
        let share = |opinions: &[Opinion], words| by_content(opinions, words, Marks::whole(10));
        assert!(share(&said(0.5, 0.05), 150) > 0.95, "made and developed");
        assert!(share(&said(0.5, 0.05), 40) < 0.6, "made in notes");
        assert!(share(&said(0.06, 0.55), 150) < 0.25, "fluent and wrong");
        assert!(share(&said(0.0, 0.0), 400) < 0.1, "long and beside the point");
    }
}
