//! Jobs for tests, and what is left on the machine after them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use call::Language;
use lanes::{Input, Jail, Job, Lane as _, LaneError, Limits, Network, Program, Ran};
use tempfile::TempDir;

pub(crate) fn jail() -> Jail {
    Jail::new(std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect())
}

pub(crate) const LIMITS: Limits = Limits {
    time: Duration::from_secs(30),
    memory: 512 << 20,
    cpus: 2.0,
    processes: 64,
    disk: 64 << 20,
    files: 256,
    output: 1 << 20,
};

/// A program in a language, with nothing else.
pub(crate) fn code(language: Language, code: &str) -> Job {
    Job {
        language,
        program: Program::Code(code.to_owned()),
        inputs: Vec::new(),
        stdin: Vec::new(),
        environment: Vec::new(),
        limits: LIMITS,
        network: Network::None,
        cancelled: Arc::new(AtomicBool::new(false)),
    }
}

pub(crate) fn python(text: &str) -> Job {
    code(Language::Python, text)
}

/// A file with this content.
pub(crate) fn input(name: &str, content: &[u8]) -> Input {
    let mut file = tempfile::tempfile().unwrap();
    std::io::Write::write_all(&mut file, content).unwrap();
    Input { name: name.to_owned(), content: file }
}

/// A finished run with its outputs.
pub(crate) struct Finished {
    pub(crate) ran: Ran,
    folder: TempDir,
}

impl Finished {
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.ran.stdout).into_owned()
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.ran.stderr).into_owned()
    }

    pub(crate) fn output(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.path().join(name)).unwrap()
    }

    pub(crate) fn artifacts(&self) -> Vec<&str> {
        self.ran.artifacts.iter().map(|artifact| artifact.path.as_str()).collect()
    }
}

pub(crate) fn try_run(jail: &Jail, job: &Job) -> Result<Finished, LaneError> {
    let folder = TempDir::new().unwrap();
    jail.run(job, folder.path()).map(|ran| Finished { ran, folder })
}

pub(crate) fn run(job: &Job) -> Finished {
    try_run(&jail(), job).unwrap()
}

/// The program ran to its end without an error.
#[track_caller]
pub(crate) fn works(job: &Job) -> Finished {
    let finished = run(job);
    assert_eq!(
        (finished.ran.ending.reason.as_str(), finished.ran.ending.code),
        ("exited", 0),
        "{}",
        finished.stderr()
    );
    finished
}

/// Does the machine have the language?
pub(crate) fn has(language: Language) -> bool {
    jail().runtime(language).is_ok()
}

/// Runs a test again as a user without any rights. Whoever is not root is one already.
pub(crate) fn as_ordinary_user(test: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65_534;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = TempDir::new().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let own = folder.path().join("tests");
    std::fs::copy(std::env::current_exe().unwrap(), &own).unwrap();
    let scratch = TempDir::new().unwrap();
    std::os::unix::fs::chown(scratch.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let done = std::process::Command::new(own)
        .args(["--exact", test, "--nocapture"])
        .uid(NOBODY)
        .gid(NOBODY)
        .env("TMPDIR", scratch.path())
        // What root has in its own home is not for others.
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .current_dir("/")
        .output()
        .unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
}

/// Processes of the runs of a gate that is root: each run has a user of its own. One that has ended, and that
/// whoever takes in orphans here has not taken in, runs no more.
pub(crate) fn runs_of(gate: u32) -> Vec<String> {
    let first = 1_900_000_000 + gate.wrapping_mul(512) % 60_000_000;
    let runs = first..first + 512;
    let uid = |status: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
        line.split_whitespace().next()?.parse::<u32>().ok()
    };
    processes()
        .filter(|(_, folder)| {
            let status = std::fs::read_to_string(folder.join("status")).unwrap_or_default();
            !status.contains("\nState:\tZ") && uid(&status).is_some_and(|uid| runs.contains(&uid))
        })
        .map(|(number, folder)| {
            let name = std::fs::read_to_string(folder.join("comm")).unwrap_or_default();
            format!("process {number} {}", name.trim())
        })
        .collect()
}

/// Control groups of a gate.
pub(crate) fn groups_of(gate: u32) -> Vec<String> {
    let mut groups = Vec::new();
    for folder in ["", "memory", "pids", "cpu", "unified"] {
        let folder = std::path::Path::new("/sys/fs/cgroup").join(folder);
        let names = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let names = names.filter_map(|group| group.file_name().into_string().ok());
        groups.extend(names.filter(|name| name.starts_with(&format!("toolgate-{gate}-"))));
    }
    groups
}

fn processes() -> impl Iterator<Item = (u32, std::path::PathBuf)> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    all.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
}

/// What a run could leave on the machine: processes, mounts, control groups, descriptors.
pub(crate) fn leftovers() -> Vec<String> {
    let own = std::process::id();
    let mut left = runs_of(own);
    for (number, folder) in processes() {
        let stat = std::fs::read_to_string(folder.join("stat")).unwrap_or_default();
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        if parent == Some(own) {
            left.push(format!("child {number}"));
        }
    }
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    left.push(format!("{} mounts", mounts.lines().count()));
    left.extend(groups_of(own));
    // The one that lists them is among them, before and after.
    left.push(format!("{} descriptors", std::fs::read_dir("/proc/self/fd").unwrap().count()));
    left
}
