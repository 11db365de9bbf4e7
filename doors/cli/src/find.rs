//! From the paths of a command line to the documents they mean.
//!
//! A folder means every `*.md` in and below it. Hidden names are left out: programs write what is
//! not finished under them. Folders behind symbolic links are left out too, so a walk ends and
//! stays below its root. Whatever else is called `*.md` is taken for a document, and opening it
//! shows what it is: a pipe with that name is reported, not passed over.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::read::Unreadable;

/// Something that is to be checked, or cannot be.
#[derive(Debug)]
pub(crate) enum Candidate {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// A folder in which nothing could be found.
    Barren(PathBuf, Unreadable),
}

/// Device and inode number of a folder that is not entered.
pub(crate) type FolderId = (u64, u64);

/// What the paths mean, folder by folder in the order of the command line, sorted within each.
pub(crate) fn candidates(paths: &[PathBuf], skip: Option<FolderId>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            found.push(Candidate::Stdin);
        } else if path.is_dir() {
            let before = found.len();
            found.extend(below(path, skip));
            if found.len() == before {
                found.push(Candidate::Barren(path.clone(), Unreadable::NoDocuments));
            }
        } else {
            found.push(Candidate::File(path.clone()));
        }
    }
    found
}

/// Every document in and below a folder, sorted by path.
pub(crate) fn below(folder: &Path, skip: Option<FolderId>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if skip.is_some() && folder_id(&folder) == skip {
            continue;
        }
        match entries(&folder) {
            Ok((files, inner)) => {
                found.extend(files.into_iter().map(Candidate::File));
                folders.extend(inner);
            }
            Err(error) => found.push(Candidate::Barren(folder, Unreadable::System(error))),
        }
    }
    found.sort_by(|one, other| one.path().cmp(&other.path()));
    found
}

/// The documents and the folders directly in a folder.
pub(crate) fn entries(folder: &Path) -> std::io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if is_hidden(&name) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            folders.push(entry.path());
        } else if is_document(&name) {
            files.push(entry.path());
        }
    }
    Ok((files, folders))
}

/// Device and inode number of a folder, where it can be asked.
pub(crate) fn folder_id(folder: &Path) -> Option<FolderId> {
    fs::metadata(folder).ok().map(|data| (data.dev(), data.ino()))
}

/// Whether a name is one of those that are left out.
pub(crate) fn is_hidden(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".")
}

/// Whether a name is that of a document.
pub(crate) fn is_document(name: &OsStr) -> bool {
    name.as_bytes().ends_with(b".md") && !is_hidden(name)
}

impl Candidate {
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) | Self::Barren(path, _) => Some(path),
        }
    }
}
