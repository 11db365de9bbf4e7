//! The system calls that a worker has left. Any other ends the process.

use std::collections::BTreeMap;

use libc::{PROT_EXEC, c_long};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use super::{Missing, missing};

/// What may be asked of the kernel, and what for.
const ALLOWED: [(c_long, Arguments); 20] = [
    // Requests come in by descriptor 0 and nothing else is open.
    (libc::SYS_read, Arguments::First(0)),
    // Answers go out by 1; the runtime's last words by 2, which nobody reads once a worker is
    // ready.
    (libc::SYS_write, Arguments::FirstOf([1, 2])),
    // The allocator takes memory and gives it back. None of it can be made to run.
    (libc::SYS_brk, Arguments::Any),
    (libc::SYS_mmap, Arguments::NotToRun),
    (libc::SYS_munmap, Arguments::Any),
    (libc::SYS_mremap, Arguments::Any),
    (libc::SYS_madvise, Arguments::Any),
    (libc::SYS_mprotect, Arguments::NotToRun),
    // Hash tables are seeded, and `uuid4` draws.
    (libc::SYS_getrandom, Arguments::Any),
    // The clock, where the kernel does not answer it in user space.
    (libc::SYS_clock_gettime, Arguments::Any),
    // Locks of the runtime, which nobody contends for with one thread.
    (libc::SYS_futex, Arguments::Any),
    // The end: of a run that took too much memory, of the input, and by a stack that overflowed (the
    // runtime's handler says so, then takes itself off and raises the signal again).
    (libc::SYS_exit, Arguments::Any),
    (libc::SYS_exit_group, Arguments::Any),
    (libc::SYS_rt_sigaction, Arguments::Any),
    (libc::SYS_rt_sigprocmask, Arguments::Any),
    (libc::SYS_rt_sigreturn, Arguments::Any),
    (libc::SYS_sigaltstack, Arguments::Any),
    (libc::SYS_gettid, Arguments::Any),
    // A signal to itself, for the same reason.
    (libc::SYS_getpid, Arguments::Any),
    (libc::SYS_tgkill, Arguments::FirstIsSelf),
];

#[derive(Clone, Copy)]
enum Arguments {
    Any,
    First(u64),
    FirstOf([u64; 2]),
    FirstIsSelf,
    /// Memory that is never executable: the third argument has no such bit.
    NotToRun,
}

/// From here on only these are there.
pub(super) fn filter() -> Result<(), Missing> {
    let program = program().map_err(missing("seccomp"))?;
    seccompiler::apply_filter(&program).map_err(missing("seccomp"))
}

fn program() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules = BTreeMap::new();
    for (call, arguments) in ALLOWED {
        rules.insert(call, conditions(arguments)?);
    }
    let architecture = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, SeccompAction::KillProcess, SeccompAction::Allow, architecture)?.try_into()
}

fn conditions(arguments: Arguments) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let first = |value: u64| SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value);
    let alone = |condition| SeccompRule::new(vec![condition]);
    match arguments {
        Arguments::Any => Ok(Vec::new()),
        Arguments::First(value) => Ok(vec![alone(first(value)?)?]),
        Arguments::FirstOf(values) => values.into_iter().map(|value| alone(first(value)?)).collect(),
        Arguments::FirstIsSelf => Ok(vec![alone(first(u64::from(std::process::id()))?)?]),
        Arguments::NotToRun => {
            let bit = u64::try_from(PROT_EXEC).unwrap_or(u64::MAX);
            let operator = SeccompCmpOp::MaskedEq(bit);
            Ok(vec![alone(SeccompCondition::new(2, SeccompCmpArgLen::Qword, operator, 0)?)?])
        }
    }
}
