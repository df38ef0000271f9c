//! The real program on an empty data folder: until it answers, and what it holds when nobody asks.

use std::io::BufReader;
use std::net::SocketAddr;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::load;
use crate::cpu;
use crate::table::{Row, Target};

/// The name under which this program is the real one.
pub(crate) const PROGRAM: &str = "tickmark";
/// Starts that are tried; the median counts.
const STARTS: usize = 7;
/// After this long nothing of the start goes on any more.
const SETTLE: Duration = Duration::from_secs(2);

pub(crate) async fn measure() -> anyhow::Result<Vec<Row>> {
    let mut starts = Vec::new();
    for number in 0..STARTS {
        starts.push(start(number + 1 == STARTS).await?);
    }
    let memory_mb = starts.iter().find_map(|start| start.memory_mb).unwrap_or(f64::NAN);
    starts.sort_by_key(|start| start.ready);
    let median = &starts[STARTS / 2];
    let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
    let (fastest, slowest) = (ms(starts[0].ready), ms(starts[STARTS - 1].ready));
    Ok(vec![
        Row {
            what: "ready on an empty data folder, ms".to_owned(),
            measured: format!("{:.0} ms", ms(median.ready)),
            baseline: String::new(),
            value: ms(median.ready),
            target: Some(Target::AtMost(300.0)),
            note: format!("{fastest:.0} to {slowest:.0} ms, {:.0} ms of CPU", ms(median.cpu)),
        },
        Row {
            what: "memory when idle, MB".to_owned(),
            measured: format!("{memory_mb:.1} MB"),
            baseline: String::new(),
            value: memory_mb,
            target: Some(Target::AtMost(40.0)),
            note: String::new(),
        },
    ])
}

struct Start {
    ready: Duration,
    cpu: Duration,
    memory_mb: Option<f64>,
}

/// Starts the program, waits for the first 200 of `/readyz`, and ends it again.
async fn start(with_memory: bool) -> anyhow::Result<Start> {
    let data = tempfile::tempdir()?;
    let began = Instant::now();
    let mut child = Command::new(std::env::current_exe()?)
        .arg0(PROGRAM)
        .args(["dev", "--json", "--listen", "127.0.0.1:0", "--data"])
        .arg(data.path())
        .env_clear()
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let outcome = async {
        let output = BufReader::new(child.stdout.as_mut().context("its output is ours")?);
        load::once(address(output)?, load::get("/readyz", "")).await?;
        let ready = began.elapsed();
        let cpu = cpu::time_of(child.id())?;
        let memory_mb = if with_memory {
            tokio::time::sleep(SETTLE).await;
            Some(cpu::memory_mb(child.id())?)
        } else {
            None
        };
        Ok(Start { ready, cpu, memory_mb })
    };
    let outcome = outcome.await;
    child.kill()?;
    child.wait()?;
    outcome
}

/// The address in the greeting, which comes as soon as connections are queued.
fn address(output: impl std::io::BufRead) -> anyhow::Result<SocketAddr> {
    let lines = output.lines();
    for line in lines {
        let line = line?;
        let url = line.split("http://").nth(1).and_then(|rest| rest.split('"').next());
        if let Some(url) = url {
            return Ok(url.parse()?);
        }
    }
    anyhow::bail!("the program ended without a greeting")
}
