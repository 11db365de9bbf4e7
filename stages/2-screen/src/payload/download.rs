//! Lines that fetch something and run it, or hand a shell to somebody else, in their spellings.

use std::sync::{LazyLock, OnceLock};

use call::Span;
use regex::bytes::{Regex, RegexBuilder};

use crate::keywords::Keywords;

/// Words without which none of the expressions can match, and the expressions.
const SPELLINGS: &[(&[&str], &str)] = &[
    // curl https://… | sudo bash
    (
        &["|"],
        r"(?:\b(?:curl|wget|fetch|lwp-download|lwp-request|aria2c|http|https|GET|nc|ncat|base64|openssl|xxd|gunzip|zcat|echo|printf|cat|iwr|irm|invoke-webrequest|invoke-restmethod)\b)[^\n|]*(?:\|[^\n|]*){0,4}?\|&?\s*(?:(?:sudo|env|exec|nohup|command|busybox|doas|time)\b[^\n|;&]{0,60}?\s)?(?:/[\w/.-]*/)?(?:(?:ba|z|k|da|c|tc|fi|a)?sh|python[0-9.]*|perl|ruby|node|php|lua|iex|invoke-expression|pwsh|powershell|source|eval|xargs\s[^\n|]{0,40}(?:sh|bash))(?:\.exe)?(?:[\s;&)\x22'`\-]|$)",
    ),
    // bash <(curl …), source <(wget …)
    (
        &["<("],
        r"(?:\b(?:(?:ba|z|k|da)?sh|source|python[0-9.]*|perl|ruby|node|eval|exec)|(?:^|\s)\.)\s[^\n]{0,80}?<\(\s*(?:curl|wget|fetch|base64|echo)\b",
    ),
    // sh -c "$(curl …)", eval "$(wget …)", python -c "$(curl …)", eval `curl …`
    (
        &["$(", "`"],
        r"\b(?:(?:ba|z|k|da)?sh|eval|source|exec|python[0-9.]*|perl|ruby|node|php)\s[^\n]{0,60}?(?:\$\(|`)\s*(?:sudo\s+)?(?:curl|wget|fetch|base64|echo\s[^\n|]*\|\s*base64|printf)\b",
    ),
    (&["eval"], r"\beval\s*\(?\s*[\x22']?\$\("),
    // curl -o x … && sh x
    (
        &["curl", "wget", "fetch", "invoke-webrequest", "iwr", "certutil", "bitsadmin"],
        r"\b(?:curl|wget|fetch|invoke-webrequest|iwr|certutil|bitsadmin)\b[^\n|]{1,400}?(?:&&|;|\bthen\b)\s*(?:sudo\s+)?(?:chmod\b[^\n]{0,200}?(?:&&|;)\s*(?:sudo\s+)?)?(?:(?:ba|z|k|da)?sh\s|\./|source\s|\.\s|python[0-9.]*\s|perl\s|ruby\s|node\s|start\s|start-process\b|/tmp/|chmod\s+(?:\+|a\+|u\+|[0-7]*7)[0-9x]*)",
    ),
    // iex (iwr …), powershell -enc …, mshta http…
    (
        &["iex", "invoke-expression"],
        r"\b(?:iex|invoke-expression)\b[^\n]{0,60}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|net\.webclient|curl|wget)",
    ),
    (
        &["-enc", "-e "],
        r"\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,120}?\s-e(?:nc|ncodedcommand|c)?\s+[A-Za-z0-9+/=]{16,}",
    ),
    (&["mshta", "regsvr32", "rundll32"], r"\b(?:mshta|regsvr32|rundll32)\b[^\n]{0,80}https?:"),
    // python -c "import urllib…; exec(…)"
    (
        &["exec(", "eval("],
        r"\b(?:exec|eval)\(\s*(?:__import__|urllib|requests\.get|base64\.|zlib|codecs\.|bytes\.fromhex|urlopen|compile\(|marshal|fetch\(|atob\()",
    ),
    // bash -i >& /dev/tcp/…, nc -e /bin/sh, socat … exec:sh
    (
        &["/dev/tcp/", "/dev/udp/"],
        r"(?:[<>]&?|\bexec\b|\b(?:ba|z|k)?sh\b)[^\n]{0,40}/dev/(?:tcp|udp)/[\w.$\{\[]",
    ),
    (
        &["nc ", "ncat ", "netcat ", "nc.exe "],
        r"\b(?:nc|ncat|netcat)(?:\.exe)?\s[^\n|]{0,80}?(?:-[a-z]*[ec]\s*|--(?:exec|sh-exec)[\s=])[\x22']?(?:/\w+)*/?(?:(?:ba|z|k|da)?sh|cmd|powershell)\b",
    ),
    (&["socat "], r"\bsocat\s[^\n]{0,120}\b(?:exec|system):"),
    (&["mkfifo "], r"\bmkfifo\s[^\n]{0,120}\b(?:nc|ncat|netcat|openssl|telnet)\b"),
    // Execute: rm -rf /
    (
        &["execute:", "run:", "rm -rf /", "rm -fr /"],
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

static KEYWORDS: LazyLock<(Keywords, Vec<usize>)> = LazyLock::new(|| {
    let pairs = SPELLINGS
        .iter()
        .enumerate()
        .flat_map(|(place, (words, _))| words.iter().map(move |word| (*word, place)));
    let (words, places): (Vec<&str>, Vec<usize>) = pairs.unzip();
    (Keywords::new(words), places)
});

static EXPRESSIONS: [OnceLock<Option<Regex>>; SPELLINGS.len()] = [const { OnceLock::new() }; SPELLINGS.len()];

pub(super) fn find(text: &str, found: &mut Vec<(&'static str, Span)>) {
    let (keywords, places) = &*KEYWORDS;
    let mut from = 0;
    for line in Lines(text) {
        let to = from + line.len();
        let mut worth_trying = [false; SPELLINGS.len()];
        keywords.find(line.as_bytes(), |hit| {
            let place = places.get(hit.word).and_then(|&place| worth_trying.get_mut(place));
            place.into_iter().for_each(|place| *place = true);
        });
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

/// Lines as a shell reads them: one that ends with a backslash or an operator goes on.
struct Lines<'t>(&'t str);

impl<'t> Iterator for Lines<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let goes_on = |line: &str| line.trim_end().ends_with(['\\', '|', '&']);
        let mut length = 0;
        for line in self.0.split_inclusive('\n') {
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
