//! What the store costs: writes with and without group commit, point reads, and one hot row.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use jiff::Timestamp;
use store::{Db, Error, Location, Migration, Options, Store, Topic, Tx, sql};
use testdb::{Durability, Postgres};

use crate::cpu::{Spent, Stopwatch};
use crate::table::{Row, Target};

/// How long each figure is measured.
const SPAN: Duration = Duration::from_millis(1_500);
const CLIENTS: [usize; 3] = [1, 16, 64];
const ACCOUNTS: usize = 64;
const READS: u32 = 100_000;
const SLOW_FSYNC: Duration = Duration::from_millis(1);

/// The shape of a hold of credits: what a typical write of the service touches.
const SCHEMA: &[Migration] = &[Migration::portable(
    1,
    "bench",
    "CREATE TABLE balances (account TEXT NOT NULL PRIMARY KEY, available BIGINT NOT NULL, held BIGINT NOT NULL,
         version BIGINT NOT NULL);
     CREATE TABLE replays (id TEXT NOT NULL PRIMARY KEY, account TEXT NOT NULL, body TEXT NOT NULL,
         created_at BIGINT NOT NULL);
     CREATE TABLE submissions (id TEXT NOT NULL PRIMARY KEY, account TEXT NOT NULL, status TEXT NOT NULL,
         body TEXT NOT NULL, created_at BIGINT NOT NULL);
     CREATE INDEX submissions_by_account ON submissions (account, created_at, id);
     CREATE TABLE holds (id TEXT NOT NULL PRIMARY KEY, account TEXT NOT NULL, credits BIGINT NOT NULL);
     CREATE TABLE events (id TEXT NOT NULL PRIMARY KEY, account TEXT NOT NULL, body TEXT NOT NULL,
         created_at BIGINT NOT NULL);
     CREATE TABLE jobs (id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, due_at BIGINT NOT NULL);
     CREATE INDEX jobs_by_due ON jobs (due_at, id);",
)];

pub(crate) fn run() -> anyhow::Result<Vec<Row>> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let mut rows = sqlite_writes(None).await?;
        rows.extend(sqlite_writes(Some(SLOW_FSYNC)).await?);
        sqlite_reads().await?;
        rows.extend(postgres_writes().await?);
        Ok(rows)
    })
}

async fn sqlite_writes(fsync_delay: Option<Duration>) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let added = fsync_delay.map_or(String::new(), |delay| format!(", {delay:?} added to each fsync"));
    say(&format!("\nSQLite, a transaction of 8 statements{added}"))?;
    for clients in CLIENTS {
        let mut rates = Vec::new();
        for (name, batch_max) in [("ungrouped", 1), ("grouped", Options::default().batch_max)] {
            let folder = tempfile::tempdir()?;
            let location = Location::Sqlite(folder.path().join("bench.db"));
            let store = open(&location, Options { batch_max, fsync_delay, ..options() }).await?;
            rates.push(writes(&store, clients, ACCOUNTS, &format!("{clients:>3} clients, {name}")).await?);
        }
        say(&format!("      grouped against ungrouped: {:.1} times", rates[1] / rates[0]))?;
        if clients == ACCOUNTS {
            let what = format!("grouped writes, {clients} clients, SQLite{added}: ungrouped");
            let target = fsync_delay.map(|_| Target::AtLeast(10.0));
            rows.push(by_rate(what, rates[1], rates[0], target));
        }
    }
    Ok(rows)
}

async fn sqlite_reads() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let store = open(&Location::Sqlite(folder.path().join("bench.db")), options()).await?;
    say("\nSQLite, a point read of one row with 3 columns")?;
    let watch = Stopwatch::start()?;
    for number in 0..READS {
        let account = account(number as usize % ACCOUNTS);
        let row = sql("SELECT account, available, held FROM balances WHERE account = $1").bind(&account);
        store.read().await?.one::<(String, i64, i64)>(row).await?;
    }
    report("one after the other", READS.into(), watch.stop()?).map(drop)
}

async fn postgres_writes() -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let cluster = Postgres::start(Durability::Full);
    say("\nPostgreSQL with durable commits, the same transaction (CPU of the client side only)")?;
    for clients in CLIENTS {
        let mut rates = Vec::new();
        for (name, accounts) in [("one account", 1), ("64 accounts", ACCOUNTS)] {
            let database = cluster.only_database();
            let store = open(&Location::parse(database.url()), options()).await?;
            rates.push(writes(&store, clients, accounts, &format!("{clients:>3} clients, {name}")).await?);
        }
        say(&format!("      one hot row against 64 rows: {:.2}", rates[0] / rates[1]))?;
        if clients == ACCOUNTS {
            let what = format!("writes to one hot row, {clients} clients, PostgreSQL: to 64 rows");
            rows.push(by_rate(what, rates[0], rates[1], Some(Target::AtLeast(0.5))));
        }
    }
    Ok(rows)
}

