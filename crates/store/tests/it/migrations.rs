//! The schema moves forward, once, whoever begins.

use futures_util::future::join_all;
use store::{Error, Migration, Options, Store, sql};

use crate::engines::{Engine, SCHEMA, for_each_engine, increment, options};

const FIRST: Migration = SCHEMA[0];
const SECOND: Migration = Migration::portable(
    2,
    "more",
    "ALTER TABLE things ADD COLUMN colour TEXT; UPDATE counters SET value = value + 1;",
);
const BROKEN: Migration =
    Migration::portable(2, "broken", "UPDATE counters SET value = 50; UPDATE nothing SET value = 1;");

fn with(migrations: &'static [Migration]) -> Options {
    Options { migrations, ..Options::default() }
}

async fn counters(store: &Store) -> Vec<i64> {
    store.read().await.unwrap().all(sql("SELECT value FROM counters ORDER BY id")).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_start_at_once_migrate_once() {
    for_each_engine(async |engine| {
        let opening = (0..6).map(|_| engine.open_with(with(const { &[FIRST, SECOND] })));
        for store in join_all(opening).await {
            let store = store.unwrap();
            assert!(store.is_current().await.unwrap());
            assert_eq!(counters(&store).await, [1, 1]);
        }
    })
    .await;
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_both_versions() {
    for_each_engine(async |engine| {
        drop(engine.open_with(with(const { &[FIRST, SECOND] })).await.unwrap());
        for migrate in [true, false] {
            let refused = engine.open_with(Options { migrate, ..options() }).await.unwrap_err();
            assert!(matches!(refused, Error::NewerSchema { found: 2, known: 1 }));
            assert!(refused.to_string().contains("version 2"), "{refused}");
            assert!(refused.to_string().contains("up to 1"), "{refused}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_process_goes_on_when_a_newer_one_has_added_to_the_schema() {
    for_each_engine(async |engine| {
        let running = engine.open().await;
        assert!(running.has_schema().await.unwrap());
        drop(engine.open_with(with(const { &[FIRST, SECOND] })).await.unwrap());
        assert!(matches!(running.is_current().await, Err(Error::NewerSchema { .. })));
        assert!(running.has_schema().await.unwrap());
        increment(&running, "a").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_older_schema_is_brought_up_to_date_only_when_asked() {
    for_each_engine(async |engine| {
        increment(&engine.open().await, "a").await.unwrap();
        let waiting = engine.open_with(Options { migrate: false, ..with(const { &[FIRST, SECOND] }) });
        let waiting = waiting.await.unwrap();
        assert!(!waiting.is_current().await.unwrap());
        let migrated = engine.open_with(with(const { &[FIRST, SECOND] })).await.unwrap();
        assert_eq!(counters(&migrated).await, [2, 1]);
        assert!(waiting.is_current().await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_step_that_fails_leaves_nothing_behind() {
    for_each_engine(async |engine| {
        let failed = engine.open_with(with(const { &[FIRST, BROKEN] })).await.unwrap_err();
        assert!(matches!(failed, Error::Driver(_)), "{failed}");
        let store = engine.open().await;
        assert_eq!(counters(&store).await, [0, 0]);
    })
    .await;
}

#[tokio::test]
async fn a_step_that_was_changed_is_refused() {
    for_each_engine(async |engine| {
        drop(engine.open_with(with(const { &[FIRST, SECOND] })).await.unwrap());
        let third = const { &[FIRST, BROKEN, Migration::portable(3, "third", "SELECT 1")] };
        let refused = engine.open_with(with(third)).await.unwrap_err();
        assert!(matches!(refused, Error::ChangedMigration { version: 2, .. }), "{refused}");
    })
    .await;
}

/// Table, column, type and whether it may be null.
type Column = (String, String, String, bool);

async fn columns(store: &Store) -> Vec<Column> {
    let statement = match store.engine_name() {
        "sqlite" => {
            "SELECT t.name, c.name, c.type, c.\"notnull\" = 0 \
             FROM sqlite_schema t JOIN pragma_table_info(t.name) c \
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY t.name, c.name"
        }
        _ => {
            "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), UPPER(data_type), is_nullable = 'YES' \
             FROM information_schema.columns WHERE table_schema = 'public' \
             ORDER BY table_name, column_name"
        }
    };
    store.read().await.unwrap().all(sql(statement)).await.unwrap()
}

async fn indexes(store: &Store) -> Vec<(String, String)> {
    // Indexes that an engine makes for a constraint have names of its own.
    let statement = match store.engine_name() {
        "sqlite" => {
            "SELECT tbl_name, name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL \
             ORDER BY tbl_name, name"
        }
        _ => {
            "SELECT CAST(tablename AS TEXT), CAST(indexname AS TEXT) FROM pg_indexes \
             WHERE schemaname = 'public' AND indexname NOT LIKE '%_pkey' AND indexname NOT LIKE '%_key' \
             ORDER BY tablename, indexname"
        }
    };
    store.read().await.unwrap().all(sql(statement)).await.unwrap()
}

#[tokio::test]
async fn both_engines_have_the_same_tables_columns_and_indexes() {
    for migrations in [Options::default().migrations, SCHEMA] {
        let (sqlite, postgres) = (Engine::sqlite(), Engine::postgres());
        let sqlite = sqlite.open_with(with(migrations)).await.unwrap();
        let postgres = postgres.open_with(with(migrations)).await.unwrap();
        assert_eq!(columns(&sqlite).await, columns(&postgres).await);
        assert_eq!(indexes(&sqlite).await, indexes(&postgres).await);
    }
}
