//! The OpenAPI 3.1 description, made from the handlers and views, and completed here with what holds for
//! every operation: the key, the headers, the errors.

use crate::Context;
use crate::access::{self, Access};
use crate::error::{Code, ErrorView, Resource};
use crate::v1;
use axum::response::{IntoResponse, Response};
use http::header;
use std::sync::OnceLock;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Object, OpenApi, Ref, RefOr, ResponseBuilder, Type};
use utoipa::{IntoParams, OpenApi as _, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Where the description is served.
pub const PATH: &str = "/v1/openapi.json";

/// Every operation, in the order of the API text. A handler that is not named here does not exist.
pub(crate) fn routes() -> OpenApiRouter<Context> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(v1::api_key::revoke))
        .routes(routes!(v1::files::create))
        .routes(routes!(v1::files::show))
        .routes(routes!(v1::subjects::list))
        .routes(routes!(v1::papers::list, v1::papers::create))
        .routes(routes!(v1::papers::show, v1::papers::patch, v1::papers::delete))
        .routes(routes!(v1::papers::approve))
        .routes(routes!(v1::papers::questions))
        .routes(routes!(v1::review_links::create))
        .routes(routes!(v1::review_links::revoke))
        .routes(routes!(v1::submissions::list, v1::submissions::create))
        .routes(routes!(v1::submissions::show, v1::submissions::patch, v1::submissions::delete))
        .routes(routes!(v1::submissions::cancel))
        .routes(routes!(v1::submissions::release))
        .routes(routes!(v1::submissions::result))
        .routes(routes!(v1::submissions::report))
        .routes(routes!(v1::account::show))
        .routes(routes!(v1::credits::balance))
        .routes(routes!(v1::credits::transactions))
        .routes(routes!(v1::webhook_endpoints::list, v1::webhook_endpoints::create))
        .routes(routes!(
            v1::webhook_endpoints::show,
            v1::webhook_endpoints::update,
            v1::webhook_endpoints::delete
        ))
        .routes(routes!(v1::webhook_endpoints::rotate_secret))
        .routes(routes!(v1::events::list))
        .routes(routes!(v1::events::show))
}

/// The whole description as a JSON document with a line end.
pub fn document() -> String {
    let (_, mut description) = routes().split_for_parts();
    complete(&mut description);
    let mut text = description.to_pretty_json().expect("the description holds only what JSON can write");
    text.push('\n');
    text
}

/// Serves the description; anyone may read it.
pub(crate) async fn serve() -> Response {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    let text = DOCUMENT.get_or_init(document).as_str();
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Tickmark",
        version = "1",
        description = "Marks students' answer scripts against a question paper and a marking scheme.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(ErrorView))
)]
struct Description;

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

/// Adds to every operation what holds for all.
fn complete(description: &mut OpenApi) {
    let components = description.components.get_or_insert_default();
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A secret key: `Authorization: Bearer tm_sk_live_…` or `tm_sk_test_…`."))
        .build();
    components.add_security_scheme("api_key", SecurityScheme::Http(scheme));
    for (path, item) in &mut description.paths.paths {
        let operations = [("GET", &mut item.get), ("POST", &mut item.post), ("PATCH", &mut item.patch)];
        for (method, operation) in operations.into_iter().chain([("DELETE", &mut item.delete)]) {
            if let Some(operation) = operation {
                complete_operation(method, path, operation);
            }
        }
    }
}

