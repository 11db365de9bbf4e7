//! From what was decided about to what is held.

use std::fs::File;
use std::io;

use call::{
    AbsolutePath, Effect, Effects, Errand, Fault, FileKind, Located, PathPlace, Reason, ReasonCode,
    TargetState, UnclearPath,
};

use super::seen::Seen;
use crate::place::{Extent, Locator, NotOpened, Opened};

/// The path that a call looks at.
pub(super) fn read_path(effects: &Effects) -> Result<&Located, Fault> {
    let path = effects
        .iter()
        .find_map(|effect| if let Effect::Read { path, .. } = effect { Some(path) } else { None });
    path.ok_or_else(undecided)
}

/// The path that a call writes, and into what.
pub(super) fn write_path(effects: &Effects) -> Result<(&Located, &call::Change), Fault> {
    let path = effects.iter().find_map(|effect| {
        if let Effect::Write { path, change } = effect { Some((path, change)) } else { None }
    });
    path.ok_or_else(undecided)
}

/// The path that a call deletes.
pub(super) fn delete_path(effects: &Effects) -> Result<&Located, Fault> {
    let path = effects
        .iter()
        .find_map(|effect| if let Effect::Delete { path } = effect { Some(path) } else { None });
    path.ok_or_else(undecided)
}

/// What was decided says nothing about what the call does, so nothing is done.
pub(super) fn undecided() -> Fault {
    Fault::Denied(Reason {
        code: ReasonCode::UNKNOWN_EFFECT,
        message: "what was decided about is not what the call would do".to_owned(),
        rule: None,
        remedy: Some("make the call again".to_owned()),
    })
}

/// Opens a place, which must be the one that was decided about.
pub(super) fn open(locator: &Locator, decided: &Located) -> Result<Opened, Fault> {
    let opened = locator.open(&decided.given).map_err(|error| not_opened(&decided.given, error))?;
    if opened.located().place == decided.place {
        Ok(opened)
    } else {
        Err(Fault::Changed { path: decided.given.clone() })
    }
}

/// Opens a place and the content of the file that stands there, if one does.
///
/// A file that others replace all the time is there all the time, so it gets a few chances.
pub(super) fn open_file(locator: &Locator, decided: &Located) -> Result<(Opened, Option<File>), Fault> {
    let mut left = ATTEMPTS;
    loop {
        left -= 1;
        let opened = open(locator, decided)?;
        if opened.kind() == FileKind::Absent {
            return Ok((opened, None));
        }
        match content(&opened, &decided.given) {
            Err(Fault::Changed { .. }) if left > 0 => {}
            Err(fault) => return Err(fault),
            Ok(file) => return Ok((opened, Some(file))),
        }
    }
}

const ATTEMPTS: u8 = 10;

/// A file that is open to be read, and how much there is of it.
pub(super) type Content = (File, Extent);

/// The same for whoever only reads: where the file stands, and its content.
pub(super) fn open_to_read(
    locator: &Locator,
    decided: &Located,
) -> Result<(AbsolutePath, Option<Content>), Fault> {
    if let PathPlace::Below { path, kind: FileKind::File } = &decided.place
        && let Some((path, file, extent)) = locator.read(&decided.given).filter(|(now, ..)| now == path)
    {
        return Ok((path, Some((file, extent))));
    }
    let (opened, file) = open_file(locator, decided)?;
    let file = file.map(|file| Extent::of(&file).map(|extent| (file, extent))).transpose();
    let file = file.map_err(|errno| unreadable(&decided.given, &errno.into()))?;
    Ok((opened.path().clone(), file))
}

/// Opens the content of a file.
pub(super) fn content(opened: &Opened, given: &str) -> Result<File, Fault> {
    match opened.kind() {
        FileKind::File => opened.read().map_err(|error| not_opened(given, error)),
        FileKind::Absent => Err(not_found(given)),
        FileKind::Folder => Err(is_folder(given)),
        FileKind::Special => Err(special_file(given)),
    }
}

