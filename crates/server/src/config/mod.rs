//! The settings: what may be set, of which type, within which bounds.

mod engine;
mod layers;
mod reader;

pub use engine::{Engine, ModelBounds};
pub use layers::{DEFAULTS, Options, Origin};
pub use reader::{InForce, without_password};

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use crate::listen::Limits;
use crate::listen::tls::Files;
use crate::telemetry::{Filter, Format};
use api::{ProxyHeaders, TrustedProxies};
use ipnet::IpNet;
use reader::Reader;
use service::room::Room;
use url::Url;

/// Everything that can be set, read and checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where requests come to; `serve` and `dev` have their own defaults.
    pub listen: Option<SocketAddr>,
    /// How the world reaches us.
    pub public_url: Option<Url>,
    /// Our certificate.
    pub tls: Option<Files>,
    /// Whose word about the caller is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// In which headers they give it.
    pub proxy_headers: ProxyHeaders,
    /// Whether documents are read only where their reader can be confined.
    pub require_confinement: bool,
    /// In development mode: whether files are also fetched from this machine, over http.
    pub allow_local_files: bool,
    /// Where the metrics are.
    pub metrics: Option<SocketAddr>,
    /// Where the operator's console is.
    pub console: Option<SocketAddr>,
    /// The data folder.
    pub data: PathBuf,
    /// The database's address, if it is not in the data folder.
    pub database: Option<String>,
    /// Whether a starting server brings the database up to date.
    pub migrate: bool,
    /// What this process does.
    pub roles: Vec<Role>,
    /// How log lines look.
    pub log_format: Format,
    /// Which log lines are written.
    pub log_level: Filter,
    /// What marks.
    pub engine: Engine,
    /// The file of a larger judge of points, where there is one.
    pub larger_judge: Option<PathBuf>,
    /// Where files lie.
    pub storage: Storage,
    /// What secrets are encrypted under, if it was given.
    pub master_key: Option<MasterKey>,
    /// How mail leaves, if it does.
    pub smtp: Option<Smtp>,
    /// How much may be kept.
    pub room: Room,
    /// What one peer may take.
    pub limits: Limits,
    /// All of the above as text, with its origin.
    pub in_force: Vec<InForce>,
}

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Answers requests.
    Api,
    /// Works on jobs.
    Worker,
}

/// Where the files lie.
#[derive(Clone, Debug)]
pub enum Storage {
    /// In the data folder.
    Local,
    /// In a bucket.
    S3 {
        /// Where it is.
        endpoint: Url,
        /// Its name.
        bucket: String,
        /// Its region.
        region: String,
        /// Who we are there.
        access_key_id: String,
        /// What proves it.
        secret_access_key: Secret,
    },
}

/// How mail leaves.
#[derive(Clone, Debug)]
pub struct Smtp {
    /// The mail server.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Who we are there.
    pub username: Option<String>,
    /// What proves it.
    pub password: Option<Secret>,
    /// Whom the mail is from.
    pub from: String,
    /// How the way there is protected.
    pub encryption: Encryption,
}

/// How the way to the mail server is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// After the greeting.
    StartTls,
    /// From the first byte.
    Tls,
    /// Not at all.
    None,
}

/// Text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    fn new(text: &str) -> Secret {
        Secret(text.to_owned())
    }

    /// The text itself, for the one who must use it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

/// The key that secrets are encrypted under. Never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct MasterKey(pub [u8; 32]);

impl MasterKey {
    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<MasterKey> {
        let digits: Option<Vec<u8>> = text
            .trim()
            .chars()
            .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect();
        let digits = digits.filter(|digits| digits.len() == 64)?;
        let mut key = [0; 32];
        for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Some(MasterKey(key))
    }

    /// The 64 digits, for the file that keeps them.
    pub(crate) fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("MasterKey")
    }
}

