//! Limits of the kernel, behind those of the interpreter and of the gate.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{Missing, missing};

/// What no worker gets past, whatever its requests say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ceilings {
    /// Seconds of processor time, over all runs of one worker.
    pub(crate) processor: u64,
    /// Bytes of address space.
    pub(crate) space: u64,
}

/// Room for a program's calls and for what walks its tree. The interpreter counts to a thousand calls.
const STACK: u64 = 64 * 1024 * 1024;

pub(super) fn set(ceilings: Ceilings) -> Result<(), Missing> {
    let limits = [
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 0),
        (Resource::Nproc, 0),
        (Resource::Memlock, 0),
        (Resource::Msgqueue, 0),
        (Resource::Cpu, ceilings.processor),
        (Resource::As, ceilings.space),
    ];
    for (resource, most) in limits {
        // Never above what is there already.
        let most = getrlimit(resource).maximum.map_or(most, |before| before.min(most));
        hold(resource, most, most)?;
    }
    let ceiling = getrlimit(Resource::Stack).maximum;
    let stack = ceiling.map_or(STACK, |ceiling| ceiling.min(STACK));
    hold(Resource::Stack, stack, ceiling.unwrap_or(STACK))
}

fn hold(resource: Resource, current: u64, maximum: u64) -> Result<(), Missing> {
    let limit = Rlimit { current: Some(current), maximum: Some(maximum) };
    setrlimit(resource, limit).map_err(missing("rlimits"))?;
    if getrlimit(resource) == limit {
        return Ok(());
    }
    Err(missing("rlimits")(format!("{resource:?} is not in force")))
}
