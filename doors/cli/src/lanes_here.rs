//! Where this machine has what lanes need.

use std::path::PathBuf;

use lanes::MicroVm;

/// Folders in which runtimes are looked for.
pub(crate) fn search() -> Vec<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect()
}

/// The microVM lane, with what `toolgate lanes build` made.
pub(crate) fn microvm() -> MicroVm {
    MicroVm::new(cache(), search())
}

/// Where images of machines are kept.
pub(crate) fn cache() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = folder("XDG_CACHE_HOME").or_else(|| Some(std::env::home_dir()?.join(".cache")));
    caches.unwrap_or_else(|| PathBuf::from("/var/cache")).join("toolgate").join("microvm")
}
