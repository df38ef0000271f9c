//! The console's door: operators' keys, logging in and out, and the session behind a request.
//!
//! Keys and cookies are looked up by their hashes in the database on every request, so that a key that is revoked opens
//! nothing from that moment on, in every process.

use crate::address::Limiter;
use crate::{Error, Service};
use domain::id::OperatorKeyId;
use domain::key::KeyHash;
use domain::operator::{Action, Entry, OperatorKey, OperatorSecret, Session};
use domain::random;
use domain::rate::Minute;
use domain::text::ShortLine;
use jiff::Timestamp;
use std::net::{IpAddr, Ipv4Addr};
use store::operators;

/// Logins that may fail in a minute, from one address and from all together: each is a line of the record.
const FAILED_PER_ADDRESS: u32 = 10;
const FAILED_IN_ALL: u32 = 60;
/// Under which all addresses are counted together.
const ALL: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// Who operates.
#[derive(Clone, Debug)]
pub struct Operator {
    /// With which key; none on the command line, which whoever may read the database may use.
    pub key_id: Option<OperatorKeyId>,
    /// By which name.
    pub name: String,
    /// From where.
    pub address: Option<IpAddr>,
}

impl Operator {
    /// Whoever runs a command.
    pub fn command_line() -> Operator {
        Operator { key_id: None, name: "command line".to_owned(), address: None }
    }
}

/// How many logins failed in this minute, as this process knows.
#[derive(Debug)]
pub(crate) struct Logins {
    by_address: Limiter,
    in_all: Limiter,
}

impl Default for Logins {
    fn default() -> Logins {
        Logins { by_address: Limiter::allowing(FAILED_PER_ADDRESS), in_all: Limiter::allowing(FAILED_IN_ALL) }
    }
}

/// Why somebody cannot log in.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// No such key, or it is revoked.
    #[error("the key opens nothing")]
    Unknown,
    /// Too many tries.
    #[error("too many logins failed, wait {seconds} s")]
    TooMany {
        /// How long to wait.
        seconds: u32,
    },
    /// Anything that can go wrong elsewhere too.
    #[error(transparent)]
    Other(#[from] Error),
}

impl Service {
    /// Makes a key for an operator. It is shown now and never again.
    #[crate::boxed]
    pub async fn create_operator_key(
        &self,
        by: &Operator,
        name: ShortLine,
    ) -> Result<(OperatorKey, OperatorSecret), Error> {
        let now = self.now();
        let secret = OperatorSecret::new(self.random());
        let key = OperatorKey {
            id: self.id(now),
            name,
            hash: secret.hash(),
            last_four: secret.last_four(),
            created_at: now,
            revoked_at: None,
            last_used_at: None,
        };
        let entry = self.entry(by, Action::OperatorKeyCreated, now);
        let details = format!("For {}, ends in {}", key.name, key.last_four);
        let entry = Entry { object_id: Some(key.id.to_string()), details, ..entry };
        self.0
            .store
            .write((key.clone(), entry), |tx, (key, entry)| {
                Box::pin(async move {
                    operators::insert_key(tx, key).await?;
                    operators::record(tx, entry, None).await?;
                    Ok::<_, Error>(())
                })
            })
            .await?;
        Ok((key, secret))
    }

    /// Keys of operators in the order they were made, `rows` at a time after `last`.
    #[crate::boxed]
    pub async fn operator_keys_after(
        &self,
        last: Option<&OperatorKey>,
        rows: i64,
    ) -> Result<Vec<OperatorKey>, Error> {
        Ok(operators::keys_after(&mut *self.0.store.read().await?, last, rows).await?)
    }

    /// Revokes a key of an operator, and ends its sessions at once; repeating it is safe.
    #[crate::boxed]
    pub async fn revoke_operator_key(&self, by: &Operator, id: OperatorKeyId) -> Result<OperatorKey, Error> {
        let now = self.now();
        let entry =
            Entry { object_id: Some(id.to_string()), ..self.entry(by, Action::OperatorKeyRevoked, now) };
        self.0
            .store
            .write((id, entry, now), |tx, (id, entry, now)| {
                Box::pin(async move {
                    let key = operators::revoke_key(tx, *id, *now).await?;
                    let key = key.ok_or_else(|| Error::missing("operator's key", *id))?;
                    let details = format!("Of {}, ends in {}", key.name, key.last_four);
                    operators::record(tx, &Entry { details, ..entry.clone() }, None).await?;
                    Ok(key)
                })
            })
            .await
    }

