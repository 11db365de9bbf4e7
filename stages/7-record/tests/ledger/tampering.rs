//! Whoever changes the record is found out.

use record::{Beside, Event, Known, Ledger, Settings, audit};

use crate::events::whole;
use crate::handed_in::told;
use crate::keepers::{Keeper, Stores, both, kept, key, now, run, sqlite};

/// 600 entries, and a checkpoint over them that somebody keeps.
fn filled(keeper: &Keeper) -> Known {
    let ledger = keeper.ledger(1);
    for event in (0..150).flat_map(whole) {
        ledger.append(&event, now()).unwrap();
    }
    kept(&ledger.checkpoint().unwrap())
}

const EDIT: &str = "UPDATE entries SET leaf = (SELECT leaf FROM entries WHERE place = 6) WHERE place = ";

#[test]
fn every_way_to_change_the_record_is_found_out() {
    let cases = [
        // what is done, the first entry that is named, whether it takes a checkpoint to see it
        ("edit an early entry", format!("{EDIT} 10"), 10, false),
        ("edit a late entry", format!("{EDIT} 590"), 0, true),
        ("change the root of a tile", "UPDATE tiles SET root = (SELECT root FROM tiles WHERE number = 0) WHERE number = 1".to_owned(), 256, false),
        ("delete an entry", "DELETE FROM entries WHERE place = 300".to_owned(), 300, false),
        (
            "swap two entries",
            "UPDATE entries SET place = -1 WHERE place = 8; UPDATE entries SET place = 8 WHERE place = 12; \
             UPDATE entries SET place = 12 WHERE place = -1"
                .to_owned(),
            8,
            false,
        ),
        (
            "insert an entry",
            "UPDATE entries SET place = -place WHERE place >= 20; \
             UPDATE entries SET place = 1 - place WHERE place < 0; \
             INSERT INTO entries (place, leaf) SELECT 20, leaf FROM entries WHERE place = 3"
                .to_owned(),
            20,
            false,
        ),
        (
            "write an entry twice",
            "INSERT INTO entries (place, call, leaf) SELECT 600, call, leaf FROM entries WHERE place = 599"
                .to_owned(),
            600,
            false,
        ),
        ("truncate the tail", "DELETE FROM entries WHERE place >= 596".to_owned(), 596, true),
        (
            "truncate the tail and the tiles",
            "DELETE FROM entries WHERE place >= 200; DELETE FROM tiles".to_owned(),
            200,
            true,
        ),
        ("delete everything", "DELETE FROM entries; DELETE FROM tiles".to_owned(), 0, true),
        ("hide a call that is open", "INSERT INTO entries (place, leaf) VALUES (600, '{\"at\":\"2026-03-01T12:00:00.000000Z\",\"call\":\"00000000000000000000000001\",\"event\":\"asked\"}')".to_owned(), 600, false),
        ("give a call another name", "UPDATE entries SET call = '00000000000000000000000001' WHERE place = 33".to_owned(), 33, false),
        ("hide an entry from its call", "UPDATE entries SET call = NULL WHERE place = 34".to_owned(), 34, false),
        (
            "put an entry where nobody reads it",
            "INSERT INTO entries (place, call, leaf) SELECT -7, call, leaf FROM entries WHERE place = 9".to_owned(),
            600,
            false,
        ),
        (
            "put an entry where nobody comes to",
            "INSERT INTO entries (place, call, leaf) SELECT 9223372036854775806, call, leaf FROM entries WHERE place = 9".to_owned(),
            600,
            false,
        ),
        ("cut a tile short", "UPDATE tiles SET hashes = root WHERE number = 1".to_owned(), 256, false),
        (
            "keep a tile for entries to come",
            "INSERT INTO tiles (level, number, root, hashes) SELECT 0, 2, root, hashes FROM tiles WHERE number = 1".to_owned(),
            600,
            false,
        ),
        ("keep what is no call as open", "INSERT INTO open_calls SELECT 'x', 'x', 0".to_owned(), 600, false),
        ("write what is no event", "INSERT INTO entries (place, leaf) VALUES (600, 'hello')".to_owned(), 600, false),
    ];
    for make in [0, 1] {
        let keeper = both().into_iter().nth(make).unwrap();
        let known = filled(&keeper);
        assert_eq!(keeper.problems(std::slice::from_ref(&known)), [""; 0]);
        for (what, sql, first, needs_checkpoint) in &cases {
            let saved = save(&keeper);
            keeper.tamper(&spelled(&keeper, sql));
            keeper.settle_size();
            let alone = keeper.problems(&[]);
            let problems = keeper.problems(std::slice::from_ref(&known));
            assert!(!problems.is_empty(), "{} {what}", keeper.name());
            let seen = if *needs_checkpoint { &problems } else { &alone };
            let named = seen.iter().any(|problem| problem.starts_with(&format!("{first} ")));
            assert!(named, "{} {what}: {seen:?}", keeper.name());
            restore(&keeper, saved);
            assert_eq!(keeper.problems(std::slice::from_ref(&known)), [""; 0], "{what}");
        }
    }
}

