//! What is not a ledger of ours is refused, by its name, and left as it is.

use std::path::Path;

use record::SigningKey;
use record::store::{PostgresStore, SqliteStore, StoreError};
use tempfile::TempDir;

use crate::events::whole;
use crate::keepers::{Keeper, Stores, key, now, sqlite};

fn refused(folder: &Path) -> String {
    let before = std::fs::read(folder.join("ledger.db")).unwrap_or_default();
    let error = SqliteStore::open(folder, Some(crate::keepers::run(1))).unwrap_err();
    assert_eq!(std::fs::read(folder.join("ledger.db")).unwrap_or_default(), before, "it was changed");
    error.to_string()
}

#[test]
fn a_file_that_is_no_ledger_is_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("ledger.db");
    assert!(refused(folder.path()).contains("there is no such file"));
    std::fs::write(&file, b"").unwrap();
    assert!(refused(folder.path()).contains("database of something else"));
    std::fs::write(
        &file,
        b"hello, I am a text and not a database at all, and long enough for one".repeat(40),
    )
    .unwrap();
    assert!(refused(folder.path()).contains("it is not a database"));
    std::fs::remove_file(&file).unwrap();
    rusqlite::Connection::open(&file).unwrap().execute_batch("CREATE TABLE entries (a)").unwrap();
    assert!(refused(folder.path()).contains("database of something else"));
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert!(refused(folder.path()).contains("it is not a file"));
}

#[test]
fn a_ledger_of_another_version_or_a_broken_one_is_refused() {
    let cases = [
        ("PRAGMA user_version = 2", "version 2, and this gate knows version 1"),
        ("PRAGMA user_version = 0", "version 0, and this gate knows version 1"),
        ("DROP TABLE tiles", "has not its tables"),
        ("PRAGMA application_id = 5", "database of something else"),
    ];
    for (sql, want) in cases {
        let keeper = sqlite();
        keeper.tamper(sql);
        keeper.tamper("PRAGMA wal_checkpoint(TRUNCATE)");
        let said = refused(Path::new(&keeper.address()));
        assert!(said.contains(want), "{sql}: {said}");
    }
}

#[test]
fn a_file_that_was_cut_is_found_out() {
    let keeper = sqlite();
    let ledger = keeper.ledger(1);
    for event in (0..100).flat_map(whole) {
        ledger.append(&event, now()).unwrap();
    }
    drop(ledger);
    keeper.tamper("PRAGMA wal_checkpoint(TRUNCATE)");
    let Keeper::Sqlite(folder) = &keeper else { unreachable!() };
    let file = folder.path().join("ledger.db");
    let whole_file = std::fs::read(&file).unwrap();
    for part in 1..20 {
        std::fs::write(&file, &whole_file[..whole_file.len() * part / 20]).unwrap();
        let found = SqliteStore::open(folder.path(), None)
            .and_then(|mut store| record::audit(&mut store, &[], &mut |_, _| {}));
        let found = found.map(|audited| audited.problems);
        assert!(!matches!(&found, Ok(problems) if problems.is_empty()), "cut to {part}/20 passed");
    }
}

#[test]
fn a_database_that_is_no_ledger_is_refused() {
    let stores = Stores::start();
    let url = stores.server().database("empty");
    let said = PostgresStore::open(&url, None).unwrap_err().to_string();
    assert!(said.contains("it has no schema `toolgate_ledger`"), "{said}");
    let keeper = stores.postgres();
    assert!(PostgresStore::create(&keeper.address()).is_err(), "there is one already");
    keeper.tamper("UPDATE log SET version = 7");
    let error = PostgresStore::open(&keeper.address(), None).unwrap_err();
    assert!(matches!(error, StoreError::OtherVersion { found: 7, .. }), "{error}");
    let said = PostgresStore::open("host=/nowhere user=gate dbname=x", None).unwrap_err().to_string();
    assert!(said.contains("the ledger cannot be used"), "{said}");
}

#[test]
fn a_key_is_read_as_it_was_written_and_nothing_else_is() {
    let text = key().secret_text();
    assert_eq!(SigningKey::parse(&text).unwrap().public(), key().public());
    for bad in [
        "",
        "x",
        &text.replace("PRIVATE", "PUBLIC"),
        &text.replace("example", "exemple"),
        &text[..text.len() - 4],
    ] {
        assert!(SigningKey::parse(bad).is_err(), "{bad}");
    }
    for name in ["", "a b", "a+b"] {
        assert!(SigningKey::new(name, [1; 32]).is_err(), "{name}");
    }
    assert!(!format!("{:?}", key()).contains(text.rsplit('+').next().unwrap()));
}
