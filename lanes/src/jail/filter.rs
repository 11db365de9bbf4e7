//! The system calls that a program may make.
//!
//! A list of what is allowed, with the reason in front of each group: what is not there is refused with
//! `EPERM`, so that a call that a later kernel brings is refused too. What programs commonly need passes;
//! what makes namespaces, mounts, keys, kernel programs, raw sockets or looks into other processes does
//! not.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use libc as c;

use super::bpf::{Check, Filter, Rule, Verdict};

/// A system call, and what its arguments must be like: any of the rows.
type Row = (c::c_long, Vec<Vec<Check>>);

const EVERYWHERE: &[c::c_long] = &[
    // Memory of its own, also memory that is run: interpreters compile.
    c::SYS_brk,
    c::SYS_mmap,
    c::SYS_munmap,
    c::SYS_mremap,
    c::SYS_mprotect,
    c::SYS_madvise,
    c::SYS_mincore,
    c::SYS_msync,
    c::SYS_mlock,
    c::SYS_mlock2,
    c::SYS_munlock,
    c::SYS_membarrier,
    c::SYS_memfd_create,
    c::SYS_pkey_alloc,
    c::SYS_pkey_free,
    c::SYS_pkey_mprotect,
    // Threads and processes of its own kind. `clone` is below.
    c::SYS_execve,
    c::SYS_execveat,
    c::SYS_exit,
    c::SYS_exit_group,
    c::SYS_wait4,
    c::SYS_waitid,
    c::SYS_set_tid_address,
    c::SYS_set_robust_list,
    c::SYS_get_robust_list,
    c::SYS_rseq,
    c::SYS_futex,
    c::SYS_gettid,
    c::SYS_getpid,
    c::SYS_getppid,
    c::SYS_getpgid,
    c::SYS_setpgid,
    c::SYS_getsid,
    c::SYS_setsid,
    c::SYS_pidfd_open,
    c::SYS_pidfd_send_signal,
    // Turns on the processor; the limits of the run hold whatever is asked for here.
    c::SYS_sched_yield,
    c::SYS_sched_getaffinity,
    c::SYS_sched_setaffinity,
    c::SYS_sched_getparam,
    c::SYS_sched_getscheduler,
    c::SYS_sched_get_priority_max,
    c::SYS_sched_get_priority_min,
    c::SYS_getpriority,
    c::SYS_setpriority,
    c::SYS_getcpu,
    c::SYS_getrlimit,
    c::SYS_setrlimit,
    c::SYS_getrusage,
    c::SYS_times,
    // Signals among its own processes; those outside cannot be seen.
    c::SYS_kill,
    c::SYS_tkill,
    c::SYS_tgkill,
    c::SYS_rt_sigaction,
    c::SYS_rt_sigprocmask,
    c::SYS_rt_sigreturn,
    c::SYS_rt_sigpending,
    c::SYS_rt_sigsuspend,
    c::SYS_rt_sigtimedwait,
    c::SYS_rt_sigqueueinfo,
    c::SYS_rt_tgsigqueueinfo,
    c::SYS_sigaltstack,
    c::SYS_restart_syscall,
    c::SYS_signalfd4,
    // Clocks to read and to wait for.
    c::SYS_clock_gettime,
    c::SYS_clock_getres,
    c::SYS_clock_nanosleep,
    c::SYS_nanosleep,
    c::SYS_gettimeofday,
    c::SYS_getitimer,
    c::SYS_setitimer,
    c::SYS_timer_create,
    c::SYS_timer_settime,
    c::SYS_timer_gettime,
    c::SYS_timer_getoverrun,
    c::SYS_timer_delete,
    c::SYS_timerfd_create,
    c::SYS_timerfd_settime,
    c::SYS_timerfd_gettime,
    // Files, by descriptor and by path: which ones, the root and Landlock say.
    c::SYS_openat,
    c::SYS_openat2,
    c::SYS_close,
    c::SYS_close_range,
    c::SYS_read,
    c::SYS_write,
    c::SYS_readv,
    c::SYS_writev,
    c::SYS_pread64,
    c::SYS_pwrite64,
    c::SYS_preadv,
    c::SYS_pwritev,
    c::SYS_preadv2,
    c::SYS_pwritev2,
    c::SYS_lseek,
    c::SYS_fstat,
    c::SYS_newfstatat,
    c::SYS_statx,
    c::SYS_statfs,
    c::SYS_fstatfs,
    c::SYS_faccessat,
    c::SYS_faccessat2,
    c::SYS_readlinkat,
    c::SYS_getcwd,
    c::SYS_chdir,
    c::SYS_fchdir,
    c::SYS_getdents64,
    c::SYS_mkdirat,
    c::SYS_unlinkat,
    c::SYS_renameat,
    c::SYS_renameat2,
    c::SYS_linkat,
    c::SYS_symlinkat,
    c::SYS_truncate,
    c::SYS_ftruncate,
    c::SYS_fallocate,
    c::SYS_fchmod,
    c::SYS_fchmodat,
    c::SYS_fchown,
    c::SYS_fchownat,
    c::SYS_umask,
    c::SYS_utimensat,
    c::SYS_fsync,
    c::SYS_fdatasync,
    c::SYS_sync_file_range,
    c::SYS_syncfs,
    c::SYS_sync,
    c::SYS_fadvise64,
    c::SYS_readahead,
    c::SYS_flock,
    c::SYS_fcntl,
    c::SYS_copy_file_range,
    c::SYS_sendfile,
    c::SYS_splice,
    c::SYS_getxattr,
    c::SYS_lgetxattr,
    c::SYS_fgetxattr,
    c::SYS_listxattr,
    c::SYS_llistxattr,
    c::SYS_flistxattr,
    c::SYS_inotify_init1,
    c::SYS_inotify_add_watch,
    c::SYS_inotify_rm_watch,
    // Descriptors that wait and pass on.
    c::SYS_dup,
    c::SYS_dup3,
    c::SYS_pipe2,
    c::SYS_eventfd2,
    c::SYS_epoll_create1,
    c::SYS_epoll_ctl,
    c::SYS_epoll_pwait,
    c::SYS_epoll_pwait2,
    c::SYS_ppoll,
    c::SYS_pselect6,
    // Sockets, once there is one: which ones, `socket` below says, and there is no way out of the network
    // namespace.
    c::SYS_bind,
    c::SYS_listen,
    c::SYS_accept,
    c::SYS_accept4,
    c::SYS_connect,
    c::SYS_getsockname,
    c::SYS_getpeername,
    c::SYS_sendto,
    c::SYS_recvfrom,
    c::SYS_sendmsg,
    c::SYS_recvmsg,
    c::SYS_sendmmsg,
    c::SYS_recvmmsg,
    c::SYS_shutdown,
    c::SYS_setsockopt,
    c::SYS_getsockopt,
    // Who it is, and on what; nothing of it can be changed.
    c::SYS_getuid,
    c::SYS_geteuid,
    c::SYS_getgid,
    c::SYS_getegid,
    c::SYS_getresuid,
    c::SYS_getresgid,
    c::SYS_getgroups,
    c::SYS_capget,
    c::SYS_uname,
    c::SYS_sysinfo,
    c::SYS_getrandom,
    // More walls of its own.
    c::SYS_seccomp,
    c::SYS_landlock_create_ruleset,
    c::SYS_landlock_add_rule,
    c::SYS_landlock_restrict_self,
];

