//! Spellings that no shell reads: PowerShell, one-liners of other languages, shells that call home.
//!
//! Each needs a word of its own, which is searched for together with all other words, so that a text without it
//! is never matched against the expression.

use std::sync::OnceLock;

use call::{Family, Span};
use regex::bytes::Regex;

use crate::act::{Act, compiled};

/// Spellings that no shell reads: needed word, expression, kind.
#[rustfmt::skip]
const SPELLINGS: &[(&str, &str, &str)] = &[
    ("iex", r"(?i)\b(?:iex|invoke-expression)\b[^\n]{0,80}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|downloadfile|net\.webclient|curl\s|wget\s|frombase64string)", "download_to_shell"),
    ("invoke-expression", r"(?i)\binvoke-expression\b[^\n]{0,80}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|net\.webclient|frombase64string)", "download_to_shell"),
    ("downloadstring", r"(?i)downloadstring\([^\n]{0,300}\|\s*(?:iex|invoke-expression)\b", "download_to_shell"),
    ("mshta", r"(?i)\bmshta\b[^\n]{0,80}(?:https?|javascript|vbscript):", "download_to_shell"),
    ("regsvr32", r"(?i)\bregsvr32\b[^\n]{0,80}https?:", "download_to_shell"),
    ("rundll32", r"(?i)\brundll32\b[^\n]{0,80}(?:https?|javascript):", "download_to_shell"),
    ("exec(", r"(?i)\bexec\s*\(\s*(?:compile\s*\(\s*)?(?:__import__\s*\(|urllib|requests\.|httpx\.|base64\.|b64decode|zlib\.|codecs\.|bytes\.fromhex|urlopen|marshal\.|open\s*\(\s*['\x22]https?:)", "download_to_shell"),
    ("eval(", r"(?i)\beval\s*\(\s*(?:compile\s*\(\s*)?(?:await\s+\(?\s*(?:await\s+)?fetch|__import__\s*\(|urllib|requests\.|httpx\.|base64[._]|b64decode|zlib\.|codecs\.|bytes\.fromhex|urlopen|marshal\.|fetch\s*\(|atob\s*\(|buffer\.from\s*\(|gzinflate|str_rot13|file_get_contents\s*\(\s*['\x22](?:https?:|php:)|uri\.open|open\s*\(\s*['\x22]https?:|get\s*\(\s*['\x22]https?:|require\s*\(\s*['\x22]https?['\x22]|unescape\s*\(|decodeuricomponent\s*\()", "download_to_shell"),
    ("function(", r"\bnew\s+Function\s*\(\s*(?:atob|await\s|Buffer\.from|fetch|decodeURIComponent|unescape)", "download_to_shell"),
    ("/dev/tcp/", r"(?:[<>]&?|\bexec\b|\b(?:ba|z|k)?sh\b)[^\n]{0,40}/dev/tcp/[\w.$\{\[]", "reverse_shell"),
    ("/dev/udp/", r"(?:[<>]&?|\bexec\b|\b(?:ba|z|k)?sh\b)[^\n]{0,40}/dev/udp/[\w.$\{\[]", "reverse_shell"),
    ("nc ", r"(?i)\b(?:nc|ncat)(?:\.exe)?\s(?:[^\n|]{0,80}?\s)?(?:-[a-z]*[ec]\s*|--(?:exec|sh-exec)[\s=])[\x22']?(?:/\w+)*/?(?:(?:ba|z|k|da)?sh|cmd|powershell)\b", "reverse_shell"),
    ("ncat ", r"(?i)\bncat\s[^\n|]{0,80}?(?:-[a-z]*[ec]\s*|--(?:exec|sh-exec)[\s=])[\x22']?(?:/\w+)*/?(?:(?:ba|z|k|da)?sh|cmd|powershell)\b", "reverse_shell"),
    ("netcat ", r"(?i)\bnetcat\s[^\n|]{0,80}?(?:-[a-z]*[ec]\s*)[\x22']?(?:/\w+)*/?(?:(?:ba|z|k|da)?sh|cmd)\b", "reverse_shell"),
    ("socat ", r"(?i)\bsocat\s[^\n]{0,120}\b(?:exec|system):", "reverse_shell"),
    ("mkfifo ", r"(?i)\bmkfifo\s[^\n]{0,120}\b(?:nc|ncat|netcat|openssl|telnet)\b", "reverse_shell"),
    ("dup2(", r"\bos\.dup2\(\s*(?:s|c|sk|sock|socket|conn|connection|client|sockfd)\.fileno\(\)\s*,\s*[012]\s*\)", "reverse_shell"),
    ("socket", r"(?i)socket[^\n]{0,300}(?:dup2|subprocess\.(?:call|run|popen)\s*\(\s*\[?\s*['\x22]/bin/|exec\s*[({]?\s*['\x22]/bin/\w*sh)", "reverse_shell"),
];

static EXPRESSIONS: [OnceLock<Option<Regex>>; SPELLINGS.len()] = [const { OnceLock::new() }; SPELLINGS.len()];

/// The words without which no spelling can match.
pub(in crate::act) fn spelling_words() -> impl Iterator<Item = &'static str> {
    SPELLINGS.iter().map(|(word, _, _)| *word)
}

/// Looks for the spelling with number `place` in `line`.
pub(in crate::act) fn spelled(place: usize, line: &str, offset: usize, found: &mut Vec<Act>) {
    let Some((_, pattern, kind)) = SPELLINGS.get(place) else { return };
    let Some(expression) = EXPRESSIONS.get(place).and_then(|cell| compiled(cell, pattern)) else { return };
    for hit in expression.find_iter(line.as_bytes()) {
        let span = Span::new(offset + hit.start(), offset + hit.end());
        found.push(Act { family: Family::Injection, kind, span, mention: false });
    }
}

#[cfg(test)]
mod tests {
    use super::{EXPRESSIONS, SPELLINGS};

    #[test]
    fn every_spelling_compiles() {
        for ((_, pattern, _), cell) in SPELLINGS.iter().zip(&EXPRESSIONS) {
            assert!(super::compiled(cell, pattern).is_some(), "{pattern}");
        }
    }
}
