//! `tickmark paper`: an account's papers, and what people changed in one and in the marks of its scripts.

use super::values::{self, moment};
use super::{Global, ModeName, open};
use crate::failure::Failure;
use clap::Subcommand;
use domain::account::Owner;
use domain::failure::FailureCode;
use domain::id::{AccountId, PaperId};
use domain::marks::Marks;
use domain::paging::{Limit, Seal, Slice, Window, parse_cursor};
use domain::paper::{Paper, PaperFilter};
use domain::review::Change;
use serde::Serialize;
use serde_json::{Value, json};
use service::Service;

/// Lines of the record fetched at once.
const PAGE: u32 = 100;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark paper list --account acct_… --mode test
  tickmark paper show pap_…
  tickmark paper audit pap_…
  tickmark --json paper audit pap_… | jq '.[].after'")]
pub(super) enum Command {
    /// An account's papers, newest first
    List {
        /// The account's id
        #[arg(long, value_name = "ID", value_parser = values::id::<AccountId>)]
        account: AccountId,
        /// Which world
        #[arg(long, default_value = "live")]
        mode: ModeName,
    },
    /// One paper with its questions
    Show {
        /// The paper's id
        #[arg(value_parser = values::id::<PaperId>)]
        id: PaperId,
    },
    /// Delete a paper with its submissions, results and files; there is no way back
    Delete {
        /// The paper's id
        #[arg(value_parser = values::id::<PaperId>)]
        id: PaperId,
    },
    /// Who changed what and when: questions, scheme, marks, releases; oldest first
    Audit {
        /// The paper's id
        #[arg(value_parser = values::id::<PaperId>)]
        id: PaperId,
    },
}

#[derive(Serialize)]
struct PaperView {
    id: PaperId,
    title: String,
    status: &'static str,
    questions: Option<u32>,
    total_marks: Option<Marks>,
    external_id: Option<String>,
    created_at: String,
    updated_at: String,
}

impl From<&Paper> for PaperView {
    fn from(paper: &Paper) -> PaperView {
        PaperView {
            id: paper.id,
            title: paper.title.to_string(),
            status: paper.state.status().name(),
            questions: paper.question_count,
            total_marks: paper.total_marks,
            external_id: paper.external_id.as_ref().map(ToString::to_string),
            created_at: moment(paper.created_at),
            updated_at: moment(paper.updated_at),
        }
    }
}

#[derive(Serialize)]
struct ChangeView {
    at: String,
    reviewer: Option<String>,
    action: &'static str,
    question_id: Option<String>,
    question: Option<String>,
    before: Value,
    after: Value,
}

impl From<Change> for ChangeView {
    fn from(change: Change) -> ChangeView {
        let document = |text: Option<String>| text.and_then(|text| serde_json::from_str(&text).ok());
        ChangeView {
            at: moment(change.created_at),
            reviewer: change.reviewer,
            action: change.action.name(),
            question_id: change.question_id.map(|id| id.to_string()),
            question: change.number,
            before: document(change.before).unwrap_or_default(),
            after: document(change.after).unwrap_or_default(),
        }
    }
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        match self {
            Command::List { account, mode } => {
                app.service.account(account).await?;
                let views = papers(&app.service, (account, mode.into())).await?;
                let headings = ["id", "title", "status", "questions", "marks", "updated"];
                Ok(global.output().list(&views, &headings, |view| {
                    let or_empty = |text: Option<String>| text.unwrap_or_default();
                    vec![
                        view.id.to_string(),
                        view.title.clone(),
                        view.status.to_owned(),
                        or_empty(view.questions.map(|count| count.to_string())),
                        or_empty(view.total_marks.map(|marks| marks.to_string())),
                        view.updated_at.clone(),
                    ]
                })?)
            }
            Command::Show { id } => show(global, &app.service, id).await,
            Command::Delete { id } => {
                let paper = app.service.delete_any_paper(id).await?;
                let scripts = paper.counts.total();
                let sentence = format!("The paper {id} and its {scripts} submissions are deleted.");
                Ok(global
                    .output()
                    .done(&json!({"id": id, "deleted": true, "submissions": scripts}), &sentence)?)
            }
            Command::Audit { id } => {
                let views = changes(&app.service, id).await?;
                let headings = ["when", "reviewer", "action", "question", "what"];
                Ok(global.output().list(&views, &headings, |view| {
                    vec![
                        view.at.clone(),
                        view.reviewer.clone().unwrap_or_else(|| "(by API)".to_owned()),
                        view.action.to_owned(),
                        view.question.clone().unwrap_or_default(),
                        told(view),
                    ]
                })?)
            }
        }
    }
}

