//! Chance that is the same in every run.

use domain::random::Random;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use std::sync::{Mutex, PoisonError};

/// Random bytes from a seed.
#[derive(Debug)]
pub struct SeededRandom(Mutex<ChaCha8Rng>);

impl SeededRandom {
    /// The bytes that follow from this seed.
    pub fn new(seed: u64) -> SeededRandom {
        SeededRandom(Mutex::new(ChaCha8Rng::seed_from_u64(seed)))
    }
}

impl Random for SeededRandom {
    fn fill(&self, buffer: &mut [u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(buffer);
    }
}
