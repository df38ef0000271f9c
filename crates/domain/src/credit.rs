//! Credits: the ledger's laws (contract, section 11).
//!
//! A balance has three pots. *Available* and *held* are usable, *expired* is kept and shown. Moving credits
//! between available and held is no transaction; every change of the usable sum is exactly one.

use crate::id::{Identifier as _, PaperId, SubmissionId, TransactionId};
use crate::mode::Mode;
use crate::paging::Position;
use crate::refusal::Refusal;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A number of credits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Credits(pub u64);

impl Credits {
    /// None.
    pub const ZERO: Credits = Credits(0);
    /// The most that one movement or one pot may hold, so that sums stay far from overflow.
    pub const MAX: Credits = Credits(1_000_000_000_000);

    /// What this many pages cost at this price each.
    #[must_use]
    pub fn times(self, pages: u32) -> Credits {
        Credits(self.0.saturating_mul(u64::from(pages)))
    }

    fn plus(self, other: Credits) -> Credits {
        Credits(self.0 + other.0)
    }

    fn less(self, other: Credits) -> Option<Credits> {
        self.0.checked_sub(other.0).map(Credits)
    }

    /// As a signed number, for the ledger.
    pub fn signed(self) -> i64 {
        i64::try_from(self.0).expect("pots are bounded far below this")
    }
}

impl fmt::Display for Credits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How long before their end a warning about credits is sent.
pub const EXPIRY_WARNING: SignedDuration = SignedDuration::from_hours(7 * 24);

/// What an account has in one mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// To be spent.
    pub available: Credits,
    /// Set aside for work that has begun; stays chargeable after the date.
    pub held: Credits,
    /// Past their date: kept and shown, not usable.
    pub expired: Credits,
    /// When the available credits end.
    pub valid_until: Option<Timestamp>,
    /// The last date on which credits ended; holds from before it go to `expired` when given back.
    pub expired_at: Option<Timestamp>,
    /// The end that a warning was sent for.
    pub warned_for: Option<Timestamp>,
}

impl Balance {
    /// Available and held together.
    pub fn usable(&self) -> Credits {
        self.available.plus(self.held)
    }

    /// Everything, as the API shows it.
    pub fn total(&self) -> Credits {
        self.usable().plus(self.expired)
    }

    /// True when the available credits' date has come and they are not yet moved.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.valid_until.is_some_and(|end| end <= now && self.expired_at.is_none_or(|done| done < end))
    }

    /// When the sweep must look at this balance next: to warn of the end, then at the end itself.
    pub fn due_at(&self) -> Option<Timestamp> {
        let end = self.valid_until.filter(|&end| self.expired_at.is_none_or(|done| done < end))?;
        Some(if self.warned_for == Some(end) { end } else { end - EXPIRY_WARNING })
    }

    /// True when the warning that credits end soon is due: once for each end, 7 days ahead.
    pub fn is_warning_due(&self, now: Timestamp) -> bool {
        let Some(end) = self.valid_until else { return false };
        let soon = end > now && end.duration_since(now) <= EXPIRY_WARNING;
        soon && self.warned_for != Some(end) && self.usable() > Credits::ZERO
    }
}

/// Why the usable sum changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MovementKind {
    /// Bought.
    TopUp,
    /// Spent on reading a paper.
    PaperProcessing,
    /// Spent on marking a script.
    Grading,
    /// The operator's correction.
    Adjustment,
    /// Past their date.
    Expiry,
}

impl MovementKind {
    /// Every kind, in the order of the API text.
    pub const ALL: [MovementKind; 5] = [
        MovementKind::TopUp,
        MovementKind::PaperProcessing,
        MovementKind::Grading,
        MovementKind::Adjustment,
        MovementKind::Expiry,
    ];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            MovementKind::TopUp => "top_up",
            MovementKind::PaperProcessing => "paper_processing",
            MovementKind::Grading => "grading",
            MovementKind::Adjustment => "adjustment",
            MovementKind::Expiry => "expiry",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<MovementKind> {
        MovementKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One change of the usable sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Movement {
    /// Why.
    pub kind: MovementKind,
    /// By how much, with its sign.
    pub amount: i64,
    /// The usable sum after it.
    pub balance_after: Credits,
}

/// A movement as it stands in the ledger.
#[derive(Clone, Debug)]
pub struct Transaction {
    /// Its id.
    pub id: TransactionId,
    /// In which world.
    pub mode: Mode,
    /// Why, by how much, and what was there after it.
    pub movement: Movement,
    /// For how many pages.
    pub pages: Option<u32>,
    /// `object` and `id` of what it was for; they stay after that is deleted.
    pub source: Option<(String, String)>,
    /// The operator's own reference.
    pub reference: Option<String>,
    /// For people.
    pub description: String,
    /// When.
    pub created_at: Timestamp,
}

impl Transaction {
    /// Where it stands in the list.
    pub fn position(&self) -> Position {
        Position { time_us: self.created_at.as_microsecond(), id: self.id.number() }
    }
}

/// What a list of transactions can be limited to.
#[derive(Clone, Debug, Default)]
pub struct TransactionFilter {
    /// Of this kind only.
    pub kind: Option<MovementKind>,
    /// About this paper or submission only.
    pub source_id: Option<String>,
}

/// What a hold or a charge is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Reading a paper.
    Paper(PaperId),
    /// Marking a submission.
    Submission(SubmissionId),
}

impl Source {
    /// The `object` of a transaction's source.
    pub const fn object(self) -> &'static str {
        match self {
            Source::Paper(_) => "paper",
            Source::Submission(_) => "submission",
        }
    }

