//! Keys: recognising them on every request, issuing and revoking them.
//!
//! A recognised key is remembered for half a second, so a key that another process revokes stops working here
//! within a second. One that is revoked here stops at once: the revocation moves the cache's generation, and
//! what was read from the database before that is not remembered.

use crate::{Error, Service};
use domain::account::Account;
use domain::id::{AccountId, KeyId};
use domain::key::{ApiKey, KeyHash, KeySecret};
use domain::mode::Mode;
use domain::scope::Scopes;
use ipnet::IpNet;
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};
use store::mails::Mail;
use store::{Tx, accounts, keys, mails};

/// How long a recognised key is taken as it was read.
const FRESH: Duration = Duration::from_millis(500);
/// Keys remembered at most; beyond it the cache starts anew.
const KEYS_MAX: usize = 10_000;

/// A key that we know, with its account.
#[derive(Debug)]
pub struct Recognised {
    /// The key, as it was less than a second ago.
    pub key: ApiKey,
    /// Its account.
    pub account: Account,
    read_at: Instant,
    usage: Arc<Usage>,
}

/// When a key was used last, and what of that the database knows.
#[derive(Debug, Default)]
struct Usage {
    used_us: AtomicI64,
    written_us: AtomicI64,
}

/// Recognised keys by their hash.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    keys: RwLock<HashMap<KeyHash, Arc<Recognised>>>,
    generation: AtomicU64,
}

impl Cache {
    fn fresh(&self, hash: &KeyHash) -> Option<Arc<Recognised>> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.get(hash).filter(|known| known.read_at.elapsed() < FRESH).cloned()
    }

    /// The usage record of a key, which outlives the reading.
    fn usage(&self, hash: &KeyHash) -> Arc<Usage> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.get(hash).map(|known| Arc::clone(&known.usage)).unwrap_or_default()
    }

    fn remember(&self, known: &Arc<Recognised>, generation: u64) {
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        if self.generation.load(Ordering::SeqCst) != generation {
            return;
        }
        if keys.len() >= KEYS_MAX {
            keys.clear();
        }
        keys.insert(known.key.hash, Arc::clone(known));
    }

    /// Forgets a reading that is no longer true; called after the change is committed.
    fn forget(&self, hash: &KeyHash) {
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        self.generation.fetch_add(1, Ordering::SeqCst);
        keys.remove(hash);
    }

    /// Keys used since the database last heard of them.
    fn unwritten(&self) -> Vec<(KeyId, i64, Arc<Usage>)> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let entry = |known: &Arc<Recognised>| {
            let used = known.usage.used_us.load(Ordering::Relaxed);
            let is_new = used > known.usage.written_us.load(Ordering::Relaxed);
            is_new.then(|| (known.key.id, used, Arc::clone(&known.usage)))
        };
        keys.values().filter_map(entry).collect()
    }
}

/// What a new key may do.
#[derive(Clone, Debug, Default)]
pub struct NewKey {
    /// The operator's own name for it.
    pub name: Option<String>,
    /// `None` for an unrestricted key.
    pub scopes: Option<Scopes>,
    /// Empty for any address.
    pub allowed_networks: Vec<IpNet>,
}

impl Service {
    /// The key behind a presented secret, revoked ones included. `None`: we never issued it.
    #[crate::boxed]
    pub async fn recognise(&self, secret: &str, now: Timestamp) -> Result<Option<Arc<Recognised>>, Error> {
        let hash = KeyHash::of(secret);
        let cache = &self.0.keys;
        let known = match cache.fresh(&hash) {
            Some(known) => known,
            None => {
                let generation = cache.generation.load(Ordering::SeqCst);
                let Some(known) = self.read_key(&hash).await? else { return Ok(None) };
                cache.remember(&known, generation);
                known
            }
        };
        known.usage.used_us.fetch_max(now.as_microsecond(), Ordering::Relaxed);
        Ok(Some(known))
    }

    async fn read_key(&self, hash: &KeyHash) -> Result<Option<Arc<Recognised>>, Error> {
        let read_at = Instant::now();
        let mut db = self.0.store.read().await?;
        let Some(key) = keys::by_hash(&mut db, hash).await?.filter(|key| key.hash.matches(hash)) else {
            return Ok(None);
        };
        let account = accounts::by_id(&mut db, key.account_id).await?;
        let account = account.ok_or_else(|| Error::missing("account", key.account_id))?;
        let usage = self.0.keys.usage(hash);
        Ok(Some(Arc::new(Recognised { key, account, read_at, usage })))
    }

    /// Issues a key. The secret is shown now and never again.
    #[crate::boxed]
    pub async fn issue_key(
        &self,
        account_id: AccountId,
        mode: Mode,
        new: NewKey,
    ) -> Result<(ApiKey, KeySecret), Error> {
        let (key, secret) = self.draft_key(account_id, mode, new, self.now());
        self.0.store.write(key.clone(), |tx, key| Box::pin(insert_in(tx, key))).await?;
        Ok((key, secret))
    }

