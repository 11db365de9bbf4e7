//! A gate that is killed at any moment loses nothing that it acknowledged.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use call::CallId;
use record::store::RunId;
use record::{Entry, Ledger, Settings};

use crate::events::whole;
use crate::keepers::{Keeper, Stores, key, now, open, sqlite};

/// Names the ledger for the process that is killed; in any other process it is not set.
const ADDRESS: &str = "TOOLGATE_TEST_LEDGER";
const ROUND: &str = "TOOLGATE_TEST_ROUND";

fn run_of(round: u32) -> RunId {
    let mut chance = [0; 10];
    chance[..4].copy_from_slice(&round.to_be_bytes());
    RunId(CallId::new(now(), chance))
}

fn gate(address: &str, round: u32) -> Ledger {
    let store = open(address, Some(run_of(round)));
    let settings = Settings { checkpoint_every: 50 };
    Ledger::start(store, key(), Box::new(|_| false), run_of(round), settings, now()).unwrap()
}

/// The gate that is killed: four callers, each with one call behind the other, and every acknowledged
/// place on standard output. Does nothing where the tests run by themselves.
#[test]
fn the_gate_that_is_killed() {
    let (Ok(address), Ok(round)) = (std::env::var(ADDRESS), std::env::var(ROUND)) else { return };
    let round: u32 = round.parse().unwrap();
    let gate = gate(&address, round);
    std::thread::scope(|scope| {
        for caller in 0..4_u32 {
            let gate = &gate;
            scope.spawn(move || {
                for number in 0.. {
                    for event in whole(round * 1_000_000 + caller * 100_000 + number) {
                        let place = gate.append(&event, now()).unwrap();
                        let line = format!("placed {place} {}\n", event.name());
                        std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
                    }
                }
            });
        }
    });
}

/// Starts a gate, kills it after so many microseconds of work, and says what it acknowledged.
fn killed(keeper: &Keeper, round: u32, after: u64) -> BTreeMap<u64, String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::the_gate_that_is_killed", "--nocapture"])
        .env(ADDRESS, keeper.address())
        .env(ROUND, round.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = BTreeMap::new();
    let mut add = |line: std::io::Result<String>| {
        let line = line.unwrap_or_default();
        // The first line may stand behind words of the test runner.
        let Some(at) = line.find("placed ") else { return false };
        let mut words = line[at..].split(' ').skip(1);
        if let (Some(place), Some(name)) = (words.next(), words.next()) {
            let again = acknowledged.insert(place.parse().unwrap(), name.to_owned());
            assert_eq!(again, None, "a place was given twice");
        }
        true
    };
    while !lines.next().is_some_and(&mut add) {}
    std::thread::sleep(Duration::from_micros(after));
    child.kill().unwrap();
    child.wait().unwrap();
    for line in lines {
        add(line);
    }
    acknowledged
}

fn survives(keeper: &Keeper, rounds: std::ops::Range<u32>, mut between: impl FnMut(u32)) {
    let mut chance = 0x2545_F491_4F6C_DD1D_u64 ^ u64::from(rounds.start);
    for round in rounds {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        let acknowledged = killed(keeper, round, chance % 20_000);
        between(round);
        let audited = keeper.audit(&[]);
        assert_eq!(audited.problems, [], "{} round {round}", keeper.name());
        let entries: BTreeMap<u64, Entry> = keeper
            .open(None)
            .read(0, 1_000_000)
            .unwrap()
            .into_iter()
            .map(|entry| (entry.place, entry))
            .collect();
        for (place, name) in &acknowledged {
            let entry = entries
                .get(place)
                .unwrap_or_else(|| panic!("{} round {round}: {place} is lost", keeper.name()));
            assert_eq!(
                entry.header().unwrap().event,
                name.as_str(),
                "{} round {round} {place}",
                keeper.name()
            );
        }
        let distinct: BTreeSet<&[u8]> = entries.values().map(|entry| entry.leaf.as_slice()).collect();
        assert_eq!(distinct.len(), entries.len(), "{} round {round}: an event is there twice", keeper.name());
    }
    // The next gate ends what the last one left, and every call has one end.
    drop(gate(&keeper.address(), 999));
    assert_eq!(keeper.audit(&[]).problems, []);
    assert_eq!(keeper.open(None).open_calls().unwrap(), []);
}

#[test]
fn nothing_that_was_acknowledged_is_lost_when_the_gate_is_killed_200_times() {
    for first in (0..200).step_by(20) {
        survives(&sqlite(), first..first + 20, |_| {});
    }
}

#[test]
fn nothing_that_was_acknowledged_is_lost_when_gate_and_server_are_killed() {
    let stores = Stores::start();
    // Every tenth time the server goes as well, as when the power fails.
    for first in (300..500).step_by(50) {
        survives(&stores.postgres(), first..first + 50, |round| {
            if round % 10 == 9 {
                stores.server().crash_and_start_again();
            }
        });
    }
}

#[test]
fn a_log_that_was_cut_anywhere_is_a_shorter_log() {
    let keeper = sqlite();
    let Keeper::Sqlite(folder) = &keeper else { unreachable!() };
    let ledger = keeper.ledger(1);
    for event in (0..40).flat_map(whole) {
        ledger.append(&event, now()).unwrap();
    }
    // As a crash leaves it: the file as it was, and the write-ahead log up to some byte.
    let (file, log) = (folder.path().join("ledger.db"), folder.path().join("ledger.db-wal"));
    let (file, log) = (std::fs::read(file).unwrap(), std::fs::read(log).unwrap());
    drop(ledger);
    let mut sizes = BTreeSet::new();
    for part in 0..60 {
        let torn = sqlite();
        let Keeper::Sqlite(folder) = &torn else { unreachable!() };
        let cut = log.len() * part / 60 + part;
        std::fs::write(folder.path().join("ledger.db"), &file).unwrap();
        std::fs::write(folder.path().join("ledger.db-wal"), &log[..cut.min(log.len())]).unwrap();
        let _ = std::fs::remove_file(folder.path().join("ledger.db-shm"));
        if record::store::SqliteStore::open(folder.path(), None).is_err() {
            continue;
        }
        drop(torn.ledger(2));
        assert_eq!(torn.problems(&[]), [""; 0], "cut at {cut}");
        sizes.insert(torn.open(None).size().unwrap());
    }
    assert!(sizes.len() > 20, "{sizes:?}");
}
