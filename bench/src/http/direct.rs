//! Writes without HTTP: as many tasks as there are connections, each with one transaction after the other.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use store::{Error, Store};

use super::cost::Cost;
use super::load::Outcome;
use crate::cpu::Stopwatch;

/// How long a round takes at most.
const SPAN: Duration = Duration::from_millis(1_200);

/// One round of `write(store, client, number)`, by so many clients at once; the numbers of a client count up
/// within the round. `each_max` bounds what one client writes.
pub(crate) async fn round<W, F>(
    store: &Store,
    clients: usize,
    each_max: usize,
    write: W,
) -> anyhow::Result<Cost>
where
    W: Fn(Store, usize, usize) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<(), Error>> + Send,
{
    let watch = Stopwatch::start()?;
    let end = Instant::now() + SPAN;
    let tasks = (0..clients).map(|client| {
        let (store, write) = (store.clone(), write.clone());
        tokio::spawn(async move {
            let mut latencies = Vec::new();
            while Instant::now() < end && latencies.len() < each_max {
                let began = Instant::now();
                write(store.clone(), client, latencies.len()).await?;
                latencies.push(began.elapsed());
            }
            Ok::<_, Error>(latencies)
        })
    });
    let mut latencies = Vec::new();
    for outcome in join_all(tasks).await {
        latencies.extend(outcome??);
    }
    let spent = watch.stop()?;
    Ok(Cost::of(Outcome { wall: spent.wall, latencies }, spent.cpu))
}
