//! `tickmark listen` and `tickmark trigger`: for developers who write a receiver.

use std::time::{Duration, Instant};

use super::values;
use super::{Global, ModeName, output};
use crate::app::{App, User};
use crate::failure::Failure;
use clap::Args;
use domain::event::EventType;
use domain::id::{AccountId, EndpointId};
use domain::mode::Mode;
use domain::web_url::{Reach, WebUrl};
use serde_json::{Value, json};
use service::Service;
use service::deliveries::Forwarded;
use tokio::signal::unix::{SignalKind, signal};

/// How often the database is asked for new events.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How often the queue is kept for this process.
const KEEP_EVERY: Duration = Duration::from_secs(10);

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tickmark listen --forward-to http://localhost:3000/hook
  tickmark listen --forward-to http://localhost:3000/hook --mode live

Events are signed with the secret that is printed first, as deliveries to an endpoint are. What is not taken
is not tried again by itself: `tickmark event resend` sends it once more.")]
pub(super) struct Listen {
    /// Where on this machine events are posted to
    #[arg(long, value_name = "URL")]
    forward_to: String,
    #[command(flatten)]
    owner: Owner,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tickmark trigger submission.released
  tickmark trigger paper.failed --mode live

It works on a database that `tickmark dev` made.")]
pub(super) struct Trigger {
    /// Which event happens, such as submission.released
    #[arg(value_name = "TYPE", value_parser = event_type)]
    kind: EventType,
    #[command(flatten)]
    owner: Owner,
}

#[derive(Debug, Args)]
struct Owner {
    /// The account's id [default: the only account]
    #[arg(long, value_name = "ID", value_parser = values::id::<AccountId>)]
    account: Option<AccountId>,
    /// Which of its worlds
    #[arg(long, default_value = "test")]
    mode: ModeName,
}

impl Owner {
    async fn find(&self, service: &Service) -> Result<(AccountId, Mode), Failure> {
        if let Some(account) = self.account {
            return Ok((service.account(account).await?.id, self.mode.into()));
        }
        match &service.accounts_after(None, 2).await?[..] {
            [account] => Ok((account.id, self.mode.into())),
            _ => Err(Failure::settings("There is not exactly one account, so name it with --account.")),
        }
    }
}

pub(super) fn event_type(text: &str) -> Result<EventType, String> {
    let names = EventType::ALL.map(EventType::name).join(", ");
    EventType::parse(text).ok_or_else(|| format!("it must be one of {names}"))
}

impl Listen {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let url = WebUrl::parse(&self.forward_to, Reach::Development)
            .map_err(|problem| Failure::settings(format!("The option --forward-to {problem}.")))?;
        let app = App::open(&global.settings()?, User::Command, Reach::Development, "").await?;
        let owner = self.owner.find(&app.service).await?;
        let mut stop = signal(SignalKind::interrupt())?;
        let mut end = signal(SignalKind::terminate())?;
        let (endpoint, secret) = app.service.begin_listening(owner, url).await?;
        let mode = owner.1.name();
        let (url, secret) = (&self.forward_to, secret.reveal());
        global.output().done(
            &json!({"forward_to": url, "mode": mode, "secret": secret}),
            &format!("Events of the {mode} mode go to {url}, signed with\n{secret}\nCtrl-C ends it."),
        )?;
        let outcome = tokio::select! {
            outcome = forward(global, &app.service, endpoint.id) => outcome,
            _ = stop.recv() => Ok(()),
            _ = end.recv() => Ok(()),
        };
        app.service.end_listening(endpoint.id).await?;
        outcome
    }
}

/// Posts what comes, for as long as the database answers.
async fn forward(global: &Global, service: &Service, endpoint: EndpointId) -> Result<(), Failure> {
    let mut kept = Instant::now();
    loop {
        for forwarded in service.forward_due(endpoint).await? {
            show(global, &forwarded)?;
        }
        if kept.elapsed() >= KEEP_EVERY {
            service.keep_listening(endpoint).await?;
            kept = Instant::now();
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn show(global: &Global, forwarded: &Forwarded) -> Result<(), Failure> {
    let answer = match (forwarded.status, &forwarded.error) {
        (Some(status), _) => status.to_string(),
        (None, error) => error.clone().unwrap_or_default(),
    };
    let (id, kind) = (forwarded.event_id, forwarded.kind.name());
    if global.json {
        let line =
            json!({"event_id": id, "type": kind, "status": forwarded.status, "error": forwarded.error});
        return Ok(output::text(&format!("{line}\n"))?);
    }
    Ok(output::text(&format!("{kind:22}  {id}  -> {answer}\n"))?)
}

impl Trigger {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = App::open(&global.settings()?, User::Command, Reach::Public, "").await?;
        if !app.service.is_development().await? {
            return Err(Failure::new(
                "Events can be triggered in a database that `tickmark dev` made, and nowhere else.",
            ));
        }
        let (account, mode) = self.owner.find(&app.service).await?;
        let (object_id, snapshot) = sample(self.kind, mode);
        let event = app.service.trigger((account, mode), self.kind, object_id, snapshot.to_string()).await?;
        let sentence = format!("{} happened: {}", self.kind.name(), event.id);
        Ok(global.output().done(&json!({"id": event.id, "type": self.kind.name()}), &sentence)?)
    }
}

/// What the event is about: the example of the API's own description, in the state that the event tells of.
fn sample(kind: EventType, mode: Mode) -> (Option<String>, Value) {
    let (schema, status) = match kind {
        EventType::PaperAwaitingReview => ("Paper", Some("awaiting_review")),
        EventType::PaperReady => ("Paper", Some("ready")),
        EventType::PaperFailed => ("Paper", Some("failed")),
        EventType::SubmissionGraded => ("Submission", Some("graded")),
        EventType::SubmissionReleased => ("Submission", Some("released")),
        EventType::SubmissionFailed => ("Submission", Some("failed")),
        EventType::SubmissionAdjusted => ("Submission", Some("graded")),
        EventType::CreditsBalanceLow => ("Balance", None),
        EventType::CreditsExpiring => ("Account", None),
    };
    let description: Value = serde_json::from_str(&api::openapi::document()).unwrap_or_default();
    let mut object = description["components"]["schemas"][schema]["example"].clone();
    if !object.is_object() {
        object = json!({"object": schema.to_lowercase()});
    }
    object["livemode"] = json!(mode.is_live());
    if let Some(status) = status {
        object["status"] = json!(status);
        if status == "failed" {
            object["failure"] = json!({"code": "file_unreadable", "message": "The file cannot be read."});
        }
    }
    let id = object["id"].as_str().filter(|_| status.is_some()).map(str::to_owned);
    (id, object)
}
