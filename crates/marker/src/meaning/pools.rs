//! Threads for the sentence model: one for each answer that is read at the same time.

use rten::ThreadPool;
use std::sync::{Arc, Mutex, PoisonError};

/// Pools of one thread each, as many as callers were ever in here at once.
///
/// One thread an answer, because callers mark many answers at once and a result must not depend on how many cores
/// there are; and a pool for each caller, because in a pool of one thread all callers would wait for one another.
#[derive(Debug, Default)]
pub(super) struct Pools(Mutex<Vec<Arc<ThreadPool>>>);

impl Pools {
    /// Runs a task with a pool that nobody else uses meanwhile.
    pub(super) fn with<T>(&self, task: impl FnOnce(&Arc<ThreadPool>) -> T) -> T {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let pool = free.unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
        let outcome = task(&pool);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(pool);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_share_no_pool_while_they_use_it_and_leave_it_to_the_next() {
        let pools = Pools::default();
        let (outer, inner) = pools.with(|outer| (Arc::as_ptr(outer), pools.with(Arc::as_ptr)));
        assert_ne!(outer, inner);
        let next = pools.with(Arc::as_ptr);
        assert!(next == outer || next == inner);
    }
}
