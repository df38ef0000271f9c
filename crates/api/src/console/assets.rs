//! The console's own files, embedded in the program; the look is that of the review page.

use super::problem::Problem;
use crate::review::assets::{FORM_STYLE, FRAME_STYLE, MARK};
use axum::extract::Path;
use axum::response::{IntoResponse as _, Response};
use http::header;

const STYLE: &str = "text/css; charset=utf-8";

/// Every file by its name.
const FILES: [(&str, &str, &str); 5] = [
    ("style.css", STYLE, FRAME_STYLE),
    ("form.css", STYLE, FORM_STYLE),
    ("console.css", STYLE, include_str!("assets/console.css")),
    ("console.js", "text/javascript; charset=utf-8", include_str!("assets/console.js")),
    ("mark.svg", "image/svg+xml", MARK),
];

/// A file of the pages.
pub(super) async fn asset(Path(name): Path<String>) -> Result<Response, Problem> {
    let found = FILES.iter().find(|(known, _, _)| *known == name);
    let (_, kind, text) = found.ok_or_else(|| Problem::missing("file"))?;
    Ok(([(header::CONTENT_TYPE, *kind)], *text).into_response())
}
