//! Tools that look at files and change them.

use call::{Change, Effect, Reach, Sha256};
use grep_regex::RegexMatcherBuilder;
use regex::RegexBuilder;
use serde::Deserialize;
use serde_json::Value;

use super::ToolEffects;
use super::check::{self, Content};
use crate::{Catalogue, Fault};

/// Bytes that a compiled search pattern may have.
const PATTERN_SIZE: usize = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListFiles<'a> {
    path: &'a str,
    glob: Option<&'a str>,
    #[serde(rename = "max_results")]
    _max_results: Option<u32>,
}

pub(super) fn list_files(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: ListFiles<'_> = check::take(arguments)?;
    if let Some(glob) = given.glob {
        check::glob("/glob", glob)?;
    }
    read(given.path, Reach::Below)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadFile<'a> {
    path: &'a str,
    #[serde(rename = "offset")]
    _offset: Option<u32>,
    #[serde(rename = "limit")]
    _limit: Option<u32>,
}

pub(super) fn read_file(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: ReadFile<'_> = check::take(arguments)?;
    read(given.path, Reach::Itself)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchFiles<'a> {
    path: &'a str,
    pattern: &'a str,
    glob: Option<&'a str>,
    #[serde(rename = "max_results")]
    _max_results: Option<u32>,
}

pub(super) fn search_files(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: SearchFiles<'_> = check::take(arguments)?;
    if let Some(glob) = given.glob {
        check::glob("/glob", glob)?;
    }
    RegexBuilder::new(given.pattern)
        .size_limit(PATTERN_SIZE)
        .dfa_size_limit(PATTERN_SIZE)
        .nest_limit(50)
        .build()
        .map_err(|error| Fault::new("/pattern", why_no_pattern(&error)))?;
    // As it is searched for: line by line.
    RegexMatcherBuilder::new()
        .multi_line(true)
        .crlf(true)
        .size_limit(PATTERN_SIZE)
        .dfa_size_limit(PATTERN_SIZE)
        .nest_limit(50)
        .build(given.pattern)
        .map_err(|_| Fault::new("/pattern", "must match within one line, without its end"))?;
    read(given.path, Reach::Below)
}

fn why_no_pattern(error: &regex::Error) -> &'static str {
    if matches!(error, regex::Error::CompiledTooBig(_)) {
        "must be a smaller regular expression: its repetitions multiply"
    } else {
        "must be a regular expression of Rust's `regex`: no look-around, no back-references, balanced brackets"
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Diff<'a> {
    path: &'a str,
    #[serde(rename = "content")]
    _content: &'a str,
}

pub(super) fn diff(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: Diff<'_> = check::take(arguments)?;
    read(given.path, Reach::Itself)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteFile<'a> {
    path: &'a str,
    content: Option<&'a str>,
    content_base64: Option<&'a str>,
    #[serde(default)]
    create_dirs: bool,
}

pub(super) fn write_file(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: WriteFile<'_> = check::take(arguments)?;
    let Content { sha256, bytes, binary } = Content::take("", given.content, given.content_base64)?;
    let change = Change::Content { sha256, bytes, binary, create_dirs: given.create_dirs };
    Ok(vec![Effect::Write { path: check::path("/path", given.path)?, change }])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditFile<'a> {
    path: &'a str,
    old: &'a str,
    new: &'a str,
    #[serde(default)]
    all: bool,
}

pub(super) fn edit_file(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: EditFile<'_> = check::take(arguments)?;
    if given.old == given.new {
        return Err(Fault::new("/new", "must differ from `old`"));
    }
    let change = Change::Edit {
        old: Sha256::of(given.old.as_bytes()),
        new: Sha256::of(given.new.as_bytes()),
        bytes: given.new.len() as u64,
        binary: given.new.contains('\0'),
        all: given.all,
    };
    Ok(vec![Effect::Write { path: check::path("/path", given.path)?, change }])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeleteFile<'a> {
    path: &'a str,
}

pub(super) fn delete_file(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: DeleteFile<'_> = check::take(arguments)?;
    Ok(vec![Effect::Delete { path: check::path("/path", given.path)? }])
}

fn read(path: &str, reach: Reach) -> ToolEffects {
    Ok(vec![Effect::Read { path: check::path("/path", path)?, reach }])
}
