//! Programs by what they do: runtimes of languages, shells, and whatever starts another program.

use crate::Language;

/// Shells, by the name of the file. A digit behind the name is a version.
#[rustfmt::skip]
pub const SHELLS: &[&str] = &[
    "shell", "sh", "bash", "rbash", "dash", "ash", "ksh", "ksh93", "mksh", "pdksh", "oksh", "yash",
    "posh", "zsh", "fish", "csh", "tcsh", "rc", "es", "nu", "nushell", "elvish", "xonsh", "osh", "ysh",
    "oil", "pwsh", "powershell", "cmd", "command.com", "scsh", "murex", "bat", "batch",
];

/// Programs that start another program, which they are given as arguments, as a script, or ask for.
#[rustfmt::skip]
pub const WRAPPERS: &[&str] = &[
    // They change how a program runs.
    "env", "nice", "ionice", "chrt", "taskset", "numactl", "timeout", "nohup", "setsid", "stdbuf",
    "unbuffer", "time", "prlimit", "setarch", "linux32", "linux64", "choom", "cgexec", "catchsegv",
    "faketime", "rlwrap", "dumb-init", "tini", "daemonize", "start-stop-daemon", "systemd-run",
    "chronic", "ts", "softlimit",
    // They change who or where it is.
    "sudo", "doas", "su", "runuser", "setpriv", "capsh", "pkexec", "gosu", "su-exec", "sg", "newgrp",
    "chroot", "unshare", "nsenter", "bwrap", "firejail", "proot", "fakeroot", "fakechroot",
    "flatpak-spawn", "docker", "podman", "nerdctl", "ctr", "runc", "crun", "lxc-attach", "kubectl",
    "machinectl", "ssh", "sshpass", "rsh", "rlogin", "telnet", "mosh", "srun", "mpirun", "mpiexec",
    "parallel-ssh",
    // They run it again, later, for each of many things, or under observation.
    "xargs", "parallel", "watch", "entr", "flock", "script", "expect", "screen", "tmux", "at", "batch",
    "crontab", "run-parts", "make", "gmake", "ninja", "just", "task", "rake", "cmake", "find", "fd",
    "git", "strace", "ltrace", "gdb", "lldb", "valgrind", "perf", "rr", "ldd", "ld.so",
    // They hold many programs in one, or are part of a shell.
    "busybox", "toybox", "command", "exec", "eval", "builtin", "source", ".", "trap", "coproc",
    "function",
];

/// Loaders start any program they are given.
#[must_use]
pub fn is_loader(name: &str) -> bool {
    name.starts_with("ld-linux") || name.starts_with("ld-musl") || name.starts_with("ld.so")
}

/// Is this the name of a shell, or the path of one?
fn is_shell(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    SHELLS.contains(&name) || SHELLS.contains(&bare)
}

/// Would this argument vector start a shell: as the program itself, or by a program that starts others?
///
/// ```
/// use call::programs::starts_shell;
///
/// assert!(starts_shell(&["/bin/bash", "-c", "ls"]));
/// assert!(starts_shell(&["env", "-i", "sh", "x.sh"]));
/// assert!(!starts_shell(&["python3", "bash.py"]));
/// assert!(!starts_shell(&["git", "log", "bash"]));
/// ```
#[must_use]
pub fn starts_shell<W: AsRef<str>>(argv: &[W]) -> bool {
    let Some((program, words)) = argv.split_first() else { return false };
    let program = program.as_ref();
    if is_shell(program) {
        return true;
    }
    let name = program.rsplit('/').next().unwrap_or(program);
    // These take names of other things where others take a program.
    const NAMES: [&str; 12] = [
        "git", "docker", "podman", "kubectl", "make", "gmake", "ninja", "just", "task", "rake", "cmake",
        "gdb",
    ];
    let starts_others = (WRAPPERS.contains(&name) && !NAMES.contains(&name)) || is_loader(name);
    starts_others && words.iter().any(|word| is_shell(word.as_ref()))
}

/// The names that the runtime of a language goes by.
#[must_use]
pub const fn runtimes(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &["python3", "python"],
        Language::Node => &["node"],
        Language::Ts => &["node", "tsx", "ts-node"],
        Language::Go => &["go"],
        Language::Ruby => &["ruby"],
    }
}

/// Is this the name of a runtime of the language, or the usual path of one? Python may have its version behind it.
///
/// ```
/// use call::{Language, programs::is_runtime};
///
/// assert!(is_runtime(Language::Python, "/usr/bin/python3.12"));
/// assert!(is_runtime(Language::Ts, "tsx"));
/// assert!(!is_runtime(Language::Python, "node"));
/// assert!(!is_runtime(Language::Python, "/tmp/python3"));
/// ```
#[must_use]
pub fn is_runtime(language: Language, program: &str) -> bool {
    let (folder, name) = program.rsplit_once('/').unwrap_or(("", program));
    let usual = matches!(folder, "" | "/usr/bin" | "/bin" | "/usr/local/bin");
    let version =
        |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    usual
        && runtimes(language).iter().any(|own| {
            name == *own
                || name.strip_prefix(own).is_some_and(|rest| language == Language::Python && version(rest))
        })
}
