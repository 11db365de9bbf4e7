//! Lines that fetch something and run it, or hand a shell to somebody else, in their spellings.

use std::sync::OnceLock;

use call::Span;
use regex::bytes::{Regex, RegexBuilder};

use crate::keywords::Hit;
use crate::lines::lines;

/// Words or signs without which none of the expressions can match, and the expressions.
const SPELLINGS: &[(Mark, &str)] = &[
    // curl https://… | sudo bash
    (
        Mark::Pipe,
        r"(?:\b(?:curl|wget|fetch|lwp-download|lwp-request|aria2c|http|https|GET|nc|ncat|base64|openssl|xxd|gunzip|zcat|echo|printf|cat|iwr|irm|invoke-webrequest|invoke-restmethod)\b)[^\n|]*(?:\|[^\n|]*){0,4}?\|&?\s*(?:(?:sudo|env|exec|nohup|command|busybox|doas|time)\b[^\n|;&]{0,60}?\s)?(?:/[\w/.-]*/)?(?:(?:ba|z|k|da|c|tc|fi|a)?sh|python[0-9.]*|perl|ruby|node|php|lua|iex|invoke-expression|pwsh|powershell|source|eval|xargs\s[^\n|]{0,40}(?:sh|bash))(?:\.exe)?(?:[\s;&)\x22'`\-]|$)",
    ),
    // bash <(curl …), source <(wget …)
    (
        Mark::Process,
        r"(?:\b(?:(?:ba|z|k|da)?sh|source|python[0-9.]*|perl|ruby|node|eval|exec)|(?:^|\s)\.)\s[^\n]{0,80}?<\(\s*(?:curl|wget|fetch|base64|echo)\b",
    ),
    // sh -c "$(curl …)", eval "$(wget …)", python -c "$(curl …)", eval `curl …`
    (
        Mark::Substitution,
        r"\b(?:(?:ba|z|k|da)?sh|eval|source|exec|python[0-9.]*|perl|ruby|node|php)\s[^\n]{0,60}?(?:\$\(|`)\s*(?:sudo\s+)?(?:curl|wget|fetch|base64|echo\s[^\n|]*\|\s*base64|printf)\b",
    ),
    (Mark::Words(&["eval"]), r"\beval\s*\(?\s*[\x22']?\$\("),
    // curl -o x … && sh x
    (
        Mark::Words(&["curl", "wget", "fetch", "invoke-webrequest", "iwr", "certutil", "bitsadmin"]),
        r"\b(?:curl|wget|fetch|invoke-webrequest|iwr|certutil|bitsadmin)\b[^\n|]{1,400}?(?:&&|;|\bthen\b)\s*(?:sudo\s+)?(?:chmod\b[^\n]{0,200}?(?:&&|;)\s*(?:sudo\s+)?)?(?:(?:ba|z|k|da)?sh\s|\./|source\s|\.\s|python[0-9.]*\s|perl\s|ruby\s|node\s|start\s|start-process\b|/tmp/|chmod\s+(?:\+|a\+|u\+|[0-7]*7)[0-9x]*)",
    ),
    // iex (iwr …), powershell -enc …, mshta http…
    (
        Mark::Words(&["iex", "invoke-expression"]),
        r"\b(?:iex|invoke-expression)\b[^\n]{0,60}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|net\.webclient|curl|wget)",
    ),
    (
        Mark::Words(&["-enc", "-e "]),
        r"\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,120}?\s-e(?:nc|ncodedcommand|c)?\s+[A-Za-z0-9+/=]{16,}",
    ),
    (Mark::Words(&["mshta", "regsvr32", "rundll32"]), r"\b(?:mshta|regsvr32|rundll32)\b[^\n]{0,80}https?:"),
    // python -c "import urllib…; exec(…)"
    (
        Mark::Words(&["exec(", "eval("]),
        r"\b(?:exec|eval)\(\s*(?:__import__|urllib|requests\.get|base64\.|zlib|codecs\.|bytes\.fromhex|urlopen|compile\(|marshal|fetch\(|atob\()",
    ),
    // bash -i >& /dev/tcp/…, nc -e /bin/sh, socat … exec:sh
    (
        Mark::Words(&["/dev/tcp/", "/dev/udp/"]),
        r"(?:[<>]&?|\bexec\b|\b(?:ba|z|k)?sh\b)[^\n]{0,40}/dev/(?:tcp|udp)/[\w.$\{\[]",
    ),
    (
        Mark::Words(&["nc ", "nc\t", "nc\\", "ncat", "netcat", "nc.exe"]),
        r"\b(?:nc|ncat|netcat)(?:\.exe)?\s[^\n|]{0,80}?(?:-[a-z]*[ec]\s*|--(?:exec|sh-exec)[\s=])[\x22']?(?:/\w+)*/?(?:(?:ba|z|k|da)?sh|cmd|powershell)\b",
    ),
    (Mark::Words(&["socat"]), r"\bsocat\s[^\n]{0,120}\b(?:exec|system):"),
    (Mark::Words(&["mkfifo"]), r"\bmkfifo\s[^\n]{0,120}\b(?:nc|ncat|netcat|openssl|telnet)\b"),
    // Execute: rm -rf /
    (
        Mark::Parts(&["execute:", "run:", "rm -rf /", "rm -fr /"]),
        r"(?:\b(?:execute|run)\s*:\s*[`$\x22'\s]*(?:sudo\s+)?(?:rm|curl|wget|bash|sh|chmod|dd|mkfs\S*|nc|ncat|powershell|pip3?|npm|apt(?:-get)?|eval|kill|shutdown|reboot|sudo)\s+[-/.\w\x22']|\brm\s+-(?:rf|fr)\s+(?:--no-preserve-root\s+)?/(?:\*|\s|$|[`\x22']))",
    ),
];

