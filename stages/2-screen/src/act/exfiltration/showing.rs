//! Programs that show what they are given, and those that let nothing through that matters.

use std::sync::OnceLock;

use regex::bytes::Regex;

use super::shown_files::{is_filter, is_screen};
use crate::act::compiled;
use crate::act::program::Program;
use crate::act::shell::{Command, Word};

pub(super) fn is_printer(name: &str) -> bool {
    matches!(
        name,
        "echo"
            | "printf"
            | "print"
            | "puts"
            | "write-host"
            | "write-output"
            | "logger"
            | "wall"
            | "say"
            | "tee"
    )
}

/// Shows what comes in, one way or another.
pub(super) fn shows(name: &str) -> bool {
    is_filter(name)
        || matches!(name, "logger" | "out-string" | "xargs" | "fl" | "ft" | "format-list" | "tee" | "gzip")
}

/// Lets through only what has nothing to do with secrets: `env | grep PATH`.
pub(super) fn filters(program: &Program<'_>) -> bool {
    let name = program.name();
    if matches!(name, "wc" | "sha256sum" | "md5sum" | "sha1sum" | "shasum") || keeps_names(program) {
        return true;
    }
    if !matches!(name, "grep" | "egrep" | "rg" | "findstr") {
        return false;
    }
    let mut flags = program.arguments().iter().filter(|word| word.text.starts_with('-'));
    if !flags.all(|word| shows_found_only(&word.text)) {
        return false;
    }
    if searches_quietly(name, program.arguments()) {
        return true;
    }
    let pattern = program.arguments().iter().find(|word| !word.text.starts_with('-'));
    pattern.is_some_and(|word| is_pattern_of_others(&word.text))
}

/// A flag with which a search shows lines that it found and no others: neither those around them nor all of them.
fn shows_found_only(flag: &str) -> bool {
    const WORDS: &[&str] = &[
        "count",
        "quiet",
        "silent",
        "ignore-case",
        "fixed-strings",
        "extended-regexp",
        "word-regexp",
        "line-regexp",
        "only-matching",
        "no-filename",
        "color=never",
        "color=auto",
        "no-color",
        "line-number",
    ];
    match flag.strip_prefix("--") {
        Some(word) => WORDS.contains(&word),
        None => flag.bytes().skip(1).all(|letter| b"iEFPwxohHnqcs".contains(&letter)),
    }
}

/// The same of each of its alternatives. One that matches more than its letters say may match anything.
fn is_pattern_of_others(pattern: &str) -> bool {
    let bare = pattern.trim_start_matches('^').trim_end_matches(['=', '$']).trim_end_matches(".*");
    let bare = bare.strip_prefix('(').and_then(|inside| inside.strip_suffix(')')).unwrap_or(bare);
    let alternatives = bare.split('|').map(|one| one.trim_end_matches('\\'));
    let plain = |one: &str| !one.contains(['[', ']', '.', '*', '+', '?', '{', '\\', '(', ')']);
    alternatives.map(|one| one.trim_start_matches('^')).all(|one| plain(one) && is_of_others(one))
}

/// Has a pattern nothing to do with secrets?
fn is_of_others(pattern: &str) -> bool {
    let lower = pattern.to_ascii_lowercase();
    let telling =
        ["key", "token", "secret", "pass", "cred", "auth", "aws", "api", "pwd", "private", "url", "dsn"];
    let letters = lower.bytes().filter(u8::is_ascii_alphabetic).count();
    letters >= 3 && !telling.iter().any(|part| lower.contains(part))
}

/// `print if /^PATH=/`: a program that prints the lines of one variable, which is none of a secret.
pub(super) fn tells_of_others(code: &str) -> bool {
    static LINES: OnceLock<Option<Regex>> = OnceLock::new();
    let lines = r#"\A\s*(?:(?:print|puts \$_) if (?:\$_ =~ )?/\^(\w+)=?/|import sys; ?print\(\[(?:l for l|line for line) in sys\.stdin if (?:l|line)\.startswith\("(\w+)=?"\)\]\))\s*;?\s*\z"#;
    let found = compiled(&LINES, lines).and_then(|lines| lines.captures(code.as_bytes()));
    found.is_some_and(|found| {
        found.iter().skip(1).flatten().all(|name| is_of_others(&String::from_utf8_lossy(name.as_bytes())))
    })
}

