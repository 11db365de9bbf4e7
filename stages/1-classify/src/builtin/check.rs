//! What schemas cannot say well about an argument.

use call::{Passage, Sha256};
use data_encoding::BASE64;
use globset::GlobBuilder;
use serde::Deserialize;
use serde_json::Value;

use crate::Fault;

/// Takes arguments apart that a schema has already accepted.
pub(super) fn take<'a, T: Deserialize<'a>>(arguments: &'a Value) -> Result<T, Fault> {
    // Only a whole number that was written as `5.0` gets here: schemas take it, and programs differ.
    T::deserialize(arguments).map_err(|_| Fault::new("", "must have whole numbers written without a point"))
}

/// A path as an agent writes it. Where it leads is found out later.
pub(crate) fn path(place: &str, path: &str) -> Result<String, Fault> {
    if path.chars().any(char::is_control) {
        return Err(Fault::new(place, "must be a path without control characters"));
    }
    Ok(path.to_owned())
}

/// A glob or a path that stays below the folder it is relative to.
pub(super) fn relative(place: &str, path: &str) -> Result<(), Fault> {
    let stays = !path.starts_with(['/', '~', '\\'])
        && !path.contains(['\\'])
        && !path.chars().any(char::is_control)
        && path.split('/').all(|part| part != "..");
    if stays { Ok(()) } else { Err(Fault::new(place, "must be relative, with `/` and without `..`")) }
}

/// A glob that stays below its folder and means something.
pub(super) fn glob(place: &str, glob: &str) -> Result<(), Fault> {
    relative(place, glob)?;
    let read = GlobBuilder::new(glob).literal_separator(true).backslash_escape(false).build();
    read.map(drop)
        .map_err(|error| Fault::new(place, format!("must be a glob such as `**/*.rs`: {}", error.kind())))
}

/// Content that was given as text or in base64.
pub(super) struct Content {
    pub(super) sha256: Sha256,
    pub(super) bytes: u64,
    pub(super) binary: bool,
}

impl Content {
    fn of(bytes: &[u8]) -> Self {
        let binary = bytes.contains(&0) || std::str::from_utf8(bytes).is_err();
        Self { sha256: Sha256::of(bytes), bytes: bytes.len() as u64, binary }
    }

    /// Exactly one of the two.
    pub(super) fn take(place: &str, text: Option<&str>, base64: Option<&str>) -> Result<Self, Fault> {
        match (text, base64) {
            (Some(text), None) => Ok(Self::of(text.as_bytes())),
            (None, Some(base64)) => {
                let bytes = BASE64.decode(base64.as_bytes()).map_err(|_| {
                    Fault::new(
                        format!("{place}/content_base64"),
                        "must be base64 with padding and without line breaks",
                    )
                })?;
                Ok(Self::of(&bytes))
            }
            (None, None) | (Some(_), Some(_)) => {
                Err(Fault::new(place, "must have exactly one of `content` and `content_base64`"))
            }
        }
    }
}

/// For every content in base64, what it says: a screen that only looked at the encoded form could
/// be passed by anything that is not text all through.
pub(super) fn add_decoded(passages: &mut Vec<Passage>) {
    let decoded: Vec<Passage> = passages
        .iter()
        .filter(|passage| passage.argument.ends_with("content_base64") && passage.text != "content_base64")
        .filter_map(|passage| {
            let bytes = BASE64.decode(passage.text.as_bytes()).ok()?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Some(Passage { argument: format!("{} (decoded)", passage.argument), role: passage.role, text })
        })
        .collect();
    passages.extend(decoded);
}
