//! Damages documents in a repeatable way.

/// Bytes changed, cut out or repeated, the same for the same round.
pub(crate) fn mutated(seed: &[u8], round: u64) -> Vec<u8> {
    let mut state = round.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound.max(1) as u64) as usize
    };
    let mut bytes = seed.to_vec();
    for _ in 0..=next(12) {
        let at = next(bytes.len());
        match next(4) {
            0 => bytes[at] = next(256) as u8,
            1 => bytes[at] ^= 1 << next(8),
            2 => drop(bytes.drain(at..(at + next(40)).min(bytes.len()))),
            _ => {
                let piece = bytes[at..(at + next(60)).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}
