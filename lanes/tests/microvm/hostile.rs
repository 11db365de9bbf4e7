//! A machine whose very first process is an attacker's.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use lanes::{Lane as _, LaneError, MicroVm};

use crate::kit::{cache, leftovers, machines, python, search};
use crate::outside::{name, reach, world};

/// An entry of the archive that a kernel starts from. What comes later takes the place of what came before.
fn entry(name: &str, mode: u32, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let fields = [9_000, mode, 0, 0, 1, 0, length as u32, 0, 0, 0, 0, name.len() as u32 + 1, 0];
    let mut bytes = b"070701".to_vec();
    fields.iter().for_each(|field| bytes.extend(format!("{field:08x}").bytes()));
    bytes.extend(name.bytes().chain([0]));
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// The same machines, but another first process.
fn taken_over(folder: &Path) -> MicroVm {
    machines();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/microvm/noise.c");
    let init = folder.join("init");
    let built = Command::new("cc").args(["-static", "-O1", "-o"]).args([&init, &source]).status().unwrap();
    assert!(built.success());
    let list = std::fs::read_to_string(cache().join("microvm.json")).unwrap();
    let mut list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let own = list["initramfs"].as_str().unwrap().to_owned();
    let parts = folder.join("parts");
    std::fs::create_dir(&parts).unwrap();
    for part in std::fs::read_dir(cache()).unwrap().flatten().filter(|part| part.path().is_file()) {
        std::fs::copy(part.path(), parts.join(part.file_name())).unwrap();
    }
    let mut archive = std::fs::read(parts.join(own)).unwrap();
    archive.extend(entry("init", 0o100_755, &std::fs::read(init).unwrap()));
    archive.extend(entry("TRAILER!!!", 0, &[]));
    std::fs::write(parts.join("initramfs-taken-over"), archive).unwrap();
    list["initramfs"] = "initramfs-taken-over".into();
    std::fs::write(parts.join("microvm.json"), list.to_string()).unwrap();
    MicroVm::new(parts, search())
}

#[test]
fn a_machine_that_says_anything_on_the_wire_is_ended_and_nothing_of_it_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let machines = taken_over(folder.path());
    let outputs = tempfile::tempdir().unwrap();
    let mut job = python("pass");
    job.network = reach(&world(), vec![name("good.example.com", None)]);
    let began = Instant::now();
    let refused = || {
        let error = machines.run(&job, outputs.path()).unwrap_err();
        assert!(matches!(&error, LaneError::Failed { at, .. } if at == "the wire of the machine"), "{error}");
    };
    // The helper's program is kept open for the next run.
    refused();
    let before = leftovers();
    refused();
    assert_eq!(leftovers(), before);
    // Long before its own time is over.
    assert!(began.elapsed() < job.limits.time, "{:?}", began.elapsed());
    assert_eq!(std::fs::read_dir(outputs.path()).unwrap().count(), 0);
}
