//! Events, as their account looks back at them.

use crate::{Caller, Error, Service};
use domain::account::Owner;
use domain::event::{Event, EventFilter};
use domain::id::EventId;
use domain::paging::{Limit, Page, Seal, Slice, Window};
use store::events;

impl Service {
    /// A page of the caller's events, newest first.
    #[crate::boxed]
    pub async fn events(
        &self,
        caller: &Caller,
        filter: &EventFilter,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<Event>, Error> {
        self.events_page(caller.owner(), filter, slice, seal).await
    }

    /// A page of an account's events, newest first: for the operator.
    #[crate::boxed]
    pub async fn events_page(
        &self,
        owner: Owner,
        filter: &EventFilter,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<Event>, Error> {
        let rows = self.event_rows(owner, filter, slice).await?;
        Ok(Page::new(rows, slice.limit, seal, Event::position))
    }

    /// The latest events of an account, newest first; for the operator.
    #[crate::boxed]
    pub async fn events_of(
        &self,
        owner: Owner,
        filter: &EventFilter,
        count: u32,
    ) -> Result<Vec<Event>, Error> {
        let limit = Limit::new(i64::from(count)).unwrap_or(Limit::DEFAULT);
        let slice = Slice { limit, after: None, window: Window::default() };
        let mut rows = self.event_rows(owner, filter, slice).await?;
        rows.truncate(limit.items());
        Ok(rows)
    }

    async fn event_rows(
        &self,
        owner: Owner,
        filter: &EventFilter,
        slice: Slice,
    ) -> Result<Vec<Event>, Error> {
        let page = self.0.store.page((owner, filter.clone(), slice), |db, (owner, filter, slice)| {
            Box::pin(events::list(db, *owner, filter, *slice))
        });
        Ok(page.await?)
    }

    /// One of the caller's events.
    #[crate::boxed]
    pub async fn event_by_id(&self, caller: &Caller, id: EventId) -> Result<Event, Error> {
        let (account, mode) = caller.owner();
        let event = events::by_id(&mut *self.0.store.read().await?, account, mode, id).await?;
        event.ok_or_else(|| Error::missing("event", id))
    }
}
