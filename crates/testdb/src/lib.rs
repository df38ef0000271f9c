//! Private PostgreSQL clusters for tests.
//!
//! A cluster lives in a temporary folder and is reached only through a socket in it, so clusters never meet.
//! A small shell process owns it and holds a pipe from us: when the pipe ends, because the test process
//! ended in whatever way, the shell stops the cluster and deletes the folder.

mod programs;
mod supervisor;

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use programs::Programs;
use supervisor::Supervisor;

/// The only role of the cluster; it owns everything and needs no password.
const ROLE: &str = "tickmark";

/// The port is only part of the socket's name, unless the cluster is reached from outside.
const USUAL_PORT: u16 = 5432;

/// Whether commits reach the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// As in production.
    Full,
    /// Nothing is forced to disk; right for tests that end with their cluster.
    None,
}

/// A running cluster.
#[derive(Debug)]
pub struct Postgres {
    programs: Programs,
    folder: PathBuf,
    port: u16,
    supervisor: Mutex<Supervisor>,
    databases: AtomicU32,
    /// Databases whose tests have ended. They are dropped together with the next creation, which saves a
    /// process for each.
    leftovers: Mutex<Vec<String>>,
}

impl Postgres {
    /// The cluster that all tests of this process share, started by the first one that asks.
    pub fn shared() -> &'static Postgres {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| Postgres::start(Durability::None))
    }

    /// A cluster of its own, for tests that stop it. It ends when this is dropped.
    ///
    /// # Panics
    /// When PostgreSQL is not installed or does not start; the message says what to do.
    pub fn start(durability: Durability) -> Postgres {
        let (settings, parent) = match durability {
            Durability::Full => (Vec::new(), std::env::temp_dir()),
            // These lose commits only when the whole machine fails, so tests may still kill the cluster.
            Durability::None => {
                (vec!["fsync=off".to_owned(), "full_page_writes=off".to_owned()], programs::memory_or_disk())
            }
        };
        let programs = Programs::find();
        let folder = programs.create_folder(&parent);
        Postgres::start_in(programs, folder, USUAL_PORT, &settings)
    }

    /// A cluster that is also reached by TLS, on a spare port of this machine, with the given certificate and
    /// key (PEM).
    ///
    /// # Panics
    /// As `start`.
    pub fn start_with_tls(certificate: &str, key: &str) -> Postgres {
        let programs = Programs::find();
        let folder = programs.create_folder(&programs::memory_or_disk());
        let settings = [
            "fsync=off".to_owned(),
            "listen_addresses=127.0.0.1".to_owned(),
            "ssl=on".to_owned(),
            format!("ssl_cert_file={}", programs.write(&folder, "server.crt", certificate).display()),
            format!("ssl_key_file={}", programs.write(&folder, "server.key", key).display()),
        ];
        Postgres::start_in(programs, folder, spare_port(), &settings)
    }

    fn start_in(programs: Programs, folder: PathBuf, port: u16, settings: &[String]) -> Postgres {
        let supervisor = Supervisor::start(&programs, &folder, port, settings);
        Postgres {
            programs,
            folder,
            port,
            supervisor: Mutex::new(supervisor),
            databases: AtomicU32::new(0),
            leftovers: Mutex::default(),
        }
    }

    /// An empty database with the C collation. It is dropped some time after the handle.
    pub fn database(&'static self) -> Database {
        let name = self.create_database("template0");
        Database { url: self.url(&name), name, owner: Some(self) }
    }

    /// A copy of a database to which nobody is connected; quicker than filling one again.
    pub fn copy_of(&'static self, template: &Database) -> Database {
        let name = self.create_database(&template.name);
        Database { url: self.url(&name), name, owner: Some(self) }
    }

    /// An empty database in a cluster of its own, which ends with the cluster.
    pub fn only_database(&self) -> Database {
        let name = self.create_database("template0");
        Database { url: self.url(&name), name, owner: None }
    }

    /// The URL of a database of a cluster with TLS, without the `sslmode`.
    pub fn tls_url(&self, database: &Database) -> String {
        format!("postgres://{ROLE}@localhost:{}/{}", self.port, database.name)
    }

    /// Kills the cluster at once, as a crash would. Connections are lost; what was committed is kept.
    pub fn stop(&self) {
        lock(&self.supervisor).stop();
    }

    /// Starts the cluster again under the same address.
    pub fn restart(&self) {
        lock(&self.supervisor).restart();
    }

    /// Runs a statement as the owner, outside any test's connection.
    ///
    /// # Panics
    /// When the statement fails.
    pub fn run(&self, database: &str, statement: &str) {
        self.rows(database, statement);
    }

    /// The rows of a statement that the owner runs, one a line.
    ///
    /// # Panics
    /// When the statement fails.
    pub fn rows(&self, database: &str, statement: &str) -> String {
        self.psql(database, &[statement])
    }

    fn create_database(&self, template: &str) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let leftovers = std::mem::take(&mut *lock(&self.leftovers));
        let mut statements: Vec<String> = leftovers
            .iter()
            .map(|leftover| format!("DROP DATABASE IF EXISTS {leftover} WITH (FORCE)"))
            .collect();
        statements.push(format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY"));
        self.psql("postgres", &statements);
        name
    }

    fn psql(&self, database: &str, statements: &[impl AsRef<str>]) -> String {
        let mut command = Command::new(self.programs.path("psql"));
        command.args([
            "--no-psqlrc",
            "--quiet",
            "--tuples-only",
            "--no-align",
            "--set",
            "ON_ERROR_STOP=1",
            "--username",
            ROLE,
        ]);
        command.arg("--host").arg(&self.folder).arg("--port").arg(self.port.to_string());
        command.args(["--dbname", database]);
        for statement in statements {
            command.args(["--command", statement.as_ref()]);
        }
        let output = command.output().expect("psql starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "psql failed: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn url(&self, database: &str) -> String {
        let host = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://{ROLE}@{host}:{}/{database}", self.port)
    }
}

/// A port that was free a moment ago.
fn spare_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("this machine has a loopback address");
    listener.local_addr().expect("a bound listener has an address").port()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A test that fails while it holds the lock must not fail the others.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One test's database.
#[derive(Debug)]
pub struct Database {
    url: String,
    name: String,
    owner: Option<&'static Postgres>,
}

impl Database {
    /// Its connection URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its name in the cluster.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(owner) = self.owner {
            lock(&owner.leftovers).push(std::mem::take(&mut self.name));
        }
    }
}