fn by_rate(what: String, measured: f64, baseline: f64, target: Option<Target>) -> Row {
    let rate = |rate: f64| format!("{rate:.0}/s");
    Row {
        what,
        measured: rate(measured),
        baseline: rate(baseline),
        value: measured / baseline,
        target,
        note: String::new(),
    }
}

fn options() -> Options {
    Options { migrations: SCHEMA, ..Options::default() }
}

async fn open(location: &Location, options: Options) -> anyhow::Result<Store> {
    let store = Store::open(location, options, Timestamp::UNIX_EPOCH).await?;
    let opened: Result<(), Error> = store
        .write((), |tx, ()| {
            Box::pin(async move {
                for number in 0..ACCOUNTS {
                    let insert = sql("INSERT INTO balances (account, available, held, version) \
                                      VALUES ($1, 1000000000, 0, 0)");
                    tx.execute(insert.bind(account(number))).await?;
                }
                Ok(())
            })
        })
        .await;
    opened?;
    Ok(store)
}

fn account(number: usize) -> String {
    format!("acct_{number:024}")
}

/// Writes with so many clients at once for the span, and tells how many a second.
async fn writes(store: &Store, clients: usize, accounts: usize, name: &str) -> anyhow::Result<f64> {
    let written = Arc::new(AtomicU64::new(0));
    let end = Instant::now() + SPAN;
    let watch = Stopwatch::start()?;
    let tasks = (0..clients).map(|client| {
        let (store, written) = (store.clone(), Arc::clone(&written));
        tokio::spawn(async move {
            while Instant::now() < end {
                let number = written.fetch_add(1, Ordering::Relaxed);
                let input = Hold { account: account(client % accounts), id: format!("sub_{number:024}") };
                store.write(input, |tx, hold| Box::pin(hold_credits(tx, hold))).await?;
            }
            Ok::<_, Error>(())
        })
    });
    for outcome in join_all(tasks).await {
        outcome??;
    }
    report(name, written.load(Ordering::Relaxed), watch.stop()?)
}

struct Hold {
    account: String,
    id: String,
}

async fn hold_credits(tx: &mut Tx, hold: &Hold) -> Result<(), Error> {
    let Hold { account, id } = hold;
    let replayed = "SELECT body FROM replays WHERE id = $1";
    tx.one::<String>(sql(replayed).bind(id)).await?;
    let body = r#"{"object":"submission","status":"processing","student":{"name":null},"pages":4}"#;
    let independent = [
        sql("INSERT INTO replays (id, account, body, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING")
            .bind(id)
            .bind(account)
            .bind(body)
            .bind(1_i64),
        sql("INSERT INTO submissions (id, account, status, body, created_at) VALUES ($1, $2, $3, $4, $5)")
            .bind(id)
            .bind(account)
            .bind("processing")
            .bind(body)
            .bind(1_i64),
        sql("INSERT INTO holds (id, account, credits) VALUES ($1, $2, $3)").bind(id).bind(account).bind(4),
        sql("INSERT INTO events (id, account, body, created_at) VALUES ($1, $2, $3, $4)")
            .bind(id)
            .bind(account)
            .bind(body)
            .bind(1_i64),
        sql("INSERT INTO jobs (id, kind, due_at) VALUES ($1, $2, $3)").bind(id).bind("mark").bind(1_i64),
    ];
    for statement in independent {
        tx.queue(statement).await?;
    }
    tx.wake(Topic::Jobs);
    spend(tx, account).await
}

/// The row that everybody of the account wants comes last, so that it is held for the shortest time.
async fn spend(db: &mut Db, account: &str) -> Result<(), Error> {
    let lock = "UPDATE balances SET version = version + 1 WHERE account = $1 RETURNING available, held";
    let (available, held) = db.one::<(i64, i64)>(sql(lock).bind(account)).await?.unwrap_or_default();
    let save = "UPDATE balances SET available = $2, held = $3 WHERE account = $1";
    db.queue(sql(save).bind(account).bind(available - 4).bind(held + 4)).await
}

/// Prints one figure and gives its rate.
#[expect(clippy::cast_precision_loss, reason = "a count of operations within seconds")]
fn report(name: &str, operations: u64, spent: Spent) -> anyhow::Result<f64> {
    let rate = operations as f64 / spent.wall.as_secs_f64();
    let cpu = spent.cpu.as_secs_f64() * 1e6 / operations as f64;
    say(&format!("  {name:<28} {rate:>9.0} a second {cpu:>9.1} µs of CPU each"))?;
    Ok(rate)
}

fn say(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
