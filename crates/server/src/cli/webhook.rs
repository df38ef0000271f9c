//! `tickmark webhook`: endpoints and what became of their deliveries.

use super::values::{self, moment};
use super::{Global, open};
use crate::failure::Failure;
use clap::Subcommand;
use domain::id::{AccountId, EndpointId, EventId};
use domain::webhook::{Endpoint, Kind};
use serde::Serialize;
use store::deliveries::Attempt;

/// Endpoints read at a time.
const BATCH: i64 = 100;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark webhook list
  tickmark webhook list --account acct_…
  tickmark webhook attempts we_… --limit 50")]
pub(super) enum Command {
    /// All endpoints, and since when those fail that do
    List {
        /// Of this account only
        #[arg(long, value_name = "ID", value_parser = values::id::<AccountId>)]
        account: Option<AccountId>,
    },
    /// The latest attempts to deliver to an endpoint, newest first
    Attempts {
        /// The endpoint's id
        #[arg(value_name = "ID", value_parser = values::id::<EndpointId>)]
        id: EndpointId,
        /// How many
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
    },
}

#[derive(Serialize)]
struct EndpointLine {
    id: EndpointId,
    account_id: AccountId,
    mode: &'static str,
    status: &'static str,
    failing_since: Option<String>,
    url: String,
    events: Vec<&'static str>,
    description: Option<String>,
    created_at: String,
}

impl From<&Endpoint> for EndpointLine {
    fn from(endpoint: &Endpoint) -> EndpointLine {
        EndpointLine {
            id: endpoint.id,
            account_id: endpoint.account_id,
            mode: endpoint.mode.name(),
            status: endpoint.status.name(),
            failing_since: endpoint.health.failing_since.map(moment),
            url: endpoint.url.clone(),
            events: endpoint.events.names().collect(),
            description: endpoint.description.as_ref().map(ToString::to_string),
            created_at: moment(endpoint.created_at),
        }
    }
}

#[derive(Serialize)]
struct AttemptLine {
    attempted_at: String,
    event_id: EventId,
    number: u32,
    is_resend: bool,
    status: Option<u32>,
    error: Option<String>,
    answer: Option<String>,
    duration_ms: u32,
}

impl From<Attempt> for AttemptLine {
    fn from(attempt: Attempt) -> AttemptLine {
        AttemptLine {
            attempted_at: moment(attempt.attempted_at),
            event_id: attempt.event_id,
            number: attempt.number,
            is_resend: attempt.is_resend,
            status: attempt.status,
            error: attempt.error,
            answer: attempt.answer,
            duration_ms: attempt.duration_ms,
        }
    }
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        match self {
            Command::List { account } => {
                let mut lines = Vec::new();
                let mut last = None;
                loop {
                    let page = app.service.endpoints_after(last, BATCH).await?;
                    let Some(end) = page.last() else { break };
                    last = Some(end.id);
                    let shown = page.iter().filter(|endpoint| {
                        endpoint.kind == Kind::Endpoint
                            && account.is_none_or(|account| account == endpoint.account_id)
                    });
                    lines.extend(shown.map(EndpointLine::from));
                }
                let headings = ["id", "account", "mode", "status", "failing since", "url", "events"];
                Ok(global.output().list(&lines, &headings, |line| {
                    vec![
                        line.id.to_string(),
                        line.account_id.to_string(),
                        line.mode.to_owned(),
                        line.status.to_owned(),
                        line.failing_since.clone().unwrap_or_else(|| "-".to_owned()),
                        line.url.clone(),
                        line.events.join(" "),
                    ]
                })?)
            }
            Command::Attempts { id, limit } => {
                app.service.any_endpoint(id).await?;
                let attempts = app.service.attempts(id, i64::from(limit)).await?;
                let lines: Vec<AttemptLine> = attempts.into_iter().map(AttemptLine::from).collect();
                let headings = ["at", "event", "attempt", "answer", "ms", "why"];
                Ok(global.output().list(&lines, &headings, row)?)
            }
        }
    }
}

fn row(line: &AttemptLine) -> Vec<String> {
    let answer = line.status.map_or_else(|| "none".to_owned(), |status| status.to_string());
    let number = if line.is_resend { format!("{} (resend)", line.number) } else { line.number.to_string() };
    let why = line.error.as_deref().or(line.answer.as_deref()).unwrap_or_default();
    let why = why.lines().next().unwrap_or_default().chars().take(80).collect();
    vec![
        line.attempted_at.clone(),
        line.event_id.to_string(),
        number,
        answer,
        line.duration_ms.to_string(),
        why,
    ]
}