#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    paper: PaperView,
    account_id: AccountId,
    mode: &'static str,
    failure: Option<&'static str>,
    warnings: Vec<&'static str>,
    submissions: u32,
    credits: Option<u64>,
    read: Vec<QuestionView>,
}

#[derive(Serialize)]
struct QuestionView {
    number: String,
    marks: Option<Marks>,
    parts: usize,
    has_something_to_mark: bool,
}

async fn show(global: &Global, service: &Service, id: PaperId) -> Result<(), Failure> {
    let paper = service.any_paper(id).await?;
    let read = service.any_questions(id).await?;
    let read = read.iter().map(|stored| QuestionView {
        number: stored.question.number.clone(),
        marks: stored.question.marks,
        parts: stored.question.parts.len(),
        has_something_to_mark: !stored.question.is_empty(),
    });
    let shown = Shown {
        paper: PaperView::from(&paper),
        account_id: paper.owner.0,
        mode: paper.owner.1.name(),
        failure: paper.failure().map(FailureCode::name),
        warnings: paper.warnings.iter().map(|warning| warning.name()).collect(),
        submissions: paper.counts.total(),
        credits: paper.billing.credits.map(|credits| credits.0),
        read: read.collect(),
    };
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
    global.output().record(
        &shown,
        &[
            ("Id", id.to_string()),
            ("Account", format!("{} ({})", shown.account_id, shown.mode)),
            ("Title", shown.paper.title.clone()),
            ("Status", shown.paper.status.to_owned()),
            ("Failure", or_none(shown.failure.map(str::to_owned))),
            ("Warnings", or_none(Some(shown.warnings.join(", ")).filter(|text| !text.is_empty()))),
            ("Marks", or_none(shown.paper.total_marks.map(|marks| marks.to_string()))),
            ("Submissions", shown.submissions.to_string()),
            ("Credits", or_none(shown.credits.map(|credits| credits.to_string()))),
            ("Updated", shown.paper.updated_at.clone()),
        ],
    )?;
    if global.json || shown.read.is_empty() {
        return Ok(());
    }
    let headings = ["question", "marks", "parts", "to mark"];
    Ok(global.output().list(&shown.read, &headings, |question| {
        vec![
            question.number.clone(),
            question.marks.map(|marks| marks.to_string()).unwrap_or_default(),
            question.parts.to_string(),
            if question.has_something_to_mark { "yes" } else { "nothing" }.to_owned(),
        ]
    })?)
}

async fn papers(service: &Service, owner: Owner) -> Result<Vec<PaperView>, Failure> {
    let seal = Seal::new("papers of the command line");
    let limit = Limit::new(Limit::MAX.into()).unwrap_or(Limit::DEFAULT);
    let mut slice = Slice { limit, after: None, window: Window::default() };
    let mut views = Vec::new();
    loop {
        let page = service.papers_of(owner, &PaperFilter::default(), slice, &seal).await?;
        views.extend(page.items.iter().map(PaperView::from));
        slice.after = page.next_cursor.as_deref().and_then(|cursor| parse_cursor(cursor, &seal));
        if slice.after.is_none() {
            return Ok(views);
        }
    }
}

async fn changes(service: &Service, id: PaperId) -> Result<Vec<ChangeView>, Failure> {
    let mut views = Vec::new();
    let mut after = None;
    loop {
        let page = service.review_changes(id, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(views) };
        after = Some(last.id);
        views.extend(page.into_iter().map(ChangeView::from));
    }
}

/// What happened, in a few words: what a short value was and is, and only the names of long ones.
fn told(view: &ChangeView) -> String {
    match (&view.before, &view.after) {
        (Value::Null, Value::Object(_)) if view.question.is_some() => "added".to_owned(),
        (Value::Object(_), Value::Null) => "removed".to_owned(),
        (before, Value::Object(after)) => {
            let member = |(name, value): (&String, &Value)| match (short(&before[name]), short(value)) {
                (Some(was), Some(is)) if !before[name].is_null() => format!("{name}: {was} -> {is}"),
                (_, Some(is)) => format!("{name}: {is}"),
                _ => name.clone(),
            };
            after.iter().map(member).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

/// A value that fits into a table, such as an id.
fn short(value: &Value) -> Option<String> {
    const SHORT: usize = 32;
    match value {
        Value::Object(_) | Value::Array(_) => None,
        Value::Null => Some("none".to_owned()),
        other => Some(other.to_string()).filter(|text| text.chars().count() <= SHORT),
    }
}
