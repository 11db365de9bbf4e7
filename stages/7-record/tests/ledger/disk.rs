//! Disks that are full or can only be read, for real: small file systems of their own.

use std::process::Command;

use record::store::SqliteStore;

use crate::events::whole;
use crate::keepers::{key, ledger, now, run};

const FOLDER: &str = "TOOLGATE_TEST_DISK";
const KIND: &str = "TOOLGATE_TEST_DISK_KIND";

/// Runs on the small disk. Does nothing where the tests run by themselves.
#[test]
fn the_gate_on_the_small_disk() {
    let (Ok(folder), Ok(kind)) = (std::env::var(FOLDER), std::env::var(KIND)) else { return };
    let folder = std::path::Path::new(&folder);
    SqliteStore::create(folder).unwrap();
    let gate = ledger(Box::new(SqliteStore::open(folder, Some(run(1))).unwrap()), 1);
    for event in (0..3).flat_map(whole) {
        gate.append(&event, now()).unwrap();
    }
    let size = gate.size().unwrap();
    if kind == "read-only" {
        drop(gate);
        let status = Command::new("mount").args(["-o", "remount,ro"]).arg(folder).status().unwrap();
        assert!(status.success());
        let error = SqliteStore::open(folder, Some(run(2))).unwrap_err();
        println!("size {size} error {error}");
        return;
    }
    let failed = (3..100_000).flat_map(whole).find_map(|event| gate.append(&event, now()).err());
    let error = failed.expect("a disk of one megabyte is full some time");
    let size = gate.size().unwrap();
    drop(gate);
    // What was acknowledged is still there, and the record is sound.
    let audited =
        record::audit(&mut SqliteStore::open(folder, None).unwrap(), key().public(), &[], &mut |_, _| {})
            .unwrap();
    assert_eq!((audited.problems, audited.entries), (Vec::new(), size));
    println!("size {size} error {error}");
}

/// What the gate says on a disk of its own that is like this.
fn on_disk(kind: &str) -> String {
    let folder = tempfile::TempDir::new().unwrap();
    let script = "mount -t tmpfs -o size=1m,mode=755 tmpfs \"$TOOLGATE_TEST_DISK\" && exec \"$0\" \"$@\"";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "disk::the_gate_on_the_small_disk", "--nocapture"])
        .env(FOLDER, folder.path())
        .env(KIND, kind)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn a_full_disk_stops_the_call_and_loses_nothing() {
    let said = on_disk("full");
    assert!(said.contains("error the ledger cannot be used: the disk is full"), "{said}");
}

#[test]
fn on_a_disk_that_can_only_be_read_no_gate_starts() {
    let said = on_disk("read-only");
    assert!(
        said.contains("size 12 error the ledger cannot be used: ")
            && said.contains("folder can only be read"),
        "{said}"
    );
}
