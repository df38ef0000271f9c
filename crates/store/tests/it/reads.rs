//! Values come back as they went in, and reads see what they should.

use store::{Error, FromRow, Row, Store, sql};

use crate::engines::{counter, for_each_store, increment};

#[derive(Debug, PartialEq)]
struct Thing {
    id: String,
    number: Option<i64>,
    ratio: Option<f64>,
    truth: Option<bool>,
    note: Option<String>,
}

impl FromRow for Thing {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Thing {
            id: row.text(0)?,
            number: row.opt_int(1)?,
            ratio: row.opt_float(2)?,
            truth: row.opt_bool(3)?,
            note: row.opt_text(4)?,
        })
    }
}

async fn insert(store: &Store, things: Vec<Thing>) {
    let inserted: Result<Vec<u64>, Error> = store
        .write(things, |tx, things| {
            Box::pin(async move {
                let inserts = things.iter().map(|thing| {
                    sql("INSERT INTO things (id, number, ratio, truth, note) VALUES ($1, $2, $3, $4, $5)")
                        .bind(&thing.id)
                        .bind(thing.number)
                        .bind(thing.ratio)
                        .bind(thing.truth)
                        .bind(thing.note.as_deref())
                });
                tx.execute_all(inserts.collect()).await
            })
        })
        .await;
    inserted.unwrap();
}

fn thing(id: &str) -> Thing {
    Thing { id: id.to_owned(), number: None, ratio: None, truth: None, note: None }
}

#[tokio::test]
async fn values_come_back_as_they_went_in() {
    for_each_store(async |store| {
        let full = |id: &str, number, ratio, truth, note: &str| Thing {
            number: Some(number),
            ratio: Some(ratio),
            truth: Some(truth),
            note: Some(note.to_owned()),
            ..thing(id)
        };
        let things = || {
            vec![
                full("1", i64::MAX, f64::MAX, true, "naïve π ≠ 3 🦀 'quoted' $1 ?1"),
                full("2", i64::MIN, 3.0, false, ""),
                full("3", 0, -0.1, true, "line\nline"),
                thing("4"),
            ]
        };
        insert(&store, things()).await;
        let all = sql("SELECT id, number, ratio, truth, note FROM things ORDER BY id");
        let found = store.read().await.unwrap().all::<Thing>(all).await.unwrap();
        assert_eq!(found, things());
        let by_truth = sql("SELECT id FROM things WHERE truth = $1 AND ratio < $2").bind(true).bind(0.5);
        let found = store.read().await.unwrap().all::<String>(by_truth).await.unwrap();
        assert_eq!(found, ["3"]);
    })
    .await;
}

#[tokio::test]
async fn a_number_names_its_value_wherever_it_stands() {
    for_each_store(async |store| {
        let mut db = store.read().await.unwrap();
        let swapped =
            sql("SELECT CAST($3 AS TEXT), CAST($1 AS BIGINT), CAST($2 AS BIGINT) + CAST($1 AS BIGINT)");
        let found = db.one::<(String, i64, i64)>(swapped.bind(10).bind(200_i64).bind("third")).await.unwrap();
        assert_eq!(found, Some(("third".to_owned(), 10, 210)));
    })
    .await;
}

#[tokio::test]
async fn a_wrong_number_of_values_is_a_mistake_of_ours() {
    for_each_store(async |store| {
        let mut db = store.read().await.unwrap();
        for statement in [
            sql("SELECT value FROM counters WHERE id = $1"),
            sql("SELECT value FROM counters WHERE id = $1").bind("a").bind("b"),
        ] {
            assert!(matches!(db.one::<i64>(statement).await, Err(Error::Driver(_))));
        }
        assert!(matches!(db.one::<i64>(sql("SELECT id FROM counters")).await, Err(Error::Driver(_))));
        assert!(matches!(db.one::<i64>(sql("SELECT nothing")).await, Err(Error::Driver(_))));
        assert_eq!(db.one::<i64>(sql("SELECT 1")).await.unwrap(), Some(1));
    })
    .await;
}

#[tokio::test]
async fn text_is_ordered_by_its_bytes() {
    for_each_store(async |store| {
        let ids = ["B", "Z", "_", "a", "a b", "aB", "ab", "é"];
        insert(&store, ids.iter().rev().map(|id| thing(id)).collect()).await;
        let mut db = store.read().await.unwrap();
        let ordered = db.all::<String>(sql("SELECT id FROM things ORDER BY id")).await.unwrap();
        assert_eq!(ordered, ids);
        let after = sql("SELECT id FROM things WHERE (id, id) > ($1, $2) ORDER BY id LIMIT $3");
        let page = db.all::<String>(after.bind("Z").bind("Z").bind(2)).await.unwrap();
        assert_eq!(page, ["_", "a"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_sees_one_moment() {
    for_each_store(async |store| {
        let read = store.scan(store.clone(), |db, store| {
            Box::pin(async move {
                let value = || sql("SELECT value FROM counters WHERE id = 'a'");
                let before = db.one::<i64>(value()).await?;
                // A scan must not wait for anything else on SQLite, so the write happens on another thread.
                let (runtime, store) = (tokio::runtime::Handle::current(), store.clone());
                let write = std::thread::spawn(move || runtime.block_on(increment(&store, "a")));
                write.join().unwrap()?;
                Ok::<_, Error>((before, db.one::<i64>(value()).await?))
            })
        });
        assert_eq!(read.await.unwrap(), (Some(0), Some(0)));
        assert_eq!(counter(&store, "a").await, 1);
    })
    .await;
}

/// On a runtime with one thread, whoever works on it keeps all others from theirs.
#[tokio::test]
async fn a_page_of_a_list_holds_up_nobody() {
    for_each_store(async |store| {
        let long = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300000) \
                    SELECT COUNT(*) FROM numbers";
        let page = store.page((), move |db, ()| Box::pin(async move { db.one::<i64>(sql(long)).await }));
        let (is_over, mut point_reads) = (std::cell::Cell::new(false), 0);
        let others = async {
            while !is_over.get() {
                counter(&store, "a").await;
                point_reads += 1;
                tokio::task::yield_now().await;
            }
        };
        let page = async {
            let counted: Result<_, Error> = page.await;
            is_over.set(true);
            counted
        };
        let (counted, ()) = tokio::join!(page, others);
        assert_eq!(counted.unwrap(), Some(300_000));
        assert!(point_reads > 1, "{point_reads} reads beside a page of {}", store.engine_name());
    })
    .await;
}

#[tokio::test]
async fn a_reader_cannot_write_on_sqlite_and_a_write_is_seen_at_once() {
    for_each_store(async |store| {
        increment(&store, "a").await.unwrap();
        assert_eq!(counter(&store, "a").await, 1);
        if store.engine_name() == "sqlite" {
            let write = store.read().await.unwrap().execute(sql("UPDATE counters SET value = 7")).await;
            assert!(write.is_err());
        }
    })
    .await;
}
