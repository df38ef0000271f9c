//! The result of a script as it stands, for changing it. The engine's own is read as a whole, the one that counts only
//! where it must be: both are long, and a teacher changes one answer after the other.

use crate::Error;
use domain::id::SubmissionId;
use domain::result::{self, PartKey, PartResult, QuestionResult};
use serde::Deserialize;
use serde_json::value::RawValue;
use store::{Db, Tx, results};

/// What stands; its submission is locked.
pub(super) struct Standing {
    id: SubmissionId,
    /// The result that counts, as it is stored.
    document: String,
    /// The engine's own.
    pub(super) machine: result::Result,
    /// Whether the result that counts is another than the engine's.
    is_revised: bool,
}

/// The questions of a result, each as it is written.
#[derive(Deserialize)]
struct Questions<'d> {
    #[serde(borrow)]
    questions: Vec<&'d RawValue>,
}

impl Standing {
    pub(super) async fn of(db: &mut Db, id: SubmissionId) -> Result<Standing, Error> {
        let stored = results::revised(db, id).await?;
        let (document, machine) =
            stored.ok_or_else(|| Error::Broken(format!("{id} has no result").into()))?;
        let own = parsed(machine.as_deref().unwrap_or(&document))?;
        Ok(Standing { id, document, machine: own, is_revised: machine.is_some() })
    }

    /// An answer as it counts.
    pub(super) fn part(&self, key: &PartKey) -> Result<Option<PartResult>, Error> {
        if !self.is_revised {
            return Ok(self.machine.part(key).map(std::borrow::Cow::into_owned));
        }
        let Questions { questions } = parsed(&self.document)?;
        let Some(question) = questions.get(key.question as usize) else { return Ok(None) };
        Ok(parsed::<QuestionResult>(question.get())?.part(&key.part).map(std::borrow::Cow::into_owned))
    }

    /// What is to be written where another result counts from now on; `None` where it is what stands.
    pub(super) fn next(&self, revised: &result::Result) -> Result<Option<String>, Error> {
        let document = document(revised)?;
        Ok((document != self.document).then_some(document))
    }

    /// Writes what [`Standing::next`] gave for this result. The engine's own stays where it is.
    pub(super) async fn replace(
        &self,
        tx: &mut Tx,
        revised: &result::Result,
        document: &str,
    ) -> Result<(), Error> {
        if *revised == self.machine {
            return Ok(results::revise(tx, self.id, document, None).await?);
        }
        Ok(results::revise_beside(tx, self.id, document).await?)
    }
}

fn parsed<'d, T: Deserialize<'d>>(text: &'d str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::Broken(error.into()))
}

pub(super) fn document(result: &result::Result) -> Result<String, Error> {
    serde_json::to_string(result).map_err(|error| Error::Broken(error.into()))
}
