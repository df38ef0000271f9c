//! The real server, started for the demo on a spare port with a data folder of its own.

use super::client::Client;
use crate::failure::Failure;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// Requests a minute that the demo may make in test mode.
const REQUESTS_A_MINUTE: &str = "6000";

/// A running server. It ends with this.
#[derive(Debug)]
pub(super) struct DemoServer {
    pub(super) url: String,
    pub(super) test_key: String,
    child: Child,
    _data: tempfile::TempDir,
}

#[derive(Deserialize)]
struct Greeting {
    url: String,
    account_id: String,
    test_key: String,
}

impl DemoServer {
    pub(super) async fn start() -> Result<DemoServer, Failure> {
        let data = tempfile::tempdir().map_err(cannot_start)?;
        let program = std::env::current_exe().map_err(cannot_start)?;
        let mut child = command(&program, data.path())
            .args(["--json", "dev", "--listen", "127.0.0.1:0"])
            .env("TICKMARK_LOG_LEVEL", "warn")
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(cannot_start)?;
        let greeting = greeting(&mut child).await?;
        let limit = ["account", "update", &greeting.account_id, "--rate-limit-test", REQUESTS_A_MINUTE];
        let raised = command(&program, data.path()).args(limit).stdout(Stdio::null()).status().await;
        if !raised.map_err(cannot_start)?.success() {
            return Err(Failure::new("The demo's account could not be prepared."));
        }
        Ok(DemoServer { url: greeting.url, test_key: greeting.test_key, child, _data: data })
    }

    pub(super) fn client(&self) -> Client {
        Client::new(&self.url, &self.test_key)
    }

    /// Lets it finish and end.
    pub(super) async fn stop(mut self) -> Result<(), Failure> {
        let id = self.child.id().and_then(|id| rustix::process::Pid::from_raw(i32::try_from(id).ok()?));
        if let Some(id) = id {
            rustix::process::kill_process(id, rustix::process::Signal::TERM).map_err(cannot_start)?;
        }
        self.child.wait().await.map_err(cannot_start)?;
        Ok(())
    }

    /// Runs on until it ends by itself.
    pub(super) async fn wait(&mut self) -> Result<(), Failure> {
        self.child.wait().await.map(drop).map_err(cannot_start)
    }
}

/// Settings of the caller's environment are not the demo's.
fn command(program: &PathBuf, data: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TICKMARK_") {
            command.env_remove(name);
        }
    }
    command.arg("--data").arg(data);
    command
}

/// The JSON document that the server prints when it is ready.
async fn greeting(child: &mut Child) -> Result<Greeting, Failure> {
    let silent = || Failure::new("The demo's server did not start; its message stands above.");
    let mut lines = BufReader::new(child.stdout.take().ok_or_else(silent)?).lines();
    let mut text = String::new();
    while let Some(line) = lines.next_line().await.map_err(cannot_start)? {
        text.push_str(&line);
        if let Ok(greeting) = serde_json::from_str(&text) {
            return Ok(greeting);
        }
    }
    Err(silent())
}

fn cannot_start(error: impl std::fmt::Display) -> Failure {
    Failure::new(format!("The demo's server cannot be run: {error}."))
}
