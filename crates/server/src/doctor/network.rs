//! What lies outside this machine: whether it answers at all.

use super::Finding;
use crate::config::{Encryption, Engine, Role, Settings, Storage};
use std::io::{Error, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use url::Url;

/// How long another machine may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether the addresses can be listened on.
pub(super) async fn addresses(settings: &Settings) -> Vec<Finding> {
    let answers = settings.roles.contains(&Role::Api);
    let wanted = [
        ("listen", settings.listen.filter(|_| answers)),
        ("metrics", settings.metrics),
        ("console", settings.console),
    ];
    let mut findings: Vec<Finding> = console(settings).into_iter().collect();
    for (check, address) in wanted {
        if let Some(address) = address {
            findings.push(address_of(check, address).await);
        }
    }
    findings
}

/// A console that others can reach needs a certificate.
fn console(settings: &Settings) -> Option<Finding> {
    let address = settings.console.filter(|address| !address.ip().is_loopback())?;
    settings.tls.is_none().then(|| {
        Finding::bad(
            "console",
            format!("{address} can be reached from elsewhere, and there is no certificate for it"),
            "give tls_cert and tls_key, or an address of this machine such as 127.0.0.1:9091",
        )
    })
}

async fn address_of(check: &'static str, address: SocketAddr) -> Finding {
    match TcpListener::bind(address).await {
        Ok(_) => Finding::ok(check, format!("{address} is free")),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Finding::warn(
            check,
            format!("{address} is in use"),
            "nothing, if the server runs already; else stop the other program or choose another address",
        ),
        Err(error) => Finding::bad(
            check,
            format!("{address} cannot be listened on: {error}"),
            "choose an address of this machine, and a port of 1024 or more unless the service may use lower ones",
        ),
    }
}

/// Whether a process behind a proxy gives that time to notice when it stops.
pub(super) fn restarts(settings: &Settings) -> Option<Finding> {
    const CHECK: &str = "restarts";
    let is_behind_proxy = settings.roles.contains(&Role::Api) && !settings.trusted_proxies.is_empty();
    let seconds = settings.limits.drain.as_secs();
    is_behind_proxy.then(|| match seconds {
        0 => Finding::warn(
            CHECK,
            "a process that stops leaves its proxy no time to notice, so that a restart may fail requests",
            "set limits.drain_seconds longer than the proxy's checks take, if there are several processes",
        ),
        _ => Finding::ok(
            CHECK,
            format!("a process that stops answers for {seconds} s until its proxy has noticed"),
        ),
    })
}

pub(super) async fn object_store(settings: &Settings) -> Finding {
    const CHECK: &str = "object store";
    match &settings.storage {
        Storage::Local => Finding::ok(CHECK, "none is used; files lie in the data folder"),
        Storage::S3 { endpoint, bucket, .. } => match visit(endpoint).await {
            Ok(_) => Finding::ok(
                CHECK,
                format!("{endpoint} answers; whether {bucket} opens shows the first upload"),
            ),
            Err(error) => Finding::bad(
                CHECK,
                format!("{endpoint} does not answer: {error}"),
                "check s3.endpoint, the way there and its firewall",
            ),
        },
    }
}

pub(super) async fn engine(settings: &Settings) -> Finding {
    const CHECK: &str = "engine";
    match &settings.engine {
        Engine::Builtin => Finding::ok(CHECK, "the built-in one marks, without any network"),
        Engine::Llm { base_url, model, .. } => match visit(base_url).await {
            Ok(_) => Finding::ok(CHECK, format!("{base_url} answers; {model} marks")),
            Err(error) => Finding::bad(
                CHECK,
                format!("{base_url} does not answer: {error}"),
                "start the endpoint, correct llm.base_url, or set engine = \"builtin\"",
            ),
        },
    }
}

pub(super) async fn mail(settings: &Settings) -> Finding {
    const CHECK: &str = "mail";
    const REMEDY: &str = "check smtp.host, smtp.port, smtp.encryption and the firewall";
    let Some(smtp) = &settings.smtp else {
        return Finding::warn(
            CHECK,
            "there is no mail server, so mail to technical contacts waits as files in the data folder's outbox",
            "set smtp.host and smtp.from, or look into the outbox now and then",
        );
    };
    let place = format!("{}:{}", smtp.host, smtp.port);
    let mut stream = match connect(&smtp.host, smtp.port).await {
        Ok(stream) => stream,
        Err(error) => return Finding::bad(CHECK, format!("{place} does not answer: {error}"), REMEDY),
    };
    if smtp.encryption == Encryption::Tls {
        return Finding::ok(CHECK, format!("{place} answers"));
    }
    let mut greeting = [0; 3];
    match timeout(PATIENCE, stream.read_exact(&mut greeting)).await {
        Ok(Ok(_)) if &greeting == b"220" => Finding::ok(CHECK, format!("{place} greets as a mail server")),
        _ => Finding::bad(CHECK, format!("{place} does not greet as a mail server"), REMEDY),
    }
}

async fn visit(url: &Url) -> Result<TcpStream, Error> {
    let host = url.host_str().ok_or_else(|| Error::other("it names no host"))?;
    let port = url.port_or_known_default().ok_or_else(|| Error::other("it names no port"))?;
    connect(host.trim_matches(['[', ']']), port).await
}

async fn connect(host: &str, port: u16) -> Result<TcpStream, Error> {
    let connected = timeout(PATIENCE, TcpStream::connect((host, port))).await;
    connected.unwrap_or_else(|_| Err(Error::new(ErrorKind::TimedOut, "it took too long")))
}
