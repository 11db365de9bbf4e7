//! What programs do with their words and their input.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::shell::{Command, Kind, Word};

/// Programs that bring something from elsewhere.
pub(super) const FETCHERS: &[&str] = &[
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
pub(super) const DECODERS: &[&str] = &[
    "base64", "base32", "basenc", "xxd", "openssl", "uudecode", "rev", "tr", "gunzip", "zcat", "bzcat",
    "xzcat", "gzip", "xz", "bzip2", "zstd", "zstdcat", "hexdump", "od", "gpg", "age",
];

/// Shells: they run what they are given.
pub(super) const SHELLS: &[&str] = &[
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
pub(super) const INTERPRETERS: &[&str] = &[
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
];

/// Programs that run another one: name, flags that take a value, operands before the program.
#[rustfmt::skip]
pub(super) const WRAPPERS: &[(&str, &[&str], usize)] = &[
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
    ("unshare",  &[], 0),
    ("chroot",   &["-u", "-g"], 1),
    ("strace",   &["-e", "-o", "-p", "-s"], 0),
    ("ltrace",   &["-e", "-o", "-p"], 0),
    ("flock",    &["-w", "-E"], 1),
    ("proxychains", &[], 0),
    ("proxychains4", &[], 0),
    ("torsocks", &[], 0),
    ("ssh",      &["-i", "-p", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-E", "-m", "-S", "-W"], 1),
    ("winpty",   &[], 0),
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
pub(super) const ELSEWHERE: &[&str] = &[
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
struct Known {
    fetches: bool,
    decodes: bool,
    shell: bool,
    data: bool,
    elsewhere: bool,
    wrapper: Option<(&'static [&'static str], usize)>,
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

fn known(name: &str) -> Known {
    let first = name.bytes().next().map_or(0, usize::from);
    if LENGTHS.get(first).is_none_or(|lengths| lengths & bit(name.len()) == 0) {
        return Known::default();
    }
    KNOWN.get(name).copied().unwrap_or_default()
}

/// The command behind its wrappers.
#[derive(Clone)]
pub(super) struct Program<'c> {
    /// Its name and its words.
    pub(super) words: &'c [Word],
    name: Cow<'c, str>,
    /// Its input are the words of another command.
    pub(super) by_xargs: bool,
}

impl<'c> Program<'c> {
    pub(super) fn of(command: &'c Command) -> Self {
        let mut words = &*command.words;
        let mut by_xargs = false;
        // Each round takes at least one word.
        while let Some(first) = words.first() {
            if is_assignment(&first.text) {
                words = words.get(1..).unwrap_or_default();
                continue;
            }
            let name = name_of(first);
            let facts = known(&name);
            if facts.elsewhere {
                by_xargs |= name == "parallel";
                match words.iter().skip(1).position(|word| is_shell(&name_of(word))) {
                    Some(place) => words = words.get(place + 1..).unwrap_or_default(),
                    None => break,
                }
                continue;
            }
            // `find … -exec sh -c …`
            if matches!(&*name, "find" | "fd" | "fdfind") {
                let runs = |pair: &[Word]| {
                    let [flag, program] = pair else { return false };
                    let flag = matches!(
                        &*flag.text,
                        "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec"
                    );
                    flag && (is_shell(&name_of(program)) || is_interpreter(&name_of(program)))
                };
                match words.windows(2).position(runs) {
                    Some(place) => words = words.get(place + 1..).unwrap_or_default(),
                    None => break,
                }
                continue;
            }
            let Some((valued, operands)) = facts.wrapper else { break };
            // `command -v`, bare `env` and kin ask for something and run nothing.
            let rest = behind_flags(words.get(1..).unwrap_or_default(), valued, operands);
            if rest.is_empty()
                || (name == "command" && words.get(1).is_some_and(|flag| matches!(&*flag.text, "-v" | "-V")))
            {
                break;
            }
            by_xargs |= name == "xargs";
            words = rest;
        }
        Self { words, name: words.first().map(name_of).unwrap_or_default(), by_xargs }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn arguments(&self) -> &'c [Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Does it run what it reads, or what it is given?
    pub(super) fn runs(&self) -> Runs<'c> {
        let name = self.name();
        let arguments = self.arguments();
        if is_shell(name) {
            return shell_runs(name, arguments);
        }
        if is_interpreter(name) {
            return interpreter_runs(name, arguments);
        }
        match name {
            "source" | "." => match arguments.first() {
                Some(file) if is_stdin(&file.text) => Runs::Input,
                Some(file) => Runs::File(file),
                None => Runs::Nothing,
            },
            "start" | "start-process" | "saps" | "call" | "invoke-item" | "ii" | "msiexec" => {
                let is_file = |word: &&Word| !word.text.starts_with(['-', '/']) && !word.text.is_empty();
                arguments.iter().find(is_file).map_or(Runs::Nothing, Runs::File)
            }
            "iex" | "invoke-expression" if arguments.is_empty() => Runs::Input,
            "at" | "batch" => Runs::Input,
            "parallel" if arguments.iter().all(|word| word.text.starts_with('-')) => Runs::Input,
            "make" | "gmake" if takes_stdin(arguments, &["-f", "--file", "--makefile"]) => Runs::Input,
            "crontab" if arguments.first().is_none_or(|word| is_stdin(&word.text)) => Runs::Input,
            "sed" | "gsed" if super::embedded::sed_runs_its_input(arguments) => Runs::Input,
            "awk" | "gawk" | "mawk" => match arguments.iter().find(|word| word.text.contains("system(")) {
                Some(word) if word.text.contains("$0") || word.text.contains("$1") => Runs::Input,
                _ => Runs::Nothing,
            },
            _ => Runs::Nothing,
        }
    }

    /// Is text that it is given only text to it?
    pub(super) fn is_data(&self) -> bool {
        known(&self.name).data
    }
}

/// What a program runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Runs<'c> {
    /// Whatever comes in.
    Input,
    /// This file.
    File(&'c Word),
    /// This text, as a shell line.
    Line(&'c Word),
    /// This text, as a program of another language.
    Code(&'c Word),
    Nothing,
}

fn shell_runs<'c>(name: &str, arguments: &'c [Word]) -> Runs<'c> {
    let mut rest = arguments.iter();
    let windows = matches!(name, "pwsh" | "powershell" | "cmd");
    while let Some(word) = rest.next() {
        let text = word.text.to_ascii_lowercase();
        if is_stdin(&text) {
            return Runs::Input;
        }
        if windows {
            if matches!(&*text, "-command" | "-c" | "/c" | "/k" | "-com") {
                return rest.next().map_or(Runs::Nothing, |word| {
                    if is_stdin(&word.text) { Runs::Input } else { Runs::Line(word) }
                });
            }
            if matches!(&*text, "-file" | "-f") {
                return rest.next().map_or(Runs::Nothing, |word| {
                    if is_stdin(&word.text) { Runs::Input } else { Runs::File(word) }
                });
            }
            if text.starts_with('-') || text.starts_with('/') {
                if matches!(&*text, "-executionpolicy" | "-ep" | "-windowstyle" | "-w" | "-exec") {
                    rest.next();
                }
                continue;
            }
            return Runs::Line(word);
        }
        if text.starts_with("--") || text == "+x" {
            if matches!(&*text, "--rcfile" | "--init-file") {
                rest.next();
            }
            continue;
        }
        if let Some(flags) = text.strip_prefix('-') {
            if flags.contains('c') {
                // Further flags may stand before the line.
                return rest.find(|word| !word.text.starts_with('-')).map_or(Runs::Nothing, Runs::Line);
            }
            if flags.contains('s') {
                return Runs::Input;
            }
            if flags.ends_with('o') {
                rest.next();
            }
            continue;
        }
        return Runs::File(word);
    }
    Runs::Input
}

fn interpreter_runs<'c>(name: &str, arguments: &'c [Word]) -> Runs<'c> {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let text = &*word.text;
        if is_stdin(text) {
            return Runs::Input;
        }
        if matches!(name, "bun" | "deno") {
            match text {
                "run" | "serve" | "test" | "bench" => continue,
                "eval" => {
                    return rest.find(|word| !word.text.starts_with('-')).map_or(Runs::Nothing, Runs::Code);
                }
                _ => {}
            }
        }
        let Some(flags) = text.strip_prefix('-') else { return Runs::File(word) };
        let code = match name {
            _ if name.starts_with("python") || name.starts_with("pypy") => {
                !flags.starts_with('-') && flags.contains('c')
            }
            "php" => flags.starts_with('r'),
            "node" | "nodejs" | "bun" | "deno" => matches!(flags, "e" | "p" | "-eval" | "-print" | "pe"),
            // `-MLWP::Simple`, `-ropen-uri`: the name of a library follows.
            _ => !flags.starts_with(['-', 'M', 'm', 'I', 'r']) && flags.contains(['e', 'E']),
        };
        if code {
            return rest.next().map_or(Runs::Nothing, Runs::Code);
        }
        if name.starts_with("python") && flags.contains('m') && !flags.starts_with('-') {
            return Runs::Nothing;
        }
    }
    Runs::Input
}

/// The words behind flags, their values, assignments and so many operands.
fn behind_flags<'c>(words: &'c [Word], valued: &[&str], operands: usize) -> &'c [Word] {
    let (mut at, mut operands) = (0, operands);
    while let Some(word) = words.get(at) {
        let text = &*word.text;
        if text == "--" {
            at += 1;
            break;
        }
        if valued.contains(&text) {
            at += 2;
        } else if text.starts_with('-') && text.len() > 1 || is_assignment(text) {
            at += 1;
        } else if operands > 0 {
            operands -= 1;
            at += 1;
        } else {
            break;
        }
    }
    words.get(at..).unwrap_or_default()
}

