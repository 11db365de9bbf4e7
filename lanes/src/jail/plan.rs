//! The plan that the helper is given, as bytes. The helper's side, with what each step means, is
//! `lanes/helper/src/plan.rs`.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use helper::plan::{MAGIC, kind};

/// A plan that is being written.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    bytes: Vec<u8>,
    /// What each step is for, to say which one failed.
    meanings: Vec<String>,
    contents: Vec<Content>,
    /// Bytes of the contents so far.
    length: u64,
    copies: Vec<usize>,
}

/// What is to be in a file.
#[derive(Debug)]
pub(crate) enum Content {
    Bytes(Vec<u8>),
    /// The first so many bytes of a file, whatever its descriptor was used for before.
    File(File, u64),
}

impl Content {
    fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(_, length) => *length,
        }
    }

    fn write(self, to: &mut File) -> io::Result<()> {
        let (file, length) = match self {
            Self::Bytes(bytes) => return to.write_all(&bytes),
            Self::File(file, length) => (file, length),
        };
        let mut bytes = vec![0; 128 * 1024];
        let mut done = 0;
        while done < length {
            let most = usize::try_from(length - done).unwrap_or(usize::MAX).min(bytes.len());
            let part = bytes.get_mut(..most).unwrap_or_default();
            let count = file.read_at(part, done)?;
            if count == 0 {
                return Err(io::Error::other("an input became shorter while it was read"));
            }
            to.write_all(part.get(..count).unwrap_or_default())?;
            done += count as u64;
        }
        Ok(())
    }
}

impl Plan {
    fn step(&mut self, kind: u64, meaning: String) -> &mut Self {
        self.meanings.push(meaning);
        self.number(kind)
    }

    fn number(&mut self, number: u64) -> &mut Self {
        self.bytes.extend(number.to_le_bytes());
        self
    }

    fn text(&mut self, text: &[u8]) -> &mut Self {
        // A text ends where its first zero is; whoever could put one into it could cut it off.
        let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        self.number(text.len() as u64 + 1);
        self.bytes.extend(text);
        self.bytes.push(0);
        self
    }

    fn path(&mut self, path: &Path) -> &mut Self {
        self.text(path.as_os_str().as_bytes())
    }

    pub(crate) fn maps(&mut self, users: &str, groups: &str, privileged: bool) {
        self.step(kind::MAPS, "user namespace: who is who".to_owned())
            .text(users.as_bytes())
            .text(groups.as_bytes())
            .number(privileged.into());
    }

    pub(crate) fn ids(&mut self, builder: u32, program: u32) {
        self.step(kind::IDS, "mount namespace: a root of its own".to_owned())
            .number(builder.into())
            .number(program.into());
    }

    pub(crate) fn dir(&mut self, path: &Path, mode: u32) {
        self.step(kind::DIR, format!("folder {}", path.display())).path(path).number(mode.into());
    }

    pub(crate) fn link(&mut self, to: &Path, path: &Path) {
        self.step(kind::LINK, format!("link {}", path.display())).path(to).path(path);
    }

    pub(crate) fn bind(&mut self, from: &Path, path: &Path, folder: bool) {
        self.step(kind::BIND, format!("{} of the machine", from.display()));
        let from = machine(from);
        self.path(&from).path(path).number(folder.into());
    }

    pub(crate) fn device(&mut self, path: &Path) {
        let from = machine(path);
        self.step(kind::DEVICE, format!("device {}", path.display())).path(&from).path(path);
    }

    pub(crate) fn tmpfs(&mut self, path: &Path, options: &str) {
        self.step(kind::TMPFS, format!("tmpfs {}", path.display())).path(path).text(options.as_bytes());
    }

    pub(crate) fn proc(&mut self) {
        self.step(kind::PROC, "/proc of its own".to_owned()).path(Path::new("/proc"));
    }

