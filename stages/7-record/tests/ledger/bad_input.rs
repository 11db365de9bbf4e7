//! What is not a ledger of ours is refused, by its name, and left as it is.

use std::path::Path;

use record::SigningKey;
use record::store::{PostgresStore, SqliteStore, StoreError};
use tempfile::TempDir;

use crate::events::whole;
use crate::keepers::{Keeper, Stores, key, now, run, sqlite};

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
        ("PRAGMA user_version = 3", "version 3, and this gate knows version 2"),
        ("PRAGMA user_version = 1", "version 1, and this gate knows version 2"),
        ("DROP TABLE tiles", "has not its index `sqlite_autoindex_tiles_1`"),
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
            .and_then(|mut store| record::audit(&mut store, key().public(), &[], &mut |_, _| {}));
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
fn tables_that_would_decide_by_themselves_are_refused_by_both_stores() {
    let sqlite_cases = [
        ("CREATE TRIGGER t BEFORE INSERT ON entries BEGIN SELECT raise(IGNORE); END", "has the trigger `t`"),
        ("CREATE VIEW v AS SELECT 1", "has the view `v`"),
        ("ALTER TABLE entries RENAME TO e; CREATE VIEW entries AS SELECT * FROM e", "has not its"),
        ("CREATE UNIQUE INDEX u ON entries (length(leaf))", "has the index `u`"),
        ("DROP INDEX entries_by_call", "has not its index `entries_by_call`"),
        ("DROP TABLE blobs; CREATE TABLE blobs (digest, at, content)", "has not its"),
        ("CREATE TABLE other (a)", "has the table `other`"),
    ];
    for (sql, want) in sqlite_cases {
        let keeper = sqlite();
        keeper.tamper(sql);
        let said = keeper.try_open(None).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(said.contains(want), "{sql}: {said}");
    }
    let keeper = sqlite();
    keeper.tamper("ANALYZE");
    assert!(keeper.try_open(None).is_ok(), "statistics change nothing");
    let function = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';";
    let trigger = "CREATE TRIGGER t BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION f()";
    let postgres_cases = [
        (&*format!("{function} {trigger}"), "trigger t on entries"),
        ("CREATE RULE r AS ON INSERT TO entries DO INSTEAD NOTHING", "rule r on entries"),
        ("ALTER TABLE entries SET UNLOGGED", "table entries that is not logged"),
        ("ALTER TABLE entries ENABLE ROW LEVEL SECURITY", "table entries with row security"),
        ("CREATE TABLE below () INHERITS (entries)", "below entries"),
        ("ALTER TABLE entries ALTER leaf TYPE text USING 'x'", "column entries.leaf text"),
        ("ALTER TABLE log ALTER size TYPE int", "column log.size integer"),
        ("ALTER TABLE log ALTER size DROP NOT NULL", "column log.size bigint or nothing"),
        ("ALTER TABLE entries DROP CONSTRAINT entries_pkey", "key entries PRIMARY KEY (place)"),
        ("DROP TABLE blobs", "it lacks this: table blobs"),
        ("INSERT INTO log VALUES (1, 5)", "rows of log: 2"),
    ];
    let stores = Stores::start();
    for (sql, want) in postgres_cases {
        let keeper = stores.postgres();
        keeper.tamper(sql);
        let said = keeper.try_open(None).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(said.contains(want), "{sql}: {said}");
    }
    let keeper = stores.postgres();
    keeper.tamper(
        "CREATE TABLE other (a int); CREATE INDEX i ON entries (length(leaf)); UPDATE log SET size = -1",
    );
    let said = keeper.try_open(Some(run(1))).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(said.contains("it is said to have -1 entries"), "{said}");
}

#[test]
fn a_database_that_takes_nothing_is_not_believed() {
    let stores = Stores::start();
    let keeper = stores.postgres();
    let ledger = keeper.ledger(1);
    // It comes after the tables were looked at.
    keeper.tamper("CREATE RULE r AS ON INSERT TO entries DO INSTEAD NOTHING");
    let said = ledger.append(&whole(1)[0], now()).unwrap_err().to_string();
    assert!(said.contains("1 rows were written, and the database has taken 0"), "{said}");
    let keeper = sqlite();
    let ledger = keeper.ledger(1);
    keeper.tamper("CREATE TRIGGER t BEFORE INSERT ON entries BEGIN SELECT raise(IGNORE); END");
    ledger.append(&whole(1)[0], now()).unwrap();
    assert_eq!(ledger.size().unwrap(), 1, "no trigger runs in a gate");
}

#[test]
fn a_row_of_gigabytes_is_not_read_to_be_found_out() {
    let keeper = sqlite();
    let ledger = keeper.ledger(1);
    ledger.append(&whole(1)[0], now()).unwrap();
    keeper.tamper("UPDATE entries SET leaf = zeroblob(65536)");
    let said = keeper.open(None).read(0, 1).unwrap_err().to_string();
    assert!(said.contains("entry 0 is larger than any entry is"), "{said}");
}

#[test]
fn a_server_that_is_held_up_is_not_waited_for_for_ever() {
    let stores = Stores::start();
    let keeper = stores.postgres();
    keeper.tamper("ALTER DATABASE ledger0 SET default_transaction_isolation = 'serializable'");
    keeper.tamper("ALTER DATABASE ledger0 SET default_transaction_read_only = on");
    // Whatever the defaults are, two gates take turns.
    let (one, other) = (keeper.ledger(1), keeper.ledger(2));
    for number in 0..3 {
        one.append(&whole(number)[0], now()).unwrap();
        other.append(&whole(100 + number)[0], now()).unwrap();
    }
    // Somebody takes the connection and says nothing.
    let folder = TempDir::new().unwrap();
    let _silent = std::os::unix::net::UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
    let address = format!("host={} user=gate dbname=x connect_timeout=1", folder.path().display());
    let said = PostgresStore::open(&address, None).unwrap_err().to_string();
    assert!(said.contains("the server does not answer"), "{said}");
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
