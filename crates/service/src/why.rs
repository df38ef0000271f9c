//! Why a script has its marks: for every point the words and the rule that decided it.

use crate::blobs::file_key;
use crate::desk::{loaded, names};
use crate::marking;
use crate::reports::stored_marking;
use crate::{Error, Service};
use domain::id::{PaperId, SubmissionId};
use domain::marks::Marks;
use domain::question::{AnswerKey, Question};
use domain::result::{Flag, Marking, PartKey, PartResult, Verdict};
use marker::turn::Behind;
use marker::{Answer, LeafOutcome, Rule};
use serde::Serialize;
use store::{papers, questions, submissions};

/// A script's marks, each with its reasons.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    /// By what it was marked.
    pub marking: Marking,
    /// In paper order.
    pub parts: Vec<ExplainedPart>,
}

/// The marks of a part, with their reasons.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedPart {
    /// The question's number and the part's label together: "3(b)".
    pub question: String,
    /// What was read.
    pub answer: String,
    /// What counts.
    pub awarded: Marks,
    /// The most that it could earn.
    pub available: Marks,
    /// What the engine gives for these words by itself: less or more where a person decided, where the engine or its
    /// models have changed since, or where it was the page, not the words, that decided.
    pub by_words: Marks,
    /// True when a person decided about the mark.
    pub is_adjusted: bool,
    /// How sure the engine was.
    pub confidence: f64,
    /// The share of its marks that the rest of the script leads one to expect, 0 to 1. No mark depends on it, but one that
    /// is far from it is less sure.
    pub expected: f64,
    /// What a person should know.
    pub flags: Vec<Flag>,
    /// In the scheme's order; none where the answer is judged as a whole.
    pub points: Vec<ExplainedPoint>,
}

/// A point of the scheme, and what decided it.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedPoint {
    /// What the answer was held against, in the scheme's words.
    pub text: String,
    /// Other wordings that it was held against.
    pub others: Vec<String>,
    /// What it is worth.
    pub marks: Marks,
    /// What it earned.
    pub awarded: Marks,
    /// What the answer says about it.
    pub verdict: Verdict,
    /// The words that decided, as they were read.
    pub words: Vec<String>,
    /// The rule that decided.
    pub rule: Rule,
    /// How sure the rule is, 0 to 1.
    pub confidence: f32,
    /// The numbers behind it, and what would have changed it.
    pub behind: Behind,
}

impl Service {
    /// The bytes of a paper's question paper and marking scheme, as they came.
    #[crate::boxed]
    pub async fn paper_documents(&self, id: PaperId) -> Result<[Vec<u8>; 2], Error> {
        let paper = papers::any_by_id(&mut *self.0.store.read().await?, id).await?;
        let paper = paper.ok_or_else(|| Error::missing("paper", id))?;
        let bytes = async |file_id| Ok::<_, Error>(self.0.blobs.get(&file_key(file_id)).await?);
        Ok([bytes(paper.question_paper.file_id).await?, bytes(paper.marking_scheme.file_id).await?])
    }

    /// Says of every part of a script, or of those of one question or part ("3", "3(b)"), why it has its mark. The words
    /// that were read are judged again; the pages are not read again, and nothing is written.
    #[crate::boxed]
    pub async fn explain_submission(&self, id: SubmissionId, only: Option<&str>) -> Result<Explained, Error> {
        let mut db = self.0.store.read().await?;
        let submission = submissions::any_by_id(&mut db, id).await?;
        let submission = submission.ok_or_else(|| Error::missing("submission", id))?;
        submission.must_have_result()?;
        let paper = papers::any_by_id(&mut db, submission.paper_id).await?;
        let paper = paper.ok_or_else(|| Error::missing("paper", submission.paper_id))?;
        let stored = questions::of_paper(&mut db, submission.paper_id).await?;
        let (current, machine) = loaded(&mut db, id).await?;
        let marking = stored_marking(&mut db, id).await?;
        drop(db);
        let marker = self.0.engine.get().await.map_err(Error::Unavailable)?;
        let only = only.map(plain);
        let explaining = tokio::task::spawn_blocking(move || {
            let hidden = names(&submission);
            let mut parts = Vec::new();
            let machine = machine.as_ref().unwrap_or(&current);
            for ((place, stored), result) in (0_u32..).zip(&stored).zip(&current.questions) {
                let (question, leaves) = (&stored.question, result.leaves());
                let named: Vec<String> = leaves.iter().map(|leaf| name(question, leaf)).collect();
                let is_wanted = |name: &str| only.as_deref().is_none_or(|only| is_of(&plain(name), only));
                if !named.iter().any(|name| is_wanted(name)) {
                    continue;
                }
                let texts = leaves.iter().map(|leaf| leaf.answer.as_str());
                let judged = marking::judge_texts(question, texts, &*marker, &paper.grading, &hidden)?;
                let keys = marker::Leaf::all(question).into_iter().map(|leaf| leaf.key);
                let told = named.into_iter().zip(leaves.iter()).zip(keys.zip(&judged.leaves));
                let told = told.filter(|((name, _), _)| is_wanted(name));
                parts.extend(told.map(|((name, part), (key, judged))| {
                    let own = PartKey { question: place, part: part.label.clone() };
                    let rest = marking::rest_of(machine, |other| *other != own);
                    explained(name, part, key, judged, rest.expected())
                }));
            }
            Ok(parts)
        });
        let parts = explaining.await.map_err(|error| Error::Broken(error.into()))?;
        let parts = parts.map_err(|error: marker::Error| Error::Unavailable(error.into()))?;
        Ok(Explained { marking, parts })
    }
}

fn explained(
    question: String,
    part: &PartResult,
    key: Option<&AnswerKey>,
    judged: &LeafOutcome,
    expected: f64,
) -> ExplainedPart {
    let read = Answer::from_text(part.answer.as_str());
    let points = judged.points.iter().filter_map(|found| {
        let point = key?.points.get(found.index as usize)?;
        Some(ExplainedPoint {
            text: point.text.clone(),
            others: point.alternatives.iter().chain(&point.accept).cloned().collect(),
            marks: point.marks,
            awarded: found.awarded,
            verdict: found.verdict,
            words: found.evidence.iter().map(|range| read.quote(*range).to_owned()).collect(),
            rule: found.rule,
            confidence: found.confidence,
            behind: found.behind.clone(),
        })
    });
    ExplainedPart {
        question,
        answer: part.answer.clone(),
        awarded: part.awarded,
        available: part.available,
        by_words: judged.awarded,
        is_adjusted: part.revision.as_ref().is_some_and(|revision| revision.by_person),
        confidence: part.confidence,
        expected,
        flags: part.flags.clone(),
        points: points.collect(),
    }
}

fn name(question: &Question, part: &PartResult) -> String {
    format!("{}{}", question.number, part.label)
}

/// Without what people write differently: "3 (b)" and "3b" are the same.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// True for the part itself and for the parts of the question that is named: "3" has "3a", but not "31".
fn is_of(part: &str, named: &str) -> bool {
    let rest = part.strip_prefix(named);
    rest.is_some_and(|rest| {
        let ends_in_digit = named.ends_with(|letter: char| letter.is_ascii_digit());
        !(ends_in_digit && rest.starts_with(|letter: char| letter.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_named_with_or_without_brackets_and_has_its_parts() {
        assert!(is_of(&plain("3(b)(ii)"), &plain("3b")));
        assert!(is_of(&plain("3(b)"), &plain("3")));
        assert!(!is_of(&plain("31"), &plain("3")));
        assert!(!is_of(&plain("3(c)"), &plain("3 (b)")));
    }
}
