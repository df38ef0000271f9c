//! Wake-ups come after the commit, and only then.

use std::time::Duration;

use futures_util::FutureExt as _;
use store::{Error, Store, Topic, Wakeups};

use crate::engines::{for_each_engine, for_each_store};

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(200);

async fn wake(store: &Store, topic: Topic, is_refused: bool) {
    let _: Result<(), Error> = store
        .write(is_refused, move |tx, is_refused| {
            Box::pin(async move {
                tx.wake(topic);
                if *is_refused { Err(Error::Unavailable("refused".into())) } else { Ok(()) }
            })
        })
        .await;
}

/// Subscribes and waits until the listening has begun, which on PostgreSQL reports one wake-up, since something
/// may have happened before it.
async fn subscribe(store: &Store, topic: Topic) -> Wakeups {
    let mut wakeups = store.subscribe(topic);
    if store.engine_name() == "postgres" {
        tokio::time::timeout(LONG, wakeups.next()).await.unwrap();
    }
    wakeups
}

#[tokio::test]
async fn a_commit_wakes_its_topic_and_a_refusal_wakes_nobody() {
    for_each_store(async |store| {
        let mut deliveries = store.subscribe(Topic::Deliveries);
        let mut jobs = subscribe(&store, Topic::Jobs).await;
        let _ = deliveries.next().now_or_never();

        wake(&store, Topic::Jobs, true).await;
        assert!(tokio::time::timeout(SHORT, jobs.next()).await.is_err());

        wake(&store, Topic::Jobs, false).await;
        tokio::time::timeout(LONG, jobs.next()).await.unwrap();
        assert!(deliveries.next().now_or_never().is_none());
    })
    .await;
}

#[tokio::test]
async fn a_commit_wakes_the_other_process() {
    for_each_engine(async |engine| {
        let (here, there) = (engine.open().await, engine.open().await);
        if here.engine_name() == "postgres" {
            let mut jobs = subscribe(&there, Topic::Jobs).await;
            wake(&here, Topic::Jobs, false).await;
            tokio::time::timeout(LONG, jobs.next()).await.unwrap();
        }
    })
    .await;
}
