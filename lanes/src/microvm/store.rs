//! What is kept for machines: kernel, archive to start from, an image for each language.
//!
//! Everything is built into a folder of the user's cache, under a name with the digest of what it was built
//! from, and moved into place when it is whole. The list (`microvm.json`) names what belongs together; what
//! it does not name is removed by the next build.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use call::Language;
use serde::{Deserialize, Serialize};

use crate::LaneError;
use crate::jail::view::View;
use crate::runtime::Runtime;

/// What is there.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Kept {
    /// The form of this list.
    pub(crate) form: u32,
    /// The helper that is the first process of a machine, by its digest.
    pub(crate) helper: String,
    /// The version of the kernel, and its file.
    pub(crate) version: String,
    pub(crate) kernel: String,
    pub(crate) initramfs: String,
    pub(crate) images: BTreeMap<String, Image>,
    pub(crate) trial: Option<Trial>,
}

/// The image of a language.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Image {
    pub(crate) file: String,
    pub(crate) bytes: u64,
    pub(crate) version: String,
    pub(crate) program: PathBuf,
    pub(crate) before_code: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) view: View,
}

/// What was found out by starting a machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Trial {
    /// What it holds for: this start of this host, this QEMU, this kernel.
    pub(crate) of: String,
    pub(crate) accelerator: Accelerator,
    /// The version of Landlock inside.
    pub(crate) landlock: u32,
    /// Why it is not the quicker one.
    pub(crate) why: Option<String>,
}

/// How the processor of a machine is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Accelerator {
    /// By the processor's own means.
    Kvm,
    /// By emulation.
    Tcg,
}

impl Accelerator {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kvm => "kvm",
            Self::Tcg => "tcg",
        }
    }
}

/// The form of the list that this version writes.
pub(crate) const FORM: u32 = 1;

const LIST: &str = "microvm.json";

/// The folder.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

impl Store {
    pub(crate) const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// What is there, if it was built by this version.
    pub(crate) fn kept(&self, helper: &str) -> Result<Kept, LaneError> {
        let missing = |why: &str| LaneError::Missing {
            lane: "microvm",
            layer: "image".to_owned(),
            why: format!("{why} in `{}`; `toolgate lanes build` makes it", self.folder.display()),
        };
        let text = fs::read(self.path(LIST)).map_err(|_| missing("nothing was built yet"))?;
        let kept: Kept = serde_json::from_slice(&text)
            .map_err(|_| missing("the list of what was built cannot be read"))?;
        if kept.form != FORM || kept.helper != helper {
            return Err(missing("what was built is another version's"));
        }
        let named = [&kept.kernel, &kept.initramfs].into_iter();
        let sized = kept.images.values().map(|image| (&image.file, Some(image.bytes)));
        for (name, bytes) in named.map(|name| (name, None)).chain(sized) {
            // A name in the list is a name, and leads nowhere else.
            let is_name = Path::new(name).file_name().is_some_and(|own| own == name.as_str());
            let found = fs::symlink_metadata(self.path(name)).ok().filter(|kind| kind.is_file() && is_name);
            if found.is_none_or(|kind| bytes.is_some_and(|bytes| bytes != kind.len())) {
                return Err(missing("a part of what was built is gone"));
            }
        }
        Ok(kept)
    }

    pub(crate) fn keep(&self, kept: &Kept) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(kept).map_err(io::Error::other)?;
        self.put(LIST, |file| file.write_all(&text))
    }

    /// Writes a file and moves it into its place when it is whole.
    pub(crate) fn put(&self, name: &str, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let begun = self.path(&format!(".{name}.{}", std::process::id()));
        let done = File::create(&begun)
            .and_then(|mut file| write(&mut file).and_then(|()| file.sync_all()))
            .and_then(|()| {
                // Whoever runs QEMU is nobody in particular.
                use std::os::unix::fs::PermissionsExt as _;
                fs::set_permissions(&begun, fs::Permissions::from_mode(0o644))
            })
            .and_then(|()| fs::rename(&begun, self.path(name)));
        if done.is_err() {
            let _ = fs::remove_file(&begun);
        }
        done
    }

    /// Nobody else builds until what this gives is dropped.
    pub(crate) fn lock(&self) -> io::Result<File> {
        fs::create_dir_all(&self.folder)?;
        let file = File::options().create(true).append(true).open(self.path(".lock"))?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
        Ok(file)
    }

    /// Removes what the list does not name: earlier builds, and what a build left that was ended.
    pub(crate) fn sweep(&self, kept: &Kept) {
        let named: Vec<&str> = [LIST, ".lock", &kept.kernel, &kept.initramfs]
            .into_iter()
            .chain(kept.images.values().map(|image| image.file.as_str()))
            .collect();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let is_ours = entry.file_name().to_str().is_some_and(|name| {
                let begun = name.starts_with('.');
                let built = ["kernel-", "initramfs-", "image-"].iter().any(|kind| name.starts_with(kind));
                (begun || built) && !named.contains(&name)
            });
            if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Image {
    /// The runtime as it is inside.
    pub(crate) fn runtime(&self, language: Language) -> Runtime {
        Runtime {
            language,
            version: self.version.clone(),
            program: self.program.clone(),
            folders: Vec::new(),
            libraries: Vec::new(),
            before_code: self.before_code.clone(),
            environment: self.environment.clone(),
        }
    }
}
