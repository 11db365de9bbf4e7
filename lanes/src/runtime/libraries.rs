//! The libraries that the loader gives to a program, and to what it may load later.
//!
//! Found as the loader of glibc and musl finds them: the path that a file names itself, then the
//! configured folders, then the usual ones. A name that is not found is left out; the program that really
//! needs it then says so itself.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, FileHeader64, PT_INTERP};
use object::read::elf::{Dyn as _, FileHeader as _, ProgramHeader as _};
use object::{Endianness, FileKind};

/// Files that are looked at below the folders of a runtime, at most.
const MOST_FILES: usize = 20_000;

/// All libraries of a program and of the modules below these folders, the loader included, and those that
/// are only loaded by name while it runs.
pub(super) fn closure(program: &Path, folders: &[PathBuf], by_name: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut search = configured(Path::new("/etc/ld.so.conf"), 0);
    let machine = if cfg!(target_arch = "aarch64") { "aarch64" } else { "x86_64" };
    for usual in [format!("/lib/{machine}-linux-gnu"), format!("/usr/lib/{machine}-linux-gnu")] {
        search.push(PathBuf::from(usual));
    }
    search.extend(["/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"].map(PathBuf::from));
    let mut waiting = vec![(program.to_owned(), Vec::new())];
    for folder in folders {
        waiting.extend(modules(folder)?.into_iter().map(|module| (module, Vec::new())));
    }
    let mut found = BTreeSet::new();
    for name in by_name {
        let library = search.iter().map(|folder| folder.join(name)).find(|place| place.is_file());
        waiting.extend(library.iter().map(|library| (library.clone(), Vec::new())));
        found.extend(library);
    }
    let mut seen = BTreeSet::new();
    while let Some((file, inherited)) = waiting.pop() {
        if !seen.insert(file.clone()) {
            continue;
        }
        let Some(needs) = needs(&file)? else { continue };
        if let Some(loader) = needs.loader {
            found.insert(loader);
        }
        let own: Vec<PathBuf> = needs.folders.into_iter().chain(inherited).collect();
        for name in needs.names {
            let places = own.iter().chain(&search).map(|folder| folder.join(&name));
            if let Some(library) = places.into_iter().find(|place| place.is_file()) {
                found.insert(library.clone());
                waiting.push((library, own.clone()));
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// The folders that the loader is configured to look into.
fn configured(file: &Path, depth: usize) -> Vec<PathBuf> {
    let Some(text) = std::fs::read_to_string(file).ok().filter(|_| depth < 4) else { return Vec::new() };
    let mut folders = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("include").map(str::trim) {
            None => folders.push(PathBuf::from(line)),
            Some(pattern) => {
                let folder = Path::new(pattern).parent().unwrap_or_else(|| Path::new("/"));
                let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
                    .into_iter()
                    .flatten()
                    .flatten()
                    .map(|entry| entry.path())
                    .filter(|path| path.extension().is_some_and(|extension| extension == "conf"))
                    .collect();
                files.sort();
                folders.extend(files.iter().flat_map(|file| configured(file, depth + 1)));
            }
        }
    }
    folders
}

/// Loadable modules below a folder, without those that somebody installed: they bring theirs with them.
fn modules(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    let mut looked = 0;
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            looked += 1;
            if looked > MOST_FILES {
                return Ok(found);
            }
            let kind = entry.file_type()?;
            let path = entry.path();
            let packages = ["site-packages", "dist-packages"].map(std::ffi::OsStr::new);
            if kind.is_dir() && !path.file_name().is_some_and(|name| packages.contains(&name)) {
                waiting.push(path);
            } else if kind.is_file() && path.file_name().is_some_and(is_module) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn is_module(name: &std::ffi::OsStr) -> bool {
    let name = name.to_string_lossy();
    name.ends_with(".so") || name.contains(".so.")
}

/// What a file needs of the loader.
struct Needs {
    loader: Option<PathBuf>,
    folders: Vec<PathBuf>,
    names: Vec<String>,
}

/// Nothing when it is no program and no library.
fn needs(file: &Path) -> io::Result<Option<Needs>> {
    let bytes = std::fs::read(file)?;
    Ok(read(&bytes, file.parent().unwrap_or_else(|| Path::new("/"))))
}

fn read(bytes: &[u8], origin: &Path) -> Option<Needs> {
    if !matches!(FileKind::parse(bytes), Ok(FileKind::Elf64)) {
        return None;
    }
    let header = FileHeader64::<Endianness>::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, bytes).ok()?;
    let loader = segments
        .iter()
        .find(|segment| segment.p_type(endian) == PT_INTERP)
        .and_then(|segment| segment.interpreter(endian, bytes).ok().flatten())
        .and_then(|path| std::str::from_utf8(path).ok())
        .map(PathBuf::from);
    let sections = header.sections(endian, bytes).ok()?;
    let mut needs = Needs { loader, folders: Vec::new(), names: Vec::new() };
    let Some((dynamic, link)) = sections.dynamic(endian, bytes).ok().flatten() else { return Some(needs) };
    let strings = sections.strings(endian, bytes, link).ok()?;
    for entry in dynamic {
        let tag = entry.tag(endian);
        let text = || entry.string(endian, strings).ok().and_then(|text| std::str::from_utf8(text).ok());
        match tag {
            DT_NEEDED => needs.names.extend(text().map(str::to_owned)),
            DT_RPATH | DT_RUNPATH => {
                let folders = text().unwrap_or_default().split(':').filter(|folder| !folder.is_empty());
                needs.folders.extend(folders.map(|folder| {
                    let here = origin.display().to_string();
                    PathBuf::from(folder.replace("${ORIGIN}", &here).replace("$ORIGIN", &here))
                }));
            }
            _ => {}
        }
    }
    Some(needs)
}
