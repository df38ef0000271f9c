//! A running server: what listens, what works, and how it ends.
//!
//! The first SIGTERM or SIGINT hands back leases, waits until proxies have noticed, and lets requests under way
//! finish; the second one cuts whatever is left.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::Arc;

use crate::app::{App, User};
use crate::config::{InForce, Role, Settings};
use crate::failure::Failure;
use crate::listen::tls::Certificate;
use crate::listen::{Listener, Phase, reached};
use crate::metrics::{Measured, Metrics};
use crate::{descriptors, dev, doctor, telemetry};
use api::Stopping;
use api::console::{Console, SetUp, Setting};
use axum::Router;
use domain::web_url::Reach;
use service::Service;
use service::deliveries::Deliveries;
use service::jobs::Worker;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// How a server runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// For the world: HTTPS, or behind a trusted proxy.
    Production,
    /// For one machine: plain HTTP on loopback, with a clock that can be moved.
    Development {
        /// Whether the greeting is one JSON document.
        is_json: bool,
    },
}

impl Kind {
    /// How far the server reaches out: development mode also to this machine.
    fn reach(self) -> Reach {
        match self {
            Kind::Production => Reach::Public,
            Kind::Development { .. } => Reach::Development,
        }
    }
}

/// Where `serve` and `dev` listen unless told otherwise.
const PRODUCTION_ADDRESS: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED), 8443);
const DEVELOPMENT_ADDRESS: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

/// Runs a server until it is told to stop.
pub(crate) async fn run(mut settings: Settings, kind: Kind) -> Result<(), Failure> {
    let started = telemetry::start(settings.log_format, &settings.log_level);
    let _flush = started.map_err(|error| Failure::new(format!("The log cannot be started: {error}.")))?;
    settings.limits.connections_max = descriptors::make_room(settings.limits.connections_max);
    let mut signals = Signals::new()?;
    let server = Server::open(&settings, kind).await?;
    let (service, stopping) = (server.app.service.clone(), server.stopping.clone());

    let (phase, phases) = watch::channel(Phase::Running);
    let work = server.work(phases);
    tokio::pin!(work);
    tokio::select! {
        () = &mut work => {}
        () = signals.next() => {
            tracing::info!("stopping: requests under way are finished");
            stopping.begin();
            phase.send_replace(Phase::Leaving);
            let leave = async {
                tokio::time::sleep(settings.limits.drain).await;
                phase.send_replace(Phase::Draining);
                std::future::pending::<()>().await;
            };
            tokio::select! {
                () = &mut work => {}
                () = leave => {}
                () = signals.next() => {
                    phase.send_replace(Phase::Cut);
                    work.await;
                }
            }
        }
    }
    if let Err(error) = service.give_back_requests(true).await {
        tracing::warn!(%error, "giving back unused requests failed");
    }
    if let Err(error) = service.write_key_usage().await {
        tracing::warn!(%error, "when keys were last used could not be written");
    }
    tracing::info!("stopped");
    Ok(())
}

/// Everything that was bound and opened.
struct Server {
    app: App,
    /// Not there when this process only works on jobs.
    requests: Option<Listener>,
    metrics: Option<(Metrics, Listener)>,
    console: Option<(Console, Listener)>,
    certificate: Option<Arc<Certificate>>,
    has_worker: bool,
    stopping: Stopping,
}

impl Server {
    async fn open(settings: &Settings, kind: Kind) -> Result<Server, Failure> {
        let answers = settings.roles.contains(&Role::Api);
        let address = address(settings, kind)?;
        let certificate = match &settings.tls {
            Some(files) if kind == Kind::Production => {
                let loaded = Certificate::load(files.clone());
                Some(Arc::new(loaded.map_err(|error| {
                    Failure::settings(format!("The settings tls_cert and tls_key do not work: {error}."))
                })?))
            }
            _ => None,
        };
        let socket = if answers { Some(bind("listen", address).await?) } else { None };
        let metrics = match settings.metrics {
            Some(address) => Some(metrics(settings, address).await?),
            None => None,
        };
        let console_socket = match settings.console {
            Some(address) => Some(bind("console", console_address(address, certificate.is_some())?).await?),
            None => None,
        };
        let bound = socket.as_ref().and_then(|socket| socket.local_addr().ok()).unwrap_or(address);
        let protocol = if certificate.is_some() { "https" } else { "http" };
        let app = App::open(settings, User::Server, kind.reach(), &format!("{protocol}://{bound}")).await?;
        check_confinement(settings).await?;
        let stopping = Stopping::default();
        let router = router(settings, &app, kind, &stopping);
        let router = if metrics.is_some() { router.layer(Measured::layer()) } else { router };
        if let Kind::Development { is_json } = kind {
            dev::greet(&app.service, settings, bound, is_json).await?;
        }
        if answers && kind == Kind::Production && settings.public_url.is_none() {
            tracing::warn!(
                "the setting public_url is not given: upload and review addresses begin with {protocol}://{bound}"
            );
        }
        if answers {
            tracing::info!(address = %bound, protocol, "listening on {protocol}://{bound}");
        } else {
            tracing::info!("working on jobs only");
        }
        let limits = settings.limits;
        let requests =
            socket.map(|socket| Listener { socket, certificate: certificate.clone(), router, limits });
        let console = console_socket.map(|socket| console(settings, &app, socket, certificate.as_ref()));
        let has_worker = settings.roles.contains(&Role::Worker);
        Ok(Server { app, requests, metrics, console, certificate, has_worker, stopping })
    }

