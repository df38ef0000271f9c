//! Marks go back to the platforms that launch their paper.
//!
//! A score is written down in the transaction that releases its script, and sent by background work. Before each sending
//! a later time is written down, and after it that the platform has it. If the process dies between the two, the score is
//! sent again with a later time: the platform then has the same mark, once. A score that the platform has is never sent
//! again, because a released mark does not change.

use super::token::{Unsent, said};
use crate::jobs::{JobError, Kind, Lane};
use crate::{Error, Service};
use domain::id::{AccountId, LtiLinkId, LtiScoreId, SubmissionId};
use domain::lti::{Link, Platform, SCORE_TRIED_FOR, Score, ScoreStatus, later_than, score_url};
use domain::marks::Marks;
use domain::submission::{State, Submission};
use http::HeaderValue;
use jiff::Timestamp;
use serde::Serialize;
use store::lti::{self, scores};
use store::{Tx, jobs, submissions};

/// Scripts that are looked up at once.
const LOOKED_UP: i64 = 100;
/// A token that the platform does not take any more is replaced once.
const TOKENS_TRIED: usize = 2;

/// A score that is about to be sent.
#[derive(Debug)]
struct Sending {
    platform: Platform,
    url: String,
    body: ScoreBody,
}

/// A score as the standard has it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ScoreBody {
    user_id: String,
    timestamp: String,
    score_given: Marks,
    score_maximum: Marks,
    activity_progress: &'static str,
    grading_progress: &'static str,
}

/// What is to be done about a score.
enum Next {
    Send(Box<Sending>),
    Nothing,
}

impl Service {
    /// Notes that the marks of a released script go to the platforms that launch its paper, in the account's turn.
    pub(crate) async fn want_scores_of(
        &self,
        tx: &mut Tx,
        submission: &Submission,
        now: Timestamp,
    ) -> Result<(), Error> {
        for link in self.graded_links(tx, submission.paper_id).await? {
            self.want_score(tx, submission.owner.0, &link, submission.id, now).await?;
        }
        Ok(())
    }

    async fn want_score(
        &self,
        tx: &mut Tx,
        account: AccountId,
        link: &Link,
        submission_id: SubmissionId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let score = Score {
            id: self.id(now),
            link_id: link.id,
            submission_id,
            paper_id: link.paper_id,
            status: ScoreStatus::Waiting,
            attempts: 0,
            sent_at: None,
            problem: None,
            created_at: now,
        };
        if scores::insert(tx, &score).await? {
            self.ask_to_send(tx, account, score.id, now).await?;
        }
        Ok(())
    }

    pub(super) async fn ask_to_send(
        &self,
        tx: &mut Tx,
        account: AccountId,
        score: LtiScoreId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let work = (Kind::SendScore.name(), Lane::Scores.name());
        Ok(jobs::enqueue(tx, self.id(now), work, account, &score.to_string(), now).await?)
    }

    /// Notes the marks that were released before the link was known.
    pub(crate) async fn want_released_scores(&self, id: LtiLinkId) -> Result<(), Error> {
        let mut db = self.store().read().await?;
        let Some(link) = lti::link_by_id(&mut db, id).await? else { return Ok(()) };
        let Some(platform) = lti::platform(&mut db, link.platform_id).await? else { return Ok(()) };
        drop(db);
        let mut after = None;
        loop {
            let mut db = self.store().read().await?;
            let some = scores::released(&mut db, link.paper_id, after, LOOKED_UP).await?;
            drop(db);
            let Some(last) = some.last().copied() else { return Ok(()) };
            after = Some(last);
            let input = (self.clone(), platform.owner.0, link.clone(), some, self.now());
            self.store()
                .write(input, |tx, (service, account, link, some, now)| {
                    Box::pin(async move {
                        for submission in some {
                            service.want_score(tx, *account, link, *submission, *now).await?;
                        }
                        Ok::<_, Error>(())
                    })
                })
                .await?;
        }
    }

