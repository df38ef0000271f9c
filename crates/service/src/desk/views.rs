//! What a reviewer sees on the desk: the class, the answers to one part, one script with its pages. Everything is
//! held against the paper that the reviewer's link opens.

use super::decide::{DeskError, loaded};
use super::groups::{Group, groups};
use super::{Answer, Decided, Said, Step};
use crate::reviews::ReviewError;
use crate::{Error, Service};
use domain::id::SubmissionId;
use domain::learning;
use domain::marks::Marks;
use domain::paper::Paper;
use domain::question::Question;
use domain::result::{self, PartKey, PartResult};
use domain::review::{Closed, ReviewLink};
use domain::statistics::ClassStatistics;
use domain::submission::Submission;
use std::borrow::Cow;
use store::desk::lessons::{self, Learner};
use store::desk::{self, ClassQuery, ClassRow, Totals};
use store::{Db, questions, submissions};

/// Answers to one part that the desk looks through.
const ANSWERS_MAX: i64 = 20_000;

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
    /// What a decision about it is good for.
    pub role: Role,
}

/// What a decision about an answer is good for, beside its own mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Others follow it, where the paper learns.
    Teaches,
    /// It says how well machine and person agree.
    Measures,
}

domain::names! {
    Role { Teaches = "teaches", Measures = "measures" }
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
    /// Answers that say or mean the same, where there are several and they were asked for; then no answer stands alone.
    pub groups: Vec<Group>,
    /// The most that an answer to the part can earn, and the steps in which it does; zero where there is none.
    pub scale: (Marks, Marks),
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

impl Service {
    /// The paper that a link opens, which must be ready: before, there is nothing to mark.
    pub(crate) async fn desk_paper(&self, link: &ReviewLink) -> Result<Paper, ReviewError> {
        let paper = self.reviewed_paper(link).await?;
        paper.must_be_ready()?;
        Ok(paper)
    }

    /// The desk when it is opened.
    #[crate::boxed]
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
    #[crate::boxed]
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
    #[crate::boxed]
    pub async fn desk_part(
        &self,
        link: &ReviewLink,
        key: PartKey,
        wanted: Wanted,
        is_grouped: bool,
        (offset, rows): (usize, usize),
    ) -> Result<PartPage, ReviewError> {
        self.desk_paper(link).await?;
        let read = self.0.store.scan((link.paper_id, key), move |db, (paper, key)| {
            Box::pin(async move {
                let learners = lessons::learners(db, *paper, key, ANSWERS_MAX).await?;
                let groups = if is_grouped { groups(&learners) } else { Vec::new() };
                let offers = lessons::offers(db, *paper, key).await?;
                let count = lessons::count_answers(db, *paper, key).await?;
                let all = offered(learners, &offers, key, count);
                let is_wanted = |(answer, _): &&(Answer, Role)| match wanted {
                    Wanted::All => true,
                    Wanted::Unchecked => answer.decision.is_none(),
                    Wanted::Flagged => {
                        answer.decision.is_none() && answer.flags.iter().any(|flag| flag.wants_person())
                    }
                };
                let chosen: Vec<&(Answer, Role)> = all.iter().filter(is_wanted).collect();
                let mut answers = Vec::new();
                let rows = if is_grouped { 0 } else { rows };
                for (answer, role) in chosen.iter().skip(offset).take(rows) {
                    let part = part_of(db, answer).await?;
                    answers.push(ShownAnswer { answer: answer.clone(), part, role: *role });
                }
                let scale = match all.first() {
                    Some((answer, _)) => {
                        part_of(db, answer).await.map(|part| (part.available, part.step()))?
                    }
                    None => (Marks::ZERO, Marks::ZERO),
                };
                let checked = all.iter().filter(|(answer, _)| answer.decision.is_some()).count();
                Ok::<_, ReviewError>(PartPage {
                    answers,
                    size: chosen.len(),
                    checked,
                    all: all.len(),
                    groups,
                    scale,
                })
            })
        });
        read.await
    }

    /// One script of the paper.
    #[crate::boxed]
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
    #[crate::boxed]
    pub async fn desk_decide(
        &self,
        link: &ReviewLink,
        id: SubmissionId,
        mut steps: Vec<Step>,
    ) -> Result<Decided, DeskError> {
        if steps.iter().any(|step| matches!(step.said, Said::Wrote(_))) {
            let submission = self.desk_submission(link, id).await.map_err(of_review)?;
            submission.must_be_adjustable().map_err(Error::from)?;
            for step in &mut steps {
                if let Said::Wrote(text) = &step.said {
                    step.reread = Some(Box::new(self.judged_again(&submission, &step.key, text).await?));
                }
            }
        }
        let input = (self.clone(), link.clone(), id, steps, self.now());
        let decided = self.0.store.write(input, |tx, (service, link, id, steps, now)| {
            Box::pin(async move {
                let reviewer = Some(link.reviewer.as_str());
                let place = (link.owner, link.paper_id);
                service.decide_in(tx, place, *id, steps, reviewer, *now).await
            })
        });
        decided.await
    }

    /// Releases one script.
    #[crate::boxed]
    pub async fn desk_release_one(
        &self,
        link: &ReviewLink,
        id: SubmissionId,
    ) -> Result<Submission, ReviewError> {
        self.desk_submission(link, id).await?;
        let input = (self.clone(), link.clone(), id, self.now());
        let released = self.0.store.write(input, |tx, (service, link, id, now)| {
            let reviewer = Some(link.reviewer.as_str());
            Box::pin(async move { service.release_in(tx, link.owner, *id, reviewer, *now).await })
        });
        Ok(released.await?)
    }

    /// Releases many; gives how many.
    #[crate::boxed]
    pub async fn desk_release(
        &self,
        link: &ReviewLink,
        which: domain::adjustment::Which,
    ) -> Result<u64, ReviewError> {
        self.desk_paper(link).await?;
        let reviewer = Some(link.reviewer.as_str());
        Ok(self.release_all(link.owner, link.paper_id, which, reviewer).await?)
    }

    /// The class in figures.
    #[crate::boxed]
    pub async fn desk_statistics(&self, link: &ReviewLink) -> Result<ClassStatistics, ReviewError> {
        let paper = self.desk_paper(link).await?;
        Ok(self.class_statistics(&paper).await?)
    }

    /// All scripts of the paper with their marks.
    #[crate::boxed]
    pub async fn desk_marks(&self, link: &ReviewLink) -> Result<Vec<super::MarkedScript>, ReviewError> {
        self.desk_paper(link).await?;
        Ok(self.marks_of(link.owner, link.paper_id).await?)
    }
}

/// Points, evidence and places of an answer, as they count now.
async fn part_of(db: &mut Db, answer: &Answer) -> Result<PartResult, Error> {
    let (result, _) = loaded(db, answer.submission_id).await?;
    Ok(result.part(&answer.key).map(Cow::into_owned).unwrap_or_default())
}

pub(super) fn of_review(error: ReviewError) -> DeskError {
    match error {
        ReviewError::Other(error) => DeskError::Other(error),
        ReviewError::Closed(Closed::Unknown | Closed::Expired | Closed::Revoked | Closed::Suspended)
        | ReviewError::Wrong(_)
        | ReviewError::Changed(_) => DeskError::Other(Error::missing("paper", "")),
    }
}

/// The answers to a part in the order in which they are offered: those that nobody checked first, and of these the ones
/// that would teach most, with every so often one that measures; the rest in an order that nobody chose, because chosen
/// answers teach less than random ones.
fn offered(
    learners: Vec<Learner>,
    offers: &[SubmissionId],
    key: &PartKey,
    answers: usize,
) -> Vec<(Answer, Role)> {
    /// After so many answers that teach comes one that measures.
    const TEACHING_RUN: usize = 4;
    let open = learners.into_iter().filter(|learner| learner.is_open).map(|learner| learner.answer);
    let mut all: Vec<(Answer, Role)> = open
        .map(|answer| {
            let is_measured = learning::is_measured(answer.submission_id, key, answers);
            let role = if is_measured { Role::Measures } else { Role::Teaches };
            (answer, role)
        })
        .collect();
    let place = |id: SubmissionId| offers.iter().position(|offer| *offer == id).unwrap_or(usize::MAX);
    all.sort_by_cached_key(|(answer, _)| {
        (answer.decision.is_some(), place(answer.submission_id), learning::draw(answer.submission_id, key))
    });
    let unchecked = all.iter().position(|(answer, _)| answer.decision.is_some()).unwrap_or(all.len());
    let checked = all.split_off(unchecked);
    let (measuring, teaching): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(_, role)| *role == Role::Measures);
    let (mut measuring, mut teaching) = (measuring.into_iter(), teaching.into_iter());
    let mut ordered = Vec::new();
    loop {
        let before = ordered.len();
        ordered.extend(teaching.by_ref().take(TEACHING_RUN));
        ordered.extend(measuring.next());
        if ordered.len() == before {
            break;
        }
    }
    ordered.extend(checked);
    ordered
}
