//! Programs by what they are known for.
//!
//! Lists of names and nothing else: what a program does with its words is told elsewhere. Names are written in
//! small letters, without folders and without `.exe`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Programs that bring something from elsewhere.
pub(in crate::act) const FETCHERS: &[&str] = &[
    "curl",
    "wget",
    "wget2",
    "fetch",
    "lwp-download",
    "lwp-request",
    "aria2c",
    "axel",
    "http",
    "https",
    "xh",
    "curlie",
    "nc",
    "ncat",
    "netcat",
    "socat",
    "telnet",
    "ftp",
    "tftp",
    "sftp",
    "lynx",
    "w3m",
    "links",
    "elinks",
    "dig",
    "nslookup",
    "iwr",
    "irm",
    "invoke-webrequest",
    "invoke-restmethod",
    "start-bitstransfer",
    "certutil",
    "bitsadmin",
    "rclone",
    "gsutil",
    "s3cmd",
    "httpie",
];

/// Programs that turn what was hidden into something else.
pub(in crate::act) const DECODERS: &[&str] = &[
    "base64", "base32", "basenc", "xxd", "openssl", "uudecode", "rev", "tr", "gunzip", "zcat", "bzcat",
    "xzcat", "gzip", "xz", "bzip2", "zstd", "zstdcat", "hexdump", "od", "gpg", "age",
];

/// Shells: they run what they are given.
pub(in crate::act) const SHELLS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "ash",
    "csh",
    "tcsh",
    "fish",
    "mksh",
    "rbash",
    "yash",
    "pwsh",
    "powershell",
    "cmd",
];

/// Programs that run what is written in a language of their own; Python has versions besides.
pub(in crate::act) const INTERPRETERS: &[&str] = &[
    "perl",
    "ruby",
    "node",
    "nodejs",
    "php",
    "lua",
    "bun",
    "deno",
    "tclsh",
    "osascript",
    "rscript",
    "irb",
    "ipython",
    "groovy",
    "julia",
    "luajit",
    "jshell",
    "guile",
    "racket",
    "elixir",
    "octave",
    "xonsh",
    "nu",
];

/// Programs that run another one: name, flags that take a value, operands before the program.
#[rustfmt::skip]
pub(in crate::act) const WRAPPERS: &[(&str, &[&str], usize)] = &[
    ("sudo",     &["-u", "-g", "-h", "-p", "-C", "-r", "-t", "-U", "-D", "-R", "-T", "--user", "--group"], 0),
    ("doas",     &["-u", "-C"], 0),
    ("env",      &["-u", "-C", "--unset", "--chdir"], 0),
    ("nohup",    &[], 0),
    ("nice",     &["-n"], 0),
    ("ionice",   &["-c", "-n", "-p"], 0),
    ("time",     &["-f", "-o"], 0),
    ("timeout",  &["-s", "-k", "--signal", "--kill-after"], 1),
    ("stdbuf",   &["-i", "-o", "-e"], 0),
    ("setsid",   &[], 0),
    ("exec",     &["-a"], 0),
    ("command",  &[], 0),
    ("builtin",  &[], 0),
    ("busybox",  &[], 0),
    ("toybox",   &[], 0),
    ("xargs",    &["-n", "-I", "-L", "-P", "-s", "-d", "-E", "-a", "--max-args", "--max-procs", "--delimiter"], 0),
    ("watch",    &["-n", "--interval"], 0),
    ("unshare",  &["-S", "-G", "-R", "-w"], 0),
    ("chroot",   &["-u", "-g"], 1),
    ("strace",   &["-e", "-o", "-p", "-s"], 0),
    ("ltrace",   &["-e", "-o", "-p"], 0),
    ("flock",    &["-w", "-E"], 1),
    ("proxychains", &[], 0),
    ("proxychains4", &[], 0),
    ("torsocks", &[], 0),
    ("ssh",      &["-i", "-p", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-E", "-m", "-S", "-W"], 1),
    ("winpty",   &[], 0),
    ("fakeroot", &["-l", "-f", "-s", "-i", "-b", "--lib", "--faked"], 0),
    ("caffeinate", &["-t", "-w"], 0),
    ("run",      &[], 0),
    ("if",       &[], 0),
    ("then",     &[], 0),
    ("else",     &[], 0),
    ("elif",     &[], 0),
    ("do",       &[], 0),
    ("while",    &[], 0),
    ("until",    &[], 0),
    ("!",        &[], 0),
    ("-",        &[], 0),
    ("{",        &[], 0),
    ("$",        &[], 0),
    (">",        &[], 0),
    ("&",        &[], 0),
    ("@",        &[], 0),
];

/// Programs that run another one somewhere else, behind words of their own.
pub(in crate::act) const ELSEWHERE: &[&str] = &[
    "docker",
    "podman",
    "nerdctl",
    "kubectl",
    "oc",
    "lxc",
    "vagrant",
    "wsl",
    "su",
    "runuser",
    "machinectl",
    "nsenter",
    "multipass",
    "gosu",
    "script",
    "parallel",
    "systemd-run",
    "run0",
    "pkexec",
    "bwrap",
    "firejail",
    "apptainer",
    "singularity",
    "distrobox",
    "flatpak-spawn",
    "unbuffer",
    "taskset",
    "chrt",
    "numactl",
    "prlimit",
    "setpriv",
    "setarch",
    "cpulimit",
    "xvfb-run",
    "dbus-run-session",
    "su-exec",
    "chpst",
    "faketime",
];

/// Programs for which text is only text: they print it, search for it, or keep it.
const DATA: &[&str] = &[
    "echo",
    "printf",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "ag",
    "ack",
    "git",
    "gh",
    "glab",
    "hub",
    "jq",
    "yq",
    "test",
    "[",
    "[[",
    "cat",
    "ls",
    "logger",
    "notify-send",
    "say",
    "wc",
    "diff",
    "tee",
    "sed",
    "semgrep",
    "ast-grep",
    "sg",
    "pytest",
    "cargo",
    "write-host",
    "write-output",
    "select-string",
    "basename",
    "dirname",
    "touch",
    "mkdir",
    "cp",
    "mv",
    "head",
    "tail",
    "sort",
    "uniq",
];

/// What a program is known for.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    pub(super) fetches: bool,
    pub(super) decodes: bool,
    pub(super) shell: bool,
    pub(super) data: bool,
    pub(super) elsewhere: bool,
    pub(super) wrapper: Option<(&'static [&'static str], usize)>,
}

