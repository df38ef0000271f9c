//! Mail to technical contacts: written with what causes it, sent from here.
//!
//! A mail leaves the queue after it was sent; a crash in between sends it once more, which is better than not
//! at all. What cannot be sent is tried again with growing delays.

use crate::{Error, Service};
use jiff::SignedDuration;
use std::fmt::Debug;
use std::io::{self, Write as _};
use std::path::PathBuf;
use store::mails::{self, Mail, Queued};

/// Mails sent in one run.
const BATCH: i64 = 100;
/// The longest delay between two tries.
const DELAY_MAX: SignedDuration = SignedDuration::from_hours(12);

/// Sends mail.
pub trait Mailer: Send + Sync + Debug {
    /// Sends one mail; `id` names it, so that a repeated try can be known.
    fn send(&self, id: &str, mail: &Mail) -> io::Result<()>;
}

/// Without SMTP settings mail becomes files in the data folder's outbox, for the operator to find.
#[derive(Debug)]
pub struct Outbox {
    folder: PathBuf,
}

impl Outbox {
    /// An outbox in this folder, which is made when the first mail comes.
    pub fn new(folder: PathBuf) -> Outbox {
        Outbox { folder }
    }
}

impl Mailer for Outbox {
    fn send(&self, id: &str, mail: &Mail) -> io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let name: String = id
            .chars()
            .map(|character| if character.is_ascii_alphanumeric() { character } else { '-' })
            .collect();
        let unfinished = self.folder.join(format!(".{name}"));
        let mut file = std::fs::File::create(&unfinished)?;
        // Line ends in a header would let its text pretend to be other headers.
        let header = |text: &str| text.replace(['\r', '\n'], " ");
        write!(
            file,
            "To: {}\nSubject: {}\nContent-Type: text/plain; charset=utf-8\n\n{}",
            header(&mail.recipient),
            header(&mail.subject),
            mail.body
        )?;
        file.sync_all()?;
        std::fs::rename(unfinished, self.folder.join(format!("{name}.eml")))
    }
}

impl Service {
    /// Sends the mail that is due.
    #[crate::boxed]
    pub async fn send_mails(&self) -> Result<(), Error> {
        let now = self.now();
        let due = mails::due(&mut *self.0.store.read().await?, now, BATCH).await?;
        for Queued { id, mail, attempts } in due {
            let mailer = std::sync::Arc::clone(&self.0.mailer);
            let name = id.clone();
            let sending = tokio::task::spawn_blocking(move || mailer.send(&name, &mail)).await;
            let outcome = sending.unwrap_or_else(|panic| Err(io::Error::other(panic)));
            if let Err(error) = &outcome {
                tracing::warn!(mail.id = id, %error, "a mail could not be sent and is tried again");
            }
            let next_at = outcome.is_err().then(|| now + delay(attempts));
            self.0
                .store
                .write((id, next_at), |tx, (id, next_at)| {
                    Box::pin(async move {
                        match next_at {
                            Some(next_at) => mails::postpone(tx, id, *next_at).await,
                            None => mails::sent(tx, id).await,
                        }
                    })
                })
                .await?;
        }
        Ok(())
    }
}

/// One minute, then twice as long each time.
fn delay(attempts: u32) -> SignedDuration {
    let minutes = 1_i64 << attempts.min(12);
    SignedDuration::from_mins(minutes).min(DELAY_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_to_twelve_hours() {
        assert_eq!(delay(0), SignedDuration::from_mins(1));
        assert_eq!(delay(3), SignedDuration::from_mins(8));
        assert_eq!(delay(40), DELAY_MAX);
    }
}
