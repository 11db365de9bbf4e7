//! What servers behind the gate find of the workspace: what policy lets calls do there, and no more.

use std::path::{Path, PathBuf};

use call::{AbsolutePath, Lane, RunCaps};
use decide::{PathEntry, Policy};
use mcp_door::Workspace;

use crate::home::Home;

/// What servers find of the workspace.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// Where relative paths begin.
    pub(super) workspace: PathBuf,
    /// Folders that calls may look at.
    read: Vec<PathBuf>,
    /// Folders that calls may change.
    write: Vec<PathBuf>,
    /// What no call touches.
    deny: Vec<PathEntry>,
    /// The gate's own home, which nobody sees.
    home: Option<PathBuf>,
    /// The weakest lane for code of others.
    pub(super) minimum: Lane,
    pub(super) caps: RunCaps,
}

impl Ground {
    /// The ground of a home under its policy.
    pub(crate) fn of(home: &Home, policy: &Policy) -> Self {
        let rules = policy.home();
        let path = |path: &AbsolutePath| PathBuf::from(path.as_str());
        let roots = rules.roots();
        let read: Vec<PathBuf> = roots.iter().map(path).filter(|root| root.is_dir()).collect();
        let may_change = |folder: &AbsolutePath| rules.write_paths.iter().any(|entry| entry.allows(folder));
        let mut write: Vec<PathBuf> = roots.iter().filter(|root| may_change(root)).map(path).collect();
        // A folder that is named below a root; what a glob covers cannot be handed over as a folder.
        for entry in &rules.write_paths {
            let named = Path::new(home.workspace().as_str()).join(&entry.written);
            let named = std::fs::canonicalize(named).ok();
            let real = named.as_deref().and_then(Path::to_str).and_then(AbsolutePath::parse);
            if let Some(real) = real.filter(|real| entry.allows(real)) {
                write.push(path(&real));
            }
        }
        write.retain(|folder| folder.is_dir() && read.iter().any(|root| folder.starts_with(root)));
        write.sort();
        write.dedup();
        if rules.read_only {
            write.clear();
        }
        Self {
            workspace: path(home.workspace()),
            read,
            write,
            deny: rules.deny.clone(),
            home: Some(home.folder().to_owned()),
            minimum: rules.lanes.minimum,
            caps: rules.lanes.caps,
        }
    }

    /// Only to look at this folder, where there is no home.
    pub(crate) fn only(folder: PathBuf) -> Self {
        Self {
            read: vec![folder.clone()],
            workspace: folder,
            write: Vec::new(),
            deny: Vec::new(),
            home: None,
            minimum: Lane::Jail,
            caps: RunCaps { disk_mb: 256, files: 10_000, processes: 128, output_kb: 1_024 },
        }
    }

    /// The same, only to be looked at.
    pub(crate) fn only_looked_at(self) -> Self {
        Self { write: Vec::new(), ..self }
    }

    /// Folders to read, and to write to.
    pub(super) fn folders(&self, workspace: Workspace) -> (Vec<PathBuf>, Vec<PathBuf>) {
        match workspace {
            Workspace::Policy => (self.read.clone(), self.write.clone()),
            Workspace::Read => (self.read.clone(), Vec::new()),
            Workspace::None => (Vec::new(), Vec::new()),
        }
    }

    /// A path of `servers.toml`, where it leads.
    pub(super) fn path(&self, written: &str, user: Option<&Path>) -> Result<PathBuf, String> {
        let below = written.strip_prefix("~/").or((written == "~").then_some(""));
        let path = match (below, user) {
            (Some(below), Some(user)) => user.join(below),
            (Some(_), None) => return Err(format!("`{written}`: no home folder of the user is known")),
            (None, _) => self.workspace.join(written),
        };
        let real = std::fs::canonicalize(&path).map_err(|error| format!("`{written}`: {}", error.kind()))?;
        if real.parent().is_none() {
            return Err(format!("`{written}` is the machine itself, and no folder to work in"));
        }
        if self.denies(&real) {
            return Err(format!("`{written}` is denied by policy, to servers as well"));
        }
        Ok(real)
    }

    pub(super) fn denies(&self, path: &Path) -> bool {
        if self.home.as_deref().is_some_and(|home| path.starts_with(home)) {
            return true;
        }
        // A name that is no text is matched by no list, and so it is not shown where there is a list.
        match path.to_str().and_then(AbsolutePath::parse) {
            Some(path) => self.deny.iter().any(|entry| entry.denies(&path)),
            None => !self.deny.is_empty(),
        }
    }

    /// Whether nothing in a folder is anybody's business, whatever it is called. Such a folder is covered as a
    /// whole, with what appears in it later.
    pub(super) fn denies_all_below(&self, folder: &Path) -> bool {
        !self.deny.is_empty() && ANY_NAMES.iter().all(|name| self.denies(&folder.join(name)))
    }

    /// The gate's own home, where there is one.
    pub(super) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }
}

/// Names that have nothing in common: a list that denies all of them denies any.
const ANY_NAMES: [&str; 4] = ["0", "Zq-9.odd", "_k~", "\u{e9}t\u{e9}"];