static KNOWN: LazyLock<HashMap<&'static str, Known>> = LazyLock::new(|| {
    let mut known: HashMap<&'static str, Known> = HashMap::new();
    FETCHERS.iter().for_each(|name| known.entry(name).or_default().fetches = true);
    DECODERS.iter().for_each(|name| known.entry(name).or_default().decodes = true);
    SHELLS.iter().for_each(|name| known.entry(name).or_default().shell = true);
    DATA.iter().for_each(|name| known.entry(name).or_default().data = true);
    ELSEWHERE.iter().for_each(|name| known.entry(name).or_default().elsewhere = true);
    for (name, valued, operands) in WRAPPERS {
        known.entry(name).or_default().wrapper = Some((valued, *operands));
    }
    known
});

/// For each first letter, the lengths of the names in the lists: most words are in none of them, and
/// nearly all of those can be told by this.
static LENGTHS: LazyLock<[u32; 256]> = LazyLock::new(|| {
    let mut lengths = [0; 256];
    for name in KNOWN.keys() {
        let first = name.bytes().next().map(usize::from).and_then(|first| lengths.get_mut(first));
        first.into_iter().for_each(|lengths| *lengths |= bit(name.len()));
    }
    lengths
});

/// Long names have one bit together.
const fn bit(length: usize) -> u32 {
    1 << if length < 31 { length } else { 31 }
}

pub(super) fn known(name: &str) -> Known {
    let first = name.bytes().next().map_or(0, usize::from);
    if LENGTHS.get(first).is_none_or(|lengths| lengths & bit(name.len()) == 0) {
        return Known::default();
    }
    KNOWN.get(name).copied().unwrap_or_default()
}

pub(in crate::act) fn is_shell(name: &str) -> bool {
    known(name).shell
}

pub(in crate::act) fn is_interpreter(name: &str) -> bool {
    let version = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let python = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    // `lua5.4`, `php8.2`
    let bare = name.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    python.is_some_and(version)
        || INTERPRETERS.contains(&name)
        || (bare.len() < name.len() && matches!(bare, "lua" | "php" | "ruby" | "perl" | "node"))
}

pub(in crate::act) fn is_fetcher(name: &str) -> bool {
    known(name).fetches
}

pub(in crate::act) fn is_decoder(name: &str) -> bool {
    known(name).decodes
}
