//! Files, and the bytes that are to be deleted.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, sql};
use domain::account::Owner;
use domain::failure::FailureCode;
use domain::file::{ContentType, File, Found, Purpose};
use domain::id::{AccountId, FileId};
use domain::text::ShortLine;
use jiff::Timestamp;

const COLUMNS: &str = "id, account_id, mode, purpose, filename, content_type, size_bytes, token, url, uploaded_at, \
                       pages, failure_code, attached_to, expired_at, created_at";

struct FileRow(File);

impl FromRow for FileRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("files", row);
        let pages = columns.opt_count(10)?.map(Found::Pages);
        let failure = columns.opt_parsed(11, "failure_code", FailureCode::parse)?.map(Found::Wrong);
        Ok(FileRow(File {
            id: columns.id(0)?,
            owner: (columns.id(1)?, columns.mode(2)?),
            purpose: columns.parsed(3, "purpose", Purpose::parse)?,
            filename: ShortLine::trusted(row.text(4)?),
            content_type: columns.opt_parsed(5, "content_type", ContentType::parse)?,
            size_bytes: columns.large_count(6)?,
            token: row.text(7)?,
            url: row.opt_text(8)?,
            uploaded_at: columns.opt_time(9)?,
            content: pages.or(failure),
            attached_to: row.opt_text(12)?,
            expired_at: columns.opt_time(13)?,
            created_at: columns.time(14)?,
        }))
    }
}

/// Registers a file.
pub async fn insert(db: &mut Db, file: &File) -> Result<(), Error> {
    let statement = "INSERT INTO files (id, account_id, mode, purpose, filename, content_type, size_bytes, token, \
                     url, attached_to, ends_at, created_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    let ends_at = file.attached_to.is_none().then(|| file.ends_at());
    db.queue(
        sql(statement)
            .bind(file.id.to_string())
            .bind(file.owner.0.to_string())
            .bind(file.owner.1.name())
            .bind(file.purpose.name())
            .bind(file.filename.as_str())
            .bind(file.content_type.map(ContentType::name))
            .bind(i64::try_from(file.size_bytes).unwrap_or(i64::MAX))
            .bind(&file.token)
            .bind(file.url.as_deref())
            .bind(file.attached_to.as_deref())
            .bind(ends_at)
            .bind(file.created_at),
    )
    .await
}

/// The account's file of this id. Those that come by URL are not the client's to see.
pub async fn by_id(db: &mut Db, (account, mode): Owner, id: FileId) -> Result<Option<File>, Error> {
    let statement = format!(
        "SELECT {COLUMNS} FROM files WHERE id = $1 AND account_id = $2 AND mode = $3 AND url IS NULL"
    );
    let query = sql(statement).bind(id.to_string()).bind(account.to_string()).bind(mode.name());
    Ok(db.one::<FileRow>(query).await?.map(|row| row.0))
}

/// The file behind an upload URL.
pub async fn by_token(db: &mut Db, token: &str) -> Result<Option<File>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM files WHERE token = $1");
    Ok(db.one::<FileRow>(sql(statement).bind(token)).await?.map(|row| row.0))
}

/// The files that a paper or submission uses, in the order they were registered.
pub async fn used_by(db: &mut Db, user: &str) -> Result<Vec<File>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM files WHERE attached_to = $1");
    let mut files: Vec<File> =
        db.all::<FileRow>(sql(statement).bind(user)).await?.into_iter().map(|row| row.0).collect();
    files.sort_by_key(|file| file.id);
    Ok(files)
}

/// How many of an account's files wait to be used, and how many bytes they have or will have.
pub async fn unused(db: &mut Db, account: AccountId) -> Result<(u64, u64), Error> {
    struct Count(i64, i64);
    impl FromRow for Count {
        fn from_row(row: &Row<'_>) -> Result<Self, Error> {
            Ok(Count(row.int(0)?, row.int(1)?))
        }
    }
    let statement = "SELECT COUNT(*), CAST(COALESCE(SUM(size_bytes), 0) AS BIGINT) FROM files \
                     WHERE account_id = $1 AND ends_at > 0";
    let count = db.one::<Count>(sql(statement).bind(account.to_string())).await?.unwrap_or(Count(0, 0));
    Ok((count.0.unsigned_abs(), count.1.unsigned_abs()))
}

/// Notes that the bytes came. False: they came before, or the file is given up.
pub async fn uploaded(db: &mut Db, file: &File, now: Timestamp) -> Result<bool, Error> {
    let statement = "UPDATE files SET uploaded_at = $2, content_type = $3, size_bytes = $4, \
                     ends_at = CASE WHEN attached_to IS NULL THEN CAST($5 AS BIGINT) END \
                     WHERE id = $1 AND uploaded_at IS NULL AND expired_at IS NULL";
    let query = sql(statement)
        .bind(file.id.to_string())
        .bind(now)
        .bind(file.content_type.map(ContentType::name))
        .bind(i64::try_from(file.size_bytes).unwrap_or(i64::MAX))
        .bind(now + domain::file::KEPT_UNUSED);
    Ok(db.execute(query).await? == 1)
}

