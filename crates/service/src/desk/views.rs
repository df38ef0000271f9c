//! What a reviewer sees on the desk: the class, the answers to one part, one script with its pages. Everything is
//! held against the paper that the reviewer's link opens.

use super::decide::{DeskError, loaded};
use super::groups::tidy;
use super::{Answer, Said, Step};
use crate::reviews::ReviewError;
use crate::{Error, Service};
use domain::adjustment::Adjustment;
use domain::id::SubmissionId;
use domain::paper::Paper;
use domain::question::Question;
use domain::result::{self, PartKey, PartResult};
use domain::review::{Closed, ReviewLink};
use domain::statistics::ClassStatistics;
use domain::submission::Submission;
use sha2::{Digest as _, Sha256};
use store::desk::{self, ClassQuery, ClassRow, Totals};
use store::{questions, submissions};

/// Answers to one part that the desk looks through.
const ANSWERS_MAX: i64 = 20_000;
/// Answers of one group that one decision can be about.
pub const GROUP_MAX: usize = 500;

/// The desk when it is opened.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The paper.
    pub paper: Paper,
    /// Its questions in their order.
    pub questions: Vec<Question>,
    /// The class in numbers.
    pub totals: Totals,
}

/// A piece of the class.
#[derive(Clone, Debug)]
pub struct ClassPage {
    /// The scripts.
    pub rows: Vec<(ClassRow, Vec<Answer>)>,
    /// How many there are in all pieces.
    pub size: i64,
}

/// One answer with all that is known about it.
#[derive(Clone, Debug)]
pub struct ShownAnswer {
    /// As the desk keeps it.
    pub answer: Answer,
    /// Points, evidence and places, as they count now.
    pub part: PartResult,
}

/// Some of the answers to one part.
#[derive(Clone, Debug)]
pub struct PartPage {
    /// The answers, those that nobody checked first.
    pub answers: Vec<ShownAnswer>,
    /// How many there are in all pieces.
    pub size: usize,
    /// How many of all answers to the part are checked.
    pub checked: usize,
    /// How many answers to the part there are.
    pub all: usize,
    /// Answers that are the same after tidying, where there are several: how each group reads, and who is in it.
    pub groups: Vec<(String, Vec<Answer>)>,
}

/// Which answers to a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// All.
    #[default]
    All,
    /// Those that nobody has checked.
    Unchecked,
    /// Those that are flagged.
    Flagged,
}

domain::names! {
    Wanted { All = "all", Unchecked = "unchecked", Flagged = "flagged" }
}

/// One script.
#[derive(Clone, Debug)]
pub struct ShownScript {
    /// The submission.
    pub submission: Submission,
    /// Its result, as it counts now.
    pub result: result::Result,
    /// Its answers; none once it is released.
    pub answers: Vec<Answer>,
}

/// A decision about the same part of several scripts.
#[derive(Clone, Debug)]
pub struct GroupStep {
    /// The scripts.
    pub scripts: Vec<(SubmissionId, super::Seen)>,
    /// Which answer of each.
    pub key: PartKey,
    /// What was decided.
    pub said: Said,
    /// What the students are told.
    pub remark: Option<String>,
}

impl Service {
    /// The paper that a link opens, which must be ready: before, there is nothing to mark.
    async fn desk_paper(&self, link: &ReviewLink) -> Result<Paper, ReviewError> {
        let paper = self.reviewed_paper(link).await?;
        paper.must_be_ready()?;
        Ok(paper)
    }

    /// The desk when it is opened.
    pub async fn desk_opening(&self, link: &ReviewLink) -> Result<Opening, ReviewError> {
        let paper = self.desk_paper(link).await?;
        self.lay_out_all(link.owner, link.paper_id).await?;
        let mut db = self.0.store.read().await?;
        let questions = questions::of_paper(&mut db, paper.id).await?;
        let totals = desk::totals(&mut db, paper.id).await?;
        Ok(Opening {
            paper,
            questions: questions.into_iter().map(|stored| stored.question).collect(),
            totals,
        })
    }

