//! Commands that put what is in a file of secrets on the screen.
//!
//! Reading such a file is ordinary work, and so is counting, comparing, copying or changing it. What prints it does
//! not look like printing at first: `awk 1`, `sed -n p`, `xargs -a`, `cp … /dev/stdout`, an editor that is given
//! its orders.

use super::Judge;
use super::showing::{compares_quietly, edits_in_place, is_printer, keeps_names, searches_quietly};
use crate::act::names::is_secret_file;
use crate::act::program;
use crate::act::program::Program;
use crate::act::shell::{Command, Word};

/// Programs that write out the files in their arguments, or else their input.
#[rustfmt::skip]
const READERS: &[&str] = &[
    "cat", "less", "more", "most", "head", "tail", "bat", "batcat", "xxd", "base64", "base32", "basenc", "strings", "od",
    "hexdump", "hexyl", "nl", "paste", "fold", "fmt", "pr", "expand", "unexpand", "tac", "type", "gc", "get-content", "sort",
    "rev", "gzip", "tar", "zip", "openssl", "cut", "dd", "uniq", "shuf", "column", "comm", "join", "look", "iconv", "m4", "cpp",
    "pv", "zcat", "bzcat", "xzcat", "zless", "zmore", "diff", "sdiff", "colordiff", "vimcat", "ccat", "pygmentize",
    "highlight", "lolcat", "cowsay", "glow", "mdcat", "csvlook", "busybox",
];

/// The same, behind a program of their own.
#[rustfmt::skip]
const FILTERS: &[&str] = &["awk", "gawk", "mawk", "nawk", "sed", "gsed", "perl", "ruby", "tr", "jq", "gojq", "yq"];

const SEARCHERS: &[&str] =
    &["grep", "rg", "egrep", "fgrep", "zgrep", "ag", "ack", "ugrep", "pcregrep", "pcre2grep", "git-grep"];

/// Editors that take orders from their arguments or their input.
const EDITORS: &[&str] = &["vim", "vi", "nvim", "view", "ex", "ed", "red"];

pub(super) fn is_reader(name: &str) -> bool {
    READERS.contains(&name)
}

/// Writes out what it is given by a pipe, changed or not.
pub(super) fn is_filter(name: &str) -> bool {
    is_reader(name) && !matches!(name, "type" | "gc" | "get-content" | "tar" | "zip" | "openssl" | "busybox")
        || matches!(name, "awk" | "gawk" | "mawk" | "nawk" | "sed" | "gsed" | "jq" | "gojq" | "tr")
        || SEARCHERS.contains(&name)
}

