//! The shell of the machine, and the programs that one expects to find with it.
//!
//! Only what distributions install is seen, read-only: nothing of a user, and nothing below `/opt` or a home.

use std::path::{Path, PathBuf};

use call::Language;
use lanes::runtime::Runtime;

/// Where distributions put programs and what belongs to them.
const FOLDERS: [&str; 11] = [
    "/usr/bin",
    "/bin",
    "/usr/lib",
    "/lib",
    "/lib64",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/bin",
    "/usr/local/lib",
    "/etc/alternatives",
];

pub(super) fn runtime() -> std::io::Result<Runtime> {
    let program = std::fs::canonicalize("/bin/sh")?;
    let folders = FOLDERS.iter().map(Path::new).filter(|folder| folder.is_dir()).map(PathBuf::from);
    Ok(Runtime {
        // It has none; what is run is the program.
        language: Language::Python,
        version: String::new(),
        program,
        folders: folders.collect(),
        libraries: Vec::new(),
        before_code: Vec::new(),
        environment: Vec::new(),
    })
}
