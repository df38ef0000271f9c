//! Cover sheets for the scripts of a class, with codes that tell them apart in a stack.

use crate::{Caller, Error, Service};
use domain::cover::Cover;
use domain::id::PaperId;
use domain::paper::Paper;
use domain::roster::{Enrolled, Roster};
use report::CoverSheet;
use store::papers;

/// The sheets of a paper for a class.
#[derive(Clone, Debug)]
pub struct Covers {
    /// The paper.
    pub paper: Paper,
    /// Whose script, and what the code on its sheet says, in the order of the roster.
    pub sheets: Vec<(Enrolled, String)>,
}

impl Covers {
    /// The sheets of any paper, for the operator. They say nothing but what the roster and the paper's title say.
    pub fn new(paper: Paper, roster: &Roster) -> Covers {
        let sheet = |enrolled: &Enrolled| {
            let external_id = enrolled.student.external_id.clone();
            (enrolled.clone(), Cover { paper_id: paper.id, external_id }.token())
        };
        let sheets = roster.students().iter().map(sheet).collect();
        Covers { paper, sheets }
    }
}

fn sheet((enrolled, token): &(Enrolled, String)) -> CoverSheet {
    let Enrolled { student, class } = enrolled;
    CoverSheet {
        name: student.name.as_ref().map(ToString::to_string),
        external_id: student.external_id.to_string(),
        class: class.as_ref().map(ToString::to_string),
        token: token.clone(),
    }
}

impl Service {
    /// The cover sheets of one of the caller's papers. Nothing is kept of the roster.
    #[crate::boxed]
    pub async fn covers(&self, caller: &Caller, id: PaperId, roster: &Roster) -> Result<Covers, Error> {
        let paper = papers::by_id(&mut *self.0.store.read().await?, caller.owner(), id).await?;
        Ok(Covers::new(paper.ok_or_else(|| Error::missing("paper", id))?, roster))
    }

    /// The sheets to print, one page for each student. Only as many sets are drawn at once as there are processors.
    #[crate::boxed]
    pub async fn covers_pdf(&self, covers: Covers) -> Result<Vec<u8>, Error> {
        let permit = self.0.easel.turns().acquire().await.map_err(|error| Error::Broken(error.into()))?;
        let drawn = tokio::task::spawn_blocking(move || {
            let sheets: Vec<CoverSheet> = covers.sheets.iter().map(sheet).collect();
            report::covers(covers.paper.title.as_str(), &sheets)
        });
        let drawn = drawn.await.map_err(|error| Error::Broken(error.into()))?;
        drop(permit);
        drawn.map_err(|error| Error::Broken(error.into()))
    }
}
