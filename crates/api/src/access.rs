//! Which scopes open which endpoint (API text, section 5).

use domain::key::ApiKey;
use domain::scope::Scope;
use domain::scope::Scope::{
    BillingRead, EventsRead, PapersRead, PapersWrite, SubmissionsRead, SubmissionsWrite, WebhooksManage,
};

/// Who may call an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anyone, without a key.
    Public,
    /// Who holds a review link, its session or a learning platform's token, which the call itself looks at.
    Review,
    /// The key itself, whatever its state: it revokes itself.
    Revocation,
    /// Any key. Unknown routes are so too: a restricted key gets 404 there, not 403.
    AnyKey,
    /// A key that is unrestricted or holds one of these scopes.
    Scoped(&'static [Scope]),
}

impl Access {
    /// True when the key's scopes let it through.
    pub fn is_open_to(self, key: &ApiKey) -> bool {
        match (self, key.scopes) {
            (Access::Scoped(wanted), Some(scopes)) => scopes.allow_any(wanted),
            _ => true,
        }
    }
}

/// Who may call this method on this route template.
pub fn of(method: &str, route: &str) -> Access {
    let is_read = matches!(method, "GET" | "HEAD");
    match (is_read, route) {
        (true, "/v1/openapi.json") => Access::Public,
        (false, "/v1/api_key/revoke") => Access::Revocation,
        (true, "/v1/files/{id}") => Access::Scoped(&[PapersRead, SubmissionsRead]),
        (false, "/v1/files") => Access::Scoped(&[PapersWrite, SubmissionsWrite]),
        (true, "/v1/subjects") => Access::Scoped(&[PapersRead]),
        (_, "/v1/account" | "/v1/balance" | "/v1/credit_transactions") => Access::Scoped(&[BillingRead]),
        (true, "/v1/papers/{id}/statistics") => Access::Scoped(&[SubmissionsRead]),
        // They name students, whose scripts follow.
        (false, "/v1/papers/{id}/covers" | "/v1/papers/{id}/class_scans") => {
            Access::Scoped(&[SubmissionsWrite])
        }
        (false, "/v1/papers/{id}/release_results") => Access::Scoped(&[SubmissionsWrite]),
        // It names students, and what it does is to their marks.
        (_, route) if under(route, "/v1/papers/{id}/amendment") => {
            Access::Scoped(if is_read { &[SubmissionsRead] } else { &[SubmissionsWrite] })
        }
        (_, route) if under(route, "/v1/papers") => {
            Access::Scoped(if is_read { &[PapersRead] } else { &[PapersWrite] })
        }
        (_, route) if under(route, "/v1/submissions") || under(route, "/v1/class_scans") => {
            Access::Scoped(if is_read { &[SubmissionsRead] } else { &[SubmissionsWrite] })
        }
        (_, route) if under(route, "/v1/webhook_endpoints") => Access::Scoped(&[WebhooksManage]),
        (_, route) if under(route, "/v1/events") => Access::Scoped(&[EventsRead]),
        (_, "/review" | "/review/desk" | "/review/assets/{name}") => Access::Public,
        // A launch that is refused is counted like a review link that is unknown.
        (_, "/lti/launch") => Access::Review,
        (_, "/lti/login" | "/lti/jwks") => Access::Public,
        (_, route) if under(route, "/review") => Access::Review,
        (false, "/dev/clock") | (_, "/upload/{token}") => Access::Public,
        _ => Access::AnyKey,
    }
}

fn under(route: &str, resource: &str) -> bool {
    route.strip_prefix(resource).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
