//! What Landlock is asked to refuse, by what the kernel knows of it.

use std::path::Path;

use super::plan::Plan;

/// The version of Landlock that the kernel has; nothing when it has none.
pub(crate) fn version() -> Option<u32> {
    const CREATE_RULESET_VERSION: u32 = 1;
    // SAFETY: without a structure and with this flag, the call only answers with a number.
    #[expect(unsafe_code, reason = "no crate below gives the number itself")]
    let answer = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<u8>(),
            0_usize,
            CREATE_RULESET_VERSION,
        )
    };
    u32::try_from(answer).ok().filter(|&version| version > 0)
}

const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const CONNECT: u64 = 1 << 1;
const MAKE_CHAR: u64 = 1 << 6;
const MAKE_BLOCK: u64 = 1 << 11;
const TALK: u64 = 1 << 15;

/// All that can be refused about files, by version.
const fn files(version: u32) -> u64 {
    match version {
        0 | 1 => (1 << 13) - 1,
        // Moving between folders.
        2 => (1 << 14) - 1,
        // Cutting files.
        3 | 4 => (1 << 15) - 1,
        // Talking to devices.
        _ => (1 << 16) - 1,
    }
}

/// Rules for the root that the plan builds, and for the one port that may be connected to.
pub(crate) fn write(plan: &mut Plan, version: u32, port: Option<u16>, devices: bool) {
    let files = files(version);
    let (network, scope, size) = match version {
        0..=3 => (0, 0, 8),
        // To bind and to connect.
        4 | 5 => (0b11, 0, 16),
        // And sockets without a path, and signals to whoever is outside.
        _ => (0b11, 0b11, 24),
    };
    plan.landlock(files, network, scope, size);
    if let Some(port) = port.filter(|_| network != 0) {
        plan.port(port, CONNECT);
    }
    plan.beneath(Path::new("/"), EXECUTE | READ_FILE | READ_DIR);
    // Devices that a program has beside the usual ones are there to be talked to.
    let talk = if devices { files & TALK } else { 0 };
    plan.beneath(Path::new("/dev"), READ_FILE | WRITE_FILE | READ_DIR | talk);
    for writable in ["/out", "/tmp"] {
        write_below(plan, version, Path::new(writable));
    }
}

/// One more place to write to.
pub(crate) fn write_below(plan: &mut Plan, version: u32, folder: &Path) {
    plan.beneath(folder, files(version) & !(MAKE_CHAR | MAKE_BLOCK));
}
