//! The operating system's source of random bytes.

use domain::random::Random;

/// Random bytes from the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsRandom;

impl Random for OsRandom {
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer)
            .expect("the operating system gives random bytes, or nothing here can be safe");
    }
}
