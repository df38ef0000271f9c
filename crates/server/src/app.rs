//! The service, put together from the settings: for a server, or for one command.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{MasterKey, Settings};
use crate::data::{self, Lock};
use crate::random::SystemRandom;
use domain::clock::{Clock as _, SystemClock};
use service::mail::Outbox;
use service::{Parts, Service};
use store::{Location, Store};

/// The name of the database in the data folder.
const DATABASE_FILE: &str = "tickmark.db";
/// Where mail goes without SMTP settings, in the data folder.
const OUTBOX_FOLDER: &str = "outbox";

/// The service with what belongs to it.
#[derive(Debug)]
pub struct App {
    /// The use cases.
    pub service: Service,
    /// The service's clock, which development mode can move.
    pub clock: Arc<SystemClock>,
    /// What secrets are encrypted under: given in the settings, or kept in the data folder.
    pub master_key: MasterKey,
    /// Keeps other servers away from a database file.
    _lock: Option<Lock>,
}

/// Who opens the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    /// A server, which wants a database file for itself.
    Server,
    /// One command, which may come while a server runs.
    Command,
}

/// Why the service cannot be put together. Each is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The data folder.
    #[error(transparent)]
    Data(#[from] data::Error),
    /// The database cannot be opened.
    #[error("The database {place} cannot be used: {source}.")]
    Open {
        /// Which one, without its password.
        place: String,
        /// Why.
        source: store::Error,
    },
    /// The database is not up to date, and it was not allowed to change that.
    #[error("The database is not up to date; run `tickmark migrate`, or allow the setting migrate.")]
    NotCurrent,
    /// The first reads and writes failed.
    #[error("The database cannot be used: {0}.")]
    Service(#[from] service::Error),
}

impl App {
    /// Opens the database and puts the service on it.
    pub async fn open(settings: &Settings, user: User) -> Result<App, Error> {
        data::create(&settings.data)?;
        let location = location(settings);
        let lock = match (&location, user) {
            (Location::Sqlite(path), User::Server) => Some(data::lock(path)?),
            _ => None,
        };
        let clock = Arc::new(SystemClock::default());
        let store = open_store(settings, &location, settings.migrate, &clock).await?;
        let random = Arc::new(SystemRandom::default());
        let master_key = match &settings.master_key {
            Some(given) => given.clone(),
            None => data::master_key(&settings.data, &*random)?,
        };
        let time: Arc<dyn domain::clock::Clock> = Arc::<SystemClock>::clone(&clock);
        let mailer = Arc::new(Outbox::new(settings.data.join(OUTBOX_FOLDER)));
        let service = Service::new(Parts { store, clock: time, random, wire: api::wire(), mailer });
        clock.set_offset_us(service.clock_offset_us().await?);
        service.fill_catalogue().await?;
        Ok(App { service, clock, master_key, _lock: lock })
    }

    /// Brings the database up to date, whatever the settings say.
    pub async fn migrate(settings: &Settings) -> Result<(), Error> {
        data::create(&settings.data)?;
        open_store(settings, &location(settings), true, &SystemClock::default()).await?;
        Ok(())
    }
}

async fn open_store(
    settings: &Settings,
    location: &Location,
    migrate: bool,
    clock: &SystemClock,
) -> Result<Store, Error> {
    let options = store::Options { migrate, ..store::Options::default() };
    let opened = Store::open(location, options, clock.now()).await;
    let place = || {
        settings
            .database
            .as_deref()
            .map_or_else(|| file(settings).display().to_string(), crate::config::without_password)
    };
    let store = opened.map_err(|source| Error::Open { place: place(), source })?;
    let is_current = store.is_current().await.map_err(|source| Error::Open { place: place(), source })?;
    if is_current { Ok(store) } else { Err(Error::NotCurrent) }
}

/// Where the database is.
pub(crate) fn location(settings: &Settings) -> Location {
    let given = settings.database.as_deref().map(Location::parse);
    given.unwrap_or_else(|| Location::Sqlite(file(settings)))
}

fn file(settings: &Settings) -> PathBuf {
    settings.data.join(DATABASE_FILE)
}
