//! The tables of a ledger in SQLite, and nothing beside them.
//!
//! A trigger or a view would decide what is written or shown without a trace in the entries, and so would a
//! column of another kind. A database that differs in any of them is not opened.

use std::collections::BTreeSet;

use rusqlite::{Connection, config::DbConfig};

pub(super) const TABLES: &str = "
CREATE TABLE entries (place INTEGER PRIMARY KEY, call TEXT, leaf BLOB NOT NULL) STRICT;
CREATE INDEX entries_by_call ON entries (call) WHERE call IS NOT NULL;
CREATE TABLE tiles (level INTEGER, number INTEGER, root BLOB NOT NULL, hashes BLOB NOT NULL,
    PRIMARY KEY (level, number)) STRICT;
CREATE TABLE open_calls (call TEXT PRIMARY KEY, run TEXT NOT NULL, waits INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE marks (mark TEXT, place INTEGER, PRIMARY KEY (mark, place)) STRICT, WITHOUT ROWID;
CREATE TABLE checkpoints (size INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;
CREATE TABLE blobs (digest BLOB PRIMARY KEY, at INTEGER NOT NULL, content BLOB NOT NULL) STRICT;
";

/// One table, index, view or trigger: its kind, its name, whose it is, and how it was made.
type Thing = (String, String, String, Option<String>);

/// The first thing by which a database differs from a ledger.
pub(super) fn difference(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let made = Connection::open_in_memory()?;
    made.execute_batch(TABLES)?;
    let (ours, found) = (things(&made)?, things(connection)?);
    let lacks = ours.difference(&found).next().map(|(kind, name, ..)| format!("has not its {kind} `{name}`"));
    let has = found.difference(&ours).next();
    Ok(lacks.or_else(|| has.map(|(kind, name, ..)| format!("has the {kind} `{name}`, which no ledger has"))))
}

fn things(connection: &Connection) -> rusqlite::Result<BTreeSet<Thing>> {
    // Statistics only say how to look things up, and come by the hand of a careful keeper.
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_stat[0-9]'";
    let mut statement = connection.prepare(sql)?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?.collect()
}

/// Nothing that comes to the tables later runs in this connection either. And a statement is done in the same way
/// whatever it is asked about: SQLite would compile most of them anew for each value otherwise, which takes longer
/// than to run them.
pub(super) fn settle(connection: &Connection) -> rusqlite::Result<()> {
    let settings = [
        (DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    ];
    settings.into_iter().try_for_each(|(setting, on)| connection.set_db_config(setting, on).map(drop))
}
