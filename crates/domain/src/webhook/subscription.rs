//! Which events an endpoint takes.

use crate::event::EventType;
use std::fmt;

/// The events an endpoint asked for, each once, in the order in which it named them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription(Vec<Interest>);

/// One item of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// `*`: every type, those of later versions too.
    Everything,
    /// This type.
    Only(EventType),
}

impl Interest {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Interest::Everything => "*",
            Interest::Only(kind) => kind.name(),
        }
    }

    /// Reads one item.
    pub fn parse(name: &str) -> Option<Interest> {
        if name == "*" { Some(Interest::Everything) } else { EventType::parse(name).map(Interest::Only) }
    }
}

impl Subscription {
    /// These interests; `None` when there are none.
    pub fn new(interests: impl IntoIterator<Item = Interest>) -> Option<Subscription> {
        let mut kept = Vec::new();
        for interest in interests {
            if !kept.contains(&interest) {
                kept.push(interest);
            }
        }
        (!kept.is_empty()).then_some(Subscription(kept))
    }

    /// True when events of this type go to the endpoint.
    pub fn takes(&self, kind: EventType) -> bool {
        self.0.iter().any(|interest| match interest {
            Interest::Everything => true,
            Interest::Only(wanted) => *wanted == kind,
        })
    }

    /// The items as they are written.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|interest| interest.name())
    }

    /// Reads the stored form: names with spaces between.
    pub fn parse(text: &str) -> Option<Subscription> {
        let interests: Option<Vec<Interest>> = text.split_whitespace().map(Interest::parse).collect();
        interests.and_then(Subscription::new)
    }
}

/// The stored form.
impl fmt::Display for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(" "))
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
        assert_eq!(Subscription::parse(""), None);
    }

    #[test]
    fn names_are_kept_once_and_in_order() {
        let kept = Subscription::parse("paper.ready * paper.ready").unwrap();
        assert_eq!(kept.to_string(), "paper.ready *");
    }
}
