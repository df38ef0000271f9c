//! The limits and walls that a child puts around itself before it sees a document.

use super::Limits;
use serde::{Deserialize, Serialize};
use std::io;

/// How far a child could shut itself off from the machine. The limits on time and memory always hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// No file can be opened and no TCP port reached (Landlock).
    pub files: bool,
    /// Nothing can be asked of the system but what reading needs: no file, no connection, no new program
    /// (seccomp). The child has tried.
    pub system_calls: bool,
}

impl Confinement {
    /// True when a child that a document has taken over can reach nothing: either wall alone keeps it from files,
    /// and only the second from everything else.
    pub fn holds(self) -> bool {
        self.system_calls
    }
}

/// Standard input, output and error, and a few to spare.
const OPEN_FILES_MAX: u64 = 16;
/// How far children stand back for the process that answers requests.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

/// Sets the limits that stay the same for the child's whole life.
pub(super) fn limit(limits: &Limits) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let fixed = |value: u64| Rlimit { current: Some(value), maximum: Some(value) };
    setrlimit(Resource::As, fixed(limits.memory_bytes))?;
    setrlimit(Resource::Core, fixed(0))?;
    setrlimit(Resource::Fsize, fixed(0))?;
    setrlimit(Resource::Nofile, fixed(OPEN_FILES_MAX))?;
    #[cfg(target_os = "linux")]
    rustix::process::nice(NICENESS)?;
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

/// Gives up everything but what reading needs, as far as the kernel knows how.
pub(super) fn shut_off() -> Confinement {
    #[cfg(target_os = "linux")]
    {
        let files = linux::without_files();
        let is_filtered = linux::with_few_calls().is_some();
        Confinement { files, system_calls: is_filtered && linux::is_shut_off() }
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

    /// What reading a document needs. Every other call fails as if forbidden.
    const ALLOWED: &[i64] = &[
        // Talking to the parent over what is open.
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_close,
        libc::SYS_fcntl,
        libc::SYS_ppoll,
        // Memory.
        libc::SYS_brk,
        libc::SYS_mmap,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_mprotect,
        libc::SYS_madvise,
        libc::SYS_membarrier,
        // Threads and their waiting.
        libc::SYS_futex,
        libc::SYS_set_robust_list,
        libc::SYS_get_robust_list,
        libc::SYS_rseq,
        libc::SYS_gettid,
        libc::SYS_getpid,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_getcpu,
        libc::SYS_sigaltstack,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_restart_syscall,
        libc::SYS_exit,
        libc::SYS_exit_group,
        // Time and chance.
        libc::SYS_clock_gettime,
        libc::SYS_clock_getres,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_gettimeofday,
        libc::SYS_getrandom,
        // What it may still use.
        libc::SYS_getrlimit,
        libc::SYS_getrusage,
        libc::SYS_sysinfo,
        libc::SYS_uname,
        // Its flags lie in memory, where no filter can see them: a filter of its own answers it.
        libc::SYS_clone3,
    ];

    /// The same on processors that still have the older forms of the calls.
    #[cfg(target_arch = "x86_64")]
    const ALLOWED_OLD: &[i64] = &[libc::SYS_poll, libc::SYS_time];
    #[cfg(not(target_arch = "x86_64"))]
    const ALLOWED_OLD: &[i64] = &[];

    /// Naming memory, as the C library does for its own, and threads.
    const PR_SET_VMA: u64 = 0x5356_4d41;

    /// Forbids all calls but those above; new threads stay allowed, and signals to itself.
    pub(super) fn with_few_calls() -> Option<()> {
        let architecture = TargetArch::try_from(std::env::consts::ARCH).ok()?;
        // "Not known" makes the C library fall back to the older call, whose flags can be seen.
        let unknown = SeccompAction::Errno(libc::ENOSYS as u32);
        let newer = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
        install(SeccompFilter::new(newer, SeccompAction::Allow, unknown, architecture).ok()?)?;
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
            ALLOWED.iter().chain(ALLOWED_OLD).map(|call| (*call, Vec::new())).collect();
        let thread = libc::CLONE_THREAD as u64;
        rules.insert(libc::SYS_clone, vec![rule(0, SeccompCmpOp::MaskedEq(thread), thread)?]);
        let own = u64::from(std::process::id());
        rules.insert(libc::SYS_tgkill, vec![rule(0, SeccompCmpOp::Eq, own)?]);
        // Of its own limits it may lower some.
        rules.insert(libc::SYS_prlimit64, vec![rule(0, SeccompCmpOp::Eq, 0)?]);
        let names = [libc::PR_SET_NAME as u64, PR_SET_VMA];
        let names = names.map(|option| rule(0, SeccompCmpOp::Eq, option));
        rules.insert(libc::SYS_prctl, names.into_iter().collect::<Option<Vec<_>>>()?);
        let denied = SeccompAction::Errno(libc::EPERM as u32);
        install(SeccompFilter::new(rules, denied, SeccompAction::Allow, architecture).ok()?)
    }

    /// Tries what must not be possible any more.
    pub(super) fn is_shut_off() -> bool {
        use rustix::net::{AddressFamily, SocketType, socket};
        std::fs::File::open("/").is_err()
            && socket(AddressFamily::INET, SocketType::STREAM, None).is_err()
            && socket(AddressFamily::UNIX, SocketType::STREAM, None).is_err()
            && rustix::process::test_kill_process(rustix::process::Pid::INIT).is_err()
            && std::process::Command::new("/bin/true").spawn().is_err()
    }

    fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Option<SeccompRule> {
        let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Qword, operator, value).ok()?;
        SeccompRule::new(vec![condition]).ok()
    }

    fn install(filter: SeccompFilter) -> Option<()> {
        let program: BpfProgram = filter.try_into().ok()?;
        seccompiler::apply_filter_all_threads(&program).ok()
    }
}
