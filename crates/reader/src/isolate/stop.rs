//! A word to those who wait for a child: nobody wants its answer any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends what is being read under it; the children are killed. Clones are one.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends it, now and for whatever is begun later.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// True once it was ended.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Ends it when what comes back is dropped.
    #[must_use]
    pub fn on_drop(&self) -> StopOnDrop {
        StopOnDrop(self.clone())
    }
}

/// Ends what is being read when it is dropped.
#[derive(Debug)]
pub struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
