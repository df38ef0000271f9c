//! When a delivery that failed is tried again (contract, section 13).

use jiff::{SignedDuration, Timestamp};

/// How often a delivery is tried in all.
pub const ATTEMPTS_MAX: u32 = 12;
/// The longest wait that a receiver can ask for.
pub const RETRY_AFTER_MAX: SignedDuration = SignedDuration::from_hours(12);
/// The last attempt comes within this time of the first.
const SPAN: SignedDuration = SignedDuration::from_hours(3 * 24);
/// The waits after the first, second, … attempt; the last one repeats.
const DELAYS: [SignedDuration; 7] = [
    SignedDuration::from_mins(1),
    SignedDuration::from_mins(5),
    SignedDuration::from_mins(20),
    SignedDuration::from_hours(1),
    SignedDuration::from_hours(3),
    SignedDuration::from_hours(6),
    SignedDuration::from_hours(12),
];

/// What is known when a delivery has failed.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    /// How often it was tried, this time included.
    pub attempts: u32,
    /// When it was first tried.
    pub first_at: Timestamp,
    /// Chance for the jitter.
    pub chance: u8,
    /// How long the receiver asked us to wait.
    pub retry_after: Option<SignedDuration>,
}

impl Retry {
    /// When it is tried again; `None` when it was tried often enough.
    ///
    /// The wait is shortened by up to a tenth, so that what failed together does not return together.
    pub fn next_at(&self, now: Timestamp) -> Option<Timestamp> {
        if self.attempts >= ATTEMPTS_MAX {
            return None;
        }
        let step = usize::try_from(self.attempts.max(1) - 1).unwrap_or(usize::MAX).min(DELAYS.len() - 1);
        let whole = DELAYS[step].as_millis();
        let shortened = whole - whole / 10 * i128::from(self.chance) / 255;
        let delay = SignedDuration::from_millis(i64::try_from(shortened).unwrap_or(i64::MAX));
        let asked = self.retry_after.unwrap_or_default().min(RETRY_AFTER_MAX);
        let next_at = now + delay.max(asked);
        (next_at <= self.first_at + SPAN).then_some(next_at)
    }
}

/// Reads a `Retry-After`: seconds, or a date.
pub fn parse_retry_after(text: &str, now: Timestamp) -> Option<SignedDuration> {
    let text = text.trim();
    let wait = match text.parse::<u32>() {
        Ok(seconds) => SignedDuration::from_secs(i64::from(seconds)),
        Err(_) => {
            let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
            date.duration_since(now)
        }
    };
    (wait > SignedDuration::ZERO).then_some(wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FIRST: Timestamp = Timestamp::UNIX_EPOCH;

    fn retry(attempts: u32, chance: u8) -> Retry {
        Retry { attempts, first_at: FIRST, chance, retry_after: None }
    }

    #[test]
    fn twelve_attempts_end_within_three_days() {
        let mut now = FIRST;
        let mut waits = Vec::new();
        for attempts in 1..=ATTEMPTS_MAX {
            let Some(next) = retry(attempts, 0).next_at(now) else {
                assert_eq!(attempts, ATTEMPTS_MAX);
                break;
            };
            waits.push(next.duration_since(now).as_mins());
            now = next;
        }
        assert_eq!(waits, [1, 5, 20, 60, 180, 360, 720, 720, 720, 720, 720]);
    }

    #[test]
    fn a_receiver_is_believed_up_to_twelve_hours() {
        let asked = |seconds| Retry { retry_after: Some(SignedDuration::from_secs(seconds)), ..retry(1, 0) };
        let wait = |retry: Retry| retry.next_at(FIRST).unwrap().duration_since(FIRST).as_secs();
        assert_eq!(wait(asked(5)), 60, "a shorter wait than ours does not hurry us");
        assert_eq!(wait(asked(600)), 600);
        assert_eq!(wait(asked(1_000_000)), 12 * 3600);
        let late = Retry { attempts: 2, ..asked(12 * 3600) };
        assert_eq!(late.next_at(FIRST + SignedDuration::from_hours(61)), None, "three days are the end");
    }

    #[test]
    fn both_forms_of_retry_after_are_read() {
        let now: Timestamp = "1994-11-06T08:49:00Z".parse().unwrap();
        let seconds = |text| parse_retry_after(text, now).map(|wait| wait.as_secs());
        assert_eq!(seconds("120"), Some(120));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(37));
        for text in ["0", "-5", "Sun, 06 Nov 1994 08:48:00 GMT", "soon", "", "1.5"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn jitter_shortens_by_a_tenth_at_most(attempts in 1_u32..12, chance: u8) {
            let whole = retry(attempts, 0).next_at(FIRST).unwrap().duration_since(FIRST);
            let wait = retry(attempts, chance).next_at(FIRST).unwrap().duration_since(FIRST);
            prop_assert!(wait <= whole && wait.as_millis() * 10 >= whole.as_millis() * 9);
        }

        #[test]
        fn no_text_breaks_retry_after(text: String) {
            let _ = parse_retry_after(&text, FIRST);
        }
    }
}