/// Leaves are bytes, which the two databases spell differently.
fn spelled(keeper: &Keeper, sql: &str) -> String {
    match keeper {
        Keeper::Sqlite(_) => sql.replace("(600, '", "(600, CAST('").replace("')", "' AS BLOB))"),
        Keeper::Postgres { .. } => sql.replace("'x', 'x', 0", "'x', 'x', 0, false"),
    }
}

const TABLES: [&str; 5] = ["entries", "tiles", "open_calls", "log", "checkpoints"];

/// What the tables hold, to be put back.
fn save(keeper: &Keeper) -> Option<Vec<u8>> {
    match keeper {
        Keeper::Sqlite(folder) => {
            keeper.tamper("PRAGMA wal_checkpoint(TRUNCATE)");
            Some(std::fs::read(folder.path().join("ledger.db")).unwrap())
        }
        Keeper::Postgres { .. } => {
            let copies = TABLES.map(|table| format!("CREATE TABLE saved_{table} AS SELECT * FROM {table};"));
            keeper.tamper(&copies.concat());
            None
        }
    }
}

fn restore(keeper: &Keeper, saved: Option<Vec<u8>>) {
    match keeper {
        Keeper::Sqlite(folder) => {
            let _ = std::fs::remove_file(folder.path().join("ledger.db-wal"));
            std::fs::write(folder.path().join("ledger.db"), saved.unwrap()).unwrap();
        }
        Keeper::Postgres { .. } => {
            let back = TABLES.map(|table| {
                format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM saved_{table}; DROP TABLE saved_{table};")
            });
            keeper.tamper(&back.concat());
        }
    }
}

#[test]
fn a_ledger_that_was_rolled_back_and_went_on_is_a_fork() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        for event in (0..10).flat_map(whole) {
            ledger.append(&event, now()).unwrap();
        }
        drop(ledger);
        let saved = save(&keeper);
        let ledger = keeper.ledger(2);
        for event in (10..20).flat_map(whole) {
            ledger.append(&event, now()).unwrap();
        }
        let known = [kept(&ledger.checkpoint().unwrap())];
        drop(ledger);
        restore(&keeper, saved);
        let problems = keeper.problems(&known);
        assert!(problems.iter().any(|problem| problem.contains("truncated or rolled back")), "{problems:?}");
        // It grows beyond the old size with other entries.
        let ledger = keeper.ledger(3);
        for event in (30..50).flat_map(whole) {
            ledger.append(&event, now()).unwrap();
        }
        drop(ledger);
        assert_eq!(keeper.problems(&[]), [""; 0], "by itself it looks sound");
        let problems = keeper.problems(&known);
        assert!(problems.iter().any(|problem| problem.contains("forked or changed")), "{problems:?}");
    }
}