    /// A key that is not stored yet, with its secret.
    pub(crate) fn draft_key(
        &self,
        account_id: AccountId,
        mode: Mode,
        new: NewKey,
        now: Timestamp,
    ) -> (ApiKey, KeySecret) {
        let secret = KeySecret::new(mode, self.random());
        let key = ApiKey {
            id: self.id(now),
            account_id,
            mode,
            name: new.name,
            hash: secret.hash(),
            last_four: secret.last_four(),
            scopes: new.scopes,
            allowed_networks: new.allowed_networks,
            created_at: now,
            revoked_at: None,
            last_used_at: None,
            exposed_at: None,
        };
        (key, secret)
    }

    /// An account's keys, oldest first.
    #[crate::boxed]
    pub async fn keys_of(&self, account_id: AccountId) -> Result<Vec<ApiKey>, Error> {
        Ok(keys::of_account(&mut *self.0.store.read().await?, account_id).await?)
    }

    /// The key of this id, whoever it belongs to; for the operator.
    #[crate::boxed]
    pub async fn any_key(&self, id: KeyId) -> Result<ApiKey, Error> {
        let key = keys::by_id(&mut *self.0.store.read().await?, id).await?;
        key.ok_or_else(|| Error::missing("key", id))
    }

    /// Revokes a key; repeating it is safe. It stops working in this process before this returns.
    #[crate::boxed]
    pub async fn revoke_key(&self, id: KeyId) -> Result<ApiKey, Error> {
        let key =
            self.0.store.write((id, self.now()), |tx, &(id, now)| Box::pin(revoke_in(tx, id, now))).await?;
        self.forget_key(&key);
        Ok(key)
    }

    /// Takes a key no longer as it was read; called after its revocation is committed.
    pub(crate) fn forget_key(&self, key: &ApiKey) {
        self.0.keys.forget(&key.hash);
    }

    /// Notes that a key came over plain HTTP, where anyone on the way could read it, and mails the account's
    /// technical contact, once.
    #[crate::boxed]
    pub async fn expose_key(&self, known: &Recognised) -> Result<(), Error> {
        if known.key.exposed_at.is_some() {
            return Ok(());
        }
        tracing::warn!(key.id = %known.key.id, "an API key was sent over plain HTTP and must be taken as exposed");
        let mail = known.account.contact.clone().map(|recipient| exposure_mail(recipient, &known.key));
        self.0
            .store
            .write((known.key.id, mail, self.now()), |tx, (id, mail, now)| {
                Box::pin(async move {
                    let is_first = keys::expose(tx, *id, *now).await?;
                    if let Some(mail) = mail.as_ref().filter(|_| is_first) {
                        mails::enqueue(tx, &format!("exposed {id}"), mail, *now).await?;
                    }
                    Ok::<_, Error>(())
                })
            })
            .await?;
        self.0.keys.forget(&known.key.hash);
        Ok(())
    }

    /// Writes down when keys were last used; called now and then, and at the end.
    #[crate::boxed]
    pub async fn write_key_usage(&self) -> Result<(), Error> {
        for (id, used_us, usage) in self.0.keys.unwritten() {
            let Ok(used_at) = Timestamp::from_microsecond(used_us) else { continue };
            self.0
                .store
                .write((id, used_at), |tx, &(id, used_at)| {
                    Box::pin(async move { keys::used(tx, id, used_at).await })
                })
                .await?;
            usage.written_us.fetch_max(used_us, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Adds a key to its account.
pub(crate) async fn insert_in(tx: &mut Tx, key: &ApiKey) -> Result<(), Error> {
    if accounts::by_id(tx, key.account_id).await?.is_none() {
        return Err(Error::missing("account", key.account_id));
    }
    Ok(keys::insert(tx, key).await?)
}

/// Revokes a key; one that is revoked stays so since then.
pub(crate) async fn revoke_in(tx: &mut Tx, id: KeyId, now: Timestamp) -> Result<ApiKey, Error> {
    keys::revoke(tx, id, now).await?;
    keys::by_id(tx, id).await?.ok_or_else(|| Error::missing("key", id))
}

fn exposure_mail(recipient: String, key: &ApiKey) -> Mail {
    let named = key.name.as_deref().map_or_else(String::new, |name| format!(" (\"{name}\")"));
    Mail {
        recipient,
        subject: "An API key of yours was sent over plain HTTP".to_owned(),
        body: format!(
            "The {mode} key{named} that ends in {last_four} ({id}) was sent to us over http://, where anyone on \
             the way could read it. We refused the request.\n\nPlease take the key as known to others: ask for \
             a new one, change your program to https://, then revoke the old key with \
             POST /v1/api_key/revoke.\n",
            mode = key.mode,
            last_four = key.last_four,
            id = key.id,
        ),
    }
}
