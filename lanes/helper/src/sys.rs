//! System calls, by number, as the kernel takes them.

use core::arch::asm;
use core::ffi::CStr;

/// What a system call failed of: the kernel's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub i32);

/// What a system call gave.
pub type Result<T> = core::result::Result<T, Errno>;

/// Interrupted by a signal.
pub const EINTR: Errno = Errno(4);
/// There is one already.
pub const EEXIST: Errno = Errno(17);
/// There is no such thing.
pub const ENOENT: Errno = Errno(2);
/// Not now.
pub const EAGAIN: Errno = Errno(11);
/// Something is not as it must be.
pub const EINVAL: Errno = Errno(22);

/// The numbers of the calls that are used here.
#[cfg(target_arch = "x86_64")]
#[expect(missing_docs, reason = "each has the kernel's own name")]
pub mod number {
    pub const READ: usize = 0;
    pub const WRITE: usize = 1;
    pub const CLOSE: usize = 3;
    pub const LSEEK: usize = 8;
    pub const MMAP: usize = 9;
    pub const RT_SIGPROCMASK: usize = 14;
    pub const IOCTL: usize = 16;
    pub const PREAD64: usize = 17;
    pub const GETPID: usize = 39;
    pub const SENDFILE: usize = 40;
    pub const SOCKET: usize = 41;
    pub const SENDTO: usize = 44;
    pub const SENDMSG: usize = 46;
    pub const RECVMSG: usize = 47;
    pub const SHUTDOWN: usize = 48;
    pub const BIND: usize = 49;
    pub const LISTEN: usize = 50;
    pub const SOCKETPAIR: usize = 53;
    pub const CLONE: usize = 56;
    pub const EXECVE: usize = 59;
    pub const WAIT4: usize = 61;
    pub const KILL: usize = 62;
    pub const CHDIR: usize = 80;
    pub const UMASK: usize = 95;
    pub const SETSID: usize = 112;
    pub const SETGROUPS: usize = 116;
    pub const SETRESUID: usize = 117;
    pub const SETRESGID: usize = 119;
    pub const CAPSET: usize = 126;
    pub const FSTATFS: usize = 138;
    pub const PIVOT_ROOT: usize = 155;
    pub const PRCTL: usize = 157;
    pub const CHROOT: usize = 161;
    pub const MOUNT: usize = 165;
    pub const UMOUNT2: usize = 166;
    pub const REBOOT: usize = 169;
    pub const SETHOSTNAME: usize = 170;
    pub const GETDENTS64: usize = 217;
    pub const CLOCK_GETTIME: usize = 228;
    pub const EXIT_GROUP: usize = 231;
    pub const OPENAT: usize = 257;
    pub const MKDIRAT: usize = 258;
    pub const UNLINKAT: usize = 263;
    pub const SYMLINKAT: usize = 266;
    pub const PPOLL: usize = 271;
    pub const UNSHARE: usize = 272;
    pub const ACCEPT4: usize = 288;
    pub const SIGNALFD4: usize = 289;
    pub const DUP3: usize = 292;
    pub const PIPE2: usize = 293;
    pub const PRLIMIT64: usize = 302;
    pub const SETNS: usize = 308;
    pub const FINIT_MODULE: usize = 313;
    pub const SECCOMP: usize = 317;
    pub const MEMFD_CREATE: usize = 319;
    pub const STATX: usize = 332;
    pub const CLONE3: usize = 435;
    pub const CLOSE_RANGE: usize = 436;
    pub const MOUNT_SETATTR: usize = 442;
    pub const LANDLOCK_CREATE_RULESET: usize = 444;
    pub const LANDLOCK_ADD_RULE: usize = 445;
    pub const LANDLOCK_RESTRICT_SELF: usize = 446;
}

