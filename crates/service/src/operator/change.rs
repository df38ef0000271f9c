//! What an operator changes: one list of all changes, and one way to make them, so that none is made without its line in
//! the record. Both are one transaction; a confirmation that comes twice changes nothing the second time.

use super::Operator;
use crate::credits::OperatorMovement;
use crate::deliveries::ResendRange;
use crate::keys::NewKey;
use crate::{Error, Service, accounts, deliveries, jobs, keys};
use domain::account::{Account, Owner};
use domain::credit::Balance;
use domain::id::{AccountId, EndpointId, EventId, JobId, KeyId};
use domain::key::{ApiKey, KeySecret};
use domain::mode::Mode;
use domain::operator::{Action, Entry, Reason};
use domain::scope::Scope;
use domain::time;
use jiff::Timestamp;
use store::{Tx, operators, webhooks};

/// Something that an operator changes.
#[derive(Clone, Debug)]
pub enum Change {
    /// Makes an account.
    CreateAccount {
        /// The partner's name.
        name: String,
        /// The technical contact.
        contact: Option<String>,
    },
    /// Suspends an account.
    SuspendAccount(AccountId),
    /// Lets an account go on.
    ResumeAccount(AccountId),
    /// Issues a key.
    IssueKey {
        /// To which account.
        account_id: AccountId,
        /// For which of its worlds.
        mode: Mode,
        /// What it may do.
        new: NewKey,
    },
    /// Revokes a key.
    RevokeKey(KeyId),
    /// Moves credits.
    MoveCredits(Owner, OperatorMovement),
    /// Sends an event again.
    ResendEvent(EventId),
    /// Sends all events of a span of time to an endpoint again.
    ResendRange(ResendRange),
    /// Tries a job that was put off now.
    RetryJob(JobId),
}

/// What came of a change.
#[derive(Debug)]
pub enum Done {
    /// The account as it is now.
    Account(Account),
    /// A key with its secret, which is shown this once.
    KeyIssued(ApiKey, KeySecret),
    /// The key that opens nothing any more.
    KeyRevoked(ApiKey),
    /// The balance as it is now.
    Balance(Balance),
    /// Where the event goes again.
    Resent(Vec<EndpointId>),
    /// How many events go again.
    RangeResent(usize),
    /// The job waits for its turn.
    Retried,
}

/// Why an operator's change was not made.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// The operator's key was revoked meanwhile.
    #[error("the operator's key is revoked")]
    Revoked,
    /// The same confirmation came before.
    #[error("this was confirmed and done before")]
    AlreadyDone,
    /// Anything that can go wrong elsewhere too.
    #[error(transparent)]
    Other(#[from] Error),
}

impl From<store::Error> for OperatorError {
    fn from(error: store::Error) -> OperatorError {
        OperatorError::Other(error.into())
    }
}

/// A change with all that is drawn by chance, so that the transaction can be run again.
#[derive(Clone, Debug)]
enum Plan {
    Create(Account),
    Suspend(AccountId, Option<Timestamp>),
    Issue(ApiKey),
    Revoke(KeyId),
    Move(Owner, OperatorMovement),
    Resend(EventId),
    ResendRange(ResendRange),
    Retry(JobId),
}

/// What the transaction gives.
enum Outcome {
    Account(Account),
    Issued,
    Revoked(ApiKey),
    Balance(Balance),
    Resent(Vec<EndpointId>),
    /// The events are sent after the commit, some at a time: there may be very many.
    ToResend(ResendRange),
    Retried,
}

