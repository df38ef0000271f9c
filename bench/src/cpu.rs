//! The processor time and the memory of a process: wall time misleads on a shared machine.

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

/// A stretch of this process's work that is being measured.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    began: Instant,
    cpu: Duration,
}

impl Stopwatch {
    pub(crate) fn start() -> anyhow::Result<Stopwatch> {
        Ok(Stopwatch { began: Instant::now(), cpu: time_of(std::process::id())? })
    }

    pub(crate) fn stop(&self) -> anyhow::Result<Spent> {
        let cpu = time_of(std::process::id())?.saturating_sub(self.cpu);
        Ok(Spent { wall: self.began.elapsed(), cpu })
    }
}

/// User and system time of all threads of a process so far.
pub(crate) fn time_of(process: u32) -> anyhow::Result<Duration> {
    times(process, 2)
}

/// The same with that of all processes that came from it, such as those that read documents, whether they still
/// run or have ended.
pub(crate) fn time_with_children(process: u32) -> anyhow::Result<Duration> {
    let mut total = times(process, 4)?;
    for child in descendants(process)? {
        // One that has ended meanwhile counts with its parent.
        total += times(child, 4).unwrap_or_default();
    }
    Ok(total)
}

fn times(process: u32, count: usize) -> anyhow::Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The second field is the program's name in brackets, which may hold spaces.
    let (_, fields) = stat.rsplit_once(')').context("/proc/…/stat has another form")?;
    let ticks: u32 =
        fields.split_whitespace().skip(11).take(count).filter_map(|field| field.parse::<u32>().ok()).sum();
    Ok(TICK * ticks)
}

/// The processes that run and that a process, or one that came from it, has started; parents before children.
pub(crate) fn descendants(process: u32) -> anyhow::Result<Vec<u32>> {
    let mut parents = Vec::new();
    for entry in std::fs::read_dir("/proc")? {
        let Some(process) = entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        // A process may be gone before it is looked at.
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let parent =
            stat.rsplit_once(')').and_then(|(_, fields)| fields.split_whitespace().nth(1)?.parse().ok());
        parents.extend(parent.map(|parent: u32| (process, parent)));
    }
    let mut found = vec![process];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(parents.iter().filter(|(_, own)| *own == parent).map(|(process, _)| process));
        next += 1;
    }
    Ok(found.split_off(1))
}

/// The memory that a process has in use, in megabytes.
pub(crate) fn memory_mb(process: u32) -> anyhow::Result<f64> {
    megabytes(process, "VmRSS:")
}

/// The most memory that a process ever had in use, in megabytes.
pub(crate) fn most_memory_mb(process: u32) -> anyhow::Result<f64> {
    megabytes(process, "VmHWM:")
}

fn megabytes(process: u32, name: &str) -> anyhow::Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).context("the memory is not told")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes / 1024.0)
}