/// Older spellings of the above, which only this kind of machine has.
#[cfg(target_arch = "x86_64")]
const HERE: &[c::c_long] = &[
    c::SYS_open,
    c::SYS_creat,
    c::SYS_stat,
    c::SYS_lstat,
    c::SYS_access,
    c::SYS_readlink,
    c::SYS_getdents,
    c::SYS_mkdir,
    c::SYS_rmdir,
    c::SYS_unlink,
    c::SYS_rename,
    c::SYS_link,
    c::SYS_symlink,
    c::SYS_chmod,
    c::SYS_chown,
    c::SYS_lchown,
    c::SYS_utime,
    c::SYS_utimes,
    c::SYS_futimesat,
    c::SYS_dup2,
    c::SYS_pipe,
    c::SYS_eventfd,
    c::SYS_signalfd,
    c::SYS_epoll_create,
    c::SYS_epoll_wait,
    c::SYS_poll,
    c::SYS_select,
    c::SYS_inotify_init,
    c::SYS_fork,
    c::SYS_vfork,
    c::SYS_getpgrp,
    c::SYS_pause,
    c::SYS_alarm,
    c::SYS_time,
    // Where a thread keeps its own variables.
    c::SYS_arch_prctl,
];

#[cfg(not(target_arch = "x86_64"))]
const HERE: &[c::c_long] = &[];

