//! What programs are: the tables that a command is judged by.
//!
//! There is no list of safe commands. These tables say which programs belong to a language and what
//! their options take, and which programs are refused by name because of what they do. A program
//! that is in none of them is refused for not belonging to the language.

use crate::request::types::Language;

/// What the argument of an option is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// A program text in the language itself.
    Code,
    /// A module to run; what follows are its arguments.
    Module,
    /// A script, looked up where programs are found; what follows are its arguments.
    Script,
    /// Another program, or a script that a shell runs.
    Program,
    /// Anything else.
    Value,
}

/// How a runtime reads its command line.
#[derive(Debug)]
pub(super) struct Runtime {
    pub(super) language: Language,
    /// Names that start it. `python3.N` belongs to `python3`.
    pub(super) programs: &'static [&'static str],
    /// Whether `-abc` means `-a -b -c`.
    pub(super) clusters: bool,
    /// Options that take an argument, in the next word, behind `=`, or attached to one letter.
    pub(super) options: &'static [(&'static str, Takes)],
    /// Folders of its own library, as parent and beginning of the name.
    pub(super) library: &'static [(&'static str, &'static str)],
}

use Takes::{Code, Module, Program, Script, Value};

const NODE_OPTIONS: &[(&str, Takes)] = &[
    ("-e", Code),
    ("--eval", Code),
    ("-p", Code),
    ("--print", Code),
    ("-pe", Code),
    ("--run", Program),
    ("-r", Value),
    ("--require", Value),
    ("--import", Value),
    ("--loader", Value),
    ("--experimental-loader", Value),
    ("-C", Value),
    ("--conditions", Value),
    ("--env-file", Value),
    ("--input-type", Value),
    ("--tsconfig", Value),
    ("-P", Value),
    ("--project", Value),
    ("-O", Value),
    ("--compiler-options", Value),
    ("--cwd", Value),
];

const NODE_LIBRARY: &[(&str, &str)] =
    &[("/usr/lib", "node_modules"), ("/usr/local/lib", "node_modules"), ("/usr/share", "nodejs")];

pub(super) const RUNTIMES: &[Runtime] = &[
    Runtime {
        language: Language::Python,
        programs: &["python", "python3"],
        clusters: true,
        options: &[
            ("-c", Code),
            ("-m", Module),
            ("-W", Value),
            ("-X", Value),
            ("--check-hash-based-pycs", Value),
        ],
        library: &[("/usr/lib", "python3"), ("/usr/local/lib", "python3")],
    },
    Runtime {
        language: Language::Node,
        programs: &["node"],
        clusters: false,
        options: NODE_OPTIONS,
        library: NODE_LIBRARY,
    },
    Runtime {
        language: Language::Ts,
        programs: &["tsx", "ts-node", "node"],
        clusters: false,
        options: NODE_OPTIONS,
        library: NODE_LIBRARY,
    },
    Runtime {
        language: Language::Go,
        programs: &["go"],
        clusters: false,
        options: &[
            ("-exec", Program),
            ("-toolexec", Program),
            ("-C", Value),
            ("-p", Value),
            ("-mod", Value),
            ("-modfile", Value),
            ("-overlay", Value),
            ("-tags", Value),
            ("-ldflags", Value),
            ("-gcflags", Value),
            ("-asmflags", Value),
            ("-buildmode", Value),
            ("-compiler", Value),
            ("-pkgdir", Value),
        ],
        library: &[("/usr/lib", "go"), ("/usr/local", "go"), ("/usr/share", "go")],
    },
    Runtime {
        language: Language::Ruby,
        programs: &["ruby"],
        clusters: true,
        options: &[
            ("-e", Code),
            ("-S", Script),
            ("-r", Value),
            ("-I", Value),
            ("-C", Value),
            ("-X", Value),
            ("-E", Value),
            ("--encoding", Value),
            ("--external-encoding", Value),
            ("--internal-encoding", Value),
        ],
        library: &[("/usr/lib", "ruby"), ("/usr/local/lib", "ruby"), ("/var/lib", "gems")],
    },
];

/// Folders that a runtime may be named in.
pub(super) const PROGRAM_FOLDERS: [&str; 2] = ["/usr/bin/", "/usr/local/bin/"];