fn complete_operation(method: &str, path: &str, operation: &mut Operation) {
    operation.operation_id = Some(operation_id(method, path));
    let access = access::of(method, path);
    let scopes: &[_] = if let Access::Scoped(scopes) = access { scopes } else { &[] };
    let names: Vec<&str> = scopes.iter().map(|scope| scope.name()).collect();
    operation.security = Some(vec![SecurityRequirement::new("api_key", Vec::<String>::new())]);
    if !names.is_empty() {
        let note = format!("\n\nA restricted key needs the scope `{}`.", names.join("` or `"));
        operation.description.get_or_insert_default().push_str(&note);
    }
    let is_limited = access != Access::Revocation;
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            if response.description.is_empty() {
                "Done.".clone_into(&mut response.description);
            }
            describe_headers(&mut response.headers, is_limited, false);
        }
    }
    for (status, codes) in errors(method, path, access) {
        let description =
            codes.iter().map(|code| format!("`{}`", code.name())).collect::<Vec<_>>().join(", ");
        let content = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name("Error")))
            .example(Some(example(codes[0])))
            .build();
        let mut response =
            ResponseBuilder::new().description(description).content("application/json", content).build();
        let has_rate = is_limited && !matches!(status, 401 | 403);
        describe_headers(&mut response.headers, has_rate, matches!(status, 409 | 429 | 503));
        if status == 401 {
            let header = describe_header(Type::String, "Always `Bearer`.");
            response.headers.insert("WWW-Authenticate".to_owned(), header);
        }
        operation.responses.responses.insert(status.to_string(), RefOr::T(response));
    }
}

type Headers = std::collections::BTreeMap<String, RefOr<Header>>;

fn describe_headers(headers: &mut Headers, has_rate: bool, may_retry: bool) {
    let mut add = |name: &str, kind: Type, text: &str| {
        let header =
            HeaderBuilder::new().schema(Some(Object::with_type(kind))).description(Some(text)).build();
        headers.insert(name.to_owned(), RefOr::T(header));
    };
    add("X-Request-Id", Type::String, "Names this request; tell it to us when something is wrong.");
    if has_rate {
        add("RateLimit-Limit", Type::Integer, "Requests a minute.");
        add("RateLimit-Remaining", Type::Integer, "Requests left in this minute.");
        add("RateLimit-Reset", Type::Integer, "Seconds until the minute ends.");
    }
    if may_retry {
        add("Retry-After", Type::Integer, "Seconds after which trying again helps.");
    }
}

fn describe_header(kind: Type, text: &str) -> RefOr<Header> {
    RefOr::T(HeaderBuilder::new().schema(Some(Object::with_type(kind))).description(Some(text)).build())
}

/// An error of this code, as a client meets it.
fn example(code: Code) -> serde_json::Value {
    serde_json::json!({
        "error": {
            "type": code.kind(),
            "code": code.name(),
            "message": "A sentence that says what is wrong and what would be right.",
            "param": (code.status().as_u16() == 400).then_some("limit"),
            "resource_id": (code.resource() != Resource::None).then_some("evt_01m7erksxed4tpkxckmzb9tqe4"),
            "request_id": "req_01m7erksxed4tpkxckmzb9tqe4",
        }
    })
}

/// The codes that an operation can answer with, by status.
fn errors(method: &str, path: &str, access: Access) -> Vec<(u16, Vec<Code>)> {
    let mut codes = vec![Code::ApiKeyMissing, Code::ApiKeyInvalid, Code::HttpsRequired];
    if access != Access::Revocation {
        codes.extend([Code::ApiKeyRevoked, Code::AccountSuspended, Code::IpNotAllowed]);
        codes.push(Code::RateLimitExceeded);
    }
    if let Access::Scoped(_) = access {
        codes.push(Code::InsufficientScope);
    }
    if method == "GET" {
        codes.extend([Code::ParameterUnknown, Code::ParameterInvalid]);
    } else if method != "DELETE" {
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
    let mut by_status: std::collections::BTreeMap<u16, Vec<Code>> = std::collections::BTreeMap::new();
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
        ("GET", "/v1/submissions/{id}/result") => &[Code::ResultNotAvailable],
        ("GET", "/v1/submissions/{id}/report") => &[Code::ReportNotAvailable],
        ("POST", "/v1/webhook_endpoints") => {
            &[Code::ParameterMissing, Code::ParameterInvalid, Code::TooManyWebhookEndpoints]
        }
        ("PATCH", "/v1/webhook_endpoints/{id}") => &[Code::ParameterInvalid],
        _ => &[],
    }
}

/// `GET /v1/events/{id}` is `get_events_id`, and so on: stable names for generated clients.
fn operation_id(method: &str, path: &str) -> String {
    let words = path.trim_start_matches("/v1/").split('/').map(|word| word.trim_matches(['{', '}']));
    std::iter::once(method.to_lowercase().as_str()).chain(words).collect::<Vec<_>>().join("_")
}
