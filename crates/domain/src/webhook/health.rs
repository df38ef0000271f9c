//! Whether an endpoint's deliveries arrive, when its people are warned, and when it is disabled.

use jiff::{SignedDuration, Timestamp};

/// An endpoint is disabled when every delivery has failed for so long (API text, 3.3).
pub const DISABLED_AFTER: SignedDuration = SignedDuration::from_hours(5 * 24);
/// How many spans of 24 hours that is.
pub const SPANS: i64 = 5;

/// What is remembered about an endpoint's deliveries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// When the first delivery failed after the last that arrived.
    pub failing_since: Option<Timestamp>,
    /// How many warnings were mailed since then.
    pub warnings: u32,
}

/// A mail to the technical contact that an endpoint fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// After one day.
    First,
    /// After four days: one is left.
    Last,
}

impl Warning {
    const LATEST_FIRST: [Warning; 2] = [Warning::Last, Warning::First];

    const fn number(self) -> u32 {
        match self {
            Warning::First => 1,
            Warning::Last => 2,
        }
    }

    const fn after(self) -> SignedDuration {
        match self {
            Warning::First => SignedDuration::from_hours(24),
            Warning::Last => SignedDuration::from_hours(4 * 24),
        }
    }
}

/// What follows from a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing yet.
    Wait,
    /// Its people are warned.
    Warn(Warning),
    /// It is disabled, and its people are told.
    Disable,
}

impl Health {
    /// The health after a failed attempt.
    #[must_use]
    pub fn failed(self, now: Timestamp) -> Health {
        Health { failing_since: self.failing_since.or(Some(now)), ..self }
    }

    /// True when an attempt that fails now may disable the endpoint, if the further conditions hold.
    pub fn is_old(self, now: Timestamp) -> bool {
        self.failing_since.is_some_and(|since| now.duration_since(since) >= DISABLED_AFTER)
    }

    /// What follows from a failed attempt. `is_tried_daily`: there were attempts in each of the last five
    /// spans of 24 hours; `is_given_up`: the attempt was the delivery's last. An endpoint that nobody writes
    /// to is so not disabled for one old failure.
    pub fn verdict(self, now: Timestamp, is_tried_daily: bool, is_given_up: bool) -> Verdict {
        let Some(since) = self.failing_since else { return Verdict::Wait };
        if self.is_old(now) && (is_tried_daily || is_given_up) {
            return Verdict::Disable;
        }
        let failing = now.duration_since(since);
        match Warning::LATEST_FIRST.into_iter().find(|warning| failing >= warning.after()) {
            Some(warning) if warning.number() > self.warnings => Verdict::Warn(warning),
            _ => Verdict::Wait,
        }
    }

    /// The health after a warning was mailed.
    #[must_use]
    pub fn warned(self, warning: Warning) -> Health {
        Health { warnings: warning.number(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGIN: Timestamp = Timestamp::UNIX_EPOCH;

    fn after(hours: i64) -> Timestamp {
        BEGIN + SignedDuration::from_hours(hours)
    }

    #[test]
    fn warnings_come_once_each_and_the_end_after_five_days() {
        let mut health = Health::default().failed(BEGIN);
        let mut seen = Vec::new();
        for hours in 0..=130 {
            let now = after(hours);
            health = health.failed(now);
            match health.verdict(now, true, false) {
                Verdict::Wait => {}
                Verdict::Warn(warning) => {
                    health = health.warned(warning);
                    seen.push((hours, "warned"));
                }
                Verdict::Disable => {
                    seen.push((hours, "disabled"));
                    break;
                }
            }
        }
        assert_eq!(seen, [(24, "warned"), (96, "warned"), (120, "disabled")]);
    }

    #[test]
    fn an_idle_endpoint_is_not_disabled_for_one_old_failure() {
        let health = Health { failing_since: Some(BEGIN), warnings: 2 };
        assert_eq!(health.verdict(after(500), false, false), Verdict::Wait);
        assert_eq!(
            health.verdict(after(500), false, true),
            Verdict::Disable,
            "its next event was given up too"
        );
        assert_eq!(health.verdict(after(119), true, true), Verdict::Wait);
        assert_eq!(Health::default().verdict(after(500), true, true), Verdict::Wait);
    }
}
