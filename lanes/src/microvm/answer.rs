//! What a machine answered, read as if an attacker had written it.
//!
//! A program that took over the kernel of its machine writes what it likes. So every number is held against
//! a bound before it is used, nothing is kept beyond the limits of the job, and nothing is written to the
//! disk before the whole answer was read once. The form is described in `lanes/helper/src/answer.rs`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use helper::answer::{ENTRY, HEAD, MOST_OUTPUT, MOST_PATH, kind};
use rustix::fs::FileType;

use crate::outputs::{DEEPEST, LONGEST_PATH, Taken, odd_kind, plain_name, why};
use crate::{LaneError, Limits};

/// An answer, as far as it came.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// The machine came up, with this version of Landlock.
    pub(crate) up: Option<u32>,
    pub(crate) started: bool,
    /// The step that failed, and of what.
    pub(crate) failed: Option<(u32, i32)>,
    pub(crate) ended: Option<Ended>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    entries: BTreeMap<Vec<u8>, Entry>,
    /// It was said that nothing more comes.
    pub(crate) done: bool,
}

/// How the program ended, in the machine's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) status: i32,
    pub(crate) stopped: u32,
    pub(crate) starved: bool,
    pub(crate) full: u32,
}

/// Something that was left below `/out`.
#[derive(Debug)]
struct Entry {
    kind: FileType,
    names: u32,
    size: u64,
    /// Where its content begins.
    content: Option<u64>,
}

/// Entries beside the files that a job may have: links to the same file have no room of their own
/// everywhere.
const MORE_ENTRIES: usize = 1_024;

/// Reads an answer. One that ends early is no error: it is not [`Answer::done`].
pub(crate) fn read(file: &File, limits: &Limits) -> Result<Answer, String> {
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    let mut reader = Reader { file, at: 0, length };
    let mut answer = Answer::default();
    while let Some((kind, size)) = reader.head()? {
        if answer.done {
            return Err("something comes behind its end".to_owned());
        }
        if !answer.frame(kind, size, &mut reader, limits)? {
            break;
        }
    }
    Ok(answer)
}

/// An answer that is being read.
struct Reader<'f> {
    file: &'f File,
    at: u64,
    length: u64,
}

impl Reader<'_> {
    /// Kind and length of the next frame; nothing when it did not come whole.
    fn head(&mut self) -> Result<Option<(u32, u64)>, String> {
        let Some(bytes) = self.bytes(HEAD)? else { return Ok(None) };
        let (kind, length) = bytes.split_first_chunk::<4>().ok_or("a frame without a head")?;
        let length = length.first_chunk::<8>().ok_or("a frame without a head")?;
        Ok(Some((u32::from_le_bytes(*kind), u64::from_le_bytes(*length))))
    }

    /// So many bytes; nothing when they did not come.
    fn bytes(&mut self, count: usize) -> Result<Option<Vec<u8>>, String> {
        if self.length - self.at < count as u64 {
            return Ok(None);
        }
        let mut bytes = vec![0; count];
        self.file.read_exact_at(&mut bytes, self.at).map_err(|error| error.to_string())?;
        self.at += count as u64;
        Ok(Some(bytes))
    }

    /// Goes on behind so many bytes; nothing when they did not come.
    const fn skip(&mut self, count: u64) -> Option<u64> {
        if self.length - self.at < count {
            return None;
        }
        let began = self.at;
        self.at += count;
        Some(began)
    }
}

impl Answer {
    /// Takes in a frame; not when it did not come whole.
    fn frame(
        &mut self,
        kind: u32,
        size: u64,
        reader: &mut Reader<'_>,
        limits: &Limits,
    ) -> Result<bool, String> {
        let runs = self.started && self.ended.is_none();
        let (least, most, in_turn) = match kind {
            kind::UP => (4, 4, self.up.is_none()),
            kind::STARTS => (0, 0, self.up.is_some() && !self.started && self.failed.is_none()),
            kind::OUTPUT | kind::ERRORS => (1, MOST_OUTPUT, runs),
            kind::FAILED => (8, 8, self.up.is_some() && self.ended.is_none() && self.failed.is_none()),
            kind::ENDED => (16, 16, runs),
            kind::ENTRY => (ENTRY + 1, ENTRY + MOST_PATH, self.ended.is_some()),
            kind::DONE => (0, 0, self.up.is_some() && (!self.started || self.ended.is_some())),
            _ => return Err(format!("a frame of the unknown kind {kind}")),
        };
        let size = usize::try_from(size).ok().filter(|size| (least..=most).contains(size));
        let Some(size) = size.filter(|_| in_turn) else {
            return Err(format!("a frame of the kind {kind} that cannot be there"));
        };
        let Some(bytes) = reader.bytes(size)? else { return Ok(false) };
        let numbers = numbers(&bytes);
        match kind {
            kind::UP => self.up = numbers.first().copied(),
            kind::STARTS => self.started = true,
            kind::OUTPUT => keep(&mut self.stdout, &bytes, limits)?,
            kind::ERRORS => keep(&mut self.stderr, &bytes, limits)?,
            kind::FAILED => {
                if let [step, error] = numbers.as_slice() {
                    self.failed = Some((*step, error.cast_signed()));
                }
            }
            kind::ENDED => {
                if let [status, stopped, starved, full] = *numbers.as_slice() {
                    let status = status.cast_signed();
                    self.ended = Some(Ended { status, stopped, starved: starved != 0, full });
                }
            }
            kind::ENTRY => return self.entry(&bytes, reader, limits),
            _ => self.done = true,
        }
        Ok(true)
    }

