//! A hold of credits with `Idempotency-Key`, through HTTP and directly on the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use domain::credit::{Credits, Hold, Source};
use domain::id::{AccountId, Identifier as _, SubmissionId};
use domain::idempotency::{Claim, Fingerprint, Key};
use domain::mode::Mode;
use http_body_util::Full;
use jiff::Timestamp;
use store::idempotency::{self, Answered};
use store::{Error, Location, Store, Tx, credits};
use testdb::{Durability, Postgres};
use testkit::probe;

use super::cost::Cost;
use super::direct;
use super::load::{self, Load};
use super::process::Process;
use super::server::{Arguments, Kind};
use super::setup::{self, Customer};
use crate::table::{Row, Target};

const CONNECTIONS: usize = 64;
const BODY: &str = r#"{"pages":4}"#;
/// More than a client writes in a round.
const EACH_MAX: usize = 1_000_000;

pub(crate) async fn on_sqlite() -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let (served, direct) = (folder.path().join("served.db"), folder.path().join("direct.db"));
    let store = setup::open(&Location::Sqlite(served.clone())).await?;
    let customers = setup::customers(&store, CONNECTIONS).await?;
    drop(store);
    let store = setup::open(&Location::Sqlite(direct)).await?;
    let accounts: Vec<AccountId> =
        setup::customers(&store, CONNECTIONS).await?.iter().map(|customer| customer.account).collect();

    let arguments = Arguments::new(Kind::Real, served.display().to_string(), customers[0].account);
    let server = Process::start(&arguments).await?;
    let load = holds(&customers);
    let round = async |contestant: usize| match contestant {
        0 => Cost::measure(&server, &load).await,
        _ => write_directly(&store, &accounts).await,
    };
    let [http, direct] = Cost::in_turns(round).await?;
    let what = format!("hold of credits, {CONNECTIONS} connections, SQLite: the same statements directly");
    Ok(vec![http.against(direct, what, Some(Target::AtMost(2.0)))])
}

/// How much slower everybody is when all want the same balance.
pub(crate) async fn on_postgres() -> anyhow::Result<Vec<Row>> {
    let cluster = Postgres::start(Durability::Full);
    let database = cluster.only_database();
    let store = setup::open(&Location::parse(database.url())).await?;
    let customers = setup::customers(&store, CONNECTIONS).await?;
    drop(store);
    let server = Process::start(&Arguments::new(Kind::Real, database.url(), customers[0].account)).await?;
    let loads = [holds(&customers[..1]), holds(&customers)];
    let round = async |contestant: usize| Cost::measure(&server, &loads[contestant]).await;
    let [hot, spread] = Cost::in_turns(round).await?;
    Ok(vec![Row {
        what: format!(
            "hold of credits, {CONNECTIONS} connections, PostgreSQL, one account: {CONNECTIONS} accounts"
        ),
        measured: format!("{:.0}/s", hot.per_second),
        baseline: format!("{:.0}/s", spread.per_second),
        value: hot.per_second / spread.per_second,
        target: Some(Target::AtLeast(0.5)),
        note: format!("{}; CPU {:.0} and {:.0} µs", hot.latency(), hot.cpu_us, spread.cpu_us),
    }])
}

/// Each connection holds for one of the customers, with a new key each time.
fn holds(customers: &[Customer]) -> Load {
    let keys: Vec<String> = customers.iter().map(|customer| customer.key.clone()).collect();
    Load::new(CONNECTIONS, move |connection, number| {
        load::request("POST", probe::PATH, &keys[connection % keys.len()])
            .header("content-type", "application/json")
            .header("idempotency-key", idempotency_key(number))
            .body(Full::from(Bytes::from_static(BODY.as_bytes())))
            .expect("the parts are well formed")
    })
}

fn idempotency_key(number: u64) -> String {
    format!("6f1c2b1e-8a52-4d0c-9d8e-{number:012}")
}

/// One round of the statements alone, by as many at once.
async fn write_directly(store: &Store, accounts: &[AccountId]) -> anyhow::Result<Cost> {
    static ROUND: AtomicUsize = AtomicUsize::new(0);
    let first = ROUND.fetch_add(1, Ordering::Relaxed) * CONNECTIONS;
    let now = Timestamp::from_second(1_800_000_000)?;
    let accounts: Arc<[AccountId]> = accounts.into();
    direct::round(store, CONNECTIONS, EACH_MAX, move |store, client, number| {
        let number = (first + client) * EACH_MAX + number;
        let wanted = Wanted::new(accounts[client], number as u64, now);
        async move { store.write(wanted, |tx, hold| Box::pin(write(tx, hold))).await }
    })
    .await
}

/// A hold, with everything worked out that is not the database's.
struct Wanted {
    claim: Claim,
    source: SubmissionId,
    answer: Answered,
    now: Timestamp,
}

impl Wanted {
    fn new(account_id: AccountId, number: u64, now: Timestamp) -> Wanted {
        let source = SubmissionId::from_number(number.into());
        let key = Key::parse(idempotency_key(number).as_bytes()).expect("it is printable");
        let answer = Answered {
            fingerprint: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef".to_owned(),
            status: 201,
            sealed: Some(format!(r#"{{"id":"{source}","note":null}}"#)),
            body: String::new(),
            resource_id: Some(source.to_string()),
        };
        let fingerprint = Fingerprint::of("", "", &[]);
        Wanted { claim: Claim { account_id, mode: Mode::Live, key, fingerprint }, source, answer, now }
    }
}

/// The statements of a hold, in the order in which the service runs them.
async fn write(tx: &mut Tx, wanted: &Wanted) -> Result<(), Error> {
    let Wanted { claim, source, answer, now } = wanted;
    let owner = (claim.account_id, claim.mode);
    idempotency::answered(tx, claim, *now).await?;
    let hold = Hold { credits: Credits(4), created_at: *now };
    let locked = credits::lock(tx, owner, *now).await?;
    credits::insert_hold(tx, owner, Source::Submission(*source), 4, &hold).await?;
    if let Some(locked) = locked {
        credits::save(tx, owner.0, owner.1, &locked.balance).await?;
    }
    idempotency::remember(tx, claim, answer, *now).await.map(drop)
}