    /// Trades an operator's key for the secret of a new session.
    #[crate::boxed]
    pub async fn log_in(&self, secret: &str, address: IpAddr) -> Result<String, LoginError> {
        let now = self.now();
        let (logins, minute) = (&self.0.logins, Minute::of(now));
        if logins.by_address.is_exhausted(address, minute) || logins.in_all.is_exhausted(ALL, minute) {
            return Err(LoginError::TooMany { seconds: Minute::seconds_left(now) });
        }
        let cookie = random::base62_secret(self.random());
        let someone = Operator { key_id: None, name: String::new(), address: Some(address) };
        let entries = [Action::Login, Action::LoginFailed].map(|action| self.entry(&someone, action, now));
        let input = (KeyHash::of(secret), KeyHash::of(&cookie), entries, now);
        let is_in = self
            .0
            .store
            .write(input, |tx, (hash, cookie, [login, failed], now)| {
                Box::pin(async move {
                    let Some(key) = operators::use_key(tx, hash, *now).await? else {
                        let operator = operators::name_of(tx, hash).await?.unwrap_or_default();
                        let details = match operator.as_str() {
                            "" => "With a key that was never made".to_owned(),
                            name => format!("With the revoked key of {name}"),
                        };
                        let failed = Entry { operator, details, ..failed.clone() };
                        operators::record(tx, &failed, None).await?;
                        return Ok::<_, Error>(false);
                    };
                    operators::insert_session(tx, cookie, key.id, *now).await?;
                    let operator = key.name.as_str().to_owned();
                    let login = Entry { key_id: Some(key.id), operator, ..login.clone() };
                    operators::record(tx, &login, None).await?;
                    Ok(true)
                })
            })
            .await?;
        if is_in {
            return Ok(cookie);
        }
        logins.by_address.count(address, minute);
        logins.in_all.count(ALL, minute);
        Err(LoginError::Unknown)
    }

    /// The session behind a cookie, if it is still open. `is_use`: a person asked, so that it does not end by rest.
    #[crate::boxed]
    pub async fn operator_session(&self, cookie: &str, is_use: bool) -> Result<Option<Session>, Error> {
        let (now, hash) = (self.now(), KeyHash::of(cookie));
        let session = operators::session(&mut *self.0.store.read().await?, &hash).await?;
        let Some(session) = session.filter(|session| session.is_open(now)) else { return Ok(None) };
        if is_use && session.is_worth_noting(now) {
            self.0
                .store
                .write((hash, now), |tx, (hash, now)| {
                    Box::pin(async move { Ok::<_, Error>(operators::seen(tx, hash, *now).await?) })
                })
                .await?;
        }
        Ok(Some(session))
    }

    /// Ends a session at once.
    #[crate::boxed]
    pub async fn log_out(&self, by: &Operator, cookie: &str) -> Result<(), Error> {
        let entry = self.entry(by, Action::Logout, self.now());
        self.0
            .store
            .write((KeyHash::of(cookie), entry), |tx, (cookie, entry)| {
                Box::pin(async move {
                    operators::end_session(tx, cookie).await?;
                    operators::record(tx, entry, None).await?;
                    Ok::<_, Error>(())
                })
            })
            .await
    }

    /// A line of the record, to be filled in.
    pub(crate) fn entry(&self, by: &Operator, action: Action, now: Timestamp) -> Entry {
        Entry {
            id: self.id(now),
            created_at: now,
            key_id: by.key_id,
            operator: by.name.clone(),
            address: by.address.map(|address| address.to_string()),
            action,
            account_id: None,
            object_id: None,
            reason: None,
            details: String::new(),
        }
    }
}
