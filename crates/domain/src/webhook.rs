//! Webhook endpoints: which events they take.

use crate::event::EventType;

/// The events an endpoint asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subscription {
    /// `*`: every type, those of later versions too.
    Everything,
    /// These types.
    Only(Vec<EventType>),
}

impl Subscription {
    /// True when events of this type go to the endpoint.
    pub fn takes(&self, kind: EventType) -> bool {
        match self {
            Subscription::Everything => true,
            Subscription::Only(kinds) => kinds.contains(&kind),
        }
    }

    /// Reads the stored form: names with spaces between.
    pub fn parse(text: &str) -> Option<Subscription> {
        let names: Vec<&str> = text.split_whitespace().collect();
        if names.contains(&"*") {
            return Some(Subscription::Everything);
        }
        names.into_iter().map(EventType::parse).collect::<Option<_>>().map(Subscription::Only)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_takes_everything() {
        let some = Subscription::parse("paper.ready credits.expiring").unwrap();
        assert!(some.takes(EventType::PaperReady));
        assert!(!some.takes(EventType::PaperFailed));
        assert!(Subscription::parse("paper.ready *").unwrap().takes(EventType::PaperFailed));
        assert_eq!(Subscription::parse("paper.raedy"), None);
    }
}