/// Calls of which only some are harmless, told apart by their arguments.
fn conditional() -> Vec<Row> {
    let is = |place, value: i32| Check::Is { place, value: value.cast_unsigned() };
    let is_not = |place, value: u32| Check::IsNot { place, value };
    let masked = |place, mask: u32, value: u32| Check::Bits { place, mask, value };
    let mut rows = Vec::new();
    // New processes and threads, but no new namespaces.
    let namespaces = c::CLONE_NEWNS
        | c::CLONE_NEWCGROUP
        | c::CLONE_NEWUTS
        | c::CLONE_NEWIPC
        | c::CLONE_NEWUSER
        | c::CLONE_NEWPID
        | c::CLONE_NEWNET;
    let time = 0x80;
    rows.push((c::SYS_clone, vec![vec![masked(0, namespaces.cast_unsigned() | time, 0)]]));
    // Sockets of files, and of the network that is not there: TCP and UDP, and none that sees packets.
    // With the kernel they talk about one thing alone, the devices and addresses of this network, which
    // runtimes list: to change any takes a capability that no program has.
    const TCP: &[i32] = &[0, c::IPPROTO_TCP];
    const UDP: &[i32] = &[0, c::IPPROTO_UDP];
    let sockets_of = [
        (c::AF_UNIX, c::SOCK_STREAM, &[0] as &[i32]),
        (c::AF_UNIX, c::SOCK_DGRAM, &[0]),
        (c::AF_UNIX, c::SOCK_SEQPACKET, &[0]),
        (c::AF_INET, c::SOCK_STREAM, TCP),
        (c::AF_INET, c::SOCK_DGRAM, UDP),
        (c::AF_INET6, c::SOCK_STREAM, TCP),
        (c::AF_INET6, c::SOCK_DGRAM, UDP),
        (c::AF_NETLINK, c::SOCK_RAW, &[c::NETLINK_ROUTE]),
        (c::AF_NETLINK, c::SOCK_DGRAM, &[c::NETLINK_ROUTE]),
    ];
    let mut sockets = Vec::new();
    for (family, kind, protocols) in sockets_of {
        for &protocol in protocols {
            sockets.push(vec![is(0, family), masked(1, 0xf, kind.cast_unsigned()), is(2, protocol)]);
        }
    }
    rows.push((c::SYS_socket, sockets));
    rows.push((c::SYS_socketpair, vec![vec![is(0, c::AF_UNIX)]]));
    // What terminals and pipes understand, but nothing that types into a terminal.
    let (types, pastes) = (0x5412, 0x541c);
    rows.push((c::SYS_ioctl, vec![vec![is_not(1, types), is_not(1, pastes)]]));
    // Files, pipes and sockets with a name, but no devices.
    let kinds = [0, c::S_IFREG, c::S_IFIFO, c::S_IFSOCK];
    let nodes = |place| kinds.map(|kind| vec![masked(place, c::S_IFMT, kind)]).to_vec();
    rows.push((c::SYS_mknodat, nodes(2)));
    #[cfg(target_arch = "x86_64")]
    rows.push((c::SYS_mknod, nodes(1)));
    // How it is called, and what it gives up; nothing that gives it anything.
    let settings = [
        c::PR_SET_NAME,
        c::PR_GET_NAME,
        c::PR_SET_PDEATHSIG,
        c::PR_GET_PDEATHSIG,
        c::PR_GET_DUMPABLE,
        c::PR_SET_DUMPABLE,
        c::PR_SET_NO_NEW_PRIVS,
        c::PR_GET_NO_NEW_PRIVS,
        c::PR_CAPBSET_READ,
        c::PR_GET_SECCOMP,
        c::PR_SET_SECCOMP,
        c::PR_SET_THP_DISABLE,
        c::PR_GET_THP_DISABLE,
        c::PR_GET_TIMERSLACK,
        c::PR_SET_TIMERSLACK,
        c::PR_SET_VMA,
    ];
    rows.push((c::SYS_prctl, settings.map(|setting| vec![is(0, setting)]).to_vec()));
    // Limits: its own to lower, those of others to read. The first process inside is the gate's.
    rows.push((c::SYS_prlimit64, vec![vec![is(0, 0)], vec![Check::Nothing { place: 2 }]]));
    // Asking which personality it has, and having the plain one.
    rows.push((c::SYS_personality, vec![vec![is(0, -1)], vec![is(0, 0)]]));
    rows
}

