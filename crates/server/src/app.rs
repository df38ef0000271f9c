//! The service, put together from the settings: for a server, or for one command.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{self, MasterKey, Settings, Storage};
use crate::data::{self, Lock};
use crate::judge;
use crate::random::SystemRandom;
use domain::clock::{Clock as _, SystemClock};
use domain::random::Random;
use domain::web_url::Reach;
use marker::{Builtin, Marker, Remote, remote};
use reader::isolate::{Isolation, Limits};
use reader::ocr::Weights;
use service::blobs::{BlobError, Blobs, Disk, S3, s3};
use service::engine::{Engine, ModelTransport};
use service::outbound::Outbound;
use service::seal::{self, Sealer};
use service::{Parts, Service};
use store::{Location, Store};

/// The name of the database in the data folder.
const DATABASE_FILE: &str = "tickmark.db";
/// Where files lie without an object store, in the data folder.
pub(crate) const FILES_FOLDER: &str = "blobs";
/// Where bytes wait that are on their way to an object store, in the data folder.
const INCOMING_FOLDER: &str = "incoming";

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
    /// Mail cannot be sent under these settings.
    #[error("{0}")]
    Mail(String),
    /// The database is not up to date, and it was not allowed to change that.
    #[error("The database is not up to date; run `tickmark migrate`, or allow the setting migrate.")]
    NotCurrent,
    /// The folder for files cannot be made.
    #[error("The folder {} for files cannot be used: {source}.", path.display())]
    Files {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The bucket cannot be used under these settings.
    #[error("The bucket for files cannot be used: {0}.")]
    Bucket(#[from] s3::OpenError),
    /// The object store does not let us use the bucket.
    #[error("The bucket for files cannot be used, look at the settings under [s3]: {0}.")]
    Refused(store::Cause),
    /// The larger judge's file is another.
    #[error("Meaning cannot be judged: {0}.")]
    Judge(#[from] judge::Error),
    /// The first reads and writes failed.
    #[error("The database cannot be used: {0}.")]
    Service(#[from] service::Error),
}

impl App {
    /// Opens the database and puts the service on it, which visits addresses as far as `reach` says.
    /// `address` is how this process is reached where the settings name no public URL.
    pub async fn open(settings: &Settings, user: User, reach: Reach, address: &str) -> Result<App, Error> {
        data::create(&settings.data)?;
        let location = location(settings);
        let lock = match (&location, user) {
            (Location::Sqlite(path), User::Server) => Some(data::lock(path)?),
            _ => None,
        };
        let clock = Arc::new(SystemClock::default());
        let store = open_store(settings, &location, settings.migrate, &clock).await?;
        let random = Arc::new(SystemRandom::default());
        let master_key = master_key(settings, &store, &*random).await?;
        let time: Arc<dyn domain::clock::Clock> = Arc::<SystemClock>::clone(&clock);
        let mailer = crate::mail::mailer(settings).map_err(Error::Mail)?;
        let blobs = blobs(settings)?;
        if user == User::Server {
            judge::glance(settings.larger_judge.as_deref())?;
            check_blobs(&blobs).await?;
        }
        let service = Service::new(Parts {
            store,
            clock: time,
            random,
            wire: api::wire(),
            mailer,
            outbound: outbound(settings, reach),
            blobs,
            reader: reader(settings),
            engine: engine(settings),
            base_url: base_url(settings, address),
            sealer: Sealer::new(&master_key.0),
            room: settings.room,
        });
        service.check_master_key().await?;
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

/// Webhooks go as far as `reach` says; files come from public addresses unless development mode is told otherwise.
fn outbound(settings: &Settings, reach: Reach) -> Outbound {
    let outbound = Outbound::new(reach);
    if settings.allow_local_files { outbound } else { outbound.with_public_files() }
}

/// What reads documents.
pub(crate) fn reader(settings: &Settings) -> Isolation {
    let limits = Limits { require_confinement: settings.require_confinement, ..Limits::default() };
    Isolation::new(limits, Weights::default())
}

fn blobs(settings: &Settings) -> Result<Blobs, Error> {
    match &settings.storage {
        Storage::Local => {
            let folder = settings.data.join(FILES_FOLDER);
            let disk = Disk::open(folder.clone()).map_err(|source| Error::Files { path: folder, source })?;
            Ok(Blobs::Disk(disk))
        }
        Storage::S3 { endpoint, bucket, region, access_key_id, secret_access_key } => {
            let place =
                s3::Place { endpoint: endpoint.clone(), bucket: bucket.clone(), region: region.clone() };
            let credentials = s3::Credentials::new(access_key_id, secret_access_key.reveal());
            let own = rustls_native_certs::load_native_certs().certs;
            let s3 = S3::open(place, credentials, settings.data.join(INCOMING_FOLDER), &own)?;
            Ok(Blobs::S3(Box::new(s3)))
        }
    }
}

/// A server does not begin with a file store that refuses it. One that is away may come back, and is waited for.
async fn check_blobs(blobs: &Blobs) -> Result<(), Error> {
    match blobs.check().await {
        Err(BlobError::Refused(cause)) => Err(Error::Refused(cause)),
        Err(error) => {
            tracing::warn!(%error, "requests that need files are refused until the file store is back");
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// What marks: rules with the embedded model that judges meaning, or a model behind an endpoint.
fn engine(settings: &Settings) -> Engine {
    let larger = settings.larger_judge.clone();
    let judge = move || judge::load(larger.as_deref());
    let config::Engine::Llm { base_url, model, api_key, vision, bounds } = settings.engine.clone() else {
        return Engine::new(Arc::new(move || {
            Ok(Arc::new(Builtin::new(Arc::new(judge()?))) as Arc<dyn Marker>)
        }));
    };
    let mut config = remote::Config::new(base_url.as_str().trim_end_matches('/'), model);
    config.api_key = api_key.map(|key| remote::ApiKey(key.reveal().to_owned()));
    config.vision = vision;
    config.timeout = bounds.timeout;
    config.concurrency_max = bounds.requests_max as usize;
    config.tokens_max = bounds.tokens_max;
    config.on_fault = if bounds.falls_back { remote::OnFault::UseBuiltin } else { remote::OnFault::Fail };
    let transport = Arc::new(ModelTransport::new(tokio::runtime::Handle::current()));
    Engine::new(Arc::new(move || {
        let judge = Arc::new(judge()?);
        Ok(Arc::new(Remote::new(config.clone(), Arc::clone(&transport) as _, judge)) as Arc<dyn Marker>)
    }))
}

fn base_url(settings: &Settings, address: &str) -> String {
    let url = settings.public_url.as_ref().map_or(address, url::Url::as_str);
    url.trim_end_matches('/').to_owned()
}

/// The master key: given, kept in the data folder, or made on the first start. A database that has secrets
/// already is not given a new one, which could not open them.
async fn master_key(settings: &Settings, store: &Store, random: &dyn Random) -> Result<MasterKey, Error> {
    if let Some(given) = &settings.master_key {
        return Ok(given.clone());
    }
    let folder = &settings.data;
    let fingerprint = seal::fingerprint_of(store).await?;
    if fingerprint.is_some() && !data::has_master_key(folder) {
        return Err(Error::Service(service::Error::OtherMasterKey));
    }
    let key = data::master_key(folder, random)?;
    // A change of the key that was cut short after the database had changed is finished here.
    match data::next_master_key(folder) {
        Some(next) if fingerprint.as_deref() == Some(Sealer::new(&next.0).fingerprint()) => {
            data::adopt_master_key(folder)?;
            Ok(next)
        }
        _ => Ok(key),
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
