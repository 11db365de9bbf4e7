//! The policy in force: the one that was last applied, kept whole.
//!
//! Which one that is, the ledger says. Its files are kept in the home's own state folder, in one file that
//! is replaced in one step: whoever reads it sees the policy before or the policy after, never half of
//! each. Files that are not those of the ledger are in force nowhere.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use call::{Moment, Sha256};
use data_encoding::BASE64;
use decide::PolicyFiles;
use record::store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::ordinary;

/// Bytes of the file that is read: every file that a policy may have, in base64.
const LARGEST: u64 = 1024 * 1024 * 1024;

/// What is in force.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    pub(crate) files: PolicyFiles,
}

/// Why it cannot be said what is in force.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadState {
    #[error("no policy has been applied in this home")]
    Nothing,
    #[error("`{path}`: {}", crate::terminal::reason(source))]
    Unreadable { path: String, source: io::Error },
    #[error("`{0}` is damaged: what it holds is not what its digest says")]
    Damaged(String),
    #[error("`{0}` is not the policy that the ledger says was applied last")]
    NotRecorded(String),
    #[error(transparent)]
    Ledger(#[from] StoreError),
}

#[derive(Serialize, Deserialize)]
struct Stored {
    digest: String,
    applied_utc: String,
    files: BTreeMap<String, String>,
}

fn place(home: &Path) -> PathBuf {
    home.join("state").join("applied.json")
}

impl Applied {
    /// What was last applied. The ledger says what that is, and the state folder has its files.
    pub(crate) fn load(home: &Path, ledger: &mut dyn Store) -> Result<Self, BadState> {
        let path = place(home);
        let shown = || path.to_string_lossy().into_owned();
        let text = match ordinary::read_text(&path, LARGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(BadState::Nothing),
            Err(source) => return Err(BadState::Unreadable { path: shown(), source }),
        };
        let stored: Stored = serde_json::from_str(&text).map_err(|_| BadState::Damaged(shown()))?;
        let decoded =
            stored.files.into_iter().map(|(name, text)| Some((name, BASE64.decode(text.as_bytes()).ok()?)));
        let files: Option<BTreeMap<String, Vec<u8>>> = decoded.collect();
        let files = PolicyFiles(files.ok_or_else(|| BadState::Damaged(shown()))?);
        let digest: Option<Sha256> = stored.digest.parse().ok();
        if digest != Some(files.digest()) {
            return Err(BadState::Damaged(shown()));
        }
        let recorded = ledger.marked("policy_applied")?.and_then(|entry| entry.value());
        let recorded = recorded.as_ref().and_then(|event| event.get("policy")?.as_str());
        if recorded != Some(files.digest().to_string().as_str()) {
            return Err(BadState::NotRecorded(shown()));
        }
        Ok(Self { files })
    }

    /// Puts these files in force.
    pub(crate) fn store(home: &Path, files: &PolicyFiles, now: Moment) -> io::Result<()> {
        let stored = Stored {
            digest: files.digest().to_string(),
            applied_utc: now.to_string(),
            files: files.0.iter().map(|(name, bytes)| (name.clone(), BASE64.encode(bytes))).collect(),
        };
        let folder = home.join("state");
        fs::create_dir_all(&folder)?;
        let text = serde_json::to_string_pretty(&stored).map_err(io::Error::other)?;
        let mut file = tempfile_in(&folder)?;
        file.0.write_all(text.as_bytes())?;
        file.0.sync_all()?;
        fs::rename(&file.1, place(home))?;
        fs::File::open(&folder)?.sync_all()
    }
}

/// A new file of our own in `folder`.
fn tempfile_in(folder: &Path) -> io::Result<(fs::File, PathBuf)> {
    use std::os::unix::fs::OpenOptionsExt as _;
    for number in 0..1_000_u32 {
        let path = folder.join(format!(".applied-{}-{number}", std::process::id()));
        match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}
