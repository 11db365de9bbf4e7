//! The files of the repository, as text.

use std::fs;
use std::path::Path;

use crate::repository::root;

/// One file: its path from the root, with `/`, and its bytes.
pub(super) struct File {
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
}

impl File {
    pub(super) fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    pub(super) fn is(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }
}

/// Every file, but for what builds and runs leave behind.
pub(super) fn files() -> Vec<File> {
    let mut found = Vec::new();
    walk(root(), "", &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

const LEFT_BEHIND: &[&str] =
    &[".git", "target", "fuzz/target", "fuzz/artifacts", "fuzz/corpus", "__pycache__"];

fn walk(folder: &Path, prefix: &str, found: &mut Vec<File>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        if LEFT_BEHIND.contains(&path.as_str()) || LEFT_BEHIND.contains(&name.as_str()) {
            continue;
        }
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            walk(&entry.path(), &path, found);
        } else if kind.is_file() {
            found.push(File { path, bytes: fs::read(entry.path()).unwrap() });
        }
    }
}
