//! Whether a change could be made as things are, so that nobody is asked to agree to one that cannot.
//!
//! A quick look: kinds and sizes, and the text of a file only where it is edited. What is found out here is
//! found out once more when the call runs.

use call::{Arguments, Effect, Effects, Fault, FileKind, Located, PathPlace};

use super::patience::Patience;
use super::target::{self, is_folder, not_found};
use super::write::names_folder;
use super::{Files, arguments, spot};
use crate::place::Opened;

impl Files {
    /// Whether what the call would do to files can be done. Nothing is changed.
    ///
    /// # Errors
    /// When it would fail.
    pub fn prospect(
        &self,
        tool: &call::ToolName,
        arguments: &Arguments,
        effects: &Effects,
    ) -> Result<(), Fault> {
        match tool.as_str() {
            "write_file" => {
                let (decided, _) = target::write_path(effects)?;
                let write: arguments::Write = arguments::take(arguments)?;
                let opened = self.looked_at(decided)?;
                if opened.kind() == FileKind::Absent && names_folder(&decided.given) {
                    return Err(is_folder(&decided.given));
                }
                spot::check_way(&opened, write.create_dirs, &decided.given)
            }
            "edit_file" => {
                let (decided, _) = target::write_path(effects)?;
                let edit: arguments::Edit = arguments::take(arguments)?;
                self.there(decided)?;
                self.hold_to_edit(decided, Patience::endless())?.edited(&edit).map(drop)
            }
            "delete_file" => self.there(target::delete_path(effects)?).map(drop),
            _ if effects.iter().any(|effect| matches!(effect, Effect::Run(_))) => inputs_are_there(effects),
            _ => Ok(()),
        }
    }

    /// What stands at a place, which is a file or nothing.
    fn looked_at(&self, decided: &Located) -> Result<Opened, Fault> {
        let opened = target::open(&self.locator, decided)?;
        match opened.kind() {
            FileKind::File | FileKind::Absent => Ok(opened),
            FileKind::Folder => Err(is_folder(&decided.given)),
            FileKind::Special => Err(target::special_file(&decided.given)),
        }
    }

    /// The file that stands at a place.
    fn there(&self, decided: &Located) -> Result<Opened, Fault> {
        let opened = self.looked_at(decided)?;
        match opened.kind() {
            FileKind::Absent => Err(not_found(&decided.given)),
            FileKind::File | FileKind::Folder | FileKind::Special => Ok(opened),
        }
    }
}

/// Whether there is something at every path that a run is given.
fn inputs_are_there(effects: &Effects) -> Result<(), Fault> {
    for effect in effects.iter() {
        if let Effect::Read { path, .. } = effect
            && let PathPlace::Below { kind: FileKind::Absent, .. } = path.place
        {
            return Err(not_found(&path.given));
        }
    }
    Ok(())
}
