//! Parameters and bodies that many operations share.

use utoipa::{IntoParams, ToSchema};

/// An object without members. It may be left out.
#[derive(ToSchema)]
pub(crate) struct EmptyObject {}

/// Which page of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes the parameters; the strict parser reads them")]
pub(crate) struct Paging {
    /// How many items a page holds at most; 20 if absent.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `next_cursor` of the page before, with the same filters.
    #[param(min_length = 1, max_length = 200)]
    cursor: Option<String>,
}

/// From which time.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes the parameters; the strict parser reads them")]
pub(crate) struct Created {
    /// Only what was made later than this. ISO 8601; seconds and fraction optional, Z or an offset.
    #[param(format = DateTime)]
    created_after: Option<String>,
    /// Only what was made earlier than this.
    #[param(format = DateTime)]
    created_before: Option<String>,
}

/// The header that makes a repeated request harmless.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it describes the header; the strict parser reads it")]
pub(crate) struct IdempotencyKey {
    /// A random value, new for each new request and the same for a retry. A replayed answer carries
    /// `Idempotent-Replayed: true`.
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 255, pattern = "^[!-~]+$")]
    key: Option<String>,
}

/// The same where it must be sent.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it describes the header; the strict parser reads it")]
pub(crate) struct RequiredIdempotencyKey {
    /// A random value, new for each new request and the same for a retry. A replayed answer carries
    /// `Idempotent-Replayed: true`.
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 255, pattern = "^[!-~]+$")]
    key: String,
}

/// From which change.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes the parameters; the strict parser reads them")]
pub(crate) struct Updated {
    /// Only what changed later than this; the list is then sorted by change, oldest first.
    #[param(format = DateTime)]
    updated_after: Option<String>,
}
