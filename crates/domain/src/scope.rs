//! Scopes: what a restricted key may do (API text, section 5).

use std::fmt;

/// One permission of a restricted key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Scope {
    /// Look at papers.
    PapersRead,
    /// Make and change papers.
    PapersWrite,
    /// Look at submissions, results and reports.
    SubmissionsRead,
    /// Make and change submissions.
    SubmissionsWrite,
    /// Look at the account, its balance and its transactions.
    BillingRead,
    /// Everything about webhook endpoints.
    WebhooksManage,
    /// Look at events.
    EventsRead,
}

impl Scope {
    /// Every scope, in the order of the API text.
    pub const ALL: [Scope; 7] = [
        Scope::PapersRead,
        Scope::PapersWrite,
        Scope::SubmissionsRead,
        Scope::SubmissionsWrite,
        Scope::BillingRead,
        Scope::WebhooksManage,
        Scope::EventsRead,
    ];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Scope::PapersRead => "papers:read",
            Scope::PapersWrite => "papers:write",
            Scope::SubmissionsRead => "submissions:read",
            Scope::SubmissionsWrite => "submissions:write",
            Scope::BillingRead => "billing:read",
            Scope::WebhooksManage => "webhooks:manage",
            Scope::EventsRead => "events:read",
        }
    }

    /// The scope of that name.
    pub fn parse(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// True when any of `wanted` is among them.
    pub fn allow_any(self, wanted: &[Scope]) -> bool {
        wanted.iter().any(|&scope| self.0 & (1 << scope as u8) != 0)
    }

    /// The scopes, in the order of the API text.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |&scope| self.allow_any(&[scope]))
    }

    /// As they are stored: names with spaces between.
    pub fn to_text(self) -> String {
        self.iter().map(Scope::name).collect::<Vec<_>>().join(" ")
    }

    /// Reads what [`Scopes::to_text`] wrote; `None` if a name is unknown.
    pub fn parse(text: &str) -> Option<Scopes> {
        text.split_whitespace().map(Scope::parse).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Scopes {
        Scopes(scopes.into_iter().fold(0, |bits, scope| bits | 1 << scope as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_reads_back_and_allows_only_its_own() {
        let scopes: Scopes = [Scope::EventsRead, Scope::PapersRead].into_iter().collect();
        assert_eq!(scopes.to_text(), "papers:read events:read");
        assert_eq!(Scopes::parse(&scopes.to_text()), Some(scopes));
        assert!(scopes.allow_any(&[Scope::PapersWrite, Scope::PapersRead]));
        assert!(!scopes.allow_any(&[Scope::PapersWrite]));
        assert_eq!(Scopes::parse("papers:raed"), None);
    }
}
