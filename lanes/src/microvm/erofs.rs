//! A read-only filesystem image, written from a part of the machine.
//!
//! EROFS without compression: an emulated processor would take longer to decompress than the disk to read.
//! Nothing is mounted to write it and no program is needed. Every inode is of the long form and every
//! content begins at a block of its own; folders are sorted, as the kernel looks names up by halves.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::PathBuf;

/// Something in the image.
#[derive(Debug)]
pub(crate) enum Node {
    Folder(BTreeMap<Vec<u8>, Node>),
    Link(Vec<u8>),
    /// A file of the machine, of which so many bytes are taken.
    File {
        from: PathBuf,
        size: u64,
        mode: u16,
        modified: u64,
    },
}

const BLOCK: u64 = 4_096;
const INODE: u64 = 64;

/// Numbers of inodes count in halves of one; the first place stays empty, as no inode has the number 0.
const SLOTS: u64 = 2;

/// The block with the first inode.
const INODES: u32 = 1;

impl Node {
    /// An empty folder.
    pub(crate) const fn folder() -> Self {
        Self::Folder(BTreeMap::new())
    }

    const fn kind(&self) -> u8 {
        match self {
            Self::File { .. } => 1,
            Self::Folder(_) => 2,
            Self::Link(_) => 7,
        }
    }

    const fn mode(&self) -> u16 {
        match self {
            Self::File { mode, .. } => 0o100_000 | (*mode & 0o755),
            Self::Folder(_) => 0o040_755,
            Self::Link(_) => 0o120_777,
        }
    }

    /// Files and their bytes, below this.
    pub(crate) fn extent(&self) -> (u64, u64) {
        match self {
            Self::File { size, .. } => (1, *size),
            Self::Link(_) => (1, 0),
            Self::Folder(inside) => inside
                .values()
                .map(Self::extent)
                .fold((0, 0), |(files, bytes), (more, size)| (files + more, bytes + size)),
        }
    }
}

/// A node with its place.
struct Placed<'n> {
    node: &'n Node,
    /// The folder that it is in; of the root, itself.
    parent: usize,
    /// Names and places of what is in it.
    inside: Vec<(&'n [u8], usize)>,
    size: u64,
    block: u32,
}

/// Writes an image with this root. `done` is told how many bytes of files are written.
pub(crate) fn write(root: &Node, to: &mut File, done: &mut dyn FnMut(u64)) -> io::Result<()> {
    let mut all = Vec::new();
    place(root, 0, &mut all, 0)?;
    let inodes = (all.len() as u64 + 1) * INODE;
    let mut next = u64::from(INODES) + inodes.div_ceil(BLOCK);
    for placed in &mut all {
        placed.size = match placed.node {
            Node::File { size, .. } => *size,
            Node::Link(target) => target.len() as u64,
            Node::Folder(_) => folder_blocks(&names(placed, 0)).1,
        };
        placed.block = u32::try_from(next).map_err(|_| io::Error::other("the image is too large"))?;
        next += placed.size.div_ceil(BLOCK);
    }
    to.set_len(next * BLOCK)?;
    let mut writer = BufWriter::with_capacity(1 << 20, to);
    writer.write_all(&vec![0; 1_024])?;
    writer.write_all(&superblock(all.len() as u64, next)?)?;
    writer.seek(SeekFrom::Start(u64::from(INODES) * BLOCK + INODE))?;
    for (number, placed) in all.iter().enumerate() {
        writer.write_all(&inode(placed, number, &all))?;
    }
    let mut written = 0;
    for (number, placed) in all.iter().enumerate() {
        writer.seek(SeekFrom::Start(u64::from(placed.block) * BLOCK))?;
        match placed.node {
            Node::Folder(_) => writer.write_all(&folder_blocks(&typed(placed, number, &all)).0)?,
            Node::Link(target) => writer.write_all(target)?,
            Node::File { from, size, .. } => {
                let named = |error: io::Error| io::Error::other(format!("`{}`: {error}", from.display()));
                let mut file = File::open(from).map_err(named)?.take(*size);
                let copied = io::copy(&mut file, &mut writer).map_err(named)?;
                if copied != *size {
                    return Err(named(io::Error::other("it became shorter while it was read")));
                }
                written += size;
                done(written);
            }
        }
    }
    writer.flush()
}

/// Folders in folders that an image has at most.
const DEEPEST: usize = 64;

