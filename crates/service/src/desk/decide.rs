//! Decisions about answers: each is one transaction that locks the script's row, writes the decision, the result
//! that follows from it, the record, and the event when marks changed.
//!
//! Two at once come one after the other. Whoever decides on the desk names the version of the answer that was
//! seen; when another was faster, nothing is written and the answer as it is now is told.

use super::named::{place_of_id, place_of_number};
use super::standing::{Standing, document};
use super::{Answer, ShownScript, answers_of, locked_graded, script};
use crate::idempotency::{Render, Reply};
use crate::submissions::own_submission;
use crate::{Caller, Error, Service};
use domain::account::Owner;
use domain::adjustment::Adjustment;
use domain::event::EventType;
use domain::id::{AdjustmentId, Identifier as _, PaperId, QuestionId, SubmissionId};
use domain::idempotency::Claim;
use domain::marks::Marks;
use domain::paging::{Page, Seal, Slice};
use domain::refusal::Refusal;
use domain::result::{self, Decision, Decisions, PartKey, PartResult};
use domain::submission::Submission;
use jiff::Timestamp;
use store::{Db, Locked, Tx, desk, papers, questions, results, submissions, turns};

/// A decision as the API takes it: the answer by its question and part.
#[derive(Clone, Debug)]
pub struct NewAdjustment {
    /// The question's number as printed, or its id.
    pub question: String,
    /// The part's label; `None` for a question that is marked as a whole.
    pub part: Option<String>,
    /// What was decided.
    pub said: Said,
    /// What the person says to the student.
    pub remark: Option<String>,
    /// Who decided.
    pub reviewer: Option<String>,
}

/// What a person says about an answer.
#[derive(Clone, Debug)]
pub enum Said {
    /// This is the mark.
    Mark(Marks),
    /// These points are earned, each by so much.
    Points(Vec<Marks>),
    /// This is what the student wrote.
    Wrote(String),
    /// The mark is right as it is.
    Agree,
    /// As it was decided by that adjustment; `None` as before any.
    Restore(Option<AdjustmentId>),
}

/// Which version of an answer the person has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Whichever there is.
    Any,
    /// The one that this adjustment made; `None` before any.
    Version(Option<AdjustmentId>),
}

/// One decision about one answer.
#[derive(Clone, Debug)]
pub struct Step {
    /// Which answer.
    pub key: PartKey,
    /// What was decided.
    pub said: Said,
    /// What the person says to the student.
    pub remark: Option<String>,
    /// What the person saw.
    pub seen: Seen,
    /// The mark that the person saw, where that matters: it may have followed another decision since.
    pub shown: Option<Marks>,
    /// The answer judged again, for [`Said::Wrote`].
    pub reread: Option<Box<PartResult>>,
}

/// What decisions about a script have made of it.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The decisions, in the order in which they were made.
    pub adjustments: Vec<Adjustment>,
    /// The script as it is now.
    pub script: ShownScript,
}

/// Why a decision cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// Another person was faster; this is the answer as it is now.
    #[error("the answer was changed by another person")]
    Changed(Box<Answer>),
    /// Anything that can go wrong elsewhere too.
    #[error(transparent)]
    Other(#[from] Error),
}

impl From<store::Error> for DeskError {
    fn from(error: store::Error) -> DeskError {
        DeskError::Other(error.into())
    }
}

impl From<DeskError> for Error {
    fn from(error: DeskError) -> Error {
        match error {
            DeskError::Other(error) => error,
            DeskError::Changed(_) => Error::Unavailable("another person decided at the same moment".into()),
        }
    }
}

impl Service {
    /// Changes one mark by API; the answer is judged again first where what was read is corrected.
    #[crate::boxed]
    pub async fn adjust(
        &self,
        caller: &Caller,
        id: SubmissionId,
        new: NewAdjustment,
        claim: Option<Claim>,
        render: Render<Adjustment>,
    ) -> Result<Reply, Error> {
        let owner = caller.owner();
        let (submission, key) = self.named_part(owner, id, &new).await?;
        let reread = match &new.said {
            Said::Wrote(text) => Some(Box::new(self.judged_again(&submission, &key, text).await?)),
            _ => None,
        };
        let step = Step { key, said: new.said, remark: new.remark, seen: Seen::Any, shown: None, reread };
        let input = (self.clone(), (owner, submission.paper_id), id, step, new.reviewer, self.now());
        self.once(
            claim,
            input,
            |tx, (service, owner, id, step, reviewer, now)| {
                Box::pin(async move {
                    let steps = std::slice::from_ref(step);
                    let made = service.decide_in(tx, *owner, *id, steps, reviewer.as_deref(), *now).await?;
                    let made = made.adjustments.into_iter().next();
                    made.ok_or_else(|| Error::Broken("a decision was lost".into()))
                })
            },
            render,
        )
        .await
    }

