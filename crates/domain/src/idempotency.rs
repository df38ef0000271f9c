//! Idempotency keys: what makes a repeated request harmless.

use crate::id::AccountId;
use crate::mode::Mode;
use jiff::SignedDuration;
use sha2::{Digest, Sha256};

/// How long a key is remembered (contract: 24 hours).
pub const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// A client's key: 1 to 255 printable ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key(String);

impl Key {
    /// The key in this header value, if it keeps the rule.
    pub fn parse(bytes: &[u8]) -> Option<Key> {
        let printable = bytes.iter().all(|byte| (0x21..=0x7e).contains(byte));
        let fits = (1..=255).contains(&bytes.len());
        (printable && fits).then(|| Key(String::from_utf8_lossy(bytes).into_owned()))
    }

    /// The key's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is kept of it: clients may put a student's reference into a key, and that must not stay.
    pub fn to_hash(&self) -> String {
        crate::text::hex(&Sha256::digest(&self.0))
    }
}

/// What the same key must come with to be the same request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    stored: [u8; 32],
    /// Follows from the request as well, and not from what is stored.
    unstored: [u8; 32],
}

impl std::fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fingerprint({})", self.to_hex())
    }
}

impl Fingerprint {
    /// Of the method, the path and the canonical form of the parsed body.
    pub fn of(method: &str, path: &str, body: &[u8]) -> Fingerprint {
        let digest = |mut digest: Sha256| {
            for part in [method.as_bytes(), path.as_bytes(), body] {
                digest.update((part.len() as u64).to_be_bytes());
                digest.update(part);
            }
            digest.finalize().into()
        };
        let unstored = Sha256::new().chain_update(b"what an answer is sealed under\0");
        Fingerprint { stored: digest(Sha256::new()), unstored: digest(unstored) }
    }

    /// As it is stored.
    pub fn to_hex(self) -> String {
        crate::text::hex(&self.stored)
    }
}

/// A key with its owner and its request.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Whose key.
    pub account_id: AccountId,
    /// In which world.
    pub mode: Mode,
    /// The key.
    pub key: Key,
    /// The request it came with.
    pub fingerprint: Fingerprint,
}

impl Claim {
    /// What the answer is sealed under while it is remembered. It takes the same request with the same key to open
    /// it, so an answer that speaks of something deleted tells nobody else of it.
    pub fn answer_key(&self) -> [u8; 32] {
        Sha256::new()
            .chain_update(self.fingerprint.unstored)
            .chain_update(self.key.as_str())
            .finalize()
            .into()
    }

    /// A number to lock the key by while its request runs.
    pub fn lock_number(&self) -> i64 {
        let digest = Sha256::new()
            .chain_update(self.account_id.to_string())
            .chain_update(self.mode.name())
            .chain_update(self.key.as_str())
            .finalize();
        i64::from_be_bytes(digest[..8].try_into().expect("a digest is longer than 8 bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_printable_ascii_of_1_to_255_is_a_key() {
        assert!(Key::parse(b"order-42~!").is_some());
        assert!(Key::parse(&[b'x'; 255]).is_some());
        for wrong in [&b""[..], b"with space", b"tab\t", "é".as_bytes(), &[b'x'; 256], &[0x7f]] {
            assert_eq!(Key::parse(wrong), None);
        }
    }

    #[test]
    fn an_answer_is_sealed_under_the_request_and_its_key() {
        let claim = |key: &[u8], body: &[u8]| Claim {
            account_id: crate::id::Identifier::from_number(1),
            mode: Mode::Live,
            key: Key::parse(key).unwrap(),
            fingerprint: Fingerprint::of("POST", "/v1/files", body),
        };
        let one = claim(b"k", b"{}").answer_key();
        assert_eq!(one, claim(b"k", b"{}").answer_key());
        assert_ne!(one, claim(b"l", b"{}").answer_key());
        assert_ne!(one, claim(b"k", b"[]").answer_key());
        assert_ne!(crate::text::hex(&one), claim(b"k", b"{}").fingerprint.to_hex());
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(Fingerprint::of("POST", "/a", b"b"), Fingerprint::of("POST", "/ab", b""));
    }
}
