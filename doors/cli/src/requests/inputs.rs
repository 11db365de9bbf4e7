//! The files that a request declares: opened once, hashed, and handed over as they were hashed.
//!
//! A file on disk can change between the hash and the run, whatever name or descriptor it is reached by. So
//! what is hashed is copied at the same time into a file in memory that nobody can change any more, and
//! that is what the program gets.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::Path;

use call::{Reason, Sha256};
use document::Request;
use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags, fcntl_add_seals, memfd_create};
use sha2::Digest as _;

use super::paper::Paper;
use super::{INPUT_CHANGED, INPUT_MISSING, own_reason};
use crate::home::Home;
use crate::read::{Opened, Unreadable};

/// Finds every declared input: in the folder that was named, or else beside the document, or else in the
/// workspace. Only a file with the declared content counts.
pub(crate) fn collect(
    request: &Request,
    paper: &Paper,
    named: Option<&Path>,
    home: &Home,
    most: u64,
) -> Result<Vec<lanes::Input>, Vec<Reason>> {
    let mut folders: Vec<OwnedFd> = Vec::new();
    match named {
        Some(folder) => match open_folder(folder) {
            Ok(folder) => folders.push(folder),
            Err(error) => {
                let why = crate::terminal::reason(&error);
                let message = format!("the folder of inputs `{}`: {why}", folder.display());
                return Err(vec![own_reason(INPUT_MISSING, message, "`--inputs` names a folder")]);
            }
        },
        None => {
            folders.extend(paper.folder().try_clone_to_owned());
            folders.extend(open_folder(Path::new(home.workspace().as_str())));
        }
    }
    let (mut inputs, mut reasons) = (Vec::new(), Vec::new());
    for declared in &request.inputs {
        match find(&declared.name, declared.sha256, &folders, most) {
            Ok(content) => inputs.push(lanes::Input { name: declared.name.clone(), content }),
            Err(reason) => reasons.push(reason),
        }
    }
    if reasons.is_empty() { Ok(inputs) } else { Err(reasons) }
}

fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

fn find(name: &str, declared: Sha256, folders: &[OwnedFd], most: u64) -> Result<File, Reason> {
    let mut seen = None;
    for folder in folders {
        match taken(folder.as_fd(), name, most) {
            Ok((content, sha256)) if sha256 == declared => return Ok(content),
            Ok((_, sha256)) => {
                let message =
                    format!("the input `{name}` is not the one that was declared: its digest is {sha256}");
                let remedy = "put the file back as it was, or draft and approve the request anew";
                seen = Some(own_reason(INPUT_CHANGED, message, remedy));
            }
            Err(why) if why.is_gone() => {}
            Err(why) => {
                let message = format!("the input `{name}` cannot be read: {why}");
                seen.get_or_insert_with(|| own_reason(INPUT_MISSING, message, "inputs are ordinary files"));
            }
        }
    }
    Err(seen.unwrap_or_else(|| {
        let message = format!("the input `{name}` is nowhere to be found");
        own_reason(INPUT_MISSING, message, "put it beside the document, or name its folder with `--inputs`")
    }))
}

/// A copy of a file that nobody can change, and the digest of that copy.
fn taken(folder: BorrowedFd<'_>, name: &str, most: u64) -> Result<(File, Sha256), Unreadable> {
    let opened = Opened::open_in(folder, name.as_ref())?;
    let from = opened.rewound().map_err(Unreadable::System)?;
    sealed(from, most).map_err(Unreadable::System)
}

fn sealed(from: &File, most: u64) -> io::Result<(File, Sha256)> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let mut copy = File::from(memfd_create("toolgate-input", flags)?);
    let mut hasher = sha2::Sha256::new();
    let mut from = from.take(most.saturating_add(1));
    let mut bytes = vec![0; 128 * 1024];
    let mut total = 0_u64;
    loop {
        let count = from.read(&mut bytes)?;
        let Some(read) = bytes.get(..count).filter(|read| !read.is_empty()) else { break };
        total += read.len() as u64;
        if total > most {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        hasher.update(read);
        copy.write_all(read)?;
    }
    copy.rewind()?;
    fcntl_add_seals(&copy, SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE | SealFlags::SEAL)?;
    Ok((copy, Sha256::finish(hasher)))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::fd::AsFd as _;

    use call::Sha256;

    use super::{open_folder, taken};

    #[test]
    fn what_was_hashed_is_what_is_handed_over_whatever_becomes_of_the_file() {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::write(folder.path().join("a"), "good").unwrap();
        let opened = open_folder(folder.path()).unwrap();
        let (mut content, sha256) = taken(opened.as_fd(), "a", 100).unwrap();
        std::fs::write(folder.path().join("a"), "evil").unwrap();
        let mut read = String::new();
        content.read_to_string(&mut read).unwrap();
        assert_eq!((read.as_str(), sha256), ("good", Sha256::of(b"good")));
        assert!(content.write_all(b"evil").is_err(), "nobody changes it any more");
    }

    #[test]
    fn links_pipes_folders_and_large_files_are_no_inputs() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("file"), "12345").unwrap();
        std::os::unix::fs::symlink("file", path("link")).unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        let opened = open_folder(folder.path()).unwrap();
        for (name, most, fine) in [
            ("file", 5, true),
            ("file", 4, false),
            ("link", 9, false),
            ("folder", 9, false),
            ("pipe", 9, false),
            ("none", 9, false),
        ] {
            assert_eq!(taken(opened.as_fd(), name, most).is_ok(), fine, "{name}");
        }
    }
}