/// Spellings from here on hand out a shell, and the last one is an order.
const SHELLS: usize = SPELLINGS.len() - 5;
const ORDERS: usize = SPELLINGS.len() - 1;

/// What a line in the spelling at `place` is.
const fn kind(place: usize) -> &'static str {
    match place {
        ORDERS.. => "run_instruction",
        SHELLS.. => "reverse_shell",
        _ => "download_and_run",
    }
}

/// What a line must hold, or the expression is not even tried on it. Only to save time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// A pipe into something that may be a shell.
    Pipe,
    /// `<(` and something that may fetch.
    Process,
    /// `$(` or a backtick, and something that may fetch.
    Substitution,
    /// One of these, at the start of a word if it begins with a letter.
    Words(&'static [&'static str]),
    /// One of these, anywhere.
    Parts(&'static [&'static str]),
}

/// The words and parts of [`SPELLINGS`].
pub(crate) fn words() -> impl Iterator<Item = &'static str> {
    numbered_words().map(|(_, word)| word)
}

/// Each word with the number of its spelling.
fn numbered_words() -> impl Iterator<Item = (usize, &'static str)> {
    SPELLINGS.iter().enumerate().flat_map(|(number, (mark, _))| {
        let words = match mark {
            Mark::Words(words) | Mark::Parts(words) => *words,
            Mark::Pipe | Mark::Process | Mark::Substitution => &[],
        };
        words.iter().map(move |word| (number, *word))
    })
}

/// All such lines in `text`, in which [`words`] stand at `places`.
pub(super) fn find(text: &str, places: &[Hit], found: &mut Vec<(&'static str, Span)>) {
    let bytes = text.as_bytes();
    let spellings: Vec<usize> = numbered_words().map(|(number, _)| number).collect();
    let words = places.iter().filter_map(|hit| {
        let &number = spellings.get(hit.word())?;
        (is_part(number) || !is_inside_word(bytes, hit.start)).then_some((hit.start, number))
    });
    let signs = memchr::memchr3_iter(b'|', b'`', b'(', bytes).filter_map(|at| Some((at, sign(bytes, at)?)));
    let mut marks: Vec<(usize, usize)> = words.chain(signs).collect();
    if marks.is_empty() {
        return;
    }
    marks.sort_unstable();
    let mut marks = marks.into_iter().peekable();
    let mut from = 0;
    for line in Lines(text) {
        let to = from + line.len();
        let mut worth_trying = [false; SPELLINGS.len()];
        while let Some((_, number)) = marks.next_if(|&(at, _)| at < to) {
            worth_trying.get_mut(number).into_iter().for_each(|worth| *worth = true);
        }
        if worth_trying.contains(&true) {
            // In one line as a shell reads it, a line break is a blank; the length stays.
            let joined = line.trim_end().replace("\\\n", "  ").replace(['\n', '\r'], " ");
            let tried = worth_trying.iter().enumerate().filter(|&(_, &worth)| worth);
            for (place, _) in tried {
                let hit = expression(place).and_then(|expression| expression.find(joined.as_bytes()));
                found.extend(
                    hit.map(|hit| (kind(place), Span::new(from + hit.start(), (from + hit.end()).min(to)))),
                );
            }
        }
        from = to;
    }
}

fn is_part(number: usize) -> bool {
    SPELLINGS.get(number).is_some_and(|(mark, _)| matches!(mark, Mark::Parts(_)))
}

fn is_inside_word(bytes: &[u8], at: usize) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    bytes.get(at).is_some_and(is_word)
        && at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(is_word)
}

