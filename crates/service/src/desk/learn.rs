//! Learning from a person: when answers to a part were decided about, the marks of the unchecked ones follow.
//!
//! A decision only notes that there is something to learn, in its own transaction, and asks for the work. The work reads
//! all answers to the part, works out every mark from what is decided now, and writes those that differ, each script in a
//! transaction of its own. It can stop anywhere and run twice: nothing is carried over from one run to the next, so the
//! same decisions give the same marks in whatever order they were made. Each write first makes sure, under the locks of
//! the script and of the part's lesson, that nothing was decided since the answers were read; if something was, the part
//! is learned anew.

use super::decide::{decisions, settle};
use super::standing::Standing;
use super::{answers_of, lesson};
use crate::jobs::{Kind, Lane};
use crate::{Error, Service};
use domain::account::Owner;
use domain::id::{PaperId, SubmissionId};
use domain::paper::Paper;
use domain::result::{self, PartKey, Taught};
use domain::submission::State;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;
use lesson::{Course, Pupil};
use std::collections::BTreeSet;
use store::desk::lessons::{self, Learner, Lesson};
use store::{Tx, desk, jobs, papers, questions, submissions, turns};

/// Answers to one part that learning looks at; in a larger class the marks of the rest stay as they are.
const LEARNERS_MAX: i64 = 5000;
/// Scripts that are written side by side, so that they share their commits.
const SIDE_BY_SIDE: usize = 8;

impl Service {
    /// Notes in a decision's transaction that marks are to follow it, before the account's turn is taken.
    pub(crate) async fn want_lessons(
        &self,
        tx: &mut Tx,
        paper: &Paper,
        keys: impl IntoIterator<Item = PartKey>,
        now: Timestamp,
    ) -> Result<(), Error> {
        if !paper.grading.learning {
            return Ok(());
        }
        // Each once, and in one order everywhere, so that two never wait for each other.
        let keys: BTreeSet<PartKey> = keys.into_iter().collect();
        let mut is_new = false;
        for key in &keys {
            is_new |= lessons::want(tx, paper.id, key).await?;
        }
        if is_new { self.ask_to_learn(tx, paper.owner, paper.id, now).await } else { Ok(()) }
    }

    /// The same for a script that comes or goes: it may teach, or follow, in every part.
    pub(crate) async fn want_all_lessons(
        &self,
        tx: &mut Tx,
        (owner, paper): (Owner, PaperId),
        now: Timestamp,
    ) -> Result<(), Error> {
        let is_new = lessons::want_all(tx, paper).await?;
        if is_new { self.ask_to_learn(tx, owner, paper, now).await } else { Ok(()) }
    }

    async fn ask_to_learn(
        &self,
        tx: &mut Tx,
        owner: Owner,
        paper: PaperId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let work = (Kind::Learn.name(), Lane::Desk.name());
        Ok(jobs::enqueue(tx, self.id(now), work, owner.0, &paper.to_string(), now).await?)
    }

    /// Lets the marks of a paper follow what was decided, until there is nothing more to follow.
    pub(crate) async fn learn(&self, id: PaperId) -> Result<(), Error> {
        let paper = papers::any_by_id(&mut *self.0.store.read().await?, id).await?;
        let Some(paper) = paper.filter(|paper| paper.grading.learning) else { return Ok(()) };
        loop {
            let wanted = lessons::next_wanted(&mut *self.0.store.read().await?, id).await?;
            let Some(lesson) = wanted else { return Ok(()) };
            self.learn_part(&paper, &lesson).await?;
        }
    }

    async fn learn_part(&self, paper: &Paper, lesson: &Lesson) -> Result<(), Error> {
        let (course, learners) = self.course(paper, &lesson.key).await?;
        let (pupils, learners) = self.pupils(learners).await?;
        let taught = tokio::task::spawn_blocking(move || {
            let marks = course.marks(&pupils);
            (marks, course.offers(&pupils))
        });
        let (marks, offers) = taught.await.map_err(|error| Error::Broken(error.into()))?;
        let changed = learners
            .iter()
            .zip(marks)
            .filter(|(learner, mark)| learner.is_open && learner.answer.taught != *mark);
        let changed: Vec<(SubmissionId, Option<Taught>)> =
            changed.map(|(learner, mark)| (learner.answer.submission_id, mark)).collect();
        let each = stream::iter(changed)
            .map(|(id, mark)| self.follow(paper, id, lesson.clone(), mark))
            .buffer_unordered(SIDE_BY_SIDE);
        let is_current = each.try_fold(true, async |all, one| Ok(all && one)).await?;
        if !is_current {
            return Ok(());
        }
        let input = (paper.id, lesson.clone(), offers);
        let noted = self.0.store.write(input, |tx, (paper, lesson, offers)| {
            Box::pin(async move { Ok(lessons::learned(tx, *paper, lesson, offers).await?) })
        });
        noted.await
    }