/// The filters, in the order in which they are put up, each as the kernel takes it.
pub(crate) fn programs() -> Result<&'static [Vec<u8>], String> {
    static PROGRAMS: OnceLock<Result<Vec<Vec<u8>>, String>> = OnceLock::new();
    PROGRAMS.get_or_init(compiled).as_deref().map_err(String::clone)
}

/// More filters, for a run whose memory no control group counts: what takes memory that nobody can see
/// from outside is not there.
pub(crate) fn uncounted() -> Result<&'static [Vec<u8>], String> {
    static PROGRAMS: OnceLock<Result<Vec<Vec<u8>>, String>> = OnceLock::new();
    PROGRAMS.get_or_init(compiled_uncounted).as_deref().map_err(String::clone)
}

fn compiled_uncounted() -> Result<Vec<Vec<u8>>, String> {
    let mut rules = BTreeMap::new();
    // Files in memory without a name belong to no disk that could be full.
    rules.insert(number(c::SYS_memfd_create)?, Rule::Always(Verdict::Errno(c::ENOSYS)));
    // How much a socket holds back stays what it is. The kernel grants less than is asked for anyway, so
    // this is told as done.
    let sizes = [c::SO_SNDBUF, c::SO_RCVBUF, c::SO_SNDBUFFORCE, c::SO_RCVBUFFORCE];
    let is = |place, value: i32| Check::Is { place, value: value.cast_unsigned() };
    let rows = sizes.map(|size| vec![is(1, c::SOL_SOCKET), is(2, size)]).to_vec();
    let rule = Rule::When { rows, then: Verdict::Errno(0), otherwise: Verdict::Allow };
    rules.insert(number(c::SYS_setsockopt)?, rule);
    Ok(vec![Filter { rules, others: Verdict::Allow }.compiled()?])
}

fn compiled() -> Result<Vec<Vec<u8>>, String> {
    let mut rules = BTreeMap::new();
    for &call in EVERYWHERE.iter().chain(HERE) {
        rules.insert(number(call)?, Rule::Always(Verdict::Allow));
    }
    let refused = Verdict::Errno(c::EPERM);
    for (call, rows) in conditional() {
        rules.insert(number(call)?, Rule::When { rows, then: Verdict::Allow, otherwise: refused });
    }
    // The arguments of `clone3` lie where no filter can look; libraries take `clone` when it is not there.
    rules.insert(number(c::SYS_clone3)?, Rule::Always(Verdict::Errno(c::ENOSYS)));
    Ok(vec![Filter { rules, others: refused }.compiled()?])
}

/// One more filter for a program that shares folders with the machine.
///
/// A file that it makes there stays, so none is made that gives whoever runs it another user's or group's
/// rights; `openat2` says its mode where no filter can look, and libraries do without it. A socket with a
/// name in such a folder leads out of every namespace, so none is connected to.
pub(crate) fn sharing() -> Result<&'static [Vec<u8>], String> {
    static PROGRAMS: OnceLock<Result<Vec<Vec<u8>>, String>> = OnceLock::new();
    PROGRAMS.get_or_init(compiled_sharing).as_deref().map_err(String::clone)
}

fn compiled_sharing() -> Result<Vec<Vec<u8>>, String> {
    // A row holds when its bits are set: each bit has its own.
    let bits = [c::S_ISUID, c::S_ISGID];
    let set = |place, bit: u32| Check::Bits { place, mask: bit, value: bit };
    let either = |place| bits.map(|bit| vec![set(place, bit)]).to_vec();
    // A mode counts only where a file is made, with a name or without.
    let unnamed = 0o20_000_000;
    let making = [c::O_CREAT.cast_unsigned(), unnamed];
    let opening = |flags: u8, mode: u8| -> Vec<Vec<Check>> {
        let pairs = bits.iter().flat_map(|&bit| making.iter().map(move |&make| (bit, make)));
        pairs.map(|(bit, make)| vec![set(flags, make), set(mode, bit)]).collect()
    };
    let fchmodat2 = 452;
    let mut rows = vec![
        (c::SYS_openat, opening(2, 3)),
        (c::SYS_fchmod, either(1)),
        (c::SYS_fchmodat, either(2)),
        (fchmodat2, either(2)),
        (c::SYS_mknodat, either(2)),
        (c::SYS_socket, vec![vec![Check::Is { place: 0, value: c::AF_UNIX.cast_unsigned() }]]),
    ];
    #[cfg(target_arch = "x86_64")]
    rows.extend([
        (c::SYS_open, opening(1, 2)),
        (c::SYS_chmod, either(1)),
        (c::SYS_creat, either(1)),
        (c::SYS_mknod, either(1)),
    ]);
    let refused = Verdict::Errno(c::EPERM);
    let mut rules = BTreeMap::new();
    for (call, rows) in rows {
        rules.insert(number(call)?, Rule::When { rows, then: refused, otherwise: Verdict::Allow });
    }
    rules.insert(number(c::SYS_openat2)?, Rule::Always(Verdict::Errno(c::ENOSYS)));
    Ok(vec![Filter { rules, others: Verdict::Allow }.compiled()?])
}

