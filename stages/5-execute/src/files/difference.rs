//! The difference between two contents of a file, for people.

use std::time::Duration;

use call::{RiskFlag, Sha256};

use crate::key_block;

/// Bytes of either side that are compared line by line.
pub(super) const COMPARED: u64 = 4 << 20;

/// Bytes of a difference that are shown.
const SHOWN: usize = 1 << 20;

/// How long is looked for the shortest difference. After that a longer one does.
const PATIENCE: Duration = Duration::from_millis(500);

/// One side of a difference.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    /// Its digest and size, unless there is no such file.
    pub(super) file: Option<(Sha256, u64)>,
    /// Its content, where it is small enough to be held.
    pub(super) content: Option<&'a [u8]>,
}

impl<'a> Side<'a> {
    /// No file.
    pub(super) const ABSENT: Self = Self { file: None, content: Some(&[]) };

    /// A file with this content.
    pub(super) fn of(content: &'a [u8]) -> Self {
        let bytes = content.len() as u64;
        Self { file: Some((Sha256::of(content), bytes)), content: (bytes <= COMPARED).then_some(content) }
    }

    fn text(&self) -> Option<&'a str> {
        let text = std::str::from_utf8(self.content?).ok()?;
        (!text.contains('\0')).then_some(text)
    }

    fn described(&self) -> String {
        match self.file {
            None => "no file".to_owned(),
            Some((sha256, bytes)) => format!("{bytes} bytes, sha256 {sha256}"),
        }
    }
}

/// A difference, in words.
#[derive(Debug, Default)]
pub(super) struct Difference {
    pub(super) text: String,
    /// What to look at twice: lines of a private key are masked.
    pub(super) flags: Vec<RiskFlag>,
}

/// A difference as it is kept, and what to look at twice in it.
pub(super) fn kept(difference: Option<Difference>) -> (Option<String>, Vec<RiskFlag>) {
    difference.map_or_else(Default::default, |Difference { text, flags }| (Some(text), flags))
}

/// The difference from a file that is too large to be read for it, and has another size.
pub(super) fn by_size(name: &str, old: u64, new: Side<'_>) -> Difference {
    let (before, after) = (header("a", name), header("b", name));
    let new = new.described();
    let text = format!("Large files {before} and {after} differ\n-{old} bytes\n+{new}\n");
    Difference { text, flags: Vec::new() }
}

fn header(letter: &str, name: &str) -> String {
    format!("{letter}/{}", name.trim_start_matches('/'))
}

/// The difference as a unified diff; in words where one of them is no text or too large. Nothing when there
/// is none.
pub(super) fn unified(name: &str, old: Side<'_>, new: Side<'_>) -> Option<Difference> {
    if old.file.map(|(sha256, _)| sha256) == new.file.map(|(sha256, _)| sha256) {
        return None;
    }
    let side = |letter: &str, side: &Side<'_>| match side.file {
        None => "/dev/null".to_owned(),
        Some(_) => header(letter, name),
    };
    let (before, after) = (side("a", &old), side("b", &new));
    let (Some(old_text), Some(new_text)) = (old.text(), new.text()) else {
        let large = old.content.is_none() || new.content.is_none();
        let what = if large { "Large files" } else { "Binary files" };
        let (old, new) = (old.described(), new.described());
        let text = format!("{what} {before} and {after} differ\n-{old}\n+{new}\n");
        return Some(Difference { text, flags: Vec::new() });
    };
    let (old_masked, new_masked) = (key_block::masked(old_text), key_block::masked(new_text));
    let is_masked = old_masked != old_text || new_masked != new_text;
    let (old_text, new_text) = (old_masked, new_masked);
    let difference = similar::TextDiff::configure().timeout(PATIENCE).diff_lines(&old_text, &new_text);
    let mut shown = difference.unified_diff().context_radius(3).header(&before, &after).to_string();
    if shown.is_empty() {
        // An empty file that comes or goes, or a change inside of a private key.
        shown = format!("--- {before}\n+++ {after}\n-{}\n+{}\n", old.described(), new.described());
    }
    if shown.len() > SHOWN {
        let whole = shown.len();
        // Whole lines only: half a line could be half a secret.
        let end = shown.bytes().take(SHOWN).rposition(|byte| byte == b'\n').map_or(0, |end| end + 1);
        shown.truncate(end);
        shown.push_str(&format!("[{} more bytes of this difference are not shown]\n", whole - shown.len()));
    }
    let is_masked = is_masked && shown.contains(key_block::MASK);
    Some(Difference {
        text: shown,
        flags: is_masked.then_some(RiskFlag::SECRET_REDACTED).into_iter().collect(),
    })
}