/// What is wrong with the settings: one sentence that names the setting and says what is right.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The settings file cannot be read.
    #[error("The settings file {} (given {}) cannot be read: {source}.", path.display(), reader::place(origin))]
    File {
        /// Who named it.
        origin: Origin,
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The settings file is no TOML.
    #[error("The settings file {} is not valid TOML in line {line}: {message}.", path.display())]
    Syntax {
        /// Which one.
        path: PathBuf,
        /// Where, counted from 1.
        line: usize,
        /// What the parser says.
        message: String,
    },
    /// Nothing is called that.
    #[error("There is no setting {name} (given {}); {}", reader::place(origin), suggest(*suggestion))]
    Unknown {
        /// What was given.
        name: String,
        /// Where.
        origin: Origin,
        /// What may have been meant.
        suggestion: Option<&'static str>,
    },
    /// The value has the wrong type or is out of bounds.
    #[error("The setting {name} (given {}){} must be {right}.", reader::place(origin), is(given.as_deref()))]
    Wrong {
        /// Which setting.
        name: &'static str,
        /// Its value, unless it is secret.
        given: Option<String>,
        /// Where it was given.
        origin: Origin,
        /// What would be right.
        right: String,
    },
    /// A setting without which there is nothing to do.
    #[error("The setting {name} has no value.")]
    Missing {
        /// Which one.
        name: &'static str,
    },
    /// One setting asks for another.
    #[error("The setting {name} must be given too when {because}.")]
    Needed {
        /// Which one.
        name: &'static str,
        /// What asks for it.
        because: &'static str,
    },
}

fn suggest(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(
        || "`tickmark config default` lists them all.".to_owned(),
        |name| format!("did you mean {name}?"),
    )
}

fn is(given: Option<&str>) -> String {
    given.map_or_else(String::new, |given| format!(" is {given}, but"))
}