    /// A piece of the class.
    pub async fn desk_class(&self, link: &ReviewLink, query: ClassQuery) -> Result<ClassPage, ReviewError> {
        self.desk_paper(link).await?;
        let read = self.0.store.scan((link.paper_id, query), |db, (paper, query)| {
            Box::pin(async move {
                let mut rows = Vec::new();
                for row in desk::class(db, *paper, query).await? {
                    let answers = desk::answers(db, row.submission_id).await?;
                    rows.push((row, answers));
                }
                Ok::<_, ReviewError>(ClassPage { rows, size: desk::class_size(db, *paper, query).await? })
            })
        });
        read.await
    }

    /// Some of the answers to one part.
    pub async fn desk_part(
        &self,
        link: &ReviewLink,
        key: PartKey,
        wanted: Wanted,
        offset: usize,
        rows: usize,
    ) -> Result<PartPage, ReviewError> {
        self.desk_paper(link).await?;
        let read = self.0.store.scan((link.paper_id, key), move |db, (paper, key)| {
            Box::pin(async move {
                let mut all = desk::of_part(db, *paper, key, ANSWERS_MAX).await?;
                all.sort_by_cached_key(|answer| (answer.decision.is_some(), shuffled(answer)));
                let groups = groups(&all);
                let is_wanted = |answer: &&Answer| match wanted {
                    Wanted::All => true,
                    Wanted::Unchecked => answer.decision.is_none(),
                    Wanted::Flagged => answer.decision.is_none() && !answer.flags.is_empty(),
                };
                let chosen: Vec<&Answer> = all.iter().filter(is_wanted).collect();
                let mut answers = Vec::new();
                for answer in chosen.iter().skip(offset).take(rows) {
                    let (result, _) = loaded(db, answer.submission_id).await?;
                    let part = result.part(key).unwrap_or_default();
                    answers.push(ShownAnswer { answer: (*answer).clone(), part });
                }
                let checked = all.iter().filter(|answer| answer.decision.is_some()).count();
                Ok::<_, ReviewError>(PartPage {
                    answers,
                    size: chosen.len(),
                    checked,
                    all: all.len(),
                    groups,
                })
            })
        });
        read.await
    }

    /// One script of the paper.
    pub async fn desk_script(&self, link: &ReviewLink, id: SubmissionId) -> Result<ShownScript, ReviewError> {
        let submission = self.desk_submission(link, id).await?;
        submission.must_have_result()?;
        let mut db = self.0.store.read().await?;
        let (result, _) = loaded(&mut db, id).await?;
        let answers = desk::answers(&mut db, id).await?;
        Ok(ShownScript { submission, result, answers })
    }

    /// A submission of the paper that a link opens; another paper's is not there.
    pub(crate) async fn desk_submission(
        &self,
        link: &ReviewLink,
        id: SubmissionId,
    ) -> Result<Submission, ReviewError> {
        self.desk_paper(link).await?;
        let found = submissions::by_id(&mut *self.0.store.read().await?, link.owner, id).await?;
        let found = found.filter(|submission| submission.paper_id == link.paper_id);
        Ok(found.ok_or_else(|| Error::missing("submission", id))?)
    }

    /// Makes decisions about answers of one script, all or none.
    pub async fn desk_decide(
        &self,
        link: &ReviewLink,
        id: SubmissionId,
        mut steps: Vec<Step>,
    ) -> Result<Vec<Adjustment>, DeskError> {
        let submission = self.desk_submission(link, id).await.map_err(of_review)?;
        submission.must_be_adjustable().map_err(Error::from)?;
        for step in &mut steps {
            if let Said::Wrote(text) = &step.said {
                step.reread = Some(Box::new(self.judged_again(&submission, &step.key, text).await?));
            }
        }
        let input = (self.clone(), link.clone(), id, steps, self.now());
        let decided = self.0.store.write(input, |tx, (service, link, id, steps, now)| {
            Box::pin(async move {
                let reviewer = Some(link.reviewer.as_str());
                service.decide_in(tx, link.owner, *id, steps, reviewer, *now).await
            })
        });
        decided.await
    }

