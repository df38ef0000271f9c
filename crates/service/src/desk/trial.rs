//! The background work of an amended scheme: a change is tried on every script that can still change, and scripts follow
//! the version that counts; see [`super::amend`].

use super::decide::{decisions, loaded, settle};
use super::{Answer, answers_of, names};
use crate::blobs::{BlobError, answers_key};
use crate::jobs::{JobError, TRIES_MAX, marked_again_by};
use crate::marking::{self, Beside, Understood};
use crate::reports::stored_marking;
use crate::{Error, Service};
use domain::id::{PaperId, SubmissionId};
use domain::paper::Paper;
use domain::question::Question;
use domain::result::{self, Marking, PartResult};
use domain::submission::{State, Submission};
use exam::script::Script;
use std::sync::Arc;
use store::desk::amendments::{self, Amendment, MarkChange, Trial};
use store::{desk, papers, questions, results, submissions, turns};

/// Scripts that are looked up at once.
const LOOKED_UP: i64 = 50;

/// What stood in the way of scripts that could not be marked again.
struct Hurdle {
    /// How often the work was begun.
    attempts: u32,
    /// The last error that may pass: the work is to be done again.
    last: Option<JobError>,
}

impl Hurdle {
    /// Whether it is no use to try the script again.
    fn is_over(&self, error: &JobError) -> bool {
        matches!(error, JobError::Fail(_)) || self.attempts >= TRIES_MAX
    }
}

impl Service {
    /// Tries the change that is looked at on every script, and lets scripts follow the version that counts. One that
    /// cannot be marked again keeps nobody else's waiting: it comes last, and after some attempts its marks stay.
    pub(crate) async fn amend(&self, id: PaperId, attempts: u32) -> Result<(), JobError> {
        let Some(paper) = papers::any_by_id(&mut *self.0.store.read().await?, id).await? else {
            return Ok(());
        };
        let mut hurdle = Hurdle { attempts, last: None };
        self.follow_version(&paper, &mut hurdle).await?;
        let amendment = amendments::of_paper(&mut *self.0.store.read().await?, id).await?;
        if let Some(amendment) = amendment.filter(|amendment| !amendment.is_previewed) {
            self.try_amendment(&paper, amendment, &mut hurdle).await?;
        }
        hurdle.last.map_or(Ok(()), Err)
    }

    async fn try_amendment(
        &self,
        paper: &Paper,
        amendment: Amendment,
        hurdle: &mut Hurdle,
    ) -> Result<(), JobError> {
        let mut all = self.questions_of(paper.id).await?;
        let Some(own) = all.get_mut(amendment.place as usize) else { return Ok(()) };
        *own = amendment.question.clone();
        let all = Arc::new(Understood::from(all));
        let mut after = None;
        let mut is_whole = true;
        loop {
            let mut db = self.0.store.read().await?;
            let untried = amendments::untried(&mut db, (paper.id, &amendment.id), after, LOOKED_UP).await?;
            drop(db);
            let Some(last) = untried.last() else { break };
            after = Some(*last);
            for script in untried {
                let trial = match self.try_on(paper, &amendment, &all, script).await {
                    Ok(trial) => trial,
                    Err(error) if hurdle.is_over(&error) => Some(Trial::Unmarked),
                    Err(error) => {
                        is_whole = false;
                        hurdle.last = Some(error);
                        continue;
                    }
                };
                let Some(trial) = trial else { continue };
                if !self.note_trial(paper.id, &amendment, script, trial).await? {
                    return Ok(());
                }
            }
        }
        if is_whole {
            self.finish_trial(paper.id, amendment).await?;
        }
        Ok(())
    }

