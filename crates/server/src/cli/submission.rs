//! `tickmark submission`: an account's scripts, and proving that marks can be relied on.
//!
//! What a student wrote is not shown here: whoever needs it reads the result over the API or on the desk.

use super::values::{self, moment};
use super::{Global, ModeName, open};
use crate::failure::Failure;
use clap::{Args, Subcommand};
use domain::account::Owner;
use domain::failure::FailureCode;
use domain::id::{AccountId, PaperId, SubmissionId};
use domain::marks::Marks;
use domain::paging::{Limit, Seal, Slice, Window, parse_cursor};
use domain::result::{Flag, Score};
use domain::submission::{Status, Submission, SubmissionFilter};
use serde::Serialize;
use serde_json::json;
use service::Service;
use service::verify::Verification;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark submission list --account acct_… --paper pap_… --status failed
  tickmark submission show sub_…
  tickmark submission verify sub_…

The built-in engine gives the same marks for the same script every time; `verify` reads and marks the script
again, writes nothing, and says whether that holds. The exit code is 1 when it does not.")]
pub(super) enum Command {
    /// An account's submissions, newest first
    List(Wanted),
    /// One submission with its marks
    Show {
        /// The submission's id
        #[arg(value_name = "ID", value_parser = values::id::<SubmissionId>)]
        id: SubmissionId,
    },
    /// Delete a submission with its result, report and files; there is no way back
    Delete {
        /// The submission's id
        #[arg(value_name = "ID", value_parser = values::id::<SubmissionId>)]
        id: SubmissionId,
    },
    /// Mark a script again and compare
    Verify {
        /// The submission's id
        #[arg(value_name = "ID", value_parser = values::id::<SubmissionId>)]
        id: SubmissionId,
    },
}

#[derive(Debug, Args)]
pub(super) struct Wanted {
    /// The account's id
    #[arg(long, value_name = "ID", value_parser = values::id::<AccountId>)]
    account: AccountId,
    /// Which world
    #[arg(long, default_value = "live")]
    mode: ModeName,
    /// Only those for this paper
    #[arg(long, value_name = "ID", value_parser = values::id::<PaperId>)]
    paper: Option<PaperId>,
    /// Only those of this student: the client's own reference
    #[arg(long, value_name = "REFERENCE")]
    student: Option<String>,
    /// Only those in this status
    #[arg(long, value_parser = values::status())]
    status: Option<String>,
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
}

#[derive(Serialize)]
struct View {
    id: SubmissionId,
    paper_id: PaperId,
    student: String,
    status: &'static str,
    failure: Option<&'static str>,
    score: Option<Score>,
    created_at: String,
    updated_at: String,
}

impl From<&Submission> for View {
    fn from(submission: &Submission) -> View {
        View {
            id: submission.id,
            paper_id: submission.paper_id,
            student: submission.student.external_id.to_string(),
            status: submission.state.status().name(),
            failure: submission.failure().map(FailureCode::name),
            score: submission.score,
            created_at: moment(submission.created_at),
            updated_at: moment(submission.updated_at),
        }
    }
}

impl View {
    fn score(&self) -> String {
        self.score.map(|score| format!("{} of {}", score.awarded, score.available)).unwrap_or_default()
    }
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        match self {
            Command::List(wanted) => wanted.list(global, &app.service).await,
            Command::Show { id } => show(global, &app.service, id).await,
            Command::Delete { id } => {
                app.service.delete_any_submission(id).await?;
                let sentence = format!("The submission {id} is deleted.");
                Ok(global.output().done(&json!({"id": id, "deleted": true}), &sentence)?)
            }
            Command::Verify { id } => verify(global, &app.service, id).await,
        }
    }
}

impl Wanted {
    async fn list(self, global: &Global, service: &Service) -> Result<(), Failure> {
        service.account(self.account).await?;
        let filter = SubmissionFilter {
            paper_id: self.paper.map(|id| id.to_string()),
            student_external_id: self.student,
            status: self.status.as_deref().and_then(Status::parse),
        };
        let views: Vec<View> = submissions(service, (self.account, self.mode.into()), &filter, self.limit)
            .await?
            .iter()
            .map(View::from)
            .collect();
        let headings = ["id", "paper", "student", "status", "score", "updated"];
        Ok(global.output().list(&views, &headings, |view| {
            vec![
                view.id.to_string(),
                view.paper_id.to_string(),
                view.student.clone(),
                view.failure.unwrap_or(view.status).to_owned(),
                view.score(),
                view.updated_at.clone(),
            ]
        })?)
    }
}