/// The numbers of the calls that are used here.
#[cfg(target_arch = "aarch64")]
#[expect(missing_docs, reason = "each has the kernel's own name")]
pub mod number {
    pub const DUP3: usize = 24;
    pub const IOCTL: usize = 29;
    pub const MKDIRAT: usize = 34;
    pub const UNLINKAT: usize = 35;
    pub const SYMLINKAT: usize = 36;
    pub const UMOUNT2: usize = 39;
    pub const MOUNT: usize = 40;
    pub const PIVOT_ROOT: usize = 41;
    pub const FSTATFS: usize = 44;
    pub const CHDIR: usize = 49;
    pub const CHROOT: usize = 51;
    pub const OPENAT: usize = 56;
    pub const CLOSE: usize = 57;
    pub const PIPE2: usize = 59;
    pub const GETDENTS64: usize = 61;
    pub const LSEEK: usize = 62;
    pub const READ: usize = 63;
    pub const WRITE: usize = 64;
    pub const PREAD64: usize = 67;
    pub const SENDFILE: usize = 71;
    pub const PPOLL: usize = 73;
    pub const SIGNALFD4: usize = 74;
    pub const CAPSET: usize = 91;
    pub const EXIT_GROUP: usize = 94;
    pub const UNSHARE: usize = 97;
    pub const CLOCK_GETTIME: usize = 113;
    pub const KILL: usize = 129;
    pub const RT_SIGPROCMASK: usize = 135;
    pub const REBOOT: usize = 142;
    pub const SETRESUID: usize = 147;
    pub const SETRESGID: usize = 149;
    pub const SETSID: usize = 157;
    pub const SETGROUPS: usize = 159;
    pub const SETHOSTNAME: usize = 161;
    pub const UMASK: usize = 166;
    pub const PRCTL: usize = 167;
    pub const GETPID: usize = 172;
    pub const SOCKET: usize = 198;
    pub const SOCKETPAIR: usize = 199;
    pub const BIND: usize = 200;
    pub const LISTEN: usize = 201;
    pub const SENDTO: usize = 206;
    pub const SHUTDOWN: usize = 210;
    pub const SENDMSG: usize = 211;
    pub const RECVMSG: usize = 212;
    pub const CLONE: usize = 220;
    pub const EXECVE: usize = 221;
    pub const MMAP: usize = 222;
    pub const ACCEPT4: usize = 242;
    pub const WAIT4: usize = 260;
    pub const PRLIMIT64: usize = 261;
    pub const SETNS: usize = 268;
    pub const FINIT_MODULE: usize = 273;
    pub const SECCOMP: usize = 277;
    pub const MEMFD_CREATE: usize = 279;
    pub const STATX: usize = 291;
    pub const CLONE3: usize = 435;
    pub const CLOSE_RANGE: usize = 436;
    pub const MOUNT_SETATTR: usize = 442;
    pub const LANDLOCK_CREATE_RULESET: usize = 444;
    pub const LANDLOCK_ADD_RULE: usize = 445;
    pub const LANDLOCK_RESTRICT_SELF: usize = 446;
}

