//! What the operator sees and does across accounts, named by id alone.

mod change;
mod door;
mod record;
mod sight;

pub use change::{Change, Done, OperatorError};
pub(crate) use door::Logins;
pub use door::{LoginError, Operator};
pub use sight::{FailedKind, Recent};
pub use store::accounts::Listed;
pub use store::failures::Failed;

use crate::submissions::stored_result;
use crate::{Error, Service};
use domain::account::Owner;
use domain::id::{PaperId, SubmissionId};
use domain::paging::{Page, Seal, Slice};
use domain::paper::Paper;
use domain::result;
use domain::submission::{Submission, SubmissionFilter};
use jiff::Timestamp;
pub use store::credits::Usage;
use store::{credits, papers, questions, submissions};

impl Service {
    /// The paper of this id, whoever owns it.
    #[crate::boxed]
    pub async fn any_paper(&self, id: PaperId) -> Result<Paper, Error> {
        let paper = papers::any_by_id(&mut *self.0.store.read().await?, id).await?;
        paper.ok_or_else(|| Error::missing("paper", id))
    }

    /// The questions of any paper, in paper order.
    #[crate::boxed]
    pub async fn any_questions(&self, id: PaperId) -> Result<Vec<questions::Stored>, Error> {
        Ok(questions::of_paper(&mut *self.0.store.read().await?, id).await?)
    }

    /// The submission of this id, whoever owns it.
    #[crate::boxed]
    pub async fn any_submission(&self, id: SubmissionId) -> Result<Submission, Error> {
        let submission = submissions::any_by_id(&mut *self.0.store.read().await?, id).await?;
        submission.ok_or_else(|| Error::missing("submission", id))
    }

    /// The result of any submission that has one.
    #[crate::boxed]
    pub async fn any_result(&self, submission: &Submission) -> Result<Option<result::Result>, Error> {
        if submission.must_have_result().is_err() {
            return Ok(None);
        }
        stored_result(&mut *self.0.store.read().await?, submission.id).await.map(Some)
    }

    /// A page of an account's submissions.
    #[crate::boxed]
    pub async fn submissions_of(
        &self,
        owner: Owner,
        filter: &SubmissionFilter,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<Submission>, Error> {
        let input = (owner, filter.clone(), slice);
        let page = self.0.store.page(input, |db, (owner, filter, slice)| {
            Box::pin(submissions::list(db, *owner, filter, *slice))
        });
        let rows = page.await?;
        let by_change = slice.window.updated_after.is_some();
        let position = if by_change { Submission::change_position } else { Submission::position };
        Ok(Page::new(rows, slice.limit, seal, position))
    }

    /// Deletes a paper with everything that belongs to it, under the same rules as for its owner.
    #[crate::boxed]
    pub async fn delete_any_paper(&self, id: PaperId) -> Result<Paper, Error> {
        let paper = self.any_paper(id).await?;
        self.delete_paper_of(paper.owner, id).await?;
        Ok(paper)
    }

    /// Deletes a submission with everything that belongs to it, under the same rules as for its owner.
    #[crate::boxed]
    pub async fn delete_any_submission(&self, id: SubmissionId) -> Result<Submission, Error> {
        let submission = self.any_submission(id).await?;
        self.delete_submission_of(submission.owner, id).await?;
        Ok(submission)
    }

    /// What an account was charged from one moment until before another.
    #[crate::boxed]
    pub async fn usage(&self, owner: Owner, from: Timestamp, until: Timestamp) -> Result<Usage, Error> {
        Ok(credits::usage(&mut *self.0.store.read().await?, owner, from, until).await?)
    }
}
