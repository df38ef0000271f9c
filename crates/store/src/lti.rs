//! Learning platforms, the key that they know us by, their links, and the launches that were used.

pub mod scores;

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, Tx, sql};
use domain::id::{LtiLinkId, LtiPlatformId, PaperId};
use domain::key::KeyHash;
use domain::lti::{Link, Platform, Registration};
use jiff::Timestamp;

const PLATFORM: &str = "id, account_id, mode, issuer, client_id, deployment_id, login_url, keys_url, token_url, \
                        audience, created_at";
const LINK: &str = "id, platform_id, resource_link_id, paper_id, line_item, created_at";

/// Registrations of one issuer that are looked at.
const OF_ISSUER_MAX: i64 = 1_000;

struct PlatformRow(Platform);

impl FromRow for PlatformRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("lti_platforms", row);
        Ok(PlatformRow(Platform {
            id: columns.id(0)?,
            registration: Registration {
                owner: (columns.id(1)?, columns.mode(2)?),
                issuer: row.text(3)?,
                client_id: row.text(4)?,
                deployment_id: row.text(5)?,
                login_url: row.text(6)?,
                keys_url: row.text(7)?,
                token_url: row.text(8)?,
                audience: row.opt_text(9)?,
            },
            created_at: columns.time(10)?,
        }))
    }
}

struct LinkRow(Link);

impl FromRow for LinkRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("lti_links", row);
        Ok(LinkRow(Link {
            id: columns.id(0)?,
            platform_id: columns.id(1)?,
            resource_link_id: row.text(2)?,
            paper_id: columns.id(3)?,
            line_item: row.opt_text(4)?,
            created_at: columns.time(5)?,
        }))
    }
}

/// Adds a platform. False: this deployment is registered already.
pub async fn insert_platform(tx: &mut Tx, platform: &Platform) -> Result<bool, Error> {
    let statement = format!(
        "INSERT INTO lti_platforms ({PLATFORM}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (issuer, client_id, deployment_id) DO NOTHING"
    );
    let written = tx
        .execute(
            sql(statement)
                .bind(platform.id.to_string())
                .bind(platform.owner.0.to_string())
                .bind(platform.owner.1.name())
                .bind(&platform.issuer)
                .bind(&platform.client_id)
                .bind(&platform.deployment_id)
                .bind(&platform.login_url)
                .bind(&platform.keys_url)
                .bind(&platform.token_url)
                .bind(platform.audience.as_deref())
                .bind(platform.created_at),
        )
        .await?;
    Ok(written == 1)
}

/// Takes a platform away, with its links and what was to be sent to it. `None`: there is no such platform.
pub async fn delete_platform(tx: &mut Tx, id: LtiPlatformId) -> Result<Option<Platform>, Error> {
    let statement = format!("DELETE FROM lti_platforms WHERE id = $1 RETURNING {PLATFORM}");
    let deleted = tx.one::<PlatformRow>(sql(statement).bind(id.to_string())).await?;
    let Some(PlatformRow(platform)) = deleted else { return Ok(None) };
    let of_links =
        "DELETE FROM lti_scores WHERE link_id IN (SELECT id FROM lti_links WHERE platform_id = $1)";
    tx.queue(sql(of_links).bind(id.to_string()).guarded()).await?;
    tx.queue(sql("DELETE FROM lti_links WHERE platform_id = $1").bind(id.to_string()).guarded()).await?;
    Ok(Some(platform))
}

/// The platform of this id.
pub async fn platform(db: &mut Db, id: LtiPlatformId) -> Result<Option<Platform>, Error> {
    let statement = format!("SELECT {PLATFORM} FROM lti_platforms WHERE id = $1");
    Ok(db.one::<PlatformRow>(sql(statement).bind(id.to_string())).await?.map(|row| row.0))
}

