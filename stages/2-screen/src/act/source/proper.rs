//! What may be done with a secret: asking whether it is there, and showing it where credentials belong.

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
    match (proper, elsewhere) {
        (Some(proper), Some(elsewhere)) => {
            proper > elsewhere
                || before.get(elsewhere..proper).is_some_and(|between| between.contains("headers"))
        }
        (Some(_), None) => true,
        (None, _) => false,
    }
}