/// An account's submissions that the filter lets through, newest first, at most so many.
pub(super) async fn submissions(
    service: &Service,
    owner: Owner,
    filter: &SubmissionFilter,
    most: usize,
) -> Result<Vec<Submission>, Failure> {
    let seal = Seal::new("submissions of the command line");
    let limit = Limit::new(Limit::MAX.into()).unwrap_or(Limit::DEFAULT);
    let mut slice = Slice { limit, after: None, window: Window::default() };
    let mut found = Vec::new();
    loop {
        let page = service.submissions_of(owner, filter, slice, &seal).await?;
        found.extend(page.items);
        slice.after = page.next_cursor.as_deref().and_then(|cursor| parse_cursor(cursor, &seal));
        if slice.after.is_none() || found.len() >= most {
            found.truncate(most);
            return Ok(found);
        }
    }
}

#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    submission: View,
    account_id: AccountId,
    mode: &'static str,
    files: usize,
    pages: Option<u32>,
    credits: Option<u64>,
    marks: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    question: String,
    awarded: Marks,
    available: Marks,
    confidence: f64,
    flags: Vec<Flag>,
}

async fn show(global: &Global, service: &Service, id: SubmissionId) -> Result<(), Failure> {
    let submission = service.any_submission(id).await?;
    let result = service.any_result(&submission).await?;
    let marks = result.iter().flat_map(|result| &result.questions).map(|question| Line {
        question: question.number.clone(),
        awarded: question.awarded,
        available: question.available,
        confidence: question.confidence,
        flags: question.flags.clone(),
    });
    let shown = Shown {
        submission: View::from(&submission),
        account_id: submission.owner.0,
        mode: submission.owner.1.name(),
        files: submission.files.len(),
        pages: submission.pages(),
        credits: submission.billing.credits.map(|credits| credits.0),
        marks: marks.collect(),
    };
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
    global.output().record(
        &shown,
        &[
            ("Id", id.to_string()),
            ("Account", format!("{} ({})", shown.account_id, shown.mode)),
            ("Paper", shown.submission.paper_id.to_string()),
            ("Student", shown.submission.student.clone()),
            ("Status", shown.submission.status.to_owned()),
            ("Failure", or_none(shown.submission.failure.map(str::to_owned))),
            ("Score", or_none(Some(shown.submission.score()).filter(|text| !text.is_empty()))),
            ("Files", shown.files.to_string()),
            ("Pages", or_none(shown.pages.map(|pages| pages.to_string()))),
            ("Credits", or_none(shown.credits.map(|credits| credits.to_string()))),
            ("Updated", shown.submission.updated_at.clone()),
        ],
    )?;
    if global.json || shown.marks.is_empty() {
        return Ok(());
    }
    let headings = ["question", "marks", "of", "confidence", "flags"];
    Ok(global.output().list(&shown.marks, &headings, |line| {
        let flags: Vec<String> = line.flags.iter().map(|&flag| flag_name(flag)).collect();
        vec![
            line.question.clone(),
            line.awarded.to_string(),
            line.available.to_string(),
            format!("{:.2}", line.confidence),
            flags.join(", "),
        ]
    })?)
}

/// The API's word for a flag.
pub(super) fn flag_name(flag: Flag) -> String {
    json!(flag).as_str().unwrap_or_default().to_owned()
}

async fn verify(global: &Global, service: &Service, id: SubmissionId) -> Result<(), Failure> {
    let verification = service.verify_submission(id).await?;
    let (kept, again) = (verification.kept.score, verification.again.score);
    if verification.is_same() {
        let sentence =
            format!("The same result: {} of {} marks, to the last word.", kept.awarded, kept.available);
        return Ok(global.output().done(&json!({"id": id, "same": true, "score": kept}), &sentence)?);
    }
    let changes = verification.changes();
    if global.json {
        global
            .output()
            .done(&json!({"id": id, "same": false, "score": kept, "again": again, "changed": changes}), "")?;
    }
    Err(Failure::new(difference(&verification, &changes)))
}

fn difference(verification: &Verification, changes: &[&str]) -> String {
    let (kept, again) = (verification.kept.score, verification.again.score);
    let reason = if changes.is_empty() {
        "nothing that it depends on has changed".to_owned()
    } else {
        format!("since then {} changed", changes.join(", "))
    };
    format!(
        "Another result: {} of {} marks were kept, marking again gives {} of {}; {reason}.",
        kept.awarded, kept.available, again.awarded, again.available
    )
}
