//! A reviewer's edit: one or more steps that happen together or not at all.
//!
//! Everything a reviewer does to questions is a list of steps: a split saves one question and inserts another,
//! a merge saves one and deletes another, undoing is the same backwards. A step that touches a question names
//! the version it was made on; if that is no longer the question's version, nothing happens and the caller
//! gets what the questions are now.

use super::record::{difference, document};
use super::{ReviewError, Service};
use crate::jobs::POSITION_STEP;
use crate::papers::StoredQuestion;
use domain::id::{ChangeId, Identifier as _, QuestionId};
use domain::paper::{Paper, QUESTIONS_MAX};
use domain::question::{self, Finding, Question, Wrong};
use domain::review::{Action, Change, Closed, ReviewLink};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{Locked, Tx, papers, questions, reviews, turns};

/// Steps of one edit.
pub const STEPS_MAX: usize = 100;

/// What a reviewer wants to happen.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What the record calls it.
    pub action: Action,
    /// In this order.
    pub steps: Vec<Step>,
}

/// One step of an edit.
#[derive(Clone, Debug)]
pub enum Step {
    /// Puts a question in place of what it was.
    Save {
        /// Which one.
        id: QuestionId,
        /// The version it was made on.
        version: i64,
        /// What it becomes.
        question: Box<Question>,
    },
    /// Adds a question.
    Insert {
        /// Behind this one; `None` for the beginning.
        after: Option<QuestionId>,
        /// The new one.
        question: Box<Question>,
    },
    /// Removes a question.
    Delete {
        /// Which one.
        id: QuestionId,
        /// The version it was looked at.
        version: i64,
    },
    /// Puts a question elsewhere.
    Move {
        /// Which one.
        id: QuestionId,
        /// Behind this one; `None` for the beginning.
        after: Option<QuestionId>,
    },
}

/// What an edit led to.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The paper with its new numbers.
    pub paper: Paper,
    /// All questions' ids and versions, in their order.
    pub order: Vec<(QuestionId, i64)>,
    /// The questions that the edit added, in the order of its steps.
    pub added: Vec<QuestionId>,
    /// What does not add up now.
    pub findings: Vec<Finding>,
}

impl Step {
    /// The question it touches and the version it expects.
    fn touches(&self) -> Option<(QuestionId, Option<i64>)> {
        match self {
            Step::Save { id, version, .. } | Step::Delete { id, version } => Some((*id, Some(*version))),
            Step::Move { id, .. } => Some((*id, None)),
            Step::Insert { .. } => None,
        }
    }

    fn question(&self) -> Option<&Question> {
        match self {
            Step::Save { question, .. } | Step::Insert { question, .. } => Some(question),
            Step::Delete { .. } | Step::Move { .. } => None,
        }
    }
}

impl Service {
    /// Does what a reviewer wants, if the paper still awaits review and nobody was faster.
    #[crate::boxed]
    pub async fn edit_reviewed(&self, link: &ReviewLink, edit: Edit) -> Result<Edited, ReviewError> {
        for (index, step) in edit.steps.iter().enumerate() {
            let checked = step.question().map_or(Ok(()), Question::check);
            let within = |wrong: Wrong| Wrong { path: format!("steps[{index}].{}", wrong.path), ..wrong };
            checked.map_err(|wrong| ReviewError::Wrong(within(wrong)))?;
        }
        let input = (self.clone(), link.clone(), edit, self.now());
        self.0
            .store
            .write(input, |tx, (service, link, edit, now)| {
                Box::pin(async move {
                    let paper = locked(tx, link).await?;
                    let list = questions::of_paper(tx, paper.id).await?;
                    let mut desk = Desk {
                        service,
                        link,
                        action: edit.action,
                        now: *now,
                        list,
                        added: Vec::new(),
                        next_change: service.id::<ChangeId>(*now).number(),
                    };
                    desk.refuse_overtaken(&edit.steps)?;
                    for step in &edit.steps {
                        desk.take(tx, step).await?;
                    }
                    desk.finish(tx, &paper).await
                })
            })
            .await
    }
}

/// The paper, locked, so that two reviewers' changes and an approval come one after the other.
async fn locked(tx: &mut Tx, link: &ReviewLink) -> Result<Locked<Paper>, ReviewError> {
    let paper = papers::lock(tx, link.owner, link.paper_id).await?;
    let paper = paper.ok_or(ReviewError::Closed(Closed::Unknown))?;
    paper.must_await_review()?;
    Ok(paper)
}

/// The questions while an edit is under way.
struct Desk<'e> {
    service: &'e Service,
    link: &'e ReviewLink,
    action: Action,
    now: Timestamp,
    list: Vec<StoredQuestion>,
    added: Vec<QuestionId>,
    /// The lines of one edit are numbered on from the first, so that the record keeps their order.
    next_change: u128,
}