/// The registrations of an issuer, in one order.
pub async fn platforms_of(db: &mut Db, issuer: &str) -> Result<Vec<Platform>, Error> {
    let statement = format!(
        "SELECT {PLATFORM} FROM lti_platforms WHERE issuer = $1 ORDER BY client_id, deployment_id LIMIT $2"
    );
    let found = db.all::<PlatformRow>(sql(statement).bind(issuer).bind(OF_ISSUER_MAX)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// The registration of one deployment.
pub async fn deployment(
    db: &mut Db,
    issuer: &str,
    client_id: &str,
    deployment_id: &str,
) -> Result<Option<Platform>, Error> {
    let statement = format!(
        "SELECT {PLATFORM} FROM lti_platforms WHERE issuer = $1 AND client_id = $2 AND deployment_id = $3"
    );
    let query = sql(statement).bind(issuer).bind(client_id).bind(deployment_id);
    Ok(db.one::<PlatformRow>(query).await?.map(|row| row.0))
}

/// Platforms in the order of their ids, after the given one.
pub async fn platforms_after(
    db: &mut Db,
    last: Option<LtiPlatformId>,
    rows: i64,
) -> Result<Vec<Platform>, Error> {
    let statement = format!("SELECT {PLATFORM} FROM lti_platforms WHERE id > $1 ORDER BY id LIMIT $2");
    let last = last.map(|id| id.to_string()).unwrap_or_default();
    let found = db.all::<PlatformRow>(sql(statement).bind(last).bind(rows)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// The key that we sign with, as it is kept.
#[derive(Clone, Debug)]
pub struct Key {
    /// What it is called.
    pub kid: String,
    /// Its public half, as JSON.
    pub public: String,
    /// Its private half, sealed.
    pub sealed: String,
}

impl FromRow for Key {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Key { kid: row.text(0)?, public: row.text(1)?, sealed: row.text(2)? })
    }
}

const KEY: &str = "SELECT kid, public, sealed FROM lti_keys WHERE kid > '' ORDER BY kid LIMIT 1";

/// The key, once it was set.
pub async fn key(db: &mut Db) -> Result<Option<Key>, Error> {
    db.one(sql(KEY)).await
}

/// The key, for sealing it anew.
pub async fn lock_key(tx: &mut Tx) -> Result<Option<Key>, Error> {
    Ok(tx.lock("lti_keys", sql(KEY)).await?.map(crate::Locked::into_inner))
}

/// Puts a key in the place of the one before.
pub async fn set_key(tx: &mut Tx, key: &Key, now: Timestamp) -> Result<(), Error> {
    tx.queue(sql("DELETE FROM lti_keys WHERE kid > ''").guarded()).await?;
    let statement = "INSERT INTO lti_keys (kid, public, sealed, created_at) VALUES ($1, $2, $3, $4)";
    tx.queue(sql(statement).bind(&key.kid).bind(&key.public).bind(&key.sealed).bind(now)).await
}

/// Notes that a launch was used. False: it was used before.
pub async fn use_nonce(tx: &mut Tx, nonce: &KeyHash, expires_at: Timestamp) -> Result<bool, Error> {
    let statement = "INSERT INTO lti_nonces (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";
    Ok(tx.execute(sql(statement).bind(nonce.to_hex()).bind(expires_at)).await? == 1)
}

/// Forgets launches whose login has ended, some at a time; gives how many.
pub async fn forget_nonces(db: &mut Db, now: Timestamp, rows: i64) -> Result<u64, Error> {
    let statement = "DELETE FROM lti_nonces WHERE hash IN (SELECT hash FROM lti_nonces \
                     WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
    db.execute(sql(statement).bind(now).bind(rows)).await
}

/// The link that a platform calls so.
pub async fn link(
    db: &mut Db,
    platform: LtiPlatformId,
    resource_link_id: &str,
) -> Result<Option<Link>, Error> {
    let statement = format!("SELECT {LINK} FROM lti_links WHERE platform_id = $1 AND resource_link_id = $2");
    let query = sql(statement).bind(platform.to_string()).bind(resource_link_id);
    Ok(db.one::<LinkRow>(query).await?.map(|row| row.0))
}

/// The link of this id.
pub async fn link_by_id(db: &mut Db, id: LtiLinkId) -> Result<Option<Link>, Error> {
    let statement = format!("SELECT {LINK} FROM lti_links WHERE id = $1");
    Ok(db.one::<LinkRow>(sql(statement).bind(id.to_string())).await?.map(|row| row.0))
}

/// The links that the marks of a paper go to.
pub async fn graded_links(db: &mut Db, paper: PaperId, rows: i64) -> Result<Vec<Link>, Error> {
    let statement = format!(
        "SELECT {LINK} FROM lti_links WHERE paper_id = $1 AND line_item IS NOT NULL ORDER BY id LIMIT $2"
    );
    let found = db.all::<LinkRow>(sql(statement).bind(paper.to_string()).bind(rows)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// How many links lead to a paper.
pub async fn count_links(db: &mut Db, paper: PaperId) -> Result<i64, Error> {
    let statement = "SELECT COUNT(*) FROM lti_links WHERE paper_id = $1";
    Ok(db.one(sql(statement).bind(paper.to_string())).await?.unwrap_or_default())
}

/// Makes a link lead to a paper, with the line item that it has now; gives it as it is then.
pub async fn bind(tx: &mut Tx, link: &Link) -> Result<Link, Error> {
    let statement = format!(
        "INSERT INTO lti_links ({LINK}) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (platform_id, resource_link_id) DO UPDATE SET paper_id = excluded.paper_id, \
         line_item = excluded.line_item RETURNING {LINK}"
    );
    let query = sql(statement)
        .bind(link.id.to_string())
        .bind(link.platform_id.to_string())
        .bind(&link.resource_link_id)
        .bind(link.paper_id.to_string())
        .bind(link.line_item.as_deref())
        .bind(link.created_at);
    let bound = tx.one::<LinkRow>(query).await?;
    bound.map(|row| row.0).ok_or_else(|| Error::driver("a link that was written gave nothing back"))
}

/// Forgets the links to a paper that is gone, with what was to be sent there.
pub async fn forget_paper(tx: &mut Tx, paper: PaperId) -> Result<(), Error> {
    for statement in
        ["DELETE FROM lti_links WHERE paper_id = $1", "DELETE FROM lti_scores WHERE paper_id = $1"]
    {
        tx.queue(sql(statement).bind(paper.to_string()).guarded()).await?;
    }
    Ok(())
}
