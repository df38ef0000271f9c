//! What is asked for: the change, what it is about, and what follows from it, read from the fields of a form.

use crate::console::Console;
use crate::console::accounts::owner;
use crate::console::form::Fields;
use crate::console::html::{Html, html, moment, name, name_or_dash};
use crate::console::layout::link;
use crate::console::problem::Problem;
use domain::account::Account;
use domain::id::{AccountId, EventId, JobId};
use domain::scope::{Scope, Scopes};
use ipnet::IpNet;
use service::credits::OperatorMovement;
use service::deliveries::ResendRange;
use service::keys::NewKey;
use service::operator::Change;
use std::net::IpAddr;

/// Networks that one key may be bound to.
const NETWORKS_MAX: usize = 50;

/// A change that somebody is about to make.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) change: Change,
    pub(super) title: &'static str,
    /// What it is about.
    pub(super) about: Vec<(&'static str, Html)>,
    /// What follows.
    pub(super) follows: &'static str,
    /// What the button says.
    pub(super) button: &'static str,
    /// Where to go when it is done, or not done.
    pub(super) back: String,
    /// What was done, as the next page tells.
    pub(super) done: &'static str,
    pub(super) needs_reason: bool,
}

impl Asked {
    /// Reads the fields, and looks up what they name.
    pub(super) async fn parse(console: &Console, fields: &Fields) -> Result<Asked, Problem> {
        match fields.text("change").unwrap_or_default() {
            "create-account" => create_account(fields),
            "suspend" => standing(console, fields, true).await,
            "resume" => standing(console, fields, false).await,
            "issue-key" => issue_key(console, fields).await,
            "revoke-key" => revoke_key(console, fields).await,
            "top-up" => move_credits(console, fields, Movement::TopUp).await,
            "adjust" => move_credits(console, fields, Movement::Adjust).await,
            "resend" => resend(console, fields).await,
            "resend-range" => resend_range(console, fields).await,
            "retry" => retry(fields),
            _ => Err(Problem::missing("change")),
        }
    }
}

async fn account(console: &Console, fields: &Fields) -> Result<Account, Problem> {
    let id = fields.id::<AccountId>("account", "The account")?;
    Ok(console.service.account(id).await?)
}

fn named(account: &Account) -> Vec<(&'static str, Html)> {
    vec![("Account", name(&account.name)), ("Id", html!("<span class=\"id\">{}</span>", account.id))]
}

fn create_account(fields: &Fields) -> Result<Asked, Problem> {
    let (named, contact) = (fields.line("name", "The name")?, fields.opt_mail("contact")?);
    Ok(Asked {
        about: vec![("Name", name(&named)), ("Contact", name_or_dash(contact.as_deref()))],
        change: Change::CreateAccount { name: named, contact },
        title: "Make this account?",
        follows: "The account is made with an empty live balance and 10000 test credits. It has no keys yet.",
        button: "Make the account",
        back: "/accounts".to_owned(),
        done: "account-made",
        needs_reason: false,
    })
}

async fn standing(console: &Console, fields: &Fields, is_end: bool) -> Result<Asked, Problem> {
    let account = account(console, fields).await?;
    let back = format!("/accounts/{}", account.id);
    let about = named(&account);
    Ok(if is_end {
        Asked {
            change: Change::SuspendAccount(account.id),
            title: "Suspend this account?",
            about,
            follows: "All its keys are refused within a second, and its review links open nothing. Nothing of it is \
                      deleted, and work that was begun is finished.",
            button: "Suspend the account",
            back,
            done: "suspended",
            needs_reason: true,
        }
    } else {
        Asked {
            change: Change::ResumeAccount(account.id),
            title: "Let this account go on?",
            about,
            follows: "Its keys and review links work again within a second.",
            button: "Let it go on",
            back,
            done: "resumed",
            needs_reason: false,
        }
    })
}

async fn issue_key(console: &Console, fields: &Fields) -> Result<Asked, Problem> {
    let account = account(console, fields).await?;
    let mode = fields.mode()?;
    let scopes: Option<Vec<Scope>> = fields.all("scope").map(Scope::parse).collect();
    let scopes = scopes.ok_or_else(|| Problem::wrong("There is no such scope."))?;
    let scopes = (!scopes.is_empty()).then(|| scopes.into_iter().collect::<Scopes>());
    let new = NewKey {
        name: fields.opt_line("name", "The name")?,
        scopes,
        allowed_networks: networks(fields.text("networks").unwrap_or_default())?,
    };
    let change = Change::IssueKey { account_id: account.id, mode, new };
    let mut about = named(&account);
    about.push(("Key", name(&change.details())));
    Ok(Asked {
        change,
        title: "Issue this key?",
        about,
        follows: "The key works at once. It is shown on the next page, and never again.",
        button: "Issue the key",
        back: format!("/accounts/{}/keys", account.id),
        done: "key-issued",
        needs_reason: false,
    })
}

