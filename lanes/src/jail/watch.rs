//! What is looked at while a program runs, beside what the kernel enforces by itself.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::sync::OnceLock;

use call::ExitReason;
use rustix::fs::fstatvfs;

use super::cgroup::{Files, Group};
use crate::Limits;

/// Looks at a run from time to time.
pub(crate) struct Watch<'r> {
    pub(crate) group: Option<&'r Group>,
    limits: &'r Limits,
    /// What files in memory may take beside.
    files: Files,
    /// The monitor: everything of the run is below it.
    monitor: u32,
    /// How often in a row it looked like too much memory while processes came and went.
    doubts: Cell<u32>,
    looks: Cell<u32>,
}

/// How many looks there are for one at what takes longer to look at.
const SELDOM: u32 = 10;

/// Bytes that the kernel keeps for an area of memory, whether or not anything was ever put into it.
const AREA: u64 = 256;

/// Areas that a process can have, as kernels come.
const MOST_AREAS: u64 = 65_530;

/// Looks after which there is no more doubt: who always comes and goes is not spared for it.
const MOST_DOUBTS: u32 = 10;

impl<'r> Watch<'r> {
    pub(crate) fn new(group: Option<&'r Group>, limits: &'r Limits, files: Files, monitor: u32) -> Self {
        Self { group, limits, files, monitor, doubts: Cell::new(0), looks: Cell::new(0) }
    }

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
                if self.has_too_much(&family) {
                    return Some(ExitReason::MemoryLimit);
                }
                // What sockets hold back is in nobody's memory.
                if family.sockets().saturating_mul(socket()) > self.limits.memory {
                    return Some(ExitReason::MemoryLimit);
                }
                let looks = self.looks.replace(self.looks.get().wrapping_add(1));
                if looks % SELDOM == SELDOM - 1 && family.areas().saturating_mul(AREA) > self.limits.memory {
                    return Some(ExitReason::MemoryLimit);
                }
                // The monitor and the first process inside are not the program's.
                let threads = family.threads().saturating_sub(2);
                (threads > u64::from(self.limits.processes)).then_some(ExitReason::ProcessLimit)
            }
        }
    }

    /// Pages that several processes share are each one's by halves, thirds and so on. While some of them end,
    /// the others have more of it, so that those that were looked at before and those behind come to more
    /// together than there is. A sum counts if nobody came or went meanwhile.
    fn has_too_much(&self, family: &Family) -> bool {
        if family.0.iter().any(|member| member.memory.own > self.limits.memory) {
            return true;
        }
        if !self.is_over(family.as_told()) || !self.is_over(family.without_what_is_shared()) {
            self.doubts.set(0);
            return false;
        }
        self.doubts.set(self.doubts.get() + 1);
        self.doubts.get() > MOST_DOUBTS || Family::of(self.monitor).has_the_members_of(family)
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
        let share = |member: &Member| match (shares(member.process), self::member(member.process)) {
            (Some(memory), _) => memory,
            // One that ended since it was listed has nothing any more.
            (None, now) => now.map_or_else(Memory::default, |now| now.memory),
        };
        sum(self.0.iter().map(share))
    }

    /// Are the same processes there, and alive?
    fn has_the_members_of(&self, other: &Self) -> bool {
        let living = |family: &Self| -> BTreeSet<u32> {
            let living = family.0.iter().filter(|member| member.memory.own > 0);
            living.map(|member| member.process).collect()
        };
        living(self) == living(other)
    }

    /// Areas of memory. One who does not let us look may have as many as there can be.
    fn areas(&self) -> u64 {
        let living = self.0.iter().skip(1).filter(|member| member.memory.own > 0);
        living.map(|member| areas(member.process).unwrap_or(MOST_AREAS)).sum()
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

/// Areas of the memory of a process: a line for each. None of one that is gone.
fn areas(process: u32) -> io::Result<u64> {
    let gone = |error: io::Error| match error.raw_os_error() {
        Some(libc::ENOENT | libc::ESRCH) => Ok(0),
        _ => Err(error),
    };
    let mut file = match fs::File::open(format!("/proc/{process}/maps")) {
        Ok(file) => file,
        Err(error) => return gone(error),
    };
    let mut part = vec![0; 65_536];
    let mut lines = 0;
    loop {
        match file.read(&mut part) {
            Ok(0) => return Ok(lines),
            Ok(count) => {
                let ends = part.iter().take(count).filter(|byte| **byte == b'\n');
                lines += ends.count() as u64;
            }
            Err(error) => return gone(error),
        }
    }
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
