//! A disk that changes while it is looked at.

use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::disk::Disk;
use execute::place::{Locator, NotOpened};
use rustix::fs::{CWD, RenameFlags, renameat_with};

/// Swaps two names for as long as `look` runs over and over, for one second.
fn while_swapping(one: &Path, other: &Path, mut look: impl FnMut()) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
            }
        });
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(1) {
            look();
        }
        done.store(true, Ordering::Relaxed);
    });
}

/// The content of a file, or the refusal.
fn read(locator: &Locator, given: &str) -> Result<String, NotOpened> {
    let mut text = String::new();
    locator.open(given)?.read()?.read_to_string(&mut text).unwrap();
    Ok(text)
}

#[test]
fn a_folder_and_a_link_that_swap_places_never_lead_out() {
    for disk in [false, true].map(Disk::with_home) {
        disk.file("ws/folder/secret");
        disk.file("ws/folder/sub/x");
        disk.link("ws/link", "@out");
        let locator = disk.locator();
        let (mut inside, mut refused) = (0, 0);
        while_swapping(&disk.at("ws/folder"), &disk.at("ws/link"), || {
            for given in ["folder/secret", "folder/sub/../secret"] {
                match disk.locate(&locator, given).as_str() {
                    "file ws/folder/secret" | "file ws/link/secret" => inside += 1,
                    "outside" | "unclear Unreadable" => refused += 1,
                    // Seen in the moment when the other one had the name.
                    "absent ws/folder/secret" => panic!("a folder without its file was never there"),
                    other => panic!("{given} leads to {other}"),
                }
                match read(&locator, given) {
                    Ok(text) => assert_eq!(text, "ws/folder/secret"),
                    Err(NotOpened::Refused(_) | NotOpened::Changed { .. }) => {}
                    Err(other) => panic!("{given}: {other:?}"),
                }
            }
        });
        assert!(inside > 0 && refused > 0, "both were seen: {inside} inside, {refused} refused");
    }
}

#[test]
fn a_file_and_a_link_that_swap_places_never_lead_out() {
    for disk in [false, true].map(Disk::with_home) {
        disk.link("ws/link", "@out/secret");
        let locator = disk.locator();
        let mut inside = 0;
        while_swapping(&disk.at("ws/file"), &disk.at("ws/link"), || match read(&locator, "file") {
            Ok(text) => {
                assert_eq!(text, "ws/file");
                inside += 1;
            }
            Err(NotOpened::Refused(_) | NotOpened::Changed { .. }) => {}
            Err(other) => panic!("{other:?}"),
        });
        assert!(inside > 0);
    }
}

#[test]
fn a_folder_that_moves_out_during_the_walk_takes_nobody_along() {
    for disk in [false, true].map(Disk::with_home) {
        disk.file("ws/a/b/c/file");
        disk.file("out/a/b/c/outer");
        disk.file("out/outer");
        let locator = disk.locator();
        while_swapping(&disk.at("ws/a/b"), &disk.at("out/a"), || {
            // From a folder that was moved out, `..` would be `out`.
            let place = disk.locate(&locator, "a/b/../../../outer");
            assert!(matches!(place.as_str(), "outside" | "unclear Unreadable"), "{place}");
            let place = disk.locate(&locator, "a/b/c/../../b");
            let allowed = ["folder ws/a/b", "absent ws/a/b", "unclear Unreadable", "unclear NotFolder"];
            assert!(allowed.contains(&place.as_str()), "{place}");
        });
    }
}
