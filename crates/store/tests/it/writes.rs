//! What a write promises.

use jiff::Timestamp;
use store::{Error, Location, Migration, Options, Store, sql};

const SCHEMA: &[Migration] = &[Migration::portable(
    1,
    "counters",
    "CREATE TABLE counters (id TEXT NOT NULL PRIMARY KEY, value BIGINT NOT NULL)",
)];

#[tokio::test]
async fn many_writers_of_one_counter_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::Sqlite(folder.path().join("test.db"));
    let options = Options { migrations: SCHEMA, ..Options::default() };
    let store = Store::open(&location, options, Timestamp::UNIX_EPOCH).await.unwrap();
    let id = "all".to_owned();
    store
        .write(id.clone(), |tx, id| {
            Box::pin(async move {
                tx.execute(sql("INSERT INTO counters (value, id) VALUES ($2, $1)").bind(id).bind(0)).await
            })
        })
        .await
        .unwrap();
    let writers = (0..64).map(|_| {
        let store = store.clone();
        let id = id.clone();
        tokio::spawn(async move {
            store
                .write(id, |tx, id| {
                    Box::pin(async move {
                        tx.execute(sql("UPDATE counters SET value = value + 1 WHERE id = $1").bind(id))
                            .await?;
                        Ok::<_, Error>(())
                    })
                })
                .await
        })
    });
    for writer in futures_util::future::join_all(writers).await {
        writer.unwrap().unwrap();
    }
    let value = store.read().await.unwrap().one::<i64>(sql("SELECT value FROM counters")).await.unwrap();
    assert_eq!(value, Some(64));
    assert!(store.is_current().await.unwrap());
}