/// Makes a system call with up to six arguments.
///
/// # Safety
/// The arguments are what the call wants: pointers lead to memory that lives as long as the call and is as
/// large as the call takes it to be.
pub unsafe fn call(number: usize, given: [usize; 6]) -> Result<usize> {
    let [a, b, c, d, e, f] = given;
    let answer: isize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the caller's promise; the kernel keeps every other register.
    unsafe {
        asm!(
            "syscall", inlateout("rax") number as isize => answer,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _, options(nostack),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the caller's promise; the kernel keeps every other register.
    unsafe {
        asm!(
            "svc 0", in("x8") number, inlateout("x0") a as isize => answer,
            in("x1") b, in("x2") c, in("x3") d, in("x4") e, in("x5") f, options(nostack),
        );
    }
    // The kernel's errors are the last page of numbers.
    if (-4095..0).contains(&answer) {
        Err(Errno(i32::try_from(-answer).unwrap_or(i32::MAX)))
    } else {
        Ok(answer.cast_unsigned())
    }
}

/// A descriptor, as a number.
pub type Fd = i32;

/// The working directory, where a call takes a descriptor to start from.
pub const AT_FDCWD: Fd = -100;

const fn fd(fd: Fd) -> usize {
    fd as isize as usize
}

fn path(path: &CStr) -> usize {
    path.as_ptr() as usize
}

/// A call whose arguments are all plain numbers.
///
/// # Errors
/// Those of the call.
pub fn plain(number: usize, given: [usize; 6]) -> Result<usize> {
    // SAFETY: only used here with calls, and with arguments, in which no number is taken for an address.
    unsafe { call(number, given) }
}

/// Ends every thread of this process.
pub fn exit(code: i32) -> ! {
    loop {
        // It does not return; if it did, there would be nothing else to do.
        let _ = plain(number::EXIT_GROUP, [fd(code), 0, 0, 0, 0, 0]);
    }
}

/// Which rights new files do not get.
pub fn mask(rights: usize) {
    // It has no way to fail.
    let _ = plain(number::UMASK, [rights, 0, 0, 0, 0, 0]);
}

/// Closes a descriptor.
pub fn close(which: Fd) {
    // What was open is closed afterwards, whatever the call says.
    let _ = plain(number::CLOSE, [fd(which), 0, 0, 0, 0, 0]);
}

/// Closes every descriptor from this one on.
///
/// # Errors
/// When the kernel has no such call.
pub fn close_from(first: Fd) -> Result<()> {
    plain(number::CLOSE_RANGE, [fd(first), u32::MAX as usize, 0, 0, 0, 0]).map(drop)
}

/// Closes every descriptor from one to another.
///
/// # Errors
/// When the kernel has no such call.
pub fn close_range(first: Fd, last: Fd) -> Result<()> {
    plain(number::CLOSE_RANGE, [fd(first), fd(last), 0, 0, 0, 0]).map(drop)
}

/// Makes a descriptor another number's.
///
/// # Errors
/// When it is not open.
pub fn duplicate(from: Fd, to: Fd, flags: usize) -> Result<()> {
    plain(number::DUP3, [fd(from), fd(to), flags, 0, 0, 0]).map(drop)
}

/// Reads.
///
/// # Errors
/// Those of the descriptor.
pub fn read(from: Fd, into: &mut [u8]) -> Result<usize> {
    // SAFETY: the slice is as long as it says, and nobody else has it.
    unsafe { call(number::READ, [fd(from), into.as_mut_ptr() as usize, into.len(), 0, 0, 0]) }
}

/// Writes.
///
/// # Errors
/// Those of the descriptor.
pub fn write(to: Fd, bytes: &[u8]) -> Result<usize> {
    // SAFETY: the slice is as long as it says.
    unsafe { call(number::WRITE, [fd(to), bytes.as_ptr() as usize, bytes.len(), 0, 0, 0]) }
}

/// For reading only.
pub const O_RDONLY: usize = 0;
/// For writing only.
pub const O_WRONLY: usize = 1;
/// For both.
pub const O_RDWR: usize = 2;
/// Made, and it must not have been there.
pub const O_CREAT_EXCL: usize = 0o300;
/// Not for programs that are started.
pub const O_CLOEXEC: usize = 0o2_000_000;
/// Only as a place.
pub const O_PATH: usize = 0o10_000_000;

/// Opens a path.
///
/// # Errors
/// When it cannot be.
pub fn open(name: &CStr, flags: usize, mode: usize) -> Result<Fd> {
    open_at(AT_FDCWD, name, flags, mode)
}

/// Opens a path below a folder.
///
/// # Errors
/// When it cannot be.
pub fn open_at(folder: Fd, name: &CStr, flags: usize, mode: usize) -> Result<Fd> {
    // SAFETY: the path ends with its zero.
    let opened = unsafe { call(number::OPENAT, [fd(folder), path(name), flags | O_CLOEXEC, mode, 0, 0])? };
    Fd::try_from(opened).map_err(|_| EINVAL)
}

/// Makes a directory.
///
/// # Errors
/// When it cannot be made.
pub fn make_dir(name: &CStr, mode: usize) -> Result<()> {
    // SAFETY: the path ends with its zero.
    unsafe { call(number::MKDIRAT, [fd(AT_FDCWD), path(name), mode, 0, 0, 0]).map(drop) }
}

/// Removes an empty directory.
///
/// # Errors
/// When it cannot be removed.
pub fn remove_dir(name: &CStr) -> Result<()> {
    const AT_REMOVEDIR: usize = 0x200;
    // SAFETY: the path ends with its zero.
    unsafe { call(number::UNLINKAT, [fd(AT_FDCWD), path(name), AT_REMOVEDIR, 0, 0, 0]).map(drop) }
}

/// Makes a symbolic link.
///
/// # Errors
/// When it cannot be made.
pub fn link(to: &CStr, name: &CStr) -> Result<()> {
    // SAFETY: both end with their zero.
    unsafe { call(number::SYMLINKAT, [path(to), fd(AT_FDCWD), path(name), 0, 0, 0]).map(drop) }
}

/// Changes the working directory.
///
/// # Errors
/// When it cannot be.
pub fn change_dir(name: &CStr) -> Result<()> {
    // SAFETY: the path ends with its zero.
    unsafe { call(number::CHDIR, [path(name), 0, 0, 0, 0, 0]).map(drop) }
}

/// Mounts.
///
/// # Errors
/// When it cannot be.
pub fn mount(source: &CStr, target: &CStr, kind: &CStr, flags: usize, options: &CStr) -> Result<()> {
    // SAFETY: all of them end with their zero.
    unsafe {
        call(number::MOUNT, [path(source), path(target), path(kind), flags, path(options), 0]).map(drop)
    }
}

/// Takes a mount away as soon as nobody uses it.
///
/// # Errors
/// When it is none.
pub fn unmount(target: &CStr) -> Result<()> {
    const MNT_DETACH: usize = 2;
    // SAFETY: the path ends with its zero.
    unsafe { call(number::UMOUNT2, [path(target), MNT_DETACH, 0, 0, 0, 0]).map(drop) }
}

/// Makes a mount the root, and leaves the old root below it.
///
/// # Errors
/// When it cannot be.
pub fn pivot_root(new: &CStr, old: &CStr) -> Result<()> {
    // SAFETY: both end with their zero.
    unsafe { call(number::PIVOT_ROOT, [path(new), path(old), 0, 0, 0, 0]).map(drop) }
}

/// Adds flags to a mount, and to all below it when `all`.
///
/// # Errors
/// When the kernel is older than this call.
pub fn restrict_mount(target: &CStr, flags: u64, all: bool) -> Result<()> {
    const AT_RECURSIVE: usize = 0x8000;
    let attributes: [u64; 4] = [flags, 0, 0, 0];
    let given = [
        fd(AT_FDCWD),
        path(target),
        if all { AT_RECURSIVE } else { 0 },
        attributes.as_ptr() as usize,
        size_of_val(&attributes),
        0,
    ];
    // SAFETY: the path ends with its zero, and the attributes are as large as it is said.
    unsafe { call(number::MOUNT_SETATTR, given).map(drop) }
}

/// Copies from one file to another within the kernel.
///
/// # Errors
/// Those of both files.
pub fn copy(from: Fd, mut offset: u64, to: Fd, mut count: u64) -> Result<()> {
    while count > 0 {
        let most = usize::try_from(count.min(1 << 30)).unwrap_or(1 << 30);
        let given = [fd(to), fd(from), (&raw mut offset) as usize, most, 0, 0];
        // SAFETY: the offset lives as long as the call, which moves it on.
        match unsafe { call(number::SENDFILE, given) } {
            Ok(0) => return Err(EINVAL),
            Ok(done) => count = count.saturating_sub(done as u64),
            Err(EINTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A process like this one, in new namespaces where the flags say so. Nothing for the new one.
///
/// # Errors
/// When there can be none.
pub fn fork(flags: usize) -> Result<Option<i32>> {
    const SIGCHLD: usize = 17;
    // SAFETY: without a stack of its own and without shared memory, the new process has a copy of all of
    // this, as with `fork`; there is one thread here.
    let made = unsafe { call(number::CLONE, [flags | SIGCHLD, 0, 0, 0, 0, 0])? };
    Ok(i32::try_from(made).ok().filter(|&made| made > 0))
}

/// The same, born into a control group.
///
/// # Errors
/// When there can be none.
pub fn fork_into(flags: usize, group: Fd) -> Result<Option<i32>> {
    const SIGCHLD: u64 = 17;
    const CLONE_INTO_CGROUP: u64 = 1 << 33;
    let group = u64::from(group.cast_unsigned());
    let arguments = [flags as u64 | CLONE_INTO_CGROUP, 0, 0, 0, SIGCHLD, 0, 0, 0, 0, 0, group];
    let given = [arguments.as_ptr() as usize, size_of_val(&arguments), 0, 0, 0, 0];
    // SAFETY: as with `fork`; the arguments are as large as it is said.
    let made = unsafe { call(number::CLONE3, given)? };
    Ok(i32::try_from(made).ok().filter(|&made| made > 0))
}

/// Leaves a namespace for a new one.
///
/// # Errors
/// When the kernel refuses.
pub fn unshare(flags: usize) -> Result<()> {
    plain(number::UNSHARE, [flags, 0, 0, 0, 0, 0]).map(drop)
}

/// Goes into a namespace that a descriptor stands for.
///
/// # Errors
/// When the kernel refuses.
pub fn join(namespace: Fd, kind: usize) -> Result<()> {
    plain(number::SETNS, [fd(namespace), kind, 0, 0, 0, 0]).map(drop)
}

/// A connection that came to a socket that listens. It does not wait.
///
/// # Errors
/// When none came.
pub fn accept(listener: Fd) -> Result<Fd> {
    let made = plain(number::ACCEPT4, [fd(listener), 0, 0, O_CLOEXEC | O_NONBLOCK, 0, 0])?;
    Fd::try_from(made).map_err(|_| EINVAL)
}

/// Sends over a socket, and gets no signal where nobody is there.
///
/// # Errors
/// Those of the socket.
pub fn send(to: Fd, bytes: &[u8]) -> Result<usize> {
    const MSG_NOSIGNAL: usize = 0x4000;
    // SAFETY: the slice is as long as it says.
    unsafe { call(number::SENDTO, [fd(to), bytes.as_ptr() as usize, bytes.len(), MSG_NOSIGNAL, 0, 0]) }
}

/// Says on a socket that nothing more is sent.
pub fn end_sending(to: Fd) {
    const SHUT_WR: usize = 1;
    // Where nobody is there, nobody needs to know.
    let _ = plain(number::SHUTDOWN, [fd(to), SHUT_WR, 0, 0, 0, 0]);
}

/// Makes a descriptor one that does not wait.
///
/// # Errors
/// When it is not open.
pub fn hurry(which: Fd) -> Result<()> {
    const FIONBIO: usize = 0x5421;
    let yes = 1_i32;
    // SAFETY: the number lives as long as the call.
    unsafe { call(number::IOCTL, [fd(which), FIONBIO, (&raw const yes) as usize, 0, 0, 0]).map(drop) }
}

/// Ends a process.
pub fn end(process: i32) {
    const SIGKILL: usize = 9;
    // One that is gone does not need it.
    let _ = plain(number::KILL, [fd(process), SIGKILL, 0, 0, 0, 0]);
}

/// Two ends of a socket that keeps messages apart.
///
/// # Errors
/// When there can be none.
pub fn socket_pair() -> Result<(Fd, Fd)> {
    const AF_UNIX: usize = 1;
    const SOCK_SEQPACKET: usize = 5;
    let mut ends = [0_i32; 2];
    let kind = SOCK_SEQPACKET | O_CLOEXEC;
    // SAFETY: there is room for both numbers.
    unsafe { call(number::SOCKETPAIR, [AF_UNIX, kind, 0, ends.as_mut_ptr() as usize, 0, 0])? };
    let [one, other] = ends;
    Ok((one, other))
}

/// Waits for a child, or for any when `which` is -1: its number and how it ended.
///
/// # Errors
/// When there is none.
pub fn wait(which: i32, at_once: bool) -> Result<(i32, i32)> {
    let mut status = 0_i32;
    let given = [fd(which), (&raw mut status) as usize, usize::from(at_once), 0, 0, 0];
    loop {
        // SAFETY: the status lives as long as the call.
        match unsafe { call(number::WAIT4, given) } {
            Err(EINTR) => {}
            answer => return answer.map(|child| (i32::try_from(child).unwrap_or_default(), status)),
        }
    }
}

/// A setting of this process.
///
/// # Errors
/// When it cannot be set.
pub fn setting(option: usize, value: usize) -> Result<()> {
    plain(number::PRCTL, [option, value, 0, 0, 0, 0]).map(drop)
}

/// A pipe: where to read, and where to write.
///
/// # Errors
/// When there can be none.
pub fn pipe() -> Result<(Fd, Fd)> {
    let mut ends = [0_i32; 2];
    // SAFETY: there is room for both numbers.
    unsafe { call(number::PIPE2, [ends.as_mut_ptr() as usize, O_CLOEXEC, 0, 0, 0, 0])? };
    let [read, write] = ends;
    Ok((read, write))
}

/// A file as memory that can be read.
///
/// # Errors
/// When it cannot be.
pub fn map(file: Fd, length: usize) -> Result<&'static [u8]> {
    const PROT_READ: usize = 1;
    const MAP_PRIVATE: usize = 2;
    let given = [0, length, PROT_READ, MAP_PRIVATE, fd(file), 0];
    // SAFETY: the kernel chooses a place where nothing else is.
    let place = unsafe { call(number::MMAP, given)? };
    // SAFETY: it is mapped for as long as the process lives, and sealed against writing by who made it.
    Ok(unsafe { core::slice::from_raw_parts(place as *const u8, length) })
}

/// Memory that nobody else has, all zero.
///
/// # Errors
/// When there is not so much.
pub fn memory(length: usize) -> Result<&'static mut [u8]> {
    const PROT_READ_WRITE: usize = 3;
    const MAP_PRIVATE_ANONYMOUS: usize = 0x22;
    let given = [0, length, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, usize::MAX, 0];
    // SAFETY: the kernel chooses a place where nothing else is.
    let place = unsafe { call(number::MMAP, given)? };
    // SAFETY: it is mapped for as long as the process lives, and this is the only one who knows of it.
    Ok(unsafe { core::slice::from_raw_parts_mut(place as *mut u8, length) })
}

/// Waits until one of these has something; those that have.
///
/// # Errors
/// When it cannot wait.
pub fn poll<const N: usize>(which: [Fd; N]) -> Result<[i16; N]> {
    poll_within(which, None)
}

/// The same, but not longer than so many milliseconds. A descriptor below zero has nothing.
///
/// # Errors
/// When it cannot wait.
pub fn poll_within<const N: usize>(which: [Fd; N], most: Option<u64>) -> Result<[i16; N]> {
    poll_for(which.map(|fd| (fd, POLLIN)), most)
}

/// It can be read.
pub const POLLIN: i16 = 1;
/// It can be written.
pub const POLLOUT: i16 = 4;
/// Nobody is at its other end, or it is broken; this is told without being asked for.
pub const POLL_GONE: i16 = 8 | 16;

/// The same, for what is named with each.
///
/// # Errors
/// When it cannot wait.
pub fn poll_for<const N: usize>(which: [(Fd, i16); N], most: Option<u64>) -> Result<[i16; N]> {
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Waiting {
        fd: Fd,
        events: i16,
        seen: i16,
    }
    let mut list = which.map(|(fd, events)| Waiting { fd, events, seen: 0 });
    let mut time = most.map(|most| [most / 1000, most % 1000 * 1_000_000]);
    let time = time.as_mut().map_or(0, |time| time.as_mut_ptr() as usize);
    // SAFETY: the list is as long as it is said, and the time is two numbers, or none.
    unsafe { call(number::PPOLL, [list.as_mut_ptr() as usize, N, time, 0, 0, 0])? };
    Ok(list.map(|one| one.seen))
}

/// Not through a link.
pub const O_NOFOLLOW: usize = if cfg!(target_arch = "aarch64") { 0o100_000 } else { 0o400_000 };
/// Without waiting.
pub const O_NONBLOCK: usize = 0o4_000;

/// Reads from a place of a file.
///
/// # Errors
/// Those of the descriptor.
pub fn read_at(from: Fd, into: &mut [u8], offset: u64) -> Result<usize> {
    let offset = usize::try_from(offset).map_err(|_| EINVAL)?;
    // SAFETY: the slice is as long as it says, and nobody else has it.
    unsafe { call(number::PREAD64, [fd(from), into.as_mut_ptr() as usize, into.len(), offset, 0, 0]) }
}

/// Goes back to the beginning of a file.
///
/// # Errors
/// When it has none.
pub fn rewind(file: Fd) -> Result<()> {
    plain(number::LSEEK, [fd(file), 0, 0, 0, 0, 0]).map(drop)
}

/// How long a file or a disk is.
///
/// # Errors
/// When it has no length.
pub fn length(file: Fd) -> Result<u64> {
    const SEEK_END: usize = 2;
    plain(number::LSEEK, [fd(file), 0, SEEK_END, 0, 0, 0]).map(|length| length as u64)
}

/// A file in memory.
///
/// # Errors
/// When there can be none.
pub fn memory_file() -> Result<Fd> {
    const MFD_CLOEXEC: usize = 1;
    // SAFETY: the name ends with its zero.
    let made = unsafe { call(number::MEMFD_CREATE, [path(c"input"), MFD_CLOEXEC, 0, 0, 0, 0])? };
    Fd::try_from(made).map_err(|_| EINVAL)
}

/// Makes a folder the root.
///
/// # Errors
/// When it cannot be.
pub fn change_root(name: &CStr) -> Result<()> {
    // SAFETY: the path ends with its zero.
    unsafe { call(number::CHROOT, [path(name), 0, 0, 0, 0, 0]).map(drop) }
}

/// Milliseconds of a clock that only goes forward.
///
/// # Errors
/// When there is none.
pub fn now() -> Result<u64> {
    const MONOTONIC: usize = 1;
    let mut time = [0_u64; 2];
    // SAFETY: there is room for seconds and parts of a second.
    unsafe { call(number::CLOCK_GETTIME, [MONOTONIC, time.as_mut_ptr() as usize, 0, 0, 0, 0])? };
    let [seconds, nanoseconds] = time;
    Ok(seconds * 1_000 + nanoseconds / 1_000_000)
}

/// The next entries of a folder, as the kernel puts them down; none at its end.
///
/// # Errors
/// When it is no folder.
pub fn entries(folder: Fd, into: &mut [u8]) -> Result<usize> {
    // SAFETY: the slice is as long as it says, and nobody else has it.
    unsafe { call(number::GETDENTS64, [fd(folder), into.as_mut_ptr() as usize, into.len(), 0, 0, 0]) }
}

/// What is at a path, without following it.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Its kind and rights.
    pub mode: u32,
    /// How many names it has.
    pub names: u32,
    /// Its bytes.
    pub size: u64,
}

/// Looks at what is below a folder.
///
/// # Errors
/// When nothing is there.
pub fn look(folder: Fd, name: &CStr) -> Result<Seen> {
    const AT_SYMLINK_NOFOLLOW: usize = 0x100;
    const BASIC: usize = 0x7ff;
    // The kernel's structure: mask, block size, attributes (8), names, user, group, mode, inode, size.
    let mut answer = [0_u32; 64];
    let place = answer.as_mut_ptr() as usize;
    // SAFETY: the structure is 256 bytes.
    unsafe { call(number::STATX, [fd(folder), path(name), AT_SYMLINK_NOFOLLOW, BASIC, place, 0])? };
    let [_, _, _, _, names, _, _, mode, _, _, low, high, ..] = answer;
    Ok(Seen { mode: mode & 0xffff, names, size: u64::from(low) | u64::from(high) << 32 })
}

/// Blocks and files for which there is room where a descriptor is.
///
/// # Errors
/// When nobody knows.
pub fn room(place: Fd) -> Result<(u64, u64)> {
    // Kind, block size, blocks, free, free for everybody, files, free files.
    let mut answer = [0_u64; 15];
    // SAFETY: the structure is 120 bytes.
    unsafe { call(number::FSTATFS, [fd(place), answer.as_mut_ptr() as usize, 0, 0, 0, 0])? };
    let [_, _, _, free, _, _, files, ..] = answer;
    Ok((free, files))
}
