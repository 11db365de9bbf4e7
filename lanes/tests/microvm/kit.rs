//! Machines to run things in. A start takes seconds, so tests put several questions into one program.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use call::Language;
use lanes::runtime::Runtime;
use lanes::{Input, Job, Lane as _, LaneError, Limits, MicroVm, Network, Program, Ran};
use tempfile::TempDir;

/// Where a test that is started again as somebody else finds its parts.
const OWN_CACHE: &str = "TOOLGATE_TEST_MICROVM";

/// Where the parts of machines are kept between test runs.
pub(crate) fn cache() -> PathBuf {
    let own = std::env::var_os(OWN_CACHE).map(PathBuf::from);
    own.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("microvm"))
}

/// Runs a test again as a user without any rights, whose parts lie below `/tmp`. Whoever is not root is one
/// already.
pub(crate) fn as_ordinary_user(test: &str) {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65_534;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    machines();
    let folder = TempDir::new_in("/tmp").unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let own = folder.path().join("tests");
    std::fs::copy(std::env::current_exe().unwrap(), &own).unwrap();
    let [scratch, parts] = ["scratch", "a cache, of its own"].map(|name| folder.path().join(name));
    for path in [&scratch, &parts] {
        std::fs::create_dir(path).unwrap();
        chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let parts_of_all = std::fs::read_dir(cache()).unwrap().flatten();
    for entry in parts_of_all.filter(|entry| entry.path().is_file()) {
        let copy = parts.join(entry.file_name());
        std::fs::copy(entry.path(), &copy).unwrap();
        chown(&copy, Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let done = std::process::Command::new(own)
        .args(["--exact", test, "--nocapture"])
        .uid(NOBODY)
        .gid(NOBODY)
        .env("TMPDIR", scratch)
        .env(OWN_CACHE, parts)
        .current_dir("/")
        .output()
        .unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
}

/// The distribution's own Python first: the fewer files it has, the sooner its image is built.
pub(crate) fn search() -> Vec<PathBuf> {
    let own = std::env::var_os("PATH").unwrap_or_default();
    ["/usr/bin", "/usr/local/bin"].map(PathBuf::from).into_iter().chain(std::env::split_paths(&own)).collect()
}

/// Python, and Node where this machine has it.
pub(crate) fn wanted() -> Vec<Language> {
    let is_there = |language| language == Language::Python || Runtime::find(language, &search()).is_ok();
    [Language::Python, Language::Node].into_iter().filter(|language| is_there(*language)).collect()
}

/// The machines of this machine, built if need be.
pub(crate) fn machines() -> &'static MicroVm {
    static MACHINES: OnceLock<MicroVm> = OnceLock::new();
    MACHINES.get_or_init(|| {
        let machines = MicroVm::new(cache(), search());
        let built = machines.languages().unwrap_or_default();
        // All at once, so that no test finds the parts changed while it runs.
        if wanted().iter().any(|language| !built.iter().any(|(name, _)| name == language.as_str())) {
            let built = machines.build(&wanted(), &mut |said| eprintln!("{said}"));
            built.unwrap_or_else(|error| panic!("machines cannot be built: {error}"));
        }
        machines
    })
}

pub(crate) const LIMITS: Limits = Limits {
    time: Duration::from_secs(200),
    memory: 192 << 20,
    cpus: 1.0,
    processes: 32,
    disk: 64 << 20,
    files: 256,
    output: 64 * 1024,
};

pub(crate) fn python(code: &str) -> Job {
    Job {
        language: Language::Python,
        program: Program::Code(code.to_owned()),
        inputs: Vec::new(),
        stdin: Vec::new(),
        environment: Vec::new(),
        limits: LIMITS,
        network: Network::None,
        cancelled: Arc::new(AtomicBool::new(false)),
    }
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

    /// The reason and the code.
    pub(crate) fn ending(&self) -> (&'static str, i32) {
        (self.ran.ending.reason.as_str(), self.ran.ending.code)
    }
}

pub(crate) fn try_run(job: &Job) -> Result<Finished, LaneError> {
    let folder = TempDir::new().unwrap();
    machines().run(job, folder.path()).map(|ran| Finished { ran, folder })
}

pub(crate) fn run(job: &Job) -> Finished {
    try_run(job).unwrap()
}

/// The program ran to its end without an error.
#[track_caller]
pub(crate) fn works(job: &Job) -> Finished {
    let finished = run(job);
    assert_eq!(finished.ending(), ("exited", 0), "{}", finished.stderr());
    finished
}

/// What a run could leave on the machine: processes, mounts, control groups, descriptors, files.
pub(crate) fn leftovers() -> Vec<String> {
    let own = std::process::id();
    let mut left = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        if parent == Some(own) {
            left.push(format!("child {:?}", entry.file_name()));
        }
    }
    for folder in ["", "memory", "pids", "cpu", "unified"] {
        let folder = Path::new("/sys/fs/cgroup").join(folder);
        let names = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let names = names.filter_map(|group| group.file_name().into_string().ok());
        left.extend(names.filter(|name| name.starts_with(&format!("toolgate-{own}-"))));
    }
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    left.push(format!("{} mounts", mounts.lines().count()));
    // The one that lists them is among them, before and after.
    left.push(format!("{} descriptors", std::fs::read_dir("/proc/self/fd").unwrap().count()));
    let mut files: Vec<String> = std::fs::read_dir(cache())
        .unwrap()
        .flatten()
        .map(|entry| format!("{:?} {:?}", entry.file_name(), entry.metadata().unwrap().modified().unwrap()))
        .collect();
    files.sort();
    left.extend(files);
    left
}