/// `/dev/stdout`: a file that is the screen.
pub(super) fn is_screen(word: &Word) -> bool {
    let path = word.text.strip_prefix("of=").unwrap_or(&word.text);
    matches!(path, "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "/dev/console" | "/dev/fd/1" | "/dev/fd/2")
        || (path.starts_with("/proc/") && (path.ends_with("/fd/1") || path.ends_with("/fd/2")))
}

impl Judge<'_> {
    /// Does this command write out the content of a file of secrets? Nothing when it is none that writes out files.
    ///
    /// Such a file as its input is taken to be written out, but by those few that say something else about it.
    pub(super) fn writes_out(&self, command: &Command, program: &Program<'_>) -> Option<bool> {
        let (name, arguments) = (program.name(), program.arguments());
        if measures(name)
            || (SEARCHERS.contains(&name) && searches_quietly(name, arguments))
            || compares_quietly(name, arguments)
        {
            return Some(false);
        }
        // What is in the others may stand on lines without an equals sign.
        let variables = |word: &Word| {
            let file = word.text.rsplit('/').next().unwrap_or_default();
            !self.is_secret_file(&word.text) || file.starts_with(".env")
        };
        if keeps_names(program) && arguments.iter().chain(&command.reads).all(variables) {
            return Some(false);
        }
        let input = command.reads.iter().any(|word| is_secret_file(&word.text));
        self.writes_out_files(command, program).map(|written_out| written_out || input)
    }

    fn writes_out_files(&self, command: &Command, program: &Program<'_>) -> Option<bool> {
        let name = program.name();
        let arguments = program.arguments();
        let has = |flags: &[&str]| arguments.iter().any(|word| flags.contains(&&*word.text));
        let short = |letters: &[char]| {
            arguments.iter().any(|word| {
                word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(letters)
            })
        };
        let operands = || arguments.iter().filter(|word| !word.text.starts_with('-'));
        let secret = |word: &Word| self.is_secret_file(word.text.trim_start_matches("if="));
        let fed = || {
            command.reads.iter().any(|word| self.is_secret_file(&word.text))
                || command.given.iter().any(|word| self.shows_secret(word))
        };
        // `diff <(cat .env) /dev/null`
        let read_through = || operands().any(|word| self.substitutes_secret(word));
        if is_reader(name) {
            // What two lists of the environment differ in is ordinary; what a file of secrets holds is not.
            let compares = matches!(name, "diff" | "sdiff" | "colordiff" | "comm");
            let secret = |word: &Word| if compares { is_secret_file(&word.text) } else { secret(word) };
            let fed = if compares { command.reads.iter().any(secret) } else { fed() };
            return Some(operands().any(secret) || read_through() || fed);
        }
        if FILTERS.contains(&name) {
            let by_line = !matches!(name, "perl" | "ruby") || short(&['n', 'p']) && !short(&['i']);
            // The first word is what they do; of these it looks like a file.
            let program_words = usize::from(matches!(name, "jq" | "gojq" | "yq" | "tr"));
            return Some(by_line && (operands().skip(program_words).any(secret) || read_through() || fed()));
        }
        if SEARCHERS.contains(&name) {
            let by_flag = arguments.iter().any(|word| word.text.starts_with("--regexp="))
                || short(&['e', 'f']) && has(&["-e", "-f"]);
            let files = operands().skip(usize::from(!by_flag));
            let searched = files.chain(command.reads.iter()).any(|word| is_secret_file(&word.text));
            return Some(searched);
        }
        match name {
            "cp" | "mv" | "install" | "ln" => {
                Some(operands().any(secret) && operands().next_back().is_some_and(is_screen))
            }
            "tee" => Some(fed()),
            // Their orders come from arguments or from the input.
            _ if EDITORS.contains(&name) => {
                let ordered = short(&['c', 's']) || has(&["-es", "-Es"]) || !command.given.is_empty();
                Some(
                    ordered
                        && operands().any(secret)
                        && !(command.given.is_empty() && only_edits(name, arguments)),
                )
            }
            // What they read is shown as they read it.
            _ if program::is_shell(name) && short(&['v', 'x']) && operands().next().is_some_and(secret) => {
                Some(true)
            }
            "git" => Some(git_writes_out(arguments)),
            "curl" | "wget" => {
                let file = |word: &Word| word.text.strip_prefix("file://").is_some_and(is_secret_file);
                arguments.iter().any(file).then_some(true)
            }
            "python" | "python3" => {
                let modules = ["base64", "quopri", "tokenize", "json.tool", "pygments", "fileinput"];
                let by_module = has(&["-m"]) && has(&modules) && operands().any(secret);
                by_module.then_some(true)
            }
            "find" | "fd" | "fdfind" => Some(finds_and_writes_out(arguments)),
            // Those of xargs are arguments from a file.
            _ if program.by_xargs || name == "xargs" => {
                let printed = name == "xargs" || prints_arguments(program);
                let pairs = command.words.iter().zip(command.words.iter().skip(1));
                let named = pairs.into_iter().any(|(flag, file)| {
                    matches!(&*flag.text, "-a" | "--arg-file" | "::::") && is_secret_file(&file.text)
                });
                let joined = command.words.iter().any(|word| {
                    let file = word.text.strip_prefix("--arg-file=").or_else(|| word.text.strip_prefix("-a"));
                    file.is_some_and(|file| !file.is_empty() && is_secret_file(file))
                });
                (printed && (named || joined || fed())).then_some(true)
            }
            _ => None,
        }
    }
}

/// `xargs echo`, `parallel echo`, `xargs -I{} sh -c 'echo {}'`: it prints the arguments that it is given.
pub(super) fn prints_arguments(program: &Program<'_>) -> bool {
    let name = program.name();
    let line = |word: &Word| {
        word.text.split([';', '&', '|']).any(|part| part.split_whitespace().next().is_some_and(is_printer))
    };
    program.by_xargs
        && (is_printer(name)
            || (name == "parallel" && program.arguments().iter().any(|word| is_printer(&word.text)))
            || (program::is_shell(name) && program.arguments().iter().any(line)))
}