    /// Does all of it until the phases say otherwise.
    async fn work(self, phases: watch::Receiver<Phase>) {
        let requests = self.requests.map(|listener| listener.serve(phases.clone()));
        let (metrics, page) = self.metrics.unzip();
        let page = page.map(|listener| listener.serve(phases.clone()));
        let worker = self.has_worker.then(|| work_on_jobs(self.app.service.clone(), phases.clone()));
        let (console, console_pages) = self.console.unzip();
        let console_pages = console_pages.map(|listener| listener.serve(phases.clone()));
        let everything =
            async { tokio::join!(maybe(requests), maybe(page), maybe(console_pages), maybe(worker)) };
        let certificate = self.certificate;
        let follow = async { maybe(certificate.as_deref().map(Certificate::follow)).await };
        let keep_up =
            async { maybe(metrics.as_ref().map(|metrics| metrics.keep_up(&self.app.service))).await };
        let sample = async { maybe(console.as_ref().map(Console::keep_up)).await };
        let service = self.app.service.clone();
        let upkeep = async { tokio::join!(follow, keep_up, sample, service.keep_up()) };
        tokio::select! {
            _ = everything => {}
            _ = upkeep => {}
        }
    }
}

/// A worker with room for what the processors can do at once, and one for all deliveries, which mostly waits.
pub async fn work_on_jobs(service: Service, phases: watch::Receiver<Phase>) {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut stop = phases.clone();
    let worker = Worker::new(service.clone()).for_processors(processors);
    let worker = worker.run(Box::pin(async move { reached(&mut stop, Phase::Leaving).await }));
    let mut leaving = phases.clone();
    let deliveries = Deliveries::new(service.clone());
    let deliveries = deliveries.run(Box::pin(async move { reached(&mut leaving, Phase::Leaving).await }));
    tokio::join!(worker, deliveries);
}

/// Does what there is to do, if anything.
async fn maybe(work: Option<impl Future<Output = ()>>) {
    if let Some(work) = work {
        work.await;
    }
}

/// Where to listen, if the settings allow it at all.
fn address(settings: &Settings, kind: Kind) -> Result<SocketAddr, Failure> {
    match kind {
        Kind::Development { .. } => {
            let address = settings.listen.unwrap_or(DEVELOPMENT_ADDRESS);
            if address.ip().is_loopback() {
                return Ok(address);
            }
            Err(Failure::settings(format!(
                "The setting listen is {address}, but development mode takes loopback addresses only, such as \
                 127.0.0.1:8080 or [::1]:8080; `tickmark serve` is for the others."
            )))
        }
        Kind::Production => {
            if let Some(url) = settings.public_url.as_ref().filter(|url| url.scheme() != "https") {
                return Err(Failure::settings(format!(
                    "The setting public_url is {url}, but this service is reached over https:// only: upload and \
                     review addresses begin with it, so give it as the world sees it, such as \
                     https://marking.example.org."
                )));
            }
            let is_safe = settings.tls.is_some() || !settings.trusted_proxies.is_empty();
            if is_safe || !settings.roles.contains(&Role::Api) {
                return Ok(settings.listen.unwrap_or(PRODUCTION_ADDRESS));
            }
            Err(Failure::settings(
                "`tickmark serve` answers over HTTPS only: give it --tls-cert and --tls-key, or name the proxy \
                 that stands before it with --trusted-proxy.",
            ))
        }
    }
}

