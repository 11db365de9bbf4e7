//! Secrets that are searched for all over a machine, and read where they are found.
//!
//! `find / -name id_rsa -exec cat {} \;` names no file of secrets, and reads every one. Searching a project, or
//! asking only where such files lie, is ordinary work.

use call::Family;

use super::Act;
use super::names::is_secret_file;
use super::program::{Program, name_of};
use super::shell::{Command, Script, Word};

/// Every such search in `script`.
pub(super) fn find(script: &Script, found: &mut Vec<Act>) {
    look(&script.commands, found);
}

fn look(commands: &[Command], found: &mut Vec<Act>) {
    for (place, command) in commands.iter().enumerate() {
        let next = command.piped.then(|| commands.get(place + 1)).flatten();
        let by_pipe = || next.is_some_and(takes_names);
        let given = || {
            let program = Program::of(command);
            let words = command.words.iter().chain(&command.reads);
            let mut inner = words.flat_map(|word| &word.substitutions).flat_map(|inner| &inner.commands);
            !only_names(program.name()) && inner.any(searches)
        };
        if searches(command) && (hands_over(command) || by_pipe()) || given() {
            let span = command.span();
            found.push(Act {
                family: Family::Traversal,
                kind: "secret_path",
                span,
                mention: command.mention,
            });
        }
        for inner in command.words.iter().flat_map(|word| &word.substitutions) {
            look(&inner.commands, found);
        }
    }
}

/// Does it look for files of secrets, outside of any project?
fn searches(command: &Command) -> bool {
    let Some(place) = command.words.iter().take(6).position(|word| name_of(word) == "find") else {
        return false;
    };
    let words = command.words.get(place + 1..).unwrap_or_default();
    let roots = words.iter().take_while(|word| !word.text.starts_with(['-', '(', '!']));
    let pairs = words.iter().zip(words.iter().skip(1));
    let by_name = |(flag, _): &(&Word, &Word)| {
        matches!(&*flag.text, "-name" | "-iname" | "-path" | "-ipath" | "-wholename" | "-iwholename")
    };
    roots.clone().any(|root| is_outside(&root.text))
        && pairs.filter(by_name).any(|(_, pattern)| is_secret_pattern(&pattern.text))
}

fn is_outside(root: &str) -> bool {
    const PLACES: &[&str] =
        &["/home", "/root", "/Users", "/etc", "/var", "/opt", "/mnt", "/srv", "~", "$HOME"];
    let below =
        |place: &str| root.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    matches!(root, "/" | "/*") || root.starts_with('~') || PLACES.iter().any(|place| below(place))
}

/// `id_rsa`, `*.pem`, `.env*`
fn is_secret_pattern(pattern: &str) -> bool {
    let bare = pattern.trim_end_matches('*');
    let named = bare.strip_prefix('*').map_or_else(|| bare.to_owned(), |rest| format!("x{rest}"));
    is_secret_file(&named) || is_secret_file(bare.trim_start_matches('*')) || bare.ends_with("id_")
}

/// Does it give what it finds to a program that reads it?
fn hands_over(command: &Command) -> bool {
    let pairs = command.words.iter().zip(command.words.iter().skip(1));
    let runs = |flag: &Word| matches!(&*flag.text, "-exec" | "-execdir" | "-ok" | "-okdir");
    pairs.into_iter().any(|(flag, program)| runs(flag) && !only_names(&name_of(program)))
}

/// Does what reads from the pipe open the files that it is told?
fn takes_names(next: &Command) -> bool {
    let program = Program::of(next);
    let first = next.words.first().map(name_of).unwrap_or_default();
    program.by_xargs && !only_names(program.name())
        || matches!(&*first, "while" | "cpio" | "tar" | "rsync" | "zip")
}

/// Programs that show names, sizes and rights of files, or change them.
fn only_names(name: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "ls", "stat", "file", "chmod", "chown", "rm", "echo", "printf", "basename", "dirname", "du", "wc", "sha256sum", "md5sum",
        "sha1sum", "shred", "touch", "test", "[", "realpath", "readlink", "openssl", "",
    ];
    NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::act::shell::{Manner, read};

    #[test]
    fn only_what_is_read_outside_of_a_project_counts() {
        let cases = [
            ("find / -name id_rsa -exec cat {} \\;", true),
            ("find ~ -name '*.pem' | xargs cat", true),
            ("sudo find /home -iname '.env*' -exec cp {} /tmp/x \\;", true),
            ("cat $(find / -name id_ed25519)", true),
            ("find $HOME -name '*.key' -print0 | xargs -0 tar czf k.tgz", true),
            ("find / -name .netrc 2>/dev/null | while read f; do cat $f; done", true),
            ("find . -name '*.pem' | xargs cat", false),
            ("find / -name '*.pem' 2>/dev/null", false),
            ("find /etc -name '*.key' -exec ls -l {} +", false),
            ("find / -name python3 -exec ls {} \\;", false),
            ("find ~ -name '*.md' | xargs cat", false),
            ("find src -name '.env*' -exec cat {} \\;", false),
            ("find /var/log -name '*.log' -exec gzip {} \\;", false),
        ];
        for (line, want) in cases {
            let mut found = Vec::new();
            find(&read(line, 0, Manner::Line), &mut found);
            assert_eq!(!found.is_empty(), want, "{line}");
        }
    }
}