/// Names of files of secrets, for another command to read: `find . -name .env`, `ls .env`, `echo .env`.
pub(super) fn names_secret_files(program: &Program<'_>) -> bool {
    let lists = matches!(program.name(), "find" | "fd" | "fdfind" | "ls" | "locate" | "git")
        || is_printer(program.name());
    lists && program.arguments().iter().any(|word| is_secret_file(&word.text))
}

/// `find . -name .env -exec cat {} +`
fn finds_and_writes_out(arguments: &[Word]) -> bool {
    let run =
        |word: &Word| matches!(&*word.text, "-exec" | "-execdir" | "-x" | "-X" | "--exec" | "--exec-batch");
    let writes_out = |line: &[Word]| {
        let Some((started, arguments)) = line.split_first() else { return false };
        let name = started.text.rsplit('/').next().unwrap_or_default();
        let quiet = (SEARCHERS.contains(&name) && searches_quietly(name, arguments))
            || compares_quietly(name, arguments)
            || (matches!(name, "sed" | "gsed") && edits_in_place(arguments));
        is_filter(name) && name != "gzip" && !quiet
    };
    arguments.iter().any(|word| is_secret_file(&word.text)) && arguments.split(run).skip(1).any(writes_out)
}

/// Says how much it is, and not what.
fn measures(name: &str) -> bool {
    matches!(name, "wc" | "sha256sum" | "md5sum" | "sha1sum" | "shasum")
}

/// `vim -es -c '%s/a/b/' -c wq .env`: every order changes something or writes it back, and nothing is shown.
fn only_edits(name: &str, arguments: &[Word]) -> bool {
    let (mut silent, mut last) = (false, "");
    let mut words = arguments.iter().map(|word| &*word.text);
    while let Some(word) = words.next() {
        match word {
            "-es" | "-Es" => silent = true,
            "-s" if name == "ex" => silent = true,
            "-c" => {
                let Some(line) = words.next().filter(|line| line.split('|').all(is_edit)) else {
                    return false;
                };
                last = line.rsplit('|').next().unwrap_or_default();
            }
            _ if word.starts_with(['-', '+']) => return false,
            _ => {}
        }
    }
    // If it does not end there, it takes more orders from its input.
    silent && matches!(last, "wq" | "x") && matches!(name, "vim" | "vi" | "nvim" | "ex")
}

/// `printf ',s/a/b/\nw\n'`: such orders for `ed`.
pub(super) fn prints_edits(program: &Program<'_>) -> bool {
    let [line] = program.arguments() else { return false };
    let plain = line.names.is_empty() && line.substitutions.is_empty() && !line.text.contains('%');
    program.name() == "printf" && plain && line.text.split("\\n").all(is_edit)
}

/// `ed -s .env`, which takes its orders from its input.
pub(super) fn edits_by_input(command: &Command, program: &Program<'_>) -> bool {
    program.name() == "ed" && command.given.is_empty() && command.reads.is_empty()
}

/// `%s/a/b/g`, `wq`
fn is_edit(order: &str) -> bool {
    if matches!(order, "" | "w" | "q" | "wq" | "x") {
        return true;
    }
    let parts = order.trim_start_matches([',', '%']).strip_prefix("s/").map(|rest| rest.split('/'));
    let parts: Vec<&str> = parts.into_iter().flatten().take(4).collect();
    let [from, to, flags] = &*parts else { return false };
    let plain = |text: &str| !text.contains(['\\', '|', '`', '$']) && !text.contains(char::is_control);
    !from.is_empty() && plain(from) && plain(to) && matches!(*flags, "" | "g")
}

/// `git show HEAD:.env`, `git diff --no-index /dev/null .env`
fn git_writes_out(arguments: &[Word]) -> bool {
    let mut words = arguments.iter().map(|word| &*word.text);
    let of_a_commit = |word: &str| word.split_once(':').is_some_and(|(_, path)| is_secret_file(path));
    let shows = words.clone().any(|word| matches!(word, "show" | "cat-file"));
    let compares = words.clone().any(|word| word == "--no-index");
    (shows && words.clone().any(of_a_commit)) || (compares && words.any(is_secret_file))
}