impl Desk<'_> {
    /// Refuses an edit of questions that are not as the reviewer saw them.
    fn refuse_overtaken(&self, steps: &[Step]) -> Result<(), ReviewError> {
        let overtaken = steps.iter().filter_map(Step::touches).filter_map(|(id, version)| {
            let current = self.list.iter().find(|stored| stored.id == id);
            let is_same =
                current.is_some_and(|stored| version.is_none_or(|version| stored.version == version));
            (!is_same).then(|| (id, current.cloned().map(Box::new)))
        });
        let overtaken: Vec<_> = overtaken.collect();
        if overtaken.is_empty() { Ok(()) } else { Err(ReviewError::Changed(overtaken)) }
    }

    async fn take(&mut self, tx: &mut Tx, step: &Step) -> Result<(), ReviewError> {
        match step {
            Step::Save { id, question, .. } => self.save(tx, *id, question).await,
            Step::Insert { after, question } => self.insert(tx, *after, question).await,
            Step::Delete { id, .. } => self.delete(tx, *id).await,
            Step::Move { id, after } => self.put(tx, *id, *after).await,
        }
    }

    async fn save(&mut self, tx: &mut Tx, id: QuestionId, question: &Question) -> Result<(), ReviewError> {
        let index = self.index(id)?;
        let before = self.list[index].clone();
        if before.question == *question {
            return Ok(());
        }
        let stored = &mut self.list[index];
        stored.version += 1;
        stored.question = question.clone();
        questions::save(tx, self.link.paper_id, stored).await?;
        let (was, is) = difference(&before.question, question);
        self.record(tx, id, &question.number, Some(was), Some(is)).await
    }

    async fn insert(
        &mut self,
        tx: &mut Tx,
        after: Option<QuestionId>,
        question: &Question,
    ) -> Result<(), ReviewError> {
        let index = self.behind(after);
        let position = self.room_at(tx, index).await?;
        let stored = StoredQuestion {
            id: self.service.id(self.now),
            position,
            version: 1,
            question: question.clone(),
        };
        questions::insert(tx, self.link.paper_id, &stored).await?;
        let id = stored.id;
        self.added.push(id);
        self.list.insert(index, stored);
        self.record(tx, id, &question.number, None, Some(document(question))).await
    }

    async fn delete(&mut self, tx: &mut Tx, id: QuestionId) -> Result<(), ReviewError> {
        let index = self.index(id)?;
        let gone = self.list.remove(index);
        questions::delete(tx, self.link.paper_id, id).await?;
        self.record(tx, id, &gone.question.number, Some(document(&gone.question)), None).await
    }

    async fn put(
        &mut self,
        tx: &mut Tx,
        id: QuestionId,
        after: Option<QuestionId>,
    ) -> Result<(), ReviewError> {
        let from = self.index(id)?;
        let mut moved = self.list.remove(from);
        let to = self.behind(after);
        moved.position = self.room_at(tx, to).await?;
        questions::place(tx, self.link.paper_id, id, moved.position).await?;
        let number = moved.question.number.clone();
        self.list.insert(to, moved);
        let place = |index: usize| json!({"place": index + 1});
        self.record(tx, id, &number, Some(place(from)), Some(place(to))).await
    }

    /// The paper's numbers follow its questions.
    async fn finish(self, tx: &mut Tx, paper: &Locked<Paper>) -> Result<Edited, ReviewError> {
        let wrong =
            |problem: String| Err(ReviewError::Wrong(Wrong { path: "questions".to_owned(), problem }));
        if self.list.is_empty() {
            return wrong("must be at least one".to_owned());
        }
        if self.list.len() > QUESTIONS_MAX {
            return wrong(format!("must be at most {QUESTIONS_MAX}"));
        }
        let order: Vec<(QuestionId, i64)> =
            self.list.iter().map(|stored| (stored.id, stored.version)).collect();
        let all: Vec<Question> = self.list.into_iter().map(|stored| stored.question).collect();
        turns::take(tx, paper.owner, self.now).await?;
        let paper_now = paper.revised(&all, tx.time()?);
        papers::save(tx, paper, &paper_now).await?;
        let findings = question::findings(&all, paper_now.printed_total);
        Ok(Edited { paper: paper_now, order, added: self.added, findings })
    }

    fn index(&self, id: QuestionId) -> Result<usize, ReviewError> {
        let index = self.list.iter().position(|stored| stored.id == id);
        // An earlier step of the same edit deleted it, or it is not there at all.
        index.ok_or_else(|| ReviewError::Changed(vec![(id, None)]))
    }

    /// The index behind a question. One that is gone does not stop the reviewer: the end is as good.
    fn behind(&self, after: Option<QuestionId>) -> usize {
        after.map_or(0, |after| self.index(after).map_or(self.list.len(), |index| index + 1))
    }

    /// A free position before the question at `index`; all are spread anew when there is none.
    async fn room_at(&mut self, tx: &mut Tx, index: usize) -> Result<i64, ReviewError> {
        if let Some(position) = between(&self.list, index) {
            return Ok(position);
        }
        for (place, stored) in (1..).zip(&mut self.list) {
            stored.position = place * POSITION_STEP;
            questions::place(tx, self.link.paper_id, stored.id, stored.position).await?;
        }
        Ok(between(&self.list, index).unwrap_or(POSITION_STEP))
    }

    async fn record(
        &mut self,
        tx: &mut Tx,
        id: QuestionId,
        number: &str,
        before: Option<Value>,
        after: Option<Value>,
    ) -> Result<(), ReviewError> {
        let change_id = ChangeId::from_number(self.next_change);
        self.next_change = self.next_change.saturating_add(1);
        let change = Change {
            id: change_id,
            paper_id: self.link.paper_id,
            reviewer: Some(self.link.reviewer.as_str().to_owned()),
            action: self.action,
            question_id: Some(id),
            number: Some(number.to_owned()),
            before: before.map(|value| value.to_string()),
            after: after.map(|value| value.to_string()),
            created_at: self.now,
        };
        Ok(reviews::record(tx, &change).await?)
    }
}

/// The middle between a question's neighbours-to-be, if there is one.
fn between(list: &[StoredQuestion], index: usize) -> Option<i64> {
    let before = index.checked_sub(1).and_then(|before| list.get(before)).map_or(0, |stored| stored.position);
    match list.get(index) {
        None => before.checked_add(POSITION_STEP),
        Some(next) => (next.position - before > 1).then(|| before + (next.position - before) / 2),
    }
}