#[test]
fn a_stolen_key_does_not_help_against_a_checkpoint_that_somebody_kept() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        for event in (0..80).flat_map(whole) {
            ledger.append(&event, now()).unwrap();
        }
        let known = [kept(&ledger.checkpoint().unwrap())];
        drop(ledger);
        // The whole history again without the call 40, signed with the same key.
        let forged = sqlite();
        let ledger = forged.ledger(1);
        for event in (0..90).filter(|&number| number != 40).flat_map(whole) {
            ledger.append(&event, now()).unwrap();
        }
        let note = ledger.checkpoint().unwrap();
        drop(ledger);
        let own = [kept(&note)];
        assert_eq!(own[0].checkpoint.origin(), key().public().name());
        assert_eq!(forged.problems(&own), [""; 0], "with its own checkpoint it looks sound");
        let problems = forged.problems(&known);
        assert!(problems.iter().any(|problem| problem.contains("forked or changed")), "{problems:?}");
        assert_eq!(keeper.problems(&known), [""; 0]);
    }
}

#[test]
fn a_change_in_what_was_signed_is_never_signed_again() {
    let cases = [
        // what is done, what the gate says
        (format!("{EDIT} 18"), "forked or changed"),
        ("DELETE FROM entries WHERE place >= 16".to_owned(), "truncated or rolled back"),
        (
            "UPDATE checkpoints SET note = 'nothing'".to_owned(),
            "its last checkpoint: it is not a signed note",
        ),
    ];
    let stores = Stores::start();
    for (sql, want) in &cases {
        for keeper in stores.both() {
            let ledger = keeper.ledger(1);
            for event in (0..5).flat_map(whole) {
                ledger.append(&event, now()).unwrap();
            }
            ledger.checkpoint().unwrap();
            keeper.tamper(sql);
            keeper.settle_size();
            let row = format!("{} {sql}", keeper.name());
            let said = ledger.checkpoint().unwrap_err().to_string();
            assert!(said.contains(want), "{row}: {said}");
            drop(ledger);
            let store = keeper.open(Some(run(2)));
            let again = Ledger::start(store, key(), Box::new(|_| false), run(2), Settings::default(), now());
            let said = again.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(said.contains(want), "a gate went on from it: {row}: {said}");
        }
    }
}

#[test]
fn a_change_that_was_signed_again_is_found_by_the_checkpoint_before() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        for event in (0..5).flat_map(whole) {
            ledger.append(&event, now()).unwrap();
        }
        let signed = ledger.checkpoint().unwrap();
        drop(ledger);
        // A gate that knows of no checkpoint signs what it finds.
        keeper.tamper("DELETE FROM checkpoints");
        keeper.tamper(match keeper {
            Keeper::Sqlite(_) => {
                "UPDATE entries SET leaf = CAST(replace(CAST(leaf AS TEXT), 'writer', 'reader') AS BLOB) \
                 WHERE place = 16"
            }
            Keeper::Postgres { .. } => {
                "UPDATE entries SET leaf = convert_to(replace(convert_from(leaf, 'UTF8'), 'writer', 'reader'), \
                 'UTF8') WHERE place = 16"
            }
        });
        let ledger = keeper.ledger(2);
        ledger.append(&whole(9)[0], now()).unwrap();
        ledger.checkpoint().unwrap();
        drop(ledger);
        assert_eq!(keeper.problems(&[]), [""; 0], "by itself it looks sound");
        keeper.tamper(&format!("INSERT INTO checkpoints VALUES (20, '{signed}')"));
        let problems = keeper.problems(&[]);
        assert!(problems.iter().any(|problem| problem.contains("from the ledger itself")), "{problems:?}");
    }
}