pub(super) fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The name of a program, however its file is spelled.
pub(super) fn name_of(word: &Word) -> Cow<'_, str> {
    // Most words have nothing about them that would have to be taken off.
    let is_bare =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
    if word.names.is_empty() && word.text.bytes().all(is_bare) {
        return Cow::Borrowed(&word.text);
    }
    let text = word.text.trim_matches(|c: char| {
        matches!(c, '`' | ',' | '"' | '\'' | ')' | ';' | ':' | '*' | ']' | '}' | '[')
    });
    let text = text.trim_end_matches(['.', '!', '?']);
    let text = if text.is_empty() { &*word.text } else { text };
    if text == "{" {
        return Cow::Borrowed("{");
    }
    // A key in front, as data has it: `{"run":"curl …"}`.
    let base = text.rsplit(['/', '\\', '=', ':', '{', ',']).next().unwrap_or(text);
    let lower = if base.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(base.to_ascii_lowercase())
    } else {
        Cow::Borrowed(base)
    };
    // `/bin/b?sh`: the shell finds the program that fits.
    if lower.len() <= 16 && lower.contains(['?', '[']) && text.contains('/') {
        let fits = |name: &&&str| super::traversal::glob(lower.as_bytes(), name.as_bytes());
        if let Some(name) = SHELLS.iter().chain(FETCHERS).find(fits) {
            return Cow::Borrowed(name);
        }
    }
    // `| "$SHELL"`: the shell that everybody has.
    if matches!(&*lower, "$shell" | "$bash" | "$0" | "${shell}" | "${bash}") {
        return Cow::Borrowed("sh");
    }
    // `c${x}url`: what is not set is nothing.
    if !word.names.is_empty() && lower.len() <= 64 {
        let strip =
            |text: String, name: &String| text.replacen(&format!("${}", name.to_ascii_lowercase()), "", 1);
        let bare = word.names.iter().take(8).fold(lower.clone().into_owned(), strip);
        let facts = known(&bare);
        if facts.fetches || facts.shell || facts.decodes || facts.wrapper.is_some() || is_interpreter(&bare) {
            return Cow::Owned(bare);
        }
    }
    match lower.strip_suffix(".exe") {
        Some(bare) => Cow::Owned(bare.to_owned()),
        None => lower,
    }
}

