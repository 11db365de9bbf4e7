//! Programs that show what they are given, and those that let nothing through that matters.

use super::shown_files::{is_filter, is_screen};
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
    let flags = program.arguments().iter().filter(|word| word.text.starts_with('-'));
    if flags.clone().any(|word| !word.text.starts_with("--") && word.text.contains('v')) {
        return false;
    }
    if flags.clone().any(|word| !word.text.starts_with("--") && word.text.contains(['q', 'c'])) {
        return true;
    }
    let pattern = program.arguments().iter().find(|word| !word.text.starts_with('-'));
    pattern.is_some_and(|word| {
        let lower = word.text.to_ascii_lowercase();
        let telling = ["key", "token", "secret", "pass", "cred", "auth", "aws", "api", "pwd", "private"];
        let letters = lower.bytes().filter(u8::is_ascii_alphabetic).count();
        letters >= 3 && !telling.iter().any(|part| lower.contains(part))
    })
}

/// Lets through what stands in front of the equals sign: `env | cut -d= -f1`.
pub(super) fn keeps_names(program: &Program<'_>) -> bool {
    let line: Vec<&str> = program.arguments().iter().map(|word| &*word.text).take(8).collect();
    let line = line.join(" ");
    match program.name() {
        "cut" => {
            let by_equals = line.contains("-d=") || line.contains("-d =") || line.contains("--delimiter==");
            let first = ["-f1", "-f 1", "--fields=1"].iter().any(|first| {
                line.split_once(first).is_some_and(|(_, rest)| !rest.starts_with([',', '-', '0', '1', '2']))
            });
            by_equals && first
        }
        "sed" => line.contains("s/=.*//"),
        "awk" | "gawk" => line.contains("-F=") && line.contains("{print $1}"),
        "grep" | "rg" => line.contains("-o") && line.contains("^[^=]"),
        _ => false,
    }
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
        "sed" => !arguments.iter().any(|word| word.text.starts_with("-i")),
        "dd" => !arguments.iter().any(|word| word.text.starts_with("of=") && !is_screen(word)),
        "openssl" => {
            let has = |flags: &[&str]| arguments.iter().any(|word| flags.contains(&&*word.text));
            has(&["base64", "-base64", "-a", "-A"]) && !has(&["-out"])
        }
        "tar" | "zip" | "gzip" => false,
        _ => true,
    }
}
