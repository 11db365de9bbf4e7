//! Every place of a program where a secret is read: a variable of the environment, all of it, a file.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use call::Span;
use regex::bytes::Regex;

use super::names_only::is_names_only;
use super::near::near;
use super::renamed;
use super::started::Started;
use super::words::shown;
use crate::act::names::{is_secret, is_secret_file};
use crate::act::{Manner, Setting, Strings, compiled};

/// One secret that is read.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) start: usize,
    pub(super) end: usize,
    // The whole environment, and not one variable.
    pub(super) whole: bool,
    // Only the names in it.
    pub(super) names: bool,
}

/// Every place where a secret is read, in order.
pub(super) fn reads(text: &str, setting: Setting, started: &[Started]) -> Vec<Read> {
    static SPEAKS: OnceLock<Option<Regex>> = OnceLock::new();
    static NAMED: OnceLock<Option<Regex>> = OnceLock::new();
    static WHOLE: OnceLock<Option<Regex>> = OnceLock::new();
    static FILE: OnceLock<Option<Regex>> = OnceLock::new();
    let named = r#"(?i)(?:\b(?:os\.)?environ(?:b)?(?:\.get|\.pop|\.setdefault|\.__getitem__)?\s*[\[(]\s*|\b(?:os\.|System\.)?getenv\s*\(\s*|\bprocess(?:\??\.env|\s*(?:\?\.)?\[\s*["'`]e["'`+\s]*n["'`+\s]*v["'`]\s*\])\s*(?:\?\.)?\[\s*|\bENV\s*\[\s*|\bENV\.(?:fetch|values_at|dig|slice|fetch_values)\s*[\s(]\s*|\bLookupEnv\s*\(\s*|\benv::var(?:_os)?\s*\(\s*|\benv!\s*\(\s*|\benv\.get\s*\(\s*|GetEnvironmentVariable\s*\(\s*|\$_(?:ENV|SERVER)\s*\[\s*|\benv\s*\(\s*)[fbru]?["'`]([A-Za-z0-9_.-]{2,80})["'`]\s*(?:,[^)\n]{0,60})?[\])]?|\b(?:process\??\.env|process\s*(?:\?\.)?\[\s*["'`]e["'`+\s]*n["'`+\s]*v["'`]\s*\]|import\.meta\.env|Bun\.env)\??\.([A-Za-z0-9_]{2,80})|\$(?:::)?env\(([A-Za-z0-9_]{2,80})\)|\$env:([A-Za-z0-9_]{2,80})|\$\{env:([A-Za-z0-9_]{2,80})\}|\bexpand(?:env|vars)?\s*\(\s*[fbr]?["'`][^"'`\n$]{0,60}\$\{?([A-Za-z0-9_]{2,80})"#;
    let whole = r#"(?i)\bos\.environb?\b|\benviron\b|\bprocess\??\.env\b|\bprocess\s*(?:\?\.)?\[\s*["'`]e["'`+\s]*n["'`+\s]*v["'`]\s*\]|\bBun\.env\b|\bprocess\.report\.getReport\s*\(\s*\)|\bparray\s+(?:::)?env\b|\barray\s+get\s+(?:::)?env\b|\bENV\.(?:to_h|to_hash|each|each_pair|inspect|map|to_a|sort)\b|(?-i:%ENV)\b|(?-i:\bENV)\s*(?:[;\n]|$)|\bos\.Environ\(\)|\bgetenv\s*\(\s*\)|\benv::vars(?:_os)?\s*\(|\$_(?:ENV|SERVER)\b|GetEnvironmentVariables\s*\(|\bDeno\.env\.toObject\b|\bphpinfo\s*\(|\b(?:Get-ChildItem|gci|dir|ls)\s+env:|/proc/(?:self|\d+)/environ"#;
    let file = r#"(?i)\b(?:open|read_text|read_bytes|readFileSync|readFile|readTextFile|File\.(?:read|open|readlines)|file_get_contents|show_source|highlight_file|ReadFile|ReadAllText|Path|IO\.read|slurp|Get-Content|dotenv_values|fopen|readlines|read_to_string|File::open)\s*!?[\s(]\s*[fbru]?["'`]([^"'`\n]{2,200})["'`]\)?"#;
    // Each way of both to speak of the environment holds one of these, and most texts hold none.
    let speaks = compiled(&SPEAKS, r#"(?i)env|expand|\$_server|phpinfo|getreport|process\s*(?:\?\.)?\["#);
    let spoken = speaks.map_or_else(|| vec![Span::new(0, text.len())], |words| near(text, words));
    let speaks = !spoken.is_empty();
    let strings_are_text = speaks && only_shows_strings(text, setting);
    let mut found = Vec::new();
    if let Some(named) = compiled(&NAMED, named).filter(|_| speaks) {
        let each = |part: &Span| {
            let from = part.start;
            named.captures_iter(bytes_of(text, *part)).map(move |captures| (from, captures))
        };
        for (from, captures) in spoken.iter().flat_map(each) {
            let name = captures.iter().skip(1).flatten().next();
            if let (Some(all), Some(name)) = (captures.get(0), name)
                && is_secret(shown(&name))
                && !(strings_are_text && is_text_only(text, from + all.start()))
            {
                found.push(Read {
                    start: from + all.start(),
                    end: text.ceil_char_boundary(from + all.end()),
                    whole: false,
                    names: false,
                });
            }
        }
    }
    if let Some(whole) = compiled(&WHOLE, whole).filter(|_| speaks) {
        // Where a program has both, a name could stand for either.
        let own_environment = OWN.iter().any(|own| text.contains(own));
        let serves = !own_environment && SERVES.iter().any(|word| text.contains(word));
        let each = |part: &Span| {
            let from = part.start;
            let hits = whole.find_iter(bytes_of(text, *part));
            hits.map(move |hit| (hit.as_bytes(), Span::new(from + hit.start(), from + hit.end())))
        };
        for (read, hit) in spoken.iter().flat_map(each) {
            // One variable of it, or a change of it.
            let behind = text.get(hit.end..).unwrap_or_default();
            if strings_are_text && is_text_only(text, hit.start) {
                continue;
            }
            let part = behind.starts_with(['[', '?']) && !behind.starts_with("[:]")
                || [".get(", ".pop(", ".setdefault", ".update", ".pop", ".NODE_ENV", ".__setitem", ".putenv"]
                    .iter()
                    .any(|part| behind.starts_with(part))
                || (behind.starts_with('.') && is_part_of_object(read, behind));
            let set = behind.trim_start().starts_with("= ");
            let of_a_request = !own_environment
                && (is_of_a_request(text, hit.start, read)
                    || serves && read == b"environ" && !is_member(text, hit.start));
            if !part && !set && !of_a_request {
                let names = is_names_only(text, hit.start, hit.end);
                let end = text.ceil_char_boundary(hit.end);
                found.push(Read { start: hit.start, end, whole: !names, names });
            }
        }
    }
    if let Some(file) = compiled(&FILE, file) {
        for captures in file.captures_iter(text.as_bytes()) {
            if let (Some(all), Some(path)) = (captures.get(0), captures.get(1))
                && is_secret_file(shown(&path))
                && !opens_for_writing(text, all.end())
            {
                found.push(Read {
                    start: all.start(),
                    end: text.ceil_char_boundary(all.end()),
                    whole: false,
                    names: false,
                });
            }
        }
    }
    let modules = if speaks && text.contains(".env") { names_of_module(text) } else { BTreeSet::new() };
    if speaks && text.contains(".env") {
        found.extend(reads_by_module(text, &modules));
    }
    if speaks {
        found.extend(reads_by_name(text));
        found.extend(renamed::reads(text, &spoken, &modules));
        let taken = started.iter().filter(|started| !started.shows).map(|started| started.span);
        found.extend(taken.map(|span| Read { start: span.start, end: span.end, whole: true, names: false }));
    }
    found.sort_by_key(|read| (read.start, std::cmp::Reverse(read.end)));
    found
}

/// The bytes of a part of a text.
pub(super) fn bytes_of(text: &str, part: Span) -> &[u8] {
    text.as_bytes().get(part.start..part.end).unwrap_or_default()
}

/// How a program speaks of the environment of its process.
const OWN: &[&str] =
    &["os.environ", "import environ", "import os", "from os", "import *", "__import__", "posix"];

/// How a program speaks of requests that a server hands to it, with an `environ` of their own.
const SERVES: &[&str] = &["start_response", "WSGI", "wsgi"];

/// Does a dot stand in front of it?
fn is_member(text: &str, start: usize) -> bool {
    text.get(..start).is_some_and(|before| before.trim_end().ends_with('.'))
}

/// `request.environ`: what a server tells about a request under the same name.
fn is_of_a_request(text: &str, start: usize, read: &[u8]) -> bool {
    const REQUESTS: &[&str] = &["request", "req", "ctx", "context", "self", "builder", "event"];
    let Some(front) = text.get(..start).and_then(|before| before.strip_suffix('.')) else { return false };
    let owner = front.rsplit(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap_or_default();
    read.eq_ignore_ascii_case(b"environ") && REQUESTS.contains(&owner)
}

/// `process.env.HOME`, `getReport().header`: an entry of it.
fn is_part_of_object(read: &[u8], behind: &str) -> bool {
    let object = |start: &[u8]| read.get(..start.len()).is_some_and(|read| read.eq_ignore_ascii_case(start));
    (object(b"process") || object(b"bun.")) && !behind.starts_with(".environmentVariables")
}

/// Names that the module with the environment has in a program, or the process itself.
fn names_of_module(text: &str) -> BTreeSet<String> {
    static NAMED: OnceLock<Option<Regex>> = OnceLock::new();
    let named = r#"\bimport\s+(?:\*\s+as\s+)?(\w{1,60})\s+from\s+["'`](?:node:)?process["'`]|\b(\w{1,60})\s*=\s*(?:await\s+import|require)\s*\(\s*["'`](?:node:)?process["'`]\s*\)|["'`](?:node:)?process["'`]\s*\)\s*\.then\s*\(\s*(?:async\s*)?\(?\s*(\w{1,60})|\b(\w{1,60})\s*=\s*(?:globalThis\.|global\.)?process\s*(?:[;,\n]|$)"#;
    let found = compiled(&NAMED, named).into_iter().flat_map(|named| named.captures_iter(text.as_bytes()));
    let name = |captures: regex::bytes::Captures<'_>| {
        captures.iter().skip(1).flatten().next().map(|name| shown(&name).to_owned())
    };
    found.filter_map(name).collect()
}

/// `import("node:process").then(p => console.log(p.env))`: the environment by another name of its module.
fn reads_by_module(text: &str, names: &BTreeSet<String>) -> Vec<Read> {
    static USED: OnceLock<Option<Regex>> = OnceLock::new();
    let used = r#"\b(\w{1,60})\.env\b|\(\s*["'`](?:node:)?process["'`]\s*\){1,2}\.env\b"#;
    let used = compiled(&USED, used).into_iter().flat_map(|used| used.captures_iter(text.as_bytes()));
    let read = |captures: regex::bytes::Captures<'_>| {
        let all = captures.get(0)?;
        let own =
            captures.get(1).is_none_or(|name| names.contains(shown(&name)) && shown(&name) != "process");
        let part = text.get(all.end()..).is_some_and(|behind| behind.starts_with(['.', '[', '?']));
        (own && !part).then_some(Read { start: all.start(), end: all.end(), whole: true, names: false })
    };
    used.filter_map(read).collect()
}

