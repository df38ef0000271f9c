//! Submissions: of an account, by pages, and one of them. Who wrote it and what it earned stand on a page of their own,
//! behind a reason.

use super::Console;
use super::accounts::{account_page, owner};
use super::form::Fields;
use super::html::{Html, html, moment, moment_or_dash, name_or_dash};
use super::layout::{facts, link, page, section, status, table};
use super::lists::{Entry, Place, choice, filter_form, mode_choice};
use super::named::Named;
use super::problem::Problem;
use super::session::Signed;
use super::student;
use axum::extract::State;
use axum::response::Html as Page;
use domain::failure::FailureCode;
use domain::id::{AccountId, SubmissionId};
use domain::submission::{Status, Submission, SubmissionFilter};

/// The submissions of an account, newest first. A student's own reference can be looked for, but is not shown.
pub(super) async fn list(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<AccountId>,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let account = console.service.account(id).await?;
    let mode = fields.mode_or_live();
    let wanted = fields.text("status").and_then(Status::parse);
    let paper_id = fields.opt_line("paper_id", "The paper's id")?;
    let student = fields.opt_line("student", "The student's reference")?;
    let path = format!("/accounts/{id}/submissions");
    let filters = vec![
        ("mode", Some(mode.name().to_owned())),
        ("status", wanted.map(|status| status.name().to_owned())),
        ("paper_id", paper_id.clone()),
        ("student", student.clone()),
    ];
    let place = Place::of(path.clone(), filters, &fields)?;
    let filter =
        SubmissionFilter { paper_id: paper_id.clone(), student_external_id: student.clone(), status: wanted };
    let found = console.service.submissions_of((id, mode), &filter, place.slice(), &place.seal).await?;
    let names: Vec<&str> = Status::ALL.iter().map(|status| status.name()).collect();
    let choices = html!(
        "{}{}{}{}",
        mode_choice(mode),
        choice("status", "Status", Some("any"), &names, wanted.map(Status::name)),
        Entry::text("paper_id", "Paper's id", paper_id.as_deref().unwrap_or_default()).html(),
        Entry::text("student", "Student's reference", student.as_deref().unwrap_or_default()).html()
    );
    let headings = ["submission", "paper", "status", "pages", "made", "marked", "released"];
    let rows = found.items.iter().map(row).collect();
    let body = html!(
        "{}{}{}",
        filter_form(&path, "Which submissions", &choices),
        table("Submissions", &headings, rows, "There are no such submissions."),
        place.turner(found.next_cursor.as_deref())
    );
    Ok(account_page(&signed, &account, "/submissions", &body))
}

fn row(submission: &Submission) -> Vec<Html> {
    vec![
        link("/submissions", &submission.id.to_string()),
        link("/papers", &submission.paper_id.to_string()),
        state(submission),
        name_or_dash(submission.pages().map(|pages| pages.to_string()).as_deref()),
        moment(submission.created_at),
        moment_or_dash(submission.graded_at),
        moment_or_dash(submission.released_at),
    ]
}

fn state(submission: &Submission) -> Html {
    let now = submission.state.status();
    html!(
        "{}{}",
        status(now.name(), now != Status::Failed),
        submission.failure().map(|code| html!(" {}", code.name()))
    )
}

/// One submission.
pub(super) async fn one(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<SubmissionId>,
) -> Result<Page<String>, Problem> {
    let submission = console.service.any_submission(id).await?;
    let files: Html = submission
        .files
        .iter()
        .map(|file| {
            let pages = file.pages.map_or_else(|| "not counted".to_owned(), |pages| format!("{pages} pages"));
            let kind = file.content_type.map_or("by URL, not come yet", domain::file::ContentType::name);
            html!("<li>{}, {}</li>", kind, pages)
        })
        .collect();
    let told = facts(&[
        ("Account", owner(submission.owner.0)),
        ("Mode", html!("{}", submission.owner.1)),
        ("Paper", link("/papers", &submission.paper_id.to_string())),
        ("Status", state(&submission)),
        ("What failed", name_or_dash(submission.failure().map(FailureCode::message))),
        ("Files", html!("<ul>{}</ul>", files)),
        ("Credits", html!("{}", submission.billing.status.name())),
        ("Made", moment(submission.created_at)),
        ("Begun", moment_or_dash(submission.started_at)),
        ("Marked", moment_or_dash(submission.graded_at)),
        ("Released", moment_or_dash(submission.released_at)),
        ("Changed", moment(submission.updated_at)),
    ]);
    let body =
        html!("{}{}", told, section("The student, the answers and the marks", &student::form(&signed, id)));
    Ok(page(&signed, "/accounts", &format!("Submission {id}"), &body))
}