    /// Sends a score, unless that was done or is over.
    pub(crate) async fn send_score(&self, id: LtiScoreId) -> Result<(), JobError> {
        for _ in 0..TOKENS_TRIED {
            let Next::Send(sending) = self.begin_sending(id).await? else { return Ok(()) };
            let token = match self.access_token(&sending.platform).await {
                Ok(token) => token,
                Err(unsent) => return self.unsent(id, unsent).await,
            };
            let body = serde_json::to_vec(&sending.body).map_err(JobError::ours)?;
            let kind = HeaderValue::from_static("application/vnd.ims.lis.v1.score+json");
            let answer = match self.post_to_platform(&sending.url, kind, Some(&token), body.into()).await {
                Ok(answer) => answer,
                Err(unsent) => return self.unsent(id, unsent).await,
            };
            match answer.status {
                200..=299 => return Ok(self.end_score(id, ScoreStatus::Sent, None).await?),
                401 => self.0.platforms.tokens.forget(sending.platform.id),
                408 | 429 | 500.. => return self.unsent(id, Unsent::Later(said(&answer))).await,
                _ => return self.unsent(id, Unsent::Never(said(&answer))).await,
            }
        }
        self.unsent(id, Unsent::Later("it does not take the access token that it gave".to_owned())).await
    }

    /// Writes down that the score is sent now, and gives what is sent.
    async fn begin_sending(&self, id: LtiScoreId) -> Result<Next, JobError> {
        let begun = self.store().write((id, self.now()), |tx, &(id, now)| {
            Box::pin(async move {
                let waiting =
                    scores::lock(tx, id).await?.filter(|score| score.status == ScoreStatus::Waiting);
                let Some(score) = waiting else { return Ok(Next::Nothing) };
                // Tried at least once, however long no worker ran.
                if score.attempts > 0 && now.duration_since(score.created_at) > SCORE_TRIED_FOR {
                    let given_up = Score { status: ScoreStatus::Refused, ..Score::clone(&score) };
                    scores::save(tx, &score, &given_up).await?;
                    return Ok(Next::Nothing);
                }
                let sent_at = later_than(score.sent_at, now);
                let Some(sending) = sending(tx, &score, sent_at).await? else {
                    scores::delete(tx, &score).await?;
                    return Ok(Next::Nothing);
                };
                let attempts = score.attempts.saturating_add(1);
                let next = Score { attempts, sent_at: Some(sent_at), ..Score::clone(&score) };
                scores::save(tx, &score, &next).await?;
                Ok::<_, Error>(Next::Send(Box::new(sending)))
            })
        });
        Ok(begun.await?)
    }

    /// Writes down why a score was not sent. What may pass is tried again by the worker, later each time.
    async fn unsent(&self, id: LtiScoreId, unsent: Unsent) -> Result<(), JobError> {
        match unsent {
            Unsent::Never(reason) => Ok(self.end_score(id, ScoreStatus::Refused, Some(reason)).await?),
            Unsent::Later(reason) => {
                self.end_score(id, ScoreStatus::Waiting, Some(reason)).await?;
                // What the platform said may name the student, so it stands with the score alone.
                Err(JobError::ours("a learning platform did not take a mark: see `tickmark lti scores`"))
            }
        }
    }

    async fn end_score(
        &self,
        id: LtiScoreId,
        status: ScoreStatus,
        problem: Option<String>,
    ) -> Result<(), Error> {
        self.store()
            .write((id, status, problem), |tx, (id, status, problem)| {
                Box::pin(async move {
                    let waiting = scores::lock(tx, *id).await?;
                    let waiting = waiting.filter(|score| score.status == ScoreStatus::Waiting);
                    let Some(score) = waiting else { return Ok(()) };
                    let ended = Score { status: *status, problem: problem.clone(), ..Score::clone(&score) };
                    scores::save(tx, &score, &ended).await?;
                    Ok::<_, Error>(())
                })
            })
            .await
    }
}

/// What is to be sent; `None` when the script, the link or the platform is gone, or there is nothing to be said.
async fn sending(tx: &mut Tx, score: &Score, at: Timestamp) -> Result<Option<Sending>, Error> {
    let Some(link) = lti::link_by_id(tx, score.link_id).await? else { return Ok(None) };
    let Some(platform) = lti::platform(tx, link.platform_id).await? else { return Ok(None) };
    let Some(url) = link.line_item.as_deref().and_then(score_url) else { return Ok(None) };
    let submission = submissions::any_by_id(tx, score.submission_id).await?;
    let released = submission.filter(|found| found.state == State::Released && found.owner == platform.owner);
    let Some((marks, student)) = released.and_then(|found| Some((found.score?, found.student))) else {
        return Ok(None);
    };
    // The standard has no score out of nothing.
    if marks.available.is_zero() {
        return Ok(None);
    }
    let body = ScoreBody {
        user_id: student.external_id.into_string(),
        timestamp: format!("{at:.3}"),
        score_given: marks.awarded,
        score_maximum: marks.available,
        activity_progress: "Completed",
        grading_progress: "FullyGraded",
    };
    Ok(Some(Sending { platform, url, body }))
}