/// `name = "API_KEY"`, `os.environ[name]`: a secret by a name that a variable holds.
fn reads_by_name(text: &str) -> Vec<Read> {
    static LOOKS: OnceLock<Option<Regex>> = OnceLock::new();
    static HELD: OnceLock<Option<Regex>> = OnceLock::new();
    static EACH: OnceLock<Option<Regex>> = OnceLock::new();
    let looks = r"(?i)(?:\b(?:os\.)?environ(?:\.get)?|\bprocess\.env|\bENV(?:\.fetch)?|\b(?:os\.)?getenv|\bLookupEnv|\benv::var)\s*[\[(]\s*&?([a-z_]\w{0,60})\s*[\]),]";
    let held = r#"\b([A-Za-z_]\w{0,60})\s*(?::\s*&?\w{1,20}\s*)?:?=\s*["']([A-Za-z0-9_]{3,80})["']"#;
    let each = r#"\bfor\s*\(?\s*(?:const\s|let\s|var\s)?\s*([A-Za-z_]\w{0,60})\s+(?:in|of)\s*[\[(]([^\])\n]{1,300})[\])]"#;
    let Some(looks) = compiled(&LOOKS, looks).filter(|looks| looks.is_match(text.as_bytes())) else {
        return Vec::new();
    };
    let mut names: BTreeSet<String> = BTreeSet::new();
    for (cell, pattern) in [(&HELD, held), (&EACH, each)] {
        let found = compiled(cell, pattern).into_iter().flat_map(|held| held.captures_iter(text.as_bytes()));
        for captures in found {
            if let (Some(name), Some(values)) = (captures.get(1), captures.get(2))
                && shown(&values).split(['"', '\'', ',', ' ']).any(is_secret)
            {
                names.insert(shown(&name).to_owned());
            }
        }
    }
    let read = |captures: regex::bytes::Captures<'_>| {
        let (all, name) = (captures.get(0)?, captures.get(1)?);
        let read = Read { start: all.start(), end: all.end(), whole: false, names: false };
        names.contains(shown(&name)).then_some(read)
    };
    looks.captures_iter(text.as_bytes()).filter_map(read).collect()
}

