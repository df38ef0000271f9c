//! When something was down, and what failed: a failure is excused only while something was.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long after a blow the service may still be coming back.
const RECOVERY: Duration = Duration::from_secs(3);

/// Shared by those who take things down and those who notice.
#[derive(Clone, Default)]
pub(super) struct Outages(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    /// From when to when; the last may still go on.
    spans: Vec<(Instant, Option<Instant>)>,
    /// From the sending of a request to its failure.
    faults: Vec<(Instant, Instant, String)>,
}

impl Outages {
    pub(super) fn begin(&self) {
        self.kept().spans.push((Instant::now(), None));
    }

    pub(super) fn end(&self) {
        if let Some(last) = self.kept().spans.last_mut() {
            last.1 = Some(Instant::now());
        }
    }

    pub(super) fn fault(&self, sent: Instant, what: String) {
        self.kept().faults.push((sent, Instant::now(), what));
    }

    /// How many requests failed, and those that failed though nothing was down.
    pub(super) fn told(&self) -> (usize, Vec<String>) {
        let kept = self.kept();
        let is_excused = |sent: Instant, failed: Instant| {
            kept.spans.iter().any(|(from, to)| *from <= failed && to.is_none_or(|to| sent <= to + RECOVERY))
        };
        let unexcused = kept.faults.iter().filter(|(sent, failed, _)| !is_excused(*sent, *failed));
        (kept.faults.len(), unexcused.map(|(_, _, what)| what.clone()).collect())
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
