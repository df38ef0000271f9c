//! `tickmark paper`: an account's papers, and what reviewers changed in one.

use super::values::{self, moment};
use super::{Global, ModeName, open};
use crate::failure::Failure;
use clap::Subcommand;
use domain::account::Owner;
use domain::id::{AccountId, PaperId};
use domain::marks::Marks;
use domain::paging::{Limit, Seal, Slice, Window, parse_cursor};
use domain::paper::{Paper, PaperFilter};
use domain::review::Change;
use serde::Serialize;
use serde_json::Value;
use service::Service;

/// Lines of the record fetched at once.
const PAGE: u32 = 100;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark paper list --account acct_… --mode test
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
    /// Who changed what and when on a paper's review page, oldest first
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
    reviewer: String,
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
            Command::Audit { id } => {
                let views = changes(&app.service, id).await?;
                let headings = ["when", "reviewer", "action", "question", "what"];
                Ok(global.output().list(&views, &headings, |view| {
                    vec![
                        view.at.clone(),
                        view.reviewer.clone(),
                        view.action.to_owned(),
                        view.question.clone().unwrap_or_default(),
                        told(view),
                    ]
                })?)
            }
        }
    }
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

/// A value that fits into a table.
fn short(value: &Value) -> Option<String> {
    const SHORT: usize = 24;
    match value {
        Value::Object(_) | Value::Array(_) => None,
        Value::Null => Some("none".to_owned()),
        other => Some(other.to_string()).filter(|text| text.chars().count() <= SHORT),
    }
}
