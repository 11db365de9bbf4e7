//! Which variable a line puts a secret into.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use regex::bytes::Regex;

use super::proper::is_question;
use super::reads::Read;
use super::words::{is_whole_use, mentions, shown};
use crate::act::compiled;
use crate::act::names::is_secret;

/// Remembers the variable that this line puts a secret into.
pub(super) fn assign(
    line: &str,
    start: usize,
    reads: &[Read],
    held: &mut BTreeSet<String>,
    whole: &mut BTreeSet<String>,
) {
    static LOOP: OnceLock<Option<Regex>> = OnceLock::new();
    if let Some(read) = reads.first().filter(|read| read.whole)
        && let Some(names) =
            compiled(&LOOP, r"\bfor\s*\(?\s*(?:const|let|var)?\s*[\[(]?\s*\$?(\w+)(?:\s*,\s*\$?(\w+))?")
                .and_then(|names| names.captures(line.as_bytes()))
        && names.get(0).is_some_and(|all| start + all.start() < read.start)
    {
        held.extend(names.iter().skip(1).flatten().map(|name| shown(&name).to_owned()));
    }
    held.extend(gone_through(line, whole));
    held.extend(taken_apart(line));
    whole.extend(brought_in(line));
    assign_first(line, start, reads, held, whole);
    // Last, so that the first name of a line does not hold what only another one on it does.
    held.extend(
        reads.iter().filter(|read| !read.whole && !read.names).filter_map(|read| held_by(line, start, read)),
    );
}

/// The values of `for k, v in held.items():`, where `held` is the whole environment.
fn gone_through(line: &str, whole: &BTreeSet<String>) -> Option<String> {
    static EACH: OnceLock<Option<Regex>> = OnceLock::new();
    if whole.is_empty() {
        return None;
    }
    let each = r"\bfor\s*\(?\s*(?:const\s|let\s|var\s)?\s*[\[(]?\s*(?:\w+\s*,\s*)?(\w+)\s*[\])]?\s+(?:in|of)\s+(?:[\w.]{1,20}\(\s*)?(?:(\w+)\.(?:items|values)\(\)|Object\.(?:entries|values)\(\s*(\w+))";
    let each = compiled(&EACH, each)?.captures(line.as_bytes())?;
    let of = each.get(2).or(each.get(3)).filter(|of| whole.contains(shown(of)))?;
    each.get(1).filter(|_| !of.is_empty()).map(|value| shown(&value).to_owned())
}

/// The name of each variable of `for k in held:`, where `held` is the whole environment, or where it is read.
pub(super) fn each_name(line: &str, reads: &[Read], whole: &BTreeSet<String>) -> Option<String> {
    static EACH: OnceLock<Option<Regex>> = OnceLock::new();
    let known = !whole.is_empty() || reads.iter().any(|read| read.whole || read.names);
    let each = r"\bfor\s*\(?\s*(?:const\s|let\s|var\s)?\s*(\w+)(?:\s*,\s*\w+)?\s+(?:in|of)\s+([^:\n]{1,80})";
    let each = compiled(&EACH, each).filter(|_| known)?.captures(line.as_bytes())?;
    let (name, of) = (each.get(1)?, each.get(2)?);
    let read = reads.iter().any(|read| read.whole || read.names);
    (read || mentions(shown(&of), whole).is_some()).then(|| shown(&name).to_owned())
}

/// Remembers what the first name of a line is given.
fn assign_first(
    line: &str,
    start: usize,
    reads: &[Read],
    held: &mut BTreeSet<String>,
    whole: &mut BTreeSet<String>,
) {
    let Some((name, value_at)) = assignment(line) else { return };
    let value = line.get(value_at..).unwrap_or_default();
    for read in reads {
        let Some(front) = line.get(value_at..read.start.saturating_sub(start).max(value_at)) else {
            continue;
        };
        if !read.names && carries(front) && !is_question(line, read.start - start, read.end - start) {
            if read.whole {
                whole.insert(name.to_owned())
            } else {
                held.insert(name.to_owned())
            };
        }
    }
    let holder = matches!(
        &*name.to_ascii_lowercase(),
        "headers" | "header" | "auth" | "client" | "session" | "conn" | "config" | "opts" | "options"
    );
    let (first, constructs) = first_call(value);
    if !holder && !constructs && !is_measure(first) && mentions(value, held).is_some() {
        held.insert(name.to_owned());
    }
    if !holder && !constructs && mentions(value, whole).is_some_and(|place| is_whole_use(value, place)) {
        whole.insert(name.to_owned());
    }
}

/// The name that the whole environment has from here on: `from os import environ as e`, `const { env } = process`.
fn brought_in(line: &str) -> Option<String> {
    static BROUGHT: OnceLock<Option<Regex>> = OnceLock::new();
    if !line.contains("env") {
        return None;
    }
    let pattern = r#"\bfrom\s+os\s+import\s[^\n]*?\benvironb?\s+as\s+(\w+)|\{[^{}\n]{0,200}?\benv\b(?:\s*:\s*(\w+)|\s+as\s+(\w+))?[^{}\n]{0,200}\}\s*(?:=\s*(?:globalThis\.)?process\s*(?:[;\n]|$)|=\s*(?:await\s+)?(?:require|import)\s*\(\s*["'`](?:node:)?process["'`]\s*\)|from\s+["'`](?:node:)?process["'`])"#;
    let brought = compiled(&BROUGHT, pattern)?.captures(line.as_bytes())?;
    let name = brought.iter().skip(1).flatten().next();
    Some(name.map_or_else(|| "env".to_owned(), |name| shown(&name).to_owned()))
}

