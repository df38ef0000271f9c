//! Changing the scheme after it was approved: a change of one question's key is tried on every script that can still
//! change, shown, and applied or discarded.
//!
//! Both the trying and the applying are done in the background, script by script, from what was read of each when it was
//! first marked. They can stop anywhere and run twice: a trial notes each script it has tried, and applying goes on with
//! whatever is marked by an older version than the paper has. The paper is locked while a change is put down, applied or
//! discarded, so that two teachers come one after the other; what was tried for a change that is gone is not noted.

use crate::jobs::{Kind, Lane};
use crate::reviews::ReviewError;
use crate::{Error, Service};
use domain::id::ChangeId;
use domain::paper::Paper;
use domain::question::{Question, Wrong};
use domain::review::{Closed, ReviewLink};
use domain::submission::Submission;
use jiff::Timestamp;
use marker::Leaf;
use store::desk::amendments::{self, AmendedScript, Amendment, SchemeVersion};
use store::{Locked, Tx, jobs, papers, questions, turns};

/// Scripts that a preview lists at most.
const LISTED_MAX: i64 = 5000;

/// The scheme as the desk shows it.
#[derive(Clone, Debug)]
pub struct SchemeView {
    /// The version that scripts are marked by.
    pub version: i64,
    /// The versions that were, oldest first; none where it was never amended.
    pub versions: Vec<SchemeVersion>,
    /// The questions with their keys.
    pub questions: Vec<Question>,
    /// The change that is looked at.
    pub amendment: Option<Preview>,
    /// How many scripts are still to follow the version.
    pub outdated: usize,
}

/// What a change would do.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The change.
    pub amendment: Amendment,
    /// The scripts that were marked again so far.
    pub tried: Vec<AmendedScript>,
    /// How many scripts can still change.
    pub scripts: u32,
    /// How many are released: they stay as they are.
    pub untouched: u32,
}

impl Service {
    /// The scheme, its versions and the change that is looked at.
    pub async fn desk_scheme(&self, link: &ReviewLink) -> Result<SchemeView, ReviewError> {
        let paper = self.desk_paper(link).await?;
        let read = self.0.store.scan(paper, |db, paper| {
            Box::pin(async move {
                let questions = questions::of_paper(db, paper.id).await?;
                let amendment = amendments::of_paper(db, paper.id).await?;
                let preview = match amendment {
                    Some(amendment) => {
                        let tried = amendments::previewed(db, &amendment.id, LISTED_MAX).await?;
                        let (scripts, untouched) = (paper.counts.graded, paper.counts.released);
                        Some(Preview { amendment, tried, scripts, untouched })
                    }
                    None => None,
                };
                let outdated = amendments::outdated(db, paper.id, paper.scheme_version, LISTED_MAX).await?;
                Ok::<_, ReviewError>(SchemeView {
                    version: paper.scheme_version,
                    versions: amendments::versions(db, paper.id).await?,
                    questions: questions.into_iter().map(|stored| stored.question).collect(),
                    amendment: preview,
                    outdated: outdated.len(),
                })
            })
        });
        read.await
    }

    /// Puts a change of one question's key down, to be tried on all scripts, in place of one that was looked at.
    pub async fn desk_amend(
        &self,
        link: &ReviewLink,
        place: u32,
        question: Question,
    ) -> Result<(), ReviewError> {
        question.check().map_err(ReviewError::Wrong)?;
        self.lay_out_all(link.owner, link.paper_id).await?;
        let input = (self.clone(), link.clone(), place, question, self.now());
        let put = self.0.store.write(input, |tx, (service, link, place, question, now)| {
            Box::pin(async move {
                let paper = locked_ready(tx, link).await?;
                let all = questions::of_paper(tx, paper.id).await?;
                let current = all.into_iter().nth(*place as usize).map(|stored| stored.question);
                let current = current.ok_or_else(|| wrong("question", "is not in the paper"))?;
                let amended = amended(&current, question)?;
                let amendment = Amendment {
                    id: service.id::<ChangeId>(*now).to_string(),
                    place: *place,
                    question: amended,
                    base: paper.scheme_version,
                    reviewer: Some(link.reviewer.as_str().to_owned()),
                    is_previewed: false,
                    created_at: *now,
                };
                amendments::put(tx, paper.id, &amendment).await?;
                service.ask_to_amend(tx, &paper, *now).await?;
                Ok::<_, ReviewError>(())
            })
        });
        put.await
    }

    /// Forgets the change that was looked at.
    pub async fn desk_discard_amendment(&self, link: &ReviewLink) -> Result<(), ReviewError> {
        let discarded = self.0.store.write(link.clone(), |tx, link| {
            Box::pin(async move {
                let paper = locked_ready(tx, link).await?;
                Ok::<_, ReviewError>(amendments::discard(tx, paper.id).await?)
            })
        });
        discarded.await
    }

