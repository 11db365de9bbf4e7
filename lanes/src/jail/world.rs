//! Everything that a program finds when it starts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use call::Language;

use super::plan::{Content, Plan};
use super::view::View;
use super::{cgroup, filter, landlock};
use crate::runtime::{self, Runtime};
use crate::{Input, Job, LaneError, Limits, Network, Program, network};

/// A plan for the helper, and what the gate must know of it.
pub(crate) struct World {
    pub(crate) plan: Plan,
    /// Bytes that files may take in memory.
    pub(crate) files: cgroup::Files,
    /// The version of Landlock that is asked for.
    pub(crate) landlock: u32,
}

/// What a world depends on beside the job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms<'t> {
    /// The version of Landlock that the kernel has.
    pub(crate) landlock: u32,
    /// Who builds it.
    pub(crate) builder: Builder,
    /// Devices of the machine beside those that every program has.
    pub(crate) devices: &'t [&'t str],
}

impl Terms<'_> {
    /// Of a world on this machine, without more devices than every program has.
    pub(crate) fn here() -> Result<Self, LaneError> {
        let landlock = landlock::version().ok_or_else(|| LaneError::Missing {
            lane: "jail",
            layer: "landlock".to_owned(),
            why: "this kernel has none; Linux 5.13 or newer with `landlock` in its list of security modules has"
                .to_owned(),
        })?;
        Ok(Self { landlock, builder: Builder::Gate, devices: &[] })
    }
}

/// Who builds a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builder {
    /// Whoever the gate is.
    Gate,
    /// The first process of a machine of its own, which is root there.
    Guest,
}

/// Who the program is inside.
pub(super) const USER: u32 = 1000;

/// Words of a command line at most; the helper has room for more.
pub(super) const MOST_ARGUMENTS: usize = 500;
pub(super) const MOST_VARIABLES: usize = 400;

/// Whom the machine trusts, where it says so; and where that is inside.
pub(super) const TRUSTED: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];
pub(super) const CERTIFICATES: &str = "/etc/certificates.pem";

/// Where code lies that came without a file.
const CODE: &str = "/code";

impl World {
    pub(crate) fn new(
        runtime: &Runtime,
        view: &View,
        job: &Job,
        terms: Terms<'_>,
    ) -> Result<Self, LaneError> {
        let Terms { landlock, builder, devices } = terms;
        let mut plan = Plan::default();
        who(&mut plan, builder, devices);
        view.write(&mut plan);
        own_files(&mut plan, devices);
        if matches!(job.network, Network::Only(_))
            && let Some(trusted) = TRUSTED.iter().find_map(|path| std::fs::read(path).ok())
        {
            plan.copy(Content::Bytes(trusted), Path::new(CERTIFICATES));
        }
        let inputs = inputs(&mut plan, job, runtime)?;
        for writable in ["/out", "/tmp"] {
            let Limits { disk, files, .. } = job.limits;
            plan.dir(Path::new(writable), 0o755);
            // The folder itself is a file too.
            let options =
                format!("mode=0700,uid={USER},gid={USER},size={disk},nr_inodes={}", u64::from(files) + 1);
            plan.tmpfs(Path::new(writable), &options);
        }
        limits(&mut plan, &job.limits);
        let port = match &job.network {
            Network::None => None,
            Network::Only(_) => Some(network::PORT),
        };
        if let Some(port) = port {
            plan.listen(port);
        }
        landlock::write(&mut plan, landlock, port, !devices.is_empty());
        for program in filter::programs().map_err(|why| LaneError::failed("seccomp", why))? {
            plan.filter(program);
        }
        plan.directory(Path::new("/in"));
        environment(&mut plan, runtime, job)?;
        arguments(&mut plan, runtime, job)?;
        Ok(Self { plan, files: cgroup::Files(2 * job.limits.disk + inputs + (4 << 20)), landlock })
    }
}

/// The user that builds the root, and the one that the program is. For root these are two: nothing of the
/// program is root's, inside or outside.
fn who(plan: &mut Plan, builder: Builder, devices: &[&str]) {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    // Users that no machine gives to anybody; each run has its own.
    const FIRST: u32 = 1_900_000_000;
    const MANY: u32 = 60_000_000;
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    if user.is_root() || builder == Builder::Guest {
        let number = std::process::id().wrapping_mul(512).wrapping_add(RUNS.fetch_add(1, Ordering::Relaxed));
        let outside = FIRST + number % MANY;
        let map = |outside: u32| format!("0 0 1\n{USER} {outside} 1\n");
        // A device is its group's; being in that group and in no other is all that it takes to use it.
        let group = devices.iter().find_map(|device| group_of(&Path::new("/dev").join(device)));
        plan.maps(&map(outside), &map(group.unwrap_or(outside)), true);
        plan.ids(0, USER);
    } else {
        let (user, group) = (user.as_raw(), group.as_raw());
        plan.maps(&format!("{USER} {user} 1\n"), &format!("{USER} {group} 1\n"), false);
        plan.ids(USER, USER);
    }
}

