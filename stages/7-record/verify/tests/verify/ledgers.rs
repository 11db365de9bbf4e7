//! Ledgers that were written once and are never written again: what verified, verifies for ever, and what
//! was tampered with never does.
//!
//! The files are in `tests/ledgers`. [`written`] is how they were made, and what was done to each.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::made::{Keeper, Log, entries};

#[test]
fn the_first_ledger_verifies_for_ever() {
    let cases = [
        "log first",
        "log first --against first/kept.checkpoint",
        "checkpoint first/kept.checkpoint",
        "proof first/entry-263.tlog-proof --entry first/entry-263.json",
    ];
    for arguments in cases {
        let (code, said) = run(arguments);
        assert_eq!(code, Some(0), "{arguments}: {said}");
    }
}

#[test]
fn tampered_ledgers_never_verify() {
    let cases = [
        // ledger -> what is said
        ("tampered-edited", "not ok: `tile/0/000` has another hash for entry 7\n"),
        ("tampered-swapped", "not ok: `tile/0/001.p/44` has another hash for entry 263\n"),
        ("tampered-truncated", "not ok: there is no `tile/entries/001.p/44`, for entries 256 to 299\n"),
        ("tampered-rewritten", "not ok: `checkpoint` was signed for other entries"),
    ];
    for (ledger, want) in cases {
        let (code, said) = run(&format!("log {ledger}"));
        assert_eq!((code, said.starts_with(want)), (Some(2), true), "{ledger}: {said}");
    }
}

/// These are signed and whole. Only a checkpoint that was kept elsewhere shows what was done to them.
#[test]
fn ledgers_that_were_put_back_or_forked_never_stand_against_a_kept_checkpoint() {
    let cases = [
        // ledger -> what is said
        ("tampered-rolled-back", "was signed for 300 entries, and the log has 200"),
        ("tampered-forked", "was signed for other entries"),
    ];
    for (ledger, want) in cases {
        let (code, said) = run(&format!("log {ledger}"));
        assert_eq!(code, Some(0), "{ledger}: {said}");
        let (code, said) = run(&format!("log {ledger} --against first/checkpoint"));
        assert_eq!((code, said.contains(want)), (Some(2), true), "{ledger}: {said}");
    }
}

/// When the form of ledgers changes this test goes, and a new ledger comes beside the old ones. They stay
/// as they are: somebody has a log like them.
#[test]
fn ledgers_are_what_they_are_said_to_be() {
    for (name, log) in written() {
        let mut found = Vec::new();
        walk(&folder().join(name), "", &mut found);
        let want: Vec<(String, Vec<u8>)> = log.0.into_iter().collect();
        found.sort();
        assert!(found == want, "{name} has other files, or other bytes in them");
    }
}

fn written() -> Vec<(&'static str, Log)> {
    let keeper = Keeper::new("example.com/ledger", 1);
    let honest = entries(300);
    let log = Log::new(&keeper, &honest);

    let mut first = log.clone();
    let mut beside = |name: &str, bytes: Vec<u8>| first.0.insert(name.to_owned(), bytes);
    beside("key.vkey", format!("{}\n", keeper.public).into_bytes());
    beside("kept.checkpoint", keeper.checkpoint(&honest[..120]).to_string().into_bytes());
    beside("entry-263.json", honest[263].clone());
    beside("entry-263.tlog-proof", keeper.prove(&honest, 263).to_string().into_bytes());

    // Bundles of other entries, with the tiles and the checkpoint of the honest ones.
    let with_bundles = |entries: &[Vec<u8>]| {
        let mut other = Log::new(&keeper, entries);
        other.0.extend(log.0.clone().into_iter().filter(|(path, _)| !path.contains("/entries/")));
        other
    };
    let mut edited = honest.clone();
    edited[7] = String::from_utf8(edited[7].clone()).unwrap().replace("allow", "deny").into_bytes();
    let mut swapped = honest.clone();
    swapped.swap(263, 264);
    let mut truncated = log.clone();
    truncated.0.retain(|path, _| !path.contains("001.p/44"));
    let mut rewritten = log.clone();
    rewritten.write_entries(&edited);

    vec![
        ("first", first),
        ("tampered-edited", with_bundles(&edited)),
        ("tampered-swapped", with_bundles(&swapped)),
        ("tampered-truncated", truncated),
        ("tampered-rewritten", rewritten),
        ("tampered-rolled-back", Log::new(&keeper, &honest[..200])),
        ("tampered-forked", Log::new(&keeper, &edited)),
    ]
}

/// All files below a folder, by their paths from it.
fn walk(folder: &Path, prefix: &str, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &format!("{path}/"), found);
        } else {
            found.push((path, std::fs::read(entry.path()).unwrap()));
        }
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/ledgers")
}

fn run(arguments: &str) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_toolgate-verify"))
        .args(["--key", "@first/key.vkey"])
        .args(arguments.split(' '))
        .current_dir(folder())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}