/// Notes what the bytes are.
pub async fn inspected(db: &mut Db, id: FileId, content: Found) -> Result<(), Error> {
    let failure = match content {
        Found::Pages(_) => None,
        Found::Wrong(code) => Some(code.name()),
    };
    let statement = "UPDATE files SET pages = $2, failure_code = $3 WHERE id = $1";
    db.queue(sql(statement).bind(id.to_string()).bind(content.pages()).bind(failure)).await
}

/// Gives the file to a paper or submission. False: another was faster, or it is given up.
pub async fn attach(db: &mut Db, id: FileId, user: &str) -> Result<bool, Error> {
    let statement = "UPDATE files SET attached_to = $2, ends_at = NULL \
                     WHERE id = $1 AND attached_to IS NULL AND expired_at IS NULL";
    // It asks for all that can change of what was decided on: whose it is, what for and that it came stay.
    Ok(db.execute(sql(statement).bind(id.to_string()).bind(user).guarded()).await? == 1)
}

/// Gives the file to a class scan, where it still counts as unused: it is no paper's and no submission's, and goes at
/// `ends_at` at the latest. False: another was faster, or it is given up.
pub async fn lend(db: &mut Db, id: FileId, scan: &str, ends_at: Timestamp) -> Result<bool, Error> {
    let statement = "UPDATE files SET attached_to = $2, ends_at = $3 \
                     WHERE id = $1 AND attached_to IS NULL AND expired_at IS NULL";
    Ok(db.execute(sql(statement).bind(id.to_string()).bind(scan).bind(ends_at).guarded()).await? == 1)
}

/// Hands a file over from a class scan to a submission. False: the scan does not have it.
pub async fn hand_over(db: &mut Db, id: FileId, scan: &str, user: &str) -> Result<bool, Error> {
    let statement = "UPDATE files SET attached_to = $3, ends_at = NULL WHERE id = $1 AND attached_to = $2";
    Ok(db.execute(sql(statement).bind(id.to_string()).bind(scan).bind(user).guarded()).await? == 1)
}

/// Deletes the records of the files that a paper or submission used, which is locked.
pub async fn delete_used_by(db: &mut Db, user: &str) -> Result<(), Error> {
    db.queue(sql("DELETE FROM files WHERE attached_to = $1").bind(user).guarded()).await
}

/// Files that were not uploaded or used in time.
pub async fn ended(db: &mut Db, now: Timestamp, rows: i64) -> Result<Vec<File>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM files WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2");
    let rows = db.all::<FileRow>(sql(statement).bind(now).bind(rows)).await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Gives a file up; of its name, which may be a student's, nothing is kept. False: it was used in the meantime.
pub async fn expire(db: &mut Db, file: &File, now: Timestamp) -> Result<bool, Error> {
    let statement =
        "UPDATE files SET expired_at = $2, ends_at = NULL, filename = $3 WHERE id = $1 AND ends_at <= $2";
    let query = sql(statement).bind(file.id.to_string()).bind(now).bind(file.purpose.name());
    Ok(db.execute(query).await? == 1)
}

/// Forgets some files that were given up before `before`; gives how many.
pub async fn forget_expired(db: &mut Db, before: Timestamp, rows: i64) -> Result<u64, Error> {
    let statement = "DELETE FROM files WHERE id IN \
                     (SELECT id FROM files WHERE expired_at < $1 ORDER BY expired_at LIMIT $2)";
    db.execute(sql(statement).bind(before).bind(rows)).await
}

/// Notes that bytes are to be deleted, and once more at another time if need be.
pub async fn discard(
    db: &mut Db,
    key: &str,
    now: Timestamp,
    again_at: Option<Timestamp>,
) -> Result<(), Error> {
    let statement = "INSERT INTO blob_deletions (key, due_at, again_at) VALUES ($1, $2, $3) \
                     ON CONFLICT (key) DO NOTHING";
    db.queue(sql(statement).bind(key).bind(now).bind(again_at)).await
}

/// Bytes that are to be deleted now.
pub async fn discarded(db: &mut Db, now: Timestamp, rows: i64) -> Result<Vec<String>, Error> {
    let statement = "SELECT key FROM blob_deletions WHERE due_at <= $1 ORDER BY due_at LIMIT $2";
    db.all(sql(statement).bind(now).bind(rows)).await
}

/// Forgets bytes that are deleted, unless they are to be deleted again.
pub async fn deleted(db: &mut Db, key: &str, now: Timestamp) -> Result<(), Error> {
    let later = "UPDATE blob_deletions SET due_at = again_at, again_at = NULL \
                 WHERE key = $1 AND again_at IS NOT NULL";
    db.queue(sql(later).bind(key)).await?;
    db.queue(sql("DELETE FROM blob_deletions WHERE key = $1 AND due_at <= $2").bind(key).bind(now)).await
}
