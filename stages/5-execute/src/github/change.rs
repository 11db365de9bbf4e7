//! The files that a pull request changes.

use call::{Fault, is_gate_home};
use data_encoding::BASE64;
use serde_json::Value;

/// What becomes of one path.
pub(super) struct FileChange<'a> {
    pub(super) path: &'a str,
    pub(super) becomes: Becomes<'a>,
}

pub(super) enum Becomes<'a> {
    Text(&'a str),
    /// In base64, which is how forges take bytes.
    Bytes(&'a str),
    Nothing,
}

impl FileChange<'_> {
    /// The content in base64, unless the file goes.
    pub(super) fn base64(&self) -> Option<String> {
        match self.becomes {
            Becomes::Text(text) => Some(BASE64.encode(text.as_bytes())),
            Becomes::Bytes(encoded) => Some(encoded.to_owned()),
            Becomes::Nothing => None,
        }
    }
}

/// The changes of a call, each with exactly one thing that becomes of a plain path.
pub(super) fn read(given: Option<&Value>) -> Result<Vec<FileChange<'_>>, Fault> {
    let list = given.and_then(Value::as_array).filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| bad("`changes` must be a list with at least one entry".to_owned()))?;
    let mut changes: Vec<FileChange<'_>> = Vec::new();
    for (number, entry) in list.iter().enumerate() {
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let path = text("path").filter(|path| is_plain(path));
        let path = path
            .ok_or_else(|| bad(format!("`changes[{number}].path` must be a plain path in the repository")))?;
        if changes.iter().any(|other| other.path == path) {
            return Err(bad(format!("`{path}` is changed twice")));
        }
        let deleted = entry.get("delete").and_then(Value::as_bool).unwrap_or(false);
        let becomes = match (text("content"), text("content_base64"), deleted) {
            (Some(content), None, false) => Becomes::Text(content),
            (None, Some(content), false) if BASE64.decode(content.as_bytes()).is_ok() => {
                Becomes::Bytes(content)
            }
            (None, None, true) => Becomes::Nothing,
            _ => {
                return Err(bad(format!(
                    "`changes[{number}]` must have one of `content`, `content_base64` and `delete`"
                )));
            }
        };
        changes.push(FileChange { path, becomes });
    }
    Ok(changes)
}

fn is_plain(path: &str) -> bool {
    let odd = |part: &str| {
        matches!(part, "" | "." | "..")
            || part.eq_ignore_ascii_case(".git")
            || is_gate_home(part)
            || part.contains('\\')
    };
    !path.contains(char::is_control) && !path.split('/').any(odd)
}

fn bad(message: String) -> Fault {
    Fault::failed("bad_request", message)
}
