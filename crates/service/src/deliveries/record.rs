//! Writing down what became of deliveries: many in one transaction, each before its place is given to another.

use super::attempt::Outcome;
use crate::{Error, Service};
use domain::account::Account;
use domain::id::{EndpointId, EventId};
use domain::time::Shown;
use domain::webhook::{Endpoint, Kind, Retry, SPANS, Status, Verdict, Warning};
use jiff::{SignedDuration, Timestamp};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;
use store::deliveries::Attempt;
use store::mails::{self, Mail};
use store::{Tx, accounts, deliveries, events, webhooks};
use tokio::sync::mpsc;

/// Outcomes that are written in one transaction.
const BATCH_MAX: usize = 512;
/// How long the writer waits for further outcomes after the first.
const GATHER: Duration = Duration::from_millis(8);
/// Outcomes that may wait to be written.
const QUEUE_MAX: usize = 1024;

/// Where a queue hears what became of its outcomes: of which event, and whether it is written down.
pub(super) type Ear = mpsc::UnboundedSender<(EventId, bool)>;
type Entry = (Outcome, Ear);

/// The way to the writer. It ends when the last handle is gone.
#[derive(Clone, Debug)]
pub(super) struct Recorder(mpsc::Sender<Entry>);

impl Recorder {
    pub(super) fn start(service: Service) -> Recorder {
        let (sender, mut entries) = mpsc::channel::<Entry>(QUEUE_MAX);
        tokio::spawn(async move {
            let mut batch = Vec::with_capacity(BATCH_MAX);
            while entries.recv_many(&mut batch, BATCH_MAX).await > 0 {
                // What was sent together ends together: one commit for all costs less than one for the first.
                tokio::time::sleep(GATHER).await;
                while batch.len() < BATCH_MAX
                    && let Ok(entry) = entries.try_recv()
                {
                    batch.push(entry);
                }
                let ears: Vec<_> =
                    batch.iter().map(|(outcome, ear)| (outcome.attempt.event_id, ear.clone())).collect();
                let outcomes = batch.drain(..).map(|(outcome, _)| outcome).collect();
                let written = write(&service, outcomes).await;
                if let Err(error) = &written {
                    tracing::error!(%error, "what became of deliveries could not be written; they are sent again");
                }
                for (event, ear) in ears {
                    // A queue that has given up listens no more.
                    let _ = ear.send((event, written.is_ok()));
                }
            }
        });
        Recorder(sender)
    }

    /// Has an outcome written down; `ear` is told when that is committed, or failed.
    pub(super) async fn record(&self, outcome: Outcome, ear: &Ear) {
        if let Err(unsent) = self.0.send((outcome, ear.clone())).await {
            let _ = ear.send((unsent.0.0.attempt.event_id, false));
        }
    }
}

pub(super) async fn write(service: &Service, outcomes: Vec<Outcome>) -> Result<(), Error> {
    service
        .store()
        .write(outcomes, |tx, outcomes| {
            Box::pin(async move {
                let attempts = to_be_kept(tx, outcomes).await?;
                let attempts: Vec<&Attempt> = attempts.iter().map(AsRef::as_ref).collect();
                deliveries::insert_attempts(tx, &attempts).await?;
                let over = outcomes.iter().filter(|outcome| outcome.next_at().is_none());
                let over: Vec<_> = over.map(|outcome| outcome.attempt.delivery()).collect();
                deliveries::finish(tx, &over).await?;
                let mut arrived = BTreeSet::new();
                for outcome in outcomes {
                    record_failure(tx, outcome).await?;
                    if outcome.is_success() && !outcome.attempt.is_resend {
                        arrived.insert(outcome.attempt.endpoint_id);
                    }
                }
                for endpoint in arrived {
                    if webhooks::recover(tx, endpoint).await? {
                        show_health(endpoint, None, Timestamp::UNIX_EPOCH);
                    }
                }
                Ok(())
            })
        })
        .await
}

/// The attempts as they are written down. Of an object that was deleted while the attempt was under way, what the
/// receiver answered is not kept: it may have sent back what it got.
async fn to_be_kept<'o>(tx: &mut Tx, outcomes: &'o [Outcome]) -> Result<Vec<Cow<'o, Attempt>>, Error> {
    let attempts = || outcomes.iter().map(|outcome| &outcome.attempt);
    let answered = attempts().filter(|attempt| attempt.answer.is_some()).map(|attempt| attempt.event_id);
    let deleted = events::reduced_among(tx, &answered.collect()).await?;
    let kept = |attempt: &'o Attempt| match deleted.contains(&attempt.event_id) {
        true => Cow::Owned(Attempt { answer: None, ..attempt.clone() }),
        false => Cow::Borrowed(attempt),
    };
    Ok(attempts().map(kept).collect())
}

impl Outcome {
    /// A success ends a delivery, and so does any answer of somebody who only listens.
    fn is_over(&self) -> bool {
        self.is_success() || self.receiver.endpoint.kind == Kind::Listener
    }

    /// When the delivery is tried again, if it is.
    fn next_at(&self) -> Option<Timestamp> {
        let retry = Retry {
            attempts: self.attempt.number,
            first_at: self.first_at,
            chance: self.chance,
            retry_after: self.retry_after,
        };
        if self.is_over() { None } else { retry.next_at(self.ended_at) }
    }
}

