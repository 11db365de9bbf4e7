//! Calls that print or send, and whether a secret is among what they are given.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use regex::bytes::Regex;

use super::chained;
use super::handed::{is_own_place, starts_sender};
use super::proper::{is_credential_place, is_question};
use super::reads::Read;
use super::searched::VALUES;
use super::words::{hands_on, is_keyword_name, is_quoted_word, is_whole_use, shown, words};
use crate::act::compiled;
use crate::act::names::is_secret;

/// How far a call reaches at most.
const LONGEST: usize = 1_000;

/// A call that prints or sends, with its arguments.
pub(super) struct Sink {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) arguments: usize,
    pub(super) sends: bool,
}

pub(super) fn sinks(text: &str) -> Vec<Sink> {
    static SINKS: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"(?i)(?P<print>\bprint(?:ln|f)?\b|\bpprint\b|\bconsole\.\w+|\bputs\b|\bfmt\.(?:Print|Fprint|Sprint|Error)\w*|\blog(?:ger|ging)?\.\w+|\becho\b|\bvar_dump\b|\bprint_r\b|\bvar_export\b|\b(?:e?print(?:ln)?|dbg|panic|info|warn|error|debug|trace)!|\bSystem\.(?:out|err)\.print\w*|\bWrite-(?:Host|Output|Error|Verbose)\b|\b(?:stdout|stderr)\.write\b|\bos\.write\b|\bdocument\.write\b|\bIO\.puts\b|\bConsole\.Write\w*|\balert\b|\bphpinfo\b|\bparray\b|\bdie\b|\braise\b|\bthrow\b|\bsys\.exit\b|\bp\s+ENV\b|(?-i:\breadfile\b)|\bfpassthru\b|(?-i:\bshow_source\b|\bhighlight_file\b)|\bpp\b|\b(?:Get-ChildItem|gci|dir|ls)\s+env:)|(?P<dump>\b(?:json|pickle|yaml|toml|marshal|tomli_w|ujson|orjson)\.(?:safe_)?dump(?:_all)?\b|\bcsv\.(?:writer|DictWriter)\b)|(?P<states>\bassert\b)|(?P<starts>\bos\.(?:system|popen)\b|\bsubprocess\.\w+|\b(?:exec|execFile|spawn)(?:Sync)?\b|\b(?:system|popen|Popen|check_output|check_call|getoutput|shell_exec|passthru)\b)|(?P<send>\b(?:require|import)\s*\(\s*["'`](?:node:)?(?:https?|http2|dns|dgram|net|tls)(?:/promises)?["'`]\s*\)\)?\.\w+|\bnet\.(?:connect|createConnection)\b|\b(?:tls|http2)\.connect\b|\baiohttp\.\w+|\bftplib\.\w+|\brequests\.\w+|\bhttpx\.\w+|\burlopen\b|\burllib\.request\.\w+|\burllib3?\.\w+|\bfetch\b|\baxios(?:\.\w+)?|\bhttps?\.(?:request|post\w*|get|put|NewRequest)\b|\bgot(?:\.\w+)?\b|\bsendBeacon\b|\.src\s*=|\blocation(?:\.href)?\s*=|\bwindow\.open\b|\.send(?:all|to|_message|mail|Message|_text)?\b|\bURI\.(?:open|read)\b|\bOpenURI\.\w+|\bNet::HTTP\.\w+|\bHTTParty\.\w+|\bFaraday\.\w+|\bRestClient\.\w+|\bcurl_setopt\w*|\bInvoke-(?:WebRequest|RestMethod)\b|\biwr\b|\birm\b|\b(?:session|client|conn|connection|http|s|self\.session|aiohttp\w*|reqwest\w*|ureq)\s*(?:\.|::)\s*(?:post|put|patch|request|get)\b|\b\w+\.request\b|\bgethostbyname\b|\bgetaddrinfo\b|\bdns\.\w+|\bput_object\b|\bupload_file(?:obj)?\b|\bWebSocket\b|\bXMLHttpRequest\b)"#;
    let mut found = Vec::new();
    let Some(expression) = compiled(&SINKS, pattern) else { return found };
    for captures in expression.captures_iter(text.as_bytes()) {
        let Some(all) = captures.get(0) else { continue };
        // "got" is a word of many messages; the library is called.
        let called =
            || text.as_bytes().get(all.end()..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"("));
        if all.as_bytes().eq_ignore_ascii_case(b"got") && !called() {
            continue;
        }
        let end = arguments_end(text, all.end());
        let sends = captures.name("send").is_some() || captures.name("starts").is_some();
        let sink = Sink { start: all.start(), end, arguments: all.end(), sends };
        let given = text.get(sink.arguments..sink.end).unwrap_or_default();
        let counts = if captures.name("dump").is_some() {
            given.contains("stdout") || given.contains("stderr")
        } else if captures.name("starts").is_some() {
            called() && starts_sender(given)
        } else {
            true
        };
        if !counts {
            continue;
        }
        if captures.name("states").is_some() {
            found.extend(message(text, &sink));
            continue;
        }
        let behind = chained::behind(text, &sink);
        found.push(sink);
        found.extend(behind);
    }
    let by_name = chained::by_name(text, &found);
    found.extend(by_name);
    found.sort_by_key(|sink| (sink.start, sink.arguments));
    found
}

/// What `assert` says when it fails: what stands behind the last comma that is in no brackets.
fn message(text: &str, stated: &Sink) -> Option<Sink> {
    let given = text.get(stated.arguments..stated.end).filter(|given| given.starts_with([' ', '\t']))?;
    let given = given.split('\n').next().unwrap_or(given);
    let (mut depth, mut open, mut comma) = (0_usize, None, None);
    for (place, &byte) in given.as_bytes().iter().enumerate() {
        match (open, byte) {
            (None, b'"' | b'\'' | b'`') => open = Some(byte),
            (Some(quote), _) if quote == byte => open = None,
            (Some(_), _) => {}
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            (None, b',') if depth == 0 => comma = Some(place),
            (None, _) => {}
        }
    }
    let arguments = stated.arguments + comma? + 1;
    Some(Sink { start: arguments, end: stated.arguments + given.len(), arguments, sends: false })
}

