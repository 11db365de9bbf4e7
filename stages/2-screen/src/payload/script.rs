//! Scripts: a shebang at the start of a line, or a Markdown fence marked as a scripting language.

use call::Span;

use crate::lines::lines;

/// Info strings of fences that hold something to run.
const LANGUAGES: &[&str] = &[
    "bash",
    "sh",
    "zsh",
    "shell",
    "shellscript",
    "shell-session",
    "shellsession",
    "sh-session",
    "console",
    "terminal",
    "fish",
    "ksh",
    "csh",
    "powershell",
    "pwsh",
    "ps1",
    "ps",
    "posh",
    "bat",
    "batch",
    "cmd",
    "dos",
    "python",
    "py",
    "python3",
    "py3",
    "python2",
    "pycon",
    "ipython",
    "js",
    "javascript",
    "node",
    "nodejs",
    "mjs",
    "cjs",
    "jsx",
    "ts",
    "typescript",
    "tsx",
    "ruby",
    "rb",
    "perl",
    "pl",
    "php",
    "lua",
    "go",
    "golang",
    "applescript",
    "vbs",
    "vbscript",
    "vb",
    "awk",
    "tcl",
    "r",
    "makefile",
    "make",
    "dockerfile",
    "docker",
    "groovy",
    "elixir",
    "osascript",
    "exec",
    "run",
    "script",
    "rust",
    "c",
    "cpp",
    "java",
];

pub(super) fn find(text: &str, found: &mut Vec<(&'static str, Span)>) {
    let mut start = 0;
    let mut fence: Option<&str> = None;
    for line in lines(text) {
        // A page has no other white space than this.
        let is_indent = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'>' | b'-' | b'*' | b'+');
        let indent = line.bytes().take_while(is_indent).count();
        let bare = line.get(indent..).unwrap_or_default();
        if !bare.starts_with(['#', '`', '~']) {
            start += line.len();
            continue;
        }
        let bare = bare.trim_end();
        let from = start + indent;
        start += line.len();
        let span = Span::new(from, from + bare.len());
        if is_shebang(bare) {
            found.push(("shebang_script", span));
        }
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark && bare.trim_start_matches(['`', '~']).is_empty() => {
                fence = None
            }
            (None, Some(mark)) => {
                fence = Some(mark);
                if is_script(bare.trim_start_matches(['`', '~'])) {
                    found.push(("fenced_script", span));
                }
            }
            _ => {}
        }
    }
}

/// `#!/bin/sh`, `#! /usr/bin/env python`.
fn is_shebang(line: &str) -> bool {
    let interpreter = line.strip_prefix("#!").map(str::trim_start);
    interpreter.is_some_and(|path| path.starts_with('/') && path.len() > 2 && !path.starts_with("//"))
}

fn is_script(info: &str) -> bool {
    let info = info.trim_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '.' | '`'));
    let language = info.split([' ', ',', '{', ':', '}', ';', '\t']).next().unwrap_or_default();
    LANGUAGES.contains(&language.to_ascii_lowercase().as_str())
}
