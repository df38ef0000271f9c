//! `tickmark credits`: an account's balance, and the operator's movements on it.

use super::values::{self, moment};
use super::{Global, ModeName, open};
use crate::failure::Failure;
use clap::{Args, Subcommand};
use domain::credit::{Balance, Credits};
use domain::id::AccountId;
use domain::mode::Mode;
use jiff::Timestamp;
use serde::Serialize;
use service::credits::OperatorMovement;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark credits top-up --account acct_… --amount 5000 --valid-until 2027-07-31 --reference 'invoice 17'
  tickmark credits adjust --account acct_… --amount -20 --description 'Counted twice'
  tickmark credits revive --account acct_… --valid-until 2027-12-31
  tickmark credits show --account acct_…")]
pub(super) enum Command {
    /// Add credits
    TopUp {
        #[command(flatten)]
        owner: Owner,
        /// How many
        #[arg(long, value_name = "N", value_parser = values::some_credits)]
        amount: Credits,
        /// Until when all available credits are good: a date or a time, such as 2027-07-31
        #[arg(long, value_name = "T", value_parser = values::time)]
        valid_until: Option<Timestamp>,
        /// Your own reference, such as an invoice number
        #[arg(long, value_name = "R", value_parser = values::line)]
        reference: Option<String>,
    },
    /// Correct the available credits, up or down
    Adjust {
        #[command(flatten)]
        owner: Owner,
        /// By how many; negative to take away
        #[arg(long, value_name = "±N", allow_negative_numbers = true, value_parser = values::difference)]
        amount: i64,
        /// Why; the account sees it
        #[arg(long, value_name = "D", value_parser = values::line)]
        description: String,
    },
    /// Make expired credits available again
    Revive {
        #[command(flatten)]
        owner: Owner,
        /// Until when they are good now: a date or a time, such as 2027-07-31
        #[arg(long, value_name = "T", value_parser = values::time)]
        valid_until: Option<Timestamp>,
    },
    /// The balance
    Show {
        #[command(flatten)]
        owner: Owner,
    },
}

#[derive(Debug, Args)]
pub(super) struct Owner {
    /// The account's id
    #[arg(long, value_name = "ID", value_parser = values::id::<AccountId>)]
    account: AccountId,
    /// Which of its balances
    #[arg(long, default_value = "live")]
    mode: ModeName,
}

impl Owner {
    fn pair(&self) -> (AccountId, Mode) {
        (self.account, self.mode.into())
    }
}

#[derive(Serialize)]
struct View {
    account_id: AccountId,
    mode: &'static str,
    available: u64,
    held: u64,
    expired: u64,
    total: u64,
    credits_valid_until: Option<String>,
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        let (owner, movement) = match self {
            Command::TopUp { owner, amount, valid_until, reference } => {
                (owner, Some(OperatorMovement::TopUp { amount, valid_until, reference }))
            }
            Command::Adjust { owner, amount, description } => {
                (owner, Some(OperatorMovement::Adjust { amount, description }))
            }
            Command::Revive { owner, valid_until } => (owner, Some(OperatorMovement::Revive { valid_until })),
            Command::Show { owner } => (owner, None),
        };
        let owner = owner.pair();
        let balance = match movement {
            Some(movement) => app.service.move_credits(owner, movement).await?,
            None => app.service.balance(owner).await?,
        };
        show(global, owner, &balance)
    }
}

fn show(global: &Global, (account_id, mode): (AccountId, Mode), balance: &Balance) -> Result<(), Failure> {
    let view = View {
        account_id,
        mode: mode.name(),
        available: balance.available.0,
        held: balance.held.0,
        expired: balance.expired.0,
        total: balance.total().0,
        credits_valid_until: balance.valid_until.map(moment),
    };
    let lines = [
        ("Account", view.account_id.to_string()),
        ("Mode", view.mode.to_owned()),
        ("Available", view.available.to_string()),
        ("Held", view.held.to_string()),
        ("Expired", view.expired.to_string()),
        ("Total", view.total.to_string()),
        ("Valid until", view.credits_valid_until.clone().unwrap_or_else(|| "no end".to_owned())),
    ];
    Ok(global.output().record(&view, &lines)?)
}
