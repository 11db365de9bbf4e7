//! Tools of the gate itself: its memory and its state.

use call::{Effect, MemoryUse, Sha256};
use serde::Deserialize;
use serde_json::Value;

use super::{ToolEffects, check};
use crate::Catalogue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recall<'a> {
    query: &'a str,
    #[serde(rename = "limit")]
    _limit: Option<u32>,
}

pub(super) fn recall(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: Recall<'_> = check::take(arguments)?;
    Ok(vec![Effect::Memory(MemoryUse::Recall { query: Sha256::of(given.query.as_bytes()) })])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Store<'a> {
    text: &'a str,
    #[serde(default)]
    tags: Vec<String>,
}

pub(super) fn store(arguments: &Value, _: &Catalogue) -> ToolEffects {
    let given: Store<'_> = check::take(arguments)?;
    Ok(vec![Effect::Memory(MemoryUse::Store { text: Sha256::of(given.text.as_bytes()), tags: given.tags })])
}

#[expect(clippy::unnecessary_wraps, reason = "one signature for all tools")]
pub(super) fn status(_: &Value, _: &Catalogue) -> ToolEffects {
    Ok(vec![Effect::Status])
}