/// The group that may use a device, where that is not root's.
pub(crate) fn group_of(device: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    const READ_AND_WRITE: u32 = 0o060;
    let kind = std::fs::metadata(device).ok()?;
    (kind.mode() & READ_AND_WRITE == READ_AND_WRITE && kind.gid() != 0).then_some(kind.gid())
}

/// What a program of this runtime sees of the machine.
pub(crate) fn machine(runtime: &Runtime) -> std::io::Result<View> {
    let mut view = View::default();
    view.show(&runtime.program)?;
    for path in runtime.folders.iter().chain(&runtime.libraries) {
        view.show(path)?;
    }
    // Where the loader finds libraries quickly, or at all.
    let cache = Path::new("/etc/ld.so.cache");
    if cache.exists() {
        view.show(cache)?;
    }
    for name in runtime::names(runtime.language) {
        view.name(&Path::new("/usr/bin").join(name), &runtime.program);
    }
    Ok(view)
}

/// What every program expects to be there.
pub(super) fn own_files(plan: &mut Plan, devices: &[&str]) {
    let files: [(&str, &str); 5] = [
        ("/etc/passwd", "lane:x:1000:1000:lane:/tmp:/nonexistent\n"),
        ("/etc/group", "lane:x:1000:\n"),
        ("/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"),
        ("/etc/hostname", "lane\n"),
        ("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
    ];
    for folder in ["/etc", "/dev", "/proc"] {
        plan.dir(Path::new(folder), 0o755);
    }
    for (path, content) in files {
        plan.copy(Content::Bytes(content.into()), Path::new(path));
    }
    plan.proc();
    for device in ["null", "zero", "full", "random", "urandom"].iter().chain(devices) {
        plan.device(&Path::new("/dev").join(device));
    }
    for (name, to) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
        // Shared memory counts as what it is: files that can be written.
        ("shm", "/tmp"),
    ] {
        plan.link(Path::new(to), &Path::new("/dev").join(name));
    }
}

/// The files below `/in`, and code that came without one. How many bytes they have.
fn inputs(plan: &mut Plan, job: &Job, runtime: &Runtime) -> Result<u64, LaneError> {
    let mut contents: Vec<(&str, Content, u64)> = Vec::new();
    let (mut names, mut folders) = (BTreeSet::new(), BTreeSet::new());
    for Input { name, content } in &job.inputs {
        let shown = name.escape_debug();
        let odd = |part: &str| matches!(part, "" | "." | "..") || part.contains('\0') || part.len() > 255;
        if name.split('/').any(odd) || name.len() > 1_000 {
            return Err(LaneError::BadJob(format!("`{shown}` is no name of an input")));
        }
        if !names.insert(name.as_str()) {
            return Err(LaneError::BadJob(format!("the input `{shown}` is there twice")));
        }
        folders.extend(
            Path::new(name).ancestors().skip(1).filter_map(Path::to_str).filter(|path| !path.is_empty()),
        );
        let failed = |error| LaneError::failed(format!("the input `{shown}`"), error);
        let kind = content.metadata().map_err(failed)?;
        if !kind.is_file() {
            return Err(LaneError::BadJob(format!("the input `{shown}` is not a file")));
        }
        contents.push((name, Content::File(content.try_clone().map_err(failed)?, kind.len()), kind.len()));
    }
    if let Some(both) = folders.iter().find(|folder| names.contains(*folder)) {
        return Err(LaneError::BadJob(format!("the input `{}` is a file and a folder", both.escape_debug())));
    }
    let bytes: u64 = contents.iter().map(|(_, _, length)| length).sum();
    plan.dir(Path::new("/in"), 0o755);
    if !contents.is_empty() {
        plan.tmpfs(Path::new("/in"), &room(bytes, contents.len() + folders.len()));
        // In order of their names, and so each behind the one that it lies in.
        for folder in folders {
            plan.dir(&Path::new("/in").join(folder), 0o755);
        }
        for (name, content, _) in contents {
            plan.copy(content, &Path::new("/in").join(name));
        }
        plan.seal(Path::new("/in"));
    }
    if let Program::Code(code) = &job.program {
        plan.dir(Path::new(CODE), 0o755);
        plan.tmpfs(Path::new(CODE), &room(code.len() as u64, 1));
        plan.copy(Content::Bytes(code.clone().into_bytes()), &Path::new(CODE).join(runtime.code_file(code)));
        plan.seal(Path::new(CODE));
    }
    Ok(bytes)
}

