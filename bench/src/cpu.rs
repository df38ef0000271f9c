//! The processor time of this process: wall time misleads on a shared machine.

use std::time::{Duration, Instant};

use anyhow::Context as _;

/// The kernel counts processor time in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);

/// What a stretch of work took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spent {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

/// A stretch of work that is being measured.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    began: Instant,
    cpu: Duration,
}

impl Stopwatch {
    pub(crate) fn start() -> anyhow::Result<Stopwatch> {
        Ok(Stopwatch { began: Instant::now(), cpu: own_cpu()? })
    }

    pub(crate) fn stop(&self) -> anyhow::Result<Spent> {
        Ok(Spent { wall: self.began.elapsed(), cpu: own_cpu()?.saturating_sub(self.cpu) })
    }
}

/// User and system time of all threads so far.
fn own_cpu() -> anyhow::Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // The second field is the program's name in brackets, which may hold spaces.
    let (_, fields) = stat.rsplit_once(')').context("/proc/self/stat has another form")?;
    let ticks: u32 =
        fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u32>().ok()).sum();
    Ok(TICK * ticks)
}
