//! What is refused by name, because of what it does: shells, wrappers, installers, host folders.
//!
//! A program that is in none of these tables is still refused when it does not belong to the
//! declared language; being listed only gives it the more telling message.

pub(crate) use call::programs::SHELLS;
pub(super) use call::programs::{WRAPPERS, is_loader};

/// Python modules that are shells. Other names of shells are names of packages too.
pub(super) const SHELL_MODULES: [&str; 1] = ["xonsh"];

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
#[rustfmt::skip]
const NPM: &[&str] = &[
    "install", "i", "in", "ins", "inst", "insta", "instal", "isnt", "isnta", "isntal", "add", "ci",
    "clean-install", "ic", "install-clean", "install-test", "it", "cit", "update", "up", "upgrade",
    "exec", "x", "init", "create", "link", "ln",
];

/// By program, or by module for `python -m`.
#[rustfmt::skip]
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
    installer("apt", &["install", "upgrade", "full-upgrade", "reinstall", "build-dep", "satisfy", "download"]),
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
#[rustfmt::skip]
pub(super) const MODULE_RUNNERS: [&str; 6] = [
    "cProfile", "profile", "pdb", "trace", "coverage", "runpy",
];

/// Options that ask a container engine for more than a container has.
#[rustfmt::skip]
pub(super) const PRIVILEGES: [&str; 9] = [
    "--privileged", "--cap-add", "--security-opt", "--device-cgroup-rule", "--pid=host", "--ipc=host",
    "--net=host", "--network=host", "--userns=host",
];

/// Top folders of a machine that are not the request's own.
#[rustfmt::skip]
pub(super) const HOST_FOLDERS: [&str; 24] = [
    "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "media", "mnt", "nix", "opt", "proc",
    "root", "run", "sbin", "snap", "srv", "sys", "tmp", "usr", "var", "Users", "workspace",
];

/// Of these, the ones that inline code must not name.
#[rustfmt::skip]
pub(super) const GUARDED_FOLDERS: [&str; 9] = [
    "etc", "root", "home", "proc", "sys", "dev", "var", "boot", "run",
];
