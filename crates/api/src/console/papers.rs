//! Papers: of an account, by pages, and one of them. Questions and keys are the account's own and stay with it.

use super::Console;
use super::accounts::{account_page, owner};
use super::form::Fields;
use super::html::{Html, html, moment, moment_or_dash, name, name_or_dash};
use super::layout::{facts, page, status, table};
use super::lists::{Entry, Place, address, choice, filter_form, mode_choice};
use super::named::Named;
use super::problem::Problem;
use super::session::Signed;
use axum::extract::State;
use axum::response::Html as Page;
use domain::failure::FailureCode;
use domain::id::{AccountId, PaperId};
use domain::paper::{Paper, PaperFilter, Status};

/// The papers of an account, newest first.
pub(super) async fn list(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<AccountId>,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let account = console.service.account(id).await?;
    let mode = fields.mode_or_live();
    let wanted = fields.text("status").and_then(Status::parse);
    let external_id = fields.opt_line("external_id", "The external id")?;
    let path = format!("/accounts/{id}/papers");
    let filters = vec![
        ("mode", Some(mode.name().to_owned())),
        ("status", wanted.map(|status| status.name().to_owned())),
        ("external_id", external_id.clone()),
    ];
    let place = Place::of(path.clone(), filters, &fields)?;
    let filter = PaperFilter { status: wanted, subject_id: None, external_id: external_id.clone() };
    let found = console.service.papers_of((id, mode), &filter, place.slice(), &place.seal).await?;
    let names: Vec<&str> = Status::ALL.iter().map(|status| status.name()).collect();
    let choices = html!(
        "{}{}{}",
        mode_choice(mode),
        choice("status", "Status", Some("any"), &names, wanted.map(Status::name)),
        Entry::text("external_id", "External id", external_id.as_deref().unwrap_or_default()).html()
    );
    let headings = ["paper", "id", "status", "questions", "marks", "submissions", "external id", "made"];
    let rows = found.items.iter().map(row).collect();
    let body = html!(
        "{}{}{}",
        filter_form(&path, "Which papers", &choices),
        table("Papers", &headings, rows, "There are no such papers."),
        place.turner(found.next_cursor.as_deref())
    );
    Ok(account_page(&signed, &account, "/papers", &body))
}

fn row(paper: &Paper) -> Vec<Html> {
    let or_dash = |number: Option<String>| name_or_dash(number.as_deref());
    vec![
        html!("<a href=\"/papers/{}\">{}</a>", paper.id, name(paper.title.as_str())),
        html!("<span class=\"id\">{}</span>", paper.id),
        state(paper),
        or_dash(paper.question_count.map(|count| count.to_string())),
        or_dash(paper.total_marks.map(|marks| marks.to_string())),
        html!("{}", paper.counts.total()),
        name_or_dash(paper.external_id.as_ref().map(domain::text::Line::as_str)),
        moment(paper.created_at),
    ]
}

fn state(paper: &Paper) -> Html {
    let word = status(paper.state.status().name(), paper.state.status() != Status::Failed);
    html!("{}{}", word, paper.failure().map(|code| html!(" {}", code.name())))
}

/// One paper.
pub(super) async fn one(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<PaperId>,
) -> Result<Page<String>, Problem> {
    let paper = console.service.any_paper(id).await?;
    let counts = &paper.counts;
    let pages = |pages: Option<u32>| name_or_dash(pages.map(|pages| pages.to_string()).as_deref());
    let warnings: Vec<&str> = paper.warnings.iter().map(|warning| warning.name()).collect();
    let (account, mode) = paper.owner;
    let submissions = address(
        &format!("/accounts/{account}/submissions"),
        [("mode", mode.name()), ("paper_id", &id.to_string())],
    );
    let told = facts(&[
        ("Id", html!("<span class=\"id\">{}</span>", id)),
        ("Account", owner(account)),
        ("Mode", html!("{}", mode)),
        ("Status", state(&paper)),
        ("What failed", name_or_dash(paper.failure().map(FailureCode::message))),
        ("Warnings", html!("{}", warnings.join(", "))),
        ("Pages of the paper", pages(paper.question_paper.pages)),
        ("Pages of the scheme", pages(paper.marking_scheme.pages)),
        ("Questions", pages(paper.question_count)),
        ("Marks", name_or_dash(paper.total_marks.map(|marks| marks.to_string()).as_deref())),
        ("Results", html!("{}", paper.release.name())),
        ("Credits", html!("{}", paper.billing.status.name())),
        ("External id", name_or_dash(paper.external_id.as_ref().map(domain::text::Line::as_str))),
        ("Made", moment(paper.created_at)),
        ("Approved", moment_or_dash(paper.approved_at())),
        ("Changed", moment(paper.updated_at)),
    ]);
    let body = html!(
        "{}<h2>Submissions</h2>{}<p><a href=\"{}\">Look at them</a></p>",
        told,
        facts(&[
            ("Queued", html!("{}", counts.queued)),
            ("Processing", html!("{}", counts.processing)),
            ("Graded", html!("{}", counts.graded)),
            ("Released", html!("{}", counts.released)),
            ("Failed", html!("{}", counts.failed)),
            ("Canceled", html!("{}", counts.canceled)),
        ]),
        submissions
    );
    Ok(page(&signed, "/accounts", paper.title.as_str(), &body))
}