/// Gives everything a number, folders before what is in them.
fn place<'n>(node: &'n Node, parent: usize, all: &mut Vec<Placed<'n>>, depth: usize) -> io::Result<usize> {
    if depth > DEEPEST {
        return Err(io::Error::other("folders lie too deep for an image"));
    }
    let number = all.len();
    all.push(Placed { node, parent, inside: Vec::new(), size: 0, block: 0 });
    if let Node::Folder(entries) = node {
        let mut inside = Vec::new();
        for (name, entry) in entries {
            inside.push((name.as_slice(), place(entry, number, all, depth + 1)?));
        }
        if let Some(placed) = all.get_mut(number) {
            placed.inside = inside;
        }
    }
    Ok(number)
}

/// The number that the kernel knows an inode by.
const fn nid(number: usize) -> u64 {
    (number as u64 + 1) * SLOTS
}

/// A row of a folder: name, number, kind.
type Row<'n> = (&'n [u8], u64, u8);

/// The rows of a folder, sorted, as long as only their lengths matter.
fn names<'n>(placed: &Placed<'n>, number: usize) -> Vec<Row<'n>> {
    let own: [Row<'n>; 2] = [(b".", nid(number), 2), (b"..", nid(placed.parent), 2)];
    let inside = placed.inside.iter().map(|&(name, number)| (name, nid(number), 0));
    let mut rows: Vec<Row<'n>> = own.into_iter().chain(inside).collect();
    rows.sort();
    rows
}

/// The same, with what everything is.
fn typed<'n>(placed: &Placed<'n>, number: usize, all: &[Placed<'n>]) -> Vec<Row<'n>> {
    let mut rows = names(placed, number);
    for (name, _, kind) in &mut rows {
        let entry = placed.inside.iter().find(|(other, _)| other == name);
        if let Some(entry) = entry.and_then(|&(_, number)| all.get(number)) {
            *kind = entry.node.kind();
        }
    }
    rows
}

/// The blocks of a folder, and how long they are: the last one ends with its last name.
fn folder_blocks(rows: &[Row<'_>]) -> (Vec<u8>, u64) {
    const ROW: usize = 12;
    let mut bytes: Vec<u8> = Vec::new();
    let mut rest = rows;
    while !rest.is_empty() {
        let mut room = BLOCK as usize;
        let count = rest
            .iter()
            .take_while(|(name, _, _)| {
                let left = room.checked_sub(ROW + name.len());
                room = left.unwrap_or(0);
                left.is_some()
            })
            .count()
            .max(1);
        let (now, later) = rest.split_at(count.min(rest.len()));
        bytes.resize(bytes.len().next_multiple_of(BLOCK as usize), 0);
        let mut place = now.len() * ROW;
        for (name, number, kind) in now {
            bytes.extend(number.to_le_bytes());
            bytes.extend((place as u16).to_le_bytes());
            bytes.extend([*kind, 0]);
            place += name.len();
        }
        now.iter().for_each(|(name, _, _)| bytes.extend_from_slice(name));
        rest = later;
    }
    let length = bytes.len() as u64;
    (bytes, length)
}

fn superblock(inodes: u64, blocks: u64) -> io::Result<Vec<u8>> {
    const MAGIC: u32 = 0xe0f5_e1e2;
    const BLOCK_BITS: u8 = 12;
    let blocks = u32::try_from(blocks).map_err(|_| io::Error::other("the image is too large"))?;
    let root = u16::try_from(nid(0)).map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    // Magic, checksum, features that may be unknown.
    [MAGIC, 0, 0].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend([BLOCK_BITS, 0]);
    bytes.extend(root.to_le_bytes());
    bytes.extend(inodes.to_le_bytes());
    // When it was made: always the same, so that the same files are the same image.
    bytes.extend([0; 12]);
    [blocks, INODES, 0].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.resize(128, 0);
    Ok(bytes)
}

fn inode(placed: &Placed<'_>, number: usize, all: &[Placed<'_>]) -> Vec<u8> {
    /// The long form, with its content in whole blocks.
    const FORM: u16 = 1;
    let folders = |placed: &Placed<'_>| {
        let inside = placed.inside.iter().filter_map(|&(_, number)| all.get(number));
        inside.filter(|entry| matches!(entry.node, Node::Folder(_))).count() as u32
    };
    let (modified, links) = match placed.node {
        Node::File { modified, .. } => (*modified, 1),
        Node::Link(_) => (0, 1),
        Node::Folder(_) => (0, 2 + folders(placed)),
    };
    let mut bytes = Vec::new();
    [FORM, 0, placed.node.mode(), 0].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend(placed.size.to_le_bytes());
    // Where it begins, its number for people, user, group.
    [placed.block, number as u32 + 1, 0, 0].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend(modified.to_le_bytes());
    [0, links].iter().for_each(|number: &u32| bytes.extend(number.to_le_bytes()));
    bytes.resize(INODE as usize, 0);
    bytes
}
