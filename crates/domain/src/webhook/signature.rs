//! Signatures: proof that a delivery comes from us and was not changed (API text, 6.4).

use crate::random::{self, Random};
use crate::text::hex;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::fmt::{self, Write as _};

/// The header that carries the signatures.
pub const HEADER: &str = "service-signature";
/// How every secret begins.
const PREFIX: &str = "whsec_";

/// A secret in the clear: shown when it is made, and held while something is signed.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(String);

impl SigningSecret {
    /// A new secret of 32 random bytes.
    pub fn new(random: &dyn Random) -> SigningSecret {
        SigningSecret(format!("{PREFIX}{}", random::base62_secret(random)))
    }

    /// Takes what was unsealed.
    pub fn trusted(text: String) -> SigningSecret {
        SigningSecret(text)
    }

    /// Shows it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Never in a log.
impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret")
    }
}

/// The header's value: `t=<unix seconds>` and one `v1=<hex>` for each secret.
pub fn sign<'s>(
    secrets: impl IntoIterator<Item = &'s SigningSecret>,
    unix_seconds: i64,
    body: &[u8],
) -> String {
    let mut value = format!("t={unix_seconds}");
    let time = unix_seconds.to_string();
    for secret in secrets {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.0.as_bytes()).expect("a key may have any length");
        mac.update(time.as_bytes());
        mac.update(b".");
        mac.update(body);
        let _ = write!(value, ",v1={}", hex(&mac.finalize().into_bytes()));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_what_other_tools_compute() {
        // printf '1700000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_secret
        let secret = SigningSecret::trusted("whsec_secret".to_owned());
        assert_eq!(
            sign(std::slice::from_ref(&secret), 1_700_000_000, br#"{"id":"evt_1"}"#),
            "t=1700000000,v1=7aa0c32b7f782241f188714c83ab73a6f2c5c6dd2c76b9cd53935f6d779e0ef8"
        );
        let both = sign(&[secret, SigningSecret::trusted("whsec_old".to_owned())], 1, b"");
        assert_eq!(both.matches(",v1=").count(), 2);
    }
}