/// Lets through what stands in front of the equals sign: `env | cut -d= -f1`. Only in these very words: almost
/// anything else in them shows the rest, too.
pub(super) fn keeps_names(program: &Program<'_>) -> bool {
    let arguments = program.arguments();
    if program.by_xargs {
        return false;
    }
    let forms: &[&[&str]] = match program.name() {
        "cut" => &[
            &["-d=", "-f1"],
            &["-d", "=", "-f1"],
            &["-d=", "-f", "1"],
            &["-d", "=", "-f", "1"],
            &["-f1", "-d="],
            &["-f1", "-d", "="],
            &["-f", "1", "-d="],
            &["-f", "1", "-d", "="],
            &["--delimiter==", "--fields=1"],
        ],
        "awk" | "gawk" => &[
            &["-F=", "{print $1}"],
            &["-F", "=", "{print $1}"],
            &["-F=", "{ print $1 }"],
            &["-F", "=", "{ print $1 }"],
        ],
        "sed" => &[&["s/=.*//"]],
        "grep" | "rg" => &[&["-o", "^[^=]*"]],
        _ => return false,
    };
    forms.iter().any(|form| {
        let Some((words, files)) = arguments.split_at_checked(form.len()) else { return false };
        // Between double quotes `$1` is a variable of the shell.
        let plain = |word: &Word| word.substitutions.is_empty() && word.names.is_empty();
        // Not what is put in by the shell, no flag, and no variable of awk.
        let is_file = |word: &Word| !word.text.starts_with('-') && !word.text.contains(['$', '=']);
        words.iter().map(|word| &*word.text).eq(form.iter().copied())
            && arguments.iter().all(plain)
            && files.iter().all(is_file)
    })
}

/// Is one of these letters or words among its flags, and does it stand there for itself? `valued` are the letters
/// behind which the rest of the word, or the next one, is a value.
fn has_flag(arguments: &[Word], letters: &[char], long: &[&str], valued: &[char]) -> bool {
    let mut may_be_value = false;
    for word in arguments.iter().take_while(|word| word.text != "--") {
        let after = std::mem::take(&mut may_be_value);
        let Some(flags) = word.text.strip_prefix('-').filter(|_| !after) else { continue };
        if flags.starts_with('-') {
            if long.contains(&&*word.text) {
                return true;
            }
            let plain = matches!(flags, "-color" | "-colour" | "-ignore-case" | "-recursive" | "-hidden");
            may_be_value = !plain && !flags.contains('=');
            continue;
        }
        let own = flags.split(valued).next().unwrap_or_default();
        if own.contains(letters) {
            return true;
        }
        may_be_value = flags.len() == own.len() + 1;
    }
    false
}

/// `grep -q`, `rg -l`: says how many, or where, and not what.
pub(super) fn searches_quietly(name: &str, arguments: &[Word]) -> bool {
    // Of the others it means to follow links.
    let by_grep = matches!(name, "grep" | "egrep" | "fgrep" | "zgrep");
    let letters: &[char] = if by_grep { &['q', 'c', 'l', 'L'] } else { &['q', 'c', 'l'] };
    let valued: &[char] = if by_grep {
        &['e', 'f', 'A', 'B', 'C', 'm', 'd', 'D']
    } else {
        &['e', 'f', 'A', 'B', 'C', 'm', 'd', 'D', 'E', 'g', 'G', 'j', 'M', 'r', 't', 'T', 'O']
    };
    let long = ["--quiet", "--silent", "--count", "--files-with-matches", "--files-without-match"];
    has_flag(arguments, letters, &long, valued)
}

/// `diff -q`: says whether, and not what.
pub(super) fn compares_quietly(name: &str, arguments: &[Word]) -> bool {
    let valued = ['D', 'F', 'I', 'S', 'U', 'C', 'W', 'x', 'X', 'L'];
    matches!(name, "diff" | "colordiff") && has_flag(arguments, &['q'], &["--brief"], &valued)
}

/// `sed -i.bak`, `sed -ri`: what it does goes into the file.
pub(super) fn edits_in_place(arguments: &[Word]) -> bool {
    let in_place = |word: &Word| {
        let flags = word.text.strip_prefix('-').unwrap_or_default();
        word.text.starts_with("--in-place")
            || flags.trim_start_matches(['E', 'r', 'n', 's', 'u', 'z']).starts_with('i')
    };
    let elsewhere = |word: &Word| {
        ["/dev/std", "/dev/tty", "/dev/fd", "/dev/console", "/proc/"]
            .iter()
            .any(|file| word.text.contains(file))
    };
    arguments.iter().any(in_place) && !arguments.iter().any(elsewhere)
}

/// Does this command put its input or a file on the screen?
pub(super) fn dumps(name: &str, arguments: &[Word], command: &Command) -> bool {
    if !command.writes.iter().all(is_screen) {
        // Into nothing, or into a file that somebody may read later: not on the screen.
        return false;
    }
    match name {
        // Shell options are set so, too.
        "set" => arguments.is_empty(),
        "sed" => !edits_in_place(arguments),
        "dd" => !arguments.iter().any(|word| word.text.starts_with("of=") && !is_screen(word)),
        "openssl" => {
            let has = |flags: &[&str]| arguments.iter().any(|word| flags.contains(&&*word.text));
            has(&["base64", "-base64", "-a", "-A"]) && !has(&["-out"])
        }
        "tar" | "zip" | "gzip" => false,
        _ => true,
    }
}
