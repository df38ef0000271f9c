//! Drawn reports: how many at once, and those that were drawn last.

use crate::Error;
use bytes::Bytes;
use domain::id::SubmissionId;
use domain::report::Report;
use sha2::{Digest as _, Sha256};
use std::collections::{HashMap, VecDeque};
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of drawn reports that are kept.
const KEPT_BYTES_MAX: usize = 64 << 20;
/// How long one is kept. They hold names and answers, so they are in memory alone and not for long.
const KEPT_FOR: Duration = Duration::from_secs(60 * 60);
/// How long a request waits for its turn to be drawn.
const WAIT_MAX: Duration = Duration::from_secs(20);
/// Raised when reports are drawn in another way.
const DRAWING: u32 = 1;

/// Everything that a drawn report shows, summed up.
pub(super) type Sum = [u8; 32];

/// Sums up what a report shows. When it was made is left out: it says when it was drawn.
pub(super) fn sum(id: SubmissionId, report: &Report) -> Result<Sum, Error> {
    let Report { title, student_name, sections, result, statistics, marking, generated_at: _ } = report;
    let sections: Vec<&str> = sections.iter().map(|section| section.name()).collect();
    let shown = (DRAWING, id.to_string(), title, student_name, sections, result, statistics, marking);
    let shown = serde_json::to_vec(&shown).map_err(|error| Error::Broken(error.into()))?;
    Ok(Sha256::digest(shown).into())
}

/// The reports that are being drawn, and those drawn last.
#[derive(Debug)]
pub(crate) struct Drawn {
    kept: Mutex<VecDeque<(Sum, Instant, Bytes)>>,
    under_way: Mutex<HashMap<Sum, Arc<tokio::sync::Mutex<()>>>>,
    at_once: Arc<Semaphore>,
}

impl Default for Drawn {
    fn default() -> Drawn {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let at_once = Arc::new(Semaphore::new(processors));
        Drawn { kept: Mutex::default(), under_way: Mutex::default(), at_once }
    }
}

impl Drawn {
    /// The report with this sum, if it was drawn lately.
    pub(super) fn get(&self, sum: &Sum) -> Option<Bytes> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(_, drawn_at, _)| drawn_at.elapsed() < KEPT_FOR);
        let index = kept.iter().position(|(own, _, _)| own == sum)?;
        let found = kept.remove(index)?;
        let bytes = found.2.clone();
        kept.push_front(found);
        Some(bytes)
    }

    /// Keeps a report, and of the others those asked for last, as far as there is room.
    pub(super) fn keep(&self, sum: Sum, bytes: &Bytes) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(own, _, _)| *own != sum);
        kept.push_front((sum, Instant::now(), bytes.clone()));
        let mut total = 0;
        let fitting = kept.iter().take_while(|(_, _, bytes)| {
            total += bytes.len();
            total <= KEPT_BYTES_MAX
        });
        let count = fitting.count();
        kept.truncate(count);
    }

    /// Held while the report with this sum is drawn, so that it is drawn once.
    pub(super) fn turn(&self, sum: &Sum) -> Arc<tokio::sync::Mutex<()>> {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        // What nobody waits for any more goes, so that the map is never larger than the requests in flight.
        under_way.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(under_way.entry(*sum).or_default())
    }

    /// Leave to draw one more.
    pub(super) async fn permit(&self) -> Result<OwnedSemaphorePermit, Error> {
        let permit = Arc::clone(&self.at_once).acquire_owned();
        match tokio::time::timeout(WAIT_MAX, permit).await {
            Ok(permit) => permit.map_err(|error| Error::Broken(error.into())),
            Err(_) => Err(Error::Unavailable("as many reports are drawn as can be at once".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reports_asked_for_last_are_kept_as_far_as_there_is_room() {
        let drawn = Drawn::default();
        let half = Bytes::from(vec![0; KEPT_BYTES_MAX / 2]);
        for sum in [[1; 32], [2; 32]] {
            drawn.keep(sum, &half);
        }
        assert!(drawn.get(&[1; 32]).is_some());
        drawn.keep([3; 32], &half);
        assert!(drawn.get(&[1; 32]).is_some() && drawn.get(&[3; 32]).is_some());
        assert!(drawn.get(&[2; 32]).is_none());
        drawn.keep([4; 32], &Bytes::from(vec![0; KEPT_BYTES_MAX + 1]));
        assert!(drawn.get(&[4; 32]).is_none());
    }
}
