//! The difference between two contents of a file, for people.

use std::time::Duration;

use call::Sha256;

use super::key_block;

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

/// The difference as a unified diff; in words where one of them is no text or too large. Nothing when there
/// is none.
pub(super) fn unified(name: &str, old: Side<'_>, new: Side<'_>) -> Option<String> {
    if old.file.map(|(sha256, _)| sha256) == new.file.map(|(sha256, _)| sha256) {
        return None;
    }
    let side = |letter: &str, side: &Side<'_>| match side.file {
        None => "/dev/null".to_owned(),
        Some(_) => format!("{letter}/{}", name.trim_start_matches('/')),
    };
    let (before, after) = (side("a", &old), side("b", &new));
    let (Some(old_text), Some(new_text)) = (old.text(), new.text()) else {
        let large = old.content.is_none() || new.content.is_none();
        let what = if large { "Large files" } else { "Binary files" };
        return Some(format!(
            "{what} {before} and {after} differ\n-{}\n+{}\n",
            old.described(),
            new.described()
        ));
    };
    let (old_text, new_text) = (key_block::masked(old_text), key_block::masked(new_text));
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
    Some(shown)
}
