//! What a machine starts from: the helper as its first process, and the modules of its kernel.

use std::io::{self, Write};

/// An archive that the kernel unpacks into memory (cpio, the new form).
pub(crate) struct Archive<W> {
    to: W,
    entries: u32,
}

impl<W: Write> Archive<W> {
    pub(crate) const fn new(to: W) -> Self {
        Self { to, entries: 0 }
    }

    pub(crate) fn folder(&mut self, name: &str) -> io::Result<()> {
        self.entry(name, 0o040_755, &[])
    }

    pub(crate) fn file(&mut self, name: &str, mode: u32, content: &[u8]) -> io::Result<()> {
        self.entry(name, 0o100_000 | mode, content)
    }

    fn entry(&mut self, name: &str, mode: u32, content: &[u8]) -> io::Result<()> {
        self.entries += 1;
        let length = u32::try_from(content.len()).map_err(io::Error::other)?;
        let name_length = u32::try_from(name.len() + 1).map_err(io::Error::other)?;
        // Number, mode, user, group, links, time, length, four of devices, length of the name, checksum.
        let fields = [self.entries, mode, 0, 0, 1, 0, length, 0, 0, 0, 0, name_length, 0];
        let mut head = String::from("070701");
        fields.iter().for_each(|field| head.push_str(&format!("{field:08x}")));
        self.padded(&[head.as_bytes(), name.as_bytes(), b"\0"])?;
        self.padded(&[content])
    }

    /// Everything begins at a multiple of four.
    fn padded(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        let mut length = 0_usize;
        for part in parts {
            self.to.write_all(part)?;
            length += part.len();
        }
        let zeros = [0; 3];
        self.to.write_all(zeros.get(..length.next_multiple_of(4) - length).unwrap_or_default())
    }

    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.entry("TRAILER!!!", 0, &[])?;
        Ok(self.to)
    }
}

/// The whole of it, with modules in the order in which they are loaded.
pub(crate) fn write(helper: &[u8], modules: &[Vec<u8>]) -> io::Result<Vec<u8>> {
    let mut archive = Archive::new(Vec::new());
    for folder in ["dev", "proc", "groups", "machine", "modules"] {
        archive.folder(folder)?;
    }
    archive.file("init", 0o755, helper)?;
    for (number, module) in modules.iter().enumerate() {
        archive.file(&format!("modules/{number:02}"), 0o644, module)?;
    }
    archive.finish()
}
