//! Which way machines run on this host: found out by starting one.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use call::Sha256;

use super::engine::{Engine, Machine, Outcome};
use super::store::{Accelerator, Kept, Store, Trial};
use super::{KERNEL, SLOW};
use crate::jail::world;
use crate::{LaneError, Limits, Network};

/// How long a machine may take to come up by the processor's own means.
const QUICK: Duration = Duration::from_secs(15);

/// Starts an empty machine, with KVM where there is one, and emulated where that does not come up.
pub(super) fn run(store: &Store, engine: &Engine, kept: &Kept, of: String) -> Result<Trial, LaneError> {
    let kvm = usable(Path::new("/dev/kvm"));
    let mut why = None;
    for (accelerator, patience) in [(Accelerator::Kvm, QUICK), (Accelerator::Tcg, SLOW)] {
        if let (Accelerator::Kvm, Err(error)) = (accelerator, &kvm) {
            why = Some(error.clone());
            continue;
        }
        let outcome = engine.run(Machine {
            accelerator,
            kernel: &store.path(&kept.kernel),
            initramfs: &store.path(&kept.initramfs),
            disks: None,
            memory: 2 * KERNEL,
            processors: 1,
            patience,
            limits: Limits {
                time: Duration::ZERO,
                memory: 0,
                cpus: 1.0,
                processes: 1,
                disk: 0,
                files: 0,
                output: 0,
            },
            cancelled: Arc::new(AtomicBool::new(false)),
            network: Network::None,
        });
        match outcome {
            Ok(Outcome { answer, .. }) if answer.done => {
                let landlock = answer.up.unwrap_or(0);
                return Ok(Trial { of, accelerator, landlock, why });
            }
            Ok(outcome) => {
                why = Some(format!("a machine did not come up: {}", outcome.last_words()));
            }
            Err(error) => why = Some(error.to_string()),
        }
    }
    let why = why.unwrap_or_default();
    Err(LaneError::Missing { lane: "microvm", layer: "machine".to_owned(), why })
}

/// Can a QEMU that is nobody in particular use the device?
fn usable(device: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt as _;
    let failed = |error: std::io::Error| format!("{}: {error}", device.display());
    File::options().read(true).write(true).open(device).map_err(failed)?;
    let kind = std::fs::metadata(device).map_err(failed)?;
    let everybodys = kind.mode() & 0o006 == 0o006;
    if rustix::process::geteuid().is_root() && !everybodys && world::group_of(device).is_none() {
        let device = device.display();
        return Err(format!(
            "{device} is root's alone: `chgrp kvm {device} && chmod 660 {device}` changes that"
        ));
    }
    Ok(())
}

/// What a trial holds for: this kernel with this helper, this QEMU, until the host starts again.
pub(super) fn holds_for(kept: &Kept, engine: &Engine) -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let qemu = std::fs::metadata(engine.program()).and_then(|kind| Ok((kind.len(), kind.modified()?)));
    let user = rustix::process::geteuid().as_raw();
    let kvm = usable(Path::new("/dev/kvm"));
    let all = format!("{} {} {} {qemu:?} {user} {kvm:?}", boot.trim(), kept.kernel, kept.initramfs);
    Sha256::of(all.as_bytes()).as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}
