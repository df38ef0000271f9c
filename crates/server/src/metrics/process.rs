//! What the process itself uses, as Linux tells it.

use std::fmt::Write as _;
use std::fs;

/// Linux counts processor time for programs in hundredths of a second, whatever its own tick is.
const TICKS_PER_SECOND: f64 = 100.0;

/// The process's lines of the metrics page; those that the system does not tell are left out.
pub(super) fn text() -> String {
    let mut text = String::new();
    let mut line = |name: &str, kind: &str, help: &str, value: Option<f64>| {
        if let Some(value) = value {
            // Writing to a string cannot fail.
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n\n");
        }
    };
    line("process_cpu_seconds_total", "counter", "Processor time used.", cpu_seconds());
    line("process_resident_memory_bytes", "gauge", "Memory in use.", status_bytes("VmRSS:"));
    line(
        "process_resident_memory_max_bytes",
        "gauge",
        "The most memory ever in use.",
        status_bytes("VmHWM:"),
    );
    line("process_open_fds", "gauge", "Open files and sockets.", open_files());
    text
}

fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold spaces; after it come the numbered fields, from the third on.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    Some((ticks(14)? + ticks(15)?) / TICKS_PER_SECOND)
}

fn status_bytes(field: &str) -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: f64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024.0)
}

fn open_files() -> Option<f64> {
    let count = fs::read_dir("/proc/self/fd").ok()?.count();
    u32::try_from(count).ok().map(f64::from)
}
