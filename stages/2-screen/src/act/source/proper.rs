//! What may be done with a secret: asking whether it is there, and showing it where credentials belong.

use std::sync::OnceLock;

use regex::bytes::Regex;

use super::words::shown;
use crate::act::compiled;

/// Is it only asked whether there is a secret, or how long it is?
pub(super) fn is_question(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default().trim_end();
    let behind = text.get(end..).unwrap_or_default();
    let asked = [
        "len(", "bool(", "Boolean(", "type(", "!!", "!", " not", " if", "(not", "typeof", "mask(", "redact(",
        "hash(", "sha256(", "isset(", "empty(", "is_some(", "unless", "strlen(", "defined(", "is_set(",
        "\" in", "' in",
    ]
    .iter()
    .any(|front| before.ends_with(front));
    let behind_bare = behind.trim_start_matches([')', ']']);
    let trimmed = behind_bare.trim_start();
    let compared = [
        "is None",
        "is not None",
        "!==",
        "!=",
        "===",
        "==",
        ".length",
        "? ",
        "?\"",
        "?'",
        ".is_some",
        ".is_ok",
        ".nil?",
        ".empty?",
        ".present?",
        "-ne ",
        "-eq ",
    ]
    .iter()
    .any(|sign| trimmed.starts_with(sign));
    // The first few letters, to tell keys apart.
    let few = [
        "[:2]",
        "[:3]",
        "[:4]",
        "[-4:]",
        "[-3:]",
        "[-2:]",
        "[0:4]",
        "[0..3]",
        ".slice(0, 4)",
        ".slice(-4)",
        ".slice(0,4)",
        ".substring(0, 4)",
        ".substr(0, 4)",
    ]
    .iter()
    .any(|slice| behind_bare.starts_with(slice));
    asked || compared || few
}

/// Does the value at `place` stand in a header, or in another place that is made for credentials?
pub(super) fn is_credential_place(text: &str, place: usize) -> bool {
    let before = text.get(..place).unwrap_or_default().to_ascii_lowercase();
    let last = |marks: &[&str]| marks.iter().filter_map(|mark| before.rfind(mark)).max();
    let proper = last(&[
        "headers",
        "auth",
        "bearer",
        "api_key=",
        "apikey:",
        "x-api-key",
        "x_api_key",
        "-token\"",
        "-token'",
        "token ",
    ]);
    let elsewhere = last(&[
        "data=", "data:", "json=", "json:", "body", "params", "files=", "content=", "payload", "text=",
        "form", "message", "http://", "https://", "?",
    ]);
    // Of several headers only those are meant that credentials go into.
    let by_header = before.rfind("headers").filter(|headers| proper == Some(*headers));
    if by_header.is_some_and(|headers| !is_credential_header(before.get(headers..).unwrap_or_default())) {
        return false;
    }
    match (proper, elsewhere) {
        (Some(proper), Some(elsewhere)) => {
            proper > elsewhere
                || before.get(elsewhere..proper).is_some_and(|between| between.contains("headers"))
        }
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// Is the last header that these begin with one for credentials? `headers: {Authorization: `, and not `headers: {x: `.
/// One whose name is not known could be.
fn is_credential_header(headers: &str) -> bool {
    static NAMES: OnceLock<Option<Regex>> = OnceLock::new();
    #[rustfmt::skip]
    const CREDENTIALS: &[&str] = &[
        "auth", "key", "token", "secret", "cookie", "sign", "pass", "cred", "session", "bearer", "jwt", "access", "hmac",
        "digest", "login", "csrf", "xsrf", "headers",
    ];
    let names = compiled(&NAMES, r#"[{(\[,\s]["'`]?([a-z][\w-]{0,60})["'`]?\s*(?:=>|[:=,])\s*"#);
    let name =
        names.and_then(|names| names.captures_iter(headers.as_bytes()).last()).and_then(|last| last.get(1));
    name.is_none_or(|name| CREDENTIALS.iter().any(|part| shown(&name).contains(part)))
}
