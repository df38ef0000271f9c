//! The errors that each operation can answer with.

use crate::access::Access;
use crate::error::Code;
use std::collections::BTreeMap;

/// The codes that an operation can answer with, by status.
pub(super) fn of(method: &str, path: &str, access: Access) -> Vec<(u16, Vec<Code>)> {
    let mut codes = vec![Code::ApiKeyMissing, Code::ApiKeyInvalid, Code::HttpsRequired];
    if access != Access::Revocation {
        codes.extend([Code::ApiKeyRevoked, Code::AccountSuspended, Code::IpNotAllowed]);
        codes.push(Code::RateLimitExceeded);
    }
    if let Access::Scoped(_) = access {
        codes.push(Code::InsufficientScope);
    }
    if matches!(method, "GET" | "DELETE") {
        codes.extend([Code::ParameterUnknown, Code::ParameterInvalid]);
    } else {
        codes.extend([
            Code::InvalidJson,
            Code::ParameterUnknown,
            Code::RequestTooLarge,
            Code::UnsupportedMediaType,
        ]);
    }
    codes.extend(own_errors(method, path));
    if path.contains("{id}") {
        codes.push(Code::ResourceMissing);
    }
    codes.extend([Code::InternalError, Code::ServiceUnavailable]);
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes {
        by_status.entry(code.status().as_u16()).or_default().push(code);
    }
    by_status.into_iter().collect()
}

/// The codes that only this operation can answer with.
fn own_errors(method: &str, path: &str) -> &'static [Code] {
    match (method, path) {
        ("POST", "/v1/files") => &[
            Code::ParameterMissing,
            Code::ParameterInvalid,
            Code::IdempotencyKeyReused,
            Code::IdempotencyRequestInProgress,
        ],
        ("POST", "/v1/papers") => &[
            Code::IdempotencyKeyMissing,
            Code::ParameterMissing,
            Code::ParameterInvalid,
            Code::InsufficientCredits,
            Code::CreditsExpired,
            Code::ResourceMissing,
            Code::FileAlreadyAttached,
            Code::FilePurposeMismatch,
            Code::FileNotUploaded,
            Code::FileExpired,
            Code::ExternalIdTaken,
            Code::IdempotencyKeyReused,
            Code::IdempotencyRequestInProgress,
        ],
        ("PATCH", "/v1/papers/{id}") => &[Code::ParameterInvalid, Code::ExternalIdTaken],
        ("DELETE", "/v1/papers/{id}") => &[Code::PaperInProgress],
        ("POST", "/v1/papers/{id}/approve") => &[
            Code::PaperNotAwaitingReview,
            Code::PaperHasEmptyQuestion,
            Code::IdempotencyKeyReused,
            Code::IdempotencyRequestInProgress,
        ],
        ("POST", "/v1/papers/{id}/review_links") => {
            &[Code::ParameterMissing, Code::ParameterInvalid, Code::ReviewLinkUnavailable]
        }
        ("POST", "/v1/papers/{id}/review_links/revoke") => {
            &[Code::IdempotencyKeyReused, Code::IdempotencyRequestInProgress]
        }
        ("POST", "/v1/submissions") => &[
            Code::IdempotencyKeyMissing,
            Code::ParameterMissing,
            Code::ParameterInvalid,
            Code::InsufficientCredits,
            Code::CreditsExpired,
            Code::ResourceMissing,
            Code::PaperNotReady,
            Code::FileAlreadyAttached,
            Code::FilePurposeMismatch,
            Code::FileNotUploaded,
            Code::FileExpired,
            Code::SubmissionExists,
            Code::IdempotencyKeyReused,
            Code::IdempotencyRequestInProgress,
        ],
        ("PATCH", "/v1/submissions/{id}") => &[Code::ParameterMissing, Code::ParameterInvalid],
        ("DELETE", "/v1/submissions/{id}") => &[Code::SubmissionInProgress],
        ("POST", "/v1/submissions/{id}/cancel") => {
            &[Code::SubmissionNotCancelable, Code::IdempotencyKeyReused, Code::IdempotencyRequestInProgress]
        }
        ("POST", "/v1/submissions/{id}/release") => {
            &[Code::SubmissionNotReleasable, Code::IdempotencyKeyReused, Code::IdempotencyRequestInProgress]
        }
        ("POST", "/v1/submissions/{id}/adjustments") => &[
            Code::ParameterMissing,
            Code::ParameterInvalid,
            Code::SubmissionNotReleasable,
            Code::IdempotencyKeyReused,
            Code::IdempotencyRequestInProgress,
        ],
        ("POST", "/v1/papers/{id}/release_results") => &[
            Code::ParameterMissing,
            Code::ParameterInvalid,
            Code::IdempotencyKeyReused,
            Code::IdempotencyRequestInProgress,
        ],
        (
            "GET",
            "/v1/papers/{id}/scheme" | "/v1/papers/{id}/amendment" | "/v1/papers/{id}/amendment/scripts",
        )
        | ("DELETE", "/v1/papers/{id}/amendment") => &[Code::PaperNotReady],
        ("POST", "/v1/papers/{id}/amendment" | "/v1/papers/{id}/amendment/apply") => &[
            Code::ParameterMissing,
            Code::ParameterInvalid,
            Code::PaperNotReady,
            Code::IdempotencyKeyReused,
            Code::IdempotencyRequestInProgress,
        ],
        ("POST", "/v1/papers/{id}/class_scans") => &[
            Code::IdempotencyKeyMissing,
            Code::ParameterMissing,
            Code::ParameterInvalid,
            Code::PaperNotReady,
            Code::FileAlreadyAttached,
            Code::FilePurposeMismatch,
            Code::FileNotUploaded,
            Code::FileExpired,
            Code::TooManyClassScans,
            Code::IdempotencyKeyReused,
            Code::IdempotencyRequestInProgress,
        ],
        ("POST", "/v1/class_scans/{id}/confirm") => &[
            Code::ParameterMissing,
            Code::ParameterInvalid,
            Code::InsufficientCredits,
            Code::CreditsExpired,
            Code::PaperNotReady,
            Code::ClassScanNotConfirmable,
            Code::IdempotencyKeyReused,
            Code::IdempotencyRequestInProgress,
        ],
        ("DELETE", "/v1/class_scans/{id}") => &[Code::ClassScanInProgress],
        ("POST", "/v1/papers/{id}/covers") => &[Code::ParameterMissing, Code::ParameterInvalid],
        ("GET", "/v1/submissions") => &[Code::ParameterMissing],
        ("GET", "/v1/submissions/{id}/result") => &[Code::ResultNotAvailable],
        ("GET", "/v1/submissions/{id}/report") => &[Code::ReportNotAvailable],
        ("POST", "/v1/webhook_endpoints") => {
            &[Code::ParameterMissing, Code::ParameterInvalid, Code::TooManyWebhookEndpoints]
        }
        ("PATCH", "/v1/webhook_endpoints/{id}") => &[Code::ParameterInvalid],
        _ => &[],
    }
}
