//! The life of one gate, as others can see it.
#![expect(clippy::disallowed_methods, reason = "a gate shows that it lives by a file that it holds locked")]

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;

/// The run of this gate. As long as its file is locked, it lives.
#[derive(Debug)]
pub(super) struct OwnRun {
    folder: PathBuf,
    name: String,
    _lock: File,
}

impl OwnRun {
    pub(super) fn begin(folder: &Path) -> Result<Self, io::Error> {
        let folder = folder.join("usage-runs");
        fs::create_dir_all(&folder)?;
        let mut random = [0; 16];
        rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty())?;
        let name = data_encoding::HEXLOWER.encode(&random);
        let lock = OpenOptions::new().write(true).create_new(true).mode(0o600).open(folder.join(&name))?;
        rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self { folder, name, _lock: lock })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether the gate of this name holds its file. What cannot be told counts as yes.
    pub(super) fn is_alive(&self, name: &str) -> bool {
        if name == self.name {
            return true;
        }
        match OpenOptions::new().write(true).open(self.folder.join(name)) {
            Ok(file) => rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_err(),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }

    /// Takes away what is left of a gate that died.
    pub(super) fn bury(&self, name: &str) {
        let is_name = name.len() == self.name.len() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_name {
            // One that stays says nothing.
            let _ = fs::remove_file(self.folder.join(name));
        }
    }
}

impl Drop for OwnRun {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.folder.join(&self.name));
    }
}
