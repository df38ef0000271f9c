//! Account (2.10).

use domain::account::Account;
use domain::mode::Mode;
use domain::time::Shown;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The account that the key belongs to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Account, example = json!({
    "object": "account", "id": "acct_01m7erksw3h2kbtqh4bm5e14zh", "name": "Northfield Schools", "livemode": true,
    "pricing": {"paper_credits_per_page": 1, "grading_credits_per_page": 1}, "low_balance_threshold": 100,
    "rate_limit_per_minute": 600, "credits_valid_until": "2027-11-15T00:00:00Z"
}))]
pub(crate) struct AccountView {
    /// Always `account`.
    #[schema(value_type = String, pattern = "^account$", example = "account")]
    object: &'static str,
    /// Its id.
    #[schema(pattern = "^acct_[0-9a-z]{26}$", example = "acct_01k9zq3v7m0000000000000000")]
    id: String,
    /// The partner's name.
    #[schema(example = "Northfield Schools")]
    name: String,
    /// True for live mode.
    livemode: bool,
    /// What a page costs.
    pricing: PricingView,
    /// Below this, `credits.balance_low` is sent.
    #[schema(minimum = 0)]
    low_balance_threshold: u64,
    /// Requests that all keys of this mode may make in a minute.
    #[schema(minimum = 1)]
    rate_limit_per_minute: u32,
    /// When the available credits end; null when they do not.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    credits_valid_until: Option<Shown>,
}

/// What a page costs, in credits.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Pricing)]
pub(crate) struct PricingView {
    /// A page of a question paper or its scheme.
    #[schema(minimum = 0)]
    paper_credits_per_page: u64,
    /// A page of a script.
    #[schema(minimum = 0)]
    grading_credits_per_page: u64,
}

impl AccountView {
    pub(crate) fn new(account: &Account, mode: Mode, valid_until: Option<Timestamp>) -> AccountView {
        AccountView {
            object: "account",
            id: account.id.to_string(),
            name: account.name.clone(),
            livemode: mode.is_live(),
            pricing: PricingView {
                paper_credits_per_page: account.pricing.paper_per_page.0,
                grading_credits_per_page: account.pricing.grading_per_page.0,
            },
            low_balance_threshold: account.low_balance_threshold.0,
            rate_limit_per_minute: account.rate_limit(mode),
            credits_valid_until: valid_until.map(Shown),
        }
    }
}
