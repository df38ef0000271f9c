//! `tickmark key`: the keys of an account. A key is shown once, when it is issued.

use super::values::{self, moment};
use super::{Global, ModeName, open};
use crate::failure::Failure;
use clap::{Args, Subcommand};
use domain::id::{AccountId, KeyId};
use domain::key::ApiKey;
use domain::mode::Mode;
use domain::scope::{Scope, Scopes};
use ipnet::IpNet;
use serde::Serialize;
use service::keys::NewKey;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark key issue --account acct_… --mode test
  tickmark key issue --account acct_… --mode live --name backup --scope papers:read --scope events:read
  tickmark key issue --account acct_… --mode live --allow-ip 192.0.2.0/24 --allow-ip 2001:db8::/32
  tickmark key revoke key_…")]
pub(super) enum Command {
    /// Issue a key and show it, this once
    Issue(Issue),
    /// An account's keys, oldest first
    List {
        /// The account's id
        #[arg(long, value_name = "ID", value_parser = values::id::<AccountId>)]
        account: AccountId,
    },
    /// Revoke a key; running servers refuse it within a second
    Revoke {
        /// The key's id
        #[arg(value_parser = values::id::<KeyId>)]
        id: KeyId,
    },
}

#[derive(Debug, Args)]
pub(super) struct Issue {
    /// The account's id
    #[arg(long, value_name = "ID", value_parser = values::id::<AccountId>)]
    account: AccountId,
    /// Which world the key opens
    #[arg(long)]
    mode: ModeName,
    /// A name to tell keys apart
    #[arg(long, value_name = "N", value_parser = values::line)]
    name: Option<String>,
    /// Allow only this; may be repeated. Without it the key may do everything
    #[arg(long = "scope", value_name = "S", value_parser = values::scope())]
    scopes: Vec<String>,
    /// Take requests only from this network or address; may be repeated
    #[arg(long = "allow-ip", value_name = "CIDR", value_parser = values::network)]
    networks: Vec<IpNet>,
}

#[derive(Serialize)]
struct View {
    id: KeyId,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    account_id: AccountId,
    mode: &'static str,
    name: Option<String>,
    last_four: String,
    status: &'static str,
    /// Null when the key may do everything.
    scopes: Option<Vec<&'static str>>,
    allowed_ips: Vec<String>,
    created_at: String,
    revoked_at: Option<String>,
    last_used_at: Option<String>,
    exposed_at: Option<String>,
}

impl View {
    fn new(key: ApiKey, secret: Option<String>) -> View {
        View {
            id: key.id,
            key: secret,
            account_id: key.account_id,
            mode: key.mode.name(),
            name: key.name,
            last_four: key.last_four,
            status: if key.revoked_at.is_some() { "revoked" } else { "active" },
            scopes: key.scopes.map(|scopes| scopes.iter().map(Scope::name).collect()),
            allowed_ips: key.allowed_networks.iter().map(ToString::to_string).collect(),
            created_at: moment(key.created_at),
            revoked_at: key.revoked_at.map(moment),
            last_used_at: key.last_used_at.map(moment),
            exposed_at: key.exposed_at.map(moment),
        }
    }

    fn scopes(&self) -> String {
        self.scopes.as_ref().map_or_else(|| "everything".to_owned(), |scopes| scopes.join(" "))
    }

    fn networks(&self) -> String {
        if self.allowed_ips.is_empty() { "anywhere".to_owned() } else { self.allowed_ips.join(" ") }
    }
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        match self {
            Command::Issue(issue) => issue.run(global, &app.service).await,
            Command::List { account } => {
                // An account that does not exist has no keys, but the operator should hear of it.
                app.service.account(account).await?;
                let keys = app.service.keys_of(account).await?;
                list(global, &keys.into_iter().map(|key| View::new(key, None)).collect::<Vec<_>>())
            }
            Command::Revoke { id } => {
                let view = View::new(app.service.revoke_key(id).await?, None);
                Ok(global.output().done(&view, &format!("The key {id} is revoked."))?)
            }
        }
    }
}

impl Issue {
    async fn run(self, global: &Global, service: &service::Service) -> Result<(), Failure> {
        let scopes: Vec<Scope> = self.scopes.iter().filter_map(|name| Scope::parse(name)).collect();
        let scopes = (!scopes.is_empty()).then(|| scopes.into_iter().collect::<Scopes>());
        let new = NewKey { name: self.name, scopes, allowed_networks: self.networks };
        let (key, secret) = service.issue_key(self.account, Mode::from(self.mode), new).await?;
        let view = View::new(key, Some(secret.reveal().to_owned()));
        let lines = [
            ("Id", view.id.to_string()),
            ("Key", secret.reveal().to_owned()),
            ("Account", view.account_id.to_string()),
            ("Mode", view.mode.to_owned()),
            ("May do", view.scopes()),
            ("From", view.networks()),
            ("Note", "the key is shown only now; keep it safe".to_owned()),
        ];
        Ok(global.output().record(&view, &lines)?)
    }
}

fn list(global: &Global, keys: &[View]) -> Result<(), Failure> {
    let headings = ["id", "mode", "name", "ends in", "status", "may do", "from", "last used", "created"];
    Ok(global.output().list(keys, &headings, |view| {
        let status = if view.exposed_at.is_some() {
            format!("{}, exposed", view.status)
        } else {
            view.status.to_owned()
        };
        vec![
            view.id.to_string(),
            view.mode.to_owned(),
            view.name.clone().unwrap_or_default(),
            view.last_four.clone(),
            status,
            view.scopes(),
            view.networks(),
            view.last_used_at.clone().unwrap_or_else(|| "never".to_owned()),
            view.created_at.clone(),
        ]
    })?)
}