#[test]
fn a_gate_that_is_at_work_is_not_taken_for_a_forger() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        for event in (0..200).flat_map(whole) {
            ledger.append(&event, now()).unwrap();
        }
        let mut store = keeper.open(None);
        let mut next = 1_000;
        // Whenever the audit has come further, a call begins and another one ends.
        let audited = audit(&mut *store, key().public(), &[], &mut |_, _| {
            let [asked, rest @ ..] = whole(next);
            ledger.append(&asked, now()).unwrap();
            next += 1;
            let [asked, ..] = whole(next);
            ledger.append(&asked, now()).unwrap();
            next += 1;
            for event in &rest {
                ledger.append(event, now()).unwrap();
            }
        });
        let audited = audited.unwrap();
        assert_eq!(audited.problems, [], "{}", keeper.name());
        assert_eq!(audited.entries, 800);
        assert!(store.size().unwrap() > 800, "it shows the ledger as it is again");
    }
}

#[test]
fn a_gate_writes_nothing_behind_a_gap() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        for event in (0..5).flat_map(whole) {
            ledger.append(&event, now()).unwrap();
        }
        drop(ledger);
        keeper.tamper("DELETE FROM entries WHERE place = 10");
        let opened = keeper.try_open(Some(run(2)));
        let said = opened.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(said.contains("it lacks entries that its 20 entries need"), "{} {said}", keeper.name());
        assert!(!keeper.problems(&[]).is_empty());
    }
}

#[test]
fn content_beside_the_log_that_was_changed_or_taken_is_found_out() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        let event = Event::CheckpointWitnessed { witness: "w".repeat(70_000), size: 0, root: String::new() };
        ledger.append(&event, now()).unwrap();
        assert_eq!(keeper.problems(&[]), [""; 0]);
        let entries = keeper.open(None).read(0, 1).unwrap();
        let moved = entries[0].header().unwrap().moved.unwrap().parse().unwrap();
        let change = match keeper {
            Keeper::Sqlite(_) => "UPDATE blobs SET content = zeroblob(3)",
            Keeper::Postgres { .. } => "UPDATE blobs SET content = 'abc'",
        };
        for sql in [change, "DELETE FROM blobs"] {
            keeper.tamper(sql);
            assert_eq!(keeper.open(None).blob(moved).unwrap(), None, "what was changed is not given");
            let problems = keeper.problems(&[]);
            assert!(
                problems.iter().any(|problem| problem.starts_with("0 its content")),
                "{sql}: {problems:?}"
            );
        }
        let why = "in a test".to_owned();
        ledger.append(&Event::BlobRemoved { blob: moved, why }, now()).unwrap();
        assert_eq!(keeper.problems(&[]), [""; 0], "an event says why");
    }
}

#[test]
fn a_gate_that_finds_its_ledger_shortened_writes_nothing() {
    for keeper in both() {
        let ledger = keeper.ledger(1);
        for event in (0..5).flat_map(whole) {
            ledger.append(&event, now()).unwrap();
        }
        keeper.tamper("DELETE FROM entries WHERE place > 10");
        keeper.settle_size();
        let [asked, ..] = whole(9);
        let error = ledger.append(&asked, now()).unwrap_err().to_string();
        assert!(error.contains("it had 20 entries and has 11 now"), "{} {error}", keeper.name());
        assert!(ledger.append(&asked, now()).is_err(), "and goes on writing nothing");
        assert_eq!(keeper.open(None).size().unwrap(), 11);
    }
}

#[test]
fn a_gate_that_finds_its_last_checkpoint_changed_tells_whoever_waits_and_writes_no_more() {
    for keeper in both() {
        let settings = Settings { checkpoint_every: 4 };
        let store = keeper.open(Some(run(1)));
        let ledger = Ledger::start(store, key(), Box::new(|_| false), run(1), settings, now()).unwrap();
        ledger.append_all(&whole(1), now()).unwrap();
        keeper.tamper("UPDATE checkpoints SET note = 'nothing'");
        let pending = ledger.hand_in(&whole(2), &Beside::default(), now()).unwrap();
        let said = told(pending).unwrap_err().to_string();
        assert!(said.contains("its last checkpoint: it is not a signed note"), "{} {said}", keeper.name());
        let size = ledger.size().unwrap();
        assert!(ledger.append_all(&whole(3), now()).is_err(), "{}", keeper.name());
        assert_eq!(ledger.size().unwrap(), size, "{}", keeper.name());
    }
}
