//! A page of a long list against the same page of a short one, on both engines.

use domain::id::{AccountId, Identifier as _, TransactionId};
use domain::mode::Mode;
use domain::paging::{Position, Seal, cursor};
use store::{Error, Location, Store, sql};
use testdb::{Database, Durability, Postgres};

use super::cost::Cost;
use super::load::Load;
use super::process::Process;
use super::server::{Arguments, Kind};
use super::setup::{self, Customer};
use crate::table::{Row, Target};

const SHORT: i64 = 1_000;
const LONG: i64 = 1_000_000;
/// Rows of one statement, so that none takes longer than a statement may.
const CHUNK: i64 = 50_000;
/// The first movement's time, in microseconds; the others follow a second apart.
const BEGINNING_US: i64 = 1_700_000_000_000_000;

/// A list on a server of its own.
struct Listed {
    server: Process,
    customer: Customer,
    rows: i64,
}

impl Listed {
    async fn start(location: &str, rows: i64) -> anyhow::Result<Listed> {
        let store = setup::open(&Location::parse(location)).await?;
        let customer = setup::customers(&store, 1).await?.remove(0);
        fill(&store, customer.account, rows).await?;
        drop(store);
        let server = Process::start(&Arguments::new(Kind::Real, location, customer.account)).await?;
        Ok(Listed { server, customer, rows })
    }

    /// One connection that asks for this page again and again.
    fn load(&self, page: Page) -> Load {
        let middle = self.rows / 2;
        let filters = match page {
            Page::First => String::new(),
            Page::Deep => format!("&cursor={}", self.cursor_after(middle)),
            Page::OfType => "&type=adjustment".to_owned(),
            Page::OfSource => format!("&source_id={}", source_id(middle)),
            Page::OfTypeAndSource => format!("&type=grading&source_id={}", source_id(middle)),
        };
        Load::get(1, &format!("/v1/credit_transactions?limit=20{filters}"), &self.customer.key)
    }

    fn cursor_after(&self, number: i64) -> String {
        let seal = Seal::new("credit_transactions")
            .with(Some(&self.customer.account.to_string()))
            .with(Some(Mode::Live.name()));
        // Neither filters nor bounds in time.
        let seal = (0..5).fold(seal, |seal, _| seal.with(None));
        let id = TransactionId::parse(&transaction_id(number)).map_or(0, domain::id::Identifier::number);
        cursor(Position { time_us: BEGINNING_US + number * 1_000_000, id }, &seal)
    }
}

#[derive(Clone, Copy, Debug)]
enum Page {
    First,
    Deep,
    OfType,
    OfSource,
    OfTypeAndSource,
}

impl Page {
    const ALL: [(Page, &'static str); 5] = [
        (Page::First, "first page"),
        (Page::Deep, "page in the middle"),
        (Page::OfType, "first page of a type"),
        (Page::OfSource, "first page of a source"),
        (Page::OfTypeAndSource, "first page of a type and a source"),
    ];
}

pub(crate) async fn on_sqlite() -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    let long = Listed::start(&path("long.db"), LONG).await?;
    let short = Listed::start(&path("short.db"), SHORT).await?;
    compare("SQLite", &long, &short).await
}

pub(crate) async fn on_postgres() -> anyhow::Result<Vec<Row>> {
    let cluster = Postgres::start(Durability::Full);
    let (long, short) = (cluster.only_database(), cluster.only_database());
    let start = async |database: &Database, rows: i64| {
        let listed = Listed::start(database.url(), rows).await?;
        // What the server does by itself before long, and must not do while we measure.
        cluster.run(database.name(), "VACUUM ANALYZE");
        anyhow::Ok(listed)
    };
    let (long, short) = (start(&long, LONG).await?, start(&short, SHORT).await?);
    compare("PostgreSQL", &long, &short).await
}

async fn compare(engine: &str, long: &Listed, short: &Listed) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (page, name) in Page::ALL {
        let contestants = [(&long.server, long.load(page)), (&short.server, short.load(page))];
        let [long, short] = Cost::on_two(contestants).await?;
        let what = format!("{name} of 1,000,000 credit transactions, {engine}: of 1,000");
        rows.push(long.against(short, what, Some(Target::AtMost(1.5))));
    }
    Ok(rows)
}

/// Fills the ledger of an account in the database itself. A fortieth of the movements are adjustments, the
/// others belong to sources with twenty movements each.
async fn fill(store: &Store, account: AccountId, rows: i64) -> anyhow::Result<()> {
    for first in (0..rows).step_by(usize::try_from(CHUNK)?) {
        let last = (first + CHUNK).min(rows) - 1;
        let filled: Result<u64, Error> = store
            .write((account, first, last), |tx, &(account, first, last)| {
                Box::pin(async move {
                    let statement =
                        sql(FILL).bind(first).bind(last).bind(account.to_string()).bind(BEGINNING_US);
                    tx.execute(statement).await
                })
            })
            .await;
        filled?;
    }
    Ok(())
}

const FILL: &str = "WITH RECURSIVE numbers (n) AS ( \
         SELECT CAST($1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST($2 AS BIGINT)) \
     INSERT INTO credit_transactions (id, account_id, mode, type, amount, balance_after, pages, source_object, \
         source_id, description, created_at) \
     SELECT 'ctx_000000000000000' || CAST(10000000000 + n AS TEXT), CAST($3 AS TEXT), 'live', \
         CASE WHEN n % 40 = 0 THEN 'adjustment' ELSE 'grading' END, -4, 1000000, 4, 'submission', \
         'sub_000000000000000' || CAST(10000000000 + n / 20 AS TEXT), 'Marking a submission', \
         CAST($4 AS BIGINT) + n * 1000000 \
     FROM numbers";

fn transaction_id(number: i64) -> String {
    format!("ctx_000000000000000{}", 10_000_000_000 + number)
}

fn source_id(number: i64) -> String {
    format!("sub_000000000000000{}", 10_000_000_000 + number / 20)
}
