//! Builds what machines need: once, before the first run.

use std::io::Write as _;
use std::path::PathBuf;

use call::{Language, Sha256};

use super::kernel::Kernel;
use super::store::{FORM, Image, Kept, Store};
use super::{erofs, initramfs, tree};
use crate::LaneError;
use crate::jail::{image, world};
use crate::runtime::Runtime;

/// The digest of the helper that this gate carries.
pub(crate) fn helper() -> String {
    short(&Sha256::of(image::BYTES))
}

fn short(digest: &Sha256) -> String {
    digest.as_bytes().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Builds everything that is not there yet, for these languages. Languages whose runtime this machine has
/// not are told and left out.
pub(crate) fn build(
    store: &Store,
    search: &[PathBuf],
    languages: &[Language],
    say: &mut dyn FnMut(&str),
) -> Result<Kept, LaneError> {
    let failed = |at: &str, error: std::io::Error| LaneError::failed(at.to_owned(), error);
    let helper = helper();
    let before = store.kept(&helper).ok();
    let kernel = kernel(store, say)?;
    let modules = kernel.modules().map_err(|why| missing("kernel", why))?;
    let archive = initramfs::write(image::BYTES, &modules).map_err(|error| failed("the initramfs", error))?;
    let archive_name = format!("initramfs-{}", short(&Sha256::of(&archive)));
    let content = std::fs::read(&kernel.image).map_err(|error| failed("the kernel", error))?;
    let kernel_name = format!("kernel-{}", short(&Sha256::of(&content)));
    for (name, content) in [(&archive_name, &archive), (&kernel_name, &content)] {
        if std::fs::metadata(store.path(name)).map_or(0, |kind| kind.len()) != content.len() as u64 {
            store.put(name, |file| file.write_all(content)).map_err(|error| failed("the cache", error))?;
        }
    }
    let mut kept = Kept {
        form: FORM,
        helper,
        version: kernel.version,
        kernel: kernel_name,
        initramfs: archive_name,
        images: before.as_ref().map(|before| before.images.clone()).unwrap_or_default(),
        trial: before.and_then(|before| before.trial),
    };
    for &language in languages {
        match Runtime::find(language, search) {
            Ok(runtime) => {
                let image = one(store, &runtime, say)?;
                kept.images.insert(language.as_str().to_owned(), image);
            }
            Err(error) => say(&format!("{}: left out: {error}", language.as_str())),
        }
    }
    store.keep(&kept).map_err(|error| failed("the cache", error))?;
    store.sweep(&kept);
    Ok(kept)
}

fn missing(layer: &str, why: String) -> LaneError {
    LaneError::Missing { lane: "microvm", layer: layer.to_owned(), why }
}

/// The kernel: what is installed, what was unpacked before, or the package.
fn kernel(store: &Store, say: &mut dyn FnMut(&str)) -> Result<Kernel, LaneError> {
    if let Some(found) = Kernel::find(&[PathBuf::from("/"), store.path("kernel")]) {
        say(&format!("kernel: {}", found.version));
        return Ok(found);
    }
    say("kernel: getting Debian's package ...");
    let fetched = Kernel::fetch(&store.path("")).map_err(|why| {
        let mend = format!("`apt-get install {}` provides it", super::kernel::PACKAGE);
        missing("kernel", format!("{why}; {mend}"))
    })?;
    say(&format!("kernel: {}", fetched.version));
    Ok(fetched)
}

/// The image of a runtime. One that is there already is not written again.
fn one(store: &Store, runtime: &Runtime, say: &mut dyn FnMut(&str)) -> Result<Image, LaneError> {
    let language = runtime.language.as_str();
    let at = || format!("the image of {language}");
    let view = world::machine(runtime).map_err(|error| LaneError::failed(at(), error))?;
    let root = tree::of(&view).map_err(|error| LaneError::failed(at(), error))?;
    let name = format!("image-{language}-{}", short(&tree::key(&root)));
    let (files, bytes) = root.extent();
    let path = store.path(&name);
    if path.is_file() {
        say(&format!("{language}: {} is there already", runtime.version));
    } else {
        let megabytes = bytes >> 20;
        say(&format!("{language}: {} with {files} files, {megabytes} MB ...", runtime.version));
        let mut told = 0;
        let mut done = |written: u64| {
            let tenth = written * 10 / bytes.max(1);
            if tenth > told && megabytes > 20 {
                told = tenth;
                say(&format!("{language}: {} of {megabytes} MB", written >> 20));
            }
        };
        store
            .put(&name, |file| erofs::write(&root, file, &mut done))
            .map_err(|error| LaneError::failed(at(), error))?;
    }
    let bytes = std::fs::metadata(&path).map_err(|error| LaneError::failed(at(), error))?.len();
    Ok(Image {
        file: name,
        bytes,
        version: runtime.version.clone(),
        program: runtime.program.clone(),
        before_code: runtime.before_code.clone(),
        environment: runtime.environment.clone(),
        view,
    })
}