/// Where the arguments end that begin at `from`: at the bracket that closes them, or with the line.
pub(in crate::act) fn arguments_end(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    let bracket = rest.iter().take(3).find(|&&byte| byte != b' ') == Some(&b'(');
    let mut depth = 0_usize;
    for (place, &byte) in rest.iter().enumerate().take(LONGEST) {
        match byte {
            b'(' if bracket => depth += 1,
            b')' if bracket => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return from + place + 1;
                }
            }
            b'\n' if !bracket => return from + place,
            _ => {}
        }
    }
    text.ceil_char_boundary(from + rest.len().min(LONGEST))
}

pub(super) fn judge(
    text: &str,
    sink: &Sink,
    reads: &[Read],
    held: &BTreeSet<String>,
    whole: &BTreeSet<String>,
    each: &BTreeSet<String>,
) -> Option<&'static str> {
    let kind = if sink.sends { "secret_sent" } else { "secret_printed" };
    let arguments = text.get(sink.arguments..sink.end)?;
    let starts = sink.sends && starts_sender(arguments);
    // The call itself is one that shows everything: `phpinfo()`, `dir env:`.
    let first = reads.partition_point(|read| read.start < sink.start);
    for read in reads.get(first..).unwrap_or_default().iter().take_while(|read| read.start < sink.end).take(8)
    {
        let from = read.start.max(sink.arguments) - sink.arguments;
        let to = (read.end.min(sink.end).max(sink.arguments) - sink.arguments).max(from);
        if read.names
            || is_question(arguments, from, to)
            || (read.whole && hands_on(arguments, from))
            || (sink.sends && !read.whole && is_credential_place(arguments, from))
            || (starts && is_own_place(arguments, from))
        {
            continue;
        }
        return Some(kind);
    }
    for (place, word) in words(arguments) {
        let entry = || is_entry_by(arguments, place + word.len(), each);
        let secret =
            held.contains(word) || (whole.contains(word) && (is_whole_use(arguments, place) || entry()));
        if !secret {
            continue;
        }
        // A word of a sentence in quotes is no variable, unless it is put in.
        let asked = is_question(arguments, place, place + word.len());
        let proper = sink.sends
            && (held.contains(word) && is_credential_place(arguments, place)
                || starts && is_own_place(arguments, place));
        let named = is_keyword_name(arguments, place + word.len()) || is_quoted_word(arguments, place);
        if !asked && !proper && !named {
            return Some(kind);
        }
    }
    (sink.sends && posts_secret(arguments)).then_some("secret_sent")
}

/// `held[name]`, where every name is gone through.
fn is_entry_by(arguments: &str, end: usize, each: &BTreeSet<String>) -> bool {
    let behind = arguments.get(end..).unwrap_or_default();
    let name = behind.strip_prefix('[').or_else(|| behind.strip_prefix(".get("));
    name.and_then(|name| words(name).next()).is_some_and(|(place, name)| place == 0 && each.contains(name))
}

/// `data={"key": secret}`: a secret under a name that is none of its own.
fn posts_secret(arguments: &str) -> bool {
    static PAIRS: OnceLock<Option<Regex>> = OnceLock::new();
    let pairs = compiled(&PAIRS, r#"["']?(\w{1,40})["']?\s*[:=]\s*\$?([A-Za-z_][\w.]{0,60})\s*[,})\]]"#);
    let Some(pairs) = pairs else { return false };
    pairs.captures_iter(arguments.as_bytes()).any(|captures| {
        let (Some(key), Some(value)) = (captures.get(1), captures.get(2)) else { return false };
        let name = shown(&value).rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let secret = VALUES.iter().any(|ending| name.ends_with(ending));
        let key_name = shown(&key).to_ascii_lowercase();
        let related = is_secret(&key_name)
            || ["pass", "auth", "secret", "token", "headers", "apikey", "api_key", "credential"]
                .iter()
                .any(|part| key_name.contains(part));
        secret && !related && !is_credential_place(arguments, value.start())
    })
}
