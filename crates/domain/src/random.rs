//! Where chance comes from. Rules take random bytes as values; only the edges hold a source.

use std::fmt::Debug;

/// A source of random bytes: the operating system's in production, seeded in tests.
pub trait Random: Send + Sync + Debug {
    /// Fills the buffer.
    fn fill(&self, buffer: &mut [u8]);
}

/// Random bytes of a fixed number.
pub fn bytes<const N: usize>(random: &dyn Random) -> [u8; N] {
    let mut buffer = [0; N];
    random.fill(&mut buffer);
    buffer
}

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A secret of 32 random bytes, written in base 62 (43 characters).
pub fn base62_secret(random: &dyn Random) -> String {
    let mut number = bytes::<32>(random);
    // 62^43 exceeds 2^256, so 43 digits hold every value.
    let digits: String = (0..43).map(|_| char::from(BASE62[divide_by_62(&mut number)])).collect();
    digits.chars().rev().collect()
}

/// Divides a big-endian number in place and gives the remainder.
fn divide_by_62(number: &mut [u8; 32]) -> usize {
    let mut remainder = 0_usize;
    for byte in number.iter_mut() {
        let value = remainder * 256 + usize::from(*byte);
        *byte = u8::try_from(value / 62).expect("a remainder below 62 keeps the quotient in a byte");
        remainder = value % 62;
    }
    remainder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Constant(u8);

    impl Random for Constant {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(self.0);
        }
    }

    #[test]
    fn a_secret_has_43_characters_of_base_62() {
        assert_eq!(base62_secret(&Constant(0)), "0".repeat(43));
        let largest = base62_secret(&Constant(255));
        assert_eq!(largest.len(), 43);
        assert!(largest.bytes().all(|byte| BASE62.contains(&byte)));
        assert_ne!(largest, base62_secret(&Constant(254)));
    }
}
