//! Lists of paths and hosts, with what is odd about their entries.

use call::Span;

use super::fields::Fields;
use crate::entry::{HostEntry, HostGlob, PathEntry};
use crate::files::Ground;
use crate::rules;

/// What a list is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Allows,
    Denies,
}

/// The paths of a key; an entry that is none is noted and left out.
pub(crate) fn paths(
    fields: &mut Fields<'_, '_, '_>,
    key: &'static str,
    list: List,
    ground: &impl Ground,
) -> Option<Vec<(PathEntry, Span)>> {
    let texts = fields.texts(key)?;
    Some(path_entries(texts, key, list, ground, fields))
}

pub(crate) fn path_entries(
    texts: Vec<(&str, Span)>,
    key: &str,
    list: List,
    ground: &impl Ground,
    fields: &mut Fields<'_, '_, '_>,
) -> Vec<(PathEntry, Span)> {
    let mut entries: Vec<(PathEntry, Span)> = Vec::with_capacity(texts.len());
    for (text, span) in texts {
        match PathEntry::parse(text, ground, list == List::Denies) {
            Ok(entry) => entries.push((PathEntry { at: span, ..entry }, span)),
            Err(why) => {
                let message = format!("`{text}` in `{key}` {why}");
                fields.notes.add(&rules::BAD_PATH_ENTRY, span, message, "write a folder, a file or a glob");
            }
        }
    }
    // Quadratic in the entries, so only for lists that a person reads.
    if entries.len() <= 500 {
        note_shadowed(&entries, key, list, fields);
    }
    entries
}

/// Folders that another folder of the same list covers.
fn note_shadowed(entries: &[(PathEntry, Span)], key: &str, list: List, fields: &mut Fields<'_, '_, '_>) {
    for (place, (entry, span)) in entries.iter().enumerate() {
        let Some(folder) = entry.folder() else { continue };
        let covers = |other: &PathEntry| match list {
            List::Allows => other.allows(folder) && other.folder().is_some(),
            List::Denies => other.denies(folder),
        };
        let around = entries.iter().enumerate().find(|(other_place, (other, _))| {
            *other_place != place && other.written != entry.written && covers(other)
        });
        if let Some((_, (other, _))) = around {
            let message = format!("`{entry}` in `{key}` adds nothing: `{other}` covers it");
            fields.notes.add(&rules::SHADOWED_ENTRY, *span, message, "remove one of them");
        }
    }
}

/// The hosts that a list allows.
pub(crate) fn hosts(
    fields: &mut Fields<'_, '_, '_>,
    key: &'static str,
    star: bool,
) -> Option<Vec<HostEntry>> {
    let texts = fields.texts(key)?;
    let mut entries = Vec::with_capacity(texts.len());
    for (text, span) in texts {
        match HostEntry::parse(text) {
            Ok(_) if text == "*" && !star => {
                let message = format!("`*` in `{key}` would allow every host");
                fields.notes.add(
                    &rules::BAD_HOST_ENTRY,
                    span,
                    message,
                    "name the hosts that the skill needs",
                );
            }
            Ok(entry) => entries.push(entry),
            Err(why) => {
                let message = format!("`{text}` in `{key}` {why}");
                let hint = "write `https://host`, `host`, `host:port` or `*.domain`";
                fields.notes.add(&rules::BAD_HOST_ENTRY, span, message, hint);
            }
        }
    }
    Some(entries)
}

/// The hosts that a list denies.
pub(crate) fn denied_hosts(fields: &mut Fields<'_, '_, '_>, key: &'static str) -> Option<Vec<HostGlob>> {
    let texts = fields.texts(key)?;
    let mut globs = Vec::with_capacity(texts.len());
    for (text, span) in texts {
        match HostGlob::parse(text) {
            Ok(glob) => globs.push(glob),
            Err(why) => {
                let message = format!("`{text}` in `{key}` {why}");
                fields.notes.add(&rules::BAD_HOST_ENTRY, span, message, "write a host or a glob over hosts");
            }
        }
    }
    Some(globs)
}
