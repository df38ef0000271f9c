//! Every reason for which a rule refuses a request, with the facts that the answer names.

use crate::credit::Credits;
use jiff::Timestamp;

/// The caller asked for what a rule forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// More was asked for than is available.
    InsufficientCredits {
        /// What it would cost.
        needed: Credits,
        /// What there is.
        available: Credits,
    },
    /// The credits that would have covered it have ended.
    CreditsExpired {
        /// What it would cost.
        needed: Credits,
        /// When they ended.
        ended_at: Timestamp,
    },
    /// A balance would grow past what it may hold; the operator's commands alone can ask for that.
    TooManyCredits {
        /// The most a balance holds.
        most: Credits,
    },
    /// The account has as many webhook endpoints in this mode as it may have.
    TooManyWebhookEndpoints {
        /// The most allowed.
        most: usize,
    },
    /// An event cannot be sent again to an endpoint that is disabled.
    EndpointDisabled {
        /// Which one.
        endpoint_id: String,
    },
    /// The idempotency key was used for another request.
    IdempotencyKeyReused {
        /// What the first request made.
        resource_id: Option<String>,
    },
    /// The first request with this idempotency key is still running.
    IdempotencyRequestInProgress,
}
