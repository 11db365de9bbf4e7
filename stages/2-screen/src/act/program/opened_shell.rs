//! Programs that start a shell when they are told nothing else to start: `su -`, `sudo -i`, `ssh host`.
//!
//! Such a shell runs what comes in. Where a command is named behind them it is that command that counts, and where
//! one stands behind `-c`, that line.

use super::Program;
use super::runs::Runs;
use crate::act::shell::Word;

/// How a program is told what to start.
#[derive(Clone, Copy)]
enum Takes {
    /// A line behind `-c`; whatever else is there says for whom, or where. Flags that take a value.
    Line(&'static [&'static str]),
    /// A command behind its flags and so many operands, of which so many must be there.
    Command(&'static [&'static str], usize),
}

fn takes(name: &str) -> Option<Takes> {
    Some(match name {
        "su" | "runuser" => {
            Takes::Line(&["-s", "--shell", "-g", "--group", "-G", "--supp-group", "-w", "-u"])
        }
        "sg" | "newgrp" | "script" => Takes::Line(&[]),
        "login" => Takes::Line(&["-f", "-h", "-r"]),
        // What stands behind these and is a command was taken for the program.
        "chroot" | "ssh" => Takes::Command(&[], 1),
        "unshare" | "fakeroot" | "setarch" | "linux64" => Takes::Command(&["-S", "-G", "-R", "-w"], 0),
        "nsenter" => Takes::Command(&["-t", "--target", "-S", "--setuid", "-G", "--setgid"], 0),
        "pkexec" | "run0" => Takes::Command(&["-u", "--user"], 0),
        "firejail" | "wsl" => Takes::Command(&["-d", "-u"], 0),
        _ => return None,
    })
}

impl<'c> Program<'c> {
    /// What this program has a shell run that it starts by itself; nothing if it starts none.
    pub(super) fn opened_shell(&self) -> Option<Runs<'c>> {
        let (name, arguments) = (self.name(), self.arguments());
        let asks = |word: &Word| {
            matches!(&*word.text, "--help" | "--version" | "-V" | "--list" | "-N")
                || (name == "wsl" && word.text == "-l")
        };
        match (name, takes(name)) {
            (_, Some(Takes::Line(valued))) => {
                let line = arguments.iter().position(|word| is_line_flag(&word.text));
                match line {
                    Some(flag) => Some(arguments.get(flag + 1).map_or(Runs::Nothing, Runs::Line)),
                    None if name == "sg" && operands(arguments, valued) > 1 => None,
                    None => (!arguments.iter().any(is_help)).then_some(Runs::Input),
                }
            }
            (_, Some(Takes::Command(valued, least))) => {
                let told = operands(arguments, valued);
                let bare = if least > 0 { told >= least } else { told == 0 };
                (bare && !arguments.iter().any(asks)).then_some(Runs::Input)
            }
            ("sudo" | "doas", None) => {
                let shell = |word: &Word| {
                    let short = word.text.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
                    short.is_some_and(|flags| flags.len() <= 4 && flags.contains(['i', 's']))
                        || matches!(&*word.text, "--login" | "--shell")
                };
                arguments.iter().any(shell).then_some(Runs::Input)
            }
            ("docker" | "podman" | "nerdctl", None) => runs_bare_image(arguments).then_some(Runs::Input),
            ("machinectl" | "multipass" | "apptainer" | "singularity", None) => {
                let shell = arguments.first().is_some_and(|word| word.text == "shell");
                (shell && operands(arguments, &[]) <= 2).then_some(Runs::Input)
            }
            ("vagrant", None) => {
                let ssh = arguments.first().is_some_and(|word| word.text == "ssh");
                (ssh && !arguments.iter().any(|word| is_line_flag(&word.text))).then_some(Runs::Input)
            }
            _ => None,
        }
    }

    /// Does it run what comes in by a shell of its own, with a name that is also an ordinary word?
    pub(in crate::act) fn opens_shell(&self) -> bool {
        matches!(self.opened_shell(), Some(Runs::Input))
    }
}