    /// What the change would do to one script; nothing to one that cannot change any more.
    async fn try_on(
        &self,
        paper: &Paper,
        amendment: &Amendment,
        all: &Arc<Understood>,
        id: SubmissionId,
    ) -> Result<Option<Trial>, JobError> {
        let mut db = self.0.store.read().await?;
        let submission = submissions::by_id(&mut db, paper.owner, id).await?;
        let Some(submission) = submission.filter(|found| found.state == State::Graded) else {
            return Ok(None);
        };
        let (current, machine) = loaded(&mut db, id).await?;
        let machine = machine.unwrap_or_else(|| current.clone());
        let (answers, _) = answers_of(&mut db, id, &machine).await?;
        drop(db);
        let leaves = self.marked_by(paper, all, &[amendment.place], &submission, &machine).await?;
        let level = paper.grading.feedback;
        let again = result::with_questions(&machine, &leaves, level);
        let revised = result::revise(&again, &decisions(&answers), level);
        Ok(Some(Trial::Marked(changes(&current, &revised, amendment.place))))
    }

    /// Notes what came of it. False: the change is not looked at any more.
    async fn note_trial(
        &self,
        paper: PaperId,
        amendment: &Amendment,
        script: SubmissionId,
        trial: Trial,
    ) -> Result<bool, Error> {
        let input = ((paper, amendment.id.clone()), script, trial);
        let noted = self.0.store.write(input, |tx, ((paper, amendment), script, trial)| {
            Box::pin(async move {
                let found = amendments::lock(tx, *paper).await?;
                let is_wanted = found.is_some_and(|found| found.id == *amendment);
                if is_wanted {
                    amendments::note(tx, (*paper, amendment), *script, trial).await?;
                }
                Ok::<_, Error>(is_wanted)
            })
        });
        noted.await
    }

    async fn finish_trial(&self, paper: PaperId, amendment: Amendment) -> Result<(), Error> {
        let finished = self.0.store.write((paper, amendment), |tx, (paper, amendment)| {
            Box::pin(async move {
                match amendments::lock(tx, *paper).await?.filter(|found| found.id == amendment.id) {
                    Some(found) => Ok::<_, Error>(amendments::finish(tx, *paper, &found).await?),
                    None => Ok(()),
                }
            })
        });
        finished.await
    }

    /// Lets every script that can still change follow the version that the paper has. One that cannot be marked again
    /// keeps its marks and says by which version it has them.
    async fn follow_version(&self, paper: &Paper, hurdle: &mut Hurdle) -> Result<(), JobError> {
        let version = (paper.id, paper.scheme_version);
        let mut after = None;
        let mut questions = None;
        loop {
            let mut db = self.0.store.read().await?;
            let outdated = amendments::outdated(&mut db, version, after, LOOKED_UP).await?;
            drop(db);
            let Some(last) = outdated.last() else { return Ok(()) };
            after = Some(*last);
            let all = match &questions {
                Some(all) => Arc::clone(all),
                None => Arc::clone(questions.insert(Arc::new(self.questions_of(paper.id).await?.into()))),
            };
            for id in outdated {
                match self.mark_by_version(paper, &all, id).await {
                    Ok(()) => {}
                    Err(error) if hurdle.is_over(&error) => {
                        tracing::warn!(submission.id = %id, ?error, "a script does not follow its scheme");
                    }
                    Err(error) => hurdle.last = Some(error),
                }
            }
        }
    }

