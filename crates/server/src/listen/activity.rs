//! What goes on in one connection, and until when the peer may take its time.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use super::Limits;
use tokio::time::Instant;

/// Shared by a connection, its requests and its responses.
#[derive(Debug)]
pub(super) struct Activity {
    opened: Instant,
    /// Requests whose answer is not begun. They wait for us, so the peer is not hurried.
    running: AtomicU32,
    /// Responses that are not wholly handed over.
    sending: AtomicU32,
    has_served: AtomicBool,
    /// When the last response moved or ended, in milliseconds after `opened`.
    moved: AtomicU64,
}

/// What the connection's deadline means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nobody is late. Look again at this time.
    Fine(Instant),
    /// The peer asked for nothing more for too long, and may be told goodbye.
    Idle,
    /// The peer never asked for anything, or does not take its response: no goodbye would help.
    Late,
}

impl Activity {
    pub(super) fn new() -> Activity {
        Activity {
            opened: Instant::now(),
            running: AtomicU32::new(0),
            sending: AtomicU32::new(0),
            has_served: AtomicBool::new(false),
            moved: AtomicU64::new(0),
        }
    }

    pub(super) fn request_begins(&self) {
        self.running.fetch_add(1, Ordering::Relaxed);
        self.has_served.store(true, Ordering::Relaxed);
    }

    /// The request was answered or given up; from here on the peer's time counts again.
    pub(super) fn request_ends(&self) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        self.response_moves();
    }

    pub(super) fn response_begins(&self) {
        self.sending.fetch_add(1, Ordering::Relaxed);
        self.response_moves();
    }

    pub(super) fn response_moves(&self) {
        let elapsed = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.moved.store(elapsed, Ordering::Relaxed);
    }

    pub(super) fn response_ends(&self) {
        self.sending.fetch_sub(1, Ordering::Relaxed);
        self.response_moves();
    }

    pub(super) fn standing(&self, limits: &Limits) -> Standing {
        let now = Instant::now();
        // What is waited for may change meanwhile, so nobody sleeps longer than the shortest wait.
        let next = now + limits.header_read.min(limits.idle).min(limits.response_idle);
        if self.running.load(Ordering::Relaxed) > 0 {
            return Standing::Fine(next);
        }
        let moved = self.opened + Duration::from_millis(self.moved.load(Ordering::Relaxed));
        let (deadline, late) = if self.sending.load(Ordering::Relaxed) > 0 {
            (moved + limits.response_idle, Standing::Late)
        } else if self.has_served.load(Ordering::Relaxed) {
            (moved + limits.idle, Standing::Idle)
        } else {
            (self.opened + limits.header_read, Standing::Late)
        };
        if now < deadline { Standing::Fine(deadline.min(next)) } else { late }
    }
}
