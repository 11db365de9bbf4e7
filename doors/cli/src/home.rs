//! The gate's home: where policy, requests and the ledger lie.

mod applied;
mod books;
mod ground;
mod make;
mod witnesses;

pub(crate) use applied::{Applied, BadState};
pub(crate) use books::{Books, NoBooks};
pub(crate) use ground::Disk;
pub(crate) use make::{Made, NotMade, make};
pub(crate) use witnesses::{
    BadTarget, BadWitnesses, Reference, Seen, Target, Witness, Witnesses, is_name as is_witness_name,
};

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use call::AbsolutePath;
use decide::PolicyFiles;

/// The name of the folder.
pub(crate) const NAME: &str = call::GATE_HOME;

/// Bytes of one file of a policy that are read; more is found and refused.
const LARGEST: u64 = 8 * 1024 * 1024 + 1;

/// A home that is there.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    folder: PathBuf,
    workspace: AbsolutePath,
}

/// Why there is no home to work with.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoHome {
    #[error("there is no `.toolgate` folder here or above")]
    NotFound,
    #[error("`{0}` is not a home of the gate: it has no `policy.toml`")]
    NotHome(String),
    #[error("`{path}`: {}", crate::terminal::reason(source))]
    Unreadable { path: String, source: io::Error },
}

impl NoHome {
    pub(crate) const fn hint(&self) -> &'static str {
        match self {
            Self::NotFound => "`toolgate init` makes one in this folder",
            Self::NotHome(_) => {
                "`--home` names a `.toolgate` folder; `toolgate init DIR` makes `DIR/.toolgate`"
            }
            Self::Unreadable { .. } => "the gate must be able to read its own home",
        }
    }
}

impl Home {
    /// The home that was named, or the nearest one upward from the working directory.
    pub(crate) fn find(named: Option<&Path>) -> Result<Self, NoHome> {
        let unreadable = |path: &Path| {
            let path = path.to_string_lossy().into_owned();
            move |source| NoHome::Unreadable { path, source }
        };
        let folder = match named {
            Some(named) => {
                let below = named.join(NAME);
                let candidates = [named.to_path_buf(), below];
                let found = candidates.into_iter().find(|folder| folder.join("policy.toml").exists());
                found.ok_or_else(|| NoHome::NotHome(named.to_string_lossy().into_owned()))?
            }
            None => {
                let here = std::env::current_dir().map_err(unreadable(Path::new(".")))?;
                let above = here.ancestors().map(|folder| folder.join(NAME));
                above.into_iter().find(|folder| folder.is_dir()).ok_or(NoHome::NotFound)?
            }
        };
        let folder = fs::canonicalize(&folder).map_err(unreadable(&folder))?;
        let workspace = folder.parent().and_then(Path::to_str).and_then(AbsolutePath::parse);
        let workspace = workspace.ok_or_else(|| NoHome::NotHome(folder.to_string_lossy().into_owned()))?;
        Ok(Self { folder, workspace })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) const fn workspace(&self) -> &AbsolutePath {
        &self.workspace
    }

    /// The files of the policy as they lie on disk.
    pub(crate) fn policy_files(&self) -> Result<PolicyFiles, NoHome> {
        policy_files(&self.folder)
    }
}

/// What is wrong with a text that should be TOML, and where. The text itself is not repeated: it may hold a
/// password.
fn toml_problem(text: &str, error: &toml_edit::TomlError) -> String {
    let at = error.span().map_or(0, |span| span.start);
    let line = text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1;
    let message: Vec<&str> = error.message().split_whitespace().collect();
    format!("line {line}: {}", message.join(" "))
}

/// The files of a policy below a folder that is laid out like a home.
pub(crate) fn policy_files(folder: &Path) -> Result<PolicyFiles, NoHome> {
    let mut files = PolicyFiles::default();
    let mut folders = vec![(folder.to_path_buf(), String::new())];
    while let Some((path, prefix)) = folders.pop() {
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(source) => {
                return Err(NoHome::Unreadable { path: path.to_string_lossy().into_owned(), source });
            }
        };
        for entry in entries {
            let entry = entry
                .map_err(|source| NoHome::Unreadable { path: path.to_string_lossy().into_owned(), source })?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let name = format!("{prefix}{name}");
            let wanted_folder = matches!(name.as_str(), "skills" | "policies" | "tools")
                || prefix == "skills/" && !name.starts_with("skills/_");
            if wanted_folder && entry.path().is_dir() {
                folders.push((entry.path(), format!("{name}/")));
            } else if PolicyFiles::has(&name) || is_stray(&name) {
                // What looks like a policy and is none is part of what is checked and applied, so that nobody
                // takes it for one.
                if entry.path().is_dir() {
                    files.0.insert(format!("{name}/"), Vec::new());
                    continue;
                }
                let bytes = read_file(&entry.path()).map_err(|source| NoHome::Unreadable {
                    path: entry.path().to_string_lossy().into_owned(),
                    source,
                })?;
                files.0.insert(name, bytes);
            }
        }
    }
    Ok(files)
}

/// Whether this lies where an organisation's policies lie and is none of them. Notes to the reader may.
fn is_stray(name: &str) -> bool {
    let Some(file) = name.strip_prefix("policies/") else { return false };
    let note =
        file.starts_with(['.', '#']) || file.ends_with('~') || file.to_lowercase().starts_with("readme");
    !note && !PolicyFiles::has(name)
}

/// A whole file, or its beginning when it is larger than any file of a policy may be.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    use std::io::Read as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = fs::OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not an ordinary file"));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
