//! A small SQLite file of the gate's own, made when it is first used.
#![expect(clippy::disallowed_methods, reason = "the file and its folder are made here, for the gate alone")]

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior, config::DbConfig};

/// How long to wait for another gate that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unusable {
    #[error("{0}")]
    Database(#[from] rusqlite::Error),
    #[error("{0}")]
    System(#[from] std::io::Error),
    #[error("the file is a database of something else")]
    Foreign,
    #[error("the file is damaged: {0}")]
    Damaged(String),
}

/// Opens the database of this application, and makes it where there is none. One that is damaged, or
/// something else's, is an error and stays as it is.
pub(crate) fn open(file: &Path, application: i64, tables: &str) -> Result<Connection, Unusable> {
    if let Some(folder) = file.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    // Nobody else may read it, and a link that somebody put there is not followed.
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    match made {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error.into()),
    }
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = transaction.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let is_empty: bool =
        transaction.query_row("SELECT count(*) = 0 FROM sqlite_master", [], |row| row.get(0))?;
    if is_empty && found == 0 {
        transaction.execute_batch(&format!("{tables} PRAGMA application_id = {application};"))?;
    } else if found != application {
        return Err(Unusable::Foreign);
    }
    transaction.commit()?;
    // After the tables, because a log is only kept for a database that is one.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;")?;
    Ok(connection)
}

/// Looks through all of it. For small ones only.
pub(crate) fn check(connection: &Connection) -> Result<(), Unusable> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(Unusable::Damaged(found)) }
}
