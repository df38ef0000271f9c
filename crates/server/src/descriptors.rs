//! Room for connections: each takes a descriptor, of which a process has only so many.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors for everything else: the database, files, the log, the listeners.
const RESERVE: u64 = 200;
/// Fewer connections than this make no server.
const CONNECTIONS_MIN: u64 = 10;

/// How many of the wanted connections would fit, were the limit raised as far as allowed.
pub(crate) fn possible(wanted: usize) -> usize {
    let maximum = getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX);
    let connections = maximum.saturating_sub(RESERVE).max(CONNECTIONS_MIN);
    usize::try_from(connections).unwrap_or(wanted).min(wanted)
}

/// Raises the process's limit as far as needed and allowed, and tells how many of the wanted connections fit.
pub(crate) fn make_room(wanted: usize) -> usize {
    let needed = wanted as u64 + RESERVE;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return wanted;
    }
    let raised = limit.maximum.map_or(needed, |maximum| maximum.min(needed));
    // What cannot be raised is lived with.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(raised), ..limit });
    let Some(current) = getrlimit(Resource::Nofile).current.filter(|current| *current < needed) else {
        return wanted;
    };
    let connections = current.saturating_sub(RESERVE).max(CONNECTIONS_MIN);
    tracing::warn!(
        open_files_max = current,
        "the system allows {current} open files, so {connections} connections at once are taken, not {wanted}"
    );
    usize::try_from(connections).unwrap_or(wanted)
}
