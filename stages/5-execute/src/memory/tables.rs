//! The file that the memory is kept in.

use std::path::Path;

use rusqlite::Connection;

use crate::database::{self, Unusable};

pub(super) const FILE: &str = "memory.db";

/// Says that a database is a memory: `TGMM`.
const APPLICATION: i64 = 0x5447_4D4D;

/// The text stands in one table only; the index refers to it. A text that is there already is not stored
/// again.
const TABLES: &str = "
CREATE TABLE texts (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    namespace TEXT NOT NULL,
    digest    BLOB NOT NULL,
    agent     TEXT NOT NULL,
    stored    INTEGER NOT NULL,
    tags      TEXT NOT NULL,
    text      TEXT NOT NULL,
    UNIQUE (namespace, digest)
) STRICT;
CREATE INDEX texts_by_time ON texts (stored);
CREATE VIRTUAL TABLE words USING fts5(
    text, tags, content = 'texts', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO words(words, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER texts_stored AFTER INSERT ON texts BEGIN
    INSERT INTO words(rowid, text, tags) VALUES (new.id, new.text, new.tags);
END;
CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN
    INSERT INTO words(words, rowid, text, tags) VALUES ('delete', old.id, old.text, old.tags);
END;
";

pub(super) fn open(file: &Path) -> Result<Connection, Unusable> {
    let connection = database::open(file, APPLICATION, TABLES)?;
    // What is taken away is overwritten, so that it is gone.
    connection.execute_batch("PRAGMA secure_delete = ON; PRAGMA synchronous = FULL;")?;
    Ok(connection)
}
