//! What a program calls on something that prints or sends: `http.request(…).end(…)`, `w = csv.writer(sys.stdout)`
//! and `w.writerows(…)` below it, `say = print` and `say(…)`.
//!
//! First the calls that stand right behind another, then the names that a program gives to such things and every
//! place where one of them is called. Nothing here says whether a secret is among the arguments.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::bytes::Regex;

use super::sinks::{Sink, arguments_end};
use super::words::{shown, words};
use crate::act::compiled;

/// How many calls may stand behind one another.
const LONGEST_CHAIN: usize = 8;

/// The calls right behind `sink` that write into what it opened.
pub(super) fn behind(text: &str, sink: &Sink) -> Vec<Sink> {
    let mut found = Vec::new();
    let mut at = sink.end;
    for _ in 0..LONGEST_CHAIN {
        let Some((name, arguments)) = method(text, at) else { break };
        let end = arguments_end(text, arguments);
        if writes(name) {
            found.push(Sink { start: at, end, arguments, sends: sink.sends });
        }
        at = end;
    }
    found
}

/// `.name` at this place, and where its arguments begin.
fn method(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at..)?;
    let name = rest.trim_start().trim_start_matches(['?', ')']).trim_start().strip_prefix('.')?;
    let length = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let arguments = at + (rest.len() - name.len()) + length;
    text.get(arguments..)?.starts_with('(').then_some((name.get(..length)?, arguments))
}

fn writes(name: &str) -> bool {
    #[rustfmt::skip]
    const WRITES: &[&str] = &[
        "write", "end", "send", "sendall", "sendto", "writelines", "writerow", "writerows", "writeln", "print", "post", "put",
        "patch", "get", "request", "urlopen", "publish", "emit", "storbinary", "storlines", "sendcmd", "resolve", "lookup",
    ];
    WRITES.contains(&name)
}

/// What a name stands for.
#[derive(Clone, Copy)]
struct Named {
    sends: bool,
    // It is called itself, and not a method of it.
    called: bool,
}

/// Calls by the names that the program gives to what prints or sends. `sinks` are those that were found without.
pub(super) fn by_name(text: &str, sinks: &[Sink]) -> Vec<Sink> {
    let mut names = given_names(text);
    for sink in sinks {
        names.extend(opened(text, sink).map(|name| (name, Named { sends: sink.sends, called: false })));
    }
    if names.is_empty() {
        return Vec::new();
    }
    let call = |(start, word): (usize, &str)| {
        let named = names.get(word)?;
        let behind = start + word.len();
        let arguments = if named.called {
            text.get(behind..)?.starts_with('(').then_some(behind)?
        } else {
            method(text, behind).filter(|(name, _)| writes(name))?.1
        };
        // `def say(` and `logger.say(` are others.
        let before = text.get(..start)?.trim_end_matches(' ');
        let other = before.ends_with('.') || before.ends_with("def") || before.ends_with("function");
        let end = arguments_end(text, arguments);
        (!other).then_some(Sink { start, end, arguments, sends: named.sends })
    };
    words(text).filter_map(call).collect()
}

/// The name that what this call opens is put into: `const socket = net.connect(…)`.
fn opened(text: &str, sink: &Sink) -> Option<String> {
    const FAR: usize = 80;
    let opens = text.get(sink.start..sink.arguments)?;
    let opener = [
        "connect",
        "Connection",
        "request",
        "writer",
        "Writer",
        "PoolManager",
        "Session",
        "FTP",
        "stdout",
        "stderr",
    ];
    if !opener.iter().any(|part| opens.contains(part)) {
        return None;
    }
    let before = text.get(text.floor_char_boundary(sink.start.saturating_sub(FAR))..sink.start)?;
    let before = before.trim_end().trim_end_matches("new").trim_end().trim_end_matches("await").trim_end();
    let before = before.strip_suffix('=')?.trim_end();
    let length =
        before.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    before.get(before.len() - length..).filter(|name| !name.is_empty()).map(str::to_owned)
}

/// `say = print`, `const {log} = console`, `const h = require('https')`.
fn given_names(text: &str) -> BTreeMap<String, Named> {
    static NAMED: OnceLock<Option<Regex>> = OnceLock::new();
    let named = r#"\b(?P<says>\w{1,60})\s*=\s*(?:builtins\.)?(?:print|pprint|console\.(?:log|error|info|warn|debug)|(?:process\.|sys\.)?(?:stdout|stderr)\.write(?:\.bind\([\w.]{1,40}\))?)\s*(?:[;,\n#]|//|$)|\{\s*(?:log|error|info|warn|debug)(?:\s*:\s*(?P<taken>\w{1,60}))?\s*\}\s*=\s*console\b|\b(?P<out>\w{1,60})\s*=\s*(?:process\.|sys\.)(?:stdout|stderr)(?:\.buffer)?\s*(?:[;,\n#]|//|$)|\b(?P<required>\w{1,60})\s*=\s*(?:require|await\s+import)\s*\(\s*["'`](?:node:)?(?:https?|http2|dns|dgram|net|tls)(?:/promises)?["'`]\s*\)|\bimport\s+(?:\*\s+as\s+)?(?P<imported>\w{1,60})\s+from\s+["'`](?:node:)?(?:https?|http2|dns|dgram|net|tls)(?:/promises)?["'`]|\{\s*(?P<functions>[\w\s,:]{1,80})\}\s*(?:=\s*(?:require|await\s+import)\s*\(|from)\s*["'`](?:node:)?(?:https?|http2|dns)(?:/promises)?["'`]"#;
    let mut names = BTreeMap::new();
    let Some(named) = compiled(&NAMED, named) else { return names };
    for captures in named.captures_iter(text.as_bytes()) {
        for (group, sends, called) in [
            ("says", false, true),
            ("taken", false, true),
            ("out", false, false),
            ("required", true, false),
            ("imported", true, false),
        ] {
            let name = captures.name(group).map(|name| shown(&name).to_owned());
            names.extend(name.map(|name| (name, Named { sends, called })));
        }
        if captures.name("functions").is_none()
            && captures.get(0).is_some_and(|all| shown(&all).ends_with("console"))
        {
            let log = captures.name("taken").is_none().then(|| "log".to_owned());
            names.extend(log.map(|name| (name, Named { sends: false, called: true })));
        }
        let functions = captures.name("functions").map(|all| shown(&all).to_owned()).unwrap_or_default();
        for part in functions.split(',') {
            let (of, name) = part.split_once(':').or(part.split_once(" as ")).unwrap_or((part, part));
            if writes(of.trim()) {
                names.insert(name.trim().to_owned(), Named { sends: true, called: true });
            }
        }
    }
    names.remove("_");
    names
}
