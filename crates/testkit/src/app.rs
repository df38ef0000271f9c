//! The real router on a real database, in this process.

use crate::conform;
use crate::database::{Database, Engine};
use crate::probe;
use crate::seeded::SeededRandom;
use api::{Connection, Settings};
use axum::Router;
use axum::body::{Body, Bytes};
use domain::account::{Account, Owner};
use domain::clock::{Clock, TestClock};
use domain::credit::Credits;
use domain::mode::Mode;
use domain::web_url::Reach;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use jiff::Timestamp;
use marker::meaning::Semantic;
use marker::{Builtin, Marker};
use reader::isolate::{Isolation, Limits};
use reader::ocr::Weights;
use serde_json::Value;
use service::blobs::{Blobs, Disk};
use service::credits::OperatorMovement;
use service::deliveries::Deliveries;
use service::jobs::Worker;
use service::keys::NewKey;
use service::mail::Outbox;
use service::outbound::Outbound;
use service::room::Room;
use service::seal::Sealer;
use service::{Parts, Service};
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use store::{Options, Store};
use tower::ServiceExt as _;

/// When every test begins.
const BEGINNING: &str = "2026-11-15T03:05:07.250Z";
/// How the world would reach the app.
pub(crate) const BASE_URL: &str = "https://tickmark.test";
/// What the live balance of the test account holds.
const LIVE_CREDITS: Credits = Credits(1_000);

/// What the secrets of every test are sealed under.
pub const MASTER_KEY: [u8; 32] = [7; 32];

/// A running app with one account, a key for each mode and 1,000 live credits.
#[derive(Debug)]
pub struct App {
    /// The use cases, for what only an operator can do.
    pub service: Service,
    /// Stands still until it is advanced.
    pub clock: Arc<TestClock>,
    /// The account.
    pub account: Account,
    /// Its unrestricted live key.
    pub live_key: String,
    /// Its unrestricted test key.
    pub test_key: String,
    router: Router,
    database: Arc<Database>,
    outbox: Arc<tempfile::TempDir>,
}

impl App {
    /// Starts on a fresh database.
    pub async fn start(engine: Engine) -> App {
        App::start_with(engine, Settings::default()).await
    }

    /// Starts with settings.
    pub async fn start_with(engine: Engine, settings: Settings) -> App {
        store::plan::note_statements();
        let database = Arc::new(Database::new(engine));
        let beginning: Timestamp = BEGINNING.parse().expect("it is a timestamp");
        let clock = Arc::new(TestClock::at(beginning));
        let store = Store::open(&database.location(), Options::default(), beginning)
            .await
            .expect("the database opens");
        let outbox = tempfile::tempdir().expect("a temporary folder can be made");
        let service = Service::new(parts(store, 1, Arc::clone(&clock) as _, outbox.path()));
        service.check_master_key().await.expect("the database is new");
        service.fill_catalogue().await.expect("the catalogue can be filled");
        let contact = Some("it@northfield.example".to_owned());
        let account = service.create_account("Northfield".to_owned(), contact).await.expect("an account");
        let movement = OperatorMovement::TopUp { amount: LIVE_CREDITS, valid_until: None, reference: None };
        service.move_credits((account.id, Mode::Live), movement).await.expect("credits");
        let router = api::router_with(service.clone(), settings, probe::routes());
        let mut app = App {
            service,
            clock,
            account,
            live_key: String::new(),
            test_key: String::new(),
            router,
            outbox: Arc::new(outbox),
            database,
        };
        app.live_key = app.issue_key(Mode::Live, NewKey::default()).await;
        app.test_key = app.issue_key(Mode::Test, NewKey::default()).await;
        app
    }

    /// A second process on the same database: its own caches and counters.
    pub async fn sibling(&self) -> App {
        self.sibling_with(|_| ()).await
    }

    /// A second process on the same database in development mode: it reaches this machine.
    pub async fn reaching_here(&self) -> App {
        self.sibling_with(|parts| parts.outbound = Outbound::new(Reach::Development)).await
    }