    /// A page of the decisions about a submission, newest first.
    #[crate::boxed]
    pub async fn adjustments(
        &self,
        caller: &Caller,
        id: SubmissionId,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<Adjustment>, Error> {
        let mut db = self.0.store.read().await?;
        own_submission(&mut db, caller.owner(), id).await?;
        drop(db);
        let page = self.0.store.page((caller.owner(), id, slice), |db, (owner, id, slice)| {
            Box::pin(desk::adjustments(db, *owner, *id, *slice))
        });
        let rows = page.await?;
        Ok(Page::new(rows, slice.limit, seal, Adjustment::position))
    }

    /// The answer that a call names, of a script whose marks can change.
    async fn named_part(
        &self,
        owner: Owner,
        id: SubmissionId,
        new: &NewAdjustment,
    ) -> Result<(Submission, PartKey), Error> {
        let mut db = self.0.store.read().await?;
        let submission = own_submission(&mut db, owner, id).await?;
        submission.must_be_adjustable()?;
        let (current, _) = loaded(&mut db, id).await?;
        let question = match QuestionId::parse(&new.question) {
            Some(id) => place_of_id(&questions::of_paper(&mut db, submission.paper_id).await?, id)?,
            None => {
                let numbers = current.questions.iter().map(|question| question.number.as_str());
                place_of_number(numbers, &new.question)?
            }
        };
        let part = new.part.clone().unwrap_or_default();
        let key = PartKey { question, part };
        if current.part(&key).is_none() {
            let parts = match current.questions.get(question as usize) {
                Some(own) => own.leaves(),
                None => std::borrow::Cow::default(),
            };
            let labels: Vec<&str> = parts.iter().map(|part| part.label.as_str()).collect();
            let problem = if labels == [""] {
                "The question is marked as a whole: leave part out.".to_owned()
            } else {
                format!("The question has the parts {}.", labels.join(", "))
            };
            return Err(Error::from(Refusal::WrongAdjustment { problem }).at("part"));
        }
        Ok((submission, key))
    }

    /// Makes decisions about answers of one script, all or none, and writes what follows from them.
    pub(crate) async fn decide_in(
        &self,
        tx: &mut Tx,
        (owner, paper): (Owner, PaperId),
        id: SubmissionId,
        steps: &[Step],
        reviewer: Option<&str>,
        now: Timestamp,
    ) -> Result<Decided, DeskError> {
        let submission = locked_graded(tx, (owner, paper), id).await?;
        let paper = papers::by_id(tx, owner, submission.paper_id).await?;
        let paper = paper.ok_or_else(|| Error::missing("paper", submission.paper_id))?;
        let level = paper.grading.feedback;
        let standing = Standing::of(tx, id).await?;
        let (mut answers, is_new) = answers_of(tx, id, &standing.machine).await?;
        let mut made = Vec::with_capacity(steps.len());
        for step in steps {
            let place = answers.iter().position(|answer| answer.key == step.key);
            let part = standing.part(&step.key)?;
            let (Some(place), Some(part)) = (place, part) else {
                let problem = "The script has no such answer.".to_owned();
                return Err(Error::from(Refusal::WrongAdjustment { problem }).into());
            };
            let answer = &mut answers[place];
            let is_as_seen = step.seen == Seen::Any || step.seen == Seen::Version(answer.version);
            if !is_as_seen || step.shown.is_some_and(|shown| shown != answer.awarded) {
                return Err(DeskError::Changed(Box::new(answer.clone())));
            }
            let restored = restored(tx, owner, id, step).await?;
            let judged = step.reread.as_deref().unwrap_or(&part);
            answer.decision = decision(step, judged, answer, restored)?;
            answer.version = Some(self.id(now));
            answer.reviewer = reviewer.map(str::to_owned);
            made.push((place, part.awarded));
        }
        let revised = result::revise(&standing.machine, &decisions(&answers), level);
        let adjustments = made
            .iter()
            .map(|(place, before)| adjustment(owner, &submission, *before, &revised, &answers[*place], now));
        let adjustments: Vec<Adjustment> = adjustments.collect();
        settle(&mut answers, &revised);
        for adjustment in &adjustments {
            desk::record(tx, adjustment).await?;
        }
        // All of them where the script was not laid out before; else those that changed.
        for (place, answer) in answers.iter().enumerate() {
            if is_new || made.iter().any(|(own, _)| *own == place) {
                desk::put_answer(tx, submission.paper_id, answer, None).await?;
            }
        }
        let has_new_marks = adjustments.iter().any(|one| one.awarded != one.awarded_before);
        self.want_lessons(tx, &paper, made.iter().map(|(place, _)| answers[*place].key.clone()), now).await?;
        turns::take(tx, owner, now).await?;
        // Who agrees again changes nothing in the result, which is long.
        if let Some(document) = standing.next(&revised)? {
            standing.replace(tx, &revised, &document).await?;
        }
        let rescored = self.write_marks(tx, &submission, &revised, &answers).await?;
        if has_new_marks {
            self.record_submission(tx, EventType::SubmissionAdjusted, &rescored).await?;
        }
        let script = ShownScript { submission: rescored, result: revised, answers };
        Ok(Decided { adjustments, script })
    }

    /// Writes the engine's own result, the one that counts and what follows from it, in the account's turn.
    pub(crate) async fn write_revised(
        &self,
        tx: &mut Tx,
        submission: &Locked<Submission>,
        machine: &result::Result,
        revised: &result::Result,
        answers: &[Answer],
    ) -> Result<Submission, Error> {
        let id = submission.id;
        let own = (machine != revised).then(|| document(machine)).transpose()?;
        results::revise(tx, id, &document(revised)?, own.as_deref()).await?;
        self.write_marks(tx, submission, revised, answers).await
    }

    /// Writes what follows from the result that counts.
    pub(super) async fn write_marks(
        &self,
        tx: &mut Tx,
        submission: &Locked<Submission>,
        revised: &result::Result,
        answers: &[Answer],
    ) -> Result<Submission, Error> {
        let id = submission.id;
        desk::put_script(tx, submission.paper_id, &script(id, revised, answers)).await?;
        let rescored = submission.rescored(revised.score, revised.no_readable_answers, tx.time()?);
        submissions::save(tx, submission, &rescored).await?;
        Ok(rescored)
    }
}

/// The result that counts, and the engine's own where it differs.
pub(crate) async fn loaded(
    db: &mut Db,
    id: SubmissionId,
) -> Result<(result::Result, Option<result::Result>), Error> {
    let stored = results::revised(db, id).await?;
    let (current, machine) = stored.ok_or_else(|| Error::Broken(format!("{id} has no result").into()))?;
    let parsed = |text: &str| serde_json::from_str(text).map_err(|error| Error::Broken(error.into()));
    Ok((parsed(&current)?, machine.as_deref().map(parsed).transpose()?))
}

/// Everything that was decided about a script.
pub(super) fn decisions(answers: &[Answer]) -> Decisions {
    let made = answers.iter().filter_map(|answer| Some((answer.key.clone(), answer.decision.clone()?)));
    let taught = answers.iter().filter_map(|answer| Some((answer.key.clone(), answer.taught.clone()?)));
    Decisions { made: made.collect(), taught: taught.collect() }
}

/// Takes marks, words and flags over from the result that counts.
pub(super) fn settle(answers: &mut [Answer], revised: &result::Result) {
    for answer in answers {
        if let Some(part) = revised.part(&answer.key) {
            answer.awarded = part.awarded;
            answer.answer.clone_from(&part.answer);
            answer.flags.clone_from(&part.flags);
        }
    }
}

/// The decision that an answer is taken back to.
async fn restored(
    tx: &mut Tx,
    owner: Owner,
    id: SubmissionId,
    step: &Step,
) -> Result<Option<Decision>, Error> {
    /// Decisions about one answer that can be taken back.
    const RESTORABLE: i64 = 200;
    let Said::Restore(Some(version)) = &step.said else { return Ok(None) };
    let known = desk::last_decisions(tx, owner, id, &step.key, RESTORABLE).await?;
    let found = known.into_iter().find(|adjustment| adjustment.id == *version);
    let problem = || "There is no such decision about this answer.".to_owned();
    Ok(found.ok_or_else(|| Refusal::WrongAdjustment { problem: problem() })?.decision)
}

/// What an answer's decision becomes.
fn decision(
    step: &Step,
    part: &PartResult,
    answer: &Answer,
    restored: Option<Decision>,
) -> Result<Option<Decision>, Error> {
    let earlier = answer.decision.clone().unwrap_or_default();
    let wrong = |param: &str, problem: String| {
        let problem = format!("The {param} {problem}.");
        Error::from(Refusal::WrongAdjustment { problem }).at(param)
    };
    let remark = step.remark.clone();
    Ok(match &step.said {
        Said::Mark(awarded) => {
            part.check_mark(*awarded).map_err(|problem| wrong("awarded", problem))?;
            Some(Decision { awarded: *awarded, points: None, remark, ..earlier })
        }
        Said::Points(points) => {
            let awarded = part.check_points(points).map_err(|problem| wrong("points", problem))?;
            Some(Decision { awarded, points: Some(points.clone()), remark, ..earlier })
        }
        Said::Wrote(_) => {
            let reread = step.reread.clone();
            Some(Decision { awarded: part.awarded, points: None, remark, reread })
        }
        Said::Agree => Some(Decision { awarded: answer.awarded, ..earlier }),
        Said::Restore(_) => restored,
    })
}

fn adjustment(
    owner: Owner,
    submission: &Submission,
    awarded_before: Marks,
    after: &result::Result,
    answer: &Answer,
    now: Timestamp,
) -> Adjustment {
    let number = after.questions.get(answer.key.question as usize).map(|question| question.number.clone());
    Adjustment {
        id: answer.version.expect("a decision has a version"),
        owner,
        submission_id: submission.id,
        paper_id: submission.paper_id,
        key: answer.key.clone(),
        number: number.unwrap_or_default(),
        awarded_before,
        awarded: after.part(&answer.key).map(|part| part.awarded).unwrap_or_default(),
        available: answer.available,
        decision: answer.decision.clone(),
        reviewer: answer.reviewer.clone(),
        created_at: now,
    }
}
