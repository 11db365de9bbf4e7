//! How an event is written down: canonical JSON, field by field, straight into the bytes of its entry.
//!
//! Which of the fields repeat what others said is noted on the way. All of these, and nothing else, are searched for
//! secrets, as they stand in the entry: they are not written a second time.

use std::ops::Range;

use call::{CallContext, CallId, Lane, Moment, Sha256, canonical};
use serde::Serialize;

use super::Status;
use crate::store::{LARGEST_ENTRY, RunId};

/// What all events of one moment have: when they are written, and in which run.
pub(crate) struct Stamp {
    at: String,
    run: RunId,
}

impl Stamp {
    pub(crate) fn new(at: Moment, run: &RunId) -> Self {
        Self { at: at.microseconds_text(), run: *run }
    }
}

/// An event that is being written.
pub(super) struct Pen<'s> {
    event: &'static str,
    stamp: &'s Stamp,
    /// How many of the fields that every event has are written.
    n_stamped: usize,
    leaf: Vec<u8>,
    fields: Vec<Field>,
}

/// A field of an event.
#[derive(Clone, Debug)]
struct Field {
    name: &'static str,
    /// Where it stands in the entry, with its name.
    place: Range<usize>,
    by: By,
}

/// Who chose the words of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// The gate, so that there is nobody's secret in it.
    Gate,
    /// Somebody else.
    Others,
}

/// What the gate makes itself: digests, names that it gives, words of lists that never change, counts. No value of
/// such a kind repeats a text that anybody chose.
pub(super) trait Own: Serialize {}

impl Own for Sha256 {}
impl Own for CallId {}
impl Own for CallContext {}
impl Own for Lane {}
impl Own for Status {}
impl Own for &'static str {}
impl Own for u64 {}
impl Own for bool {}
impl<O: Own> Own for Option<O> {}

/// The fields that every event has, in the order of their names.
const STAMPED: [&str; 3] = ["at", "event", "run"];

/// Bytes beyond which a field is larger than any of an everyday event.
const LARGE: usize = 4_096;

impl<'s> Pen<'s> {
    pub(super) fn new(event: &'static str, stamp: &'s Stamp) -> Self {
        let mut leaf = Vec::with_capacity(1024);
        leaf.push(b'{');
        Self { event, stamp, n_stamped: 0, leaf, fields: Vec::with_capacity(24) }
    }

    /// Writes what the gate made itself; nothing where there is nothing.
    pub(super) fn own(&mut self, name: &'static str, value: &impl Own) -> &mut Self {
        self.stamp_before(name);
        self.put(name, value, By::Gate)
    }

    /// Writes what others may have said; nothing where there is nothing.
    pub(super) fn told(&mut self, name: &'static str, value: &impl Serialize) -> &mut Self {
        self.stamp_before(name);
        self.put(name, value, By::Others)
    }

    /// Writes a hash that the gate took, if it is one; who knows what it is otherwise.
    pub(super) fn hash(&mut self, name: &'static str, text: Option<&str>) -> &mut Self {
        let digits = |text: &str| {
            let digits = text.strip_prefix("hmac-").unwrap_or(text).strip_prefix("sha256:")?;
            digits.parse::<Sha256>().ok()
        };
        let by = if text.and_then(digits).is_some() { By::Gate } else { By::Others };
        self.stamp_before(name);
        self.put(name, &text, by)
    }

    /// The entry, what was too large for it, and what it repeats of what others said. What was too large is a
    /// content of its own, which the entry names by its digest under `moved`.
    pub(super) fn finish(mut self) -> (Vec<u8>, Option<Vec<u8>>, Told) {
        self.stamp_before("\u{7f}");
        self.leaf.push(b'}');
        let mut moved = None;
        if self.leaf.len() > LARGEST_ENTRY {
            moved = Some(self.move_large());
        }
        self.fields.retain(|field| field.by == By::Others);
        (self.leaf, moved, Told { event: self.event, fields: self.fields })
    }

    /// Writes those of the fields that every event has whose place is in front of this one.
    fn stamp_before(&mut self, name: &'static str) {
        while let Some(own) = STAMPED.get(self.n_stamped).filter(|own| **own < name) {
            self.n_stamped += 1;
            let (event, Stamp { at, run }) = (self.event, self.stamp);
            match self.n_stamped {
                1 => self.put(own, at, By::Gate),
                2 => self.put(own, &event, By::Gate),
                _ => self.put(own, &run.0, By::Gate),
            };
        }
    }

