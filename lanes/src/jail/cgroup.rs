//! Limits that hold for all processes of a run together, where the machine lets us set them.
//!
//! Version 2 of control groups, or version 1 where that is what there is. A group is made for each run and
//! gone with it. Where none can be made, the watchdog does what it can, and the layers say so.

use std::fmt;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Once, OnceLock};

use crate::Limits;

/// The group of one run: one folder, or one for each controller.
#[derive(Debug)]
pub(crate) enum Group {
    Second(PathBuf),
    /// Without a folder for processors where the run may have all of them.
    First {
        memory: PathBuf,
        pids: PathBuf,
        cpu: Option<PathBuf>,
    },
}

/// Bytes that files of a run may take beside its memory: both disks and the inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Files(pub(crate) u64);

const WHERE: &str = "/sys/fs/cgroup";

/// The monitor and the first process inside are in the group too.
const OURS: u64 = 2;

impl Group {
    /// A group with these limits, or why there can be none.
    pub(crate) fn new(limits: &Limits, files: Files) -> Result<Self, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = Name { gate: std::process::id(), numbers: numbers(), run: number }.to_string();
        let own = fs::read_to_string("/proc/self/cgroup").map_err(|error| error.to_string())?;
        // Less than all of them is a limit; a limit that somebody else set holds anyway.
        let all = rustix::thread::sched_getaffinity(None).map_or(u32::MAX, |all| all.count());
        let group = Self::make(&own, &name, limits.cpus < f64::from(all))?;
        static SWEPT: Once = Once::new();
        SWEPT.call_once(|| group.folders().into_iter().filter_map(Path::parent).for_each(sweep));
        group.limit(limits, files).map_err(|error| format!("its limits cannot be set: {error}"))?;
        Ok(group)
    }

    fn make(own: &str, name: &str, share: bool) -> Result<Self, String> {
        let lines: Vec<(&str, &str)> =
            own.lines().filter_map(|line| line.split_once(':')?.1.split_once(':')).collect();
        let of = |controller: &str| {
            let found = lines.iter().find(|(names, _)| names.split(',').any(|one| one == controller));
            found.map(|(names, path)| (Path::new(WHERE).join(names), *path))
        };
        if let (Some(memory), Some(pids), Some(cpu)) = (of("memory"), of("pids"), of("cpu")) {
            let folder = |(root, path): (PathBuf, &str)| {
                let folder = root.join(path.trim_start_matches('/')).join(name);
                fs::create_dir(&folder).map(|()| folder)
            };
            let made =
                [Some(memory), Some(pids), share.then_some(cpu)].map(|place| place.map(folder).transpose());
            return match made {
                [Ok(Some(memory)), Ok(Some(pids)), Ok(cpu)] => Ok(Self::First { memory, pids, cpu }),
                others => {
                    others.iter().flatten().flatten().for_each(|folder| drop(fs::remove_dir(folder)));
                    let why = others.into_iter().find_map(Result::err);
                    Err(why.map_or_else(String::new, |why| format!("version 1: {why}")))
                }
            };
        }
        let path = lines.iter().find(|(names, _)| names.is_empty()).map_or("/", |(_, path)| path);
        let own = Path::new(WHERE).join(path.trim_start_matches('/'));
        let mut why = String::from("there are none");
        for above in own.ancestors().take_while(|above| above.starts_with(WHERE)) {
            let folder = above.join(name);
            if let Err(error) = fs::create_dir(&folder) {
                why = format!("version 2: {error}");
                continue;
            }
            // Controllers are there when the group above hands them down; at the top we may ask it to.
            if above == Path::new(WHERE) && !folder.join("memory.max").exists() {
                let _ = fs::write(above.join("cgroup.subtree_control"), "+memory +pids +cpu");
            }
            if ["memory.max", "pids.max"].iter().all(|file| folder.join(file).exists()) {
                return Ok(Self::Second(folder));
            }
            why = "version 2: memory and pids are not handed down to us".to_owned();
            let _ = fs::remove_dir(&folder);
        }
        Err(why)
    }

    fn limit(&self, limits: &Limits, Files(files): Files) -> io::Result<()> {
        let memory_and_files = limits.memory.saturating_add(files).to_string();
        let processes = (u64::from(limits.processes) + OURS).to_string();
        let quota = (limits.cpus * 100_000.0).max(1_000.0).round();
        match self {
            Self::Second(folder) => {
                fs::write(folder.join("memory.max"), memory_and_files)?;
                // Swap and processors are not counted everywhere.
                let _ = fs::write(folder.join("memory.swap.max"), "0");
                let _ = fs::write(folder.join("memory.oom.group"), "1");
                let _ = fs::write(folder.join("cpu.max"), format!("{quota} 100000"));
                fs::write(folder.join("pids.max"), processes)
            }
            Self::First { memory, pids, cpu } => {
                fs::write(memory.join("memory.limit_in_bytes"), &memory_and_files)?;
                let _ = fs::write(memory.join("memory.memsw.limit_in_bytes"), &memory_and_files);
                if let Some(cpu) = cpu {
                    fs::write(cpu.join("cpu.cfs_period_us"), "100000")?;
                    fs::write(cpu.join("cpu.cfs_quota_us"), quota.to_string())?;
                }
                fs::write(pids.join("pids.max"), processes)
            }
        }
    }

    fn folders(&self) -> Vec<&Path> {
        match self {
            Self::Second(folder) => vec![folder],
            Self::First { memory, pids, cpu } => {
                [Some(memory), Some(pids), cpu.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect()
            }
        }
    }

    /// What a process needs to come into it: a file for each controller, or the folder to be born into.
    pub(crate) fn doors(&self) -> io::Result<Vec<OwnedFd>> {
        let file = |path: PathBuf| fs::OpenOptions::new().write(true).open(path).map(OwnedFd::from);
        match self {
            Self::Second(folder) => Ok(vec![fs::File::open(folder)?.into()]),
            Self::First { .. } => {
                self.folders().into_iter().map(|folder| file(folder.join("tasks"))).collect()
            }
        }
    }

    /// Bytes of memory that are no file's.
    pub(crate) fn memory(&self) -> Option<u64> {
        match self {
            Self::Second(folder) => value(&folder.join("memory.stat"), "anon"),
            Self::First { memory, .. } => value(&memory.join("memory.stat"), "total_rss"),
        }
    }

    /// Was somebody ended for want of memory?
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        let file = match self {
            Self::Second(folder) => folder.join("memory.events"),
            Self::First { memory, .. } => memory.join("memory.oom_control"),
        };
        value(&file, "oom_kill").is_some_and(|count| count > 0)
    }

    /// Was a process refused?
    pub(crate) fn ran_out_of_processes(&self) -> bool {
        let folder = match self {
            Self::Second(folder) | Self::First { pids: folder, .. } => folder,
        };
        value(&folder.join("pids.events"), "max").is_some_and(|count| count > 0)
    }

    /// What it is called among the layers.
    pub(crate) const fn layer(&self) -> &'static str {
        match self {
            Self::Second(_) => "cgroup:v2",
            Self::First { .. } => "cgroup:v1",
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in self.folders() {
            // The kernel may still be busy with the last of its processes.
            for _ in 0..200 {
                match fs::remove_dir(folder) {
                    Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                        std::thread::sleep(std::time::Duration::from_millis(5));
                    }
                    _ => break,
                }
            }
        }
    }
}

