//! A folder of its own for each test: `ws` is the workspace and the root, `out` is not.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use call::{AbsolutePath, FileKind, PathPlace, Paths as _};
use execute::place::Locator;
use tempfile::TempDir;

pub(crate) struct Disk {
    _folder: Option<TempDir>,
    pub(crate) base: PathBuf,
}

impl Disk {
    /// `ws/file`, `ws/sub/file`, `out/secret`, all with their own path as content.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let disk = Self { _folder: Some(folder), base };
        for file in ["ws/file", "ws/sub/file", "out/secret"] {
            disk.file(file);
        }
        disk
    }

    /// The same, with a home or without one: most paths are told in another way where there is one.
    pub(crate) fn with_home(home: bool) -> Self {
        let disk = Self::new();
        if home {
            disk.folder("ws/.toolgate");
        }
        disk
    }

    /// The one that another process made, and takes away.
    pub(crate) fn existing(base: PathBuf) -> Self {
        Self { _folder: None, base }
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.base.join(path)
    }

    pub(crate) fn text(&self, path: &str) -> String {
        self.at(path).to_str().unwrap().trim_end_matches('/').to_owned()
    }

    pub(crate) fn path(&self, path: &str) -> AbsolutePath {
        AbsolutePath::parse(&self.text(path)).unwrap()
    }

    pub(crate) fn file(&self, path: &str) {
        self.folder(Path::new(path).parent().unwrap().to_str().unwrap());
        fs::write(self.at(path), path).unwrap();
    }

    pub(crate) fn folder(&self, path: &str) {
        fs::create_dir_all(self.at(path)).unwrap();
    }

    /// A link at `path`. A target that begins with `@` lies in this disk, by its absolute path.
    pub(crate) fn link(&self, path: &str, target: &str) {
        let absolute = target.strip_prefix('@').map(|target| self.text(target));
        symlink(absolute.as_deref().unwrap_or(target), self.at(path)).unwrap();
    }

    pub(crate) fn locator(&self) -> Locator {
        self.locator_of(&["ws"])
    }

    pub(crate) fn locator_of(&self, roots: &[&str]) -> Locator {
        let roots: Vec<AbsolutePath> = roots.iter().map(|root| self.path(root)).collect();
        Locator::new(&self.path("ws"), &roots, &self.path("ws/.toolgate")).unwrap()
    }

    /// Where `given` leads in words, with paths from the folder of this disk.
    pub(crate) fn locate(&self, locator: &Locator, given: &str) -> String {
        let located = locator.locate(given);
        assert_eq!(located.given, given);
        match located.place {
            PathPlace::Below { path, kind } => {
                let path = path.below(&self.path("")).map_or(path.as_str(), |below| below);
                let kind = match kind {
                    FileKind::Absent => "absent",
                    FileKind::File => "file",
                    FileKind::Folder => "folder",
                    FileKind::Special => "special",
                };
                format!("{kind} {path}")
            }
            PathPlace::Outside => "outside".to_owned(),
            PathPlace::GateHome => "home".to_owned(),
            PathPlace::Unclear(unclear) => format!("unclear {unclear:?}"),
        }
    }

    /// Checks a table of paths, in which `@` is the folder of this disk, and where they lead.
    #[track_caller]
    pub(crate) fn check(&self, locator: &Locator, cases: &[(&str, &str)]) {
        let prefix = format!("{}/", self.text(""));
        let wrong: Vec<String> = cases
            .iter()
            .map(|(given, want)| (given, want, self.locate(locator, &given.replace('@', &prefix))))
            .filter(|(_, want, got)| got != *want)
            .map(|(given, want, got)| format!("{given:?} leads to {got:?}, not {want:?}"))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
