//! What failed: work that was put off and can be tried at once, papers and submissions that failed for good, and why.

use super::Console;
use super::accounts::owner;
use super::form::Fields;
use super::html::{Html, html, moment, name_or_dash};
use super::layout::{link, page as framed, section, table};
use super::lists::{Place, address};
use super::overview::about;
use super::problem::Problem;
use super::session::Signed;
use axum::extract::State;
use axum::response::Html as Page;
use service::jobs::{JobStatus, ListedJob};
use service::operator::{Failed, FailedKind};

/// Jobs that are looked at.
const JOBS_MAX: i64 = 200;

/// The page. `of=papers` shows papers instead of submissions.
pub(super) async fn page(
    State(console): State<Console>,
    signed: Signed,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let delayed = console.service.jobs_in(JobStatus::Delayed, JOBS_MAX).await?;
    let (kind, of, path) = match fields.text("of") {
        Some("papers") => (FailedKind::Papers, "papers", "/papers"),
        _ => (FailedKind::Submissions, "submissions", "/submissions"),
    };
    let place = Place::of("/failures".to_owned(), vec![("of", Some(of.to_owned()))], &fields)?;
    let found = console.service.failed(kind, place.limit, place.after, &place.seal).await?;
    let kinds: Html = ["submissions", "papers"]
        .iter()
        .map(|kind| {
            let current = (*kind == of).then(|| html!(" aria-current=\"page\""));
            html!("<li><a href=\"/failures?of={}\"{}>Failed {}</a></li>", *kind, current, *kind)
        })
        .collect();
    let rows = found.items.iter().map(|failed| row(failed, path)).collect();
    let body = html!(
        "{}<nav class=\"tabs\" aria-label=\"What failed\"><ul>{}</ul></nav>{}{}",
        section("Work that was put off after a failure", &put_off(&delayed)),
        kinds,
        section(
            &format!("Failed {of}"),
            &html!(
                "<p class=\"muted\">What failed stays failed, as its account was told; nothing was charged. The account \
                 can send it again.</p>{}",
                table(
                    &format!("Failed {of}"),
                    &["id", "account", "mode", "reason", "means", "when"],
                    rows,
                    "Nothing failed."
                )
            )
        ),
        place.turner(found.next_cursor.as_deref())
    );
    Ok(framed(&signed, "/failures", "Failures", &body))
}

fn row(failed: &Failed, path: &str) -> Vec<Html> {
    vec![
        link(path, &failed.id),
        owner(failed.owner.0),
        html!("{}", failed.owner.1),
        html!("<code>{}</code>", failed.code.name()),
        html!("{}", failed.code.message()),
        moment(failed.updated_at),
    ]
}

/// Work that comes back by itself has no error and is no failure.
fn put_off(delayed: &[ListedJob]) -> Html {
    let failed = delayed.iter().filter(|job| job.last_error.is_some());
    let rows = failed.map(|job| {
        let to = address("/confirm", [("change", "retry"), ("job", &job.id.to_string())]);
        vec![
            html!("<span class=\"id\">{}</span>", job.id),
            html!("{}", job.kind.as_str()),
            about(job.subject.as_deref()),
            html!("{}", job.attempts),
            name_or_dash(job.last_error.as_deref()),
            moment(job.run_at),
            html!("<a href=\"{}\">Try now<span class=\"visually-hidden\"> {}</span>…</a>", to, job.id),
        ]
    });
    let headings = ["job", "kind", "about", "tries", "reason", "tried again", "at once"];
    table("Work that was put off", &headings, rows.collect(), "Nothing was put off.")
}