/// Says whether the readers of documents can be confined, and does not begin where that is asked for and they cannot.
async fn check_confinement(settings: &Settings) -> Result<(), Failure> {
    let reader = crate::app::reader(settings);
    let found = tokio::task::spawn_blocking(move || reader.confinement()).await;
    match found.map_err(|error| Failure::new(format!("The reader cannot be tried: {error}.")))? {
        Ok(found) if found.holds() => {
            let is_double = found.files;
            tracing::info!(landlock = is_double, "readers of documents are confined");
            Ok(())
        }
        Ok(_) if settings.require_confinement => Err(Failure::settings(
            "Readers of documents cannot be confined on this machine, and the setting require_confinement asks for \
             it: run on Linux with seccomp, let the container's profile allow the call seccomp, or drop the setting.",
        )),
        Ok(_) => {
            tracing::warn!(
                "readers of documents cannot be cut off from files and the network on this machine; \
                 `tickmark doctor` says what would help"
            );
            Ok(())
        }
        Err(failure) => {
            tracing::warn!(%failure, "the reader of documents could not be started; documents cannot be read");
            Ok(())
        }
    }
}

async fn metrics(settings: &Settings, address: SocketAddr) -> Result<(Metrics, Listener), Failure> {
    let socket = bind("metrics", address).await?;
    let metrics = Metrics::start();
    let metrics =
        metrics.map_err(|error| Failure::new(format!("The metrics cannot be started: {error}.")))?;
    if let Ok(bound) = socket.local_addr() {
        tracing::info!(address = %bound, "metrics on http://{bound}/metrics");
    }
    let router = metrics.router();
    Ok((metrics, Listener { socket, certificate: None, router, limits: settings.limits }))
}

/// Where the console listens. Keys of operators do not cross a network in the clear, so that only this machine reaches
/// it without a certificate.
fn console_address(address: SocketAddr, has_certificate: bool) -> Result<SocketAddr, Failure> {
    if address.ip().is_loopback() || has_certificate {
        return Ok(address);
    }
    Err(Failure::settings(format!(
        "The setting console is {address}, which others can reach: give tls_cert and tls_key too, or an address of this \
         machine such as 127.0.0.1:9091."
    )))
}

/// The operator's console: plain on an address of this machine alone, which no certificate names, with ours elsewhere.
fn console(
    settings: &Settings,
    app: &App,
    socket: TcpListener,
    certificate: Option<&Arc<Certificate>>,
) -> (Console, Listener) {
    let console = Console::new(app.service.clone(), set_up(settings));
    let is_here = settings.console.is_some_and(|address| address.ip().is_loopback());
    let certificate = certificate.filter(|_| !is_here).cloned();
    if let Ok(bound) = socket.local_addr() {
        let protocol = if certificate.is_some() { "https" } else { "http" };
        tracing::info!(address = %bound, "console on {protocol}://{bound}/");
    }
    let router = console.router();
    (console, Listener { socket, certificate, router, limits: settings.limits })
}

/// The settings and the checks as the console shows them.
fn set_up(settings: &Settings) -> SetUp {
    let shown = |setting: &InForce| Setting {
        name: setting.name.to_owned(),
        value: setting.value.clone(),
        origin: setting.origin.clone(),
    };
    let own = Arc::new(settings.clone());
    SetUp {
        version: env!("CARGO_PKG_VERSION"),
        settings: settings.in_force.iter().map(shown).collect(),
        examine: Box::new(move || Box::pin(doctor::examine_aside(Arc::clone(&own)))),
    }
}

async fn bind(setting: &str, address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let remedy = match error.kind() {
            ErrorKind::AddrInUse => "; stop the program that uses it, or choose another",
            ErrorKind::PermissionDenied => "; ports below 1024 are for root, or for who is granted them",
            _ => "",
        };
        Failure::new(format!(
            "The address {address} of the setting {setting} cannot be listened on: {error}{remedy}."
        ))
    })
}

/// The API as this kind of server shows it.
fn router(settings: &Settings, app: &App, kind: Kind, stopping: &Stopping) -> Router {
    api::router(
        app.service.clone(),
        api::Settings {
            trusted_proxies: settings.proxies(),
            development: (kind != Kind::Production).then(|| Arc::clone(&app.clock)),
            stopping: stopping.clone(),
        },
    )
}

/// The two signals that end a server or a demo.
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    pub(crate) fn new() -> Result<Signals, Failure> {
        let failed = |error| Failure::new(format!("Signals cannot be received: {error}."));
        let terminate = signal(SignalKind::terminate()).map_err(failed)?;
        let interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
        Ok(Signals { terminate, interrupt })
    }

    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
