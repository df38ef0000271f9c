//! Review links, the browsers that opened them, and the record of what was changed.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, sql};
use domain::id::{ChangeId, PaperId, QuestionId};
use domain::key::KeyHash;
use domain::review::{Action, Change, ReviewLink, SESSIONS_MAX};
use domain::text::ShortLine;
use jiff::Timestamp;

const LINK: &str = "token_hash, review_links.paper_id, account_id, mode, reviewer, review_links.created_at, \
                    review_links.expires_at, revoked_at";
const CHANGE: &str = "id, paper_id, reviewer, action, question_id, number, before, after, created_at";

struct LinkRow(ReviewLink);

impl FromRow for LinkRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("review_links", row);
        Ok(LinkRow(ReviewLink {
            token: columns.parsed(0, "token_hash", KeyHash::parse)?,
            paper_id: columns.id(1)?,
            owner: (columns.id(2)?, columns.mode(3)?),
            reviewer: ShortLine::trusted(row.text(4)?),
            created_at: columns.time(5)?,
            expires_at: columns.time(6)?,
            revoked_at: columns.opt_time(7)?,
        }))
    }
}

struct ChangeRow(Change);

impl FromRow for ChangeRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("review_changes", row);
        Ok(ChangeRow(Change {
            id: columns.id(0)?,
            paper_id: columns.id(1)?,
            reviewer: Some(row.text(2)?).filter(|name| !name.is_empty()),
            action: columns.parsed(3, "action", Action::parse)?,
            question_id: columns.opt_parsed(4, "question_id", domain::id::Identifier::parse)?,
            number: row.opt_text(5)?,
            before: row.opt_text(6)?,
            after: row.opt_text(7)?,
            created_at: columns.time(8)?,
        }))
    }
}

/// Adds a link.
pub async fn insert_link(db: &mut Db, link: &ReviewLink) -> Result<(), Error> {
    let statement = "INSERT INTO review_links (token_hash, paper_id, account_id, mode, reviewer, created_at, \
                     expires_at, revoked_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    db.queue(
        sql(statement)
            .bind(link.token.to_hex())
            .bind(link.paper_id.to_string())
            .bind(link.owner.0.to_string())
            .bind(link.owner.1.name())
            .bind(link.reviewer.as_str())
            .bind(link.created_at)
            .bind(link.expires_at)
            .bind(link.revoked_at),
    )
    .await
}

/// The link with this token, ended ones included.
pub async fn link(db: &mut Db, token: &KeyHash) -> Result<Option<ReviewLink>, Error> {
    let statement = format!("SELECT {LINK} FROM review_links WHERE token_hash = $1");
    Ok(db.one::<LinkRow>(sql(statement).bind(token.to_hex())).await?.map(|row| row.0))
}

/// Withdraws a paper's links, and with them what they opened; gives how many still worked.
pub async fn revoke_links(db: &mut Db, paper: PaperId, now: Timestamp) -> Result<u64, Error> {
    let statement = "UPDATE review_links SET revoked_at = $2 \
                     WHERE paper_id = $1 AND revoked_at IS NULL AND expires_at > $2";
    db.execute(sql(statement).bind(paper.to_string()).bind(now)).await
}

/// Notes a browser that opened a link. The oldest ones go when a link is open in too many.
pub async fn insert_session(
    db: &mut Db,
    cookie: &KeyHash,
    link: &ReviewLink,
    now: Timestamp,
) -> Result<(), Error> {
    let statement = "INSERT INTO review_sessions (cookie_hash, link_hash, paper_id, created_at, expires_at) \
                     VALUES ($1, $2, $3, $4, $5)";
    db.queue(
        sql(statement)
            .bind(cookie.to_hex())
            .bind(link.token.to_hex())
            .bind(link.paper_id.to_string())
            .bind(now)
            .bind(link.expires_at),
    )
    .await?;
    let surplus = "DELETE FROM review_sessions WHERE cookie_hash IN \
                   (SELECT cookie_hash FROM review_sessions WHERE link_hash = $1 \
                   ORDER BY created_at DESC LIMIT 1000 OFFSET $2)";
    db.queue(sql(surplus).bind(link.token.to_hex()).bind(i64::from(SESSIONS_MAX))).await
}

/// The link that the browser with this cookie opened, ended ones included.
pub async fn session(db: &mut Db, cookie: &KeyHash) -> Result<Option<ReviewLink>, Error> {
    let statement = format!(
        "SELECT {LINK} FROM review_sessions JOIN review_links ON token_hash = link_hash WHERE cookie_hash = $1"
    );
    Ok(db.one::<LinkRow>(sql(statement).bind(cookie.to_hex())).await?.map(|row| row.0))
}

/// Ends a browser's session.
pub async fn end_session(db: &mut Db, cookie: &KeyHash) -> Result<(), Error> {
    db.queue(sql("DELETE FROM review_sessions WHERE cookie_hash = $1").bind(cookie.to_hex())).await
}

/// Adds a line to the record.
pub async fn record(db: &mut Db, change: &Change) -> Result<(), Error> {
    let statement =
        format!("INSERT INTO review_changes ({CHANGE}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)");
    db.queue(
        sql(statement)
            .bind(change.id.to_string())
            .bind(change.paper_id.to_string())
            .bind(change.reviewer.as_deref().unwrap_or_default())
            .bind(change.action.name())
            .bind(change.question_id.map(|id: QuestionId| id.to_string()))
            .bind(change.number.as_deref())
            .bind(change.before.as_deref())
            .bind(change.after.as_deref())
            .bind(change.created_at),
    )
    .await
}

/// A piece of a paper's record, oldest first.
pub async fn changes(
    db: &mut Db,
    paper: PaperId,
    after: Option<ChangeId>,
    rows: i64,
) -> Result<Vec<Change>, Error> {
    let statement =
        format!("SELECT {CHANGE} FROM review_changes WHERE paper_id = $1 AND id > $2 ORDER BY id LIMIT $3");
    let after = after.map(|id| id.to_string()).unwrap_or_default();
    let found = db.all::<ChangeRow>(sql(statement).bind(paper.to_string()).bind(after).bind(rows)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// Deletes everything of a paper's reviews.
pub async fn delete_of(db: &mut Db, paper: PaperId) -> Result<(), Error> {
    for statement in [
        "DELETE FROM review_links WHERE paper_id = $1",
        "DELETE FROM review_sessions WHERE paper_id = $1",
        "DELETE FROM review_changes WHERE paper_id = $1",
    ] {
        db.queue(sql(statement).bind(paper.to_string())).await?;
    }
    Ok(())
}

/// Forgets links that ended before `before`, some at a time; gives how many.
pub async fn forget_links(db: &mut Db, before: Timestamp, rows: i64) -> Result<u64, Error> {
    let statement = "DELETE FROM review_links WHERE token_hash IN (SELECT token_hash FROM review_links \
                     WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
    db.execute(sql(statement).bind(before).bind(rows)).await
}

/// Forgets sessions whose link ended before `before`, some at a time; gives how many.
pub async fn forget_sessions(db: &mut Db, before: Timestamp, rows: i64) -> Result<u64, Error> {
    let statement = "DELETE FROM review_sessions WHERE cookie_hash IN (SELECT cookie_hash FROM review_sessions \
                     WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
    db.execute(sql(statement).bind(before).bind(rows)).await
}
