//! `tickmark operator`: the keys that open the console, and the log of what operators did.

use super::values::{self, moment};
use super::{Global, open};
use crate::failure::Failure;
use clap::Subcommand;
use domain::id::{AccountId, OperatorKeyId};
use domain::operator::{Entry, OperatorKey};
use domain::paging::{Limit, Seal, parse_cursor};
use domain::text::ShortLine;
use serde::Serialize;
use service::Service;
use service::operator::Operator;

/// Keys that are read at once.
const KEYS_AT_ONCE: i64 = 100;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark operator key create --name 'Ada Lovelace'
  tickmark operator key list
  tickmark operator key revoke okey_…
  tickmark operator log --limit 200

The console itself is switched on with `tickmark serve --console 127.0.0.1:9091`.")]
pub(super) enum Command {
    /// Keys that open the console
    #[command(subcommand)]
    Key(Key),
    /// What operators did, newest first: logins, views of students' scripts, changes
    Log {
        /// At most so many lines
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
        /// Of this account only
        #[arg(long, value_name = "ID", value_parser = values::id::<AccountId>)]
        account: Option<AccountId>,
    },
}

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark operator key create --name 'Ada Lovelace'
  tickmark operator key revoke okey_…

Only a hash of a key is kept. A revoked key is logged out at once.")]
pub(super) enum Key {
    /// Make a key for one person and show it, this once
    Create {
        /// Whose it is; the log names them so
        #[arg(long, value_name = "NAME", value_parser = values::line)]
        name: String,
    },
    /// All keys, oldest first
    List,
    /// Revoke a key; it is logged out everywhere at once
    Revoke {
        /// The key's id
        #[arg(value_parser = values::id::<OperatorKeyId>)]
        id: OperatorKeyId,
    },
}

#[derive(Serialize)]
struct KeyView {
    id: OperatorKeyId,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    name: String,
    last_four: String,
    status: &'static str,
    created_at: String,
    revoked_at: Option<String>,
    last_used_at: Option<String>,
}

impl KeyView {
    fn new(key: OperatorKey, secret: Option<String>) -> KeyView {
        KeyView {
            id: key.id,
            key: secret,
            name: key.name.into_string(),
            last_four: key.last_four,
            status: if key.revoked_at.is_some() { "revoked" } else { "active" },
            created_at: moment(key.created_at),
            revoked_at: key.revoked_at.map(moment),
            last_used_at: key.last_used_at.map(moment),
        }
    }
}

#[derive(Serialize)]
struct EntryView {
    at: String,
    operator: String,
    key_id: Option<OperatorKeyId>,
    address: Option<String>,
    action: &'static str,
    account_id: Option<AccountId>,
    object_id: Option<String>,
    details: String,
    reason: Option<String>,
}

impl From<Entry> for EntryView {
    fn from(entry: Entry) -> EntryView {
        EntryView {
            at: moment(entry.created_at),
            operator: entry.operator,
            key_id: entry.key_id,
            address: entry.address,
            action: entry.action.name(),
            account_id: entry.account_id,
            object_id: entry.object_id,
            details: entry.details,
            reason: entry.reason,
        }
    }
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        match self {
            Command::Key(key) => key.run(global, &app.service).await,
            Command::Log { limit, account } => {
                let views = log(&app.service, account, limit as usize).await?;
                let headings = ["when", "who", "from", "what", "account", "about", "exactly", "reason"];
                Ok(global.output().list(&views, &headings, |view| {
                    let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
                    vec![
                        view.at.clone(),
                        view.operator.clone(),
                        or_empty(&view.address),
                        view.action.to_owned(),
                        view.account_id.map(String::from).unwrap_or_default(),
                        or_empty(&view.object_id),
                        view.details.clone(),
                        or_empty(&view.reason),
                    ]
                })?)
            }
        }
    }
}

impl Key {
    async fn run(self, global: &Global, service: &Service) -> Result<(), Failure> {
        let by = Operator::command_line();
        match self {
            Key::Create { name } => {
                let (key, secret) = service.create_operator_key(&by, ShortLine::trusted(name)).await?;
                let view = KeyView::new(key, Some(secret.reveal().to_owned()));
                let lines = [
                    ("Id", view.id.to_string()),
                    ("Key", secret.reveal().to_owned()),
                    ("Name", view.name.clone()),
                    ("Note", "the key is shown only now; it opens the console for one person".to_owned()),
                ];
                Ok(global.output().record(&view, &lines)?)
            }
            Key::List => {
                let views = keys(service).await?;
                let headings = ["id", "name", "ends in", "status", "last used", "created"];
                Ok(global.output().list(&views, &headings, |view| {
                    vec![
                        view.id.to_string(),
                        view.name.clone(),
                        view.last_four.clone(),
                        view.status.to_owned(),
                        view.last_used_at.clone().unwrap_or_else(|| "never".to_owned()),
                        view.created_at.clone(),
                    ]
                })?)
            }
            Key::Revoke { id } => {
                let view = KeyView::new(service.revoke_operator_key(&by, id).await?, None);
                Ok(global.output().done(&view, &format!("The key {id} is revoked and logged out."))?)
            }
        }
    }
}

async fn keys(service: &Service) -> Result<Vec<KeyView>, Failure> {
    let (mut views, mut last) = (Vec::new(), None);
    loop {
        let some = service.operator_keys_after(last.as_ref(), KEYS_AT_ONCE).await?;
        let Some(end) = some.last().cloned() else { return Ok(views) };
        last = Some(end);
        views.extend(some.into_iter().map(|key| KeyView::new(key, None)));
    }
}

async fn log(service: &Service, account: Option<AccountId>, most: usize) -> Result<Vec<EntryView>, Failure> {
    let limit = Limit::new(i64::from(Limit::MAX)).unwrap_or(Limit::DEFAULT);
    let seal = Seal::new("operator log");
    let (mut views, mut after) = (Vec::new(), None);
    while views.len() < most {
        let page = service.operator_log(account, limit, after, &seal).await?;
        views.extend(page.items.into_iter().map(EntryView::from));
        let Some(next) = page.next_cursor else { break };
        after = parse_cursor(&next, &seal);
    }
    views.truncate(most);
    Ok(views)
}