    /// The id of the paper or submission.
    pub fn id(self) -> String {
        match self {
            Source::Paper(id) => id.to_string(),
            Source::Submission(id) => id.to_string(),
        }
    }

    /// The kind of movement that charging it makes.
    pub const fn charge_kind(self) -> MovementKind {
        match self {
            Source::Paper(_) => MovementKind::PaperProcessing,
            Source::Submission(_) => MovementKind::Grading,
        }
    }
}

/// Credits set aside for a paper or a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// How many.
    pub credits: Credits,
    /// When they were set aside.
    pub created_at: Timestamp,
}

/// A balance while it is being changed: what is done to it, and the movements that this makes.
#[derive(Clone, Debug)]
pub struct Ledger {
    before: Balance,
    balance: Balance,
    now: Timestamp,
    movements: Vec<Movement>,
}

impl Ledger {
    /// Opens the ledger and first moves credits whose date has come, so that nobody spends them meanwhile.
    pub fn open(balance: Balance, now: Timestamp) -> Ledger {
        let mut ledger = Ledger { before: balance, balance, now, movements: Vec::new() };
        if balance.is_overdue(now) {
            let ended = balance.available;
            ledger.balance.available = Credits::ZERO;
            ledger.balance.expired = balance.expired.plus(ended);
            ledger.balance.expired_at = balance.valid_until;
            ledger.record(MovementKind::Expiry, -ended.signed());
        }
        ledger
    }

    /// Sets credits aside.
    pub fn hold(&mut self, cost: Credits) -> Result<Hold, Refusal> {
        let Balance { available, held, expired, .. } = self.balance;
        let Some(rest) = available.less(cost) else {
            return Err(match self.balance.expired_at {
                Some(ended_at) if available.plus(expired) >= cost => {
                    Refusal::CreditsExpired { needed: cost, ended_at }
                }
                _ => Refusal::InsufficientCredits { needed: cost, available },
            });
        };
        let total = self.balance.total();
        self.balance.available = rest;
        self.balance.held = held.plus(cost);
        assert_eq!(self.balance.total(), total, "holding moves credits, it does not make or spend them");
        Ok(Hold { credits: cost, created_at: self.now })
    }

    /// Spends what was set aside.
    pub fn charge(&mut self, hold: Hold, kind: MovementKind) {
        self.take_from_held(hold.credits);
        self.record(kind, -hold.credits.signed());
    }

    /// Puts back what was set aside: to the available credits, or to the expired ones when their date passed.
    pub fn give_back(&mut self, hold: Hold) {
        self.take_from_held(hold.credits);
        if self.balance.expired_at.is_some_and(|ended| hold.created_at < ended) {
            self.balance.expired = self.balance.expired.plus(hold.credits);
            self.record(MovementKind::Expiry, -hold.credits.signed());
        } else {
            self.balance.available = self.balance.available.plus(hold.credits);
        }
    }

    /// Adds bought credits. `valid_until` is the new end of all available ones; without it the present end
    /// stays if it is still to come.
    pub fn top_up(&mut self, amount: Credits, valid_until: Option<Timestamp>) -> Result<(), Refusal> {
        self.add(amount)?;
        self.renew(valid_until);
        self.record(MovementKind::TopUp, amount.signed());
        Ok(())
    }

    /// The operator's correction, up or down, never below zero.
    pub fn adjust(&mut self, amount: i64) -> Result<(), Refusal> {
        let size = Credits(amount.unsigned_abs());
        if amount >= 0 {
            self.add(size)?;
        } else {
            let available = self.balance.available;
            let rest =
                available.less(size).ok_or(Refusal::InsufficientCredits { needed: size, available })?;
            self.balance.available = rest;
        }
        self.record(MovementKind::Adjustment, amount);
        Ok(())
    }

    /// Makes all expired credits available again.
    pub fn revive(&mut self, valid_until: Option<Timestamp>) -> Credits {
        let revived = self.balance.expired;
        self.balance.expired = Credits::ZERO;
        self.balance.available = self.balance.available.plus(revived);
        self.renew(valid_until);
        self.record(MovementKind::Adjustment, revived.signed());
        revived
    }

    /// Notes that the warning about the present end was sent.
    pub fn warned(&mut self) {
        self.balance.warned_for = self.balance.valid_until;
    }

    /// The balance as it stands now.
    pub fn balance(&self) -> Balance {
        self.balance
    }

    /// The movements made, in order.
    pub fn movements(&self) -> &[Movement] {
        &self.movements
    }

    /// True when the available credits fell below the threshold by what was done.
    pub fn crossed_below(&self, threshold: Credits) -> bool {
        self.before.available >= threshold && self.balance.available < threshold
    }

    fn add(&mut self, amount: Credits) -> Result<(), Refusal> {
        let sum = self.balance.available.plus(amount);
        if self.balance.total().plus(amount) > Credits::MAX {
            return Err(Refusal::TooManyCredits { most: Credits::MAX });
        }
        self.balance.available = sum;
        Ok(())
    }

    fn renew(&mut self, valid_until: Option<Timestamp>) {
        let present = self.balance.valid_until.filter(|&end| end > self.now);
        self.balance.valid_until = valid_until.or(present);
    }

    fn take_from_held(&mut self, credits: Credits) {
        self.balance.held =
            self.balance.held.less(credits).expect("a hold is settled once, by compare-and-set on its row");
    }

    fn record(&mut self, kind: MovementKind, amount: i64) {
        // A movement of nothing is no movement: an empty balance that expires leaves no trace in the ledger.
        if amount != 0 {
            self.movements.push(Movement { kind, amount, balance_after: self.balance.usable() });
        }
    }
}

#[cfg(test)]
#[path = "credit_tests.rs"]
mod tests;
