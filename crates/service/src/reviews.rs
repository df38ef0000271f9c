//! Review links and the page behind them: who may look, what is there to see, the approval, the record.
//!
//! A link's token and a browser's cookie are looked up by their hashes on every request, so a link that is
//! withdrawn, expired or left opens nothing from that moment on, in every process.

mod boxed;
mod edit;
mod record;

pub use edit::{Edit, Edited, STEPS_MAX, Step};
pub(crate) use record::{Line, difference};

use crate::idempotency::{Render, Reply};
use crate::papers::{StoredQuestion, locked_paper};
use crate::{Caller, Error, Service};
use domain::account::Owner;
use domain::id::{PaperId, QuestionId};
use domain::idempotency::Claim;
use domain::key::KeyHash;
use domain::paper::Paper;
use domain::question::Wrong;
use domain::random;
use domain::refusal::Refusal;
use domain::review::{Action, Closed, ReviewLink};
use domain::text::ShortLine;
use serde_json::json;
use store::{Db, Tx, accounts, papers, questions, reviews};

/// Why something on the review page cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The link or the session does not work, or no longer.
    #[error("the review is closed: {0:?}")]
    Closed(Closed),
    /// What was sent breaks a bound.
    #[error("{} {}", .0.path, .0.problem)]
    Wrong(Wrong),
    /// Another reviewer was faster; these are the questions as they are now, `None` for one that is gone.
    #[error("{} questions were changed by another reviewer", .0.len())]
    Changed(Vec<(QuestionId, Option<Box<StoredQuestion>>)>),
    /// Anything that can go wrong elsewhere too.
    #[error(transparent)]
    Other(#[from] Error),
}

impl From<store::Error> for ReviewError {
    fn from(error: store::Error) -> ReviewError {
        ReviewError::Other(error.into())
    }
}

impl From<Refusal> for ReviewError {
    fn from(refusal: Refusal) -> ReviewError {
        ReviewError::Other(refusal.into())
    }
}

/// What the page shows: a paper with its questions, both as they were at one moment.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// The paper.
    pub paper: Paper,
    /// Its questions in their order.
    pub questions: Vec<StoredQuestion>,
}

impl Service {
    /// Makes a link to the paper's review page; gives it with its URL, which is not kept.
    #[crate::boxed]
    pub async fn create_review_link(
        &self,
        caller: &Caller,
        id: PaperId,
        reviewer: ShortLine,
        hours: i64,
    ) -> Result<(ReviewLink, String), Error> {
        let secret = random::base62_secret(self.random());
        let url = format!("{}/review#{secret}", self.0.base_url);
        let input = (caller.owner(), id, reviewer, KeyHash::of(&secret), hours, self.now());
        let link = self
            .0
            .store
            .write(input, |tx, (owner, id, reviewer, token, hours, now)| {
                Box::pin(insert_link_in(tx, (*owner, *id), reviewer, *token, *hours, *now))
            })
            .await?;
        Ok((link, url))
    }

    /// Withdraws all links of the paper; the answer has how many still worked.
    #[crate::boxed]
    pub async fn revoke_review_links(
        &self,
        caller: &Caller,
        id: PaperId,
        claim: Option<Claim>,
        render: Render<(PaperId, u64)>,
    ) -> Result<Reply, Error> {
        let input = (caller.owner(), id, self.now());
        self.once(
            claim,
            input,
            |tx, (owner, id, now)| {
                Box::pin(async move {
                    let paper = papers::by_id(tx, *owner, *id).await?;
                    paper.ok_or_else(|| Error::missing("paper", *id))?;
                    Ok((*id, reviews::revoke_links(tx, *id, *now).await?))
                })
            },
            render,
        )
        .await
    }

