//! What a passage would make a machine do, where it stands openly.

use std::collections::BTreeMap;

use call::json::{self, Json, JsonNode, Reading};
use call::{Contraband, Family, Span};

use crate::act::{self, Act, Text};
use crate::keywords::Hit;
use crate::landmarks::Landmarks;
use crate::layer;
use crate::reading::clean::clean;
use crate::view::View;

const ACTS: &[Family] = &[Family::Injection, Family::Traversal, Family::Exfiltration];

/// What a text would make a machine do, looked at closely.
pub(super) struct Acts {
    open: Vec<Act>,
    /// Where anything of that kind stands openly: by family, in order, each with the furthest end so far.
    places: BTreeMap<Family, Vec<(usize, usize)>>,
}

impl Acts {
    pub(super) fn of(text: &str, kind: Text, page: &View<'_>, hits: &[Hit], carried: &[Contraband]) -> Self {
        let at_source = |act: Act| Act { span: layer::snapped(text, page.source(act.span)), ..act };
        let examined = act::examine(page.text(), kind, hits);
        let mut open: Vec<Act> = examined.acts.into_iter().map(at_source).collect();
        if kind == Text::Message {
            let quiet = (examined.quiet && page.is_unchanged()).then_some(hits);
            open.extend(acts_in_json(text, kind, quiet));
        }
        let hidden = carried.iter().any(|found| ACTS.contains(&found.family));
        let glimpsed = if hidden { act::find(page.text(), hits, ACTS) } else { Vec::new() };
        let mut places: BTreeMap<Family, Vec<(usize, usize)>> = BTreeMap::new();
        for act in open.iter().copied().chain(glimpsed.into_iter().map(at_source)) {
            places.entry(act.family).or_default().push((act.span.start, act.span.end));
        }
        for places in places.values_mut() {
            places.sort_unstable();
            let mut furthest = 0;
            for (_, end) in places {
                furthest = furthest.max(*end);
                *end = furthest;
            }
        }
        Self { open, places }
    }

    pub(super) fn open(&self) -> &[Act] {
        &self.open
    }

    /// Does this stand openly?
    pub(super) fn cover(&self, found: &Contraband) -> bool {
        let Some(places) = self.places.get(&found.family) else { return false };
        let before = places.partition_point(|(start, _)| *start < found.span.end);
        before
            .checked_sub(1)
            .and_then(|last| places.get(last))
            .is_some_and(|(_, end)| *end > found.span.start)
    }
}

/// What the texts inside a JSON value would make a machine do, each at the place of its text: whoever
/// receives it takes them out again. In a quiet text ([`act::Examined::quiet`]), of which these words of
/// [`act::words`] are known, most of them need not be looked at.
fn acts_in_json(text: &str, kind: Text, quiet: Option<&[Hit]>) -> Vec<Act> {
    let mut acts = Vec::new();
    if !text.trim_start().starts_with(['{', '['])
        || (quiet.is_some_and(<[Hit]>::is_empty) && memchr::memchr(b'\\', text.as_bytes()).is_none())
    {
        return acts;
    }
    let is_passed_over = |inner: &str, span: Span| {
        let escaped = inner.len() + 2 != span.end - span.start;
        !escaped
            && quiet.is_some_and(|words| {
                !words.iter().any(|word| span.start < word.start && word.end() < span.end)
            })
    };
    let Ok(value) = json::read(text, 0, Reading::CPython) else { return acts };
    let mut waiting = vec![value];
    while let Some(Json { node, span }) = waiting.pop() {
        match node {
            JsonNode::Text(inner) if is_passed_over(&inner, span) => {}
            JsonNode::Text(inner) => {
                let page = clean(&inner);
                let examined = act::examine(page.text(), kind, &Landmarks::of(page.text()).acts());
                acts.extend(examined.acts.into_iter().map(|act| Act { span, ..act }));
            }
            JsonNode::List(items) => waiting.extend(items),
            JsonNode::Object(entries) => waiting.extend(entries.into_iter().map(|entry| entry.value)),
            JsonNode::Null | JsonNode::Bool(_) | JsonNode::Number(_) => {}
        }
    }
    acts
}
