//! The arguments of these tools, which stage 1 has already checked.

use call::{Arguments, Fault};
use data_encoding::BASE64;
use serde::Deserialize;
use serde_json::Value;

/// Takes arguments apart. What does not fit got past stage 1, and so nothing is done with it.
pub(crate) fn take<T: for<'a> Deserialize<'a>>(arguments: &Arguments) -> Result<T, Fault> {
    T::deserialize(Value::Object(arguments.values().clone()))
        .map_err(|error| Fault::failed("bad_arguments", format!("the arguments do not fit: {error}")))
}

#[derive(Deserialize)]
pub(super) struct List {
    pub(super) glob: Option<String>,
    pub(super) max_results: Option<u32>,
}

#[derive(Deserialize)]
pub(super) struct Search {
    pub(super) pattern: String,
    pub(super) glob: Option<String>,
    pub(super) max_results: Option<u32>,
}

#[derive(Deserialize)]
pub(super) struct Read {
    pub(super) offset: Option<u32>,
    pub(super) limit: Option<u32>,
}

#[derive(Deserialize)]
pub(super) struct Diff {
    pub(super) content: String,
}

#[derive(Deserialize)]
pub(super) struct Write {
    content: Option<String>,
    content_base64: Option<String>,
    #[serde(default)]
    pub(super) create_dirs: bool,
}

impl Write {
    /// The bytes to be written.
    pub(super) fn content(self) -> Result<Vec<u8>, Fault> {
        let bad = |message: &str| Fault::failed("bad_arguments", message);
        match (self.content, self.content_base64) {
            (Some(text), None) => Ok(text.into_bytes()),
            (None, Some(base64)) => {
                BASE64.decode(base64.as_bytes()).map_err(|_| bad("`content_base64` is no base64"))
            }
            (None, None) | (Some(_), Some(_)) => {
                Err(bad("exactly one of `content` and `content_base64` must be given"))
            }
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Edit {
    pub(super) old: String,
    pub(super) new: String,
    #[serde(default)]
    pub(super) all: bool,
}
