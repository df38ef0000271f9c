//! The key that platforms know us by. It is the operator's: made with any tool, set once, sealed at rest.

use crate::operator::Operator;
use crate::seal::Sealer;
use crate::{Error, Service};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::operator::{Action, Entry};
use jiff::Timestamp;
use ring::rand::SystemRandom;
use ring::rsa::{KeyPair, PublicKeyComponents};
use ring::signature::RSA_PKCS1_SHA256;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use store::lti::{self, Key};
use store::{Tx, operators};

/// Why a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyProblem {
    /// It is none that we can sign with.
    #[error("the file must hold an RSA private key of 2048 to 4096 bits in PEM form")]
    Unusable,
    /// Anything that can go wrong elsewhere too.
    #[error(transparent)]
    Other(#[from] Error),
}

/// The key, ready to sign.
pub(super) struct Signer {
    kid: String,
    pair: KeyPair,
}

impl Signer {
    /// A compact token that says this.
    pub(super) fn sign(&self, claims: &Value) -> Result<String, Error> {
        let header = json!({"alg": "RS256", "typ": "JWT", "kid": self.kid});
        let encode = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
        let signed = format!("{}.{}", encode(&header), encode(claims));
        let mut signature = vec![0; self.pair.public().modulus_len()];
        self.pair
            .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature)
            .map_err(|_| Error::Broken("the key for learning platforms does not sign".into()))?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

impl Service {
    /// Sets the key that we sign with, in the place of the one before; gives what it is called.
    #[crate::boxed]
    pub async fn set_lti_key(&self, by: &Operator, pem: &str) -> Result<String, KeyProblem> {
        let (kid, public) = public_half(&pair(pem).ok_or(KeyProblem::Unusable)?);
        let now = self.now();
        let sealed = self.0.sealer.seal(&context(&kid), pem, self.random());
        let key = Key { kid: kid.clone(), public: public.to_string(), sealed };
        let entry = Entry { object_id: Some(kid.clone()), ..self.entry(by, Action::LtiKeySet, now) };
        self.store()
            .write((self.clone(), key, entry, now), |tx, (service, key, entry, now)| {
                Box::pin(async move {
                    service.check_master_key_in(tx).await?;
                    lti::set_key(tx, key, *now).await?;
                    operators::record(tx, entry, None).await?;
                    Ok::<_, Error>(())
                })
            })
            .await?;
        Ok(kid)
    }

    /// The public half of our key as platforms read it; no key while none is set.
    #[crate::boxed]
    pub async fn lti_keys(&self) -> Result<Value, Error> {
        let key = lti::key(&mut *self.store().read().await?).await?;
        let parse = |key: Key| serde_json::from_str::<Value>(&key.public);
        let public = key.map(parse).transpose().map_err(|error| Error::Broken(error.into()))?;
        Ok(json!({"keys": public.into_iter().collect::<Vec<_>>()}))
    }

    /// The key to sign with; `None` while none is set.
    pub(super) async fn lti_signer(&self) -> Result<Option<Signer>, Error> {
        let Some(key) = lti::key(&mut *self.store().read().await?).await? else { return Ok(None) };
        let pem = self.0.sealer.open(&context(&key.kid), &key.sealed).ok_or(Error::OtherMasterKey)?;
        let pair =
            pair(&pem).ok_or_else(|| Error::Broken("the key for learning platforms is broken".into()))?;
        Ok(Some(Signer { kid: key.kid, pair }))
    }

    /// Seals the key under another master key; gives how many there were.
    pub(crate) async fn seal_lti_key_anew(
        &self,
        tx: &mut Tx,
        new: &Sealer,
        now: Timestamp,
    ) -> Result<usize, Error> {
        let Some(key) = lti::lock_key(tx).await? else { return Ok(0) };
        let place = context(&key.kid);
        let pem = self.0.sealer.open(&place, &key.sealed).ok_or(Error::OtherMasterKey)?;
        let sealed = new.seal(&place, &pem, self.random());
        lti::set_key(tx, &Key { sealed, ..key }, now).await?;
        Ok(1)
    }
}

fn context(kid: &str) -> String {
    format!("lti key {kid}")
}

fn pair(pem: &str) -> Option<KeyPair> {
    match PrivateKeyDer::from_pem_slice(pem.as_bytes()).ok()? {
        PrivateKeyDer::Pkcs8(der) => KeyPair::from_pkcs8(der.secret_pkcs8_der()).ok(),
        PrivateKeyDer::Pkcs1(der) => KeyPair::from_der(der.secret_pkcs1_der()).ok(),
        _ => None,
    }
}

/// What the key is called, and its public half. The name is the key's thumbprint (RFC 7638), so that the same key is
/// always called the same.
fn public_half(pair: &KeyPair) -> (String, Value) {
    let PublicKeyComponents { n, e } = PublicKeyComponents::<Vec<u8>>::from(pair.public());
    let (n, e) = (URL_SAFE_NO_PAD.encode(n), URL_SAFE_NO_PAD.encode(e));
    let canonical = format!(r#"{{"e":"{e}","kty":"RSA","n":"{n}"}}"#);
    let kid = URL_SAFE_NO_PAD.encode(Sha256::digest(canonical));
    let public = json!({"kty": "RSA", "use": "sig", "alg": "RS256", "kid": kid, "n": n, "e": e});
    (kid, public)
}