/// Whether what stands there is what a person agreed to change.
pub(super) fn check_expected(errand: &Errand<'_>, opened: &Opened, seen: Option<&Seen>) -> Result<(), Fault> {
    let Some(expected) = errand.expected else { return Ok(()) };
    let now = match (opened.kind(), seen) {
        (FileKind::File, Some(seen)) => Some(TargetState::File { sha256: seen.sha256, bytes: seen.bytes }),
        (FileKind::Absent, _) => Some(TargetState::Absent),
        (FileKind::Folder, _) => Some(TargetState::Folder),
        (FileKind::File, None) | (FileKind::Special, _) => None,
    };
    if now.is_some() && expected.at(opened.path()) == now {
        Ok(())
    } else {
        Err(Fault::Changed { path: opened.located().given })
    }
}

/// What is said when a place could not be opened.
pub(super) fn not_opened(given: &str, error: NotOpened) -> Fault {
    match error {
        NotOpened::Refused(Located { place, .. }) => refused(given, &place),
        NotOpened::WrongKind { found, .. } => match found {
            FileKind::Absent => not_found(given),
            FileKind::Folder => is_folder(given),
            FileKind::File => {
                Fault::failed("not_folder", format!("`{given}` is a file, and a folder is needed here"))
            }
            FileKind::Special => special_file(given),
        },
        NotOpened::Changed { .. } => Fault::Changed { path: given.to_owned() },
        NotOpened::Unreadable { source, .. } => unreadable(given, &source),
    }
}

fn refused(given: &str, place: &PathPlace) -> Fault {
    let (code, message) = match place {
        PathPlace::Below { .. } => return special_file(given),
        PathPlace::Outside => {
            (ReasonCode::PATH_OUTSIDE_ALLOWED_ROOTS, format!("path is outside allowed roots: {given}"))
        }
        PathPlace::GateHome => (ReasonCode::GATE_HOME, format!("`{given}` leads into the gate's own home")),
        PathPlace::Unclear(
            unclear @ (UnclearPath::NotFolder | UnclearPath::ThroughFile | UnclearPath::NameTooLong),
        ) => {
            return Fault::failed("not_found", format!("`{given}` {unclear}"));
        }
        PathPlace::Unclear(unclear) => (ReasonCode::PATH_UNCLEAR, format!("`{given}` {unclear}")),
    };
    let remedy = Some("use a path below an allowed root".to_owned());
    Fault::Denied(Reason { code, message, rule: None, remedy })
}

pub(super) fn not_found(given: &str) -> Fault {
    Fault::Failed {
        class: "not_found",
        message: format!("there is no file `{given}`"),
        remedy: Some("use `list_files` to see which files there are".to_owned()),
    }
}

pub(super) fn is_folder(given: &str) -> Fault {
    Fault::Failed {
        class: "is_folder",
        message: format!("`{given}` is a folder, and a file is needed here"),
        remedy: Some("use `list_files` to see which files are in it".to_owned()),
    }
}

pub(super) fn special_file(given: &str) -> Fault {
    Fault::failed("special_file", format!("`{given}` is a device, pipe or socket, which no tool opens"))
}

/// What the system says when something cannot be looked at.
pub(super) fn unreadable(given: &str, error: &io::Error) -> Fault {
    Fault::failed("unreadable", format!("`{given}` cannot be read: {error}"))
}

/// What the system says when something cannot be changed.
pub(super) fn unwritable(given: &str, error: &io::Error) -> Fault {
    use io::ErrorKind::{FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let kind = error.kind();
    let (class, remedy) = if [StorageFull, QuotaExceeded, FileTooLarge].contains(&kind) {
        ("disk_full", Some("make room on the disk".to_owned()))
    } else if [PermissionDenied, ReadOnlyFilesystem].contains(&kind) {
        ("not_writable", Some("ask whoever runs the gate for the right to write there".to_owned()))
    } else {
        ("not_written", None)
    };
    Fault::Failed {
        class,
        message: format!("`{given}` cannot be written: {error}; nothing was changed"),
        remedy,
    }
}