impl Service {
    /// Makes a change, with its line in the record. `once` names the confirmation.
    #[crate::boxed]
    pub async fn operate(
        &self,
        by: &Operator,
        change: Change,
        reason: Option<Reason>,
        once: Option<String>,
    ) -> Result<Done, OperatorError> {
        let now = self.now();
        let entry = self.entry(by, change.action(), now);
        let (reason, details) = (reason.map(Reason::into_string), change.details());
        let (plan, secret) = self.plan(change, now);
        let (account_id, object_id) = (plan.account_id(), plan.object_id());
        let entry = Entry { account_id, object_id, reason, details, ..entry };
        let input = (self.clone(), plan, entry, once, now);
        let outcome = self
            .0
            .store
            .write(input, |tx, (service, plan, entry, once, now)| {
                Box::pin(async move {
                    if let Some(key) = entry.key_id
                        && !operators::holds(tx, key).await?
                    {
                        return Err(OperatorError::Revoked);
                    }
                    if !operators::record(tx, entry, once.as_deref()).await? {
                        return Err(OperatorError::AlreadyDone);
                    }
                    let (outcome, account) = service.carry_out(tx, plan, *now).await?;
                    if let Some(account) = account {
                        operators::concern(tx, entry.id, account).await?;
                    }
                    Ok(outcome)
                })
            })
            .await?;
        Ok(match outcome {
            Outcome::Account(account) => Done::Account(account),
            Outcome::Issued => {
                let (key, secret) = secret.expect("a plan that issues a key was drawn with it");
                Done::KeyIssued(key, secret)
            }
            Outcome::Revoked(key) => {
                self.forget_key(&key);
                Done::KeyRevoked(key)
            }
            Outcome::Balance(balance) => Done::Balance(balance),
            Outcome::Resent(endpoints) => Done::Resent(endpoints),
            Outcome::ToResend(range) => Done::RangeResent(self.resend_range(range).await?),
            Outcome::Retried => Done::Retried,
        })
    }

    fn plan(&self, change: Change, now: Timestamp) -> (Plan, Option<(ApiKey, KeySecret)>) {
        let plan = match change {
            Change::CreateAccount { name, contact } => {
                Plan::Create(Account::new(self.id(now), name, contact, now))
            }
            Change::SuspendAccount(id) => Plan::Suspend(id, Some(now)),
            Change::ResumeAccount(id) => Plan::Suspend(id, None),
            Change::IssueKey { account_id, mode, new } => {
                let (key, secret) = self.draft_key(account_id, mode, new, now);
                return (Plan::Issue(key.clone()), Some((key, secret)));
            }
            Change::RevokeKey(id) => Plan::Revoke(id),
            Change::MoveCredits(owner, movement) => Plan::Move(owner, movement),
            Change::ResendEvent(id) => Plan::Resend(id),
            Change::ResendRange(range) => Plan::ResendRange(range),
            Change::RetryJob(id) => Plan::Retry(id),
        };
        (plan, None)
    }

    /// Does what was planned. Beside the outcome, the account that it was about, where only that told.
    async fn carry_out(
        &self,
        tx: &mut Tx,
        plan: &Plan,
        now: Timestamp,
    ) -> Result<(Outcome, Option<AccountId>), Error> {
        let outcome = match plan {
            Plan::Create(account) => {
                self.insert_account(tx, account).await?;
                Outcome::Account(account.clone())
            }
            Plan::Suspend(id, at) => Outcome::Account(accounts::suspend_in(tx, *id, *at).await?),
            Plan::Issue(key) => {
                keys::insert_in(tx, key).await?;
                Outcome::Issued
            }
            Plan::Revoke(id) => {
                let key = keys::revoke_in(tx, *id, now).await?;
                let account = key.account_id;
                return Ok((Outcome::Revoked(key), Some(account)));
            }
            Plan::Move(owner, movement) => {
                Outcome::Balance(self.move_credits_in(tx, *owner, movement, now).await?)
            }
            Plan::Resend(id) => {
                let (event, endpoints) = deliveries::resend_in(tx, *id, now).await?;
                return Ok((Outcome::Resent(endpoints), Some(event.account_id)));
            }
            Plan::ResendRange(range) => {
                let endpoint = webhooks::by_id(tx, range.endpoint_id).await?;
                let account = endpoint.map(|endpoint| endpoint.account_id);
                return Ok((Outcome::ToResend(*range), account));
            }
            Plan::Retry(id) => {
                jobs::retry_in(tx, *id, now).await?;
                Outcome::Retried
            }
        };
        Ok((outcome, None))
    }
}

