//! What stands in the repository at the paths that a call changes.
//!
//! Folder by folder, and only those on the way: a repository may be larger than any answer.

use std::collections::BTreeMap;

use call::Fault;
use serde_json::Value;

use super::Kind;
use super::change::{Becomes, FileChange};
use super::talk::{Talk, encoded};

/// Pages of one folder that are read at most.
const MOST_PAGES: usize = 100;

/// A file that stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) sha: String,
    pub(super) mode: String,
}

#[derive(Clone)]
struct Entry {
    kind: String,
    standing: Standing,
}

pub(super) struct Trees<'a> {
    talk: &'a Talk<'a>,
    root: String,
    read: BTreeMap<String, BTreeMap<String, Entry>>,
}

impl<'a> Trees<'a> {
    /// The folders below this one.
    pub(super) fn new(talk: &'a Talk<'a>, root: String) -> Self {
        Self { talk, root, read: BTreeMap::new() }
    }

    /// What stands where a file is to be changed: a plain file, or nothing where one is to be made.
    pub(super) fn standing(&mut self, change: &FileChange<'_>) -> Result<Option<Standing>, Fault> {
        let (path, mut folder) = (change.path, self.root.clone());
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        for part in above.split('/').filter(|part| !part.is_empty()) {
            match self.entry(&folder, part)? {
                None => return self.absent(change),
                Some(entry) if entry.kind == "tree" => folder = entry.standing.sha,
                Some(_) => {
                    let message = format!("`{part}` in `{path}` is no folder in the repository");
                    return Err(Fault::failed("not_a_folder", message));
                }
            }
        }
        let Some(entry) = self.entry(&folder, name)? else { return self.absent(change) };
        let deletes = matches!(change.becomes, Becomes::Nothing);
        match (entry.kind.as_str(), entry.standing.mode.as_str()) {
            ("blob", "120000") if !deletes => {
                let message =
                    format!("`{path}` is a link in the repository, and its content would be where it leads");
                Err(Fault::failed("not_a_file", message))
            }
            ("blob", _) => Ok(Some(entry.standing)),
            _ => Err(Fault::failed("not_a_file", format!("`{path}` is a folder or another repository"))),
        }
    }

    fn absent(&self, change: &FileChange<'_>) -> Result<Option<Standing>, Fault> {
        match change.becomes {
            Becomes::Text(_) | Becomes::Bytes(_) => Ok(None),
            Becomes::Nothing => Err(Fault::failed(
                "not_found",
                format!("there is no `{}` in the repository to delete", change.path),
            )),
        }
    }

    fn entry(&mut self, folder: &str, name: &str) -> Result<Option<Entry>, Fault> {
        if !self.read.contains_key(folder) {
            let entries = self.folder(folder)?;
            self.read.insert(folder.to_owned(), entries);
        }
        Ok(self.read.get(folder).and_then(|entries| entries.get(name)).cloned())
    }

    fn folder(&self, sha: &str) -> Result<BTreeMap<String, Entry>, Fault> {
        let mut entries = BTreeMap::new();
        for page in 1..=MOST_PAGES {
            let rest = match self.talk.kind() {
                Kind::GitHub => format!("/git/trees/{}", encoded(sha)),
                Kind::Forgejo => format!("/git/trees/{}?per_page=1000&page={page}", encoded(sha)),
            };
            let found = self.talk.get(&rest)?;
            for entry in found.get("tree").and_then(Value::as_array).into_iter().flatten() {
                let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
                let standing = Standing { sha: text("sha"), mode: text("mode") };
                entries.insert(text("path"), Entry { kind: text("type"), standing });
            }
            match (found.get("truncated").and_then(Value::as_bool).unwrap_or(false), self.talk.kind()) {
                (false, _) => return Ok(entries),
                (true, Kind::Forgejo) => {}
                (true, Kind::GitHub) => break,
            }
        }
        Err(Fault::failed(
            "folder_too_large",
            "a folder of the repository has more entries than the forge lists",
        ))
    }
}
