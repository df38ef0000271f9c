//! The limits and walls that a child puts around itself before it sees a document.

use super::Limits;
use serde::{Deserialize, Serialize};
use std::io;

/// How far a child could shut itself off from the machine. The limits on time and memory always hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// No file can be opened (Landlock).
    pub files: bool,
    /// No connection, no new program, no other system call that reading does not need (seccomp).
    pub system_calls: bool,
}

/// Standard input, output and error, and a few to spare.
const OPEN_FILES_MAX: u64 = 16;

/// Sets the limits that stay the same for the child's whole life.
pub(super) fn limit(limits: &Limits) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let fixed = |value: u64| Rlimit { current: Some(value), maximum: Some(value) };
    setrlimit(Resource::As, fixed(limits.memory_bytes))?;
    setrlimit(Resource::Core, fixed(0))?;
    setrlimit(Resource::Fsize, fixed(0))?;
    setrlimit(Resource::Nofile, fixed(OPEN_FILES_MAX))?;
    Ok(())
}

/// Lets the child use as much processor time again as a page may take, and no more.
pub(super) fn grant_processor_time(limits: &Limits) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    use rustix::time::{ClockId, clock_gettime};
    let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or(0);
    let granted = used + limits.processor.as_secs().max(1) + u64::from(limits.processor.subsec_nanos() > 0);
    Ok(setrlimit(Resource::Cpu, Rlimit { current: Some(granted), maximum: None })?)
}

/// Gives up files, network and new programs, as far as the kernel knows how.
pub(super) fn shut_off() -> Confinement {
    #[cfg(target_os = "linux")]
    {
        Confinement { files: linux::without_files(), system_calls: linux::without_calls().is_some() }
    }
    #[cfg(not(target_os = "linux"))]
    {
        Confinement::default()
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule, TargetArch};
    use seccompiler::{SeccompCmpArgLen, SeccompCmpOp, SeccompCondition};
    use std::collections::BTreeMap;

    /// Forbids every access to files and TCP ports that this kernel's Landlock knows.
    pub(super) fn without_files() -> bool {
        let ruleset = Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V5))
            .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(ABI::V5)))
            .and_then(Ruleset::create)
            .and_then(landlock::RulesetCreated::restrict_self);
        ruleset.is_ok_and(|status| status.ruleset != RulesetStatus::NotEnforced)
    }

    /// What reading a document never needs. These calls fail in the child as if forbidden.
    const FORBIDDEN: &[i64] = &[
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_sendto,
        libc::SYS_sendmsg,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_openat,
        libc::SYS_openat2,
        libc::SYS_open_by_handle_at,
        libc::SYS_unlinkat,
        libc::SYS_mkdirat,
        libc::SYS_linkat,
        libc::SYS_symlinkat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_kill,
        libc::SYS_mount,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_bpf,
        libc::SYS_userfaultfd,
        libc::SYS_perf_event_open,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_io_uring_setup,
        libc::SYS_memfd_create,
        libc::SYS_shmget,
        libc::SYS_init_module,
        libc::SYS_finit_module,
    ];

    /// The same on processors that still have the older forms of the calls.
    #[cfg(target_arch = "x86_64")]
    const FORBIDDEN_OLD: &[i64] = &[libc::SYS_open, libc::SYS_creat, libc::SYS_fork, libc::SYS_vfork];
    #[cfg(not(target_arch = "x86_64"))]
    const FORBIDDEN_OLD: &[i64] = &[];

    /// Forbids the calls above and new processes; new threads stay allowed.
    pub(super) fn without_calls() -> Option<()> {
        let architecture = TargetArch::try_from(std::env::consts::ARCH).ok()?;
        let denied = SeccompAction::Errno(libc::EPERM as u32);
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
            FORBIDDEN.iter().chain(FORBIDDEN_OLD).map(|call| (*call, Vec::new())).collect();
        rules.insert(libc::SYS_clone, vec![new_process()?]);
        install(SeccompFilter::new(rules, SeccompAction::Allow, denied, architecture).ok()?)?;
        // The flags of the newer call lie in memory, where no filter can see them. "Not known" makes the
        // C library fall back to the older one, whose flags can be seen.
        let unknown = SeccompAction::Errno(libc::ENOSYS as u32);
        let newer = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
        install(SeccompFilter::new(newer, SeccompAction::Allow, unknown, architecture).ok()?)
    }

    fn new_process() -> Option<SeccompRule> {
        let thread = libc::CLONE_THREAD as u64;
        let operator = SeccompCmpOp::MaskedEq(thread);
        SeccompRule::new(vec![SeccompCondition::new(0, SeccompCmpArgLen::Qword, operator, 0).ok()?]).ok()
    }

    fn install(filter: SeccompFilter) -> Option<()> {
        let program: BpfProgram = filter.try_into().ok()?;
        seccompiler::apply_filter_all_threads(&program).ok()
    }
}
