//! Files that are handed to a run: opened once, by descriptor, and compared with what was approved.
//!
//! A file that was approved is copied while it is hashed, and the copy is handed over: what is run with is
//! what was compared, whatever happens to the file meanwhile.
//!
//! A link to a folder is followed. One that leads back to a folder it lies in is left out: below it is what is
//! handed over already, again and again.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};

use call::{
    Effect, Errand, Expected, Fault, FileKind, Located, PathPlace, Reach, Sha256, TargetState, UnclearPath,
    is_gate_home,
};
use lanes::Input;
use rustix::fs::Dir;
use sha2::Digest as _;

use crate::place::{Locator, NotOpened, Opened};

/// Folders in folders.
const DEEPEST: usize = 16;

/// The inputs, and what lies in their folders that may be looked at and is not handed over.
pub(super) fn open(errand: &Errand<'_>, locator: &Locator) -> Result<(Vec<Input>, Vec<String>), Fault> {
    let mut given = Given {
        errand,
        locator,
        inputs: Vec::new(),
        names: BTreeSet::new(),
        left_out: Vec::new(),
        bytes: u64::from(errand.walls.run.disk_mb) * 1024 * 1024,
        files: errand.walls.run.files,
        folders: errand.walls.run.files,
    };
    for effect in errand.effects.iter() {
        if let Effect::Read { path, .. } = effect {
            given.input(path)?;
        }
    }
    Ok((given.inputs, given.left_out))
}

struct Given<'a, 'e> {
    errand: &'a Errand<'e>,
    locator: &'a Locator,
    inputs: Vec<Input>,
    names: BTreeSet<String>,
    left_out: Vec<String>,
    /// How much more may be handed over.
    bytes: u64,
    files: u32,
    /// How many more folders may be looked into. Links can make many of few.
    folders: u32,
}

impl Given<'_, '_> {
    fn input(&mut self, decided: &Located) -> Result<(), Fault> {
        let opened = self.locator.open(&decided.given).map_err(|error| fault(&decided.given, &error))?;
        // Kind and place: what was decided about is what is opened.
        if opened.located().place != decided.place {
            return Err(Fault::Changed { path: decided.given.clone() });
        }
        let name = name(&opened, &decided.given);
        if !self.names.insert(name.clone()) {
            return Err(Fault::Failed {
                class: "bad_request",
                message: format!("two inputs would be `/in/{name}`"),
                remedy: Some("give one of them at a time, or the folder that holds both".to_owned()),
            });
        }
        match opened.kind() {
            FileKind::File => self.file(&opened, &decided.given, name),
            FileKind::Folder => {
                if let Some(expected) = self.errand.expected
                    && expected.at(opened.path()) != Some(TargetState::Folder)
                {
                    return Err(Fault::Changed { path: decided.given.clone() });
                }
                self.folder(&opened, &decided.given, &name, &[])
            }
            FileKind::Absent | FileKind::Special => {
                Err(Fault::failed("not_found", format!("there is no file or folder `{}`", decided.given)))
            }
        }
    }

    fn file(&mut self, opened: &Opened, given: &str, name: String) -> Result<(), Fault> {
        let mut content = opened.read().map_err(|error| fault(given, &error))?;
        let bytes = content.metadata().map_err(|error| unreadable(given, &error))?.len();
        let too_much = |what: &str| Fault::Failed {
            class: "too_large",
            message: format!("the inputs have more {what} than a run may have"),
            remedy: Some("give fewer or smaller files".to_owned()),
        };
        self.bytes = self.bytes.checked_sub(bytes).ok_or_else(|| too_much("bytes"))?;
        self.files = self.files.checked_sub(1).ok_or_else(|| too_much("files"))?;
        // A file in a folder is part of what was approved as a folder, and nobody looked into that.
        if let (Some(expected), false) = (self.errand.expected, name.contains('/')) {
            content = compared(content, bytes, expected, opened, given)?;
        }
        self.inputs.push(Input { name, content });
        Ok(())
    }

