//! Credits: holding, charging, giving back, and the operator's movements.
//!
//! Every change goes through `Service::open_ledger` and `Service::post`: the balance row is locked, the
//! ledger's rules are asked, and balance, movements and events are written in the caller's transaction.

use crate::{Caller, Error, Service};
use domain::account::Owner;
use domain::credit::{Balance, Credits, Hold, Ledger, MovementKind, Source, Transaction, TransactionFilter};
use domain::event::{Event, EventType};
use domain::mode::Mode;
use domain::paging::{Page, Seal, Slice};
use jiff::Timestamp;
use store::credits::{Settled, SettledHold};
use store::{Tx, accounts, credits, events};

/// A locked balance while a use case changes it, with what its movements are for.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) ledger: Ledger,
    low_threshold: Credits,
    owner: Owner,
    now: Timestamp,
    description: String,
    reference: Option<String>,
    pages: Option<u32>,
    source: Option<Source>,
}

impl Change {
    fn new(owner: Owner, locked: Option<credits::Locked>, now: Timestamp) -> Result<Change, Error> {
        let locked = locked.ok_or_else(|| Error::missing("account", owner.0))?;
        Ok(Change {
            ledger: Ledger::open(locked.balance, now),
            low_threshold: locked.low_threshold,
            owner,
            now,
            description: String::new(),
            reference: None,
            pages: None,
            source: None,
        })
    }

    pub(crate) fn describe(&mut self, description: impl Into<String>) {
        self.description = description.into();
    }
}

/// A hold that is being settled, in the account's turn.
#[derive(Debug)]
pub(crate) struct Settling {
    change: Change,
    hold: Option<SettledHold>,
    settled: Settled,
}

/// A movement that the operator makes.
#[derive(Clone, Debug)]
pub enum OperatorMovement {
    /// Bought credits.
    TopUp {
        /// How many.
        amount: Credits,
        /// The new end of all available credits.
        valid_until: Option<Timestamp>,
        /// The operator's own reference.
        reference: Option<String>,
    },
    /// A correction up or down.
    Adjust {
        /// By how much.
        amount: i64,
        /// Why.
        description: String,
    },
    /// Makes expired credits available again.
    Revive {
        /// Their new end.
        valid_until: Option<Timestamp>,
    },
}

impl Service {
    /// The caller's balance, with credits whose date has come counted as expired.
    #[crate::boxed]
    pub async fn balance(&self, owner: Owner) -> Result<Balance, Error> {
        let now = self.now();
        let balance = credits::balance(&mut *self.0.store.read().await?, owner.0, owner.1).await?;
        let balance = balance.ok_or_else(|| Error::missing("account", owner.0))?;
        Ok(Ledger::open(balance, now).balance())
    }

