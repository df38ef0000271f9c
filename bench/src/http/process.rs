//! A server under test: a process of its own, whose processor time can be told from ours.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;
use store::{Location, Store, sql};

use super::server::Arguments;
use super::setup;
use crate::cpu;

/// A running server. It ends with its handle.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    address: SocketAddr,
    /// With PostgreSQL: to find the database's own processes, which do part of the work.
    database: Option<Store>,
}

impl Process {
    /// Starts a server from this very program and waits until it listens.
    pub(crate) async fn start(arguments: &Arguments) -> anyhow::Result<Process> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("server")
            .args(arguments.to_list())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().context("its output is ours")?).read_line(&mut line)?;
        let address = line.trim().parse().with_context(|| {
            let _ = child.kill();
            format!("the server said \"{}\" in place of its address", line.trim())
        })?;
        let database = match Location::parse(&arguments.database) {
            Location::Sqlite(_) => None,
            location @ Location::Postgres(_) => Some(setup::open(&location).await?),
        };
        Ok(Process { child, address, database })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Processor time so far, of the server, of its children that have ended, and of its connections in the
    /// database.
    pub(crate) async fn cpu(&self) -> anyhow::Result<Duration> {
        let own = cpu::time_with_children(self.child.id())?;
        match &self.database {
            Some(database) => Ok(own + connections(database).await?),
            None => Ok(own),
        }
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

/// Processor time so far of all connections to a PostgreSQL database.
pub(crate) async fn connections(database: &Store) -> anyhow::Result<Duration> {
    let statement = "SELECT CAST(pid AS BIGINT) FROM pg_stat_activity WHERE datname = current_database()";
    let backends = database.read().await?.all::<i64>(sql(statement)).await?;
    // One that ended meanwhile is gone with what it used.
    let time_of = |backend: i64| u32::try_from(backend).ok().and_then(|id| cpu::time_of(id).ok());
    Ok(backends.into_iter().filter_map(time_of).sum())
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
