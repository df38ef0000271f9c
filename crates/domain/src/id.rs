//! Identifiers: a prefix that names the kind, then a time-ordered 128-bit number.
//!
//! The number is 48 bits of milliseconds and 80 random bits, written as 26 characters of the ULID
//! alphabet in lower case, so that identifiers made later sort later.

use crate::random::{self, Random};
use jiff::Timestamp;
use std::fmt;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const BODY_LENGTH: usize = 26;

/// What every identifier can do. Each kind is its own type, so that one cannot stand for another.
pub trait Identifier: Sized + Copy + fmt::Display {
    /// "pap_" and the like.
    const PREFIX: &'static str;

    /// Makes the identifier from its number.
    fn from_number(number: u128) -> Self;

    /// Its number.
    fn number(self) -> u128;

    /// A new identifier.
    fn new(now: Timestamp, random: &dyn Random) -> Self {
        let milliseconds = u128::try_from(now.as_millisecond()).unwrap_or_default() & ((1 << 48) - 1);
        let mut bytes = [0; 16];
        bytes[6..].copy_from_slice(&random::bytes::<10>(random));
        Self::from_number((milliseconds << 80) | u128::from_be_bytes(bytes))
    }

    /// The identifier that this text is, if it is one of this kind.
    fn parse(text: &str) -> Option<Self> {
        let body = text.strip_prefix(Self::PREFIX)?;
        decode(body).map(Self::from_number)
    }
}

fn decode(body: &str) -> Option<u128> {
    // 26 characters of 5 bits are 130 bits: the first may only use three.
    if body.len() != BODY_LENGTH || body.as_bytes()[0] > b'7' {
        return None;
    }
    body.bytes().try_fold(0_u128, |number, byte| {
        let digit = ALPHABET.iter().position(|&letter| letter == byte)?;
        Some((number << 5) | digit as u128)
    })
}

fn write(prefix: &str, number: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut body = [0; BODY_LENGTH];
    for (index, letter) in body.iter_mut().rev().enumerate() {
        *letter = ALPHABET[(number >> (5 * index)) as usize & 31];
    }
    f.write_str(prefix)?;
    f.write_str(std::str::from_utf8(&body).expect("the alphabet is ASCII"))
}

macro_rules! identifiers {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u128);

        impl Identifier for $name {
            const PREFIX: &'static str = $prefix;

            fn from_number(number: u128) -> Self {
                $name(number)
            }

            fn number(self) -> u128 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write($prefix, self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.to_string()
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

identifiers! {
    /// A partner's account.
    AccountId = "acct_";
    /// A secret key of an account.
    KeyId = "key_";
    /// A registered file.
    FileId = "file_";
    /// A subject of the catalogue.
    SubjectId = "subj_";
    /// A question paper with its scheme.
    PaperId = "pap_";
    /// A question of a paper.
    QuestionId = "q_";
    /// One student's script.
    SubmissionId = "sub_";
    /// A stack of pages of a whole class.
    ClassScanId = "scan_";
    /// Something that happened.
    EventId = "evt_";
    /// A webhook endpoint.
    EndpointId = "we_";
    /// A movement of credits.
    TransactionId = "ctx_";
    /// A request, as named in `X-Request-Id`.
    RequestId = "req_";
    /// A piece of background work.
    JobId = "job_";
    /// A mark that a person set, or agreed with.
    AdjustmentId = "adj_";
    /// A line of the record of a review.
    ChangeId = "chg_";
    /// A key that opens the operator's console.
    OperatorKeyId = "okey_";
    /// A line of the record of what operators did.
    EntryId = "log_";
    /// A learning platform that may launch us.
    LtiPlatformId = "ltip_";
    /// A resource link of a platform.
    LtiLinkId = "ltil_";
    /// A mark on its way to a platform.
    LtiScoreId = "ltis_";
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_identifier_reads_back_as_itself(number: u128) {
            let id = PaperId::from_number(number);
            prop_assert_eq!(PaperId::parse(&id.to_string()), Some(id));
            prop_assert_eq!(id.to_string().len(), "pap_".len() + BODY_LENGTH);
        }

        #[test]
        fn later_identifiers_sort_later(one: u128, other: u128) {
            let texts = (PaperId::from_number(one).to_string(), PaperId::from_number(other).to_string());
            prop_assert_eq!(one.cmp(&other), texts.0.cmp(&texts.1));
        }

        #[test]
        fn no_text_breaks_the_parser(text: String) {
            let _ = PaperId::parse(&text);
            let _ = PaperId::parse(&format!("pap_{text}"));
        }
    }

    #[test]
    fn other_kinds_and_wrong_bodies_are_refused() {
        let id = PaperId::from_number(7).to_string();
        assert_eq!(SubmissionId::parse(&id), None);
        assert_eq!(PaperId::parse(&id.to_uppercase()), None);
        assert_eq!(PaperId::parse(&format!("pap_8{}", "0".repeat(25))), None);
        assert_eq!(PaperId::parse("pap_"), None);
    }
}
