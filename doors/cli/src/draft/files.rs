//! The files that a draft speaks of: digests of inputs, code as text.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use call::Sha256;
use document::DraftInput;
use sha2::Digest as _;

use crate::read::{Opened, Unreadable};
use crate::terminal::reason;

/// A file that a flag names is of no use.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: {why}", path.to_string_lossy())]
pub(crate) struct BadFile {
    path: PathBuf,
    why: String,
}

impl BadFile {
    pub(super) fn new(path: &Path, why: impl Into<String>) -> Self {
        Self { path: path.to_owned(), why: why.into() }
    }

    fn unreadable(path: &Path, problem: &Unreadable) -> Self {
        Self::new(path, problem.to_string())
    }
}

/// An input: the file's own name, and the digest of all of its content, however much that is.
pub(super) fn input(path: &Path) -> Result<DraftInput, BadFile> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| BadFile::new(path, "its name is not UTF-8 text"))?;
    let opened = Opened::open(path).map_err(|problem| BadFile::unreadable(path, &problem))?;
    let sha256 = digest(&opened).map_err(|error| BadFile::new(path, reason(&error)))?;
    Ok(DraftInput { name: name.to_owned(), sha256 })
}

fn digest(opened: &Opened) -> io::Result<Sha256> {
    let mut file = opened.rewound()?;
    let mut hasher = sha2::Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let n_read = match file.read(&mut buffer) {
            Ok(0) => return Ok(Sha256::finish(hasher)),
            Ok(n_read) => n_read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(buffer.get(..n_read).unwrap_or_default());
    }
}

/// The text of a file that becomes a part of the request.
pub(super) fn text(path: &Path) -> Result<String, BadFile> {
    let mut bytes = Vec::new();
    Opened::open(path)
        .and_then(|opened| opened.read(&mut bytes))
        .map_err(|problem| BadFile::unreadable(path, &problem))?;
    String::from_utf8(bytes).map_err(|_| BadFile::new(path, "not UTF-8 text"))
}
