//! The use cases: one function each, one transaction each.
//!
//! A use case reads the time once, opens one write transaction, and in it asks the rule, writes the rows and
//! records the events. No transaction is open while something waits on the network, a disk or the marker.

#![warn(missing_docs)]

pub mod accounts;
pub mod address;
pub mod attachments;
pub mod blobs;
pub mod class_scans;
mod clock;
pub mod covers;
pub mod credits;
pub mod deliveries;
pub mod desk;
mod development;
pub mod engine;
mod error;
pub mod events;
pub mod files;
pub mod idempotency;
pub mod jobs;
pub mod keys;
pub mod lti;
pub mod mail;
pub mod marking;
pub mod operator;
pub mod outbound;
pub mod papers;
pub mod pictures;
pub mod rate;
pub mod reports;
pub mod reviews;
pub mod room;
pub mod seal;
pub mod subjects;
pub mod submissions;
mod upkeep;
pub mod verify;
pub mod webhooks;
pub mod why;
mod wire;

/// For use cases. Without it the body of an async function is compiled again in every crate that waits for it, with all
/// that it waits for itself: the service four times over.
pub(crate) use async_recursion::async_recursion as boxed;
pub use error::Error;
pub use wire::Wire;

use domain::account::Owner;
use domain::clock::Clock;
use domain::id::{AccountId, Identifier, KeyId};
use domain::mode::Mode;
use domain::random::Random;
use domain::web_url::Reach;
use jiff::Timestamp;
use reader::isolate::Isolation;
use std::num::NonZero;
use std::sync::Arc;
use store::Store;
use tokio::sync::Semaphore;

/// Who asks: the account and mode that a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub account_id: AccountId,
    /// The world its key opens.
    pub mode: Mode,
    /// The key.
    pub key_id: KeyId,
}

impl Caller {
    /// Account and mode, which own everything.
    pub fn owner(&self) -> Owner {
        (self.account_id, self.mode)
    }
}

/// What the service is put together from.
#[derive(Debug)]
pub struct Parts {
    /// The database.
    pub store: Store,
    /// The service's clock.
    pub clock: Arc<dyn Clock>,
    /// Where chance comes from.
    pub random: Arc<dyn Random>,
    /// How objects look on the wire.
    pub wire: Wire,
    /// Where mail goes.
    pub mailer: Arc<dyn mail::Mailer>,
    /// The one HTTP client.
    pub outbound: outbound::Outbound,
    /// Where files lie.
    pub blobs: blobs::Blobs,
    /// What reads documents.
    pub reader: Isolation,
    /// What marks.
    pub engine: engine::Engine,
    /// How the world reaches us, without a slash at the end.
    pub base_url: String,
    /// What secrets are sealed under.
    pub sealer: seal::Sealer,
    /// How much may be kept.
    pub room: room::Room,
}

/// Everything the use cases need. Clones share it.
#[derive(Clone, Debug)]
pub struct Service(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    wire: Wire,
    mailer: Arc<dyn mail::Mailer>,
    outbound: outbound::Outbound,
    blobs: blobs::Blobs,
    reader: Isolation,
    engine: engine::Engine,
    base_url: String,
    inspections: Semaphore,
    sealer: seal::Sealer,
    easel: pictures::Easel,
    album: desk::Album,
    drawn: reports::Drawn,
    room: room::Room,
    unused: room::Unused,
    keys: keys::Cache,
    rates: rate::Limiter,
    addresses: address::Limiter,
    reviewers: address::Limiter,
    logins: operator::Logins,
    running: idempotency::Running,
    moments: deliveries::Moments,
    letters: deliveries::Letters,
    schemes: jobs::Schemes,
    platforms: lti::Platforms,
}

impl Service {
    /// Puts the service together.
    pub fn new(parts: Parts) -> Service {
        let Parts {
            store,
            clock,
            random,
            wire,
            mailer,
            outbound,
            sealer,
            blobs,
            reader,
            engine,
            base_url,
            room,
        } = parts;
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let shared = store.engine_name() == "postgres";
        Service(Arc::new(Inner {
            store,
            clock,
            random,
            wire,
            mailer,
            outbound,
            blobs,
            reader,
            engine,
            base_url,
            inspections: Semaphore::new(processors),
            sealer,
            easel: pictures::Easel::default(),
            album: desk::Album::default(),
            drawn: reports::Drawn::default(),
            room,
            unused: room::Unused::default(),
            keys: keys::Cache::default(),
            rates: rate::Limiter::new(shared),
            addresses: address::Limiter::default(),
            reviewers: address::Limiter::default(),
            logins: operator::Logins::default(),
            running: idempotency::Running::default(),
            moments: deliveries::Moments::default(),
            letters: deliveries::Letters::default(),
            schemes: jobs::Schemes::default(),
            platforms: lti::Platforms::default(),
        }))
    }

    /// The service's time.
    pub fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// The database, for checks of its health.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Where chance comes from.
    pub fn random(&self) -> &dyn Random {
        &*self.0.random
    }

    /// The one way to visit addresses that clients gave us.
    pub fn outbound(&self) -> &outbound::Outbound {
        &self.0.outbound
    }

    /// Counts requests with unrecognised keys.
    pub fn addresses(&self) -> &address::Limiter {
        &self.0.addresses
    }

    /// How many calls with an unrecognised review link or session each address has made.
    pub fn reviewers(&self) -> &address::Limiter {
        &self.0.reviewers
    }

    /// How the world reaches us, without a slash at the end.
    pub fn base_url(&self) -> &str {
        &self.0.base_url
    }

    /// Which addresses clients may send us to for files.
    pub fn reach(&self) -> Reach {
        self.0.outbound.files_reach()
    }

    fn id<I: Identifier>(&self, now: Timestamp) -> I {
        I::new(now, &*self.0.random)
    }
}
