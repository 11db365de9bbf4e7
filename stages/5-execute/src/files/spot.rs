//! The place that a file is to have: a name in a folder that is held, with the folders on the way to it.

use std::os::fd::OwnedFd;

use call::{AbsolutePath, Fault};
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::target::{self, unwritable};
use crate::place::Opened;

const HOLD_FOLDER: OFlags =
    OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A name in a folder that is held.
pub(super) struct Spot {
    pub(super) folder: OwnedFd,
    pub(super) path: AbsolutePath,
    pub(super) name: String,
    /// Folders that were made for it, each with the one that holds it.
    pub(super) made: Vec<(OwnedFd, String)>,
}

impl Spot {
    pub(super) fn of(opened: &Opened, create_dirs: bool, given: &str) -> Result<Self, Fault> {
        let failed = |errno: Errno| unwritable(given, &errno.into());
        let (Some(folder), Some(name)) = (opened.folder(), opened.name()) else {
            return Err(target::is_folder(given));
        };
        let path = opened.path().parent().unwrap_or_else(AbsolutePath::root);
        let folder = rustix::fs::openat(folder, ".", HOLD_FOLDER, Mode::empty()).map_err(failed)?;
        let Some((last, folders)) = opened.missing().split_last() else {
            return Ok(Self { folder, path, name: name.to_owned(), made: Vec::new() });
        };
        check_way(opened, create_dirs, given)?;
        let mut spot = Self { folder, path, name: last.clone(), made: Vec::new() };
        for name in folders {
            let made = rustix::fs::mkdirat(&spot.folder, name, Mode::from_raw_mode(0o777));
            // One that another call made meanwhile serves as well, if it is a real folder.
            let below = match made {
                Ok(()) | Err(Errno::EXIST) => {
                    rustix::fs::openat(&spot.folder, name, HOLD_FOLDER, Mode::empty())
                }
                Err(errno) => Err(errno),
            };
            match below {
                Ok(below) => {
                    let above = std::mem::replace(&mut spot.folder, below);
                    if made.is_ok() {
                        spot.made.push((above, name.clone()));
                    }
                }
                Err(errno) => {
                    if made.is_ok() {
                        let _ = rustix::fs::unlinkat(&spot.folder, name, AtFlags::REMOVEDIR);
                    }
                    spot.remove_made();
                    return Err(match errno {
                        Errno::LOOP | Errno::NOTDIR | Errno::NOENT => {
                            Fault::Changed { path: given.to_owned() }
                        }
                        other => failed(other),
                    });
                }
            }
        }
        Ok(spot)
    }

    /// Takes away folders that were made for nothing. One that somebody uses by now stays.
    pub(super) fn remove_made(&mut self) {
        while let Some((above, name)) = self.made.pop() {
            let _ = rustix::fs::unlinkat(above, name, AtFlags::REMOVEDIR);
        }
    }
}

/// Whether the folders on the way are there, or may be made.
pub(super) fn check_way(opened: &Opened, create_dirs: bool, given: &str) -> Result<(), Fault> {
    let folders = opened.missing().split_last().map(|(_, folders)| folders);
    match folders.and_then(<[String]>::first) {
        Some(first) if !create_dirs => Err(Fault::Failed {
            class: "not_found",
            message: format!("`{given}` cannot be written: there is no folder `{first}` on the way to it"),
            remedy: Some("set `create_dirs` to true to have missing folders made".to_owned()),
        }),
        Some(_) | None => Ok(()),
    }
}
