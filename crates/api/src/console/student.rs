//! What a student wrote and earned: shown for a while to whoever has given a reason, which is in the record first.

use super::Console;
use super::form::Fields;
use super::html::{Html, html, name, name_or_dash};
use super::layout::{facts, link, page as framed, section, table};
use super::named::Named;
use super::problem::{Problem, redirect};
use super::session::{Sent, Signed};
use axum::extract::State;
use axum::response::{Html as Page, Response};
use domain::id::{EntryId, Identifier as _, SubmissionId};
use domain::result::{PartResult, Result as Marked};
use domain::text::Line;

/// Answers are cut after this many letters; the report has the rest.
const ANSWER_MAX: usize = 2_000;

/// The form that asks for the reason.
pub(super) fn form(signed: &Signed, id: SubmissionId) -> Html {
    html!(
        "<p>The student's name, answers and marks are shown for 15 minutes once you say why you need them. Your reason \
         stays in the log.</p><form class=\"panel row\" method=\"post\" action=\"/submissions/{}/student\">{}\
         <div class=\"field grow\"><label for=\"reason\">Why do you need to see them?</label><input id=\"reason\" \
         name=\"reason\" maxlength=\"500\" required></div><button class=\"button\">Record it and show them</button></form>",
        id,
        signed.seal()
    )
}

/// Writes the reason down, and leads to the page.
pub(super) async fn ask(
    State(console): State<Console>,
    Named(id): Named<SubmissionId>,
    Sent(signed, fields): Sent,
) -> Result<Response, Problem> {
    let reason = fields.reason()?.ok_or_else(|| Problem::wrong("Say why you need to see this."))?;
    let given = console.service.ask_for_student(&signed.operator, id, reason).await?;
    Ok(redirect(&format!("/submissions/{id}/student?given={given}")))
}

/// The page.
pub(super) async fn page(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<SubmissionId>,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let submission = console.service.any_submission(id).await?;
    let title = format!("Submission {id}");
    let given = fields.text("given").and_then(EntryId::parse);
    let may_see = match given {
        Some(given) => console.service.may_see_student(&signed.operator, &submission, given).await?,
        None => false,
    };
    if !may_see {
        return Ok(framed(&signed, "/accounts", &title, &form(&signed, id)));
    }
    let result = console.service.any_result(&submission).await?;
    let score =
        submission.score.map(|score| html!("{} of {}, {}", score.awarded, score.available, score.percentage));
    let told = facts(&[
        ("Student's reference", name(submission.student.external_id.as_str())),
        ("Student's name", name_or_dash(submission.student.name.as_ref().map(Line::as_str))),
        ("Score", html!("{}", score)),
        ("Submission", link("/submissions", &id.to_string())),
    ]);
    let marks = result.as_ref().map_or_else(|| html!("<p class=\"muted\">There is no result.</p>"), answers);
    let body = html!("{}{}", told, section("Answers and marks", &marks));
    Ok(framed(&signed, "/accounts", &title, &body))
}

fn answers(result: &Marked) -> Html {
    let mut rows = Vec::new();
    for question in &result.questions {
        rows.push(vec![
            name(&question.number),
            html!("{} of {}", question.awarded, question.available),
            html!("<span class=\"answer-text\">{}</span>", name(&cut(&question.answer))),
            name(&question.feedback),
        ]);
        rows.extend(question.parts.iter().map(|part| of_part(&question.number, part)));
    }
    table(
        "Answers and marks",
        &["question", "marks", "answer as it was read", "feedback"],
        rows,
        "There are none.",
    )
}

fn of_part(number: &str, part: &PartResult) -> Vec<Html> {
    vec![
        html!("{} {}", name(number), name(&part.label)),
        html!("{} of {}", part.awarded, part.available),
        html!("<span class=\"answer-text\">{}</span>", name(&cut(&part.answer))),
        name(&part.feedback),
    ]
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(ANSWER_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
