//! What is posted: an event's body, written once for all endpoints that take it.

use crate::{Error, Service};
use bytes::Bytes;
use domain::event::{Event, EventType};
use domain::id::EventId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::deliveries::Due;
use store::{Db, events};

/// How long a letter is used again: after that its object may have been deleted, and the event been reduced.
const FRESH: Duration = Duration::from_millis(100);
/// Letters that are kept at most.
const KEPT_MAX: usize = 1024;

/// An event as it is posted.
#[derive(Debug)]
pub(super) struct Letter {
    pub(super) event_id: EventId,
    pub(super) kind: EventType,
    /// `None` when what was stored of it is no JSON.
    pub(super) body: Option<Bytes>,
    written_at: Instant,
}

/// The letters that were written last, for the other queues that will want them.
#[derive(Debug, Default)]
pub(crate) struct Letters(Mutex<HashMap<EventId, Arc<Letter>>>);

impl Letters {
    fn kept(&self) -> MutexGuard<'_, HashMap<EventId, Arc<Letter>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those that are here. What was tried before is never among them: its object may be long gone.
    fn get(&self, due: &[Due]) -> HashMap<EventId, Arc<Letter>> {
        let now = Instant::now();
        let mut kept = self.kept();
        kept.retain(|_, letter| now.duration_since(letter.written_at) < FRESH);
        let untried = due.iter().filter(|due| due.attempts == 0 && !due.is_resend);
        let found = untried.filter_map(|due| Some((due.event_id, Arc::clone(kept.get(&due.event_id)?))));
        found.collect()
    }

    fn keep(&self, letter: &Arc<Letter>) {
        let mut kept = self.kept();
        if kept.len() < KEPT_MAX {
            kept.insert(letter.event_id, Arc::clone(letter));
        }
    }
}

impl Service {
    /// The letters of these deliveries. Events that are gone have none.
    pub(super) async fn letters(
        &self,
        db: &mut Db,
        due: &[Due],
    ) -> Result<HashMap<EventId, Arc<Letter>>, Error> {
        let mut found = self.0.letters.get(due);
        let missing = due.iter().map(|due| due.event_id).filter(|id| !found.contains_key(id));
        let missing: Vec<EventId> = missing.collect();
        for event in events::any_by_ids(db, &missing).await? {
            let letter = Arc::new(self.letter(&event));
            self.0.letters.keep(&letter);
            found.insert(event.id, letter);
        }
        Ok(found)
    }

    fn letter(&self, event: &Event) -> Letter {
        let body = (self.0.wire.event)(event).map(Bytes::from);
        Letter { event_id: event.id, kind: event.kind, body, written_at: Instant::now() }
    }
}
