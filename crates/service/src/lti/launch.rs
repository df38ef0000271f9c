//! The end of a launch: the token is checked, and a teacher gets a link to the desk.

use super::LaunchError;
use crate::jobs::{Kind, Lane};
use crate::reviews::insert_link_in;
use crate::{Error, Service};
use domain::account::Owner;
use domain::id::{LtiLinkId, PaperId};
use domain::key::KeyHash;
use domain::lti::{Expected, LAUNCH_HOURS, Launch, Link, Platform, Refused, Role, Token};
use domain::random;
use domain::refusal::Refusal;
use domain::web_url::WebUrl;
use jiff::Timestamp;
use store::{Tx, accounts, jobs, lti, turns};

/// Links of platforms that lead to one paper.
const LINKS_OF_PAPER_MAX: i64 = 100;

/// What a launch opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// The desk, or the review page of a paper that awaits review, at this path of ours.
    Desk {
        /// The path, with the link's token behind the `#`.
        path: String,
    },
    /// Nothing: whoever came does not teach.
    Nothing,
}

/// A launch that was checked.
#[derive(Clone, Debug)]
struct Checked {
    platform: Platform,
    launch: Launch,
    nonce: KeyHash,
    until: Timestamp,
}

impl Service {
    /// Ends a login with the token that the platform sent: opens the desk for a teacher.
    #[crate::boxed]
    pub async fn launch_lti(
        &self,
        cookie: Option<&str>,
        state: &str,
        token: &str,
    ) -> Result<Opened, LaunchError> {
        let checked = self.check_launch(cookie, state, token).await?;
        let secret = random::base62_secret(self.random());
        let link_id: LtiLinkId = self.id(self.now());
        let input = (self.clone(), checked, KeyHash::of(&secret), link_id, self.now());
        self.store()
            .write(input, |tx, (service, checked, token, link_id, now)| {
                Box::pin(service.open_in(tx, checked, *token, *link_id, *now))
            })
            .await
            .map(|paper| match paper {
                Some(paper) => {
                    tracing::info!(paper.id = %paper, "a learning platform opened the desk");
                    Opened::Desk { path: format!("/review#{secret}") }
                }
                None => Opened::Nothing,
            })
    }

    async fn check_launch(
        &self,
        cookie: Option<&str>,
        state: &str,
        token: &str,
    ) -> Result<Checked, LaunchError> {
        let token = Token::parse(token)?;
        let begun = self.begun_login(cookie, state)?;
        let id = begun.platform().ok_or(Refused::NoLogin)?;
        let asked = lti::platform(&mut *self.store().read().await?, id).await?;
        let asked = asked.ok_or(Refused::Unregistered)?;
        self.check_signature(&asked, &token).await?;
        let target = self.lti_launch_url();
        let expected = Expected {
            issuer: &asked.issuer,
            client_id: &asked.client_id,
            nonce: &begun.nonce,
            target: &target,
            now: self.now(),
        };
        let launch = Launch::read(&token.claims, &expected)?;
        // One registration can be deployed several times, for several accounts.
        let mut db = self.store().read().await?;
        let platform =
            lti::deployment(&mut db, &asked.issuer, &asked.client_id, &launch.deployment_id).await?;
        let platform = platform.filter(|platform| platform.keys_url == asked.keys_url);
        let platform = platform.ok_or(Refused::Deployment)?;
        Ok(Checked { platform, launch, nonce: KeyHash::of(&begun.nonce), until: begun.until() })
    }

    /// Uses the launch up and, for a teacher, makes the link to the paper and notes where its marks go.
    async fn open_in(
        &self,
        tx: &mut Tx,
        checked: &Checked,
        token: KeyHash,
        link_id: LtiLinkId,
        now: Timestamp,
    ) -> Result<Option<PaperId>, LaunchError> {
        let Checked { platform, launch, nonce, until } = checked;
        let account = accounts::by_id(tx, platform.owner.0).await?;
        if account.is_none_or(|account| account.suspended_at.is_some()) {
            return Err(Refused::Suspended.into());
        }
        if !lti::use_nonce(tx, nonce, *until).await? {
            return Err(Refused::Replayed.into());
        }
        if launch.role != Role::Teacher {
            return Ok(None);
        }
        let bound = lti::link(tx, platform.id, &launch.resource_link_id).await?;
        let paper = launch.paper_id.or(bound.map(|link| link.paper_id)).ok_or_else(|| Refused::NoPaper {
            platform: platform.id,
            resource_link_id: launch.resource_link_id.clone(),
        })?;
        let place = (platform.owner, paper);
        insert_link_in(tx, place, &launch.name, token, LAUNCH_HOURS, now).await.map_err(not_open)?;
        let link = Link {
            id: link_id,
            platform_id: platform.id,
            resource_link_id: launch.resource_link_id.clone(),
            paper_id: paper,
            line_item: self.usable_line_item(platform, launch),
            created_at: now,
        };
        self.bind_in(tx, platform.owner, &link, now).await?;
        Ok(Some(paper))
    }

    /// Where marks go, if it is an address that we visit.
    fn usable_line_item(&self, platform: &Platform, launch: &Launch) -> Option<String> {
        let line_item = launch.line_item.as_deref()?;
        match WebUrl::parse_endpoint(line_item, self.outbound().reach()) {
            Ok(url) => Some(url.as_requested().to_owned()),
            Err(problem) => {
                tracing::warn!(lti.platform = %platform.id, %problem, "a line item is at an address that is not visited");
                None
            }
        }
    }

    /// Makes a link lead to its paper, which is locked, and asks for the marks that were released before.
    ///
    /// It is done in the account's turn. A release looks for links in its own turn: if that came before, the work that is
    /// asked for here finds it released; if it comes after, it finds the link.
    pub(super) async fn bind_in(
        &self,
        tx: &mut Tx,
        owner: Owner,
        link: &Link,
        now: Timestamp,
    ) -> Result<Link, Error> {
        turns::take(tx, owner, now).await?;
        let before = lti::link(tx, link.platform_id, &link.resource_link_id).await?;
        let place = |link: &Link| (link.paper_id, link.line_item.clone());
        let bound = lti::bind(tx, link).await?;
        if lti::count_links(tx, link.paper_id).await? > LINKS_OF_PAPER_MAX {
            return Err(Refusal::TooManyLtiLinks { most: LINKS_OF_PAPER_MAX }.into());
        }
        let is_new = before.as_ref().map(place) != Some(place(&bound));
        if is_new && bound.line_item.is_some() {
            let work = (Kind::WantScores.name(), Lane::Scores.name());
            jobs::enqueue(tx, self.id(now), work, owner.0, &bound.id.to_string(), now).await?;
        }
        Ok(bound)
    }

    /// The links that the marks of a paper go to.
    pub(super) async fn graded_links(&self, tx: &mut Tx, paper: PaperId) -> Result<Vec<Link>, Error> {
        Ok(lti::graded_links(tx, paper, LINKS_OF_PAPER_MAX).await?)
    }
}

/// Why the paper that a link names opens nothing.
fn not_open(error: Error) -> LaunchError {
    match error {
        Error::Missing { .. } => Refused::UnknownPaper.into(),
        Error::Refused { refusal: Refusal::ReviewLinkUnavailable { status, .. }, .. } => {
            Refused::PaperNotOpen(status).into()
        }
        other => other.into(),
    }
}