impl Settings {
    /// Reads all settings from the command line, the environment and the file that these name.
    pub fn load(
        options: Options,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Settings, Error> {
        let mut reader = Reader::new(options, environment)?;
        let read = &mut reader;
        let settings = Settings {
            listen: read.address("listen")?,
            public_url: read.url("public_url")?,
            tls: tls(read)?,
            trusted_proxies: read.list("trusted_proxies", NETWORKS, 0, network)?,
            proxy_headers: read.choice("proxy_headers", &PROXY_HEADERS)?,
            require_confinement: read.boolean("require_confinement")?,
            allow_local_files: read.boolean("allow_local_files")?,
            metrics: read.address("metrics")?,
            console: read.address("console")?,
            data: read.path("data")?.ok_or(Error::Missing { name: "data" })?,
            database: read.parsed("database", DATABASE, database)?,
            migrate: read.boolean("migrate")?,
            roles: read.choices("roles", &[("api", Role::Api), ("worker", Role::Worker)])?,
            log_format: read.choice("log_format", &[("human", Format::Human), ("json", Format::Json)])?,
            log_level: read.parsed("log_level", LEVELS, Filter::parse)?.unwrap_or_default(),
            engine: engine::engine(read)?,
            larger_judge: read.path("judge.model")?,
            storage: storage(read)?,
            master_key: read.parsed_secret("master_key", "64 hexadecimal digits", MasterKey::parse)?,
            smtp: smtp(read)?,
            room: room(read)?,
            limits: limits(read)?,
            in_force: Vec::new(),
        };
        Ok(Settings { in_force: reader.finish()?, ..settings })
    }

    /// Whose word about the caller is believed, and where it stands.
    pub fn proxies(&self) -> TrustedProxies {
        TrustedProxies { networks: self.trusted_proxies.clone(), headers: self.proxy_headers }
    }
}

const PROXY_HEADERS: [(&str, ProxyHeaders); 2] =
    [("x-forwarded", ProxyHeaders::XForwarded), ("forwarded", ProxyHeaders::Forwarded)];
const NETWORKS: &str = "a list of networks or addresses, such as 10.0.0.0/8 or 192.0.2.7";
const DATABASE: &str = "postgres://user:password@host/name or sqlite:PATH";
const LEVELS: &str = "error, warn, info, debug, trace or off, by module if need be, as in info,store=debug";

/// A network, or one address as a network of its own.
pub(crate) fn network(text: &str) -> Option<IpNet> {
    let alone = || text.parse::<IpAddr>().ok().map(IpNet::from);
    text.parse().ok().or_else(alone)
}

fn database(text: &str) -> Option<String> {
    let is_address = text.contains("://") || text.contains(':');
    let is_known = ["postgres://", "postgresql://", "sqlite:"].iter().any(|scheme| text.starts_with(scheme));
    (is_known || !is_address).then(|| text.to_owned())
}

fn tls(read: &mut Reader) -> Result<Option<Files>, Error> {
    match (read.path("tls_cert")?, read.path("tls_key")?) {
        (Some(certificate), Some(key)) => Ok(Some(Files { certificate, key })),
        (Some(_), None) => Err(Error::Needed { name: "tls_key", because: "tls_cert is" }),
        (None, Some(_)) => Err(Error::Needed { name: "tls_cert", because: "tls_key is" }),
        (None, None) => Ok(None),
    }
}

fn storage(read: &mut Reader) -> Result<Storage, Error> {
    let is_s3 = read.choice("storage", &[("local", false), ("s3", true)])?;
    let (endpoint, bucket, region) =
        (read.url("s3.endpoint")?, read.text("s3.bucket")?, read.text("s3.region")?);
    let (id, secret) = (read.text("s3.access_key_id")?, read.secret("s3.secret_access_key")?);
    if !is_s3 {
        return Ok(Storage::Local);
    }
    let needed = |name| Error::Needed { name, because: "storage is s3" };
    Ok(Storage::S3 {
        endpoint: endpoint.ok_or_else(|| needed("s3.endpoint"))?,
        bucket: bucket.ok_or_else(|| needed("s3.bucket"))?,
        region: region.ok_or_else(|| needed("s3.region"))?,
        access_key_id: id.ok_or_else(|| needed("s3.access_key_id"))?,
        secret_access_key: secret.ok_or_else(|| needed("s3.secret_access_key"))?,
    })
}

fn smtp(read: &mut Reader) -> Result<Option<Smtp>, Error> {
    let host = read.text("smtp.host")?;
    let port = read.integer("smtp.port", 1..=u32::from(u16::MAX))?;
    let (username, password) = (read.text("smtp.username")?, read.secret("smtp.password")?);
    let from = read.text("smtp.from")?;
    let words = [("starttls", Encryption::StartTls), ("tls", Encryption::Tls), ("none", Encryption::None)];
    let encryption = read.choice("smtp.encryption", &words)?;
    let Some(host) = host else { return Ok(None) };
    let from = from.ok_or(Error::Needed { name: "smtp.from", because: "smtp.host is" })?;
    let port = u16::try_from(port).unwrap_or(u16::MAX);
    Ok(Some(Smtp { host, port, username, password, from, encryption }))
}

fn room(read: &mut Reader) -> Result<Room, Error> {
    Ok(Room {
        unused_bytes_max: u64::from(read.integer("room.unused_gib_max", 1..=1_000_000)?) << 30,
        unused_files_max: read.integer("room.unused_files_max", 1..=1_000_000)?.into(),
        free_bytes_min: u64::from(read.integer("room.free_mib_min", 0..=1_000_000)?) << 20,
        ..Room::default()
    })
}

fn limits(read: &mut Reader) -> Result<Limits, Error> {
    const MINUTE: u32 = 60;
    Ok(Limits {
        connections_max: read.integer("limits.connections_max", 1..=1_000_000)? as usize,
        header_bytes_max: read.integer("limits.header_bytes_max", 8192..=1_048_576)? as usize,
        headers_max: read.integer("limits.headers_max", 10..=1000)? as usize,
        http2_streams_max: read.integer("limits.http2_streams_max", 1..=10_000)?,
        tls_handshake: read.seconds("limits.tls_handshake_seconds", 1..=5 * MINUTE)?,
        header_read: read.seconds("limits.header_read_seconds", 1..=5 * MINUTE)?,
        idle: read.seconds("limits.idle_seconds", 1..=60 * MINUTE)?,
        body_idle: read.seconds("limits.body_idle_seconds", 1..=10 * MINUTE)?,
        body_bytes_per_second_min: read.integer("limits.body_bytes_per_second_min", 1..=1_048_576)?,
        response_idle: read.seconds("limits.response_idle_seconds", 1..=10 * MINUTE)?,
        drain: read.seconds("limits.drain_seconds", 0..=10 * MINUTE)?,
        shutdown: read.seconds("limits.shutdown_seconds", 0..=10 * MINUTE)?,
    })
}

#[cfg(test)]
mod tests;
