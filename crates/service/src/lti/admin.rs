//! What the operator does about platforms. Each change is in the record of what operators did.

use crate::operator::Operator;
use crate::{Error, Service};
use domain::id::{LtiPlatformId, LtiScoreId, PaperId};
use domain::lti::{Link, Platform, Registration, Score, ScoreStatus};
use domain::operator::{Action, Entry};
use domain::refusal::Refusal;
use store::lti::{self, scores};
use store::{accounts, operators};

impl Service {
    /// Registers a platform, whose URLs were checked. One that is registered already is refused: it belongs to one
    /// account.
    #[crate::boxed]
    pub async fn add_lti_platform(
        &self,
        by: &Operator,
        registration: Registration,
    ) -> Result<Platform, Error> {
        let now = self.now();
        let platform = Platform { id: self.id(now), registration, created_at: now };
        let entry = Entry {
            account_id: Some(platform.owner.0),
            object_id: Some(platform.id.to_string()),
            details: named(&platform),
            ..self.entry(by, Action::LtiPlatformAdded, now)
        };
        self.store()
            .write((platform, entry), |tx, (platform, entry)| {
                Box::pin(async move {
                    let account = accounts::by_id(tx, platform.owner.0).await?;
                    account.ok_or_else(|| Error::missing("account", platform.owner.0))?;
                    if !lti::insert_platform(tx, platform).await? {
                        return Err(Refusal::LtiPlatformExists.into());
                    }
                    operators::record(tx, entry, None).await?;
                    Ok(platform.clone())
                })
            })
            .await
    }

    /// Platforms in the order of their ids, `rows` at a time after `last`.
    #[crate::boxed]
    pub async fn lti_platforms_after(
        &self,
        last: Option<LtiPlatformId>,
        rows: i64,
    ) -> Result<Vec<Platform>, Error> {
        Ok(lti::platforms_after(&mut *self.store().read().await?, last, rows).await?)
    }

    /// Removes a platform, with its links and what was to be sent to it.
    #[crate::boxed]
    pub async fn remove_lti_platform(&self, by: &Operator, id: LtiPlatformId) -> Result<Platform, Error> {
        let entry = self.entry(by, Action::LtiPlatformRemoved, self.now());
        let removed = self
            .store()
            .write((id, entry), |tx, (id, entry)| {
                Box::pin(async move {
                    let platform = lti::delete_platform(tx, *id).await?;
                    let platform = platform.ok_or_else(|| Error::missing("platform", *id))?;
                    let entry = Entry {
                        account_id: Some(platform.owner.0),
                        object_id: Some(id.to_string()),
                        details: named(&platform),
                        ..entry.clone()
                    };
                    operators::record(tx, &entry, None).await?;
                    Ok::<_, Error>(platform)
                })
            })
            .await?;
        self.0.platforms.keys.forget(id);
        self.0.platforms.tokens.forget(id);
        Ok(removed)
    }

    /// Says which paper a link of a platform opens, for platforms on which a link cannot say it itself. Where marks go
    /// is told by the launch.
    #[crate::boxed]
    pub async fn bind_lti_link(
        &self,
        by: &Operator,
        platform: LtiPlatformId,
        resource_link_id: String,
        paper: PaperId,
    ) -> Result<Link, Error> {
        let now = self.now();
        let link = Link {
            id: self.id(now),
            platform_id: platform,
            resource_link_id,
            paper_id: paper,
            line_item: None,
            created_at: now,
        };
        let entry = Entry {
            object_id: Some(paper.to_string()),
            details: format!("The link {} of {platform}", link.resource_link_id),
            ..self.entry(by, Action::LtiLinkBound, now)
        };
        let input = (self.clone(), link, entry, now);
        self.store()
            .write(input, |tx, (service, link, entry, now)| {
                Box::pin(async move {
                    let found = lti::platform(tx, link.platform_id).await?;
                    let platform = found.ok_or_else(|| Error::missing("platform", link.platform_id))?;
                    crate::papers::locked_paper(tx, platform.owner, link.paper_id).await?;
                    let entry = Entry { account_id: Some(platform.owner.0), ..entry.clone() };
                    operators::record(tx, &entry, None).await?;
                    let earlier = lti::link(tx, link.platform_id, &link.resource_link_id).await?;
                    let line_item = earlier.and_then(|earlier| earlier.line_item);
                    let link = Link { line_item, ..link.clone() };
                    service.bind_in(tx, platform.owner, &link, *now).await
                })
            })
            .await
    }

    /// Scores in the order of their ids, `rows` at a time after `last`.
    #[crate::boxed]
    pub async fn lti_scores_after(
        &self,
        which: scores::Which,
        last: Option<LtiScoreId>,
        rows: i64,
    ) -> Result<Vec<scores::Listed>, Error> {
        Ok(scores::after(&mut *self.store().read().await?, which, last, rows).await?)
    }

    /// Sends a score again that the platform did not take. One that it has is never sent again.
    #[crate::boxed]
    pub async fn retry_lti_score(&self, by: &Operator, id: LtiScoreId) -> Result<Score, Error> {
        let now = self.now();
        let entry = Entry { object_id: Some(id.to_string()), ..self.entry(by, Action::LtiScoreRetried, now) };
        let input = (self.clone(), id, entry, now);
        self.store()
            .write(input, |tx, (service, id, entry, now)| {
                Box::pin(async move {
                    let refused = scores::lock(tx, *id).await?;
                    let refused = refused.filter(|score| score.status == ScoreStatus::Refused);
                    let score = refused.ok_or_else(|| Error::missing("refused score", *id))?;
                    scores::revive(tx, &score, *now).await?;
                    let link = lti::link_by_id(tx, score.link_id).await?;
                    let link = link.ok_or_else(|| Error::missing("refused score", *id))?;
                    let platform = lti::platform(tx, link.platform_id).await?;
                    let platform = platform.ok_or_else(|| Error::missing("refused score", *id))?;
                    service.ask_to_send(tx, platform.owner.0, *id, *now).await?;
                    let entry = Entry { account_id: Some(platform.owner.0), ..entry.clone() };
                    operators::record(tx, &entry, None).await?;
                    Ok(score.into_inner())
                })
            })
            .await
    }
}

fn named(platform: &Platform) -> String {
    format!("{}, client {}, deployment {}", platform.issuer, platform.client_id, platform.deployment_id)
}