/// Shells, by the name of the file. A digit behind the name is a version.
pub(crate) const SHELLS: &[&str] = &[
    "shell",
    "sh",
    "bash",
    "rbash",
    "dash",
    "ash",
    "ksh",
    "ksh93",
    "mksh",
    "pdksh",
    "oksh",
    "yash",
    "posh",
    "zsh",
    "fish",
    "csh",
    "tcsh",
    "rc",
    "es",
    "nu",
    "nushell",
    "elvish",
    "xonsh",
    "osh",
    "ysh",
    "oil",
    "pwsh",
    "powershell",
    "cmd",
    "command.com",
    "scsh",
    "murex",
    "bat",
    "batch",
];

/// Programs that start another program, which they are given as arguments, as a script, or ask for.
pub(super) const WRAPPERS: &[&str] = &[
    // They change how a program runs.
    "env",
    "nice",
    "ionice",
    "chrt",
    "taskset",
    "numactl",
    "timeout",
    "nohup",
    "setsid",
    "stdbuf",
    "unbuffer",
    "time",
    "prlimit",
    "setarch",
    "linux32",
    "linux64",
    "choom",
    "cgexec",
    "catchsegv",
    "faketime",
    "rlwrap",
    "dumb-init",
    "tini",
    "daemonize",
    "start-stop-daemon",
    "systemd-run",
    "chronic",
    "ts",
    "softlimit",
    // They change who or where it is.
    "sudo",
    "doas",
    "su",
    "runuser",
    "setpriv",
    "capsh",
    "pkexec",
    "gosu",
    "su-exec",
    "sg",
    "newgrp",
    "chroot",
    "unshare",
    "nsenter",
    "bwrap",
    "firejail",
    "proot",
    "fakeroot",
    "fakechroot",
    "flatpak-spawn",
    "docker",
    "podman",
    "nerdctl",
    "ctr",
    "runc",
    "crun",
    "lxc-attach",
    "kubectl",
    "machinectl",
    "ssh",
    "sshpass",
    "rsh",
    "rlogin",
    "telnet",
    "mosh",
    "srun",
    "mpirun",
    "mpiexec",
    "parallel-ssh",
    // They run it again, later, for each of many things, or under observation.
    "xargs",
    "parallel",
    "watch",
    "entr",
    "flock",
    "script",
    "expect",
    "screen",
    "tmux",
    "at",
    "batch",
    "crontab",
    "run-parts",
    "make",
    "gmake",
    "ninja",
    "just",
    "task",
    "rake",
    "cmake",
    "find",
    "fd",
    "git",
    "strace",
    "ltrace",
    "gdb",
    "lldb",
    "valgrind",
    "perf",
    "rr",
    "ldd",
    "ld.so",
    // They hold many programs in one, or are part of a shell.
    "busybox",
    "toybox",
    "command",
    "exec",
    "eval",
    "builtin",
    "source",
    ".",
    "trap",
    "coproc",
    "function",
];

/// Loaders start any program they are given.
pub(super) fn is_loader(name: &str) -> bool {
    name.starts_with("ld-linux") || name.starts_with("ld-musl") || name.starts_with("ld.so")
}

/// An installer and the sub-commands that install or fetch; none listed means that it always does.
#[derive(Debug)]
pub(super) struct Installer {
    pub(super) name: &'static str,
    pub(super) subcommands: &'static [&'static str],
}

