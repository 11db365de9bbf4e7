//! The kernel of a machine: Debian's for clouds, from where it is installed or from its package.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSection as _};

/// A kernel with its modules.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) version: String,
    pub(crate) image: PathBuf,
    /// The folder with its modules.
    folder: PathBuf,
}

/// What the first process cannot do without.
const NEEDED: [&str; 4] = ["virtio_mmio", "virtio_blk", "virtio_console", "erofs"];

/// What a cloud kernel is called.
const NAME: &str = "-cloud-amd64";

/// The package that always leads to the newest one.
pub(crate) const PACKAGE: &str = "linux-image-cloud-amd64";

impl Kernel {
    /// The newest one below any of these roots.
    pub(crate) fn find(roots: &[PathBuf]) -> Option<Self> {
        roots.iter().find_map(|root| {
            let mut found: Vec<Self> = fs::read_dir(root.join("boot"))
                .into_iter()
                .flatten()
                .flatten()
                .filter_map(|entry| {
                    let version = entry.file_name().to_str()?.strip_prefix("vmlinuz-")?.to_owned();
                    let folder = ["lib/modules", "usr/lib/modules"]
                        .iter()
                        .map(|modules| root.join(modules).join(&version))
                        .find(|folder| folder.join("kernel").is_dir())?;
                    version.ends_with(NAME).then(|| Self { version, image: entry.path(), folder })
                })
                .collect();
            found.sort_by_key(|kernel| numbers(&kernel.version));
            found.pop()
        })
    }

    /// Gets the package by Debian's own means and unpacks it below a folder. Nothing is installed.
    pub(crate) fn fetch(into: &Path) -> Result<Self, String> {
        let told = |what: &str, error: io::Error| format!("{what}: {error}");
        let work = into.join("fetching");
        let _ = fs::remove_dir_all(&work);
        fs::create_dir_all(&work).map_err(|error| told("the cache", error))?;
        let said = run(Command::new("apt-cache").args(["depends", PACKAGE]))?;
        let package = said
            .split_whitespace()
            .find(|word| word.starts_with("linux-image-") && word.ends_with(NAME) && *word != PACKAGE)
            .ok_or_else(|| format!("apt knows no package `{PACKAGE}`; `apt-get update` may help"))?;
        run(Command::new("apt-get").args(["download", "-q", package]).current_dir(&work))?;
        let archive = fs::read_dir(&work)
            .map_err(|error| told("the cache", error))?
            .flatten()
            .map(|entry| entry.path())
            .find(|path| path.extension().is_some_and(|extension| extension == "deb"))
            .ok_or_else(|| format!("apt did not bring the package `{package}`"))?;
        let tree = into.join("kernel");
        let _ = fs::remove_dir_all(&tree);
        run(Command::new("dpkg-deb").arg("-x").arg(&archive).arg(&tree))?;
        let _ = fs::remove_dir_all(&work);
        Self::find(&[tree]).ok_or_else(|| format!("the package `{package}` has no kernel in it"))
    }

    /// The modules that are needed and those that they need, in the order in which they can be loaded.
    pub(crate) fn modules(&self) -> Result<Vec<Vec<u8>>, String> {
        let files = self.files();
        let builtin = fs::read_to_string(self.folder.join("modules.builtin")).unwrap_or_default();
        let builtin: Vec<String> = builtin.lines().map(|line| name(Path::new(line))).collect();
        let mut order: Vec<(String, Vec<u8>)> = Vec::new();
        for needed in NEEDED {
            add(needed, &files, &builtin, &mut order, 0)?;
        }
        Ok(order.into_iter().map(|(_, content)| content).collect())
    }

    fn files(&self) -> BTreeMap<String, PathBuf> {
        let mut files = BTreeMap::new();
        let mut waiting = vec![self.folder.join("kernel")];
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => waiting.push(entry.path()),
                    _ => drop(files.insert(name(&entry.path()), entry.path())),
                }
            }
        }
        files
    }
}

/// The numbers in a version, to find the newest.
fn numbers(version: &str) -> Vec<u64> {
    version.split(|letter: char| !letter.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

/// The name of the module in a file, in the one spelling.
fn name(path: &Path) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    file.split(".ko").next().unwrap_or_default().replace('-', "_")
}

fn add(
    module: &str,
    files: &BTreeMap<String, PathBuf>,
    builtin: &[String],
    order: &mut Vec<(String, Vec<u8>)>,
    depth: usize,
) -> Result<(), String> {
    if order.iter().any(|(other, _)| other == module) || builtin.iter().any(|other| other == module) {
        return Ok(());
    }
    let file = files.get(module).filter(|_| depth < 16);
    let file = file.ok_or_else(|| format!("the kernel has no module `{module}`"))?;
    let content = plain(file)?;
    for needed in needs(&content) {
        add(&needed, files, builtin, order, depth + 1)?;
    }
    order.push((module.to_owned(), content));
    Ok(())
}

/// What a module says it needs.
fn needs(module: &[u8]) -> Vec<String> {
    let Ok(elf) = ElfFile64::<Endianness>::parse(module) else { return Vec::new() };
    let information = elf.section_by_name(".modinfo").and_then(|section| section.data().ok());
    let texts = information.unwrap_or_default().split(|byte| *byte == 0);
    texts
        .filter_map(|text| std::str::from_utf8(text).ok()?.strip_prefix("depends="))
        .flat_map(|names| names.split(','))
        .filter(|name| !name.is_empty())
        .map(|name| name.replace('-', "_"))
        .collect()
}

/// A module as the kernel takes it: newer packages compress them.
fn plain(file: &Path) -> Result<Vec<u8>, String> {
    let program = match file.extension().and_then(|extension| extension.to_str()) {
        Some("xz") => "xz",
        Some("zst") => "zstd",
        Some("gz") => "gzip",
        _ => return fs::read(file).map_err(|error| format!("`{}`: {error}", file.display())),
    };
    let done = Command::new(program).arg("-dc").arg(file).stdin(Stdio::null()).output();
    let done = done.map_err(|error| format!("`{program}`, which unpacks modules: {error}"))?;
    if done.status.success() {
        Ok(done.stdout)
    } else {
        Err(format!("`{}` cannot be unpacked", file.display()))
    }
}

/// Runs a program of the machine to its end. What it said.
fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let done = command.stdin(Stdio::null()).output().map_err(|error| format!("`{program}`: {error}"))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        return Err(format!("`{program}` failed: {last}"));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}
