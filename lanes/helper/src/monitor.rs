//! The process that stands outside: it makes the namespaces, says who is who in them, and waits.

use core::ffi::CStr;

use crate::init;
use crate::plan::{self, Step, Steps};
use crate::sys::{self, Errno, Fd};
use crate::talk::{self, Groups};

/// Mount, host name, interprocess, user and process namespaces. The one of control groups is made from
/// inside, when the process is in its group; the one of the network, which takes the kernel longest, while
/// the root is built.
const NAMESPACES: usize = 0x0002_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000;

const PR_SET_PDEATHSIG: usize = 1;
const SIGKILL: usize = 9;

/// The whole life of the helper.
pub fn run() -> ! {
    // What is built has the rights that the plan says, whoever started the gate.
    sys::mask(0);
    // When the gate dies, so does everything here.
    let _ = sys::setting(PR_SET_PDEATHSIG, SIGKILL);
    let given = talk::receive().unwrap_or_else(|error| talk::give_up(0, error));
    let bytes = sys::map(given.plan, given.length).unwrap_or_else(|error| talk::give_up(0, error));
    let Some(steps) = plan::steps(bytes) else { talk::give_up(0, sys::EINVAL) };
    let (go, ready) = sys::pipe().unwrap_or_else(|error| talk::give_up(0, error));
    let made = match given.groups {
        Groups::None => sys::fork(NAMESPACES),
        Groups::First(files) => files
            .into_iter()
            .flatten()
            .try_for_each(|file| sys::write(file, b"0").map(drop))
            .and_then(|()| sys::fork(NAMESPACES)),
        Groups::Second(folder) => sys::fork_into(NAMESPACES, folder),
    };
    match made {
        Err(error) => talk::give_up(0, error),
        Ok(None) => {
            sys::close(ready);
            init::run(steps, given, go)
        }
        Ok(Some(first)) => {
            [go, given.plan].into_iter().chain(given.streams).chain(given.wire).for_each(sys::close);
            match name(steps, first) {
                Ok(()) => {
                    let _ = sys::write(ready, &[1]);
                }
                Err((step, error)) => talk::give_up(step, error),
            }
            sys::close(ready);
            sys::close(talk::GATE);
            let _ = sys::wait(first, false);
            sys::exit(0)
        }
    }
}

/// Says who is who inside.
fn name(mut steps: Steps<'_>, first: i32) -> Result<(), (u32, Errno)> {
    let failed = |error| (1, error);
    let Some(Step::Maps { users, groups, privileged }) = steps.step() else {
        return Err(failed(sys::EINVAL));
    };
    if !privileged {
        put(first, b"setgroups", c"deny").map_err(failed)?;
    }
    put(first, b"uid_map", users).map_err(failed)?;
    put(first, b"gid_map", groups).map_err(failed)
}

/// Writes a file of a process below `/proc`.
fn put(process: i32, name: &[u8], content: &CStr) -> sys::Result<()> {
    let mut path = [0_u8; 64];
    let mut digits = [0_u8; 10];
    let mut count = 0;
    let mut left = process.unsigned_abs();
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (left % 10).to_le_bytes()[0];
        left /= 10;
        count += 1;
        if left == 0 {
            break;
        }
    }
    let digits = digits.get(10 - count..).unwrap_or_default();
    // The last byte stays zero: the longest path has 25.
    let parts = [b"/proc/", digits, b"/", name];
    for (to, from) in path.iter_mut().take(63).zip(parts.into_iter().flatten()) {
        *to = *from;
    }
    let path = CStr::from_bytes_until_nul(&path).map_err(|_| sys::EINVAL)?;
    let file: Fd = sys::open(path, sys::O_WRONLY, 0)?;
    let written = sys::write(file, content.to_bytes());
    sys::close(file);
    written.map(drop)
}
