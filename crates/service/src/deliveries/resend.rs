//! Sending events again, when an operator asks for it.

use crate::{Error, Service};
use domain::account::Owner;
use domain::event::{Event, EventFilter};
use domain::id::{EndpointId, EventId, Identifier as _};
use domain::paging::{Limit, Position, Slice, Window};
use domain::refusal::Refusal;
use domain::webhook::{Endpoint, Status};
use jiff::{SignedDuration, Timestamp};
use store::deliveries::{self, Attempt};
use store::{Tx, events, webhooks};

/// Events that are read or queued in one go.
const BATCH: i64 = 100;

/// Which events are to be sent to an endpoint again.
#[derive(Clone, Copy, Debug)]
pub struct ResendRange {
    /// Which endpoint.
    pub endpoint_id: EndpointId,
    /// What happened at this time or later.
    pub since: Timestamp,
    /// And before this one.
    pub until: Timestamp,
}

impl Service {
    /// An endpoint, whoever it belongs to; for the operator.
    #[crate::boxed]
    pub async fn any_endpoint(&self, id: EndpointId) -> Result<Endpoint, Error> {
        let found = webhooks::by_id(&mut *self.store().read().await?, id).await?;
        found.ok_or_else(|| Error::missing("webhook endpoint", id))
    }

    /// Endpoints of all accounts in the order they were made, `rows` at a time after `last`; for the operator.
    #[crate::boxed]
    pub async fn endpoints_after(&self, last: Option<EndpointId>, rows: i64) -> Result<Vec<Endpoint>, Error> {
        Ok(webhooks::after(&mut *self.store().read().await?, last, rows).await?)
    }

    /// An endpoint's attempts, newest first.
    #[crate::boxed]
    pub async fn attempts(&self, id: EndpointId, rows: i64) -> Result<Vec<Attempt>, Error> {
        self.attempts_before(id, Timestamp::MAX, rows).await
    }

    /// An endpoint's attempts from before a moment, newest first.
    #[crate::boxed]
    pub async fn attempts_before(
        &self,
        id: EndpointId,
        before: Timestamp,
        rows: i64,
    ) -> Result<Vec<Attempt>, Error> {
        Ok(deliveries::recent_attempts(&mut *self.store().read().await?, id, before, rows).await?)
    }

    /// The endpoints of an account in one mode, newest first.
    #[crate::boxed]
    pub async fn endpoints_of(&self, owner: Owner) -> Result<Vec<Endpoint>, Error> {
        let limit = Limit::new(i64::from(Limit::MAX)).unwrap_or(Limit::DEFAULT);
        let slice = Slice { limit, after: None, window: Window::default() };
        Ok(webhooks::list(&mut *self.store().read().await?, owner, slice).await?)
    }

    /// The event of this id, whoever it belongs to.
    #[crate::boxed]
    pub async fn any_event(&self, id: EventId) -> Result<Event, Error> {
        let found = events::any_by_id(&mut *self.store().read().await?, id).await?;
        found.ok_or_else(|| Error::missing("event", id))
    }

    /// Events of all accounts, newest first; for the operator.
    #[crate::boxed]
    pub async fn latest_events(&self, rows: i64) -> Result<Vec<Event>, Error> {
        Ok(events::latest(&mut *self.store().read().await?, rows).await?)
    }

    /// Sends an event again to every enabled endpoint that takes it; gives which ones.
    #[crate::boxed]
    pub async fn resend_event(&self, id: EventId) -> Result<Vec<EndpointId>, Error> {
        let (_, endpoints) =
            self.store().write((id, self.now()), |tx, &(id, now)| Box::pin(resend_in(tx, id, now))).await?;
        Ok(endpoints)
    }

    /// How many events a range holds that its endpoint takes.
    #[crate::boxed]
    pub async fn count_range(&self, range: ResendRange) -> Result<usize, Error> {
        let endpoint = self.enabled_endpoint(range.endpoint_id).await?;
        let mut count = 0;
        let mut after = None;
        while let Some((events, last)) = self.page_of_range(&endpoint, range, after).await? {
            count += events.len();
            after = Some(last);
        }
        Ok(count)
    }

    /// Sends every event of a range again that its endpoint takes; gives how many.
    #[crate::boxed]
    pub async fn resend_range(&self, range: ResendRange) -> Result<usize, Error> {
        let endpoint = self.enabled_endpoint(range.endpoint_id).await?;
        let mut count = 0;
        let mut after = None;
        while let Some((events, last)) = self.page_of_range(&endpoint, range, after).await? {
            count += events.len();
            after = Some(last);
            let input = (events, range.endpoint_id, self.now());
            self.store()
                .write(input, |tx, (events, endpoint, now)| {
                    Box::pin(async move {
                        for event in events {
                            deliveries::resend(tx, *event, *endpoint, *now).await?;
                        }
                        Ok::<_, Error>(())
                    })
                })
                .await?;
        }
        Ok(count)
    }

    async fn enabled_endpoint(&self, id: EndpointId) -> Result<Endpoint, Error> {
        let endpoint = self.any_endpoint(id).await?;
        match endpoint.status {
            Status::Enabled => Ok(endpoint),
            Status::Disabled => Err(Refusal::EndpointDisabled { endpoint_id: id.to_string() }.into()),
        }
    }

    /// The next events of a range, newest first: those that the endpoint takes, and where the page ends.
    async fn page_of_range(
        &self,
        endpoint: &Endpoint,
        range: ResendRange,
        after: Option<Position>,
    ) -> Result<Option<(Vec<EventId>, Position)>, Error> {
        // The list's bounds are exclusive; the range begins with its first moment.
        let window = Window {
            created_after: Some(range.since - SignedDuration::from_micros(1)),
            created_before: Some(range.until),
            updated_after: None,
        };
        let limit = Limit::new(BATCH).unwrap_or(Limit::DEFAULT);
        let slice = Slice { limit, after, window };
        let owner = (endpoint.account_id, endpoint.mode);
        let mut db = self.store().read().await?;
        let mut page = events::list(&mut db, owner, &EventFilter::default(), slice).await?;
        page.truncate(limit.items());
        let Some(last) = page.last().map(Event::position) else { return Ok(None) };
        let taken = page.iter().filter(|event| endpoint.events.takes(event.kind));
        Ok(Some((taken.map(|event| event.id).collect(), last)))
    }
}

/// Sends an event again to every enabled endpoint that takes it, within the caller's transaction; gives both.
pub(crate) async fn resend_in(
    tx: &mut Tx,
    id: EventId,
    now: Timestamp,
) -> Result<(Event, Vec<EndpointId>), Error> {
    let event = events::any_by_id(tx, id).await?;
    let event = event.ok_or_else(|| Error::missing("event", id))?;
    let endpoints = events::subscribers(tx, &event).await?;
    let endpoints: Vec<_> = endpoints.iter().filter_map(|endpoint| EndpointId::parse(endpoint)).collect();
    for endpoint in &endpoints {
        deliveries::resend(tx, id, *endpoint, now).await?;
    }
    Ok((event, endpoints))
}
