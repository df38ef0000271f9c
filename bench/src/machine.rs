//! The machine that a run was made on, as one line for the documents.

use std::fs;
use std::num::NonZero;

/// Cores, model, memory, system and kernel, as far as the system tells; and how this program was built.
pub(crate) fn line() -> String {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let model =
        field("/proc/cpuinfo", "model name", ':').unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let memory =
        field("/proc/meminfo", "MemTotal", ':').and_then(|text| gibibytes(&text)).unwrap_or_default();
    let system =
        field("/etc/os-release", "PRETTY_NAME", '=').unwrap_or_else(|| std::env::consts::OS.to_owned());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let build = if cfg!(debug_assertions) { "everyday build" } else { "release build" };
    format!("{cores} cores of {model}, {memory}{system}, Linux {}; {build}", kernel.trim())
}

/// The value behind a name in a file of lines.
fn field(path: &str, name: &str, separator: char) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(separator)?.1.trim().trim_matches('"').to_owned())
}

fn gibibytes(text: &str) -> Option<String> {
    let kibibytes: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(format!("{} GiB, ", kibibytes.div_ceil(1 << 20)))
}
