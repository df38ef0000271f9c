//! A partner's account: its prices, limits and standing.

use crate::credit::Credits;
use crate::id::AccountId;
use crate::mode::Mode;
use jiff::Timestamp;

/// Account and mode: what owns every paper, submission, event and credit.
pub type Owner = (AccountId, Mode);

/// A partner's account.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// The partner's name.
    pub name: String,
    /// Where the technical contact is mailed.
    pub contact: Option<String>,
    /// What a page costs.
    pub pricing: Pricing,
    /// Below this, `credits.balance_low` is sent.
    pub low_balance_threshold: Credits,
    /// Requests per minute in live mode.
    pub rate_limit_live: u32,
    /// Requests per minute in test mode.
    pub rate_limit_test: u32,
    /// When the operator suspended it.
    pub suspended_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What a page costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pricing {
    /// A page of a question paper or its scheme.
    pub paper_per_page: Credits,
    /// A page of a script.
    pub grading_per_page: Credits,
}

impl Account {
    /// API text, section 8.
    pub const RATE_LIMIT_LIVE: u32 = 600;
    /// API text, section 8.
    pub const RATE_LIMIT_TEST: u32 = 120;
    /// Unless the operator sets another.
    pub const LOW_BALANCE_THRESHOLD: Credits = Credits(100);
    /// What the test mode of a new account is filled with.
    pub const FIRST_TEST_CREDITS: Credits = Credits(10_000);

    /// A new account with the default prices and limits.
    pub fn new(id: AccountId, name: String, contact: Option<String>, now: Timestamp) -> Account {
        Account {
            id,
            name,
            contact,
            pricing: Pricing { paper_per_page: Credits(1), grading_per_page: Credits(1) },
            low_balance_threshold: Account::LOW_BALANCE_THRESHOLD,
            rate_limit_live: Account::RATE_LIMIT_LIVE,
            rate_limit_test: Account::RATE_LIMIT_TEST,
            suspended_at: None,
            created_at: now,
        }
    }

    /// How many requests a minute all keys of this mode may make together.
    pub fn rate_limit(&self, mode: Mode) -> u32 {
        match mode {
            Mode::Live => self.rate_limit_live,
            Mode::Test => self.rate_limit_test,
        }
    }
}
