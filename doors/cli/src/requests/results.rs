//! What comes back from a run: the folder with everything that it left, and the document that says so.
//!
//! A folder is made before the run, under a hidden name, so that a disk that takes nothing is known before
//! anything is used up. It gets its name once everything is in it, and the document comes last.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use call::{CallId, Sha256};
use document::{Profile, Report, Source, Verdict, check};
use rustix::fs::{Mode, OFlags};
use serde::Serialize;
use sha2::Digest as _;

use crate::publish::{flush_names, new_file, rename};

const PRIVATE: Mode = Mode::from_raw_mode(0o600);

/// A file that came back, for programs.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Kept {
    /// As the result names it.
    pub(crate) path: String,
    pub(crate) sha256: Sha256,
    /// Where it lies.
    pub(crate) file: String,
}

/// The folder of a run that is not over.
pub(crate) struct Staging {
    folder: OwnedFd,
    path: PathBuf,
    name: OsString,
}

/// Why the result is not there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotKept {
    #[error("the result cannot be written: {}", crate::terminal::reason(.0))]
    System(#[from] io::Error),
    #[error(transparent)]
    Unwritable(#[from] document::Unwritable),
    #[error("the result breaks the rules of results, so it was not written")]
    Rejected,
}

impl From<rustix::io::Errno> for NotKept {
    fn from(errno: rustix::io::Errno) -> Self {
        Self::System(errno.into())
    }
}

impl Staging {
    /// Makes the folder of a run in the folder of results.
    pub(crate) fn new(results: &Path, call: CallId, chance: u64) -> io::Result<Self> {
        private(results)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::open(results, flags, Mode::empty())?;
        let name = OsString::from(format!(".running-{call}-{chance:016x}"));
        let path = fs::canonicalize(results)?;
        DirBuilder::new().mode(0o700).create(path.join(&name))?;
        DirBuilder::new().mode(0o700).create(path.join(&name).join("out"))?;
        Ok(Self { folder, path, name })
    }

    /// Where outputs go.
    pub(crate) fn outputs(&self) -> PathBuf {
        self.path.join(&self.name).join("out")
    }

    /// Nothing came of it.
    pub(crate) fn remove(&self) {
        // Only ever our own folder; one that cannot be removed is hidden and harmless.
        let _ = fs::remove_dir_all(self.path.join(&self.name));
    }

    /// Keeps the streams whole beside the outputs, gives the folder its name, and writes the document, which
    /// is held to the rules of results once more.
    pub(crate) fn finish(
        self,
        report: &Report,
        stdout: &[u8],
        stderr: &[u8],
    ) -> Result<(PathBuf, Vec<Kept>), NotKept> {
        let id = report.id();
        let text = report.to_markdown()?;
        let checked =
            check(&Source { stem: Some(&id), bytes: text.as_bytes() }, Profile::Strict, report.created);
        if !checked.is_ok_and(|checked| checked.verdict() == Verdict::Accept && checked.document.is_some()) {
            return Err(NotKept::Rejected);
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let inner = rustix::fs::openat(&self.folder, &self.name, flags | OFlags::NOFOLLOW, Mode::empty())?;
        for (stream, content) in [(&report.stdout, stdout), (&report.stderr, stderr)] {
            new_file(inner.as_fd(), stream.file.as_ref(), content, PRIVATE)?;
        }
        flush_names(inner.as_fd())?;
        rename(&self.folder, self.name.as_os_str(), &self.folder, id.as_str())?;
        let name = format!("{id}.md");
        new_file(self.folder.as_fd(), name.as_ref(), text.as_bytes(), PRIVATE)?;
        flush_names(self.folder.as_fd())?;
        Ok((self.path.join(name), self.kept(report, &id)))
    }

    fn kept(&self, report: &Report, id: &str) -> Vec<Kept> {
        let below = self.path.join(id);
        let kept = |path: &str, sha256| Kept {
            path: path.to_owned(),
            sha256,
            file: below.join(path.trim_start_matches('/')).to_string_lossy().into_owned(),
        };
        let files = report.artifacts.iter().map(|artifact| kept(&artifact.path, artifact.sha256));
        files.chain([&report.stdout, &report.stderr].map(|stream| kept(stream.file, stream.sha256))).collect()
    }
}

/// Whether everything that came back lies there as it was taken.
pub(crate) fn verified(kept: &[Kept]) -> bool {
    kept.iter().all(|kept| digest(Path::new(&kept.file)).is_ok_and(|digest| digest == kept.sha256))
}

fn digest(path: &Path) -> io::Result<Sha256> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let mut hasher = sha2::Sha256::new();
    let mut bytes = vec![0; 128 * 1024];
    loop {
        let count = file.read(&mut bytes)?;
        let Some(read) = bytes.get(..count).filter(|read| !read.is_empty()) else { break };
        hasher.update(read);
    }
    Ok(Sha256::finish(hasher))
}

fn private(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
