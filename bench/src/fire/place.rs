//! Servers that can be killed, on a database that can be cut off.

use super::Database;
use super::api::Api;
use super::outage::Outages;
use crate::http::startup::PROGRAM;
use anyhow::Context as _;
use serde_json::Value;
use std::collections::VecDeque;
use std::net::TcpListener;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use testdb::{Durability, Postgres};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, Command};

/// Processes on one PostgreSQL server.
const PROCESSES: usize = 2;

/// Credits in test mode besides those it begins with: enough for a long run.
pub(super) const CREDITS_MORE: &str = "1000000";

/// How long the database is away.
const AWAY: Duration = Duration::from_millis(500);

/// The last lines of the servers' log that are kept, to be told when a law is broken.
const LOG_LINES: usize = 30;

pub(super) struct Place {
    folder: tempfile::TempDir,
    cluster: Option<&'static Postgres>,
    database: Option<testdb::Database>,
    servers: Vec<Server>,
    greeting: Option<Value>,
    log: Log,
    outages: Outages,
}

/// One process and where it listens.
struct Server {
    address: String,
    process: Option<Child>,
}

type Log = Arc<Mutex<VecDeque<String>>>;

impl Place {
    pub(super) fn new(database: Database) -> anyhow::Result<Place> {
        // The cluster lives as long as the program.
        let cluster: Option<&'static Postgres> = (database == Database::Postgres)
            .then(|| &*Box::leak(Box::new(Postgres::start(Durability::Full))));
        // A file belongs to one process.
        let processes = if cluster.is_some() { PROCESSES } else { 1 };
        let listeners = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0"));
        let listeners = listeners.collect::<Result<Vec<_>, _>>()?;
        let mut servers = Vec::new();
        for listener in &listeners {
            servers.push(Server { address: listener.local_addr()?.to_string(), process: None });
        }
        let (folder, database) = (tempfile::tempdir()?, cluster.map(Postgres::database));
        let (log, outages) = (Log::default(), Outages::default());
        Ok(Place { folder, cluster, database, servers, greeting: None, log, outages })
    }

    pub(super) fn outages(&self) -> &Outages {
        &self.outages
    }

    fn command(&self) -> anyhow::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg0(PROGRAM).env("TICKMARK_LOG_LEVEL", "warn").arg("--data").arg(self.folder.path());
        if let Some(database) = &self.database {
            command.env("TICKMARK_DATABASE", database.url());
        }
        Ok(command)
    }

    /// Starts the servers that do not run, one after the other, and waits until they are ready.
    pub(super) async fn start(&mut self) -> anyhow::Result<()> {
        for number in 0..self.servers.len() {
            if self.servers[number].process.is_none() {
                self.start_one(number).await?;
            }
        }
        Ok(())
    }

    async fn start_one(&mut self, number: usize) -> anyhow::Result<()> {
        let mut server = self
            .command()?
            .args(["--json", "dev", "--listen", &self.servers[number].address])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        tokio::spawn(listen(server.stderr.take().context("its log")?, Arc::clone(&self.log)));
        let mut lines = BufReader::new(server.stdout.take().context("its output")?).lines();
        let mut text = String::new();
        while let Some(line) = lines.next_line().await? {
            text.push_str(&line);
            if let Ok(greeting) = serde_json::from_str::<Value>(&text) {
                self.greeting.get_or_insert(greeting);
                break;
            }
        }
        self.servers[number].process = Some(server);
        Ok(())
    }

    /// The end of the log of all servers that ran.
    pub(super) fn log(&self) -> String {
        let lines = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Ends one of the servers at once and starts it again.
    pub(super) async fn kill(&mut self, number: usize) -> anyhow::Result<()> {
        let number = number % self.servers.len();
        if let Some(mut server) = self.servers[number].process.take() {
            server.kill().await?;
        }
        self.start().await
    }

    /// Takes the database away for a moment; a file is not taken away, its server is killed instead.
    pub(super) async fn cut_database(&mut self) -> anyhow::Result<()> {
        let Some(cluster) = self.cluster else {
            return self.kill(0).await;
        };
        cluster.stop();
        tokio::time::sleep(AWAY).await;
        cluster.restart();
        Ok(())
    }

    /// Starts a database that ended by itself; there is none to start where it is a file.
    pub(super) fn restart_database(&self) -> Option<()> {
        let cluster = self.cluster?;
        cluster.stop();
        cluster.restart();
        Some(())
    }

    /// The API with a key that may ask as often as it likes.
    pub(super) fn api(&self) -> anyhow::Result<Api> {
        let greeting = self.greeting.as_ref().context("the server has greeted")?;
        let text = |name: &str| greeting[name].as_str().context("the first greeting has the keys");
        let account = text("account_id")?;
        self.operate(&["account", "update", account, "--rate-limit-test", "1000000"])?;
        let more = ["--mode", "test", "--amount", CREDITS_MORE];
        self.operate(&[&["credits", "top-up", "--account", account], &more[..]].concat())?;
        let urls = self.servers.iter().map(|server| format!("http://{}", server.address));
        Ok(Api::new(urls.collect(), text("test_key")?, self.outages.clone()))
    }

    /// Runs a command of the operator.
    fn operate(&self, arguments: &[&str]) -> anyhow::Result<()> {
        let mut command = std::process::Command::new(std::env::current_exe()?);
        std::os::unix::process::CommandExt::arg0(&mut command, PROGRAM);
        command.arg("--data").arg(self.folder.path()).args(arguments).stdout(Stdio::null());
        if let Some(database) = &self.database {
            command.env("TICKMARK_DATABASE", database.url());
        }
        anyhow::ensure!(command.status()?.success(), "the account could not be prepared");
        Ok(())
    }
}

async fn listen(log: ChildStderr, kept: Log) {
    let mut lines = BufReader::new(log).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(line);
        if kept.len() > LOG_LINES {
            kept.pop_front();
        }
    }
}
