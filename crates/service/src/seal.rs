//! Secrets at rest: sealed under the master key, which is never in the database.
//!
//! A sealed text is bound to its place (`context`), so that it cannot be moved to another row. The database
//! remembers a fingerprint of the master key that its secrets are sealed under; whoever holds another key is
//! told so instead of making or meeting secrets that do not open.

use crate::{Error, Service};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::id::EndpointId;
use domain::random::{self, Random};
use domain::webhook::{SealedSecret, SigningSecret};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::{Digest as _, Sha256};
use std::fmt;
use store::{Store, Tx, settings, webhooks};

/// The setting that remembers which key the secrets are sealed under.
const FINGERPRINT: &str = "master_key_fingerprint";
/// The form of what is sealed.
const VERSION: &str = "1.";
/// The place of a remembered answer.
const ANSWER: &str = "answer";
/// Endpoints read at a time when all are sealed anew.
const BATCH: i64 = 500;

/// Seals and opens with one master key.
pub struct Sealer {
    key: LessSafeKey,
    fingerprint: String,
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealer")
    }
}

impl Sealer {
    /// Seals under this key.
    pub fn new(master_key: &[u8; 32]) -> Sealer {
        let key = UnboundKey::new(&CHACHA20_POLY1305, master_key).expect("the key has the cipher's length");
        let digest = Sha256::new().chain_update(b"tickmark master key\0").chain_update(master_key).finalize();
        let fingerprint = URL_SAFE_NO_PAD.encode(&digest[..16]);
        Sealer { key: LessSafeKey::new(key), fingerprint }
    }

    /// Tells this key from others without revealing it.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Seals a text for its place.
    pub(crate) fn seal(&self, context: &str, text: &str, random: &dyn Random) -> String {
        let nonce = random::bytes::<NONCE_LEN>(random);
        let mut sealed = text.as_bytes().to_vec();
        self.key
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(context), &mut sealed)
            .expect("a text in memory can always be sealed");
        let mut bytes = nonce.to_vec();
        bytes.append(&mut sealed);
        format!("{VERSION}{}", URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Opens what was sealed for this place.
    pub(crate) fn open(&self, context: &str, sealed: &str) -> Option<String> {
        let mut bytes = URL_SAFE_NO_PAD.decode(sealed.strip_prefix(VERSION)?).ok()?;
        let (nonce, content) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let text = self.key.open_in_place(nonce, Aad::from(context), content).ok()?;
        String::from_utf8(text.to_vec()).ok()
    }

    /// Seals what a request answered. The key is the request's own; see [`domain::idempotency::Claim::answer_key`].
    pub(crate) fn seal_answer(&self, body: &str, random: &dyn Random) -> String {
        self.seal(ANSWER, body, random)
    }

    /// Opens what a request answered.
    pub(crate) fn open_answer(&self, sealed: &str) -> Result<String, Error> {
        self.open(ANSWER, sealed).ok_or_else(|| Error::Broken("a remembered answer does not open".into()))
    }

    /// Seals an endpoint's secret.
    pub(crate) fn seal_secret(
        &self,
        endpoint: EndpointId,
        secret: &SigningSecret,
        random: &dyn Random,
    ) -> SealedSecret {
        SealedSecret(self.seal(&context(endpoint), secret.reveal(), random))
    }

    /// Opens an endpoint's secret.
    pub(crate) fn open_secret(
        &self,
        endpoint: EndpointId,
        sealed: &SealedSecret,
    ) -> Result<SigningSecret, Error> {
        let opened = self.open(&context(endpoint), &sealed.0);
        opened.map(SigningSecret::trusted).ok_or(Error::OtherMasterKey)
    }
}

fn context(endpoint: EndpointId) -> String {
    format!("webhook_endpoint {endpoint} secret")
}

/// The fingerprint of the key that a database's secrets are sealed under; `None` in a new database.
#[crate::boxed]
pub async fn fingerprint_of(store: &Store) -> Result<Option<String>, Error> {
    Ok(settings::value(&mut *store.read().await?, FINGERPRINT).await?)
}

impl Service {
    /// Makes sure that this process has the master key which the database's secrets are sealed under. The
    /// first process on a database decides.
    #[crate::boxed]
    pub async fn check_master_key(&self) -> Result<(), Error> {
        let kept = match fingerprint_of(self.store()).await? {
            Some(kept) => kept,
            None => {
                let own = self.0.sealer.fingerprint.clone();
                self.store()
                    .write(own, |tx, own| {
                        Box::pin(
                            async move { Ok::<_, Error>(settings::set_once(tx, FINGERPRINT, own).await?) },
                        )
                    })
                    .await?
            }
        };
        if kept == self.0.sealer.fingerprint { Ok(()) } else { Err(Error::OtherMasterKey) }
    }

    /// Before something is sealed: the database may have changed to another key since this process began. It does not
    /// change before the transaction ends.
    pub(crate) async fn check_master_key_in(&self, tx: &mut Tx) -> Result<(), Error> {
        let kept = settings::lock(tx, FINGERPRINT).await?;
        if kept.is_none_or(|kept| kept == self.0.sealer.fingerprint) {
            Ok(())
        } else {
            Err(Error::OtherMasterKey)
        }
    }

    /// Seals everything anew under another master key, all at once or not at all; gives how many secrets.
    #[crate::boxed]
    pub async fn change_master_key(&self, new_key: [u8; 32]) -> Result<usize, Error> {
        self.store()
            .write((self.clone(), new_key, self.now()), |tx, (service, new_key, now)| {
                Box::pin(async move {
                    service.check_master_key_in(tx).await?;
                    let new = Sealer::new(new_key);
                    let mut count = 0;
                    let mut last = None;
                    loop {
                        let endpoints = webhooks::lock_after(tx, last, BATCH).await?;
                        let Some(end) = endpoints.last() else { break };
                        last = Some(end.id);
                        for found in endpoints {
                            let mut endpoint = found.clone();
                            let old = endpoint.old_secret.as_mut().map(|(secret, _)| secret);
                            for sealed in std::iter::once(&mut endpoint.secret).chain(old) {
                                let secret = service.0.sealer.open_secret(endpoint.id, sealed)?;
                                *sealed = new.seal_secret(endpoint.id, &secret, service.random());
                                count += 1;
                            }
                            webhooks::save(tx, &found, &endpoint).await?;
                        }
                    }
                    count += service.seal_lti_key_anew(tx, &new, *now).await?;
                    settings::set(tx, FINGERPRINT, &new.fingerprint).await?;
                    Ok(count)
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Counting(std::sync::atomic::AtomicU8);

    impl Random for Counting {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst));
        }
    }

    #[test]
    fn a_text_opens_under_its_key_and_in_its_place_only() {
        let random = Counting(0.into());
        let sealer = Sealer::new(&[7; 32]);
        let sealed = sealer.seal("here", "whsec_abc", &random);
        assert!(!sealed.contains("abc"));
        assert_ne!(sealed, sealer.seal("here", "whsec_abc", &random), "no two are alike");
        assert_eq!(sealer.open("here", &sealed).as_deref(), Some("whsec_abc"));
        assert_eq!(sealer.open("there", &sealed), None);
        assert_eq!(Sealer::new(&[8; 32]).open("here", &sealed), None);
        for broken in ["", "1.", "2.AAAA", "1.AAAA", "1.!", &sealed[..sealed.len() - 1]] {
            assert_eq!(sealer.open("here", broken), None, "{broken}");
        }
        assert_ne!(sealer.fingerprint, Sealer::new(&[8; 32]).fingerprint);
    }
}