    /// Opens a link: gives who reviews, and the secret that the browser keeps in its cookie.
    #[crate::boxed]
    pub async fn open_review(&self, token: &str) -> Result<(ReviewLink, String), ReviewError> {
        let secret = random::base62_secret(self.random());
        let input = (KeyHash::of(token), KeyHash::of(&secret), self.now());
        let link = self
            .0
            .store
            .write(input, |tx, (token, cookie, now)| {
                Box::pin(async move {
                    let found = reviews::link(tx, token).await?;
                    let link = open(tx, found, *now).await?;
                    reviews::insert_session(tx, cookie, &link, *now).await?;
                    Ok::<_, ReviewError>(link)
                })
            })
            .await?;
        Ok((link, secret))
    }

    /// Who reviews in the browser with this cookie.
    #[crate::boxed]
    pub async fn reviewer(&self, cookie: &str) -> Result<ReviewLink, ReviewError> {
        let mut db = self.0.store.read().await?;
        let found = reviews::session(&mut db, &KeyHash::of(cookie)).await?;
        open(&mut db, found, self.now()).await
    }

    /// Ends the session of the browser with this cookie. Its link still works.
    #[crate::boxed]
    pub async fn leave_review(&self, cookie: &str) -> Result<(), Error> {
        self.0
            .store
            .write(KeyHash::of(cookie), |tx, cookie| {
                Box::pin(async move { Ok(reviews::end_session(tx, cookie).await?) })
            })
            .await
    }

    /// The paper that a link opens.
    #[crate::boxed]
    pub async fn reviewed_paper(&self, link: &ReviewLink) -> Result<Paper, ReviewError> {
        let paper = papers::by_id(&mut *self.0.store.read().await?, link.owner, link.paper_id).await?;
        paper.ok_or(ReviewError::Closed(Closed::Unknown))
    }

    /// The paper that a link opens, with its questions.
    #[crate::boxed]
    pub async fn reviewed(&self, link: &ReviewLink) -> Result<Reviewed, ReviewError> {
        self.0
            .store
            .scan((link.owner, link.paper_id), |db, (owner, id)| {
                Box::pin(async move {
                    let paper = papers::by_id(db, *owner, *id).await?;
                    let paper = paper.ok_or(ReviewError::Closed(Closed::Unknown))?;
                    Ok(Reviewed { paper, questions: questions::of_paper(db, *id).await? })
                })
            })
            .await
    }

    /// The reviewer approves the paper: the same rule and event as by API, and a line in the record.
    #[crate::boxed]
    pub async fn approve_reviewed(&self, link: &ReviewLink) -> Result<Paper, ReviewError> {
        let input = (self.clone(), link.clone(), self.now());
        self.0
            .store
            .write(input, |tx, (service, link, now)| {
                Box::pin(async move {
                    let paper = service.approve_in(tx, link.owner, link.paper_id, *now).await?;
                    let after = json!({"status": paper.state.status().name()});
                    let line = Line {
                        after: Some(after),
                        ..Line::new(Action::Approve, Some(link.reviewer.as_str()))
                    };
                    service.record_change(tx, paper.id, line, *now).await?;
                    Ok::<_, ReviewError>(paper)
                })
            })
            .await
    }
}

/// Makes a link to a paper, within the caller's transaction.
pub(crate) async fn insert_link_in(
    tx: &mut Tx,
    (owner, id): (Owner, PaperId),
    reviewer: &ShortLine,
    token: KeyHash,
    hours: i64,
    now: jiff::Timestamp,
) -> Result<ReviewLink, Error> {
    // Locked, so that no link is left behind by a deletion at the same moment.
    let paper = locked_paper(tx, owner, id).await?;
    let link = ReviewLink::new(&paper, reviewer.clone(), token, hours, now)?;
    reviews::insert_link(tx, &link).await?;
    Ok(link)
}

async fn open(
    db: &mut Db,
    found: Option<ReviewLink>,
    now: jiff::Timestamp,
) -> Result<ReviewLink, ReviewError> {
    let link = found.ok_or(ReviewError::Closed(Closed::Unknown))?;
    link.must_be_open(now).map_err(ReviewError::Closed)?;
    let account = accounts::by_id(db, link.owner.0).await?;
    if account.is_none_or(|account| account.suspended_at.is_some()) {
        return Err(ReviewError::Closed(Closed::Suspended));
    }
    Ok(link)
}
