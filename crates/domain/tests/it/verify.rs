//! The Rust snippet of docs/webhooks.md, between the two lines.

#![expect(clippy::disallowed_methods, unreachable_pub, reason = "this is the receiver's code, not ours")]

// begin
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::time::{SystemTime, UNIX_EPOCH};

pub fn verify(body: &[u8], header: &str, secret: &str, tolerance_seconds: u64) -> bool {
    let parts = || header.split(',').filter_map(|part| part.split_once('='));
    let Some((_, time)) = parts().find(|(name, _)| *name == "t") else { return false };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    if !time.parse::<u64>().is_ok_and(|time| time.abs_diff(now) <= tolerance_seconds) {
        return false;
    }
    parts().filter(|(name, _)| *name == "v1").any(|(_, given)| {
        let Some(given) = from_hex(given) else { return false };
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key may have any length");
        mac.update(time.as_bytes());
        mac.update(b".");
        mac.update(body);
        mac.verify_slice(&given).is_ok()
    })
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
}
// end
