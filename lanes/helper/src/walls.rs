//! What the program loses before it starts: powers, ways to get them, files, system calls.

use core::ffi::CStr;

use crate::plan::Step;
use crate::sys::{self, Fd, number};

const PR_SET_DUMPABLE: usize = 4;
const PR_CAPBSET_DROP: usize = 24;
const PR_SET_NO_NEW_PRIVS: usize = 38;
const PR_CAP_AMBIENT: usize = 47;
const PR_CAP_AMBIENT_CLEAR_ALL: usize = 4;

/// Becomes this user and group, for good.
///
/// # Errors
/// When the kernel refuses.
pub fn become_(id: u32) -> sys::Result<()> {
    let id = id as usize;
    sys::plain(number::SETRESGID, [id, id, id, 0, 0, 0])?;
    sys::plain(number::SETRESUID, [id, id, id, 0, 0, 0]).map(drop)
}

/// Is in no group but its own.
///
/// # Errors
/// When the kernel refuses.
pub fn leave_groups() -> sys::Result<()> {
    sys::plain(number::SETGROUPS, [0; 6]).map(drop)
}

/// Can never have a capability again. Whoever is about to lose its own does this first.
///
/// # Errors
/// When the kernel refuses.
pub fn forget_powers() -> sys::Result<()> {
    for capability in 0..64 {
        match sys::setting(PR_CAPBSET_DROP, capability) {
            Ok(()) => {}
            // The kernel has fewer than 64.
            Err(sys::EINVAL) => break,
            Err(error) => return Err(error),
        }
    }
    sys::plain(number::PRCTL, [PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0, 0]).map(drop)
}

/// Has no capability.
///
/// # Errors
/// When the kernel refuses.
pub fn drop_powers() -> sys::Result<()> {
    let header: [u32; 2] = [0x2008_0522, 0];
    let none = [0_u32; 6];
    // SAFETY: the header and the sets are what version 3 of the call takes.
    unsafe { sys::call(number::CAPSET, [header.as_ptr() as usize, none.as_ptr() as usize, 0, 0, 0, 0])? };
    sys::setting(PR_SET_NO_NEW_PRIVS, 1)
}

/// Cannot be looked into by its own kind.
///
/// # Errors
/// When the kernel refuses.
pub fn close_memory() -> sys::Result<()> {
    sys::setting(PR_SET_DUMPABLE, 0)
}

/// No more of something than this.
///
/// # Errors
/// When the kernel refuses.
pub fn limit(resource: usize, value: u64) -> sys::Result<()> {
    let limit = [value, value];
    // SAFETY: soft and hard limit, one behind the other, as the call takes them.
    unsafe { sys::call(number::PRLIMIT64, [0, resource, limit.as_ptr() as usize, 0, 0, 0]).map(drop) }
}

/// What Landlock refuses, from [`Landlock::finish`] on.
#[derive(Debug, Default)]
pub struct Landlock {
    ruleset: Option<Fd>,
}

impl Landlock {
    /// Does a step, if it is one about Landlock.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn build(&mut self, step: Step<'_>) -> sys::Result<()> {
        match step {
            Step::Landlock { files, network, scope, size } => {
                let handled = [files, network, scope];
                let size = size.min(size_of_val(&handled));
                let given = [handled.as_ptr() as usize, size, 0, 0, 0, 0];
                // SAFETY: no more bytes are read than there are.
                let made = unsafe { sys::call(number::LANDLOCK_CREATE_RULESET, given)? };
                self.ruleset = Fd::try_from(made).ok();
                Ok(())
            }
            Step::Beneath { path, access } => self.allow_beneath(path, access),
            Step::Port { port, access } => self.rule(2, &[access, port]),
            _ => Ok(()),
        }
    }

    fn allow_beneath(&self, path: &CStr, access: u64) -> sys::Result<()> {
        let place = sys::open(path, sys::O_PATH, 0)?;
        // The structure is packed: eight bytes of access, four of the descriptor.
        let added = self.rule(1, &[access, u64::from(place.cast_unsigned())]);
        sys::close(place);
        added
    }

    fn rule(&self, kind: usize, rule: &[u64; 2]) -> sys::Result<()> {
        let ruleset = self.ruleset.ok_or(sys::EINVAL)?;
        let given = [ruleset.cast_unsigned() as usize, kind, rule.as_ptr() as usize, 0, 0, 0];
        // SAFETY: both kinds of rules are at most as long as this.
        unsafe { sys::call(number::LANDLOCK_ADD_RULE, given).map(drop) }
    }

    /// From now on, what no rule allows is refused.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn finish(self) -> sys::Result<()> {
        let Some(ruleset) = self.ruleset else { return Ok(()) };
        sys::plain(number::LANDLOCK_RESTRICT_SELF, [ruleset.cast_unsigned() as usize, 0, 0, 0, 0, 0])?;
        sys::close(ruleset);
        Ok(())
    }
}

/// From now on, the kernel asks this program about every system call.
///
/// # Errors
/// When the kernel refuses.
pub fn filter(program: &[u8]) -> sys::Result<()> {
    #[repr(C)]
    struct Program {
        length: u16,
        instructions: usize,
    }
    const SECCOMP_SET_MODE_FILTER: usize = 1;
    let length = u16::try_from(program.len() / 8).map_err(|_| sys::EINVAL)?;
    let program = Program { length, instructions: program.as_ptr() as usize };
    let given = [SECCOMP_SET_MODE_FILTER, 0, (&raw const program) as usize, 0, 0, 0];
    // SAFETY: there are as many instructions as it is said.
    unsafe { sys::call(number::SECCOMP, given).map(drop) }
}