    /// What is asked in a part, and the answers to it.
    async fn course(&self, paper: &Paper, key: &PartKey) -> Result<(Course, Vec<Learner>), Error> {
        let input = (paper.id, key.clone());
        let read = self.0.store.scan(input, |db, (paper, key)| {
            Box::pin(async move {
                let all = questions::of_paper(db, *paper).await?;
                let question = all.into_iter().nth(key.question as usize).map(|stored| stored.question);
                let learners = lessons::learners(db, *paper, key, LEARNERS_MAX).await?;
                let answers = lessons::count_answers(db, *paper, key).await?;
                Ok::<_, Error>((Course::new(key, question.as_ref(), answers), learners))
            })
        });
        read.await
    }

    /// The answers with what they mean, worked out and kept where nobody has looked before.
    async fn pupils(&self, learners: Vec<Learner>) -> Result<(Vec<Pupil>, Vec<Learner>), Error> {
        let marker = self.0.engine.get().await.map_err(Error::Unavailable)?;
        let looked = tokio::task::spawn_blocking(move || {
            let mut found = Vec::new();
            let pupils = learners.iter().map(|learner| {
                let pupil = Pupil::new(learner, |text| marker.direction(text));
                if learner.meaning.is_none() && !learner.has_been_reread() {
                    let answer = &learner.answer;
                    found.push((answer.submission_id, answer.key.clone(), pupil.meaning.clone()));
                }
                pupil
            });
            let pupils: Vec<Pupil> = pupils.collect();
            (pupils, learners, found)
        });
        let (pupils, learners, found) = looked.await.map_err(|error| Error::Broken(error.into()))?;
        for some in found.chunks(SIDE_BY_SIDE * 8) {
            let kept = self.0.store.write(some.to_vec(), |tx, some| {
                Box::pin(async move {
                    for (id, key, meaning) in some {
                        lessons::put_meaning(tx, *id, key, meaning).await?;
                    }
                    Ok::<_, Error>(())
                })
            });
            kept.await?;
        }
        Ok((pupils, learners))
    }

    /// Lets one answer follow. False: something was decided about the part meanwhile, so that the mark may be another.
    async fn follow(
        &self,
        paper: &Paper,
        id: SubmissionId,
        lesson: Lesson,
        mark: Option<Taught>,
    ) -> Result<bool, Error> {
        let level = paper.grading.feedback;
        let input = (self.clone(), (paper.owner, paper.id), id, lesson, mark, self.now());
        let followed =
            self.0.store.write(input, move |tx, (service, (owner, paper), id, lesson, mark, now)| {
                Box::pin(async move {
                    let found = submissions::lock(tx, *owner, *id).await?;
                    if !lessons::is_current(tx, *paper, lesson).await? {
                        return Ok(false);
                    }
                    let Some(submission) = found.filter(|found| found.state == State::Graded) else {
                        return Ok(true);
                    };
                    let standing = Standing::of(tx, *id).await?;
                    let (mut answers, _) = answers_of(tx, *id, &standing.machine).await?;
                    let Some(place) = answers.iter().position(|answer| answer.key == lesson.key) else {
                        return Ok(true);
                    };
                    answers[place].taught.clone_from(mark);
                    let revised = result::revise(&standing.machine, &decisions(&answers), level);
                    settle(&mut answers, &revised);
                    desk::put_answer(tx, *paper, &answers[place], None).await?;
                    if let Some(document) = standing.next(&revised)? {
                        turns::take(tx, *owner, *now).await?;
                        standing.replace(tx, &revised, &document).await?;
                        service.write_marks(tx, &submission, &revised, &answers).await?;
                    }
                    Ok::<_, Error>(true)
                })
            });
        followed.await
    }
}
