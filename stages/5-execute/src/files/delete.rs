//! `delete_file`: one file goes, and what was in it is handed to whoever keeps it.

use call::{Done, Errand, Fault};

use super::difference::{Side, kept, unified};
use super::patience::Patience;
use super::{Files, replace, target};

/// Bytes of a deleted file that are handed over. Of a larger one there is the digest.
const REMOVED: u64 = 16 << 20;

impl Files {
    /// Deletes one file.
    ///
    /// # Errors
    /// When it was not done; nothing is changed then.
    pub fn delete_file(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let decided = target::delete_path(errand.effects)?;
        let patience = Patience::of(errand);
        let held = self.hold(decided, REMOVED, patience)?;
        let given = held.given;
        target::check_expected(errand, &held.opened, held.seen.as_ref())?;
        let (diff, flags) = kept(unified(given, held.side(), Side::ABSENT));
        let Some(seen) = held.seen else { return Err(target::not_found(given)) };
        replace::remove(&self.locator, &held.opened, &seen, given, patience)?;
        let kept = if seen.content.is_some() { "" } else { "; it is too large for a copy to be kept" };
        Ok(Done {
            summary: format!("deleted `{given}`: {} bytes, sha256 {}{kept}", seen.bytes, seen.sha256),
            artifacts: vec![held.opened.path().to_string()],
            diff,
            flags,
            removed: seen.content,
            ..Done::default()
        })
    }
}
