//! The built program as a process of its own.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::client::{Connection, PATIENCE, Pair};
use serde_json::Value;
use tempfile::TempDir;
use testdb::Postgres;

/// A data folder, and the database that goes with it.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
    pub(crate) database: Option<testdb::Database>,
    /// Settings of every process here.
    pub(crate) environment: Vec<(&'static str, String)>,
}

impl Place {
    pub(crate) fn sqlite() -> Place {
        Place { folder: tempfile::tempdir().unwrap(), database: None, environment: Vec::new() }
    }

    pub(crate) fn postgres() -> Place {
        Place { database: Some(Postgres::shared().database()), ..Place::sqlite() }
    }

    /// One of each kind; what holds for one must hold for the other.
    pub(crate) fn both() -> [Place; 2] {
        [Place::sqlite(), Place::postgres()]
    }

    /// A command in this place, with nothing of the caller's environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_in("data", arguments)
    }

    /// The same with a data folder of its own, as on a machine of its own.
    pub(crate) fn command_in(&self, folder: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tickmark"));
        command.env_clear().stdin(Stdio::null()).arg("--data").arg(self.folder.path().join(folder));
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(database) = &self.database {
            command.env("TICKMARK_DATABASE", database.url());
        }
        command.args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command that succeeds prints.
    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The document that a command prints with `--json`.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let arguments: Vec<&str> = ["--json"].into_iter().chain(arguments.iter().copied()).collect();
        serde_json::from_str(&self.text(&arguments)).unwrap()
    }

    /// The exit code and the sentence of a command that fails.
    pub(crate) fn failure(&self, arguments: &[&str]) -> (i32, String) {
        told(&self.run(arguments))
    }

    /// A new account's id.
    pub(crate) fn account(&self) -> String {
        let account = self.json(&["account", "create", "--name", "Hill School"]);
        account["id"].as_str().unwrap().to_owned()
    }

    /// A new live key of a new account.
    pub(crate) fn key(&self) -> String {
        let key = self.json(&["key", "issue", "--account", &self.account(), "--mode", "live"]);
        key["key"].as_str().unwrap().to_owned()
    }
}

/// The exit code and what was said on stderr, without its prefix.
pub(crate) fn told(output: &Output) -> (i32, String) {
    let sentence = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence).to_owned();
    (output.status.code().unwrap(), sentence)
}

/// A running server; it ends with the test.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    log: Receiver<String>,
    /// Lines seen so far.
    pub(crate) lines: Vec<String>,
}

impl Server {
    /// Starts a server, and waits until it listens.
    pub(crate) fn start(command: Command) -> Server {
        let mut server = Server::spawn(command);
        let line = server.line_with("listening on ");
        server.address = line["address"].as_str().unwrap().parse().unwrap();
        server
    }

    /// Starts a server that logs JSON.
    pub(crate) fn spawn(mut command: Command) -> Server {
        command.args(["--log-format", "json"]);
        Server::spawn_as_it_is(command)
    }

    /// Starts what has servers of its own.
    pub(crate) fn spawn_as_it_is(mut command: Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, log) = channel();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        Server { child, address: nowhere, log, lines: Vec::new() }
    }

    /// `serve` with a certificate of its own.
    pub(crate) fn https(place: &Place, pair: &Pair, more: &[&str]) -> Server {
        let files = crate::listener::write_pair(place.folder.path(), pair);
        let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.arg("--tls-cert").arg(files.certificate).arg("--tls-key").arg(files.key).args(more);
        Server::start(command)
    }

    /// Waits for the log line whose message begins so.
    pub(crate) fn line_with(&mut self, message: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        while let Ok(line) = self.log.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            let parsed: Value = serde_json::from_str(&line).unwrap_or_default();
            self.lines.push(line);
            if parsed["message"].as_str().is_some_and(|text| text.starts_with(message)) {
                return parsed;
            }
        }
        panic!("no line begins with {message:?}: {:#?}", self.lines);
    }

    /// Whether a log line came whose message is this.
    pub(crate) fn has_logged(&mut self, message: &str) -> bool {
        self.lines.extend(self.log.try_iter());
        let is_it = |line: &String| {
            serde_json::from_str::<Value>(line).is_ok_and(|parsed| parsed["message"] == message)
        };
        self.lines.iter().any(is_it)
    }

    pub(crate) fn stdout(&mut self) -> impl std::io::Read + use<> {
        self.child.stdout.take().unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        // Every shell has the command built in; a small system may have no program of that name.
        let sent =
            Command::new("sh").args(["-c", &format!("kill {name} {}", self.child.id())]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits until the process has ended, and gives its exit code; none when a signal ended it.
    pub(crate) fn ended(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < deadline, "the server does not end: {:#?}", self.lines);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// What the server answers to a GET with a key, over a new connection.
    pub(crate) async fn get(&self, pair: &Pair, path: &str, key: &str) -> http::Response<bytes::Bytes> {
        let mut connection = Connection::tls(self.address, pair, &["h2"]).await.unwrap();
        crate::client::soon(connection.send(crate::client::get_with_key(path, key))).await.unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
