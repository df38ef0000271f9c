//! A server that can be killed, on a database that can be cut off.

use super::Database;
use super::api::Api;
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

/// How long the database is away.
const AWAY: Duration = Duration::from_millis(500);

/// The last lines of the servers' log that are kept, to be told when a law is broken.
const LOG_LINES: usize = 30;

pub(super) struct Place {
    folder: tempfile::TempDir,
    cluster: Option<&'static Postgres>,
    database: Option<testdb::Database>,
    port: u16,
    server: Option<Child>,
    greeting: Option<Value>,
    log: Log,
}

type Log = Arc<Mutex<VecDeque<String>>>;

impl Place {
    pub(super) fn new(database: Database) -> anyhow::Result<Place> {
        // The cluster lives as long as the program.
        let cluster: Option<&'static Postgres> = (database == Database::Postgres)
            .then(|| &*Box::leak(Box::new(Postgres::start(Durability::Full))));
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let (folder, database) = (tempfile::tempdir()?, cluster.map(Postgres::database));
        Ok(Place { folder, cluster, database, port, server: None, greeting: None, log: Log::default() })
    }

    fn command(&self) -> anyhow::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg0(PROGRAM).env("TICKMARK_LOG_LEVEL", "warn").arg("--data").arg(self.folder.path());
        if let Some(database) = &self.database {
            command.env("TICKMARK_DATABASE", database.url());
        }
        Ok(command)
    }

    /// Starts the server and waits until it is ready.
    pub(super) async fn start(&mut self) -> anyhow::Result<()> {
        let address = format!("127.0.0.1:{}", self.port);
        let mut server = self
            .command()?
            .args(["--json", "dev", "--listen", &address])
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
        self.server = Some(server);
        Ok(())
    }

    /// The end of the log of all servers that ran.
    pub(super) fn log(&self) -> String {
        let lines = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Ends the server at once.
    pub(super) async fn kill(&mut self) -> anyhow::Result<()> {
        if let Some(mut server) = self.server.take() {
            server.kill().await?;
        }
        Ok(())
    }

    /// Takes the database away for a moment; a file is not taken away, its server is killed instead.
    pub(super) async fn cut_database(&mut self) -> anyhow::Result<()> {
        let Some(cluster) = self.cluster else {
            self.kill().await?;
            return self.start().await;
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
        let raise = ["account", "update", account, "--rate-limit-test", "1000000"];
        let mut command = std::process::Command::new(std::env::current_exe()?);
        std::os::unix::process::CommandExt::arg0(&mut command, PROGRAM);
        command.arg("--data").arg(self.folder.path()).args(raise).stdout(Stdio::null());
        if let Some(database) = &self.database {
            command.env("TICKMARK_DATABASE", database.url());
        }
        anyhow::ensure!(command.status()?.success(), "the account could not be prepared");
        Ok(Api::new(text("url")?, text("test_key")?))
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