    /// Makes the change that was looked at count: from now on scripts are marked by it, and those that are marked and not
    /// released follow in the background.
    pub async fn desk_apply_amendment(&self, link: &ReviewLink, id: String) -> Result<(), ReviewError> {
        let input = (self.clone(), link.clone(), id, self.now());
        let applied = self.0.store.write(input, |tx, (service, link, id, now)| {
            Box::pin(async move {
                let paper = locked_ready(tx, link).await?;
                let amendment = amendments::lock(tx, paper.id).await?;
                let amendment = amendment.filter(|found| found.id == *id && found.is_previewed);
                let gone = || wrong("amendment", "is not the one that was tried, or is still being tried");
                let amendment = amendment.ok_or_else(gone)?;
                service.apply(tx, &paper, &amendment, *now).await
            })
        });
        applied.await
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        paper: &Locked<Paper>,
        amendment: &Amendment,
        now: Timestamp,
    ) -> Result<(), ReviewError> {
        let mut all = questions::of_paper(tx, paper.id).await?;
        let before: Vec<Question> = all.iter().map(|stored| stored.question.clone()).collect();
        let place = amendment.place as usize;
        let stored = all.get_mut(place).ok_or_else(|| wrong("question", "is not in the paper"))?;
        stored.question = amendment.question.clone();
        stored.version += 1;
        questions::save(tx, paper.id, stored).await?;
        let approved_at = paper.approved_at().unwrap_or(paper.created_at);
        let first = SchemeVersion { version: paper.scheme_version, reviewer: None, created_at: approved_at };
        amendments::keep(tx, paper.id, &first, &before).await?;
        let version = paper.scheme_version + 1;
        let next = SchemeVersion { version, reviewer: amendment.reviewer.clone(), created_at: now };
        let after: Vec<Question> = all.into_iter().map(|stored| stored.question).collect();
        amendments::keep(tx, paper.id, &next, &after).await?;
        amendments::discard(tx, paper.id).await?;
        self.ask_to_amend(tx, paper, now).await?;
        turns::take(tx, paper.owner, now).await?;
        let changed = Paper { scheme_version: version, updated_at: tx.time()?, ..Paper::clone(paper) };
        Ok(papers::save(tx, paper, &changed).await?)
    }

    pub(crate) async fn ask_to_amend(&self, tx: &mut Tx, paper: &Paper, now: Timestamp) -> Result<(), Error> {
        let work = (Kind::Amend.name(), Lane::Desk.name());
        Ok(jobs::enqueue(tx, self.id(now), work, paper.owner.0, &paper.id.to_string(), now).await?)
    }

    /// Asks for the work where a script that is being written is marked by an older version than the paper has.
    pub(crate) async fn ask_to_amend_if_behind(
        &self,
        tx: &mut Tx,
        submission: &Submission,
        version: u32,
        now: Timestamp,
    ) -> Result<(), Error> {
        let paper = papers::any_by_id(tx, submission.paper_id).await?;
        let behind = paper.filter(|paper| paper.scheme_version > i64::from(version));
        match behind {
            Some(paper) => self.ask_to_amend(tx, &paper, now).await,
            None => Ok(()),
        }
    }
}

/// The paper, locked, so that changes of its scheme come one after the other.
async fn locked_ready(tx: &mut Tx, link: &ReviewLink) -> Result<Locked<Paper>, ReviewError> {
    let paper = papers::lock(tx, link.owner, link.paper_id).await?;
    let paper = paper.ok_or(ReviewError::Closed(Closed::Unknown))?;
    paper.must_be_ready().map_err(Error::from)?;
    Ok(paper)
}

fn wrong(path: &str, problem: &str) -> ReviewError {
    ReviewError::Wrong(Wrong { path: path.to_owned(), problem: problem.to_owned() })
}

/// The question with the keys of another, which may differ in nothing else: what was asked was asked, and what a part is
/// worth was promised.
fn amended(current: &Question, wanted: &Question) -> Result<Question, ReviewError> {
    let mut amended = current.clone();
    amended.answer_key.clone_from(&wanted.answer_key);
    if wanted.parts.len() != current.parts.len() {
        return Err(wrong("parts", "must be those of the paper"));
    }
    for (part, other) in amended.parts.iter_mut().zip(&wanted.parts) {
        part.answer_key.clone_from(&other.answer_key);
    }
    let worth = |question: &Question| -> Vec<_> { Leaf::all(question).iter().map(Leaf::available).collect() };
    if worth(&amended) != worth(current) {
        return Err(wrong("answer_key", "must leave every part worth what the paper says"));
    }
    if amended.is_empty() || amended.lacks_key() && !current.lacks_key() {
        return Err(wrong("answer_key", "must have something that earns marks"));
    }
    if amended == *current {
        return Err(wrong("answer_key", "is what the scheme says already"));
    }
    Ok(amended)
}