    /// Everything below a folder that policy lets the call read.
    /// `around` are the folders that it lies in, down from the one that was given.
    fn folder(&mut self, opened: &Opened, given: &str, name: &str, around: &[&Opened]) -> Result<(), Fault> {
        if around.iter().any(|outer| outer.is_same_as(opened)) {
            self.left_out.push(name.to_owned());
            return Ok(());
        }
        if around.len() > DEEPEST {
            return Err(Fault::failed("too_large", format!("`{given}` has folders too deep in each other")));
        }
        let too_many =
            || Fault::failed("too_large", format!("`{given}` has more folders than a run may have"));
        self.folders = self.folders.checked_sub(1).ok_or_else(too_many)?;
        let around = [around, &[opened]].concat();
        let listed = opened.list().map_err(|error| fault(given, &error))?;
        let entries = Dir::read_from(&listed).map_err(|error| unreadable(given, &error.into()))?;
        let mut below = BTreeSet::new();
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(given, &error.into()))?;
            match entry.file_name().to_str() {
                Ok("." | "..") => {}
                Ok(text) => drop(below.insert(text.to_owned())),
                Err(_) => self.left_out.push(format!("{name}/{}", entry.file_name().to_string_lossy())),
            }
            if below.len() > self.files as usize + 1_000 {
                return Err(Fault::failed(
                    "too_large",
                    format!("`{given}` has more files than a run may have"),
                ));
            }
        }
        for own in below {
            let (path, inside) = (format!("{}/{own}", given.trim_end_matches('/')), format!("{name}/{own}"));
            // What leads nowhere, or out of the roots, is not there for the program.
            let Ok(below) = self.locator.open(&path) else {
                self.leave_out(opened, &own, &path, inside);
                continue;
            };
            let effect = Effect::Read { path: below.located(), reach: Reach::Itself };
            match (self.errand.judge.allows(&effect), below.kind()) {
                (Ok(()), FileKind::File) => self.file(&below, &path, inside)?,
                (Ok(()), FileKind::Folder) => self.folder(&below, &path, &inside, &around)?,
                (Err(_), _) | (Ok(()), FileKind::Absent | FileKind::Special) => {
                    self.leave_out(opened, &own, &path, inside);
                }
            }
        }
        Ok(())
    }

    /// Says that something in a folder was not handed over; not about a name that policy denies, which is not
    /// there for anybody.
    fn leave_out(&mut self, folder: &Opened, own: &str, given: &str, inside: String) {
        let Some(path) = folder.path().join(own).filter(|_| !is_gate_home(own)) else { return };
        let place = PathPlace::Below { path, kind: FileKind::File };
        let effect = Effect::Read { path: Located::new(given, place), reach: Reach::Itself };
        if self.errand.judge.allows(&effect).is_ok() {
            self.left_out.push(inside);
        }
    }
}

/// Its name below `/in`: the one that the call gave it, or its own where that is none.
fn name(opened: &Opened, given: &str) -> String {
    let last = given.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    if matches!(last, "" | "." | "..") {
        opened.path().components().last().unwrap_or("root").to_owned()
    } else {
        last.to_owned()
    }
}

/// A copy of a file that is what was approved.
fn compared(
    content: File,
    bytes: u64,
    expected: &Expected,
    opened: &Opened,
    given: &str,
) -> Result<File, Fault> {
    let mut copy = tempfile::tempfile().map_err(|error| unreadable(given, &error))?;
    let mut hasher = sha2::Sha256::new();
    let mut part = vec![0; 64 * 1024];
    let mut from = content.take(bytes + 1);
    loop {
        let count = from.read(&mut part).map_err(|error| unreadable(given, &error))?;
        let read = part.get(..count).unwrap_or_default();
        if read.is_empty() {
            break;
        }
        hasher.update(read);
        copy.write_all(read).map_err(|error| unreadable(given, &error))?;
    }
    let found = TargetState::File { sha256: Sha256::finish(hasher), bytes };
    if expected.at(opened.path()) != Some(found) {
        return Err(Fault::Changed { path: given.to_owned() });
    }
    copy.rewind().map_err(|error| unreadable(given, &error))?;
    Ok(copy)
}

fn unreadable(given: &str, error: &std::io::Error) -> Fault {
    Fault::failed("unreadable", format!("`{given}` cannot be read: {error}"))
}

fn fault(given: &str, error: &NotOpened) -> Fault {
    match error {
        NotOpened::Changed { .. } => Fault::Changed { path: given.to_owned() },
        NotOpened::WrongKind { found: FileKind::Absent, .. } => {
            Fault::failed("not_found", format!("there is no file or folder `{given}`"))
        }
        NotOpened::Refused(Located { place: PathPlace::Below { .. }, .. }) => {
            Fault::failed("special_file", error.to_string())
        }
        NotOpened::Refused(Located {
            place: PathPlace::Unclear(UnclearPath::ThroughFile | UnclearPath::NameTooLong),
            ..
        }) => Fault::failed("not_found", error.to_string()),
        NotOpened::Refused(_) => Fault::failed("path_unclear", error.to_string()),
        NotOpened::WrongKind { .. } => Fault::failed("wrong_kind", error.to_string()),
        NotOpened::Unreadable { source, .. } => unreadable(given, source),
    }
}