impl Plan {
    /// The account that it is about, where the plan itself names one.
    fn account_id(&self) -> Option<AccountId> {
        match self {
            Plan::Create(account) => Some(account.id),
            Plan::Suspend(id, _) | Plan::Move((id, _), _) => Some(*id),
            Plan::Issue(key) => Some(key.account_id),
            Plan::Revoke(_) | Plan::Resend(_) | Plan::ResendRange(_) | Plan::Retry(_) => None,
        }
    }

    fn object_id(&self) -> Option<String> {
        match self {
            Plan::Create(_) | Plan::Suspend(..) | Plan::Move(..) => None,
            Plan::Issue(key) => Some(key.id.to_string()),
            Plan::Revoke(id) => Some(id.to_string()),
            Plan::Resend(id) => Some(id.to_string()),
            Plan::ResendRange(range) => Some(range.endpoint_id.to_string()),
            Plan::Retry(id) => Some(id.to_string()),
        }
    }
}

impl Change {
    fn action(&self) -> Action {
        match self {
            Change::CreateAccount { .. } => Action::AccountCreated,
            Change::SuspendAccount(_) => Action::AccountSuspended,
            Change::ResumeAccount(_) => Action::AccountResumed,
            Change::IssueKey { .. } => Action::KeyIssued,
            Change::RevokeKey(_) => Action::KeyRevoked,
            Change::MoveCredits(_, OperatorMovement::TopUp { .. }) => Action::CreditsToppedUp,
            Change::MoveCredits(_, OperatorMovement::Adjust { .. }) => Action::CreditsAdjusted,
            Change::MoveCredits(_, OperatorMovement::Revive { .. }) => Action::CreditsRevived,
            Change::ResendEvent(_) => Action::EventResent,
            Change::ResendRange(_) => Action::EventsResent,
            Change::RetryJob(_) => Action::JobRetried,
        }
    }

    /// What exactly is done, in a few words for people.
    pub fn details(&self) -> String {
        let until = |end: &Option<Timestamp>| match end {
            Some(end) => format!(", good until {}", time::Shown(*end)),
            None => String::new(),
        };
        match self {
            Change::CreateAccount { name, contact } => match contact {
                Some(contact) => format!("{name}, contact {contact}"),
                None => name.clone(),
            },
            Change::IssueKey { mode, new, .. } => {
                let scopes = new.scopes.map_or_else(
                    || "everything".to_owned(),
                    |scopes| scopes.iter().map(Scope::name).collect::<Vec<_>>().join(" "),
                );
                let named = new.name.as_deref().map_or_else(String::new, |name| format!(" \"{name}\""));
                let networks: Vec<String> = new.allowed_networks.iter().map(ToString::to_string).collect();
                let from = if networks.is_empty() { "anywhere".to_owned() } else { networks.join(" ") };
                format!("A {mode} key{named} that may do {scopes}, from {from}")
            }
            Change::MoveCredits((_, mode), OperatorMovement::TopUp { amount, valid_until, reference }) => {
                let reference =
                    reference.as_deref().map_or_else(String::new, |text| format!(", reference {text}"));
                format!("{amount} {mode} credits{}{reference}", until(valid_until))
            }
            Change::MoveCredits((_, mode), OperatorMovement::Adjust { amount, description }) => {
                format!("{amount:+} {mode} credits: {description}")
            }
            Change::MoveCredits((_, mode), OperatorMovement::Revive { valid_until }) => {
                format!("Expired {mode} credits{}", until(valid_until))
            }
            Change::ResendRange(range) => {
                format!("From {} until before {}", time::Shown(range.since), time::Shown(range.until))
            }
            Change::SuspendAccount(_)
            | Change::ResumeAccount(_)
            | Change::RevokeKey(_)
            | Change::ResendEvent(_)
            | Change::RetryJob(_) => String::new(),
        }
    }
}
