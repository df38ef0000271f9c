//! API keys: opaque secrets of which only a hash is kept.

use crate::id::{AccountId, KeyId};
use crate::mode::Mode;
use crate::random::{self, Random};
use crate::scope::Scopes;
use ipnet::IpNet;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::fmt;
use std::net::IpAddr;
use subtle::ConstantTimeEq;

/// A key as it is kept.
#[derive(Clone, Debug)]
pub struct ApiKey {
    /// Names it without revealing it.
    pub id: KeyId,
    /// Whose it is.
    pub account_id: AccountId,
    /// The world it opens.
    pub mode: Mode,
    /// The operator's own name for it.
    pub name: Option<String>,
    /// Of the whole secret.
    pub hash: KeyHash,
    /// To recognise it by.
    pub last_four: String,
    /// `None` for an unrestricted key.
    pub scopes: Option<Scopes>,
    /// Empty when any address may use it.
    pub allowed_networks: Vec<IpNet>,
    /// When it was issued.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// About when it was last used.
    pub last_used_at: Option<Timestamp>,
    /// When it first came over plain HTTP and so must be taken as known to others.
    pub exposed_at: Option<Timestamp>,
}

impl ApiKey {
    /// True when requests from this address may use the key.
    pub fn allows_address(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.allowed_networks.is_empty()
            || self.allowed_networks.iter().any(|network| network.contains(&address))
    }
}

/// SHA-256 of a whole key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyHash([u8; 32]);

impl KeyHash {
    /// The hash of a presented key.
    pub fn of(secret: &str) -> KeyHash {
        KeyHash(Sha256::digest(secret).into())
    }

    /// Compares without telling by its duration how much agrees.
    pub fn matches(&self, other: &KeyHash) -> bool {
        self.0.ct_eq(&other.0).into()
    }

    /// As it is stored.
    pub fn to_hex(self) -> String {
        crate::text::hex(&self.0)
    }

    /// Reads what [`KeyHash::to_hex`] wrote.
    pub fn parse(hex: &str) -> Option<KeyHash> {
        let mut bytes = [0; 32];
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&hex[2 * index..2 * index + 2], 16).ok()?;
        }
        Some(KeyHash(bytes))
    }
}

/// A freshly made key, to be shown once and then forgotten.
pub struct KeySecret(String);

impl KeySecret {
    /// The prefix that tells the mode.
    pub const fn prefix(mode: Mode) -> &'static str {
        match mode {
            Mode::Live => "tm_sk_live_",
            Mode::Test => "tm_sk_test_",
        }
    }

    /// A new secret of 32 random bytes.
    pub fn new(mode: Mode, random: &dyn Random) -> KeySecret {
        KeySecret(format!("{}{}", KeySecret::prefix(mode), random::base62_secret(random)))
    }

    /// Its hash, which is what is kept.
    pub fn hash(&self) -> KeyHash {
        KeyHash::of(&self.0)
    }

    /// Its last four characters.
    pub fn last_four(&self) -> String {
        self.0[self.0.len() - 4..].to_owned()
    }

    /// Shows it, the one time that it is shown.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Never in a log.
impl fmt::Debug for KeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeySecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Identifier;

    fn key(networks: &[&str]) -> ApiKey {
        ApiKey {
            id: KeyId::from_number(1),
            account_id: AccountId::from_number(1),
            mode: Mode::Live,
            name: None,
            hash: KeyHash::of("x"),
            last_four: "abcd".into(),
            scopes: None,
            allowed_networks: networks.iter().map(|network| network.parse().unwrap()).collect(),
            created_at: Timestamp::UNIX_EPOCH,
            revoked_at: None,
            last_used_at: None,
            exposed_at: None,
        }
    }

    #[test]
    fn an_allowlist_holds_for_both_families_and_mapped_addresses() {
        let restricted = key(&["192.0.2.0/24", "2001:db8::/32"]);
        for (address, allowed) in [
            ("192.0.2.7", true),
            ("192.0.3.7", false),
            ("::ffff:192.0.2.7", true),
            ("2001:db8::1", true),
            ("2001:db9::1", false),
        ] {
            assert_eq!(restricted.allows_address(address.parse().unwrap()), allowed, "{address}");
        }
        assert!(key(&[]).allows_address("203.0.113.9".parse().unwrap()));
    }

    #[test]
    fn a_hash_reads_back() {
        let hash = KeyHash::of("tm_sk_test_x");
        assert!(hash.matches(&KeyHash::parse(&hash.to_hex()).unwrap()));
        assert_eq!(KeyHash::parse("é"), None);
        assert_eq!(KeyHash::parse(&"zz".repeat(32)), None);
    }
}