    fn put(&mut self, name: &'static str, value: &impl Serialize, by: By) -> &mut Self {
        debug_assert!(self.fields.last().is_none_or(|last| last.name < name), "{name} is in its place");
        let before = self.leaf.len();
        if !self.fields.is_empty() {
            self.leaf.push(b',');
        }
        let start = self.leaf.len();
        self.leaf.push(b'"');
        self.leaf.extend_from_slice(name.as_bytes());
        self.leaf.extend_from_slice(b"\":");
        let from = self.leaf.len();
        // Nothing that is recorded is without a canonical form.
        let written = canonical::write(value, &mut self.leaf);
        if written.is_none() || self.leaf.get(from..).is_none_or(|value| value == b"null") {
            self.leaf.truncate(before);
        } else {
            self.fields.push(Field { name, place: start..self.leaf.len(), by });
        }
        self
    }

    /// Takes out what is larger than any field of an everyday event.
    fn move_large(&mut self) -> Vec<u8> {
        let is_large = |field: &Field| field.place.len() > LARGE + field.name.len() + r#""":"#.len();
        let leaf = std::mem::replace(&mut self.leaf, vec![b'{']);
        let fields = std::mem::take(&mut self.fields);
        let (large, rest): (Vec<Field>, Vec<Field>) = fields.into_iter().partition(is_large);
        let content = joined(large.iter().map(|field| text_of(field, &leaf)));
        let name = "moved";
        let place = rest.partition_point(|field| field.name < name);
        for (number, field) in rest.iter().enumerate() {
            if number == place {
                self.put(name, &Sha256::of(&content), By::Gate);
            }
            self.copy(field, &leaf);
        }
        if place == rest.len() {
            self.put(name, &Sha256::of(&content), By::Gate);
        }
        self.leaf.push(b'}');
        content
    }

    /// Writes a field that was written elsewhere.
    fn copy(&mut self, field: &Field, leaf: &[u8]) {
        if !self.fields.is_empty() {
            self.leaf.push(b',');
        }
        let start = self.leaf.len();
        self.leaf.extend_from_slice(text_of(field, leaf));
        self.fields.push(Field { place: start..self.leaf.len(), ..field.clone() });
    }
}

/// What an event repeats of what others said: all of it that may hold a secret.
pub(crate) struct Told {
    pub(crate) event: &'static str,
    fields: Vec<Field>,
}

impl Told {
    /// All of it, as the entry has it; nothing when it repeats nothing.
    pub(crate) fn text(&self, leaf: &[u8]) -> Option<Vec<u8>> {
        (!self.fields.is_empty()).then(|| joined(self.texts(leaf)))
    }

    /// What several events repeat, each given with its entry, one behind the other, and what they say in the same
    /// words but once.
    pub(crate) fn text_of_all(all: &[(Self, &[u8])]) -> Vec<u8> {
        let mut text = Vec::with_capacity(1024);
        for (place, (one, leaf)) in all.iter().enumerate() {
            let before = || all.iter().take(place);
            let is_new =
                |field: &&[u8]| before().all(|(told, leaf)| told.texts(leaf).all(|said| said != *field));
            let mut new = one.texts(leaf).filter(is_new).peekable();
            if new.peek().is_some() {
                join(new, &mut text);
            }
        }
        text
    }

    /// Each field with its name, as the entry has it.
    fn texts<'l>(&'l self, leaf: &'l [u8]) -> impl Iterator<Item = &'l [u8]> {
        self.fields.iter().map(move |field| text_of(field, leaf))
    }
}

fn text_of<'l>(field: &Field, leaf: &'l [u8]) -> &'l [u8] {
    leaf.get(field.place.clone()).unwrap_or_default()
}

/// An object of these fields.
fn joined<'f>(fields: impl Iterator<Item = &'f [u8]>) -> Vec<u8> {
    let mut text = Vec::new();
    join(fields, &mut text);
    text
}

fn join<'f>(fields: impl Iterator<Item = &'f [u8]>, text: &mut Vec<u8>) {
    text.push(b'{');
    for (place, field) in fields.enumerate() {
        if place > 0 {
            text.push(b',');
        }
        text.extend_from_slice(field);
    }
    text.push(b'}');
}
