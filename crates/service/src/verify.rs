//! Marking a script again, to prove that its marks can be relied on.

use crate::desk::loaded;
use crate::jobs::marked_again;
use crate::reports::stored_marking;
use crate::{Error, Service};
use domain::id::SubmissionId;
use domain::result::{Marking, Result as MarkedResult};
use store::{papers, submissions};

/// What a second marking gave.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The result that is kept.
    pub kept: MarkedResult,
    /// The result of marking it again.
    pub again: MarkedResult,
    /// How it was marked.
    pub kept_marking: Marking,
    /// How it is marked now.
    pub marking: Marking,
}

impl Verification {
    /// True when both markings gave the same, to the last word.
    pub fn is_same(&self) -> bool {
        self.kept == self.again
    }

    /// What changed since it was marked: with any of these, another result is no surprise.
    pub fn changes(&self) -> Vec<&'static str> {
        let (kept, now) = (&self.kept_marking, &self.marking);
        let mut changes = Vec::new();
        let mut compare = |is_same: bool, what| changes.extend((!is_same).then_some(what));
        compare(kept.engine == now.engine && kept.engine_version == now.engine_version, "the engine");
        compare(kept.models == now.models, "the models");
        compare(kept.scheme_sha256 == now.scheme_sha256, "the questions or their keys");
        compare(kept.files == now.files, "the script's files");
        compare(
            kept.strictness == now.strictness
                && kept.feedback == now.feedback
                && kept.instructions_used == now.instructions_used,
            "the grading settings",
        );
        changes
    }
}

impl Service {
    /// Reads and marks a script again. Nothing is written.
    #[crate::boxed]
    pub async fn verify_submission(&self, id: SubmissionId) -> Result<Verification, Error> {
        let mut db = self.0.store.read().await?;
        let submission = submissions::any_by_id(&mut db, id).await?;
        let submission = submission.ok_or_else(|| Error::missing("submission", id))?;
        submission.must_have_result()?;
        let paper = papers::any_by_id(&mut db, submission.paper_id).await?;
        let paper = paper.ok_or_else(|| Error::missing("paper", submission.paper_id))?;
        // The engine's own: what a person decided about it is no marking of ours.
        let (counted, machine) = loaded(&mut db, id).await?;
        let kept = machine.unwrap_or(counted);
        let kept_marking = stored_marking(&mut db, id).await?;
        drop(db);
        let (again, marking) = marked_again(self, &paper, &submission).await?;
        Ok(Verification { kept, again, kept_marking, marking })
    }
}
