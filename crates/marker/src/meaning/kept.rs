//! Keeps what was worked out once, up to a bound.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Values by name, up to a bound; when it is full, everything goes and the filling begins anew.
///
/// What is kept only saves work: two threads that miss at the same moment both work out the same value.
#[derive(Debug)]
pub(super) struct Kept<T> {
    values: Mutex<HashMap<String, Arc<T>>>,
    values_max: usize,
}

impl<T> Kept<T> {
    pub(super) fn new(values_max: usize) -> Kept<T> {
        Kept { values: Mutex::new(HashMap::new()), values_max }
    }

    /// The value of this name, made if it is not there.
    pub(super) fn or_make(&self, name: &str, make: impl FnOnce() -> T) -> Arc<T> {
        self.get(name).unwrap_or_else(|| {
            let made = Arc::new(make());
            let mut values = self.lock();
            if values.len() >= self.values_max {
                values.clear();
            }
            values.insert(name.to_owned(), Arc::clone(&made));
            made
        })
    }

    /// The value of this name, if it is there.
    pub(super) fn get(&self, name: &str) -> Option<Arc<T>> {
        self.lock().get(name).cloned()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<T>>> {
        // A panic elsewhere leaves the map whole: it is only ever changed by complete steps.
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_and_the_bound_holds() {
        let kept = Kept::new(2);
        assert_eq!(*kept.or_make("a", || 1), 1);
        assert_eq!(*kept.or_make("a", || 2), 1);
        kept.or_make("b", || 3);
        kept.or_make("c", || 4);
        assert!(kept.lock().len() <= 2);
    }
}
