//! What a program is told to run: its input, a file, or a text among its words.

use super::Program;
use super::lists::{is_interpreter, is_shell};
use super::name::name_of;
use crate::act::shell::Word;

impl<'c> Program<'c> {
    /// Does it run what it reads, or what it is given?
    pub(in crate::act) fn runs(&self) -> Runs<'c> {
        let name = self.name();
        let arguments = self.arguments();
        if is_shell(name) {
            return shell_runs(name, arguments);
        }
        if is_interpreter(name) {
            return interpreter_runs(name, arguments);
        }
        if let Some(runs) = self.opened_shell() {
            return runs;
        }
        match name {
            // Without a file, fish reads what comes in.
            "source" | "." => match arguments.first() {
                Some(file) if is_stdin(&file.text) => Runs::Input,
                Some(file) => Runs::File(file),
                None => Runs::Input,
            },
            "start" | "start-process" | "saps" | "call" | "invoke-item" | "ii" | "msiexec" => {
                let is_file = |word: &&Word| !word.text.starts_with(['-', '/']) && !word.text.is_empty();
                arguments.iter().find(is_file).map_or(Runs::Nothing, Runs::File)
            }
            "java" => behind_flag(arguments, &["-jar"]).map_or(Runs::Nothing, Runs::File),
            "go" | "wasmer" if arguments.first().is_some_and(|word| word.text == "run") => {
                let file = arguments.iter().skip(1).find(|word| !word.text.starts_with('-'));
                file.map_or(Runs::Nothing, Runs::File)
            }
            "uv" | "poetry" | "pdm" | "pipenv" | "rye" | "hatch" | "conda" | "mamba" | "micromamba" => {
                behind_run(arguments).map_or(Runs::Nothing, runs_inside)
            }
            "gdb" if takes_stdin(arguments, &["-x", "--command"]) => Runs::Input,
            "emacs" if takes_stdin(arguments, &["-l", "--load", "--script", "-script"]) => Runs::Input,
            // They run a line behind an exclamation mark.
            "ed" | "ex" => Runs::Input,
            "iex" | "invoke-expression" if arguments.is_empty() => Runs::Input,
            "at" | "batch" => Runs::Input,
            "parallel" if arguments.iter().all(|word| word.text.starts_with('-')) => Runs::Input,
            "make" | "gmake" if takes_stdin(arguments, &["-f", "--file", "--makefile"]) => Runs::Input,
            "crontab" if arguments.first().is_none_or(|word| is_stdin(&word.text)) => Runs::Input,
            "sed" | "gsed" if crate::act::embedded::sed_runs_its_input(arguments) => Runs::Input,
            "awk" | "gawk" | "mawk" => match arguments.iter().find(|word| word.text.contains("system(")) {
                Some(word) if word.text.contains("$0") || word.text.contains("$1") => Runs::Input,
                _ => Runs::Nothing,
            },
            _ => Runs::Nothing,
        }
    }
}

/// What a program runs.
#[derive(Clone, Copy, Debug)]
pub(in crate::act) enum Runs<'c> {
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

/// What stands behind `uv run` and its flags: a program of the project, or a file.
fn behind_run(arguments: &[Word]) -> Option<&[Word]> {
    #[rustfmt::skip]
    const VALUED: &[&str] = &[
        "--with", "--with-requirements", "--with-editable", "-n", "--name", "-p", "--python", "-e", "--env", "--env-file",
        "--group", "--extra", "--package", "--project", "--directory", "-C", "--prefix", "--cwd", "--index", "--index-url",
        "--default-index", "--extra-index-url",
    ];
    let behind_flags = |words: &[Word]| {
        let mut at = 0;
        while let Some(word) = words.get(at).filter(|word| word.text.starts_with('-') && word.text.len() > 1)
        {
            at += if VALUED.contains(&&*word.text) { 2 } else { 1 };
        }
        at
    };
    let arguments = arguments.get(behind_flags(arguments)..)?;
    let (first, rest) = arguments.split_first()?;
    matches!(&*first.text, "run" | "exec").then_some(())?;
    rest.get(behind_flags(rest)..)
}

/// `-` is the input itself; a shell and an interpreter run theirs; what else a project has reads it as data.
fn runs_inside(words: &[Word]) -> Runs<'_> {
    let Some((program, arguments)) = words.split_first() else { return Runs::Nothing };
    let name = name_of(program);
    match &*name {
        _ if is_stdin(&program.text) => Runs::Input,
        shell if is_shell(shell) => shell_runs(shell, arguments),
        interpreter if is_interpreter(interpreter) => interpreter_runs(interpreter, arguments),
        _ => Runs::Nothing,
    }
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

fn is_stdin(text: &str) -> bool {
    matches!(text, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

/// The word behind one of these flags.
fn behind_flag<'c>(arguments: &'c [Word], flags: &[&str]) -> Option<&'c Word> {
    let mut pairs = arguments.iter().zip(arguments.iter().skip(1));
    pairs.find(|(flag, _)| flags.contains(&&*flag.text)).map(|(_, word)| word)
}

/// Is one of these flags followed by what comes in?
fn takes_stdin(arguments: &[Word], flags: &[&str]) -> bool {
    let pairs = arguments.iter().zip(arguments.iter().skip(1));
    pairs.into_iter().any(|(flag, file)| flags.contains(&&*flag.text) && is_stdin(&file.text))
        || arguments.iter().any(|word| word.text == "-f-")
}