    /// A second process on the same database that is put together in another way.
    pub async fn sibling_with(&self, change: impl FnOnce(&mut Parts)) -> App {
        let now = self.service.now();
        let store = Store::open(&self.database.location(), Options::default(), now)
            .await
            .expect("the database opens");
        let mut parts = parts(store, 2, Arc::clone(&self.clock) as _, self.outbox.path());
        parts.outbound = self.service.outbound().clone();
        change(&mut parts);
        let service = Service::new(parts);
        App {
            router: api::router_with(service.clone(), Settings::default(), probe::routes()),
            service,
            clock: Arc::clone(&self.clock),
            account: self.account.clone(),
            live_key: self.live_key.clone(),
            test_key: self.test_key.clone(),
            database: Arc::clone(&self.database),
            outbox: Arc::clone(&self.outbox),
        }
    }

    /// Looks at the plan of every statement that this process has run and that was not looked at before, and
    /// panics when one reads a whole table. Called after each request, so that every HTTP test is also a test
    /// of the plans.
    pub(crate) async fn check_plans(&self) {
        static CHECKED: Mutex<BTreeSet<(&str, String)>> = Mutex::new(BTreeSet::new());
        let engine = self.service.store().engine_name();
        for statement in store::plan::noted_statements() {
            let is_new =
                CHECKED.lock().unwrap_or_else(PoisonError::into_inner).insert((engine, statement.clone()));
            if !is_new || statement.contains("schema") {
                continue;
            }
            let mut db = self.service.store().read().await.expect("the database can be read");
            // One engine's own words are no statement on the other.
            if let Ok(plan) = db.explain(&statement).await {
                plan.assert_no_scan();
            }
        }
    }

    /// Panics when a transaction of this process read a row without a lock and then wrote it.
    pub(crate) fn check_locks() {
        let found = store::watch::unlocked_changes();
        assert!(found.is_empty(), "lock the row first (store/src/locked.rs):\n{}", found.join("\n"));
    }

    /// The live account as owner of things.
    pub fn owner(&self) -> Owner {
        (self.account.id, Mode::Live)
    }

    /// Issues a key and gives its secret.
    pub async fn issue_key(&self, mode: Mode, new: NewKey) -> String {
        let (_, secret) = self.service.issue_key(self.account.id, mode, new).await.expect("a key");
        secret.reveal().to_owned()
    }

    /// Begins a GET with the live key.
    pub fn get(&self, path: &str) -> Ask<'_> {
        self.ask(Method::GET, path)
    }

    /// Begins a POST with the live key.
    pub fn post(&self, path: &str) -> Ask<'_> {
        self.ask(Method::POST, path)
    }

    /// Begins a request with the live key.
    pub fn ask(&self, method: Method, path: &str) -> Ask<'_> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {}", self.live_key))
            .body(Body::empty())
            .expect("the request is well formed");
        let peer = SocketAddr::from(([198, 51, 100, 7], 4711));
        Ask { app: self, request, connection: Connection { peer, tls: true } }
    }

    /// The mails that were sent, in the order of their names.
    pub fn mails(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.outbox.path().join("outbox")) else { return Vec::new() };
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("the outbox can be read").path()).collect();
        paths.sort();
        paths.iter().map(|path| std::fs::read_to_string(path).expect("a mail can be read")).collect()
    }

    /// The first subject of the catalogue.
    pub async fn subject(&self) -> String {
        let list = self.get("/v1/subjects?limit=1").send().await;
        list.ids().remove(0)
    }

    /// What a table holds of a paper: one expression of each row, a line each.
    pub async fn dump(&self, table: &str, paper: &Value, expression: &str) -> String {
        let statement = format!("SELECT {expression} FROM {table} WHERE paper_id = $1");
        let query = store::sql(statement).bind(paper["id"].as_str().expect("a paper's id"));
        let mut db = self.service.store().read().await.expect("the database can be read");
        let mut rows = db.all::<String>(query).await.expect("the table can be read");
        rows.sort();
        rows.join("\n")
    }

    /// Where the app keeps its files and mails.
    pub fn folder(&self) -> &Path {
        self.outbox.path()
    }

    /// Where a word is kept: files, and on PostgreSQL columns of tables.
    pub async fn places_of(&self, word: &str) -> Vec<String> {
        crate::database::places_of(&self.database, self.folder(), word).await
    }

    /// Runs the background work that is due now, deliveries included.
    pub async fn run_jobs(&self) {
        Worker::new(self.service.clone()).run_due().await.expect("background work runs");
        Deliveries::new(self.service.clone()).run_due().await.expect("deliveries run");
        App::check_locks();
    }
}