    async fn mark_by_version(
        &self,
        paper: &Paper,
        all: &Arc<Understood>,
        id: SubmissionId,
    ) -> Result<(), JobError> {
        let mut db = self.0.store.read().await?;
        let submission = submissions::by_id(&mut db, paper.owner, id).await?;
        let Some(submission) = submission.filter(|found| found.state == State::Graded) else { return Ok(()) };
        let (current, machine) = loaded(&mut db, id).await?;
        let machine = machine.unwrap_or(current);
        let version = i64::from(machine.scheme_version);
        let older = amendments::questions_of(&mut db, paper.id, version).await?.unwrap_or_default();
        let record = stored_marking(&mut db, id).await?;
        drop(db);
        let places: Vec<u32> = (0_u32..)
            .zip(all.iter())
            .filter(|(place, own)| older.get(*place as usize) != Some(own))
            .map(|(place, _)| place)
            .collect();
        let leaves = self.marked_by(paper, all, &places, &submission, &machine).await?;
        let level = paper.grading.feedback;
        let mut again = result::with_questions(&machine, &leaves, level);
        again.scheme_version = u32::try_from(paper.scheme_version).unwrap_or(u32::MAX);
        let record = Marking { scheme_sha256: marking::scheme_sha256(all), ..record };
        let record = serde_json::to_string(&record).map_err(JobError::ours)?;
        let input = (self.clone(), paper.clone(), id, again, (version, record), self.now());
        let written = self.0.store.write(input, |tx, (service, paper, id, again, (version, record), now)| {
            Box::pin(async move {
                let found = submissions::lock(tx, paper.owner, *id).await?;
                let Some(submission) = found.filter(|found| found.state == State::Graded) else {
                    return Ok(());
                };
                let (current, machine) = loaded(tx, *id).await?;
                let machine = machine.unwrap_or(current);
                // Another process may have been faster.
                if i64::from(machine.scheme_version) != *version {
                    return Ok(());
                }
                let (mut answers, _) = answers_of(tx, *id, &machine).await?;
                take_over(&mut answers, again);
                let revised = result::revise(again, &decisions(&answers), paper.grading.feedback);
                settle(&mut answers, &revised);
                for answer in &answers {
                    desk::put_answer(tx, paper.id, answer, None).await?;
                }
                results::set_version(tx, *id, again.scheme_version, record).await?;
                service.want_all_lessons(tx, (paper.owner, paper.id), *now).await?;
                turns::take(tx, paper.owner, *now).await?;
                service.write_revised(tx, &submission, again, &revised, &answers).await?;
                Ok::<_, Error>(())
            })
        });
        Ok(written.await?)
    }

    /// Some questions of a script marked by these keys, from what was read of it before.
    async fn marked_by(
        &self,
        paper: &Paper,
        all: &Arc<Understood>,
        places: &[u32],
        submission: &Submission,
        before: &result::Result,
    ) -> Result<Vec<(u32, Vec<PartResult>)>, JobError> {
        let marker = self.0.engine.get().await.map_err(JobError::ours)?;
        let read: Option<Script> = match self.0.blobs.get(&answers_key(submission.id)).await {
            Ok(bytes) if !marker.wants_pictures() => {
                Some(serde_json::from_slice(&bytes).map_err(JobError::ours)?)
            }
            Ok(_) | Err(BlobError::Missing(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let Some(script) = read else {
            // Marked before answers were kept, or by an engine that wants to see them.
            let again = marked_again_by(self, paper, submission, all).await?;
            let chosen = places.iter().filter_map(|place| {
                Some((*place, again.questions.get(*place as usize)?.leaves().into_owned()))
            });
            return Ok(chosen.collect());
        };
        let hidden = names(submission);
        let (all, places, grading) = (Arc::clone(all), places.to_vec(), paper.grading.clone());
        let rest = marking::rest_of(before, |key| !places.contains(&key.question));
        let marked = tokio::task::spawn_blocking(move || {
            let beside = Beside { hidden: &hidden, camera: None, rest };
            marking::mark_some(&all, &places, &script, &*marker, &grading, beside)
        });
        marked.await.map_err(JobError::ours)?.map_err(JobError::ours)
    }

    async fn questions_of(&self, paper: PaperId) -> Result<Vec<Question>, Error> {
        let read = self.0.store.scan(paper, |db, paper| {
            Box::pin(async move { Ok::<_, Error>(questions::of_paper(db, *paper).await?) })
        });
        Ok(read.await?.into_iter().map(|stored| stored.question).collect())
    }
}

/// How the marks of a question change from one result to another.
fn changes(before: &result::Result, after: &result::Result, place: u32) -> Vec<MarkChange> {
    let parts = after.all_parts().into_iter().filter(|(key, _)| key.question == place);
    let changed = parts.filter_map(|(key, part)| {
        let before = before.part(&key)?.awarded;
        (before != part.awarded).then_some(MarkChange { part: key.part, before, after: part.awarded })
    });
    changed.collect()
}

/// Takes over what the engine gives now; what a person decided stays.
fn take_over(answers: &mut [Answer], machine: &result::Result) {
    for answer in answers {
        if let Some(part) = machine.part(&answer.key) {
            answer.machine = part.awarded;
            answer.confidence = part.confidence;
        }
    }
}
