//! `tickmark event`: what happened, and sending it again.

use std::io::{self, BufRead as _, IsTerminal as _};

use super::listen::event_type;
use super::values::{self, moment};
use super::{Global, ModeName, open, output};
use crate::failure::Failure;
use clap::{Args, Subcommand};
use domain::event::{Event, EventFilter, EventType};
use domain::id::{AccountId, EndpointId, EventId};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use service::Service;
use service::deliveries::ResendRange;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark event list --account acct_… --type submission.released
  tickmark event resend evt_…
  tickmark event resend --endpoint we_… --since 2026-11-14T08:00:00Z --until 2026-11-14T12:00:00Z
  tickmark event resend --endpoint we_… --since 2026-11-14 --yes")]
pub(super) enum Command {
    /// The latest events, newest first
    List {
        /// Of this account only
        #[arg(long, value_name = "ID", value_parser = values::id::<AccountId>)]
        account: Option<AccountId>,
        /// Which of its worlds
        #[arg(long, default_value = "live", requires = "account")]
        mode: ModeName,
        /// Of this type only
        #[arg(long = "type", value_name = "TYPE", requires = "account", value_parser = event_type)]
        kind: Option<EventType>,
        /// About this paper or submission only
        #[arg(long, value_name = "ID", requires = "account")]
        object: Option<String>,
        /// How many
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
        limit: u32,
    },
    /// Send an event to its endpoints again, or a range of events to one endpoint
    Resend(Resend),
}

#[derive(Debug, Args)]
pub(super) struct Resend {
    /// The event's id
    #[arg(value_name = "ID", value_parser = values::id::<EventId>, required_unless_present = "endpoint", conflicts_with_all = ["endpoint", "since", "until"])]
    id: Option<EventId>,
    /// To which endpoint
    #[arg(long, value_name = "ID", value_parser = values::id::<EndpointId>, requires = "since")]
    endpoint: Option<EndpointId>,
    /// What happened at this time or later
    #[arg(long, value_name = "T", value_parser = values::time, requires = "endpoint")]
    since: Option<Timestamp>,
    /// And before this one [default: now]
    #[arg(long, value_name = "T", value_parser = values::time, requires = "since")]
    until: Option<Timestamp>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

#[derive(Serialize)]
struct Line {
    id: EventId,
    account_id: AccountId,
    mode: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    object_id: Option<String>,
    created_at: String,
}

impl From<Event> for Line {
    fn from(event: Event) -> Line {
        Line {
            id: event.id,
            account_id: event.account_id,
            mode: event.mode.name(),
            kind: event.kind.name(),
            object_id: event.object_id,
            created_at: moment(event.created_at),
        }
    }
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        match self {
            Command::List { account, mode, kind, object, limit } => {
                let events = match account {
                    Some(account) => {
                        let filter = EventFilter { kind, object_id: object };
                        app.service.events_of((account, mode.into()), &filter, limit).await?
                    }
                    None => app.service.latest_events(i64::from(limit)).await?,
                };
                let lines: Vec<Line> = events.into_iter().map(Line::from).collect();
                let headings = ["id", "at", "mode", "type", "about", "account"];
                Ok(global.output().list(&lines, &headings, |line| {
                    vec![
                        line.id.to_string(),
                        line.created_at.clone(),
                        line.mode.to_owned(),
                        line.kind.to_owned(),
                        line.object_id.clone().unwrap_or_else(|| "-".to_owned()),
                        line.account_id.to_string(),
                    ]
                })?)
            }
            Command::Resend(resend) => resend.run(global, &app.service).await,
        }
    }
}

impl Resend {
    async fn run(self, global: &Global, service: &Service) -> Result<(), Failure> {
        match (self.id, self.endpoint, self.since) {
            (Some(id), ..) => {
                let endpoints = service.resend_event(id).await?;
                let sentence = match endpoints.len() {
                    0 => "No enabled endpoint takes this event.".to_owned(),
                    1 => "It is sent again to 1 endpoint.".to_owned(),
                    count => format!("It is sent again to {count} endpoints."),
                };
                Ok(global.output().done(&json!({"event": id, "endpoints": endpoints}), &sentence)?)
            }
            (None, Some(endpoint_id), Some(since)) => {
                let range = ResendRange { endpoint_id, since, until: self.until.unwrap_or(service.now()) };
                let count = service.count_range(range).await?;
                let (from, to) = (moment(range.since), moment(range.until));
                let question = format!("{count} events from {from} to {to} go to {endpoint_id} again.");
                if !self.yes && (global.json || !io::stdin().is_terminal()) {
                    let would = json!({
                        "endpoint": endpoint_id, "since": from, "until": to, "would_send": count, "events": 0,
                    });
                    let sentence =
                        format!("{count} events from {from} to {to} would go to {endpoint_id} again.");
                    global.output().done(&would, &sentence)?;
                    return Err(Failure::settings("Nothing was sent: say so with --yes."));
                }
                if !self.yes {
                    confirm(&question)?;
                }
                let sent = service.resend_range(range).await?;
                let sentence = format!("{question} {sent} are queued.");
                Ok(global.output().done(&json!({"endpoint": endpoint_id, "events": sent}), &sentence)?)
            }
            _ => Err(Failure::settings("Name an event, or --endpoint and --since.")),
        }
    }
}

/// Says what would happen, and goes on when the person agrees.
fn confirm(question: &str) -> Result<(), Failure> {
    output::text(&format!("{question} Send them? [y/N] "))?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    if matches!(answer.trim(), "y" | "Y" | "yes") { Ok(()) } else { Err(Failure::new("Nothing was sent.")) }
}
