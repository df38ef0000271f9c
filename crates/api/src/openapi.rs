//! The OpenAPI 3.1 description, made from the handlers and views, completed with what holds for every operation
//! (the key, the headers, the errors) and with the webhooks, and written so that nothing stands in it twice.

mod complete;
mod errors;
mod parameters;
mod share;
mod webhooks;

pub(crate) use parameters::{Created, EmptyObject, IdempotencyKey, Paging, RequiredIdempotencyKey, Updated};

use crate::Context;
use crate::error::ErrorView;
use crate::v1;
use axum::response::{IntoResponse, Response};
use http::header;
use std::sync::OnceLock;
use utoipa::OpenApi as _;
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
        .routes(routes!(v1::amendments::scheme))
        .routes(routes!(v1::amendments::show, v1::amendments::create, v1::amendments::discard))
        .routes(routes!(v1::amendments::scripts))
        .routes(routes!(v1::amendments::apply))
        .routes(routes!(v1::adjustments::release_results))
        .routes(routes!(v1::adjustments::statistics))
        .routes(routes!(v1::covers::create))
        .routes(routes!(v1::class_scans::create))
        .routes(routes!(v1::class_scans::show, v1::class_scans::delete))
        .routes(routes!(v1::class_scans::confirm))
        .routes(routes!(v1::submissions::list, v1::submissions::create))
        .routes(routes!(v1::submissions::show, v1::submissions::patch, v1::submissions::delete))
        .routes(routes!(v1::submissions::cancel))
        .routes(routes!(v1::submissions::release))
        .routes(routes!(v1::submissions::result))
        .routes(routes!(v1::submissions::report))
        .routes(routes!(v1::adjustments::list, v1::adjustments::create))
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
    complete::operations(&mut description);
    webhooks::describe(&mut description);
    share::object_names(&mut description);
    share::lists(&mut description);
    share::parameters(&mut description);
    share::errors(&mut description);
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
    servers(
        (url = "/", description = "The server that this description was read from."),
        (url = "http://127.0.0.1:8080", description = "A development server: `tickmark dev`.")
    ),
    components(schemas(ErrorView))
)]
struct Description;
