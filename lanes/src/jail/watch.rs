//! What is looked at while a program runs, beside what the kernel enforces by itself.

use std::collections::BTreeMap;
use std::fs;
use std::os::fd::OwnedFd;

use call::ExitReason;
use rustix::fs::fstatvfs;

use super::cgroup::Group;
use crate::Limits;

/// Looks at a run from time to time.
pub(crate) struct Watch<'r> {
    pub(crate) group: Option<&'r Group>,
    pub(crate) limits: &'r Limits,
    /// The monitor: everything of the run is below it.
    pub(crate) monitor: u32,
}

impl Watch<'_> {
    /// The limit that was passed, if one was.
    pub(crate) fn passed(&self) -> Option<ExitReason> {
        match self.group {
            Some(group) => {
                let over = group.memory().is_some_and(|memory| memory > self.limits.memory);
                if over || group.ran_out_of_memory() {
                    return Some(ExitReason::MemoryLimit);
                }
                group.ran_out_of_processes().then_some(ExitReason::ProcessLimit)
            }
            None => {
                let (memory, processes) = family(self.monitor);
                // The monitor and the first process inside are not the program's.
                let processes = processes.saturating_sub(2);
                if memory > self.limits.memory {
                    return Some(ExitReason::MemoryLimit);
                }
                (processes > u64::from(self.limits.processes)).then_some(ExitReason::ProcessLimit)
            }
        }
    }
}

/// Is a disk full, or has it as many files as it can?
pub(crate) fn full(disks: &[OwnedFd]) -> Option<ExitReason> {
    disks.iter().find_map(|disk| {
        let room = fstatvfs(disk).ok()?;
        if room.f_bfree == 0 {
            Some(ExitReason::DiskLimit)
        } else {
            (room.f_ffree == 0).then_some(ExitReason::FileLimit)
        }
    })
}

/// Memory and number of threads of a process and all below it, as far as the kernel tells.
fn family(first: u32) -> (u64, u64) {
    let mut below: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    for process in processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()) {
        if let Some(parent) = parent(process) {
            below.entry(parent).or_default().push(process);
        }
    }
    let (mut memory, mut threads) = (0, 0);
    let mut waiting = vec![first];
    while let Some(process) = waiting.pop() {
        let (its_memory, its_threads) = size(process).unwrap_or_default();
        memory += its_memory;
        threads += its_threads;
        waiting.extend(below.remove(&process).unwrap_or_default());
    }
    (memory, threads)
}

/// The fields behind the name, which may hold anything.
fn fields(process: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
}

fn parent(process: u32) -> Option<u32> {
    fields(process)?.get(1)?.parse().ok()
}

/// Memory that is no file's, and threads.
fn size(process: u32) -> Option<(u64, u64)> {
    let threads = fields(process)?.get(17)?.parse().ok()?;
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let mut pages = text.split_whitespace().skip(1).filter_map(|pages| pages.parse::<u64>().ok());
    let (resident, shared) = (pages.next()?, pages.next()?);
    Some((resident.saturating_sub(shared) * rustix::param::page_size() as u64, threads))
}