    fn entry(&mut self, bytes: &[u8], reader: &mut Reader<'_>, limits: &Limits) -> Result<bool, String> {
        let (head, path) = bytes.split_at_checked(ENTRY).ok_or("an entry without a head")?;
        let [mode, names, follows, low, high] = *numbers(head).as_slice() else {
            return Err("an entry without a head".to_owned());
        };
        let size = u64::from(low) | u64::from(high) << 32;
        let kind = FileType::from_raw_mode(mode);
        let mut entry = Entry { kind, names, size, content: None };
        if path
            .split(|byte| *byte == b'/')
            .any(|name| matches!(name, b"" | b"." | b"..") || name.contains(&0))
        {
            return Err("an entry whose path is none".to_owned());
        }
        if follows != 0 {
            if kind != FileType::RegularFile || size > limits.disk {
                return Err("content where there can be none".to_owned());
            }
            let Some(began) = reader.skip(size) else { return Ok(false) };
            entry.content = Some(began);
        }
        if self.entries.len() >= limits.files as usize + MORE_ENTRIES {
            return Err("more entries than there can be".to_owned());
        }
        if self.entries.insert(path.to_owned(), entry).is_some() {
            return Err("an entry that is there twice".to_owned());
        }
        Ok(true)
    }

    /// Puts the files into a folder that is there and empty, by the same rules as everywhere.
    pub(crate) fn unpack(&self, file: &File, into: &Path, limits: &Limits) -> Result<Taken, LaneError> {
        let mut taken = Taken::of_at_most(limits.files, limits.disk);
        // Folders that were taken: what is in others was refused with them.
        let mut folders: Vec<&[u8]> = vec![b""];
        for (path, entry) in &self.entries {
            let (above, name) = match path.iter().rposition(|byte| *byte == b'/') {
                Some(slash) => (path.get(..slash).unwrap_or_default(), path.get(slash + 1..)),
                None => (b"".as_slice(), Some(path.as_slice())),
            };
            if !folders.contains(&above) {
                continue;
            }
            let shown = String::from_utf8_lossy(path).into_owned();
            let depth = path.iter().filter(|byte| **byte == b'/').count();
            if plain_name(name.unwrap_or_default()).is_none() || shown.len() > LONGEST_PATH {
                taken.refuse(shown, why::NAME);
                continue;
            }
            let target = into.join(&shown);
            match entry.kind {
                FileType::Directory if depth >= DEEPEST => taken.refuse(shown, why::DEEP),
                FileType::Directory => {
                    std::fs::create_dir(&target)
                        .map_err(|error| LaneError::failed(target.display().to_string(), error))?;
                    folders.push(path);
                }
                FileType::RegularFile if entry.names > 1 => taken.refuse(shown, why::NAMES),
                FileType::RegularFile => match entry.content.filter(|_| taken.has_room(entry.size)) {
                    Some(began) => {
                        taken.put(Part { file, at: began, left: entry.size }, &target, shown, entry.size)?;
                    }
                    None => taken.refuse(shown, why::MANY),
                },
                FileType::Symlink
                | FileType::Fifo
                | FileType::Socket
                | FileType::CharacterDevice
                | FileType::BlockDevice
                | FileType::Unknown => taken.refuse(shown, odd_kind(entry.kind).unwrap_or_default()),
            }
        }
        Ok(taken.sorted())
    }
}

/// The numbers of four bytes that these are.
fn numbers(bytes: &[u8]) -> Vec<u32> {
    if bytes.len() > 64 {
        return Vec::new();
    }
    bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

fn keep(stream: &mut Vec<u8>, bytes: &[u8], limits: &Limits) -> Result<(), String> {
    if stream.len() as u64 + bytes.len() as u64 > limits.output {
        return Err("more output than there can be".to_owned());
    }
    stream.extend_from_slice(bytes);
    Ok(())
}

/// A part of the answer, as something to read.
struct Part<'f> {
    file: &'f File,
    at: u64,
    left: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(into.len());
        let count = self.file.read_at(into.get_mut(..most).unwrap_or_default(), self.at)?;
        if count == 0 && most > 0 {
            return Err(io::Error::other("the answer became shorter while it was read"));
        }
        self.at += count as u64;
        self.left -= count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
