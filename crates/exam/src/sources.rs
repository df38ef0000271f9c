//! Texts behind the questions that carry their numbers again: "Source material for use with Question 1" over "1 Petra sells
//! …". They ask nothing: none of them has marks, parts or an answer.

use crate::paper::{Paper, Question};
use crate::scheme::Scheme;
use lexicon::Concept;
use std::collections::HashSet;

/// The paper without such texts; `None` when it has none.
pub(crate) fn without(paper: &Paper, scheme: &Scheme) -> Option<Paper> {
    let section = paper.questions.iter().map(|question| question.section).max().filter(|last| *last > 0)?;
    let (texts, asked): (Vec<&Question>, Vec<&Question>) =
        paper.questions.iter().partition(|question| question.section == section);
    let asked_numbers: HashSet<&str> = asked.iter().map(|question| question.number.as_str()).collect();
    let is_priced = |question: &Question| {
        question.marks.is_some() || question.leaves.iter().all(|leaf| leaf.marks.is_some())
    };
    let is_text = |question: &&Question| {
        let silent = question.leaves.iter().all(|leaf| leaf.marks.is_none() && leaf.options.is_empty());
        silent
            && !asks(question)
            && question.choice.is_none()
            && question.marks.is_none()
            && question.leaves.len() <= 1
            && asked_numbers.contains(question.number.as_str())
    };
    let answered = scheme.entries.iter().any(|entry| entry.section == section && entry.says_something());
    let all_asked = asked.iter().all(|question| is_priced(question));
    if scheme.entries.is_empty() || answered || !all_asked || !texts.iter().all(is_text) {
        return None;
    }
    let questions = asked.into_iter().cloned().collect();
    Some(Paper { questions, ..paper.clone() })
}

/// True where a question begins with what to do, or asks anywhere.
fn asks(question: &Question) -> bool {
    let mut texts = question.leaves.iter().map(|leaf| leaf.text.as_str()).chain([question.text.as_str()]);
    texts.any(|text| {
        let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
        let bare = first.trim_matches(|c: char| !c.is_alphanumeric());
        text.contains('?') || lexicon::is(Concept::Command, bare)
    })
}