/// What a group is called: by the process of the gate, by what gives processes their numbers, and by the run.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    gate: u32,
    numbers: u64,
    run: u32,
}

impl Name {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix("toolgate-")?.split('-');
        let name = Self {
            gate: parts.next()?.parse().ok()?,
            numbers: parts.next()?.parse().ok()?,
            run: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(name)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "toolgate-{}-{}-{}", self.gate, self.numbers, self.run)
    }
}

/// The namespace that gives processes their numbers: in two containers two processes may have the same one.
fn numbers() -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    static NUMBERS: OnceLock<u64> = OnceLock::new();
    *NUMBERS.get_or_init(|| fs::metadata("/proc/self/ns/pid").map_or(0, |namespace| namespace.ino()))
}

/// Removes groups that a gate left behind because it was killed. Nobody is in them: its runs ended with it.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_str().and_then(Name::parse);
        // Gates of other containers may have groups here too, and only they know who of them lives.
        let is_gone =
            |name: &Name| name.numbers == numbers() && !Path::new(&format!("/proc/{}", name.gate)).exists();
        if name.as_ref().is_some_and(is_gone) {
            // One that is in use cannot be removed.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// A number behind a word at the start of a line.
fn value(file: &Path, word: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' ')?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Name, numbers, sweep};

    #[test]
    fn groups_of_gates_that_are_gone_are_removed_and_those_of_others_stay() {
        let folder = std::env::temp_dir().join(format!("toolgate-sweep-{}", std::process::id()));
        let own = std::process::id();
        // Larger than any number of a process.
        let gone = 1 << 30;
        let names = [
            (Name { gate: own, numbers: numbers(), run: 3 }.to_string(), true),
            (Name { gate: gone, numbers: numbers(), run: 0 }.to_string(), false),
            (Name { gate: gone, numbers: numbers() + 1, run: 0 }.to_string(), true),
            (format!("toolgate-{gone}-x"), true),
            ("toolgate.slice".to_owned(), true),
            ("user.slice".to_owned(), true),
        ];
        for (name, _) in &names {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        sweep(&folder);
        for (name, stays) in &names {
            assert_eq!(folder.join(name).exists(), *stays, "{name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
