//! Where the time comes from. Rules take `now` as a value; only the edges hold a clock.

use jiff::Timestamp;
use std::fmt::Debug;
use std::sync::atomic::{AtomicI64, Ordering};

/// Tells the service's time.
pub trait Clock: Send + Sync + Debug {
    /// The present moment, to the microsecond.
    fn now(&self) -> Timestamp;
}

/// The machine's clock, moved forward by an offset that is zero in production.
///
/// The development clock (`POST /dev/clock`) moves the offset; everything that takes days follows it.
#[derive(Debug, Default)]
pub struct SystemClock {
    offset_us: AtomicI64,
}

impl SystemClock {
    /// How far this clock is ahead of the machine's, in microseconds.
    pub fn offset_us(&self) -> i64 {
        self.offset_us.load(Ordering::Relaxed)
    }

    /// Puts the clock ahead of the machine's by this much.
    pub fn set_offset_us(&self, offset_us: i64) {
        self.offset_us.store(offset_us, Ordering::Relaxed);
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the machine's clock")]
    fn now(&self) -> Timestamp {
        let machine = Timestamp::now().as_microsecond();
        Timestamp::from_microsecond(machine.saturating_add(self.offset_us())).unwrap_or(Timestamp::MAX)
    }
}

/// A clock that stands still until it is moved, for tests.
#[derive(Debug)]
pub struct TestClock {
    now_us: AtomicI64,
}

impl TestClock {
    /// A clock that stands at `now`.
    pub fn at(now: Timestamp) -> TestClock {
        TestClock { now_us: AtomicI64::new(now.as_microsecond()) }
    }

    /// Moves the clock forward.
    pub fn advance_seconds(&self, seconds: i64) {
        self.now_us.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.now_us.load(Ordering::SeqCst)).unwrap_or(Timestamp::MAX)
    }
}