fn is_help(word: &Word) -> bool {
    matches!(&*word.text, "--help" | "--version")
}

/// `-c`, also behind other flags: `su -lc …`.
fn is_line_flag(flag: &str) -> bool {
    let short = flag.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
    short.is_some_and(|flags| flags.len() <= 3 && flags.ends_with('c')) || flag == "--command"
}

/// How many words are neither flags nor their values.
fn operands(arguments: &[Word], valued: &[&str]) -> usize {
    let mut words = arguments.iter();
    let mut count = 0;
    while let Some(word) = words.next() {
        if valued.contains(&&*word.text) {
            words.next();
        } else if !word.text.starts_with('-') {
            count += 1;
        }
    }
    count
}

/// `docker run -i alpine`: what such an image starts by itself is a shell.
fn runs_bare_image(arguments: &[Word]) -> bool {
    #[rustfmt::skip]
    const WITH_SHELL: &[&str] = &[
        "alpine", "ubuntu", "debian", "busybox", "fedora", "centos", "rockylinux", "almalinux", "archlinux", "amazonlinux",
        "oraclelinux", "opensuse", "leap", "tumbleweed", "kali-rolling", "ubi8", "ubi9", "photon", "mageia", "clearlinux",
        "bash", "buildpack-deps", "python", "node", "ruby", "perl", "php",
    ];
    let runs = arguments.first().is_some_and(|word| word.text == "run");
    let keeps_input = arguments.iter().any(|word| {
        let short = word.text.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
        short.is_some_and(|flags| flags.len() <= 4 && flags.contains('i'))
            || word.text.starts_with("--interactive")
    });
    let image = arguments.last().map_or("", |word| &*word.text);
    let base = image.rsplit('/').next().unwrap_or(image);
    let base = base.split([':', '@']).next().unwrap_or(base);
    runs && keeps_input && WITH_SHELL.contains(&base)
}

#[cfg(test)]
mod tests {
    use super::Program;
    use crate::act::shell::{Manner, read};

    #[test]
    fn a_shell_is_opened_where_nothing_else_is_named() {
        let cases = [
            ("su", true),
            ("su - root", true),
            ("su -s /usr/bin/id app", true),
            ("su app -c 'make test'", false),
            ("su -lc id app", false),
            ("su --help", false),
            ("sudo -i", true),
            ("sudo -Hs", true),
            ("sudo -u app -i", true),
            ("sudo -l", false),
            ("sudo -v", false),
            ("sudo -i make", false),
            ("sudo su", true),
            ("doas -s", true),
            ("login -f root", true),
            ("newgrp docker", true),
            ("sg docker -c 'docker ps'", false),
            ("chroot /mnt", true),
            ("chroot /mnt tar x", false),
            ("unshare -r", true),
            ("unshare -r id", false),
            ("nsenter -t 1 -m", true),
            ("nsenter -t 1 -n ss -l", false),
            ("ssh host", true),
            ("ssh -p 22 -l me host", true),
            ("ssh host 'cat > a'", false),
            ("ssh host -- cat", false),
            ("ssh -V", false),
            ("ssh -N -L 80:a:80 host", false),
            ("docker run -i alpine", true),
            ("podman run --rm -it docker.io/library/debian:12-slim", true),
            ("docker run alpine", false),
            ("docker run -i alpine cat", false),
            ("docker run --rm -i hadolint/hadolint", false),
            ("docker ps -i", false),
            ("machinectl shell", true),
            ("fakeroot", true),
            ("script -c 'make' log", false),
        ];
        for (line, want) in cases {
            let script = read(line, 0, Manner::Line);
            let found = script.commands.first().is_some_and(|command| Program::of(command).opens_shell());
            assert_eq!(found, want, "{line}");
        }
    }
}
