//! The scheme of a ready paper as it is shown: its versions, and what the change that is looked at would do.

use crate::reviews::ReviewError;
use crate::{Caller, Error, Service};
use domain::id::{Identifier as _, PaperId, SubmissionId};
use domain::mode::Mode;
use domain::paging::{Page, Seal, Slice};
use domain::paper::Paper;
use domain::question::Question;
use domain::review::ReviewLink;
use store::desk::amendments::{self, AmendedScript, Amendment, Outcome, SchemeVersion};
use store::{Db, papers, questions};

/// Scripts that the desk lists at most.
const LISTED_MAX: i64 = 5000;

/// By what a paper's scripts are marked.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// The paper.
    pub paper_id: PaperId,
    /// Its mode.
    pub mode: Mode,
    /// The version that scripts are marked by; 1 is what was approved.
    pub version: i64,
    /// The versions that were, oldest first; none where it was never amended.
    pub versions: Vec<SchemeVersion>,
    /// How many scripts are still to follow the version.
    pub outdated: i64,
}

/// What a change would do, in numbers.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The paper.
    pub paper_id: PaperId,
    /// Its mode.
    pub mode: Mode,
    /// The change.
    pub amendment: Amendment,
    /// How many scripts can still change.
    pub scripts: u32,
    /// How many of those were marked again so far.
    pub tried: i64,
    /// How many of those would change.
    pub changed: i64,
    /// How many of those could not be marked again: their marks stay.
    pub unmarked: i64,
    /// How many are released: they stay as they are.
    pub untouched: u32,
}

/// The scheme as the desk shows it.
#[derive(Clone, Debug)]
pub struct SchemeView {
    /// Its versions.
    pub scheme: Scheme,
    /// The questions with their keys.
    pub questions: Vec<Question>,
    /// The change that is looked at.
    pub amendment: Option<ShownPreview>,
}

/// What a change would do, script by script.
#[derive(Clone, Debug)]
pub struct ShownPreview {
    /// In numbers.
    pub preview: Preview,
    /// Who would change.
    pub changed: Vec<AmendedScript>,
    /// Who is released and stays.
    pub untouched: Vec<AmendedScript>,
}

impl Scheme {
    pub(super) async fn of(db: &mut Db, paper: &Paper) -> Result<Scheme, Error> {
        Ok(Scheme {
            paper_id: paper.id,
            mode: paper.owner.1,
            version: paper.scheme_version,
            versions: amendments::versions(db, paper.id).await?,
            outdated: amendments::count_outdated(db, paper.id, paper.scheme_version).await?,
        })
    }
}

impl Preview {
    /// Before anything was tried.
    pub(super) fn begun(paper: &Paper, amendment: Amendment) -> Preview {
        Preview {
            paper_id: paper.id,
            mode: paper.owner.1,
            amendment,
            scripts: paper.counts.graded,
            tried: 0,
            changed: 0,
            unmarked: 0,
            untouched: paper.counts.released,
        }
    }

    async fn of(db: &mut Db, paper: &Paper) -> Result<Option<Preview>, Error> {
        let Some(amendment) = amendments::of_paper(db, paper.id).await? else { return Ok(None) };
        let (tried, changed, unmarked) = amendments::progress(db, &amendment.id).await?;
        Ok(Some(Preview { tried, changed, unmarked, ..Preview::begun(paper, amendment) }))
    }
}

impl Service {
    /// The scheme, its versions and the change that is looked at, for the desk.
    #[crate::boxed]
    pub async fn desk_scheme(&self, link: &ReviewLink) -> Result<SchemeView, ReviewError> {
        let paper = self.desk_paper(link).await?;
        let read = self.0.store.scan(paper, |db, paper| {
            Box::pin(async move {
                let questions = questions::of_paper(db, paper.id).await?;
                let amendment = match Preview::of(db, paper).await? {
                    Some(preview) => Some(shown(db, preview).await?),
                    None => None,
                };
                Ok::<_, ReviewError>(SchemeView {
                    scheme: Scheme::of(db, paper).await?,
                    questions: questions.into_iter().map(|stored| stored.question).collect(),
                    amendment,
                })
            })
        });
        read.await
    }

    /// The versions of a paper's scheme.
    #[crate::boxed]
    pub async fn paper_scheme(&self, caller: &Caller, id: PaperId) -> Result<Scheme, Error> {
        let mut db = self.0.store.read().await?;
        let paper = own_ready(&mut db, caller, id).await?;
        Scheme::of(&mut db, &paper).await
    }

    /// The change of a paper's scheme that is looked at.
    #[crate::boxed]
    pub async fn amendment(&self, caller: &Caller, id: PaperId) -> Result<Preview, Error> {
        let mut db = self.0.store.read().await?;
        let paper = own_ready(&mut db, caller, id).await?;
        Preview::of(&mut db, &paper).await?.ok_or_else(|| none_there(id))
    }

    /// A page of a paper's scripts by what the change that is looked at does to them.
    #[crate::boxed]
    pub async fn amended_scripts(
        &self,
        caller: &Caller,
        id: PaperId,
        outcome: Option<Outcome>,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<AmendedScript>, Error> {
        let found = self.amendment(caller, id).await?.amendment;
        let after = slice.after.map(|position| SubmissionId::from_number(position.id));
        let input = (id, found.id, outcome, after, slice.limit.rows());
        let page = self.0.store.page(input, |db, (paper, id, outcome, after, rows)| {
            Box::pin(amendments::scripts(db, (*paper, id), *outcome, *after, *rows))
        });
        Ok(Page::new(page.await?, slice.limit, seal, AmendedScript::position))
    }
}

/// The caller's paper, which must be ready: before, the scheme is edited and not amended.
async fn own_ready(db: &mut Db, caller: &Caller, id: PaperId) -> Result<Paper, Error> {
    let paper = papers::by_id(db, caller.owner(), id).await?;
    let paper = paper.ok_or_else(|| Error::missing("paper", id))?;
    paper.must_be_ready()?;
    Ok(paper)
}

/// No change is looked at.
pub(super) fn none_there(paper: PaperId) -> Error {
    Error::missing("amendment of the paper", paper)
}

async fn shown(db: &mut Db, preview: Preview) -> Result<ShownPreview, Error> {
    let own = (preview.paper_id, preview.amendment.id.as_str());
    let changed = amendments::scripts(db, own, Some(Outcome::Changed), None, LISTED_MAX).await?;
    let untouched = amendments::scripts(db, own, Some(Outcome::Untouched), None, LISTED_MAX).await?;
    Ok(ShownPreview { preview, changed, untouched })
}
