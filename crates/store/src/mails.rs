//! Mail that waits to be sent, written in the transaction of what it tells.

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
