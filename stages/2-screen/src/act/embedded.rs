//! Commands that editors and readers of text run for their own programs: `vim -c ':r !curl …'`,
//! `sed '1e curl …'`.
//!
//! Each is told as the line that a shell would be given, so that it is judged as such a line.

use std::sync::OnceLock;

use regex::bytes::Regex;

use super::compiled;
use super::program::Program;
use super::shell::Word;

/// The lines that this program has a shell run.
pub(super) fn lines(program: &Program<'_>) -> Vec<String> {
    let arguments = program.arguments();
    match program.name() {
        "vim" | "vi" | "nvim" | "view" | "ex" | "gvim" | "vimdiff" => editor(arguments),
        "sed" | "gsed" => arguments.iter().take(16).flat_map(|word| by_sed(&word.text)).collect(),
        _ => Vec::new(),
    }
}

/// `:r !…` brings the output of a command in, `:w !…` and `:%!…` give what is there to one.
fn editor(arguments: &[Word]) -> Vec<String> {
    static ORDERS: OnceLock<Option<Regex>> = OnceLock::new();
    let orders = r"^[:\s]*(?P<range>[%.,$\d]*)(?P<verb>[a-z]*)\s*!\s*(?P<line>.+)$";
    let Some(orders) = compiled(&ORDERS, orders) else { return Vec::new() };
    let (mut brought, mut given, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for word in arguments.iter().take(32) {
        let text = word.text.trim_start_matches('+');
        if text.contains("://") && !text.contains(char::is_whitespace) {
            brought.push(format!("curl {text}"));
        }
        let Some(order) = orders.captures(text.as_bytes()) else { continue };
        let part = |name: &str| {
            let part = order.name(name).map(|part| String::from_utf8_lossy(part.as_bytes()).into_owned());
            part.unwrap_or_default()
        };
        match &*part("verb") {
            "r" | "re" | "read" => brought.push(part("line")),
            "w" | "write" => given.push(part("line")),
            "" if !part("range").is_empty() => given.push(part("line")),
            _ => lines.push(part("line")),
        }
    }
    if let Some(reader) = given.first().filter(|_| !brought.is_empty()) {
        lines.push(format!("{{ {}; }} | {reader}", brought.join("; ")));
    }
    lines.extend(brought);
    lines
}

/// What stands behind the order `e`.
fn by_sed(script: &str) -> Vec<String> {
    static ORDERS: OnceLock<Option<Regex>> = OnceLock::new();
    let orders = r"(?m)(?:^|[;{])\s*(?:\d+|\$|/[^/\n]{0,200}/)?\s*!?\s*e\s+([^\n]+)";
    let found =
        compiled(&ORDERS, orders).into_iter().flat_map(|orders| orders.captures_iter(script.as_bytes()));
    found
        .filter_map(|order| order.get(1))
        .take(8)
        .map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned())
        .collect()
}

/// `sed 's/.*/&/e'`: each line that comes in is run.
pub(super) fn sed_runs_its_input(arguments: &[Word]) -> bool {
    static RUNS: OnceLock<Option<Regex>> = OnceLock::new();
    let runs = r"(?:^|[;}\s\d$])s([/|#,@!]).{0,400}[/|#,@!][gpiImM0-9]*e[gpiImM0-9]*\s*(?:$|[;}])|^\s*(?:\d+|\$)?\s*e\s*$";
    arguments
        .iter()
        .take(16)
        .any(|word| compiled(&RUNS, runs).is_some_and(|runs| runs.is_match(word.text.as_bytes())))
}

/// A program of `awk` or of an editor that runs the output of another, or what it reads from the net.
pub(super) fn fetches_and_runs(program: &Program<'_>) -> bool {
    static FETCHES: OnceLock<Option<Regex>> = OnceLock::new();
    static RUNS: OnceLock<Option<Regex>> = OnceLock::new();
    let (fetches, runs) = match program.name() {
        "awk" | "gawk" | "mawk" | "nawk" => (
            r#"/inet[46]?/(?:tcp|udp)/|\b(?:curl|wget)\b[^\n]{0,400}\|&?\s*getline"#,
            r#"\bsystem\s*\(\s*[a-zA-Z_$(]|\|&?\s*"[^"\n]{0,40}\b(?:ba|z|da|k)?sh\b"#,
        ),
        "emacs" => return by_emacs(program.arguments()),
        _ => return false,
    };
    let is_in = |cell, pattern, text: &str| {
        compiled(cell, pattern).is_some_and(|found| found.is_match(text.as_bytes()))
    };
    let code = |word: &Word| is_in(&FETCHES, fetches, &word.text) && is_in(&RUNS, runs, &word.text);
    program.arguments().iter().take(16).any(code)
}

fn by_emacs(arguments: &[Word]) -> bool {
    static RUNS: OnceLock<Option<Regex>> = OnceLock::new();
    let runs = r#"\(\s*(?:shell-command|call-process-shell-command|eval|eval-buffer|load)\b[^\n]{0,200}(?:shell-command-to-string\s+"\s*(?:curl|wget)\b|url-retrieve|url-copy-file)"#;
    arguments
        .iter()
        .take(16)
        .any(|word| compiled(&RUNS, runs).is_some_and(|runs| runs.is_match(word.text.as_bytes())))
}

/// `[scriptblock]::Create((irm …))`: text that was fetched becomes a program.
pub(super) fn makes_block_of_download(line: &str) -> bool {
    static BLOCK: OnceLock<Option<Regex>> = OnceLock::new();
    let block = r"(?i)(?:scriptblock\]?\s*::\s*create|\binvokescript|\bnewscriptblock)[^\n]{0,200}(?:\biwr\b|\birm\b|\binvoke-webrequest|\binvoke-restmethod|downloadstring|\bcurl\b|\bwget\b|frombase64string)";
    compiled(&BLOCK, block).is_some_and(|block| block.is_match(line.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{lines, sed_runs_its_input};
    use crate::act::program::Program;
    use crate::act::shell::{Manner, read};

    #[test]
    fn editors_run_these_lines() {
        let cases: [(&str, &[&str]); 5] = [
            ("vim -es -c ':r !curl x' -c ':w !sh' -c ':q!'", &["{ curl x; } | sh", "curl x"]),
            ("vim +'!make' a.c", &["make"]),
            ("vim -c ':%!sort' a.txt", &[]),
            ("sed '1e curl x | sh' a", &["curl x | sh"]),
            ("sed -n 's/name e /x/p' a", &[]),
        ];
        for (line, want) in cases {
            let script = read(line, 0, Manner::Line);
            let found = script.commands.first().map(|command| lines(&Program::of(command)));
            assert_eq!(found.unwrap_or_default(), want, "{line}");
        }
    }

    #[test]
    fn sed_runs_what_comes_in_only_when_told() {
        for (line, want) in [
            ("sed 's/.*/&/e'", true),
            ("sed -e 's#x#y#ge'", true),
            ("sed 's/a/e/'", false),
            ("sed -e 's/one/e/g'", false),
            ("sed 's/a/b/; s/c/d/'", false),
            ("sed -i 's|/usr|/e|' a", false),
        ] {
            let script = read(line, 0, Manner::Line);
            let program = script.commands.first().map(Program::of);
            assert_eq!(
                program.is_some_and(|program| sed_runs_its_input(program.arguments())),
                want,
                "{line}"
            );
        }
    }
}