fn parts(store: Store, seed: u64, clock: Arc<dyn Clock>, folder: &Path) -> Parts {
    let disk = Disk::open(folder.join("blobs")).expect("the folder for files can be made");
    Parts {
        store,
        clock,
        random: Arc::new(SeededRandom::new(seed)),
        wire: api::wire(),
        mailer: Arc::new(Outbox::new(folder.join("outbox"))),
        outbound: Outbound::new(Reach::Public),
        sealer: Sealer::new(&MASTER_KEY),
        blobs: Blobs::Disk(disk),
        reader: Isolation::in_process(Limits::default(), Weights::default()),
        engine: service::engine::Engine::new(Arc::new(marker)),
        base_url: BASE_URL.to_owned(),
        room: Room::default(),
    }
}

/// The built-in engine, loaded once for all apps of a test program.
fn marker() -> Result<Arc<dyn Marker>, store::Cause> {
    static MADE: OnceLock<Arc<dyn Marker>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let judge = Semantic::load().expect("the embedded model loads");
        Arc::new(Builtin::new(Arc::new(judge)))
    });
    Ok(Arc::clone(made))
}

/// A request in the making.
#[derive(Debug)]
pub struct Ask<'a> {
    app: &'a App,
    request: Request<Body>,
    connection: Connection,
}

impl Ask<'_> {
    /// With another key.
    #[must_use]
    pub fn key(self, secret: &str) -> Self {
        self.header("authorization", &format!("Bearer {secret}"))
    }

    /// Without any key.
    #[must_use]
    pub fn no_key(mut self) -> Self {
        self.request.headers_mut().remove("authorization");
        self
    }

    /// With a header, in place of what is there.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.request.headers_mut().insert(name, value.parse().expect("a header value"));
        self
    }

    /// With an idempotency key.
    #[must_use]
    pub fn once(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    /// With a JSON body.
    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    /// With a body as it is.
    #[must_use]
    pub fn body(mut self, body: impl Into<Body>) -> Self {
        *self.request.body_mut() = body.into();
        self
    }

    /// From another address.
    #[must_use]
    pub fn from(mut self, address: &str) -> Self {
        self.connection.peer.set_ip(address.parse().expect("an address"));
        self
    }

    /// Over plain HTTP.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.connection.tls = false;
        self
    }

    /// Sends it.
    pub async fn send(mut self) -> Answer {
        self.request.extensions_mut().insert(self.connection);
        let method = self.request.method().to_string();
        let path = self.request.uri().path().to_owned();
        let response =
            self.app.router.clone().oneshot(self.request).await.expect("the router always answers");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("the body arrives").to_bytes();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        let media_type = parts.headers.get("content-type").map(http::HeaderValue::as_bytes);
        let is_json = media_type.is_none_or(|name| name == b"application/json");
        if parts.status != StatusCode::METHOD_NOT_ALLOWED && is_json {
            conform::check(&method, &path, parts.status.as_u16(), &body);
        }
        self.app.check_plans().await;
        App::check_locks();
        assert!(parts.headers.contains_key("x-request-id"), "every response is named");
        Answer { status: parts.status.as_u16(), headers: parts.headers, body, text, bytes }
    }
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The JSON body; null when it is none.
    pub body: Value,
    /// The body as text.
    pub text: String,
    /// The body as it came.
    pub bytes: Bytes,
}

impl Answer {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("headers are ASCII"))
    }

    /// The body as it was sent, with the random part of every id cut off.
    pub fn text_without_ids(&self) -> String {
        let is_id = |word: &str| {
            let body = word.rsplit_once('_').map_or("", |(_, body)| body);
            body.len() == 26 && body.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let words = self.text.split('"').map(|word| match word.rsplit_once('_') {
            Some((prefix, _)) if is_id(word) => format!("{prefix}_…"),
            _ => word.to_owned(),
        });
        words.collect::<Vec<_>>().join("\"")
    }

    /// Status, code and param of an error: `400 parameter_invalid limit`.
    pub fn problem(&self) -> String {
        let error = &self.body["error"];
        let part = |name: &str| error[name].as_str().unwrap_or("-");
        format!("{} {} {}", self.status, part("code"), part("param"))
    }

    /// The ids of a list's items.
    pub fn ids(&self) -> Vec<String> {
        let items = self.body["data"].as_array().expect("a list");
        items.iter().map(|item| item["id"].as_str().expect("an id").to_owned()).collect()
    }
}