    pub(crate) fn copy(&mut self, content: Content, path: &Path) {
        self.step(kind::COPY, format!("file {}", path.display()));
        // Contents lie behind the steps; where that is, is only known at the end.
        self.copies.push(self.bytes.len());
        self.number(self.length).number(content.length()).path(path);
        self.length += content.length();
        self.contents.push(content);
    }

    pub(crate) fn seal(&mut self, path: &Path) {
        self.step(kind::SEAL, format!("{} read only", path.display())).path(path);
    }

    pub(crate) fn listen(&mut self, port: u16) {
        self.step(kind::LISTEN, "the socket of the proxy".to_owned()).number(port.into());
    }

    pub(crate) fn port(&mut self, port: u16, access: u64) {
        self.step(kind::PORT, format!("Landlock, port {port}")).number(port.into()).number(access);
    }

    pub(crate) fn limit(&mut self, name: &str, resource: u64, value: u64) {
        self.step(kind::LIMIT, format!("rlimit {name}")).number(resource).number(value);
    }

    pub(crate) fn landlock(&mut self, files: u64, network: u64, scope: u64, size: u64) {
        self.step(kind::LANDLOCK, "Landlock".to_owned())
            .number(files)
            .number(network)
            .number(scope)
            .number(size);
    }

    pub(crate) fn beneath(&mut self, path: &Path, access: u64) {
        self.step(kind::BENEATH, format!("Landlock, below {}", path.display())).path(path).number(access);
    }

    pub(crate) fn filter(&mut self, program: &[u8]) {
        self.step(kind::FILTER, "seccomp".to_owned()).number(program.len() as u64);
        self.bytes.extend_from_slice(program);
    }

    pub(crate) fn directory(&mut self, path: &Path) {
        self.step(kind::DIRECTORY, format!("working directory {}", path.display())).path(path);
    }

    pub(crate) fn argument(&mut self, text: &[u8]) {
        self.step(kind::ARGUMENT, "argument".to_owned()).text(text);
    }

    pub(crate) fn variable(&mut self, name: &str, value: &str) {
        self.step(kind::VARIABLE, format!("variable {name}")).text(format!("{name}={value}").as_bytes());
    }

    pub(crate) fn share(&mut self, folder: &Path) {
        let from = machine(folder);
        self.step(kind::SHARE, format!("{} to be written to", folder.display())).path(&from).path(folder);
    }

    pub(crate) fn mask(&mut self, path: &Path, folder: bool) {
        self.step(kind::MASK, format!("cover of {}", path.display())).path(path).number(folder.into());
    }

    /// How many steps there are.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.meanings.len()).unwrap_or(u32::MAX)
    }

    /// What the step of this number is for. Behind the last there are three more: the root is closed, the
    /// program is prepared, the program is started.
    pub(crate) fn meaning(&self, step: u32) -> &str {
        let Some(place) = usize::try_from(step).ok().and_then(|step| step.checked_sub(1)) else {
            return "namespaces";
        };
        match place.checked_sub(self.meanings.len()) {
            None => self.meanings.get(place).map_or("namespaces", String::as_str),
            Some(0) => "the closed root",
            Some(1) => "giving up powers",
            Some(_) => "starting the program",
        }
    }

    /// Writes the whole plan to a file. How long it is.
    pub(crate) fn write(mut self, to: &mut File) -> io::Result<u64> {
        let head = 16;
        let behind = head + self.bytes.len() as u64;
        for &place in &self.copies {
            if let Some(offset) = self.bytes.get_mut(place..).and_then(<[u8]>::first_chunk_mut::<8>) {
                *offset = (u64::from_le_bytes(*offset) + behind).to_le_bytes();
            }
        }
        to.write_all(&MAGIC.to_le_bytes())?;
        to.write_all(&(self.bytes.len() as u64).to_le_bytes())?;
        to.write_all(&self.bytes)?;
        self.contents.into_iter().try_for_each(|content| content.write(to))?;
        Ok(behind + self.length)
    }
}

/// Where a path of the machine is while the root is built.
fn machine(path: &Path) -> std::path::PathBuf {
    Path::new("/.machine").join(path.strip_prefix("/").unwrap_or(path))
}
