//! Lists: how many, from where, and the opaque cursor that says so.
//!
//! A cursor holds the sort position of the last item shown, so that rows added or deleted between pages
//! neither repeat nor skip others. It is sealed with what it belongs to (the list, its owner and its
//! filters): used with others, it is refused.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use sha2::{Digest, Sha256};

/// How many items a page holds at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(u32);

impl Limit {
    /// When the client does not say.
    pub const DEFAULT: Limit = Limit(20);
    /// The most that a client may ask for.
    pub const MAX: u32 = 100;

    /// A limit from 1 to 100.
    pub fn new(count: i64) -> Option<Limit> {
        u32::try_from(count).ok().filter(|count| (1..=Limit::MAX).contains(count)).map(Limit)
    }

    /// How many rows to fetch: one more than shown, to know whether there are more.
    pub fn rows(self) -> i64 {
        i64::from(self.0) + 1
    }

    /// How many items are shown.
    pub fn items(self) -> usize {
        self.0 as usize
    }
}

/// Where an item stands in its list: the time it is sorted by, then its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Microseconds; 0 in lists that are not sorted by time.
    pub time_us: i64,
    /// The id's number.
    pub id: u128,
}

/// The times that a list is limited to; all bounds are exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Made later than this.
    pub created_after: Option<Timestamp>,
    /// Made earlier than this.
    pub created_before: Option<Timestamp>,
    /// Changed later than this. A list asked for so is sorted by change, oldest first, so that a poller
    /// misses nothing that changes while it pages.
    pub updated_after: Option<Timestamp>,
}

/// Which part of a list is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// How many.
    pub limit: Limit,
    /// After which item.
    pub after: Option<Position>,
    /// From which time.
    pub window: Window,
}

/// What a cursor belongs to: the list, its owner and every filter.
#[derive(Clone, Debug)]
pub struct Seal(Sha256);

impl Seal {
    /// The seal of a list.
    pub fn new(list: &str) -> Seal {
        Seal(Sha256::new()).with(Some(list))
    }

    /// Adds the owner or a filter; an absent one counts as different from an empty one.
    #[must_use]
    pub fn with(mut self, part: Option<&str>) -> Seal {
        match part {
            Some(text) => {
                self.0.update((text.len() as u64 + 1).to_be_bytes());
                self.0.update(text);
            }
            None => self.0.update(0_u64.to_be_bytes()),
        }
        self
    }

    fn over(&self, position: &[u8]) -> [u8; 8] {
        let digest = self.0.clone().chain_update(position).finalize();
        let mut tag = [0; 8];
        tag.copy_from_slice(&digest[..8]);
        tag
    }
}

const VERSION: u8 = 1;
const LENGTH: usize = 1 + 8 + 16 + 8;

/// Writes the cursor that continues after `position`.
pub fn cursor(position: Position, seal: &Seal) -> String {
    let mut bytes = Vec::with_capacity(LENGTH);
    bytes.push(VERSION);
    bytes.extend(position.time_us.to_be_bytes());
    bytes.extend(position.id.to_be_bytes());
    let tag = seal.over(&bytes);
    bytes.extend(tag);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads a cursor, if it is one of ours and of this very list.
pub fn parse_cursor(text: &str, seal: &Seal) -> Option<Position> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (content, tag) = bytes.split_at_checked(LENGTH - 8)?;
    if content[0] != VERSION || tag != seal.over(content) {
        return None;
    }
    let time_us = i64::from_be_bytes(content[1..9].try_into().ok()?);
    let id = u128::from_be_bytes(content[9..].try_into().ok()?);
    Some(Position { time_us, id })
}

/// One page of a list.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// The items shown.
    pub items: Vec<T>,
    /// Continues after the last one; `None` on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Makes a page of the rows fetched by [`Limit::rows`].
    pub fn new(mut rows: Vec<T>, limit: Limit, seal: &Seal, position: impl Fn(&T) -> Position) -> Page<T> {
        let has_more = rows.len() > limit.items();
        rows.truncate(limit.items());
        let last = rows.last().filter(|_| has_more);
        let next_cursor = last.map(|item| cursor(position(item), seal));
        Page { items: rows, next_cursor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seal() -> Seal {
        Seal::new("papers").with(Some("acct_1")).with(None)
    }

    proptest! {
        #[test]
        fn a_cursor_reads_back_in_its_own_list_only(time_us: i64, id: u128) {
            let position = Position { time_us, id };
            let text = cursor(position, &seal());
            prop_assert!(text.len() <= 200);
            prop_assert_eq!(parse_cursor(&text, &seal()), Some(position));
            prop_assert_eq!(parse_cursor(&text, &seal().with(None)), None);
            prop_assert_eq!(parse_cursor(&text, &Seal::new("papers").with(Some("acct_1")).with(Some(""))), None);
        }

        #[test]
        fn no_text_breaks_the_parser(text: String) {
            prop_assert_eq!(parse_cursor(&text, &seal()), None);
        }

        #[test]
        fn pages_cover_all_once(mut times in proptest::collection::vec(0_i64..50, 0..60), size in 1_i64..10) {
            times.sort_unstable();
            let items: Vec<Position> =
                times.iter().zip(0..).map(|(&time_us, id)| Position { time_us, id }).collect();
            let limit = Limit::new(size).unwrap();
            let mut seen = Vec::new();
            let mut after = None;
            loop {
                let rest = items.iter().filter(|item| after.is_none_or(|position| **item > position));
                let rows = rest.take(limit.items() + 1).copied().collect();
                let page = Page::new(rows, limit, &seal(), |item| *item);
                seen.extend(page.items);
                let Some(next) = page.next_cursor else { break };
                after = parse_cursor(&next, &seal());
            }
            prop_assert_eq!(seen, items);
        }
    }

    #[test]
    fn limits_are_1_to_100() {
        assert_eq!(Limit::new(0), None);
        assert_eq!(Limit::new(101), None);
        assert_eq!(Limit::new(100).unwrap().rows(), 101);
    }
}
