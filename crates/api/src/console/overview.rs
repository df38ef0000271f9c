//! The first page: how the service does right now.

use super::Console;
use super::html::{Html, html, moment};
use super::layout::{facts, link, page as framed, section, table};
use super::problem::Problem;
use super::session::{Signed, Watching};
use axum::Json;
use axum::extract::State;
use jiff::SignedDuration;
use serde::Serialize;
use service::jobs::{JobStatus, ListedJob};
use std::collections::BTreeSet;

use super::figures::Figure;

/// Running jobs and failing endpoints that are shown.
const SHOWN_MAX: i64 = 100;
/// Failures from then on are counted.
const LATELY: SignedDuration = SignedDuration::from_hours(24);

/// The page.
pub(super) async fn page(
    State(console): State<Console>,
    signed: Signed,
) -> Result<axum::response::Html<String>, Problem> {
    let service = &console.service;
    let backlog = service.backlog().await?;
    let running = service.jobs_in(JobStatus::Running, SHOWN_MAX).await?;
    let (papers, scripts) = service.failed_since(service.now() - LATELY).await?;
    let failing = service.failing_endpoints(SHOWN_MAX).await?;
    let waiting: Html =
        backlog.jobs.iter().map(|(kind, count)| html!("<dt>{}</dt><dd>{}</dd>", *kind, *count)).collect();
    let failing_rows =
        failing.iter().map(|(id, since)| vec![link("/endpoints", &id.to_string()), moment(*since)]);
    let body = html!(
        "{}{}{}{}{}",
        live(&console).1,
        section(
            "Failures of the last 24 hours",
            &html!(
                "{}<p><a href=\"/failures\">What failed, and why</a></p>",
                facts(&[("Papers", html!("{}", papers)), ("Submissions", html!("{}", scripts))])
            )
        ),
        section("Work that waits, by kind", &html!("<dl class=\"facts\">{}</dl>", waiting)),
        section("Workers", &workers(&running)),
        section(
            "Endpoints that fail",
            &table(
                "Endpoints that fail",
                &["endpoint", "since"],
                failing_rows.collect(),
                "Deliveries arrive everywhere."
            )
        )
    );
    Ok(framed(&signed, "/", "Overview", &body))
}

/// The figures of this moment for the page's script.
#[derive(Debug, Serialize)]
pub(super) struct Live {
    figures: Vec<Figure>,
}

/// The same figures as data.
pub(super) async fn live_json(State(console): State<Console>, _: Watching) -> Json<Live> {
    Json(live(&console).0)
}

fn live(console: &Console) -> (Live, Html) {
    let (since, figures) = console.figures.shown();
    let plots: Html = figures.iter().map(Figure::html).collect();
    let since = match since {
        Some(since) => html!("<p class=\"muted small\">At most the last hour; since {}.</p>", moment(since)),
        None => html!("<p class=\"muted small\">The first figures come within a few seconds.</p>"),
    };
    let shown = html!("<div class=\"figures\" data-live>{}</div>{}", plots, since);
    (Live { figures }, section("Right now", &shown))
}

/// Who works on what. A worker is a process; one that has nothing to do holds no job and is not seen here.
fn workers(running: &[ListedJob]) -> Html {
    let name = |job: &ListedJob| {
        let owner = job.worker.as_deref().unwrap_or_default();
        owner.split('.').next().unwrap_or_default().to_owned()
    };
    let names: BTreeSet<String> = running.iter().map(name).collect();
    let rows = running.iter().map(|job| {
        vec![
            html!("<span class=\"id\">{}</span>", job.id),
            html!("{}", job.kind.as_str()),
            about(job.subject.as_deref()),
            html!("{}", job.attempts),
            html!("<span class=\"id\">{}</span>", name(job)),
        ]
    });
    html!(
        "<p>{} at work on {} jobs.</p>{}",
        names.len(),
        running.len(),
        table(
            "Running jobs",
            &["job", "kind", "about", "try", "worker"],
            rows.collect(),
            "Nothing runs right now."
        )
    )
}

/// A link to what a job is about, where there is a page of it.
pub(super) fn about(subject: Option<&str>) -> Html {
    let Some(subject) = subject else { return super::html::name_or_dash(None) };
    match subject.split_once('_').map(|(prefix, _)| prefix) {
        Some("pap") => link("/papers", subject),
        Some("sub") => link("/submissions", subject),
        Some("evt") => link("/events", subject),
        Some("we") => link("/endpoints", subject),
        _ => html!("<span class=\"id\">{}</span>", subject),
    }
}
