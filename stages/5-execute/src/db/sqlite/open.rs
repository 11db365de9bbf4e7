//! Opening a file as a database, and what SQLite says when something is wrong with it.

use call::{AbsolutePath, Fault};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use rustix::fs::{AtFlags, CWD, FileType, statat};

use crate::db::patience::{Patience, locked};
use crate::db::table;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Look,
    Change,
}

/// Bytes of one text or blob: what a call may carry, and the row around it.
const LONGEST_VALUE: i32 = 17 * 1024 * 1024;

/// Opens the file that stands there, and never makes one.
pub(super) fn open(path: &AbsolutePath, mode: Mode, patience: &Patience<'_>) -> Result<Connection, Fault> {
    is_file(path)?;
    let access = match mode {
        Mode::Look => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Mode::Change => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    // An absolute path is never taken for a `file:` address, and one with a link in it is not opened: where it
    // leads was found out when policy was read.
    let flags = access | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection =
        Connection::open_with_flags(path.as_str(), flags).map_err(|error| fault(&error, patience))?;
    close_doors(&connection, mode, patience).map_err(|error| fault(&error, patience))?;
    Ok(connection)
}

fn close_doors(connection: &Connection, mode: Mode, patience: &Patience<'_>) -> rusqlite::Result<()> {
    connection.busy_timeout(patience.for_locks())?;
    for (option, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true),
        // `"name"` is a name, as it was when the statement was judged, and never a text.
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
    ] {
        connection.set_db_config(option, on)?;
    }
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
        (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 1_000),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 100),
        // The clock is not looked at within one comparison, and that takes as long as both texts together.
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
    ] {
        connection.set_limit(limit, most)?;
    }
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "query_only", mode == Mode::Look)
}

/// A folder, a pipe or a device is no database, and a pipe would never open.
fn is_file(path: &AbsolutePath) -> Result<(), Fault> {
    match statat(CWD, path.as_str(), AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => match FileType::from_raw_mode(found.st_mode) {
            FileType::RegularFile => Ok(()),
            FileType::Symlink => Err(wrong("not_a_file", "the file of the database is a link")),
            FileType::Directory
            | FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => Err(wrong("not_a_file", "the database is no file")),
        },
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => {
            Err(wrong("not_found", "the file of the database does not exist"))
        }
        Err(error) => Err(Fault::failed("cannot_open", format!("the database cannot be opened: {error}"))),
    }
}

fn wrong(class: &'static str, message: &str) -> Fault {
    let remedy = "whoever owns the policy can correct the `path` of the database";
    Fault::Failed { class, message: message.to_owned(), remedy: Some(remedy.to_owned()) }
}

/// What SQLite says, in our words where it is about the file and in its own where it is about the statement.
pub(super) fn fault(error: &rusqlite::Error, patience: &Patience<'_>) -> Fault {
    let (rusqlite::Error::SqliteFailure(failure, _) | rusqlite::Error::SqlInputError { error: failure, .. }) =
        error
    else {
        return Fault::failed("sql_error", error.to_string());
    };
    match failure.code {
        ErrorCode::OperationInterrupted => match patience.check() {
            Err(over) => over,
            Ok(()) => patience.timed_out(),
        },
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => match patience.check() {
            Err(over) => over,
            Ok(()) => locked(),
        },
        ErrorCode::NotADatabase => wrong("not_a_database", "the file is no SQLite database"),
        ErrorCode::DatabaseCorrupt => wrong("database_damaged", "the database is damaged"),
        ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
            wrong("cannot_open", "the database cannot be opened, or the file that it keeps beside it cannot")
        }
        ErrorCode::ReadOnly => Fault::Failed {
            class: "read_only",
            message: "the file of the database cannot be written, or has to be recovered first".to_owned(),
            remedy: Some("open it once with the program that it belongs to".to_owned()),
        },
        ErrorCode::DiskFull => Fault::failed("disk_full", "the disk is full"),
        ErrorCode::SystemIoFailure => Fault::failed("io_error", "the disk failed"),
        ErrorCode::OutOfMemory => {
            Fault::failed("out_of_memory", "the statement needs more memory than there is")
        }
        ErrorCode::TooBig => table::too_large(),
        ErrorCode::InternalMalfunction
        | ErrorCode::OperationAborted
        | ErrorCode::NotFound
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::SchemaChanged
        | ErrorCode::ConstraintViolation
        | ErrorCode::TypeMismatch
        | ErrorCode::ApiMisuse
        | ErrorCode::NoLargeFileSupport
        | ErrorCode::AuthorizationForStatementDenied
        | ErrorCode::ParameterOutOfRange
        | ErrorCode::Unknown => Fault::failed("sql_error", said(error)),
        _ => Fault::failed("sql_error", said(error)),
    }
}

/// Without the statement, which the agent knows.
fn said(error: &rusqlite::Error) -> String {
    if let rusqlite::Error::SqlInputError { msg, .. } | rusqlite::Error::SqliteFailure(_, Some(msg)) = error {
        return msg.clone();
    }
    error.to_string()
}
