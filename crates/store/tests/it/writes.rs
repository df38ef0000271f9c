//! What a write promises.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use store::{Error, Options, Store, Topic, sql};

use crate::engines::{Engine, counter, for_each_store, increment, options};

/// What the tests' own work refuses with.
#[derive(Debug, PartialEq)]
enum Refused {
    ByRule,
    ByStore(String),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused::ByStore(error.to_string())
    }
}

/// Adds one and then refuses, so nothing may be left of it.
async fn refuse(store: &Store) -> Result<(), Refused> {
    store
        .write((), |tx, ()| {
            Box::pin(async move {
                tx.execute(sql("UPDATE counters SET value = value + 1")).await?;
                Err(Refused::ByRule)
            })
        })
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn many_writers_of_one_counter_lose_nothing() {
    for_each_store(async |store| {
        let writers = (0..200).map(|_| {
            let store = store.clone();
            tokio::spawn(async move { increment(&store, "a").await.unwrap() })
        });
        let mut seen: Vec<i64> = join_all(writers).await.into_iter().map(Result::unwrap).collect();
        seen.sort_unstable();
        assert_eq!(seen, (1..=200).collect::<Vec<_>>());
        assert_eq!(counter(&store, "a").await, 200);
    })
    .await;
}

/// One by one, a hundred commits would take five seconds.
#[tokio::test(flavor = "multi_thread")]
async fn writes_that_wait_together_share_a_commit() {
    let engine = Engine::sqlite();
    let fsync_delay = Some(Duration::from_millis(50));
    let store = engine.open_with(Options { fsync_delay, ..options() }).await.unwrap();
    let began = Instant::now();
    for outcome in join_all((0..100).map(|_| increment(&store, "a"))).await {
        outcome.unwrap();
    }
    assert!(began.elapsed() < Duration::from_millis(2500), "{:?}", began.elapsed());
}

#[tokio::test]
async fn refused_work_is_undone_and_its_neighbours_are_not() {
    for_each_store(async |store| {
        let work = (0..40).map(|number| {
            let store = store.clone();
            async move {
                match number % 2 {
                    0 => assert_eq!(refuse(&store).await, Err(Refused::ByRule)),
                    _ => drop(increment(&store, "a").await.unwrap()),
                }
            }
        });
        join_all(work).await;
        assert_eq!(counter(&store, "a").await, 20);
    })
    .await;
}

#[tokio::test]
async fn a_panic_undoes_its_own_work_and_reaches_its_caller_only() {
    for_each_store(async |store| {
        let panicking = store.write((), |tx, ()| {
            Box::pin(async move {
                tx.execute(sql("UPDATE counters SET value = 99")).await?;
                if tx.skip_locked().len() < 100 {
                    panic!("a mistake in a use case");
                }
                Ok::<_, Error>(())
            })
        });
        let panicking = std::panic::AssertUnwindSafe(panicking).catch_unwind();
        let (panicked, incremented) = tokio::join!(panicking, increment(&store, "a"));
        assert!(panicked.is_err());
        assert_eq!(incremented.unwrap(), 1);
        assert_eq!(counter(&store, "b").await, 0);
    })
    .await;
}

#[tokio::test]
async fn work_that_goes_on_after_a_failed_statement_is_undone() {
    for_each_store(async |store| {
        let outcome: Result<(), Error> = store
            .write((), |tx, ()| {
                Box::pin(async move {
                    tx.execute(sql("UPDATE counters SET value = 5")).await?;
                    let taken = sql("INSERT INTO counters (id, value) VALUES ('a', 1)");
                    assert!(matches!(tx.execute(taken).await, Err(Error::Driver(_))));
                    Ok(())
                })
            })
            .await;
        assert!(matches!(outcome, Err(Error::Driver(_))));
        assert_eq!(counter(&store, "a").await, 0);
        assert_eq!(increment(&store, "a").await.unwrap(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_32_compare_and_sets_wins() {
    for_each_store(async |store| {
        let rivals = (0..32_i64).map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let work = store.write(number, |tx, number| {
                    Box::pin(async move {
                        let set = sql("UPDATE counters SET value = $2 WHERE id = $1 AND value = 0");
                        tx.execute(set.bind("a").bind(*number + 1)).await
                    })
                });
                let touched: Result<u64, Error> = work.await;
                touched.unwrap()
            })
        });
        let touched: u64 = join_all(rivals).await.into_iter().map(Result::unwrap).sum();
        assert_eq!(touched, 1);
    })
    .await;
}

/// Two transactions that take two rows in opposite order: PostgreSQL ends one of them, and it is run again.
#[tokio::test(flavor = "multi_thread")]
async fn a_deadlock_is_run_again() {
    for_each_store(async |store| {
        let runs = Arc::new(AtomicU32::new(0));
        let crossing = (0..8_usize).map(|number| {
            let store = store.clone();
            let input = (number, Arc::clone(&runs));
            tokio::spawn(async move {
                let work = store.write(input, |tx, (number, runs)| {
                    Box::pin(async move {
                        runs.fetch_add(1, Ordering::Relaxed);
                        let order = if number % 2 == 0 { ["a", "b"] } else { ["b", "a"] };
                        for id in order {
                            let update = sql("UPDATE counters SET value = value + 1 WHERE id = $1");
                            tx.execute(update.bind(id)).await?;
                            if tx.skip_locked() != "" {
                                tokio::time::sleep(Duration::from_millis(20)).await;
                            }
                        }
                        Ok::<_, Error>(())
                    })
                });
                work.await
            })
        });
        for outcome in join_all(crossing).await {
            outcome.unwrap().unwrap();
        }
        assert_eq!((counter(&store, "a").await, counter(&store, "b").await), (8, 8));
        let reran = runs.load(Ordering::Relaxed) > 8;
        assert_eq!(reran, store.engine_name() == "postgres");
    })
    .await;
}

#[tokio::test]
async fn a_lock_is_free_again_after_its_transaction() {
    for_each_store(async |store| {
        let held: Result<bool, Error> = store
            .write(store.clone(), |tx, store| {
                Box::pin(async move {
                    assert!(tx.try_lock(7).await?);
                    if store.engine_name() == "sqlite" {
                        return Ok(false);
                    }
                    let rival = store.write((), |tx, ()| Box::pin(async move { tx.try_lock(7).await }));
                    rival.await
                })
            })
            .await;
        assert!(!held.unwrap());
        let free: Result<bool, Error> =
            store.write((), |tx, ()| Box::pin(async move { tx.try_lock(7).await })).await;
        assert!(free.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_the_connection_usable() {
    for_each_store(async |store| {
        for _ in 0..30 {
            let work = increment(&store, "a");
            let _ = tokio::time::timeout(Duration::from_micros(300), work).await;
        }
        increment(&store, "b").await.unwrap();
        assert_eq!(counter(&store, "b").await, 1);
    })
    .await;
}

#[tokio::test]
async fn independent_statements_answer_in_their_order() {
    for_each_store(async |store| {
        let touched: Result<Vec<u64>, Error> = store
            .write((), |tx, ()| {
                Box::pin(async move {
                    tx.execute_all(vec![
                        sql("UPDATE counters SET value = 1"),
                        sql("UPDATE counters SET value = 2 WHERE id = $1").bind("b"),
                        sql("DELETE FROM things WHERE id = $1").bind("none"),
                    ])
                    .await
                })
            })
            .await;
        assert_eq!(touched.unwrap(), [2, 1, 0]);
        let failed: Result<Vec<u64>, Error> = store
            .write((), |tx, ()| {
                Box::pin(async move {
                    tx.execute_all(vec![
                        sql("UPDATE counters SET value = 7"),
                        sql("INSERT INTO counters (id, value) VALUES ('a', 1)"),
                        sql("UPDATE counters SET value = 8"),
                    ])
                    .await
                })
            })
            .await;
        let message = failed.unwrap_err().to_string().to_lowercase();
        assert!(message.contains("unique"), "{message}");
        assert_eq!(counter(&store, "a").await, 1);
    })
    .await;
}

#[tokio::test]
async fn queued_statements_run_in_their_order_and_with_the_commit() {
    for_each_store(async |store| {
        let seen: Result<Option<i64>, Error> = store
            .write((), |tx, ()| {
                Box::pin(async move {
                    let id = "a".to_owned();
                    for _ in 0..100 {
                        tx.queue(sql("UPDATE counters SET value = value + 1 WHERE id = $1").bind("b"))
                            .await?;
                    }
                    tx.queue(sql("UPDATE counters SET value = value + 5 WHERE id = $1").bind(&id)).await?;
                    tx.queue(sql("UPDATE counters SET value = value * 2 WHERE id = $1").bind(&id)).await?;
                    let seen = tx.one::<i64>(sql("SELECT value FROM counters WHERE id = 'a'")).await?;
                    tx.queue(sql("UPDATE counters SET value = value + 1 WHERE id = $1").bind(&id)).await?;
                    Ok(seen)
                })
            })
            .await;
        assert_eq!(seen.unwrap(), Some(10));
        assert_eq!((counter(&store, "a").await, counter(&store, "b").await), (11, 100));
    })
    .await;
}

#[tokio::test]
async fn a_queued_statement_that_fails_undoes_everything() {
    for_each_store(async |store| {
        let outcome: Result<(), Error> = store
            .write((), |tx, ()| {
                Box::pin(async move {
                    tx.execute(sql("UPDATE counters SET value = 5")).await?;
                    tx.queue(sql("INSERT INTO counters (id, value) VALUES ('a', 1)")).await
                })
            })
            .await;
        let message = outcome.unwrap_err().to_string().to_lowercase();
        assert!(message.contains("unique"), "{message}");
        assert_eq!(counter(&store, "a").await, 0);

        let refused: Result<(), Refused> = store
            .write((), |tx, ()| {
                Box::pin(async move {
                    tx.queue(sql("UPDATE counters SET value = 5")).await?;
                    Err(Refused::ByRule)
                })
            })
            .await;
        assert_eq!(refused, Err(Refused::ByRule));
        assert_eq!(counter(&store, "a").await, 0);
    })
    .await;
}

/// The wake-ups travel in one script with the commit, which ends at the first failure.
#[tokio::test]
async fn a_connection_whose_commit_failed_serves_the_next() {
    for_each_store(async |store| {
        for _ in 0..20 {
            let outcome: Result<(), Error> = store
                .write((), |tx, ()| {
                    Box::pin(async move {
                        tx.wake(Topic::Jobs);
                        tx.queue(sql("INSERT INTO counters (id, value) VALUES ('a', 1)")).await
                    })
                })
                .await;
            let message = outcome.unwrap_err().to_string().to_lowercase();
            assert!(message.contains("unique"), "{message}");
        }
        for expected in 1..=20 {
            assert_eq!(increment(&store, "a").await.unwrap(), expected);
        }
        assert_eq!(counter(&store, "a").await, 20);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_of_many_workers_takes_another_row() {
    for_each_store(async |store| {
        let filled: Result<Vec<u64>, Error> = store
            .write((), |tx, ()| {
                Box::pin(async move {
                    let insert = |number: i32| {
                        let insert = sql("INSERT INTO things (id, number) VALUES ($1, $2)");
                        insert.bind(format!("{number:03}")).bind(number)
                    };
                    tx.execute_all((0..40).map(insert).collect()).await
                })
            })
            .await;
        filled.unwrap();
        let workers = (0..40).map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                let taken: Result<Option<String>, Error> = store
                    .write((), |tx, ()| {
                        Box::pin(async move {
                            let claim = format!(
                                "UPDATE things SET truth = $1 WHERE id = (SELECT id FROM things \
                                 WHERE truth IS NULL ORDER BY number, id LIMIT 1{}) RETURNING id",
                                tx.skip_locked()
                            );
                            tx.one(sql(claim).bind(true)).await
                        })
                    })
                    .await;
                taken.unwrap().unwrap()
            })
        });
        let mut taken: Vec<String> = join_all(workers).await.into_iter().map(Result::unwrap).collect();
        taken.sort();
        taken.dedup();
        assert_eq!(taken.len(), 40);
    })
    .await;
}
