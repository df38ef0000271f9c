//! Mail that waits to be sent, written in the transaction of what it tells.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, sql};
use jiff::Timestamp;

/// A mail to someone.
#[derive(Clone, Debug)]
pub struct Mail {
    /// To whom.
    pub recipient: String,
    /// Its subject line.
    pub subject: String,
    /// Plain text.
    pub body: String,
}

/// Puts a mail in the queue. The id makes a repeated call harmless.
pub async fn enqueue(db: &mut Db, id: &str, mail: &Mail, now: Timestamp) -> Result<(), Error> {
    let statement = "INSERT INTO mails (id, recipient, subject, body, attempts, next_at, created_at) \
                     VALUES ($1, $2, $3, $4, 0, $5, $5) ON CONFLICT (id) DO NOTHING";
    db.execute(sql(statement).bind(id).bind(&mail.recipient).bind(&mail.subject).bind(&mail.body).bind(now))
        .await
        .map(drop)
}

/// A mail in the queue.
#[derive(Clone, Debug)]
pub struct Queued {
    /// Names it.
    pub id: String,
    /// What is to be sent.
    pub mail: Mail,
    /// How often sending it failed.
    pub attempts: u32,
}

impl FromRow for Queued {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let mail = Mail { recipient: row.text(1)?, subject: row.text(2)?, body: row.text(3)? };
        Ok(Queued { id: row.text(0)?, mail, attempts: Columns::of("mails", row).count(4)? })
    }
}

/// Mail that is due, longest first.
pub async fn due(db: &mut Db, now: Timestamp, rows: i64) -> Result<Vec<Queued>, Error> {
    let statement = "SELECT id, recipient, subject, body, attempts FROM mails WHERE next_at <= $1 \
                     ORDER BY next_at LIMIT $2";
    db.all(sql(statement).bind(now).bind(rows)).await
}

/// Takes a mail that was sent out of the queue.
pub async fn sent(db: &mut Db, id: &str) -> Result<(), Error> {
    db.queue(sql("DELETE FROM mails WHERE id = $1").bind(id)).await
}

/// Tries a mail again later.
pub async fn postpone(db: &mut Db, id: &str, next_at: Timestamp) -> Result<(), Error> {
    let statement = "UPDATE mails SET attempts = attempts + 1, next_at = $2 WHERE id = $1";
    db.queue(sql(statement).bind(id).bind(next_at)).await
}