fn networks(text: &str) -> Result<Vec<IpNet>, Problem> {
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    if words.len() > NETWORKS_MAX {
        return Err(Problem::wrong(format!("A key is bound to at most {NETWORKS_MAX} networks.")));
    }
    let network = |word: &&str| {
        let alone = || word.parse::<IpAddr>().ok().map(IpNet::from);
        word.parse().ok().or_else(alone)
    };
    let networks: Option<Vec<IpNet>> = words.iter().map(network).collect();
    networks.ok_or_else(|| {
        Problem::wrong("Networks are written like 192.0.2.0/24 or 2001:db8::7, with spaces between.")
    })
}

async fn revoke_key(console: &Console, fields: &Fields) -> Result<Asked, Problem> {
    let key = console.service.any_key(fields.id("key", "The key")?).await?;
    Ok(Asked {
        change: Change::RevokeKey(key.id),
        title: "Revoke this key?",
        about: vec![
            ("Account", owner(key.account_id)),
            ("Key", html!("<span class=\"id\">{}</span>", key.id)),
            ("Name", name_or_dash(key.name.as_deref())),
            ("Mode", html!("{}", key.mode)),
            ("Ends in", html!("<code>{}</code>", key.last_four.as_str())),
        ],
        follows: "Every process refuses it within a second. A revoked key cannot be brought back.",
        button: "Revoke the key",
        back: format!("/accounts/{}/keys", key.account_id),
        done: "key-revoked",
        needs_reason: false,
    })
}

#[derive(Clone, Copy)]
enum Movement {
    TopUp,
    Adjust,
}

async fn move_credits(console: &Console, fields: &Fields, kind: Movement) -> Result<Asked, Problem> {
    let account = account(console, fields).await?;
    let mode = fields.mode()?;
    let balance = console.service.balance((account.id, mode)).await?;
    let (movement, title, follows, button, done) = match kind {
        Movement::TopUp => (
            OperatorMovement::TopUp {
                amount: fields.credits("amount")?,
                valid_until: fields.opt_time("valid_until", "The end")?,
                reference: fields.opt_line("reference", "The reference")?,
            },
            "Top up these credits?",
            "The credits are available at once, and the movement stands in the account's ledger. A date holds for all \
             available credits.",
            "Top up",
            "topped-up",
        ),
        Movement::Adjust => (
            OperatorMovement::Adjust {
                amount: fields.difference("amount")?,
                description: fields.line("description", "The description")?,
            },
            "Correct these credits?",
            "The movement stands in the account's ledger with its description, which the account sees.",
            "Correct",
            "adjusted",
        ),
    };
    let change = Change::MoveCredits((account.id, mode), movement);
    let mut about = named(&account);
    about.push(("Available now", html!("{} {}", balance.available, mode)));
    about.push(("Movement", name(&change.details())));
    Ok(Asked {
        change,
        title,
        about,
        follows,
        button,
        back: format!("/accounts/{}/credits?mode={mode}", account.id),
        done,
        needs_reason: false,
    })
}

async fn resend(console: &Console, fields: &Fields) -> Result<Asked, Problem> {
    let event = console.service.any_event(fields.id::<EventId>("event", "The event")?).await?;
    Ok(Asked {
        change: Change::ResendEvent(event.id),
        title: "Send this event again?",
        about: vec![
            ("Event", link("/events", &event.id.to_string())),
            ("Type", html!("{}", event.kind.name())),
            ("Account", owner(event.account_id)),
            ("When", moment(event.created_at)),
        ],
        follows: "It goes at once to every enabled endpoint of its account and mode that takes its type, with the same \
                  id, so that a receiver knows it again.",
        button: "Send it again",
        back: format!("/events/{}", event.id),
        done: "resent",
        needs_reason: false,
    })
}

async fn resend_range(console: &Console, fields: &Fields) -> Result<Asked, Problem> {
    let endpoint = console.service.any_endpoint(fields.id("endpoint", "The endpoint")?).await?;
    let since = fields.opt_time("since", "The beginning")?;
    let since = since.ok_or_else(|| Problem::wrong("The beginning is missing."))?;
    let until = fields.opt_time("until", "The end")?.unwrap_or_else(|| console.service.now());
    let range = ResendRange { endpoint_id: endpoint.id, since, until };
    let count = console.service.count_range(range).await?;
    Ok(Asked {
        change: Change::ResendRange(range),
        title: "Send these events again?",
        about: vec![
            ("Endpoint", link("/endpoints", &endpoint.id.to_string())),
            ("Url", name(&endpoint.url)),
            ("From", moment(since)),
            ("Until before", moment(until)),
            ("Events", html!("{}", count)),
        ],
        follows: "They go to this endpoint at once, with the same ids, so that a receiver knows them again.",
        button: "Send them again",
        back: format!("/endpoints/{}", endpoint.id),
        done: "range-resent",
        needs_reason: false,
    })
}

fn retry(fields: &Fields) -> Result<Asked, Problem> {
    let id: JobId = fields.id("job", "The job")?;
    Ok(Asked {
        change: Change::RetryJob(id),
        title: "Try this work now?",
        about: vec![("Job", html!("<span class=\"id\">{}</span>", id))],
        follows: "It waits for its turn at once, with all its tries before it.",
        button: "Try it now",
        back: "/failures".to_owned(),
        done: "retried",
        needs_reason: false,
    })
}
