//! The record of what operators did, and looking at a student's script, which needs a line of it.

use super::{Operator, OperatorError};
use crate::{Error, Service};
use domain::id::{AccountId, EntryId, SubmissionId};
use domain::operator::{Action, Entry, Reason, STUDENT_SHOWN};
use domain::paging::{Limit, Page, Position, Seal};
use domain::submission::Submission;
use store::{operators, submissions};

impl Service {
    /// A page of the record, newest first, of all accounts or of one.
    #[crate::boxed]
    pub async fn operator_log(
        &self,
        account: Option<AccountId>,
        limit: Limit,
        after: Option<Position>,
        seal: &Seal,
    ) -> Result<Page<Entry>, Error> {
        let page = self.0.store.page((account, limit, after), |db, (account, limit, after)| {
            Box::pin(operators::entries(db, *account, *after, limit.rows()))
        });
        let rows = page.await?;
        Ok(Page::new(rows, limit, seal, Entry::position))
    }

    /// Writes down why an operator looks at a student's script; what it gives opens it for a while.
    #[crate::boxed]
    pub async fn ask_for_student(
        &self,
        by: &Operator,
        id: SubmissionId,
        reason: Reason,
    ) -> Result<EntryId, OperatorError> {
        let entry = self.entry(by, Action::StudentShown, self.now());
        let entry = Entry { object_id: Some(id.to_string()), reason: Some(reason.into_string()), ..entry };
        self.0
            .store
            .write((id, entry), |tx, (id, entry)| {
                Box::pin(async move {
                    if let Some(key) = entry.key_id
                        && !operators::holds(tx, key).await?
                    {
                        return Err(OperatorError::Revoked);
                    }
                    let submission = submissions::any_by_id(tx, *id).await?;
                    let submission = submission.ok_or_else(|| Error::missing("submission", *id))?;
                    let entry = Entry { account_id: Some(submission.owner.0), ..entry.clone() };
                    operators::record(tx, &entry, None).await?;
                    Ok(entry.id)
                })
            })
            .await
    }

    /// Whether this operator gave a reason for this script, and lately.
    #[crate::boxed]
    pub async fn may_see_student(
        &self,
        by: &Operator,
        submission: &Submission,
        given: EntryId,
    ) -> Result<bool, Error> {
        let entry = operators::entry(&mut *self.0.store.read().await?, given).await?;
        let id = submission.id.to_string();
        Ok(entry.is_some_and(|entry| {
            entry.action == Action::StudentShown
                && entry.key_id == by.key_id
                && entry.object_id.as_deref() == Some(id.as_str())
                && self.now() < entry.created_at + STUDENT_SHOWN
        }))
    }
}