const fn installer(name: &'static str, subcommands: &'static [&'static str]) -> Installer {
    Installer { name, subcommands }
}

const PIP: &[&str] = &["install", "download", "wheel"];
const NPM: &[&str] = &[
    "install",
    "i",
    "in",
    "ins",
    "inst",
    "insta",
    "instal",
    "isnt",
    "isnta",
    "isntal",
    "add",
    "ci",
    "clean-install",
    "ic",
    "install-clean",
    "install-test",
    "it",
    "cit",
    "update",
    "up",
    "upgrade",
    "exec",
    "x",
    "init",
    "create",
    "link",
    "ln",
];

/// By program, or by module for `python -m`.
pub(super) const INSTALLERS: &[Installer] = &[
    // Python
    installer("pip", PIP),
    installer("pipx", &["install", "run", "inject", "upgrade", "install-all", "runpip"]),
    installer("uv", &["add", "install", "sync", "upgrade", "run"]),
    installer("uvx", &[]),
    installer("poetry", &["add", "install", "update", "sync"]),
    installer("pdm", &["add", "install", "update", "sync"]),
    installer("pipenv", &["install", "sync", "update"]),
    installer("conda", &["install", "create", "update", "upgrade"]),
    installer("mamba", &["install", "create", "update"]),
    installer("micromamba", &["install", "create", "update"]),
    installer("easy_install", &[]),
    installer("ensurepip", &[]),
    // JavaScript
    installer("npm", NPM),
    installer("npx", &[]),
    installer("pnpm", &["add", "install", "i", "dlx", "update", "up", "exec", "create"]),
    installer("pnpx", &[]),
    installer("yarn", &["add", "install", "dlx", "global", "create", "up", "upgrade"]),
    installer("bun", &["add", "install", "i", "x", "create", "update"]),
    installer("bunx", &[]),
    installer("corepack", &[]),
    installer("deno", &["install", "add", "cache"]),
    // Go, Ruby, Rust and others
    installer("go", &["get", "install", "mod"]),
    installer("gem", &["install", "i", "update", "fetch"]),
    installer("bundle", &["install", "add", "update", "package"]),
    installer("bundler", &["install", "add", "update", "package"]),
    installer("cargo", &["install", "add", "binstall", "fetch", "update"]),
    installer("rustup", &[]),
    installer("composer", &["require", "install", "update"]),
    installer("cpan", &[]),
    installer("cpanm", &[]),
    installer("luarocks", &["install"]),
    installer("opam", &["install"]),
    installer("cabal", &["install"]),
    installer("stack", &["install"]),
    installer("dotnet", &["add", "restore", "install"]),
    installer("nuget", &["install", "restore"]),
    installer("asdf", &["install"]),
    installer("mise", &["install", "use"]),
    // The system's own
    installer(
        "apt",
        &["install", "upgrade", "full-upgrade", "reinstall", "build-dep", "satisfy", "download"],
    ),
    installer("apt-get", &["install", "upgrade", "dist-upgrade", "build-dep", "source", "download"]),
    installer("aptitude", &["install", "upgrade", "download"]),
    installer("dpkg", &["-i", "--install", "--unpack"]),
    installer("apk", &["add", "upgrade", "fetch"]),
    installer("yum", &["install", "update", "localinstall", "reinstall"]),
    installer("dnf", &["install", "upgrade", "update", "reinstall"]),
    installer("microdnf", &["install", "upgrade", "update"]),
    installer("rpm", &["-i", "-U", "-ivh", "-Uvh", "--install", "--upgrade"]),
    installer("zypper", &["install", "in", "update", "up"]),
    installer("pacman", &["-S", "-Sy", "-Syu", "-U", "--sync", "--upgrade"]),
    installer("emerge", &[]),
    installer("opkg", &["install"]),
    installer("xbps-install", &[]),
    installer("brew", &["install", "reinstall", "upgrade", "tap"]),
    installer("port", &["install"]),
    installer("snap", &["install", "refresh"]),
    installer("flatpak", &["install", "update"]),
    installer("nix", &["profile", "shell", "develop", "run"]),
    installer("nix-env", &["-i", "-iA", "--install"]),
    installer("nix-shell", &[]),
    installer("guix", &["install", "package", "shell"]),
    installer("choco", &["install"]),
    installer("winget", &["install"]),
    installer("scoop", &["install"]),
];

/// Scripts that are installers under another name.
pub(super) const INSTALLER_SCRIPTS: &[Installer] = &[
    installer("setup.py", &["install", "develop", "easy_install"]),
    installer("get-pip.py", &[]),
    installer("ez_setup.py", &[]),
    installer("pip.pyz", PIP),
    installer("npm-cli.js", NPM),
    installer("npx-cli.js", &[]),
    installer("yarn.js", &["add", "install", "dlx", "global", "create"]),
    installer("pnpm.cjs", &["add", "install", "i", "dlx", "create"]),
    installer("corepack.js", &[]),
];

/// Python modules that run another module, named behind `-m`.
pub(super) const MODULE_RUNNERS: [&str; 6] = ["cProfile", "profile", "pdb", "trace", "coverage", "runpy"];

/// Options that ask a container engine for more than a container has.
pub(super) const PRIVILEGES: [&str; 9] = [
    "--privileged",
    "--cap-add",
    "--security-opt",
    "--device-cgroup-rule",
    "--pid=host",
    "--ipc=host",
    "--net=host",
    "--network=host",
    "--userns=host",
];

/// Top folders of a machine that are not the request's own.
pub(super) const HOST_FOLDERS: [&str; 24] = [
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "lib32",
    "lib64",
    "media",
    "mnt",
    "nix",
    "opt",
    "proc",
    "root",
    "run",
    "sbin",
    "snap",
    "srv",
    "sys",
    "tmp",
    "usr",
    "var",
    "Users",
    "workspace",
];

/// Of these, the ones that inline code must not name.
pub(super) const GUARDED_FOLDERS: [&str; 9] =
    ["etc", "root", "home", "proc", "sys", "dev", "var", "boot", "run"];
