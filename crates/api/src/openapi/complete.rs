//! Adds to every operation what holds for all: the key and its scope, the headers, the errors.

use super::errors;
use crate::access::{self, Access};
use crate::error::{Code, Resource};
use std::collections::BTreeMap;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Object, OpenApi, PathItem, Ref, RefOr, ResponseBuilder, Type};

/// The headers of responses: name, kind, what it says.
const HEADERS: [(&str, Type, &str); 6] = [
    ("X-Request-Id", Type::String, "Names this request; tell it to us when something is wrong."),
    ("RateLimit-Limit", Type::Integer, "Requests a minute."),
    ("RateLimit-Remaining", Type::Integer, "Requests left in this minute."),
    ("RateLimit-Reset", Type::Integer, "Seconds until the minute ends."),
    ("Retry-After", Type::Integer, "Seconds after which trying again helps."),
    ("WWW-Authenticate", Type::String, "Always `Bearer`."),
];
const RATE_HEADERS: [&str; 3] = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

/// Completes every operation.
pub(super) fn operations(description: &mut OpenApi) {
    let components = description.components.get_or_insert_default();
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A secret key: `Authorization: Bearer tm_sk_live_…` or `tm_sk_test_…`."))
        .build();
    components.add_security_scheme("api_key", SecurityScheme::Http(scheme));
    for (name, kind, text) in HEADERS {
        let header =
            HeaderBuilder::new().schema(Some(Object::with_type(kind))).description(Some(text)).build();
        components.headers.insert(name.to_owned(), RefOr::T(header));
    }
    for (path, item) in &mut description.paths.paths {
        for (method, operation) in each(item) {
            complete(method, path, operation);
        }
    }
}

/// The operations of a path with their methods.
pub(super) fn each(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let PathItem { get, post, patch, delete, .. } = item;
    [("GET", get), ("POST", post), ("PATCH", patch), ("DELETE", delete)]
        .into_iter()
        .filter_map(|(method, operation)| operation.as_mut().map(|operation| (method, operation)))
}

fn complete(method: &str, path: &str, operation: &mut Operation) {
    let access = access::of(method, path);
    operation.security = Some(vec![SecurityRequirement::new("api_key", Vec::<String>::new())]);
    if let Access::Scoped(scopes) = access {
        let names: Vec<&str> = scopes.iter().map(|scope| scope.name()).collect();
        let note = format!("A restricted key needs the scope `{}`.", names.join("` or `"));
        let text = operation.description.get_or_insert_default();
        *text = [text.as_str(), &note].join("\n\n").trim_start().to_owned();
    }
    let is_limited = access != Access::Revocation;
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            if response.description.is_empty() {
                "Done.".clone_into(&mut response.description);
            }
            name_headers(&mut response.headers, is_limited, &[]);
        }
    }
    for (status, codes) in errors::of(method, path, access) {
        let names: Vec<String> = codes.iter().map(|code| format!("`{}`", code.name())).collect();
        let content = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name("Error")))
            .example(Some(example(codes[0])))
            .build();
        let mut response =
            ResponseBuilder::new().description(names.join(", ")).content("application/json", content).build();
        let more: &[&str] = match status {
            401 => &["WWW-Authenticate"],
            409 | 429 | 503 => &["Retry-After"],
            _ => &[],
        };
        name_headers(&mut response.headers, is_limited && !matches!(status, 401 | 403), more);
        operation.responses.responses.insert(status.to_string(), RefOr::T(response));
    }
}

fn name_headers(headers: &mut BTreeMap<String, RefOr<Header>>, has_rate: bool, more: &[&str]) {
    let rate: &[&str] = if has_rate { &RATE_HEADERS } else { &[] };
    for name in ["X-Request-Id"].iter().chain(rate).chain(more) {
        let shared = Ref::new(format!("#/components/headers/{name}"));
        headers.insert((*name).to_owned(), RefOr::Ref(shared));
    }
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
