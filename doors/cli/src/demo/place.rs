//! The folder that the demo plays in.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;

use crate::chance::{NoChance, chance};
use crate::terminal::reason;
use crate::visible::visible_path;

/// A folder of its own: the workspace, and beside it the key of the person and the report.
#[derive(Debug)]
pub(crate) struct Place {
    root: PathBuf,
}

/// Why there is no such folder.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoPlace {
    #[error("`{}` is not empty", visible_path(.0))]
    NotEmpty(PathBuf),
    #[error("`{}`: {}", visible_path(.path), reason(.source))]
    Unwritable { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Chance(#[from] NoChance),
}

impl Place {
    /// The key of the person who agrees, as it is named in the workspace.
    pub(super) const KEY: &str = "../ada";

    /// The report, as it is named in the workspace.
    pub(super) const REPORT: &str = "../report.html";

    /// The chosen folder, or a new one among the temporary ones. Nobody else can look into it.
    pub(crate) fn make(chosen: Option<&Path>) -> Result<Self, NoPlace> {
        let path = match chosen {
            Some(path) => path.to_owned(),
            None => {
                let name = HEXLOWER.encode(&chance::<6>()?);
                std::env::temp_dir().join(format!("toolgate-demo-{name}"))
            }
        };
        let unwritable = |source| NoPlace::Unwritable { path: path.clone(), source };
        let mut folder = DirBuilder::new();
        folder.mode(0o700).recursive(chosen.is_some()).create(&path).map_err(unwritable)?;
        if fs::read_dir(&path).map_err(unwritable)?.next().is_some() {
            return Err(NoPlace::NotEmpty(path));
        }
        let root = fs::canonicalize(&path).map_err(unwritable)?;
        let place = Self { root };
        folder.create(place.workspace()).map_err(unwritable)?;
        Ok(place)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where the agent works.
    pub(crate) fn workspace(&self) -> PathBuf {
        self.root.join("workspace")
    }

    /// The key of the person who agrees, out of the agent's reach.
    pub(crate) fn key(&self) -> PathBuf {
        self.root.join("ada")
    }

    pub(crate) fn report(&self) -> PathBuf {
        self.root.join("report.html")
    }

    /// Removes the folder and all that is in it.
    pub(crate) fn remove(self) -> Result<(), NoPlace> {
        fs::remove_dir_all(&self.root).map_err(|source| NoPlace::Unwritable { path: self.root, source })
    }
}
