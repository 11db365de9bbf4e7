//! The environment under another name: `from os import getenv as g`, `const {env: e} = process`, `e = ENV`.
//!
//! First the names that a program gives it, then every place where one of them is asked for a secret. A program that
//! gives it no name of its own is read once and no more.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use call::Span;
use regex::bytes::{Captures, Regex};

use super::reads::{Read, bytes_of, is_text_only};
use super::words::{shown, words};
use crate::act::compiled;
use crate::act::names::is_secret;

/// Names of the environment, or of a function that reads one variable of it. `spoken` is where a text speaks of it.
fn names(text: &str, spoken: &[Span]) -> BTreeSet<String> {
    static NAMED: OnceLock<Option<Regex>> = OnceLock::new();
    // In order: imports of Python; what is assigned, in Python, Go and Node; by `getattr`; in Ruby; taken out of
    // `process` or imported from it.
    let named = r#"\b(?:getenvb?|environb?|expandvars)\s+as\s+(\w{1,60})|\b(\w{1,60})\s*(?::\s*[\w\[\], ."']{1,40})?:?=\s*(?:[\w.]{1,40}\.|__import__\s*\(\s*["']\w{1,20}["']\s*\)\s*\.\s*(?:\w{1,20}\.)?)?(?:getenvb?|environb?(?:\.(?:get|pop|__getitem__))?|expandvars|Getenv|LookupEnv|ExpandEnv|(?:process|import\.meta|Bun|Deno)\s*\??\.env(?:\.get)?)\s*(?:[;,)}\n#]|//|$)|\b(\w{1,60})\s*=\s*getattr\s*\(\s*[\w.()'"]{1,40}\s*,\s*["'](?:getenvb?|environb?)["']\s*\)|\b(\w{1,60})\s*=\s*(?:Object)?(?:::)?ENV(?:\.(?:to_h|to_hash|dup|clone|method\s*\(?\s*:(?:\[\]|fetch|dig|values_at)\s*\)?))?\s*(?:[;\n#]|$)|\{[^{}\n]{0,200}?\benv\b\s*(?::|\bas\b)\s*(\w{1,60})[^{}\n]{0,200}\}\s*(?:=\s*(?:globalThis\.)?process\s*(?:[;\n]|$)|=\s*(?:await\s+)?(?:require|import)\s*\(\s*["'`](?:node:)?process["'`]\s*\)|from\s+["'`](?:node:)?process["'`])|\{[^{}\n]{0,200}?\b(env)\b\s*[,}][^{}\n=]{0,200}(?:=\s*(?:globalThis\.)?process\s*(?:[;\n]|$)|=\s*(?:await\s+)?(?:require|import)\s*\(\s*["'`](?:node:)?process["'`]\s*\)|from\s+["'`](?:node:)?process["'`])"#;
    let parts = spoken.iter().map(|part| bytes_of(text, *part));
    let Some(named) = compiled(&NAMED, named) else { return BTreeSet::new() };
    let found = parts.flat_map(|part| named.captures_iter(part));
    let name =
        |captures: Captures<'_>| captures.iter().skip(1).flatten().next().map(|name| shown(&name).to_owned());
    found.filter_map(name).filter(|name| !matches!(name.as_str(), "" | "_")).collect()
}

/// Every secret that is read by such a name. `modules` are names of the module that has the environment in it.
pub(super) fn reads(text: &str, spoken: &[Span], modules: &BTreeSet<String>) -> Vec<Read> {
    static ASKED: OnceLock<Option<Regex>> = OnceLock::new();
    let names = names(text, spoken);
    if names.is_empty() && modules.is_empty() {
        return Vec::new();
    }
    // By its name in brackets, with or without a function; as a member.
    // Tried where one of the names stands, and nowhere else.
    let asked = r#"\A(?:(\w{1,60})(?P<module>\s*\??\.\s*env)?\s*(?:\??\.\s*(?:get|fetch|pop|call|dig|values_at|setdefault|__getitem__)\s*)?(?:\?\.|\.)?\s*[\[(\s]\s*[fbru]{0,2}["'`]\$?\{?([A-Za-z0-9_]{2,80})\}?["'`]\s*(?:,[^)\n]{0,60})?[\])]?|(\w{1,60})(?P<member>\??\.env)?\??\.([A-Za-z0-9_]{2,80})\b)"#;
    let Some(asked) = compiled(&ASKED, asked) else { return Vec::new() };
    let read = |(start, word): (usize, &str)| {
        if !names.contains(word) && !modules.contains(word) {
            return None;
        }
        let captures = asked.captures(text.as_bytes().get(start..)?)?;
        let (all, owner, key) =
            (captures.get(0)?, captures.get(1).or(captures.get(4))?, captures.get(3).or(captures.get(6))?);
        let by_module = captures.name("module").is_some() || captures.name("member").is_some();
        let owners = if by_module { modules } else { &names };
        let read = owners.contains(shown(&owner)) && is_secret(shown(&key)) && !is_text_only(text, start);
        let end = text.ceil_char_boundary(start + all.end());
        read.then_some(Read { start, end, whole: false, names: false })
    };
    words(text).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Span, names, reads};

    #[test]
    fn the_environment_is_known_by_any_name() {
        let cases = [
            // program, its name there
            ("from os import getenv as g", Some("g")),
            ("from os import path, environ as e", Some("e")),
            ("from os import (\n    getenv as g,\n)", Some("g")),
            ("g = os.getenv\n", Some("g")),
            ("get = os.environ.get", Some("get")),
            ("g = getattr(os, 'getenv')", Some("g")),
            ("g := os.Getenv; x()", Some("g")),
            ("const e = process.env;", Some("e")),
            ("const {env: e} = process;", Some("e")),
            ("import {env as e} from 'node:process'", Some("e")),
            ("import {env} from 'process'", Some("env")),
            ("e = ENV\n", Some("e")),
            ("f = ENV.method(:fetch)\n", Some("f")),
            ("home = os.getenv('HOME')", None),
            ("e = window.event", None),
            ("const port = process.env.PORT;", None),
            ("x = ENV['HOME']\n", None),
            ("import {env} from './config'", None),
        ];
        for (text, want) in cases {
            assert_eq!(names(text, &[Span::new(0, text.len())]).first().map(String::as_str), want, "{text}");
        }
    }

    #[test]
    fn a_secret_is_read_by_that_name() {
        let cases = [
            // how it is asked for, is a secret read?
            ("e['API_KEY']", true),
            ("e.get(\"API_KEY\", '')", true),
            ("e.API_KEY", true),
            ("e?.API_KEY", true),
            ("e.call('API_KEY')", true),
            ("e.('API_KEY')", true),
            ("e('API_KEY')", true),
            ("e b'API_KEY'", true),
            ("e['HOME']", false),
            ("e.PORT", false),
            ("f['API_KEY']", false),
            ("'e.API_KEY'", false),
        ];
        for (asked, want) in cases {
            let text = format!("e = os.environ\nx({asked})");
            assert_eq!(
                !reads(&text, &[Span::new(0, text.len())], &BTreeSet::new()).is_empty(),
                want,
                "{asked}"
            );
        }
    }
}