/// The secrets of `const { API_KEY, DB_PASSWORD: password } = process.env`.
fn taken_apart(line: &str) -> Vec<String> {
    static TAKEN: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r"\{\s*(?:env\s*:\s*\{\s*)?([^{}\n]{1,300})\}(?:\s*\}\s*=\s*(?:globalThis\.)?process\b|\s*=\s*(?:process\.env|import\.meta\.env|Bun\.env|Deno\.env\.toObject\(\)))";
    if memchr::memchr(b'{', line.as_bytes()).is_none() {
        return Vec::new();
    }
    let taken = compiled(&TAKEN, pattern).and_then(|taken| taken.captures(line.as_bytes()));
    let names = taken
        .and_then(|taken| taken.get(1))
        .map(|names| String::from_utf8_lossy(names.as_bytes()).into_owned());
    let held = |part: &str| {
        let part = part.split('=').next().unwrap_or(part);
        let (name, held) = part.split_once(':').unwrap_or((part, part));
        is_secret(name.trim()).then(|| held.trim().to_owned())
    };
    names.iter().flat_map(|names| names.split(',')).filter_map(held).collect()
}

/// The first of the names right in front of a secret that is read: `v, _ := os.LookupEnv("API_KEY")`, also behind
/// something else on its line.
fn held_by(line: &str, start: usize, read: &Read) -> Option<String> {
    static NAMES: OnceLock<Option<Regex>> = OnceLock::new();
    const FAR: usize = 160;
    let end = read.start.checked_sub(start)?;
    let front = line.get(line.floor_char_boundary(end.saturating_sub(FAR))..end)?;
    let names =
        r"(?:^|[;{]|\bconst\s|\blet\s|\bvar\s)\s*(\w{1,60})(?:\s*,\s*\w{1,60}){0,2}\s*:?=\s*(?:\w{1,20}\.)?$";
    let names = compiled(&NAMES, names)?.captures(front.as_bytes())?;
    let asked = is_question(line, end, read.end.saturating_sub(start));
    names.get(1).map(|name| shown(&name).to_owned()).filter(|name| !asked && name != "_")
}

/// `name = …`, and where the value begins.
pub(in crate::act) fn assignment(line: &str) -> Option<(&str, usize)> {
    let equals = line.find('=')?;
    let behind = line.as_bytes().get(equals + 1);
    let before = line.get(..equals)?;
    if matches!(behind, Some(b'=' | b'>' | b'~'))
        || before.ends_with(['!', '<', '>', '=', '+'])
        || before.contains(['(', '{', '"'])
    {
        return None;
    }
    let before = before.trim_end_matches([':', ' ', '\t']).split(':').next()?.trim_end();
    let name = before.rsplit([' ', '\t', '$', '.']).next()?;
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    plain.then_some((name, equals + 1))
}

/// Only words that hand a value on unchanged stand in front of it.
fn carries(front: &str) -> bool {
    static FRONT: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"^[\s"'`f${(\[\w]{0,2}(?:(?:str|dict|list|repr|bytes|tuple|base64\.\w+|json\.dumps|JSON\.stringify|Buffer\.from|btoa|await|os\.|encode|b64encode|\w*quote\w*|Object\.\w+|sorted|const|open|with|f|b|\.\.\.|\*\*|System\.|std::|new|String|process\.|fs\.\w*|getattr\s*\(\s*\w+\s*,|vars\s*\(\s*\w+\s*\)|__dict__)\s*[\(\[\{"'`]*\s*)*$"#;
    compiled(&FRONT, pattern).is_some_and(|expression| expression.is_match(front.as_bytes()))
}

/// The name of the call that a value begins with, and whether it makes a new thing of it.
fn first_call(value: &str) -> (&str, bool) {
    let value = value.trim_start();
    let length = value
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':'))
        .count();
    let name = value.get(..length).unwrap_or_default();
    let call = value.as_bytes().get(length) == Some(&b'(');
    let last = name.rsplit(['.', ':']).next().unwrap_or_default();
    let constructs = call
        && (last.starts_with(|first: char| first.is_ascii_uppercase())
            || last.contains("client")
            || last.contains("connect")
            || last.contains("login")
            || last.contains("hash")
            || last.contains("sha"));
    (last, (constructs && name != "String" && name != "Buffer") || value.starts_with("new "))
}

fn is_measure(name: &str) -> bool {
    matches!(
        name,
        "len"
            | "bool"
            | "type"
            | "isinstance"
            | "hash"
            | "sha256"
            | "mask"
            | "redact"
            | "hexdigest"
            | "requests"
            | "get"
            | "post"
    )
}
