//! Logs in tiles, with one thing wrong in each.

use verify::audit::Standing;
use verify::export::check;
use verify::tiles::Bundle;

use crate::made::{Keeper, Log, entries};

type Case = (&'static str, fn(&mut Log), &'static str);

#[test]
fn a_log_of_any_size_is_accepted() {
    let keeper = Keeper::new("example.com/ledger", 1);
    for size in [0, 1, 2, 255, 256, 257, 300, 512, 70_000] {
        let log = Log::new(&keeper, &entries(size));
        let standings = check(&log, &keeper.public, Vec::new()).unwrap();
        assert!(matches!(standings[..], [(_, Standing::Holds)]), "{size} entries: {standings:?}");
    }
}

#[test]
fn every_file_of_a_log_is_needed_and_every_bit_of_it() {
    let keeper = Keeper::new("example.com/ledger", 1);
    let log = Log::new(&keeper, &entries(600));
    assert_eq!(log.0.len(), 8);
    for path in log.0.keys() {
        let mut missing = log.clone();
        missing.0.remove(path);
        assert!(check(&missing, &keeper.public, Vec::new()).is_err(), "without {path}");

        for at in (0..log.0[path].len()).step_by(509) {
            let mut changed = log.clone();
            changed.0.get_mut(path).unwrap()[at] ^= 1;
            assert!(check(&changed, &keeper.public, Vec::new()).is_err(), "byte {at} of {path}");
        }
        for change in [b"".as_slice(), b"\0\x01a"] {
            let mut longer = log.clone();
            longer.0.get_mut(path).unwrap().extend(change);
            assert_eq!(check(&longer, &keeper.public, Vec::new()).is_ok(), change.is_empty(), "{path}");
        }
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let keeper = Keeper::new("example.com/ledger", 1);
    let honest = entries(70_000);
    let mut edited = honest.clone();
    edited[66_000] = b"{}".to_vec();
    let cases: [Case; 11] = [
        // what was changed, how -> what is said
        ("nothing", |_| {}, "ok"),
        (
            "a byte of entry 0",
            |log| file(log, "tile/entries/000")[9] ^= 1,
            "`tile/0/000` has another hash for entry 0",
        ),
        (
            "a byte of the length of entry 0",
            |log| file(log, "tile/entries/000")[1] ^= 1,
            "`tile/0/000` has another hash for entry 0",
        ),
        (
            "the hash of entry 259",
            |log| file(log, "tile/0/001")[3 * 32] ^= 1,
            "`tile/0/001` has another hash for entry 259",
        ),
        (
            "a hash over 256 entries",
            |log| file(log, "tile/1/001.p/17")[2 * 32] ^= 1,
            "`tile/1/001.p/17` has another hash for entries 66048 to 66303",
        ),
        (
            "a hash over 65536 entries",
            |log| file(log, "tile/2/000.p/1")[0] ^= 1,
            "`tile/2/000.p/1` has another hash for entries 0 to 65535",
        ),
        (
            "a bundle",
            |log| drop(log.0.remove("tile/entries/273.p/112")),
            "there is no `tile/entries/273.p/112`, for entries 69888 to 69999",
        ),
        (
            "half a hash",
            |log| file(log, "tile/2/000.p/1").truncate(16),
            "`tile/2/000.p/1` should have 1 hashes of 32 bytes, and has 16 bytes",
        ),
        (
            "the end of a bundle",
            |log| file(log, "tile/entries/273.p/112").truncate(3000),
            "`tile/entries/273.p/112` is cut short",
        ),
        (
            "the last entry of a bundle",
            |log| {
                let bundle = file(log, "tile/entries/273.p/112");
                let last = Bundle::new(bundle).last().unwrap().unwrap().len() + 2;
                bundle.truncate(bundle.len() - last);
            },
            "`tile/entries/273.p/112` should have 112 entries, and has 111",
        ),
        (
            "one entry more in a bundle",
            |log| Bundle::write(file(log, "tile/entries/273.p/112"), b"{}").unwrap(),
            "`tile/entries/273.p/112` should have 112 entries, and has 113",
        ),
    ];
    let log = Log::new(&keeper, &honest);
    for (what, tamper, want) in cases {
        let mut log = log.clone();
        tamper(&mut log);
        let found = check(&log, &keeper.public, Vec::new());
        assert_eq!(found.map_or_else(|error| error.to_string(), |_| "ok".to_owned()), want, "{what}");
    }
    // All tiles made anew for other entries: only the signature still tells.
    let mut rewritten = log.clone();
    rewritten.write_entries(&edited);
    let standings = check(&rewritten, &keeper.public, Vec::new()).unwrap();
    assert!(matches!(standings[..], [(_, Standing::Changed { .. })]), "{standings:?}");
}

fn file<'a>(log: &'a mut Log, path: &str) -> &'a mut Vec<u8> {
    log.0.get_mut(path).unwrap()
}
