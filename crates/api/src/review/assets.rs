//! The page's own files, embedded in the program: nothing is built, nothing is fetched from elsewhere.

use crate::error::{Code, Error};
use axum::extract::Path;
use axum::response::{Html, IntoResponse, Response};
use http::header;

const PAGE: &str = include_str!("assets/page.html");

const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// What the console shares with the review page: its look.
pub(crate) const MARK: &str = include_str!("assets/mark.svg");
pub(crate) const FRAME_STYLE: &str = include_str!("assets/style.css");
pub(crate) const FORM_STYLE: &str = include_str!("assets/form.css");

macro_rules! files {
    ($($name:literal $kind:ident;)*) => {
        /// Every file by its name.
        const FILES: &[(&str, &str, &str)] =
            &[$(($name, $kind, include_str!(concat!("assets/", $name)))),*];
    };
}

files! {
    "mark.svg" PICTURE;
    "style.css" STYLE;
    "form.css" STYLE;
    "app.js" SCRIPT;
    "api.js" SCRIPT;
    "dom.js" SCRIPT;
    "keys.js" SCRIPT;
    "bulk.js" SCRIPT;
    "boxes.js" SCRIPT;
    "model.js" SCRIPT;
    "desk.js" SCRIPT;
    "card.js" SCRIPT;
    "fields.js" SCRIPT;
    "key.js" SCRIPT;
    "pages.js" SCRIPT;
    "dialogs.js" SCRIPT;
    "marking.css" STYLE;
    "marking.js" SCRIPT;
    "marking-api.js" SCRIPT;
    "marking-class.js" SCRIPT;
    "marking-answer.js" SCRIPT;
    "marking-part.js" SCRIPT;
    "marking-script.js" SCRIPT;
    "marking-figures.js" SCRIPT;
    "marking-scheme.js" SCRIPT;
    "marking-scans.js" SCRIPT;
}

/// The empty page; its script fills it.
pub(super) async fn page() -> Html<&'static str> {
    Html(PAGE)
}

/// A file of the page.
pub(super) async fn asset(Path(name): Path<String>) -> Result<Response, Error> {
    let found = FILES.iter().find(|(known, _, _)| *known == name);
    let (_, kind, text) =
        found.ok_or_else(|| Error::new(Code::RouteNotFound, "There is no such file of the review page."))?;
    Ok(([(header::CONTENT_TYPE, *kind)], *text).into_response())
}
