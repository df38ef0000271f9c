//! What the console shows across accounts: lists along indexes and bounded counts, whatever the tables hold.

use crate::{Error, Service};
use domain::event::{Event, EventType};
use domain::id::{EndpointId, Identifier as _};
use domain::paging::{Limit, Page, Position, Seal};
use domain::text::fold;
use jiff::Timestamp;
use store::accounts::{self, Listed};
use store::failures::{self, Failed};
use store::{events, settings};

/// Of what happened or failed lately, so much is counted.
const COUNTED_MAX: i64 = 10_000;
/// Accounts that one search looks at.
const LOOKED_AT_MAX: i64 = 200;
/// Accounts whose words are noted in one transaction.
const NOTED_AT_ONCE: i64 = 200;
/// The setting that says that the words of all accounts are noted.
const WORDS_NOTED: &str = "account_words_noted";

/// Which failures are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedKind {
    /// Of papers.
    Papers,
    /// Of submissions.
    Submissions,
}

/// What happened since a moment, by type; of more than ten thousand only so many are counted.
#[derive(Clone, Debug, Default)]
pub struct Recent(Vec<(EventType, i64)>);

impl Recent {
    /// How many events of this type there were.
    pub fn count(&self, kind: EventType) -> i64 {
        self.0.iter().find(|(found, _)| *found == kind).map_or(0, |(_, count)| *count)
    }
}

impl Service {
    /// A page of the accounts, the last made first.
    #[crate::boxed]
    pub async fn latest_accounts(
        &self,
        limit: Limit,
        after: Option<Position>,
        seal: &Seal,
    ) -> Result<Page<Listed>, Error> {
        let page = self
            .0
            .store
            .page((limit, after), |db, (limit, after)| Box::pin(accounts::latest(db, *after, limit.rows())));
        let rows = page.await?;
        let position = |listed: &Listed| Position {
            time_us: listed.account.created_at.as_microsecond(),
            id: listed.account.id.number(),
        };
        Ok(Page::new(rows, limit, seal, position))
    }

    /// Accounts whose name or contact has words that begin like all of these; of very many, some.
    #[crate::boxed]
    pub async fn search_accounts(&self, query: &str) -> Result<Vec<Listed>, Error> {
        let query = fold(query);
        let wanted: Vec<String> = query.split(' ').map(str::to_owned).collect();
        // The longest word has the fewest to look at.
        let Some(longest) = wanted.iter().max_by_key(|word| word.len()).filter(|word| !word.is_empty())
        else {
            return Ok(Vec::new());
        };
        let found = self
            .0
            .store
            .page(longest.clone(), |db, word| Box::pin(accounts::with_word(db, word, LOOKED_AT_MAX)));
        let found: Vec<Listed> = found.await?;
        let has_all = |listed: &Listed| {
            let words = accounts::words(&listed.account);
            wanted.iter().all(|wanted| words.iter().any(|word| word.starts_with(wanted)))
        };
        Ok(found.into_iter().filter(has_all).collect())
    }

    /// Notes the words of accounts that were made before accounts could be searched; once for a database.
    #[crate::boxed]
    pub async fn note_account_words(&self) -> Result<(), Error> {
        if settings::value(&mut *self.0.store.read().await?, WORDS_NOTED).await?.is_some() {
            return Ok(());
        }
        let mut last = None;
        loop {
            let some = self.accounts_after(last.as_ref(), NOTED_AT_ONCE).await?;
            let Some(end) = some.last().cloned() else { break };
            last = Some(end);
            self.0
                .store
                .write(some, |tx, some| {
                    Box::pin(async move {
                        for account in some {
                            accounts::note_words(tx, account).await?;
                        }
                        Ok::<_, Error>(())
                    })
                })
                .await?;
        }
        self.0
            .store
            .write((), |tx, ()| {
                Box::pin(async move { Ok::<_, Error>(settings::set(tx, WORDS_NOTED, "yes").await?) })
            })
            .await
    }

    /// A page of what failed, newest first.
    #[crate::boxed]
    pub async fn failed(
        &self,
        kind: FailedKind,
        limit: Limit,
        after: Option<Position>,
        seal: &Seal,
    ) -> Result<Page<Failed>, Error> {
        let page = self.0.store.page((kind, limit, after), |db, &(kind, limit, after)| {
            Box::pin(async move {
                match kind {
                    FailedKind::Papers => failures::papers(db, after, limit.rows()).await,
                    FailedKind::Submissions => failures::submissions(db, after, limit.rows()).await,
                }
            })
        });
        let rows: Vec<Failed> = page.await?;
        Ok(Page::new(rows, limit, seal, Failed::position))
    }

    /// How many papers and submissions failed since then.
    #[crate::boxed]
    pub async fn failed_since(&self, since: Timestamp) -> Result<(i64, i64), Error> {
        Ok(failures::count_since(&mut *self.0.store.read().await?, since, COUNTED_MAX).await?)
    }

    /// Endpoints to which every delivery fails, and since when, the longest first.
    #[crate::boxed]
    pub async fn failing_endpoints(&self, rows: i64) -> Result<Vec<(EndpointId, Timestamp)>, Error> {
        Ok(failures::endpoints(&mut *self.0.store.read().await?, rows).await?)
    }

    /// A page of the events of all accounts, newest first.
    #[crate::boxed]
    pub async fn all_events(
        &self,
        limit: Limit,
        after: Option<Position>,
        seal: &Seal,
    ) -> Result<Page<Event>, Error> {
        let page = self.0.store.page((limit, after), |db, (limit, after)| {
            Box::pin(events::all_before(db, *after, limit.rows()))
        });
        let rows = page.await?;
        Ok(Page::new(rows, limit, seal, Event::position))
    }

    /// What happened since then in all accounts.
    #[crate::boxed]
    pub async fn recent(&self, since: Timestamp) -> Result<Recent, Error> {
        let page =
            self.0.store.page(since, |db, since| Box::pin(events::count_since(db, *since, COUNTED_MAX)));
        let counted: Vec<(String, i64)> = page.await?;
        let known = counted.into_iter().filter_map(|(name, count)| Some((EventType::parse(&name)?, count)));
        Ok(Recent(known.collect()))
    }
}
