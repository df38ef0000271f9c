//! Marks on their way to a platform (Assignment and Grade Services 2.0).

use jiff::{SignedDuration, Timestamp};
use url::Url;

/// How far a score came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreStatus {
    /// It is to be sent, or to be sent again.
    Waiting,
    /// The platform has it.
    Sent,
    /// The platform does not take it, or could not be reached for too long.
    Refused,
}

crate::names! {
    ScoreStatus { Waiting = "waiting", Sent = "sent", Refused = "refused" }
}

/// Where the scores of a line item go: a part of its path, before what may stand behind a question mark.
pub fn score_url(line_item: &str) -> Option<String> {
    let mut url = Url::parse(line_item).ok()?;
    url.path_segments_mut().ok()?.pop_if_empty().push("scores");
    Some(url.into())
}

/// The time that the next sending carries: now, but always later than the one before, in the milliseconds that it is
/// written with. A platform ignores a score that is not newer than what it has.
pub fn later_than(last: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let step = SignedDuration::from_millis(1);
    last.map_or(now, |last| now.max(last + step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_below_the_line_item_whatever_its_query() {
        for (item, scores) in [
            ("https://a.example/items/1", "https://a.example/items/1/scores"),
            ("https://a.example/items/1/", "https://a.example/items/1/scores"),
            ("https://a.example/items/1?type_id=2&x=/", "https://a.example/items/1/scores?type_id=2&x=/"),
            ("https://a.example", "https://a.example/scores"),
        ] {
            assert_eq!(score_url(item).as_deref(), Some(scores), "{item}");
        }
        assert_eq!(score_url("mailto:a@b.example"), None);
        assert_eq!(score_url("items/1"), None);
    }

    #[test]
    fn each_sending_is_later_than_the_one_before() {
        let at = |millis| Timestamp::from_millisecond(millis).unwrap();
        assert_eq!(later_than(None, at(5)), at(5));
        assert_eq!(later_than(Some(at(5)), at(9)), at(9));
        assert_eq!(later_than(Some(at(5)), at(5)), at(6));
        assert_eq!(later_than(Some(at(9)), at(5)), at(10), "also when the clock was set back");
        let parts = Timestamp::from_microsecond(5_999).unwrap();
        let next = later_than(Some(at(5)), parts);
        assert_ne!(format!("{next:.3}"), format!("{:.3}", at(5)), "as it is written");
    }
}
