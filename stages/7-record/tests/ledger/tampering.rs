//! Whoever changes the record is found out.

use record::Known;

use crate::events::whole;
use crate::keepers::{Keeper, both, kept, key, now, sqlite};

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
        Keeper::Postgres { .. } => sql.to_owned(),
    }
}

/// What the tables hold, to be put back.
fn save(keeper: &Keeper) -> Option<Vec<u8>> {
    match keeper {
        Keeper::Sqlite(folder) => {
            keeper.tamper("PRAGMA wal_checkpoint(TRUNCATE)");
            Some(std::fs::read(folder.path().join("ledger.db")).unwrap())
        }
        Keeper::Postgres { .. } => {
            let tables = ["entries", "tiles", "open_calls", "log"];
            let copies = tables.map(|table| format!("CREATE TABLE saved_{table} AS SELECT * FROM {table};"));
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
            let tables = ["entries", "tiles", "open_calls", "log"];
            let back = tables.map(|table| {
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
