//! What QEMU is told: one machine, in words.

use std::path::{Path, PathBuf};

use super::clock;
use super::engine::{ANSWER, Machine, PROGRAM};
use super::store::Accelerator;
use crate::Network;

/// Where QEMU finds the parts of a machine, and where it puts the answer.
pub(super) struct Places {
    pub(super) kernel: PathBuf,
    pub(super) initramfs: PathBuf,
    pub(super) image: PathBuf,
    pub(super) job: PathBuf,
    pub(super) answer: PathBuf,
}

impl Places {
    /// In its jail: always the same, wherever the cache is.
    pub(super) fn inside() -> Self {
        let part = |name: &str| Path::new("/machine").join(name);
        Self {
            kernel: part("kernel"),
            initramfs: part("initramfs"),
            image: part("image"),
            job: PathBuf::from("/in/job"),
            answer: Path::new("/out").join(ANSWER),
        }
    }
}

/// What QEMU is told.
pub(super) fn arguments(machine: &Machine<'_>, places: &Places) -> Vec<String> {
    let emulated = machine.accelerator == Accelerator::Tcg;
    let mut kernel = String::from(
        // Nothing is said that nobody reads; who fails restarts, and a restart ends QEMU.
        "console=ttyS0 quiet loglevel=1 reboot=t panic=-1 pci=off random.trust_cpu=on \
         cryptomgr.notests 8250.nr_uarts=1",
    );
    // A kernel without a clock to compare with would measure against nothing, and wait for ever.
    if let Some(rate) = clock::kilohertz() {
        kernel.push_str(&format!(" tsc_early_khz={rate} no_timer_check"));
    }
    if emulated {
        // An emulated processor guesses nothing ahead, so there is nothing to hide from its guesses.
        kernel.push_str(" mitigations=off");
    }
    let processor = if emulated { "max" } else { "host" };
    let accelerator = if emulated { "tcg,tb-size=128" } else { "kvm" };
    let memory = machine.memory.to_string();
    let processors = machine.processors.to_string();
    let (image, archive) = (places.kernel.display().to_string(), places.initramfs.display().to_string());
    let mut all: Vec<String> = [
        PROGRAM,
        "-M",
        "microvm,acpi=on,pit=off,pic=off,rtc=on,isa-serial=on,usb=off",
        "-accel",
        accelerator,
        "-cpu",
        processor,
        "-m",
        &memory,
        "-smp",
        &processors,
        "-nodefaults",
        "-no-user-config",
        "-display",
        "none",
        "-monitor",
        "none",
        "-no-reboot",
        "-sandbox",
        "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny",
        "-kernel",
        &image,
        "-initrd",
        &archive,
        "-append",
        &kernel,
        "-chardev",
        "stdio,id=console,signal=off",
        "-serial",
        "chardev:console",
        "-device",
        "virtio-serial-device",
        "-chardev",
    ]
    .map(str::to_owned)
    .to_vec();
    all.push(format!("file,id=answer,path={}", escaped(&places.answer)));
    all.extend(["-device", "virtserialport,chardev=answer,name=answer,nr=1"].map(str::to_owned));
    if matches!(machine.network, Network::Only(_)) {
        // The descriptor that it was started with.
        let wire =
            ["-chardev", "socket,id=wire,fd=3", "-device", "virtserialport,chardev=wire,name=wire,nr=2"];
        all.extend(wire.map(str::to_owned));
    }
    if machine.disks.is_some() {
        for (name, file) in [("image", &places.image), ("job", &places.job)] {
            let file = escaped(file);
            all.push("-drive".to_owned());
            all.push(format!("if=none,id={name},file={file},format=raw,readonly=on,file.locking=off"));
            all.push("-device".to_owned());
            all.push(format!("virtio-blk-device,drive={name}"));
        }
    }
    all
}

/// A path as QEMU reads it: a comma would end it, and two stand for one.
fn escaped(path: &Path) -> String {
    path.display().to_string().replace(',', ",,")
}