    /// Makes one decision about the same part of several scripts, all or none: where one of them was changed
    /// meanwhile, nothing is written.
    pub async fn desk_decide_group(&self, link: &ReviewLink, group: GroupStep) -> Result<usize, DeskError> {
        for (id, _) in &group.scripts {
            self.desk_submission(link, *id).await.map_err(of_review)?;
        }
        let input = (self.clone(), link.clone(), group, self.now());
        let decided = self.0.store.write(input, |tx, (service, link, group, now)| {
            Box::pin(async move {
                // In one order everywhere, so that two groups never wait for each other.
                let mut scripts = group.scripts.clone();
                scripts.sort_by_key(|(id, _)| *id);
                scripts.dedup_by_key(|(id, _)| *id);
                for (id, seen) in &scripts {
                    let (key, said, remark) = (group.key.clone(), group.said.clone(), group.remark.clone());
                    let step = Step { key, said, remark, seen: *seen, reread: None };
                    let reviewer = Some(link.reviewer.as_str());
                    service
                        .decide_in(tx, link.owner, *id, std::slice::from_ref(&step), reviewer, *now)
                        .await?;
                }
                Ok::<_, DeskError>(scripts.len())
            })
        });
        decided.await
    }

    /// Releases one script.
    pub async fn desk_release_one(
        &self,
        link: &ReviewLink,
        id: SubmissionId,
    ) -> Result<Submission, ReviewError> {
        self.desk_submission(link, id).await?;
        let input = (self.clone(), link.owner, id, self.now());
        let released = self.0.store.write(input, |tx, (service, owner, id, now)| {
            Box::pin(async move { service.release_in(tx, *owner, *id, *now).await })
        });
        Ok(released.await?)
    }

    /// Releases many; gives how many.
    pub async fn desk_release(
        &self,
        link: &ReviewLink,
        which: domain::adjustment::Which,
    ) -> Result<u64, ReviewError> {
        self.desk_paper(link).await?;
        Ok(self.release_all(link.owner, link.paper_id, which).await?)
    }

    /// The class in figures.
    pub async fn desk_statistics(&self, link: &ReviewLink) -> Result<ClassStatistics, ReviewError> {
        let paper = self.desk_paper(link).await?;
        Ok(self.class_statistics(&paper).await?)
    }

    /// All scripts of the paper with their marks.
    pub async fn desk_marks(&self, link: &ReviewLink) -> Result<Vec<super::MarkedScript>, ReviewError> {
        self.desk_paper(link).await?;
        Ok(self.marks_of(link.owner, link.paper_id).await?)
    }
}

fn of_review(error: ReviewError) -> DeskError {
    match error {
        ReviewError::Other(error) => DeskError::Other(error),
        ReviewError::Closed(Closed::Unknown | Closed::Expired | Closed::Revoked | Closed::Suspended)
        | ReviewError::Wrong(_)
        | ReviewError::Changed(_) => DeskError::Other(Error::missing("paper", "")),
    }
}

/// A place that has nothing to do with when a script came: chosen answers teach less than random ones.
fn shuffled(answer: &Answer) -> [u8; 32] {
    let place = format!("{} {} {}", answer.submission_id, answer.key.question, answer.key.part);
    Sha256::digest(place).into()
}

/// Answers that are the same after tidying and not checked, where there are several; the largest group first.
fn groups(answers: &[Answer]) -> Vec<(String, Vec<Answer>)> {
    let mut by_text: std::collections::BTreeMap<String, Vec<Answer>> = std::collections::BTreeMap::new();
    for answer in answers.iter().filter(|answer| answer.decision.is_none()) {
        by_text.entry(tidy(&answer.answer)).or_default().push(answer.clone());
    }
    let mut groups: Vec<(String, Vec<Answer>)> =
        by_text.into_iter().filter(|(_, all)| all.len() > 1).collect();
    groups.sort_by(|one, other| other.1.len().cmp(&one.1.len()).then_with(|| one.0.cmp(&other.0)));
    groups.iter_mut().for_each(|(_, all)| all.truncate(GROUP_MAX));
    groups
}