    /// A page of the caller's credit transactions, newest first.
    #[crate::boxed]
    pub async fn transactions(
        &self,
        caller: &Caller,
        filter: &TransactionFilter,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<Transaction>, Error> {
        self.transactions_of(caller.owner(), filter, slice, seal).await
    }

    /// A page of an account's credit transactions: for the operator.
    #[crate::boxed]
    pub async fn transactions_of(
        &self,
        owner: Owner,
        filter: &TransactionFilter,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<Transaction>, Error> {
        let input = (owner, filter.clone(), slice);
        let page = self
            .0
            .store
            .page(input, |db, (owner, filter, slice)| Box::pin(credits::list(db, *owner, filter, *slice)));
        let rows = page.await?;
        Ok(Page::new(rows, slice.limit, seal, Transaction::position))
    }

    /// Carries out the operator's movement and gives the balance after it.
    #[crate::boxed]
    pub async fn move_credits(&self, owner: Owner, movement: OperatorMovement) -> Result<Balance, Error> {
        self.0
            .store
            .write((self.clone(), owner, movement, self.now()), |tx, (service, owner, movement, now)| {
                Box::pin(service.move_credits_in(tx, *owner, movement, *now))
            })
            .await
    }

    pub(crate) async fn move_credits_in(
        &self,
        tx: &mut Tx,
        owner: Owner,
        movement: &OperatorMovement,
        now: Timestamp,
    ) -> Result<Balance, Error> {
        let mut change = self.open_ledger(tx, owner, now).await?;
        match movement {
            OperatorMovement::TopUp { amount, valid_until, reference } => {
                change.ledger.top_up(*amount, *valid_until)?;
                change.reference.clone_from(reference);
                change.describe("Top-up");
            }
            OperatorMovement::Adjust { amount, description } => {
                change.ledger.adjust(*amount)?;
                change.describe(description);
            }
            OperatorMovement::Revive { valid_until } => {
                change.ledger.revive(*valid_until);
                change.describe("Expired credits made available again");
            }
        }
        let balance = change.ledger.balance();
        self.post(tx, change).await?;
        Ok(balance)
    }

    /// Looks at one balance that is due: warns that its credits end soon, or ends them.
    #[crate::boxed]
    pub async fn sweep_balance(&self, owner: Owner) -> Result<(), Error> {
        let now = self.now();
        self.0
            .store
            .write((self.clone(), owner, now), |tx, (service, owner, now)| {
                Box::pin(async move {
                    let mut change = service.open_ledger(tx, *owner, *now).await?;
                    let balance = change.ledger.balance();
                    if balance.is_warning_due(*now) && owner.1 == Mode::Live {
                        service.record_expiring(tx, *owner, balance.valid_until).await?;
                    }
                    if balance.due_at().is_some_and(|due| due <= *now) {
                        change.ledger.warned();
                    }
                    service.post(tx, change).await
                })
            })
            .await
    }

    /// Sets credits aside for a paper or a submission, within the caller's transaction. Call it last: from
    /// here to the commit, other changes of this account wait.
    #[crate::boxed]
    pub async fn hold(
        &self,
        tx: &mut Tx,
        owner: Owner,
        source: Source,
        pages: u32,
        price_per_page: Credits,
        now: Timestamp,
    ) -> Result<Credits, Error> {
        let change = self.open_ledger(tx, owner, now).await?;
        self.hold_in(tx, change, source, pages, price_per_page).await
    }

    /// The same in the turn that the caller has taken.
    pub(crate) async fn hold_in(
        &self,
        tx: &mut Tx,
        mut change: Change,
        source: Source,
        pages: u32,
        price_per_page: Credits,
    ) -> Result<Credits, Error> {
        let hold = Hold { credits: price_per_page.times(pages), created_at: change.now };
        change.ledger.hold(hold.credits)?;
        credits::insert_hold(tx, change.owner, source, pages, &hold).await?;
        self.post(tx, change).await?;
        Ok(hold.credits)
    }

    /// Spends what was set aside. False: there was nothing, or it was settled before.
    #[crate::boxed]
    pub async fn charge(
        &self,
        tx: &mut Tx,
        owner: Owner,
        source: Source,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let settling = self.begin_settling(tx, owner, source, Settled::Charged, now).await?;
        self.settle(tx, settling).await
    }

    /// Gives back what was set aside. False: there was nothing, or it was settled before.
    #[crate::boxed]
    pub async fn give_back(
        &self,
        tx: &mut Tx,
        owner: Owner,
        source: Source,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let settling = self.begin_settling(tx, owner, source, Settled::Returned, now).await?;
        self.settle(tx, settling).await
    }

    /// Takes the account's turn to settle an object's hold; what becomes of the object is written in the same turn.
    pub(crate) async fn begin_settling(
        &self,
        tx: &mut Tx,
        owner: Owner,
        source: Source,
        settled: Settled,
        now: Timestamp,
    ) -> Result<Settling, Error> {
        let (hold, locked) = credits::settle_hold(tx, owner, source, settled, now).await?;
        let mut change = Change::new(owner, locked, now)?;
        change.source = Some(source);
        Ok(Settling { change, hold, settled })
    }

    /// Writes what settling did to the ledger. False: there was nothing to settle, or it was settled before.
    pub(crate) async fn settle(&self, tx: &mut Tx, settling: Settling) -> Result<bool, Error> {
        let Settling { mut change, hold, settled } = settling;
        let (Some((hold, pages)), Some(source)) = (hold, change.source) else { return Ok(false) };
        match settled {
            Settled::Charged => change.ledger.charge(hold, source.charge_kind()),
            Settled::Returned => change.ledger.give_back(hold),
        }
        change.pages = Some(pages);
        change.describe(match source.charge_kind() {
            MovementKind::PaperProcessing => "Reading a paper",
            _ => "Marking a submission",
        });
        self.post(tx, change).await?;
        Ok(true)
    }

    /// Locks the balance, which is the account's turn, and opens its ledger.
    pub(crate) async fn open_ledger(
        &self,
        tx: &mut Tx,
        owner: Owner,
        now: Timestamp,
    ) -> Result<Change, Error> {
        Change::new(owner, credits::lock(tx, owner, now).await?, now)
    }

    /// Writes what was done to the ledger: the balance, its movements, and the event when the available live
    /// credits fell below the account's threshold.
    pub(crate) async fn post(&self, tx: &mut Tx, change: Change) -> Result<(), Error> {
        let (account, mode) = change.owner;
        credits::save(tx, account, mode, &change.ledger.balance()).await?;
        for movement in change.ledger.movements() {
            let is_expiry = movement.kind == MovementKind::Expiry;
            let about = (!is_expiry).then_some(&change);
            // Each line has a time of its own, so that the ledger is read in the order it was written.
            let at = tx.time()?;
            let transaction = Transaction {
                id: self.id(at),
                mode,
                movement: *movement,
                pages: about.and_then(|change| change.pages),
                source: about
                    .and_then(|change| change.source)
                    .map(|source| (source.object().to_owned(), source.id())),
                reference: about.and_then(|change| change.reference.clone()),
                description: about.map_or_else(
                    || "Credits past their date".to_owned(),
                    |change| change.description.clone(),
                ),
                created_at: at,
            };
            credits::insert(tx, account, &transaction).await?;
        }
        if mode == Mode::Live {
            self.record_crossing(tx, &change).await?;
        }
        Ok(())
    }

    async fn record_crossing(&self, tx: &mut Tx, change: &Change) -> Result<(), Error> {
        if !change.ledger.crossed_below(change.low_threshold) {
            return Ok(());
        }
        let snapshot = (self.0.wire.balance)(&change.ledger.balance(), change.owner.1);
        let event = self.event(change.owner, EventType::CreditsBalanceLow, snapshot, tx.time()?);
        Ok(events::record(tx, &event).await?)
    }

    async fn record_expiring(
        &self,
        tx: &mut Tx,
        owner: Owner,
        valid_until: Option<Timestamp>,
    ) -> Result<(), Error> {
        let Some(account) = accounts::by_id(tx, owner.0).await? else { return Ok(()) };
        let snapshot = (self.0.wire.account)(&account, owner.1, valid_until);
        let event = self.event(owner, EventType::CreditsExpiring, snapshot, tx.time()?);
        Ok(events::record(tx, &event).await?)
    }

    fn event(&self, owner: Owner, kind: EventType, snapshot: String, at: Timestamp) -> Event {
        let (account_id, mode) = owner;
        Event { id: self.id(at), account_id, mode, kind, object_id: None, snapshot, created_at: at }
    }
}
