//! The part of the machine that goes into an image: what a runtime needs, as the jail would show it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Component, Path};

use call::Sha256;

use super::erofs::Node;
use crate::jail::view::{Seen, View};

/// Folders that are there for the kernel and the jail inside to put something over.
const ALWAYS: [&str; 3] = ["/dev", "/proc", "/tmp"];

/// Folders in folders, and files, that are taken at most.
const DEEPEST: usize = 48;
const MOST: usize = 400_000;

/// The tree of what is seen.
pub(crate) fn of(view: &View) -> io::Result<Node> {
    let mut root = Node::folder();
    for folder in ALWAYS {
        put(&mut root, Path::new(folder), Node::folder());
    }
    let mut left = MOST;
    for (path, seen) in view.entries() {
        let node = match seen {
            Seen::Folder => Node::folder(),
            Seen::Link(to) => Node::Link(to.as_os_str().as_bytes().to_vec()),
            Seen::Own { .. } | Seen::Moved(_) => match read(source(path, seen), 0, &mut left)? {
                Some(node) => node,
                None => continue,
            },
        };
        put(&mut root, path, node);
    }
    Ok(root)
}

/// Where on the machine it is.
fn source<'s>(path: &'s Path, seen: &'s Seen) -> &'s Path {
    match seen {
        Seen::Moved(from) => from,
        Seen::Folder | Seen::Link(_) | Seen::Own { .. } => path,
    }
}

/// Puts something at its place. What is above came before; a folder that is there stays.
fn put(root: &mut Node, path: &Path, node: Node) {
    let mut names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.as_bytes().to_vec()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
    });
    let Some(mut name) = names.next() else { return };
    let mut at = root;
    for next in names {
        let Node::Folder(inside) = at else { return };
        at = inside.entry(name).or_insert_with(Node::folder);
        name = next;
    }
    if let Node::Folder(inside) = at {
        let stays = matches!((inside.get(&name), &node), (Some(Node::Folder(_)), Node::Folder(new)) if new.is_empty());
        if !stays {
            inside.insert(name, node);
        }
    }
}

/// What is at a path of the machine. Nothing where it is neither file, folder nor link, or cannot be read:
/// a program of this user could not read it either.
fn read(path: &Path, depth: usize, left: &mut usize) -> io::Result<Option<Node>> {
    let named = |error: io::Error| io::Error::other(format!("`{}`: {error}", path.display()));
    let kind = fs::symlink_metadata(path).map_err(named)?;
    *left = left.checked_sub(1).ok_or_else(|| named(io::Error::other("there are too many files")))?;
    if kind.is_symlink() {
        let to = fs::read_link(path).map_err(named)?;
        return Ok(Some(Node::Link(to.as_os_str().as_bytes().to_vec())));
    }
    if kind.is_file() {
        // Opened, because who may is not only a matter of its mode.
        if fs::File::open(path).is_err() {
            return Ok(None);
        }
        let mode = u16::try_from(kind.permissions().mode() & 0o777).unwrap_or(0o644);
        // Everybody may read it inside: it is what it is outside for whoever builds the image.
        let mode = mode | 0o444 | if mode & 0o111 == 0 { 0 } else { 0o111 };
        let modified = u64::try_from(kind.mtime()).unwrap_or(0);
        return Ok(Some(Node::File { from: path.to_owned(), size: kind.len(), mode, modified }));
    }
    if !kind.is_dir() {
        return Ok(None);
    }
    if depth > DEEPEST {
        return Err(named(io::Error::other("folders lie too deep")));
    }
    let Ok(entries) = fs::read_dir(path) else { return Ok(None) };
    let mut inside = BTreeMap::new();
    for entry in entries {
        let entry = entry.map_err(named)?;
        if let Some(node) = read(&entry.path(), depth + 1, left)? {
            inside.insert(entry.file_name().as_bytes().to_vec(), node);
        }
    }
    Ok(Some(Node::Folder(inside)))
}

/// What tells two trees apart: names, kinds, sizes and times, as build tools do.
pub(crate) fn key(root: &Node) -> Sha256 {
    use sha2::Digest as _;
    let mut hasher = sha2::Sha256::new();
    feed(root, &mut hasher);
    Sha256::finish(hasher)
}

fn feed(node: &Node, hasher: &mut sha2::Sha256) {
    use sha2::Digest as _;
    match node {
        Node::Folder(inside) => {
            hasher.update(b"d");
            hasher.update((inside.len() as u64).to_le_bytes());
            for (name, node) in inside {
                hasher.update((name.len() as u64).to_le_bytes());
                hasher.update(name);
                feed(node, hasher);
            }
        }
        Node::Link(to) => {
            hasher.update(b"l");
            hasher.update((to.len() as u64).to_le_bytes());
            hasher.update(to);
        }
        Node::File { size, mode, modified, .. } => {
            hasher.update(b"f");
            hasher.update(size.to_le_bytes());
            hasher.update(mode.to_le_bytes());
            hasher.update(modified.to_le_bytes());
        }
    }
}
