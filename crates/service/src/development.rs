//! For developers: a database that is only for trying things out, events that somebody wishes for, and a
//! program on this machine that gets them.

use crate::deliveries::LEASE;
use crate::webhooks::NewEndpoint;
use crate::{Error, Service};
use domain::account::Owner;
use domain::event::{Event, EventType};
use domain::id::EndpointId;
use domain::web_url::WebUrl;
use domain::webhook::{Endpoint, Interest, Kind, SigningSecret, Subscription};
use store::{deliveries, events, settings, turns, webhooks};

/// The setting that marks a database as one for trying things out.
const DEVELOPMENT: &str = "development";

impl Service {
    /// Marks this database as one for trying things out; `tickmark dev` does.
    #[crate::boxed]
    pub async fn mark_development(&self) -> Result<(), Error> {
        self.store()
            .write((), |tx, ()| {
                Box::pin(async move { Ok::<_, Error>(settings::set(tx, DEVELOPMENT, "true").await?) })
            })
            .await
    }

    /// Whether this database is for trying things out.
    #[crate::boxed]
    pub async fn is_development(&self) -> Result<bool, Error> {
        Ok(settings::value(&mut *self.store().read().await?, DEVELOPMENT).await?.is_some())
    }

    /// Records an event as if it had happened; for databases that are for trying things out.
    #[crate::boxed]
    pub async fn trigger(
        &self,
        owner: Owner,
        kind: EventType,
        object_id: Option<String>,
        snapshot: String,
    ) -> Result<Event, Error> {
        let input = (self.clone(), owner, kind, object_id, snapshot, self.now());
        self.store()
            .write(input, |tx, (service, owner, kind, object_id, snapshot, now)| {
                Box::pin(async move {
                    turns::take(tx, *owner, *now).await?;
                    let at = tx.time()?;
                    let event = Event {
                        id: service.id(at),
                        account_id: owner.0,
                        mode: owner.1,
                        kind: *kind,
                        object_id: object_id.clone(),
                        snapshot: snapshot.clone(),
                        created_at: at,
                    };
                    events::record(tx, &event).await?;
                    Ok::<_, Error>(event)
                })
            })
            .await
    }

    /// Begins to listen: from now on the events of a mode wait for this process too, which holds their queue.
    /// The endpoint is not seen in the API and is gone when the process ends, however it ends.
    #[crate::boxed]
    pub async fn begin_listening(
        &self,
        owner: Owner,
        url: WebUrl,
    ) -> Result<(Endpoint, SigningSecret), Error> {
        let events = Subscription::new([Interest::Everything]).expect("it is not empty");
        let new = NewEndpoint { url, events, description: None };
        let (endpoint, secret) = self.draft_endpoint(owner, Kind::Listener, new);
        let until = self.now() + LEASE;
        let endpoint = self
            .store()
            .write((self.clone(), endpoint, until), |tx, (service, endpoint, until)| {
                Box::pin(async move {
                    service.check_master_key_in(tx).await?;
                    webhooks::insert(tx, endpoint).await?;
                    deliveries::hold(tx, endpoint.id, &endpoint.id.to_string(), *until).await?;
                    Ok::<_, Error>(endpoint.clone())
                })
            })
            .await?;
        Ok((endpoint, secret))
    }

    /// Keeps the queue of a listener for this process.
    #[crate::boxed]
    pub async fn keep_listening(&self, endpoint: EndpointId) -> Result<(), Error> {
        self.store()
            .write((endpoint, self.now() + LEASE), |tx, (endpoint, until)| {
                Box::pin(async move {
                    Ok::<_, Error>(deliveries::hold(tx, *endpoint, &endpoint.to_string(), *until).await?)
                })
            })
            .await
    }

    /// Ends listening, and what waited with it.
    #[crate::boxed]
    pub async fn end_listening(&self, endpoint: EndpointId) -> Result<(), Error> {
        self.store()
            .write(endpoint, |tx, endpoint| {
                Box::pin(async move {
                    deliveries::drop_all(tx, *endpoint).await?;
                    Ok::<_, Error>(webhooks::delete(tx, *endpoint).await?)
                })
            })
            .await
    }
}
