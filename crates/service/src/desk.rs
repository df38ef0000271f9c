//! The marking desk: where a person checks what the engine marked, corrects it and releases it.

mod amend;
mod decide;
mod figures;
mod groups;
mod learn;
mod lesson;
mod named;
mod pages;
mod release;
mod reread;
mod scheme;
mod standing;
mod together;
mod trial;
mod views;

pub use amend::NewAmendment;
pub(crate) use decide::loaded;
pub use decide::{Decided, DeskError, NewAdjustment, Said, Seen, Step};
pub use figures::MarkedScript;
pub use groups::{Group, Member};
pub(crate) use pages::Album;
pub(crate) use reread::names;
pub use scheme::{Preview, Scheme, SchemeView, ShownPreview};
pub use store::desk::amendments::{AmendedScript, Amendment, MarkChange, Outcome, SchemeVersion};
pub use store::desk::{Answer, ClassQuery, ClassRow, Filter, Order, Script, Totals};
pub use together::{GROUP_MAX, GroupMember, GroupSaid, GroupStep};
pub use views::{ClassPage, Opening, PartPage, Role, ShownAnswer, ShownScript, Wanted};

use crate::submissions::{locked_submission, stored_result};
use crate::{Error, Service};
use domain::account::Owner;
use domain::id::{PaperId, SubmissionId};
use domain::report::Marksheet;
use domain::result;
use domain::submission::{State, Submission};
use store::{Db, Locked, Tx, desk, submissions};

/// Scripts that are laid out for the desk before it is looked whether there are more.
const UNSEEN_AT_ONCE: i64 = 50;

impl Service {
    /// Lays a marked script out for the desk: how the desk lists it and, while its marks can change, each answer with
    /// what it means, where that is known.
    pub(crate) async fn lay_out(
        &self,
        tx: &mut Tx,
        submission: &Submission,
        result: &result::Result,
        meanings: &[String],
        is_open: bool,
    ) -> Result<(), Error> {
        let answers = answers(submission.id, result);
        desk::put_script(tx, submission.paper_id, &script(submission.id, result, &answers)).await?;
        if is_open {
            for (place, answer) in answers.iter().enumerate() {
                let meaning = meanings.get(place).map(String::as_str);
                desk::put_answer(tx, submission.paper_id, answer, meaning).await?;
            }
        }
        Ok(())
    }

    /// Lays out the paper's scripts that were marked before there was a desk.
    pub(crate) async fn lay_out_all(&self, owner: Owner, paper: PaperId) -> Result<(), Error> {
        loop {
            let unseen = desk::unseen(&mut *self.0.store.read().await?, owner, paper, UNSEEN_AT_ONCE).await?;
            for id in &unseen {
                let laid = self.0.store.write((self.clone(), owner, *id), |tx, (service, owner, id)| {
                    Box::pin(service.lay_out_unseen(tx, *owner, *id))
                });
                laid.await?;
            }
            if unseen.is_empty() {
                return Ok(());
            }
        }
    }

    async fn lay_out_unseen(&self, tx: &mut Tx, owner: Owner, id: SubmissionId) -> Result<(), Error> {
        // Locked, so that what is laid out is not older than a decision that is made meanwhile.
        let Some(submission) = submissions::lock(tx, owner, id).await? else { return Ok(()) };
        let is_open = submission.state == State::Graded;
        let is_marked = matches!(submission.state, State::Graded | State::Released);
        if !is_marked || desk::script(tx, id).await?.is_some() {
            return Ok(());
        }
        let result = stored_result(tx, id).await?;
        self.lay_out(tx, &submission, &result, &[], is_open).await
    }
}

/// The answers of a result as the engine left them.
pub(crate) fn answers(id: SubmissionId, result: &result::Result) -> Vec<Answer> {
    let all = result.all_parts().into_iter().map(|(key, part)| Answer {
        submission_id: id,
        key,
        machine: part.machine_mark(),
        awarded: part.awarded,
        available: part.available,
        confidence: part.confidence,
        flags: part.flags.clone(),
        answer: part.answer.clone(),
        decision: None,
        taught: None,
        version: None,
        reviewer: None,
    });
    all.collect()
}

/// How the desk lists a script with this result and these answers.
pub(crate) fn script(id: SubmissionId, result: &result::Result, answers: &[Answer]) -> Script {
    let count = |wanted: &dyn Fn(&Answer) -> bool| {
        let counted = answers.iter().filter(|answer| !answer.available.is_zero() && wanted(answer)).count();
        u32::try_from(counted).unwrap_or(u32::MAX)
    };
    let flagged = result.all_parts().iter().filter(|(_, part)| part.is_flagged()).count();
    Script {
        submission_id: id,
        parts: count(&|_| true),
        checked: count(&|answer| answer.decision.is_some()),
        flagged: u32::try_from(flagged).unwrap_or(u32::MAX),
        is_adjusted: result.is_adjusted(),
        sheet: Marksheet::of(result),
    }
}

/// A submission of a paper of the caller whose marks can change; another paper's is not there.
async fn locked_graded(
    tx: &mut Tx,
    (owner, paper): (Owner, PaperId),
    id: SubmissionId,
) -> Result<Locked<Submission>, Error> {
    let submission = locked_submission(tx, owner, id).await?;
    if submission.paper_id != paper {
        return Err(Error::missing("submission", id));
    }
    submission.must_be_adjustable()?;
    Ok(submission)
}

/// The answers of a script, laid out now if they were not, and whether that is so.
async fn answers_of(
    db: &mut Db,
    id: SubmissionId,
    machine: &result::Result,
) -> Result<(Vec<Answer>, bool), Error> {
    let laid_out = desk::answers(db, id).await?;
    Ok(if laid_out.is_empty() { (answers(id, machine), true) } else { (laid_out, false) })
}
