//! Runs a test on both engines, each time in a new database.

use jiff::Timestamp;
use store::{Error, Location, Migration, Options, Store, sql};
use tempfile::TempDir;
use testdb::{Database, Postgres};

/// A small schema of our own, so that these tests do not depend on the service's.
pub(crate) const SCHEMA: &[Migration] = &[Migration::portable(
    1,
    "things",
    "CREATE TABLE counters (id TEXT NOT NULL PRIMARY KEY, value BIGINT NOT NULL);
     CREATE TABLE things (
         id TEXT NOT NULL PRIMARY KEY, number BIGINT, ratio DOUBLE PRECISION, truth BOOLEAN, note TEXT
     );
     CREATE INDEX things_by_number ON things (number, id);
     INSERT INTO counters (id, value) VALUES ('a', 0), ('b', 0);",
)];

/// An empty database of one engine, deleted when this is dropped.
pub(crate) struct Engine {
    pub(crate) location: Location,
    _folder: Option<TempDir>,
    _database: Option<Database>,
}

impl Engine {
    pub(crate) fn sqlite() -> Engine {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::Sqlite(folder.path().join("test.db"));
        Engine { location, _folder: Some(folder), _database: None }
    }

    pub(crate) fn postgres() -> Engine {
        let database = Postgres::shared().database();
        let location = Location::parse(database.url());
        Engine { location, _folder: None, _database: Some(database) }
    }

    pub(crate) async fn open(&self) -> Store {
        self.open_with(options()).await.unwrap()
    }

    pub(crate) async fn open_with(&self, options: Options) -> Result<Store, Error> {
        Store::open(&self.location, options, Timestamp::UNIX_EPOCH).await
    }
}

pub(crate) fn options() -> Options {
    Options { migrations: SCHEMA, ..Options::default() }
}

/// Runs the test on an empty database of each engine.
pub(crate) async fn for_each_engine(test: impl AsyncFn(Engine)) {
    test(Engine::sqlite()).await;
    test(Engine::postgres()).await;
}

/// Runs the test on an open store of each engine.
pub(crate) async fn for_each_store(test: impl AsyncFn(Store)) {
    for_each_engine(async |engine| test(engine.open().await).await).await;
}

/// Adds one to the counter and tells what it is now.
pub(crate) async fn increment(store: &Store, id: &'static str) -> Result<i64, Error> {
    store
        .write(id, |tx, id| {
            Box::pin(async move {
                let increment = sql("UPDATE counters SET value = value + 1 WHERE id = $1 RETURNING value");
                tx.one::<i64>(increment.bind(*id)).await.map(Option::unwrap_or_default)
            })
        })
        .await
}

pub(crate) async fn counter(store: &Store, id: &str) -> i64 {
    let value = sql("SELECT value FROM counters WHERE id = $1").bind(id);
    store.read().await.unwrap().one::<i64>(value).await.unwrap().unwrap()
}