/// What a failed attempt leads to: another one, and a look at the endpoint.
async fn record_failure(tx: &mut Tx, outcome: &Outcome) -> Result<(), Error> {
    let (attempt, next_at) = (&outcome.attempt, outcome.next_at());
    if let Some(next_at) = next_at {
        let (event, endpoint) = attempt.delivery();
        deliveries::postpone(tx, event, endpoint, attempt.number, outcome.first_at, next_at).await?;
    }
    if outcome.is_over() || attempt.is_resend {
        return Ok(());
    }
    judge(tx, outcome, next_at.is_none()).await
}

/// What a failed attempt means for its endpoint: a warning, or its end.
async fn judge(tx: &mut Tx, outcome: &Outcome, is_given_up: bool) -> Result<(), Error> {
    let now = outcome.ended_at;
    let Some(found) = webhooks::lock(tx, outcome.attempt.endpoint_id).await? else { return Ok(()) };
    // An attempt that was under way when the endpoint was changed says nothing about what it is now.
    if found.status == Status::Disabled || found.url != outcome.receiver.endpoint.url {
        return Ok(());
    }
    let mut endpoint = found.clone();
    endpoint.health = found.health.failed(now);
    let is_tried_daily = endpoint.health.is_old(now) && was_tried_daily(tx, endpoint.id, now).await?;
    match endpoint.health.verdict(now, is_tried_daily, is_given_up) {
        Verdict::Wait => {}
        Verdict::Warn(warning) => {
            mail(tx, &endpoint, Some(warning), now).await?;
            endpoint.health = endpoint.health.warned(warning);
        }
        Verdict::Disable => {
            mail(tx, &endpoint, None, now).await?;
            endpoint.status = Status::Disabled;
            deliveries::drop_all(tx, endpoint.id).await?;
            tracing::warn!(endpoint.id = %endpoint.id, "an endpoint was disabled: every delivery failed for five days");
        }
    }
    webhooks::save(tx, &found, &endpoint).await?;
    show_health(endpoint.id, endpoint.health.failing_since, now);
    Ok(())
}

/// True when there were attempts in each of the last five spans of 24 hours, the one that just ended included.
async fn was_tried_daily(tx: &mut Tx, endpoint: EndpointId, now: Timestamp) -> Result<bool, Error> {
    const DAY: SignedDuration = SignedDuration::from_hours(24);
    for span in 1..=SPANS {
        let until = now - SignedDuration::from_hours(24 * (span - 1));
        if span > 1 && !deliveries::was_tried_between(tx, endpoint, until - DAY, until).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn show_health(endpoint: EndpointId, failing_since: Option<Timestamp>, now: Timestamp) {
    let seconds = failing_since.map_or(0.0, |since| now.duration_since(since).as_secs_f64().max(1.0));
    metrics::gauge!("tickmark_endpoint_failing_seconds", "endpoint" => endpoint.to_string()).set(seconds);
}

/// Mails the technical contact that an endpoint fails, or that it was disabled.
async fn mail(
    tx: &mut Tx,
    endpoint: &Endpoint,
    warning: Option<Warning>,
    now: Timestamp,
) -> Result<(), Error> {
    let Some(account) = accounts::by_id(tx, endpoint.account_id).await? else { return Ok(()) };
    let Some(recipient) = account.contact.clone() else { return Ok(()) };
    let since = endpoint.health.failing_since.unwrap_or(now);
    let step = match warning {
        Some(Warning::First) => "warning-1",
        Some(Warning::Last) => "warning-2",
        None => "disabled",
    };
    let id = format!("{}-{}-{step}", endpoint.id, since.as_second());
    let (subject, body) = letter(&account, endpoint, warning, since);
    Ok(mails::enqueue(tx, &id, &Mail { recipient, subject, body }, now).await?)
}

fn letter(
    account: &Account,
    endpoint: &Endpoint,
    warning: Option<Warning>,
    since: Timestamp,
) -> (String, String) {
    let (id, url, since) = (endpoint.id, &endpoint.url, Shown(since));
    let mode = endpoint.mode.name();
    let facts = format!(
        "Account:  {}\nEndpoint: {id} ({mode} mode)\nURL:      {url}\nFailing:  since {since}, every delivery\n",
        account.name
    );
    let catch_up = "Events are kept for 30 days: what was missed can be fetched from GET /v1/events.";
    match warning {
        None => (
            format!("Webhook endpoint {id} was disabled"),
            format!(
                "Every delivery to this webhook endpoint has failed for five days, so it was disabled.\n\n{facts}\n\
                 When it is repaired, enable it again: PATCH /v1/webhook_endpoints/{id} with {{\"status\": \"enabled\"}}.\n\
                 {catch_up}\n"
            ),
        ),
        Some(_) => (
            format!("Webhook endpoint {id} is failing"),
            format!(
                "Deliveries to this webhook endpoint fail. It will be disabled when every delivery has failed for \
                 five days.\n\n{facts}\nAn endpoint should answer with a 2xx status within 10 seconds.\n{catch_up}\n"
            ),
        ),
    }
}