/// Room for so many bytes in so many files.
fn room(bytes: u64, files: usize) -> String {
    let page = 65_536;
    format!("mode=0755,size={},nr_inodes={}", bytes + page * (files as u64 + 1), files + 2)
}

/// What the kernel allows each process. What holds for all of them together is elsewhere.
fn limits(plan: &mut Plan, limits: &Limits) {
    let seconds = limits.time.as_secs() + 2;
    let processors = limits.cpus.max(1.0).ceil() as u64;
    let rows = [
        ("core", libc::RLIMIT_CORE, 0),
        ("cpu", libc::RLIMIT_CPU, seconds.saturating_mul(processors)),
        ("fsize", libc::RLIMIT_FSIZE, limits.disk),
        ("nofile", libc::RLIMIT_NOFILE, 4_096),
        // Control group or watchdog notice first; this is for whoever is quicker than both.
        ("nproc", libc::RLIMIT_NPROC, u64::from(limits.processes) + 16),
        ("memlock", libc::RLIMIT_MEMLOCK, 65_536),
        ("msgqueue", libc::RLIMIT_MSGQUEUE, 0),
        ("nice", libc::RLIMIT_NICE, 0),
        ("rtprio", libc::RLIMIT_RTPRIO, 0),
    ];
    for (name, resource, value) in rows {
        plan.limit(name, resource.into(), value);
    }
}

fn environment(plan: &mut Plan, runtime: &Runtime, job: &Job) -> Result<(), LaneError> {
    let everybodys = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("HOME", "/tmp"),
        ("TMPDIR", "/tmp"),
        ("USER", "lane"),
        ("LANG", "C.UTF-8"),
    ];
    let proxy = match &job.network {
        Network::None => Vec::new(),
        Network::Only(_) => proxy(),
    };
    let own = runtime.environment.iter().chain(&proxy).chain(&job.environment);
    let own = own.map(|(name, value)| (name.as_str(), value.as_str()));
    let mut given: Vec<(&str, &str)> = Vec::new();
    for (name, value) in everybodys.into_iter().chain(own) {
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            return Err(LaneError::BadJob(format!("`{}` is no variable", name.escape_debug())));
        }
        given.retain(|(other, _)| *other != name);
        given.push((name, value));
    }
    if given.len() > MOST_VARIABLES {
        return Err(LaneError::BadJob(format!("it has more than {MOST_VARIABLES} variables")));
    }
    given.into_iter().for_each(|(name, value)| plan.variable(name, value));
    Ok(())
}

/// How programs find the proxy, and whom they trust behind it.
pub(super) fn proxy() -> Vec<(String, String)> {
    let address = format!("http://127.0.0.1:{}", network::PORT);
    let proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    let proxies = proxies.map(|name| (name.to_owned(), address.clone()));
    let trust = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE"];
    let trust = trust.map(|name| (name.to_owned(), CERTIFICATES.to_owned()));
    proxies.into_iter().chain(trust).chain([("NODE_USE_ENV_PROXY".to_owned(), "1".to_owned())]).collect()
}

fn arguments(plan: &mut Plan, runtime: &Runtime, job: &Job) -> Result<(), LaneError> {
    let rest: Vec<String> = match &job.program {
        // What Node wants to be told before it reads types stands in front of everything.
        Program::Arguments(all) if runtime.language == Language::Ts => {
            runtime.before_code.iter().chain(all.iter().skip(1)).cloned().collect()
        }
        Program::Arguments(all) => all.iter().skip(1).cloned().collect(),
        Program::Code(code) => {
            let file = PathBuf::from(CODE).join(runtime.code_file(code));
            runtime.before_code.iter().cloned().chain([file.display().to_string()]).collect()
        }
    };
    if rest.len() > MOST_ARGUMENTS {
        return Err(LaneError::BadJob(format!("it has more than {MOST_ARGUMENTS} arguments")));
    }
    if let Some(odd) = rest.iter().find(|argument| argument.contains('\0')) {
        return Err(LaneError::BadJob(format!("`{}` is no argument", odd.escape_debug())));
    }
    use std::os::unix::ffi::OsStrExt as _;
    plan.argument(runtime.program.as_os_str().as_bytes());
    rest.iter().for_each(|argument| plan.argument(argument.as_bytes()));
    Ok(())
}
