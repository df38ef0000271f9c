//! A poller: asks again and again for what changed since the last change that it saw, and must know everything at the end.

use super::api::Api;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(100);
const BEGINNING: &str = "2020-01-01T00:00:00Z";

pub(super) struct Poller {
    list: &'static str,
    since: String,
    known: HashMap<String, Value>,
    polls: u64,
}

impl Poller {
    pub(super) fn of(list: &'static str) -> Poller {
        Poller { list, since: BEGINNING.to_owned(), known: HashMap::new(), polls: 0 }
    }

    pub(super) async fn follow(mut self, api: &Api, is_over: &AtomicBool) -> anyhow::Result<Poller> {
        while !is_over.load(Ordering::Relaxed) {
            self.poll(api).await?;
            tokio::time::sleep(PAUSE).await;
        }
        Ok(self)
    }

    async fn poll(&mut self, api: &Api) -> anyhow::Result<()> {
        self.polls += 1;
        for item in api.all(&format!("/v1/{}?updated_after={}", self.list, self.since)).await? {
            let at = item["updated_at"].as_str().context("a time")?;
            ensure!(*at >= *self.since, "{} came after {}: {item}", at, self.since);
            self.since = at.to_owned();
            let id = item["id"].as_str().context("an id")?.to_owned();
            self.known.insert(id, item);
        }
        Ok(())
    }

    /// Polls once more, and checks that it knows everything as it is.
    pub(super) async fn check(mut self, api: &Api) -> anyhow::Result<String> {
        self.poll(api).await?;
        let mut missed = Vec::new();
        let all = api.all(&format!("/v1/{}", self.list)).await?;
        for item in &all {
            let id = item["id"].as_str().context("an id")?;
            if self.known.get(id).is_none_or(|known| !is_same(known, item)) {
                missed.push(id);
            }
        }
        ensure!(missed.is_empty(), "the poller of {} missed {}: {missed:?}", self.list, missed.len());
        Ok(format!("{} {} followed in {} polls", all.len(), self.list, self.polls))
    }
}

/// A paper's counts change with its submissions and are no change of the paper.
fn is_same(known: &Value, is: &Value) -> bool {
    let without_counts = |value: &Value| {
        let mut value = value.clone();
        if let Some(members) = value.as_object_mut() {
            members.remove("submission_counts");
        }
        value
    };
    without_counts(known) == without_counts(is)
}
