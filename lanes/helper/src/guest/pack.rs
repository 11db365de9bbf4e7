//! What a program left below `/out`, said to the gate entry by entry.
//!
//! Nobody is left who could change it. Nothing is judged here: what every entry is goes out as it is, and
//! the content of plain files with one name, as far as there may be so much. Nothing is followed.

use core::ffi::CStr;

use super::port::Port;
use crate::answer::{DEEPEST, ENTRY, MOST_PATH, kind};
use crate::sys::{self, EINVAL, Fd};

const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;

/// Says all that is below a folder.
///
/// # Errors
/// When something cannot be read, or the gate does not listen.
pub(super) fn pack(folder: Fd, bytes: u64, port: &mut Port) -> sys::Result<()> {
    let mut packer = Packer { port, left: bytes, path: [0; MOST_PATH] };
    packer.folder(folder, 0, 0)
}

struct Packer<'p> {
    port: &'p mut Port,
    left: u64,
    path: [u8; MOST_PATH],
}

impl Packer<'_> {
    /// A folder whose path, with a slash at its end, is the first `above` bytes.
    fn folder(&mut self, folder: Fd, above: usize, depth: usize) -> sys::Result<()> {
        let mut entries = [0; 4_096];
        loop {
            let read = sys::entries(folder, &mut entries)?;
            let mut rest = entries.get(..read).unwrap_or_default();
            if rest.is_empty() {
                return Ok(());
            }
            while let Some((name, behind)) = next(rest) {
                rest = behind;
                if !matches!(name.to_bytes(), b"." | b"..") {
                    self.entry(folder, name, above, depth)?;
                }
            }
        }
    }

    fn entry(&mut self, folder: Fd, name: &CStr, above: usize, depth: usize) -> sys::Result<()> {
        let length = above + name.to_bytes().len();
        let Some(place) = self.path.get_mut(above..length) else { return Err(EINVAL) };
        place.copy_from_slice(name.to_bytes());
        let seen = sys::look(folder, name)?;
        let is_plain = seen.mode & KIND == FILE && seen.names == 1;
        let rest = self.left.checked_sub(seen.size).filter(|_| is_plain);
        self.say(&seen, rest.is_some(), length)?;
        if let Some(rest) = rest {
            self.left = rest;
            return self.content(folder, name, seen.size);
        }
        // Deeper than the gate takes anything, or longer than it takes a path, nobody needs to look.
        if seen.mode & KIND == FOLDER
            && depth + 1 < DEEPEST
            && length + 257 < MOST_PATH
            && let Some(slash) = self.path.get_mut(length)
        {
            *slash = b'/';
            let inner = sys::open_at(folder, name, sys::O_RDONLY | sys::O_NOFOLLOW, 0)?;
            let done = self.folder(inner, length + 1, depth + 1);
            sys::close(inner);
            return done;
        }
        Ok(())
    }

    fn say(&mut self, seen: &sys::Seen, follows: bool, length: usize) -> sys::Result<()> {
        let mut head = [0; ENTRY];
        let numbers = [seen.mode, seen.names, u32::from(follows)].map(u32::to_le_bytes);
        let size = seen.size.to_le_bytes();
        for (to, from) in head.iter_mut().zip(numbers.as_flattened().iter().chain(&size)) {
            *to = *from;
        }
        let path = self.path.get(..length).unwrap_or_default();
        self.port.frame(kind::ENTRY, &[&head, path])
    }

    /// As many bytes as were said, whatever the file has.
    fn content(&mut self, folder: Fd, name: &CStr, size: u64) -> sys::Result<()> {
        let file = sys::open_at(folder, name, sys::O_RDONLY | sys::O_NOFOLLOW | sys::O_NONBLOCK, 0)?;
        let mut bytes = [0; 32 * 1024];
        let mut left = size;
        let mut said = Ok(());
        while left > 0 && said.is_ok() {
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
            said = match sys::read(file, bytes.get_mut(..most).unwrap_or_default()) {
                Ok(0) => Err(EINVAL),
                Ok(count) => {
                    left = left.saturating_sub(count as u64);
                    self.port.say(bytes.get(..count).unwrap_or_default())
                }
                Err(error) => Err(error),
            };
        }
        sys::close(file);
        said
    }
}

/// The next name in what the kernel says of a folder, and what is behind it.
fn next(entries: &[u8]) -> Option<(&CStr, &[u8])> {
    const LENGTH: usize = 16;
    const NAME: usize = 19;
    let length = entries.get(LENGTH..)?.first_chunk::<2>()?;
    let (entry, behind) = entries.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    Some((CStr::from_bytes_until_nul(entry.get(NAME..)?).ok()?, behind))
}