pub(super) fn is_shell(name: &str) -> bool {
    known(name).shell
}

pub(super) fn is_interpreter(name: &str) -> bool {
    let version = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let python = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    python.is_some_and(version) || INTERPRETERS.contains(&name)
}

fn is_stdin(text: &str) -> bool {
    matches!(text, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

/// Is one of these flags followed by what comes in?
fn takes_stdin(arguments: &[Word], flags: &[&str]) -> bool {
    let pairs = arguments.iter().zip(arguments.iter().skip(1));
    pairs.into_iter().any(|(flag, file)| flags.contains(&&*flag.text) && is_stdin(&file.text))
        || arguments.iter().any(|word| word.text == "-f-")
}

pub(super) fn is_fetcher(name: &str) -> bool {
    known(name).fetches
}

pub(super) fn is_decoder(name: &str) -> bool {
    known(name).decodes
}

/// Where the output of some commands comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// From what is written there, or from a file of this machine.
    Here,
    /// From some program.
    Program,
    /// From something that was hidden.
    Hidden,
    /// From another machine.
    Elsewhere,
}

/// Where the output of `commands` comes from; the furthest counts.
pub(super) fn origin(commands: &[Command]) -> Origin {
    commands.iter().map(origin_of).max().unwrap_or(Origin::Here)
}

fn origin_of(command: &Command) -> Origin {
    let within = |word: &Word| word.substitutions.iter().map(|inner| origin(&inner.commands)).max();
    let nested = command.words.iter().chain(&command.given).filter_map(within).max().unwrap_or(Origin::Here);
    let named = command.words.iter().map(|word| {
        let facts = known(&name_of(word));
        if facts.fetches {
            return Origin::Elsewhere;
        }
        if facts.decodes { Origin::Hidden } else { Origin::Here }
    });
    let named = named.max().unwrap_or(Origin::Here);
    // What another machine prints.
    let far = command.words.first().is_some_and(|word| name_of(word) == "ssh") && command.words.len() > 2;
    let named = if far { Origin::Elsewhere } else { named };
    let program = Program::of(command);
    let text = command.words.iter().map(|word| &*word.text);
    let network = text.clone().any(|text| {
        text.contains("/dev/tcp/")
            || text.contains("urlopen")
            || text.contains("requests.get")
            || text.contains("fetch(")
    });
    let by_name = match program.name() {
        "" | "cat" | "echo" | "printf" | "}" | ":" | "true" | "cd" => Origin::Here,
        _ => Origin::Program,
    };
    let escapes = matches!(program.name(), "echo" | "printf")
        && text.clone().any(|text| text.contains("\\x") || text.contains("\\0") || text.contains("\\1"));
    let unknown = matches!(program.name(), "echo" | "printf")
        && command.words.iter().any(|word| !word.names.is_empty());
    let written = match (network, escapes, unknown) {
        (true, _, _) => Origin::Elsewhere,
        (_, true, _) => Origin::Hidden,
        (_, _, true) => Origin::Program,
        _ => Origin::Here,
    };
    nested.max(named).max(by_name).max(written)
}

/// A word that is the output of another command as a file: `<(…)`.
pub(super) fn file_substitution(word: &Word) -> Option<Origin> {
    let files = word.substitutions.iter().filter(|inner| inner.kind == Kind::File);
    files.map(|inner| origin(&inner.commands)).max()
}
