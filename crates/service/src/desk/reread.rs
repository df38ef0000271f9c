//! An answer judged again by what a person says the student wrote.

use super::decide::loaded;
use crate::marking::{self, Beside};
use crate::{Error, Service};
use domain::result::{PartKey, PartResult};
use domain::submission::Submission;
use store::{papers, questions};

impl Service {
    /// Judges one answer again, with what was read for the other parts of its question beside it. Nothing is written.
    pub(crate) async fn judged_again(
        &self,
        submission: &Submission,
        key: &PartKey,
        text: &str,
    ) -> Result<PartResult, Error> {
        let (paper, question, (current, machine)) = {
            let mut db = self.0.store.read().await?;
            let paper = papers::by_id(&mut db, submission.owner, submission.paper_id).await?;
            let paper = paper.ok_or_else(|| Error::missing("paper", submission.paper_id))?;
            let all = questions::of_paper(&mut db, submission.paper_id).await?;
            let question = all.into_iter().nth(key.question as usize).map(|stored| stored.question);
            let question =
                question.ok_or_else(|| Error::Broken("a result has a question too many".into()))?;
            (paper, question, loaded(&mut db, submission.id).await?)
        };
        let marker = self.0.engine.get().await.map_err(Error::Unavailable)?;
        let hidden = names(submission);
        let parts = current.questions[key.question as usize].leaves().into_owned();
        let machine = machine.as_ref().unwrap_or(&current);
        let rest = marking::rest_of(machine, |other| other.question != key.question);
        let (key, text) = (key.clone(), text.to_owned());
        let judged = tokio::task::spawn_blocking(move || {
            let beside = Beside { hidden: &hidden, camera: None, rest };
            marking::judge_again(&question, &parts, &key.part, &text, &*marker, &paper.grading, beside)
        });
        let judged = judged.await.map_err(|error| Error::Broken(error.into()))?;
        judged.map_err(|error| Error::Unavailable(error.into()))
    }
}

/// What must not leave this machine: who the student is.
pub(crate) fn names(submission: &Submission) -> Vec<String> {
    let student = &submission.student;
    let name = student.name.as_ref().map(ToString::to_string);
    name.into_iter().chain([student.external_id.to_string()]).collect()
}