fn number(call: c::c_long) -> Result<u32, String> {
    u32::try_from(call).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::bpf::tests::answer;
    use super::*;

    const ALLOW: u32 = 0x7fff_0000;

    /// What the list says about a call.
    fn said(call: c::c_long, arguments: [u64; 6]) -> u32 {
        let [program] = programs().unwrap() else { panic!("one program") };
        answer(program, u32::try_from(call).unwrap(), arguments)
    }

    #[test]
    fn what_is_listed_passes_and_nothing_else_does() {
        let listed: Vec<c::c_long> = EVERYWHERE.iter().chain(HERE).copied().collect();
        let by_argument: Vec<c::c_long> = conditional().into_iter().map(|(call, _)| call).collect();
        // And the numbers of another kind of machine.
        for call in (0..1_000).chain(0x4000_0000..0x4000_0300).chain([c::c_long::from(u32::MAX)]) {
            if by_argument.contains(&call) {
                assert!(!listed.contains(&call), "{call} is there twice");
                continue;
            }
            let expected = match call {
                c::SYS_clone3 => 0x0005_0000 + c::ENOSYS.cast_unsigned(),
                _ if listed.contains(&call) => ALLOW,
                _ => 0x0005_0000 + c::EPERM.cast_unsigned(),
            };
            assert_eq!(said(call, [0; 6]), expected, "{call}");
        }
    }

    #[test]
    fn arguments_tell_the_harmless_apart() {
        let number = |value: i32| u64::from(value.cast_unsigned());
        let cases: [(c::c_long, [u64; 3], bool); 26] = [
            (c::SYS_clone, [number(c::CLONE_VM | c::SIGCHLD), 0, 0], true),
            (c::SYS_clone, [number(c::CLONE_NEWUSER | c::SIGCHLD), 0, 0], false),
            (c::SYS_clone, [0x80, 0, 0], false),
            (c::SYS_socket, [1, number(c::SOCK_STREAM | c::SOCK_CLOEXEC), 0], true),
            (c::SYS_socket, [2, 2, 17], true),
            (c::SYS_socket, [2, 3, 0], false),
            (c::SYS_socket, [2, 1, 262], false),
            (c::SYS_socket, [16, number(c::SOCK_RAW | c::SOCK_CLOEXEC), 0], true),
            (c::SYS_socket, [16, 3, 4], false),
            (c::SYS_socket, [16, 3, 9], false),
            (c::SYS_socket, [16, 3, 12], false),
            (c::SYS_socket, [16, 5, 0], false),
            (c::SYS_socketpair, [1, 1, 0], true),
            (c::SYS_socketpair, [2, 1, 0], false),
            (c::SYS_ioctl, [0, 0x5401, 0], true),
            (c::SYS_ioctl, [0, 0x5412, 0], false),
            (c::SYS_ioctl, [0, 0x1_0000_5412, 0], false),
            (c::SYS_ioctl, [0, 0x541c, 0], false),
            (c::SYS_mknodat, [0, 0, number(0o010_644)], true),
            (c::SYS_mknodat, [0, 0, number(0o020_644)], false),
            (c::SYS_prctl, [number(c::PR_SET_NAME), 0, 0], true),
            (c::SYS_prctl, [number(c::PR_SET_SECUREBITS), 0, 0], false),
            (c::SYS_prlimit64, [0, 7, 0x7fff_1234], true),
            (c::SYS_prlimit64, [1, 7, 0], true),
            (c::SYS_prlimit64, [1, 7, 1 << 40], false),
            (c::SYS_personality, [number(-1), 0, 0], true),
        ];
        for (call, [one, two, three], passes) in cases {
            assert_eq!(said(call, [one, two, three, 0, 0, 0]) == ALLOW, passes, "{call} {one:#x} {two:#x}");
        }
    }
}
