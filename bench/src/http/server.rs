//! The servers under test: the real one with all its checks, and bare ones to hold it against.

use std::io::{Read as _, Write as _};
use std::sync::Arc;

use anyhow::Context as _;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use clap::{Args, ValueEnum};
use domain::account::Account;
use domain::id::{AccountId, Identifier as _};
use domain::mode::Mode;
use domain::web_url::Reach;
use server::app::{App, User};
use server::config::{Options, Settings};
use server::listen::{Listener, Phase};
use server::telemetry;
use service::Wire;
use store::{Location, Store, accounts};
use testkit::probe;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::{setup, uploads};

/// Which server, and on what.
#[derive(Debug, Clone, Args)]
pub(crate) struct Arguments {
    kind: Kind,
    pub(crate) database: String,
    /// Whose account the bare servers show
    account: String,
}

/// What a server does around the answer.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Kind {
    /// Everything that the real one does
    Real,
    /// The same without background work
    Api,
    /// Writes the answer
    Bare,
    /// Reads the row of the answer, and writes it
    BareWithRead,
    /// Copies what comes over a connection to a file
    Copy,
}

impl Arguments {
    pub(crate) fn new(kind: Kind, database: impl Into<String>, account: AccountId) -> Arguments {
        Arguments { kind, database: database.into(), account: account.to_string() }
    }

    pub(crate) fn to_list(&self) -> [String; 3] {
        let kind = self.kind.to_possible_value().map_or_else(String::new, |kind| kind.get_name().to_owned());
        [kind, self.database.clone(), self.account.clone()]
    }
}

/// Says its address on stdout, or why it has none, and serves until stdin ends.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if matches!(arguments.kind, Kind::Copy) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        announce(listener.local_addr()?)?;
        return uploads::copy_all(&listener);
    }
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let socket = TcpListener::bind("127.0.0.1:0").await?;
        let parent = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
        let serving = async {
            match arguments.kind {
                Kind::Real => real(socket, &arguments.database, true).await,
                Kind::Api => real(socket, &arguments.database, false).await,
                Kind::Bare => bare(socket, arguments, get(show)).await,
                Kind::BareWithRead | Kind::Copy => bare(socket, arguments, get(read_and_show)).await,
            }
        };
        tokio::select! {
            served = serving => served.or_else(|error| announce(format!("{error:#}"))),
            _ = parent => Ok(()),
        }
    })
}

fn announce(line: impl std::fmt::Display) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

/// As `tickmark serve` behind a trusted proxy, with its log, its workers where it works, and the probe's routes.
async fn real(socket: TcpListener, database: &str, works: bool) -> anyhow::Result<()> {
    let data = tempfile::tempdir()?;
    let given = [
        ("TICKMARK_DATABASE", database.to_owned()),
        ("TICKMARK_DATA", data.path().display().to_string()),
        ("TICKMARK_TRUSTED_PROXIES", "127.0.0.1/32".to_owned()),
    ];
    let given = given.into_iter().map(|(name, value)| (name.to_owned(), value));
    let settings = Settings::load(Options::default(), given)?;
    let _flush = telemetry::start(settings.log_format, &settings.log_level)?;
    let app = App::open(&settings, User::Server, Reach::Public, "").await?;
    let trusted_proxies = settings.proxies();
    let face = api::Settings { trusted_proxies, ..api::Settings::default() };
    let router = api::router_with(app.service.clone(), face, probe::routes());
    let (phase, phases) = watch::channel(Phase::Running);
    let listener = Listener { socket, certificate: None, router, limits: settings.limits };
    announce(listener.socket.local_addr()?)?;
    let work = async {
        if works {
            server::run::work_on_jobs(app.service.clone(), phase.subscribe()).await;
        }
    };
    tokio::join!(listener.serve(phases), work);
    Ok(())
}

/// What the bare handlers need.
#[derive(Clone)]
struct Bare {
    store: Store,
    account: Arc<Account>,
    wire: Wire,
}

async fn bare(
    socket: TcpListener,
    arguments: &Arguments,
    handler: axum::routing::MethodRouter<Bare>,
) -> anyhow::Result<()> {
    let store = setup::open(&Location::parse(&arguments.database)).await?;
    let id = AccountId::parse(&arguments.account).context("the account's id is malformed")?;
    let account =
        accounts::by_id(&mut *store.read().await?, id).await?.context("there is no such account")?;
    let bare = Bare { store, account: Arc::new(account), wire: api::wire() };
    let router: Router = Router::new().route("/v1/account", handler).with_state(bare);
    announce(socket.local_addr()?)?;
    // As the real one does: answers are small and whole.
    let socket = socket.tap_io(|stream| drop(stream.set_nodelay(true)));
    Ok(axum::serve(socket, router).await?)
}

async fn show(State(bare): State<Bare>) -> impl IntoResponse {
    let body = (bare.wire.account)(&bare.account, Mode::Live, None);
    ([(header::CONTENT_TYPE, "application/json")], body)
}

async fn read_and_show(State(bare): State<Bare>) -> Result<impl IntoResponse, StatusCode> {
    let owner = (bare.account.id, Mode::Live);
    let found = async { accounts::with_credits_end(&mut *bare.store.read().await?, owner).await };
    let found = found.await.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    let found = found.ok_or(StatusCode::NOT_FOUND)?;
    let body = (bare.wire.account)(&found.account, Mode::Live, found.valid_until);
    Ok(([(header::CONTENT_TYPE, "application/json")], body))
}
