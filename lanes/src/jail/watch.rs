//! What is looked at while a program runs, beside what the kernel enforces by itself.

use std::collections::BTreeMap;
use std::fs;
use std::os::fd::OwnedFd;
use std::sync::OnceLock;

use call::ExitReason;
use rustix::fs::fstatvfs;

use super::cgroup::{Files, Group};
use crate::Limits;

/// Looks at a run from time to time.
pub(crate) struct Watch<'r> {
    pub(crate) group: Option<&'r Group>,
    pub(crate) limits: &'r Limits,
    /// What files in memory may take beside.
    pub(crate) files: Files,
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
                let family = Family::of(self.monitor);
                // Looked at twice: while some end, what they shared is counted for those who are asked later.
                if self.is_over(family.as_told())
                    && self.is_over(family.without_what_is_shared())
                    && self.is_over(Family::of(self.monitor).without_what_is_shared())
                {
                    return Some(ExitReason::MemoryLimit);
                }
                // What sockets hold back is in nobody's memory.
                if family.sockets().saturating_mul(socket()) > self.limits.memory {
                    return Some(ExitReason::MemoryLimit);
                }
                // The monitor and the first process inside are not the program's.
                let threads = family.threads().saturating_sub(2);
                (threads > u64::from(self.limits.processes)).then_some(ExitReason::ProcessLimit)
            }
        }
    }

    fn is_over(&self, Memory { own, files }: Memory) -> bool {
        let Files(most) = self.files;
        own > self.limits.memory || own + files > self.limits.memory.saturating_add(most)
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

/// A process and all below it.
struct Family(Vec<Member>);

/// One of them.
struct Member {
    process: u32,
    threads: u64,
    memory: Memory,
}

/// Bytes of memory that are no file's, with the tables that the kernel keeps for them; and bytes of files
/// that lie in memory, with memory that processes share.
#[derive(Clone, Copy, Default)]
struct Memory {
    own: u64,
    files: u64,
}

impl Family {
    fn of(first: u32) -> Self {
        let mut below: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        for process in processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()) {
            if let Some(parent) = parent(process) {
                below.entry(parent).or_default().push(process);
            }
        }
        let mut members = Vec::new();
        let mut waiting = vec![first];
        while let Some(process) = waiting.pop() {
            members.extend(member(process));
            waiting.extend(below.remove(&process).unwrap_or_default());
        }
        Self(members)
    }

    fn threads(&self) -> u64 {
        self.0.iter().map(|member| member.threads).sum()
    }

    /// What each process says it has. Pages that several have are counted for each.
    fn as_told(&self) -> Memory {
        sum(self.0.iter().map(|member| member.memory))
    }

    /// The same with each page counted once, which takes the kernel longer to say.
    fn without_what_is_shared(&self) -> Memory {
        // Who gives no answer may have ended since, and then has nothing.
        let asked = |process| shares(process).or_else(|| Some(member(process)?.memory));
        sum(self.0.iter().filter_map(|member| asked(member.process)))
    }

    /// Sockets in the network of the program. The monitor, which comes first, is in another.
    fn sockets(&self) -> u64 {
        let told = |member: &Member| {
            let text = fs::read_to_string(format!("/proc/{}/net/sockstat", member.process)).ok()?;
            text.lines().find_map(|line| line.strip_prefix("sockets: used ")?.trim().parse().ok())
        };
        self.0.iter().skip(1).find_map(told).unwrap_or(0)
    }
}

fn sum(all: impl Iterator<Item = Memory>) -> Memory {
    all.fold(Memory::default(), |sum, one| Memory { own: sum.own + one.own, files: sum.files + one.files })
}

/// Bytes that a socket holds back at most, as it is made.
fn socket() -> u64 {
    const USUAL: u64 = 212_992;
    static BYTES: OnceLock<u64> = OnceLock::new();
    *BYTES.get_or_init(|| {
        let text = fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        text.trim().parse().unwrap_or(USUAL)
    })
}

/// The field behind the state, which stands behind the name, which may hold anything.
fn parent(process: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    text.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn member(process: u32) -> Option<Member> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    // Somebody who ended and is not taken in yet has a thread and no memory.
    let bytes = |word: &str| number(&text, word).unwrap_or(0) * 1_024;
    let memory = Memory { own: bytes("RssAnon:") + bytes("VmPTE:"), files: bytes("RssShmem:") };
    Some(Member { process, threads: number(&text, "Threads:")?, memory })
}

/// What a process has, with its share of what others have too.
fn shares(process: u32) -> Option<Memory> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let tables = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let own = number(&text, "Pss_Anon:")? + number(&tables, "VmPTE:")?;
    Some(Memory { own: own * 1_024, files: number(&text, "Pss_Shmem:")? * 1_024 })
}

/// The number behind a word at the start of a line.
fn number(text: &str, word: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(word)?.split_whitespace().next()?.parse().ok())
}
