//! What a program sees of the machine: some files and folders, at the paths that they have there.
//!
//! Links on the way are made again, so that a path means the same inside and outside; folders on the way
//! are empty but for what is asked for.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum Seen {
    /// A folder with nothing but what else is seen in it.
    Folder,
    /// A link.
    Link(PathBuf),
    /// The machine's own.
    Own { folder: bool },
    /// A file of the machine that lies elsewhere there.
    Moved(PathBuf),
}

/// A part of the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct View {
    seen: BTreeMap<PathBuf, Seen>,
}

/// Links that are followed on the way to one path.
const MOST_LINKS: usize = 40;

/// How deep below a folder links are looked for, and among how many entries.
const DEEPEST: usize = 3;
const MOST_LOOKED: usize = 20_000;

/// Is it a folder that comes with the system, some way below the folders that it has in common?
fn is_systems_folder(path: &Path) -> bool {
    let roots = ["/usr/share", "/usr/lib", "/usr/lib64", "/usr/local/share", "/usr/local/lib"];
    path.is_dir() && roots.iter().any(|root| path != Path::new(root) && path.starts_with(root))
}

impl View {
    /// Shows what is at a path of the machine, and the links on the way to it.
    pub(crate) fn show(&mut self, path: &Path) -> io::Result<()> {
        self.follow(path.to_owned(), MOST_LINKS)
    }

    fn follow(&mut self, path: PathBuf, links: usize) -> io::Result<()> {
        let mut at = PathBuf::from("/");
        let mut parts = path.components();
        while let Some(part) = parts.next() {
            match part {
                Component::Normal(name) => at.push(name),
                Component::ParentDir => drop(at.pop()),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
            let kind = std::fs::symlink_metadata(&at)?;
            if kind.is_symlink() {
                if links == 0 {
                    return Err(io::Error::other(format!("`{}` has too many links", path.display())));
                }
                let to = std::fs::read_link(&at)?;
                let parent = at.parent().unwrap_or_else(|| Path::new("/")).to_owned();
                let next = parent.join(&to).join(parts.as_path());
                self.add(&at, Seen::Link(to));
                return self.follow(next, links - 1);
            }
        }
        let kind = std::fs::metadata(&at)?;
        self.add(&at, Seen::Own { folder: kind.is_dir() });
        if kind.is_dir() && links > 0 {
            self.show_led_to(&at)?;
        }
        Ok(())
    }

    /// Distributions spread what belongs together over several places and link them: what the links of a
    /// folder lead to belongs to it. A link that leads nowhere leads nowhere inside too.
    ///
    /// Links deeper inside count where they lead to a folder of the system's own: what somebody put there
    /// with a link into his own files is not the runtime's.
    fn show_led_to(&mut self, folder: &Path) -> io::Result<()> {
        let mut looked = 0;
        let mut waiting = vec![(folder.to_owned(), 0)];
        while let Some((inside, depth)) = waiting.pop() {
            for entry in std::fs::read_dir(inside)? {
                let entry = entry?;
                looked += 1;
                if looked > MOST_LOOKED {
                    return Ok(());
                }
                let kind = entry.file_type()?;
                if kind.is_dir() && depth < DEEPEST {
                    waiting.push((entry.path(), depth + 1));
                }
                if kind.is_symlink()
                    && let Ok(target) = std::fs::canonicalize(entry.path())
                    && !target.starts_with(folder)
                    && !folder.starts_with(&target)
                    && (depth == 0 || is_systems_folder(&target))
                    && !self.is_inside_own(&target)
                {
                    self.follow(target, 0)?;
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, seen: Seen) {
        if path.parent().is_none() || self.is_inside_own(path) {
            return;
        }
        for above in path.ancestors().skip(1).filter(|above| above.parent().is_some()) {
            self.seen.entry(above.to_owned()).or_insert(Seen::Folder);
        }
        if matches!(seen, Seen::Own { folder: true }) {
            let inside: Vec<PathBuf> =
                self.seen.keys().filter(|other| other.starts_with(path)).cloned().collect();
            inside.iter().for_each(|other| drop(self.seen.remove(other)));
        }
        self.seen.insert(path.to_owned(), seen);
    }

    fn is_inside_own(&self, path: &Path) -> bool {
        path.ancestors().any(|above| matches!(self.seen.get(above), Some(Seen::Own { .. })))
    }

    /// Whether something of the machine is seen at a path.
    pub(crate) fn shows(&self, path: &Path) -> bool {
        self.is_inside_own(path)
    }

    /// A link of ours, where the machine shows nothing.
    pub(crate) fn name(&mut self, path: &Path, to: &Path) {
        if !self.seen.contains_key(path) && path != to {
            self.add(path, Seen::Link(to.to_owned()));
        }
    }

    /// A file of the machine, at a path of ours.
    pub(crate) fn move_to(&mut self, path: &Path, from: &Path) -> io::Result<()> {
        let from = std::fs::canonicalize(from)?;
        self.add(path, Seen::Moved(from));
        Ok(())
    }

    /// Everything that is seen, what is above first.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&Path, &Seen)> {
        self.seen.iter().map(|(path, seen)| (path.as_path(), seen))
    }

    /// Writes it down for the helper. What is above comes first.
    pub(crate) fn write(&self, plan: &mut super::plan::Plan) {
        for (path, seen) in &self.seen {
            match seen {
                Seen::Folder => plan.dir(path, 0o755),
                Seen::Link(to) => plan.link(to, path),
                Seen::Own { folder } => {
                    if *folder {
                        plan.dir(path, 0o755);
                    }
                    plan.bind(path, path, *folder);
                }
                Seen::Moved(from) => plan.bind(from, path, false),
            }
        }
    }
}
