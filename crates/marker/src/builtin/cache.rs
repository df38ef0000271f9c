//! A bounded memory: identical answers to the same question are judged once.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A bounded map that forgets what was not used for longest, half of it at a time.
#[derive(Debug)]
pub(crate) struct Cache<V> {
    young: HashMap<Fingerprint, V>,
    old: HashMap<Fingerprint, V>,
    /// When the young half holds so many, it becomes the old one.
    half: usize,
}

/// 128 bits of everything that a judgement depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint(u64, u64);

impl Fingerprint {
    pub(crate) fn of(content: &impl Hash) -> Fingerprint {
        let hash = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            salt.hash(&mut hasher);
            content.hash(&mut hasher);
            hasher.finish()
        };
        Fingerprint(hash(1), hash(2))
    }
}

impl<V: Clone> Cache<V> {
    pub(crate) fn new(capacity: usize) -> Cache<V> {
        Cache { young: HashMap::new(), old: HashMap::new(), half: (capacity / 2).max(1) }
    }

    pub(crate) fn get(&mut self, key: Fingerprint) -> Option<V> {
        if let Some(found) = self.young.get(&key) {
            return Some(found.clone());
        }
        let found = self.old.remove(&key)?;
        self.put(key, found.clone());
        Some(found)
    }

    pub(crate) fn put(&mut self, key: Fingerprint, value: V) {
        if self.young.len() >= self.half {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stays_small_and_keeps_what_is_used() {
        let mut cache = Cache::new(10);
        let often = Fingerprint::of(&"often");
        cache.put(often, 0);
        for number in 1..100 {
            cache.put(Fingerprint::of(&number), number);
            assert_eq!(cache.get(often), Some(0));
            assert!(cache.young.len() + cache.old.len() <= 11);
        }
        assert_eq!(cache.get(Fingerprint::of(&1)), None);
    }
}
