//! Webhook endpoints, as their account keeps them.

use crate::{Caller, Error, Service};
use domain::id::EndpointId;
use domain::paging::{Page, Seal, Slice};
use domain::text::ShortLine;
use domain::web_url::WebUrl;
use domain::webhook::{
    Endpoint, EndpointChanges, Health, Kind, SigningSecret, Status, Subscription, may_add,
};
use store::{Locked, Tx, deliveries, webhooks};

/// An endpoint to be made.
#[derive(Clone, Debug)]
pub struct NewEndpoint {
    /// Where deliveries go.
    pub url: WebUrl,
    /// Which events it takes.
    pub events: Subscription,
    /// The client's own words.
    pub description: Option<ShortLine>,
}

impl Service {
    /// Makes an endpoint; its secret is shown this once.
    #[crate::boxed]
    pub async fn create_endpoint(
        &self,
        caller: &Caller,
        new: NewEndpoint,
    ) -> Result<(Endpoint, SigningSecret), Error> {
        let (endpoint, secret) = self.draft_endpoint(caller.owner(), Kind::Endpoint, new);
        let endpoint = self
            .store()
            .write((self.clone(), endpoint), |tx, (service, endpoint)| {
                Box::pin(async move {
                    service.check_master_key_in(tx).await?;
                    let owner = (endpoint.account_id, endpoint.mode);
                    may_add(webhooks::count_locked(tx, owner).await?)?;
                    webhooks::insert(tx, endpoint).await?;
                    Ok::<_, Error>(endpoint.clone())
                })
            })
            .await?;
        Ok((endpoint, secret))
    }

    /// An endpoint that is not stored yet, with its secret.
    pub(crate) fn draft_endpoint(
        &self,
        (account_id, mode): domain::account::Owner,
        kind: Kind,
        new: NewEndpoint,
    ) -> (Endpoint, SigningSecret) {
        let now = self.now();
        let id: EndpointId = self.id(now);
        let secret = SigningSecret::new(self.random());
        let endpoint = Endpoint {
            id,
            account_id,
            mode,
            kind,
            url: new.url.as_shown().to_owned(),
            events: new.events,
            description: new.description,
            status: Status::Enabled,
            secret: self.0.sealer.seal_secret(id, &secret, self.random()),
            old_secret: None,
            health: Health::default(),
            created_at: now,
        };
        (endpoint, secret)
    }

    /// A page of the caller's endpoints, newest first.
    #[crate::boxed]
    pub async fn endpoints(
        &self,
        caller: &Caller,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<Endpoint>, Error> {
        let rows = webhooks::list(&mut *self.store().read().await?, caller.owner(), slice).await?;
        Ok(Page::new(rows, slice.limit, seal, Endpoint::position))
    }

    /// One of the caller's endpoints.
    #[crate::boxed]
    pub async fn endpoint_by_id(&self, caller: &Caller, id: EndpointId) -> Result<Endpoint, Error> {
        let found = webhooks::by_id(&mut *self.store().read().await?, id).await?;
        let own = found.filter(|endpoint| is_own(caller, endpoint));
        own.ok_or_else(|| Error::missing("webhook endpoint", id))
    }

    /// Changes an endpoint. Disabling it drops what waits for it; a new url takes that along.
    #[crate::boxed]
    pub async fn update_endpoint(
        &self,
        caller: &Caller,
        id: EndpointId,
        changes: EndpointChanges,
    ) -> Result<Endpoint, Error> {
        self.store()
            .write((*caller, id, changes), |tx, (caller, id, changes)| {
                Box::pin(async move {
                    let endpoint = locked(tx, caller, *id).await?;
                    let changed = endpoint.changed(changes);
                    webhooks::save(tx, &endpoint, &changed).await?;
                    if changed.status == Status::Disabled {
                        deliveries::drop_all(tx, *id).await?;
                    }
                    Ok::<_, Error>(changed)
                })
            })
            .await
    }

    /// Takes an endpoint away, with what waits for it.
    #[crate::boxed]
    pub async fn delete_endpoint(&self, caller: &Caller, id: EndpointId) -> Result<(), Error> {
        self.store()
            .write((*caller, id), |tx, (caller, id)| {
                Box::pin(async move {
                    locked(tx, caller, *id).await?;
                    deliveries::drop_all(tx, *id).await?;
                    Ok::<_, Error>(webhooks::delete(tx, *id).await?)
                })
            })
            .await
    }

    /// Gives an endpoint a new secret, which is shown this once. The old one signs for another day.
    #[crate::boxed]
    pub async fn rotate_endpoint_secret(
        &self,
        caller: &Caller,
        id: EndpointId,
    ) -> Result<(Endpoint, SigningSecret), Error> {
        let now = self.now();
        let secret = SigningSecret::new(self.random());
        let sealed = self.0.sealer.seal_secret(id, &secret, self.random());
        let input = (self.clone(), *caller, id, sealed, now);
        let endpoint = self
            .store()
            .write(input, |tx, (service, caller, id, sealed, now)| {
                Box::pin(async move {
                    service.check_master_key_in(tx).await?;
                    let endpoint = locked(tx, caller, *id).await?;
                    let rotated = endpoint.rotated(sealed.clone(), *now);
                    webhooks::save(tx, &endpoint, &rotated).await?;
                    Ok::<_, Error>(rotated)
                })
            })
            .await?;
        Ok((endpoint, secret))
    }
}

async fn locked(tx: &mut Tx, caller: &Caller, id: EndpointId) -> Result<Locked<Endpoint>, Error> {
    let found = webhooks::lock(tx, id).await?.filter(|endpoint| is_own(caller, endpoint));
    found.ok_or_else(|| Error::missing("webhook endpoint", id))
}

/// Whether the endpoint is the caller's and one that the API shows.
fn is_own(caller: &Caller, endpoint: &Endpoint) -> bool {
    (endpoint.account_id, endpoint.mode) == caller.owner() && endpoint.kind == Kind::Endpoint
}