/// Does this program do nothing with strings but show them? Else a string may be what is asked for by name.
fn only_shows_strings(text: &str, setting: Setting) -> bool {
    static BY_NAME: OnceLock<Option<Regex>> = OnceLock::new();
    let by_name = r"\bvars\b|__dict__|__getattribute__|\battrgetter\b|\bgetattr\b|\bglobals\b|\bReflect\b|\bmethodcaller\b|\binspect\b";
    setting.manner == Manner::Line
        && setting.strings == Strings::Mention
        && compiled(&BY_NAME, by_name).is_some_and(|name| !name.is_match(text.as_bytes()))
}

/// A string that only holds the word: `print("os.environ")`.
pub(super) fn is_text_only(text: &str, place: usize) -> bool {
    const FAR: usize = 400;
    let from = text.floor_char_boundary(place.saturating_sub(FAR));
    let before = text.get(from..place).unwrap_or_default();
    let Some(line) = before.rfind('\n').map_or((from == 0).then_some(before), |feed| before.get(feed + 1..))
    else {
        return false;
    };
    let mut open: Option<(usize, u8)> = None;
    for (at, &byte) in line.as_bytes().iter().enumerate() {
        match (open, byte) {
            (None, b'"' | b'\'' | b'`') => open = Some((at, byte)),
            (Some((_, quote)), _) if quote == byte => open = None,
            _ => {}
        }
    }
    let Some((start, quote)) = open else { return false };
    let (front, inside) = line.split_at_checked(start).unwrap_or((line, ""));
    // `"/proc/self/environ"` is a file, `{…}` and `$…` are put in, `process["env"]` asks by name.
    let plain = quote != b'`' && !inside.contains(['{', '$', '/', '%', '\\']);
    let asked = front.trim_end().ends_with(['[', ',']);
    plain && !asked
}

/// Is a variable of the environment asked for by a name that the program makes up? `os.environ[name]`
pub(super) fn looks_up(text: &str) -> bool {
    static LOOKS: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r"(?i)(?:\benviron(?:\.get)?|\bprocess\.env|\bENV(?:\.fetch)?|\bgetenv)\s*[\[(]\s*[a-z_]\w*\s*[\])]|\$ENV\{\s*\$\w+\s*\}";
    compiled(&LOOKS, pattern).is_some_and(|looks| looks.is_match(text.as_bytes()))
}

fn opens_for_writing(text: &str, end: usize) -> bool {
    let behind = text.get(end..text.floor_char_boundary(end.saturating_add(12))).unwrap_or_default();
    let behind = behind.trim_start_matches([',', ' ']);
    ["\"w", "'w", "\"a", "'a"].iter().any(|mode| behind.starts_with(mode))
}