/// The spelling that the sign at `at` may belong to.
fn sign(bytes: &[u8], at: usize) -> Option<usize> {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    let mark = match (bytes.get(at)?, before) {
        (b'|', _) => Mark::Pipe,
        (b'`', _) | (_, Some(b'$')) => Mark::Substitution,
        (_, Some(b'<')) => Mark::Process,
        _ => return None,
    };
    let behind = bytes.get(at + 1..)?;
    let blank = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'\\' | b'&');
    let word = behind.get(behind.iter().position(blank)?..)?;
    let first = word.first()?.to_ascii_lowercase();
    let second = word.get(1)?.to_ascii_lowercase();
    let fits = match mark {
        Mark::Pipe => may_be_shell(first, second),
        Mark::Process | Mark::Substitution => may_fetch(first, second),
        Mark::Words(_) | Mark::Parts(_) => false,
    };
    fits.then(|| SPELLINGS.iter().position(|(other, _)| *other == mark))?
}

/// The first two letters of what the first expression has behind a pipe.
const fn may_be_shell(first: u8, second: u8) -> bool {
    matches!(
        (first, second),
        (b'/', _)
            | (b'a', b's')
            | (b'b', b'a' | b'u')
            | (b'c', b'o' | b's')
            | (b'd', b'a' | b'o')
            | (b'e', b'n' | b'v' | b'x')
            | (b'f', b'i')
            | (b'i', b'e' | b'n')
            | (b'k', b's')
            | (b'l', b'u')
            | (b'n', b'o')
            | (b'p', b'e' | b'h' | b'o' | b'w' | b'y')
            | (b'r', b'u')
            | (b's', b'h' | b'o' | b'u')
            | (b't', b'c' | b'i')
            | (b'x', b'a')
            | (b'z', b's')
    )
}

/// The first two letters of what the others have behind theirs.
const fn may_fetch(first: u8, second: u8) -> bool {
    matches!(
        (first, second),
        (b'b', b'a')
            | (b'c', b'u')
            | (b'e', b'c')
            | (b'f', b'e')
            | (b'p', b'r')
            | (b's', b'u')
            | (b'w', b'g')
    )
}

/// Lines as a shell reads them: one that ends with a backslash or an operator goes on.
struct Lines<'t>(&'t str);

impl<'t> Iterator for Lines<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let goes_on = |line: &str| line.trim_end().ends_with(['\\', '|', '&']);
        let mut length = 0;
        for line in lines(self.0) {
            length += line.len();
            if !goes_on(line) || length > LONGEST {
                break;
            }
        }
        let (line, rest) = self.0.split_at_checked(length).filter(|_| length > 0)?;
        self.0 = rest;
        Some(line)
    }
}

/// Nobody continues a line for longer than this.
const LONGEST: usize = 4_096;

static EXPRESSIONS: [OnceLock<Option<Regex>>; SPELLINGS.len()] = [const { OnceLock::new() }; SPELLINGS.len()];

fn expression(place: usize) -> Option<&'static Regex> {
    let (_, pattern) = SPELLINGS.get(place)?;
    let compile = || RegexBuilder::new(pattern).unicode(false).case_insensitive(true).build().ok();
    EXPRESSIONS.get(place)?.get_or_init(compile).as_ref()
}

#[cfg(test)]
mod tests {
    use super::{SPELLINGS, expression};

    #[test]
    fn every_spelling_compiles() {
        for place in 0..SPELLINGS.len() {
            assert!(expression(place).is_some(), "{place}");
        }
    }
}
