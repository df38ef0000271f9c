//! Accounts, as the operator keeps them and as their keys see them.

use crate::{Caller, Error, Service};
use domain::account::Account;
use domain::credit::Credits;
use domain::id::AccountId;
use domain::mode::Mode;
use jiff::Timestamp;
use store::{Tx, accounts, credits};

/// What an operator changes about an account; `None` leaves it as it is.
#[derive(Clone, Debug, Default)]
pub struct AccountChanges {
    /// Requests per minute in live mode.
    pub rate_limit_live: Option<u32>,
    /// Requests per minute in test mode.
    pub rate_limit_test: Option<u32>,
    /// Below this, `credits.balance_low` is sent.
    pub low_balance_threshold: Option<Credits>,
    /// A page of a paper.
    pub paper_price: Option<Credits>,
    /// A page of a script.
    pub grading_price: Option<Credits>,
    /// The technical contact.
    pub contact: Option<String>,
}

impl Service {
    /// Makes an account with an empty live balance and the first test credits.
    #[crate::boxed]
    pub async fn create_account(&self, name: String, contact: Option<String>) -> Result<Account, Error> {
        let now = self.now();
        let account = Account::new(self.id(now), name, contact, now);
        self.0
            .store
            .write((self.clone(), account), |tx, (service, account)| {
                Box::pin(async move {
                    service.insert_account(tx, account).await?;
                    Ok::<_, Error>(account.clone())
                })
            })
            .await
    }

    pub(crate) async fn insert_account(&self, tx: &mut Tx, account: &Account) -> Result<(), Error> {
        accounts::insert(tx, account).await?;
        accounts::note_words(tx, account).await?;
        for mode in Mode::ALL {
            credits::open(tx, account.id, mode).await?;
        }
        let mut change = self.open_ledger(tx, (account.id, Mode::Test), account.created_at).await?;
        change.ledger.top_up(Account::FIRST_TEST_CREDITS, None)?;
        change.describe("First test credits");
        self.post(tx, change).await
    }

    /// The account of this id.
    #[crate::boxed]
    pub async fn account(&self, id: AccountId) -> Result<Account, Error> {
        let account = accounts::by_id(&mut *self.0.store.read().await?, id).await?;
        account.ok_or_else(|| Error::missing("account", id))
    }

    /// The caller's account, with the end of its credits.
    #[crate::boxed]
    pub async fn own_account(&self, caller: &Caller) -> Result<(Account, Option<Timestamp>), Error> {
        let found = accounts::with_credits_end(&mut *self.0.store.read().await?, caller.owner()).await?;
        let found = found.ok_or_else(|| Error::missing("account", caller.account_id))?;
        Ok((found.account, found.valid_until))
    }

    /// All accounts in the order they were made, `rows` at a time after `last`.
    #[crate::boxed]
    pub async fn accounts_after(&self, last: Option<&Account>, rows: i64) -> Result<Vec<Account>, Error> {
        Ok(accounts::after(&mut *self.0.store.read().await?, last, rows).await?)
    }

    /// Changes prices, limits or the contact. Raising the threshold is no crossing, so it sends no event.
    #[crate::boxed]
    pub async fn update_account(&self, id: AccountId, changes: AccountChanges) -> Result<Account, Error> {
        self.change_account((id, changes), |account, (_, changes)| {
            let wanted = changes.clone();
            account.rate_limit_live = wanted.rate_limit_live.unwrap_or(account.rate_limit_live);
            account.rate_limit_test = wanted.rate_limit_test.unwrap_or(account.rate_limit_test);
            account.low_balance_threshold =
                wanted.low_balance_threshold.unwrap_or(account.low_balance_threshold);
            account.pricing.paper_per_page = wanted.paper_price.unwrap_or(account.pricing.paper_per_page);
            account.pricing.grading_per_page =
                wanted.grading_price.unwrap_or(account.pricing.grading_per_page);
            account.contact = wanted.contact.or(account.contact.take());
        })
        .await
    }

    /// Suspends an account (`Some(when)`) or lets it go on (`None`).
    #[crate::boxed]
    pub async fn suspend_account(
        &self,
        id: AccountId,
        suspended_at: Option<Timestamp>,
    ) -> Result<Account, Error> {
        self.0
            .store
            .write((id, suspended_at), |tx, &(id, suspended_at)| Box::pin(suspend_in(tx, id, suspended_at)))
            .await
    }

    async fn change_account<C: Send + Sync + 'static>(
        &self,
        input: (AccountId, C),
        change: impl Fn(&mut Account, &(AccountId, C)) + Send + Sync + 'static,
    ) -> Result<Account, Error> {
        self.0
            .store
            .write((input, change), |tx, (input, change)| {
                Box::pin(change_in(tx, input.0, |account| change(account, input)))
            })
            .await
    }
}

/// Suspends an account or lets it go on, within the caller's transaction. One that is suspended stays so since then.
pub(crate) async fn suspend_in(
    tx: &mut Tx,
    id: AccountId,
    suspended_at: Option<Timestamp>,
) -> Result<Account, Error> {
    change_in(tx, id, |account| {
        account.suspended_at = suspended_at.map(|now| account.suspended_at.unwrap_or(now));
    })
    .await
}

async fn change_in(
    tx: &mut Tx,
    id: AccountId,
    change: impl Fn(&mut Account) + Send + Sync,
) -> Result<Account, Error> {
    let account = accounts::lock(tx, id).await?;
    let account = account.ok_or_else(|| Error::missing("account", id))?;
    let mut changed = account.clone();
    change(&mut changed);
    accounts::save(tx, &account, &changed).await?;
    if account.contact != changed.contact {
        accounts::note_words(tx, &changed).await?;
    }
    Ok(changed)
}
