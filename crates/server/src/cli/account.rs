//! `tickmark account`: who may use the service, at what price and pace.

use super::values::{self, moment};
use super::{Global, ModeName, open};
use crate::failure::Failure;
use clap::{Args, Subcommand};
use domain::account::Account;
use domain::credit::Credits;
use domain::id::AccountId;
use serde::Serialize;
use service::accounts::AccountChanges;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark account create --name 'Hill School' --contact it@hill.example
  tickmark account update acct_… --rate-limit-live 1200 --low-balance 500
  tickmark account usage acct_… --months 3
  tickmark account suspend acct_…")]
pub(super) enum Command {
    /// Make an account with an empty live balance and 10,000 test credits
    Create {
        /// Name of the school or company
        #[arg(long, value_name = "N", value_parser = values::line)]
        name: String,
        /// Mail address of the technical contact
        #[arg(long, value_name = "MAIL", value_parser = values::mail)]
        contact: Option<String>,
    },
    /// All accounts, oldest first
    List,
    /// One account
    Show {
        /// The account's id
        #[arg(value_parser = values::id::<AccountId>)]
        id: AccountId,
    },
    /// What an account was charged, month by month
    Usage {
        /// The account's id
        #[arg(value_parser = values::id::<AccountId>)]
        id: AccountId,
        /// Which world
        #[arg(long, default_value = "live")]
        mode: ModeName,
        /// How many months, this one included
        #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u8).range(1..=120))]
        months: u8,
    },
    /// Change prices, limits or the contact
    Update(Changes),
    /// Refuse the account's requests until it is resumed
    Suspend {
        /// The account's id
        #[arg(value_parser = values::id::<AccountId>)]
        id: AccountId,
    },
    /// Let a suspended account go on
    Resume {
        /// The account's id
        #[arg(value_parser = values::id::<AccountId>)]
        id: AccountId,
    },
}

#[derive(Debug, Args)]
#[group(multiple = true)]
pub(super) struct Changes {
    /// The account's id
    #[arg(value_parser = values::id::<AccountId>)]
    id: AccountId,
    /// Requests per minute in live mode
    #[arg(long, value_name = "N", value_parser = values::rate())]
    rate_limit_live: Option<u32>,
    /// Requests per minute in test mode
    #[arg(long, value_name = "N", value_parser = values::rate())]
    rate_limit_test: Option<u32>,
    /// Tell the account when fewer live credits are available
    #[arg(long, value_name = "N", value_parser = values::credits)]
    low_balance: Option<Credits>,
    /// Credits for a page of a paper
    #[arg(long, value_name = "N", value_parser = values::credits)]
    paper_price: Option<Credits>,
    /// Credits for a page of a script
    #[arg(long, value_name = "N", value_parser = values::credits)]
    grading_price: Option<Credits>,
    /// Mail address of the technical contact
    #[arg(long, value_name = "MAIL", value_parser = values::mail)]
    contact: Option<String>,
}

/// Accounts read at once when all are listed.
const PAGE: i64 = 500;

#[derive(Serialize)]
struct View {
    id: AccountId,
    name: String,
    contact: Option<String>,
    status: &'static str,
    rate_limit_live: u32,
    rate_limit_test: u32,
    low_balance_threshold: u64,
    paper_credits_per_page: u64,
    grading_credits_per_page: u64,
    created_at: String,
    suspended_at: Option<String>,
}

impl From<Account> for View {
    fn from(account: Account) -> View {
        View {
            id: account.id,
            name: account.name,
            contact: account.contact,
            status: if account.suspended_at.is_some() { "suspended" } else { "active" },
            rate_limit_live: account.rate_limit_live,
            rate_limit_test: account.rate_limit_test,
            low_balance_threshold: account.low_balance_threshold.0,
            paper_credits_per_page: account.pricing.paper_per_page.0,
            grading_credits_per_page: account.pricing.grading_per_page.0,
            created_at: moment(account.created_at),
            suspended_at: account.suspended_at.map(moment),
        }
    }
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        let service = &app.service;
        let account = match self {
            Command::List => return list(global, service).await,
            Command::Usage { id, mode, months } => {
                return super::usage::print(global, service, (id, mode.into()), months).await;
            }
            Command::Create { name, contact } => service.create_account(name, contact).await?,
            Command::Show { id } => service.account(id).await?,
            Command::Update(changes) => changes.apply(service).await?,
            Command::Suspend { id } => service.suspend_account(id, Some(service.now())).await?,
            Command::Resume { id } => service.suspend_account(id, None).await?,
        };
        show(global, &account.into())
    }
}

impl Changes {
    async fn apply(self, service: &service::Service) -> Result<Account, Failure> {
        let changes = AccountChanges {
            rate_limit_live: self.rate_limit_live,
            rate_limit_test: self.rate_limit_test,
            low_balance_threshold: self.low_balance,
            paper_price: self.paper_price,
            grading_price: self.grading_price,
            contact: self.contact,
        };
        Ok(service.update_account(self.id, changes).await?)
    }
}

async fn list(global: &Global, service: &service::Service) -> Result<(), Failure> {
    let mut accounts: Vec<Account> = Vec::new();
    loop {
        let page = service.accounts_after(accounts.last(), PAGE).await?;
        if page.is_empty() {
            break;
        }
        accounts.extend(page);
    }
    let views: Vec<View> = accounts.into_iter().map(View::from).collect();
    let headings = ["id", "name", "contact", "status", "live/min", "test/min", "created"];
    Ok(global.output().list(&views, &headings, |view| {
        vec![
            view.id.to_string(),
            view.name.clone(),
            view.contact.clone().unwrap_or_default(),
            view.status.to_owned(),
            view.rate_limit_live.to_string(),
            view.rate_limit_test.to_string(),
            view.created_at.clone(),
        ]
    })?)
}

fn show(global: &Global, view: &View) -> Result<(), Failure> {
    let lines = [
        ("Id", view.id.to_string()),
        ("Name", view.name.clone()),
        ("Contact", view.contact.clone().unwrap_or_else(|| "none".to_owned())),
        ("Status", view.status.to_owned()),
        ("Live requests per minute", view.rate_limit_live.to_string()),
        ("Test requests per minute", view.rate_limit_test.to_string()),
        ("Low balance below", view.low_balance_threshold.to_string()),
        ("Credits per paper page", view.paper_credits_per_page.to_string()),
        ("Credits per script page", view.grading_credits_per_page.to_string()),
        ("Created", view.created_at.clone()),
    ];
    Ok(global.output().record(view, &lines)?)
}
