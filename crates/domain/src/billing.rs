//! What a paper or a submission costs, and how far that is settled.

use crate::credit::Credits;

/// How far the cost is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BillingStatus {
    /// The pages are not known yet.
    Pending,
    /// The credits are set aside.
    Held,
    /// Spent.
    Charged,
    /// Given back, or never taken.
    NotCharged,
}

crate::names! {
    BillingStatus { Pending = "pending", Held = "held", Charged = "charged", NotCharged = "not_charged" }
}

/// What it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Billing {
    /// How far it is settled.
    pub status: BillingStatus,
    /// For how many pages, once they are known.
    pub pages: Option<u32>,
    /// How many credits, once the pages are known.
    pub credits: Option<Credits>,
}

impl Billing {
    /// Before the pages are known.
    pub const PENDING: Billing = Billing { status: BillingStatus::Pending, pages: None, credits: None };

    /// With the credits for its pages set aside.
    pub fn held(pages: u32, credits: Credits) -> Billing {
        Billing { status: BillingStatus::Held, pages: Some(pages), credits: Some(credits) }
    }

    /// After it was done.
    #[must_use]
    pub fn charged(self) -> Billing {
        Billing { status: BillingStatus::Charged, ..self }
    }

    /// After it failed or was canceled.
    #[must_use]
    pub fn not_charged(self) -> Billing {
        Billing { status: BillingStatus::NotCharged, ..self }
    }
}
