//! The frame of every page: who is logged in, the way to the others, what stands between.

use super::html::{Html, html, name};
use super::session::Signed;
use axum::response::Html as Page;

/// The pages that every page leads to.
const WAYS: [(&str, &str); 6] = [
    ("/", "Overview"),
    ("/accounts", "Accounts"),
    ("/failures", "Failures"),
    ("/events", "Events"),
    ("/log", "Log"),
    ("/settings", "Settings"),
];

/// A page of a session. `way` is the one of [`WAYS`] that it belongs to.
pub(super) fn page(signed: &Signed, way: &str, title: &str, body: &Html) -> Page<String> {
    let ways: Html = WAYS
        .iter()
        .map(|(path, label)| {
            let current = (*path == way).then(|| html!(" aria-current=\"page\""));
            html!("<li><a href=\"{}\"{}>{}</a></li>", *path, current, *label)
        })
        .collect();
    let frame = html!(
        "<a class=\"skip\" href=\"#main\">Skip to the page</a>\
         <header class=\"top\"><p class=\"brand\">Tickmark console</p>\
         <form class=\"find\" action=\"/find\" role=\"search\"><label class=\"visually-hidden\" for=\"find\">Find an \
         account by name, or anything by its id</label><input id=\"find\" name=\"q\" type=\"search\" maxlength=\"200\" \
         placeholder=\"Name or id\" required><button class=\"button\">Find</button></form>\
         <div class=\"who\"><span>{}</span><form method=\"post\" action=\"/logout\">{}<button class=\"button small\">Log \
         out</button></form></div></header>\
         <nav class=\"ways\" aria-label=\"Pages\"><ul>{}</ul></nav>\
         <main id=\"main\" class=\"main\" tabindex=\"-1\"><h1>{}</h1>{}{}</main>",
        name(signed.operator.name.as_str()),
        signed.seal(),
        ways,
        name(title),
        signed.done.map(|told| html!("<p class=\"notice done\" role=\"status\">{}</p>", told)),
        body
    );
    document(title, &frame)
}

/// A page without a session.
pub(super) fn bare(title: &str, body: &Html) -> Page<String> {
    let frame = html!(
        "<main id=\"main\" class=\"main alone\"><p class=\"brand\">Tickmark console</p><h1>{}</h1>{}</main>",
        title,
        body
    );
    document(title, &frame)
}

fn document(title: &str, frame: &Html) -> Page<String> {
    let html = html!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex, nofollow\">\
         <title>{} · Tickmark console</title>\
         <link rel=\"icon\" href=\"/assets/mark.svg\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"/assets/style.css\"><link rel=\"stylesheet\" href=\"/assets/form.css\">\
         <link rel=\"stylesheet\" href=\"/assets/console.css\">\
         <script type=\"module\" src=\"/assets/console.js\"></script></head><body>{}</body></html>\n",
        title,
        frame
    );
    Page(html.into_string())
}

/// A section with its heading.
pub(super) fn section(heading: &str, body: &Html) -> Html {
    html!("<section class=\"part-of\"><h2>{}</h2>{}</section>", heading, body)
}

/// Facts, one a line.
pub(super) fn facts(rows: &[(&str, Html)]) -> Html {
    let rows: Html =
        rows.iter().map(|(label, value)| html!("<dt>{}</dt><dd>{}</dd>", *label, value)).collect();
    html!("<dl class=\"facts\">{}</dl>", rows)
}

/// A table that a narrow screen can move; `empty` is said when it has no rows.
pub(super) fn table(caption: &str, headings: &[&str], rows: Vec<Vec<Html>>, empty: &str) -> Html {
    if rows.is_empty() {
        return html!("<p class=\"muted\">{}</p>", empty);
    }
    let head: Html = headings.iter().map(|heading| html!("<th scope=\"col\">{}</th>", *heading)).collect();
    let body: Html = rows.into_iter().map(row).collect();
    html!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{}\" tabindex=\"0\"><table class=\"table\">\
         <caption class=\"visually-hidden\">{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>",
        caption,
        caption,
        head,
        body
    )
}

/// The first cell names the row.
fn row(cells: Vec<Html>) -> Html {
    let mut cells = cells.into_iter();
    let first = cells.next().unwrap_or_default();
    let rest: Html = cells.map(|cell| html!("<td>{}</td>", cell)).collect();
    html!("<tr><th scope=\"row\">{}</th>{}</tr>", first, rest)
}

/// A word about a state, coloured by how good it is.
pub(super) fn status(word: &str, is_good: bool) -> Html {
    let class = if is_good { "state" } else { "state is-bad" };
    html!("<span class=\"{}\">{}</span>", class, word)
}

/// A link to something by its id.
pub(super) fn link(path: &str, id: &str) -> Html {
    html!("<a class=\"id\" href=\"{}/{}\">{}</a>", path, id, id)
}
