//! The layers around a worker, each put on by the worker itself before it reads its first request.
//!
//! A layer that cannot be put on, or is not really there afterwards, is an error: a worker with less is
//! no worker. The process has one thread, so what is said of a thread here holds for all of it.

mod descriptors;
mod files;
mod limits;
mod syscalls;

pub(crate) use limits::Ceilings;

use rustix::process::{DumpableBehavior, Signal};
use rustix::thread::{CapabilitySet, CapabilitySets};

/// A layer that is missing.
#[derive(Debug, thiserror::Error)]
#[error("the layer `{layer}` is missing: {why}")]
pub(crate) struct Missing {
    layer: &'static str,
    why: String,
}

fn missing<E: std::fmt::Display>(layer: &'static str) -> impl FnOnce(E) -> Missing {
    move |why| Missing { layer, why: why.to_string() }
}

/// Puts on all layers, and names them.
///
/// # Errors
///
/// The first that is missing.
pub(crate) fn all(ceilings: Ceilings) -> Result<Vec<String>, Missing> {
    let mut layers = vec!["monty".to_owned()];
    process()?;
    layers.push("process".to_owned());
    environment()?;
    layers.push("empty_environment".to_owned());
    descriptors::close_all_but_standard()?;
    layers.push("no_descriptors".to_owned());
    privileges()?;
    layers.push("no_new_privs".to_owned());
    layers.push("no_capabilities".to_owned());
    layers.push(format!("landlock:{}", files::close()?));
    limits::set(ceilings)?;
    layers.push("rlimits".to_owned());
    // Last: the others need system calls that are gone afterwards.
    syscalls::filter()?;
    layers.push("seccomp".to_owned());
    Ok(layers)
}

/// Only privileges, files and TCP, without the filter that would end the process first.
pub(crate) fn only_files() -> Result<Vec<String>, Missing> {
    privileges()?;
    Ok(vec![format!("landlock:{}", files::close()?)])
}

/// A session of its own, no core, nobody who looks into it, and an end when the gate ends.
fn process() -> Result<(), Missing> {
    let failed = || missing("process");
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(failed())?;
    // The session that it came from is not asked for: the leader may be outside of a container, and has no number then.
    rustix::process::setsid().map_err(failed())?;
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(failed())
}

/// Nothing came along in the environment.
fn environment() -> Result<(), Missing> {
    match std::env::vars_os().next() {
        None => Ok(()),
        Some((name, _)) => Err(missing("empty_environment")(format!("{} is set", name.display()))),
    }
}

/// No privilege is there, and none can be gained.
fn privileges() -> Result<(), Missing> {
    rustix::thread::set_no_new_privs(true).map_err(missing("no_new_privs"))?;
    if !rustix::thread::no_new_privs().is_ok_and(|set| set) {
        return Err(missing("no_new_privs")("it is not in force"));
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, sets).map_err(missing("no_capabilities"))?;
    match rustix::thread::capabilities(None) {
        Ok(now) if now == sets => Ok(()),
        Ok(_) => Err(missing("no_capabilities")("some are left")),
        Err(error) => Err(missing("no_capabilities")(error)),
    }
}
