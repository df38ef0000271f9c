//! Chance from the system.

use domain::random::Random;
use rustls::crypto::SecureRandom;
use rustls::crypto::ring;

/// The system's source of randomness, good enough for secrets.
#[derive(Debug)]
pub struct SystemRandom(&'static dyn SecureRandom);

impl Default for SystemRandom {
    fn default() -> SystemRandom {
        SystemRandom(ring::default_provider().secure_random)
    }
}

impl Random for SystemRandom {
    fn fill(&self, buffer: &mut [u8]) {
        self.0.fill(buffer).expect("a running system always has randomness");
    }
}
