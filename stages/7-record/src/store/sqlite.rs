//! The ledger as one SQLite file in the home.
//!
//! Write-ahead log, full synchronisation: a commit that returned is on the disk. Every transaction takes
//! the write lock before it looks at anything, so that two gates on one file take turns.

mod tables;

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use call::{CallId, Sha256};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, TransactionBehavior, params};
use verify::tree::Hash;

use super::calls::{self, Calls, Standing};
use super::edge::Edge;
use super::forms::{self, call_id, digest, hash, hashes, number, size_of};
use super::{
    Census, Draft, Indexed, Kept, Misstep, RunId, Store, StoreError, catch_up, had_effect, unchanged,
};
use crate::Entry;

/// Says that a database is a ledger: `TGLG`.
const APPLICATION: i64 = 0x5447_4C47;

/// The version of the tables below.
const VERSION: i64 = 2;

/// How long to wait for a gate that writes.
const PATIENCE: Duration = Duration::from_secs(20);

/// The name of the file.
const FILE: &str = "ledger.db";

/// A ledger in a folder.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    edge: Edge,
    runs: PathBuf,
    run: Option<OwnRun>,
}

/// The run that this store writes for. As long as the file is locked, the gate lives.
#[derive(Debug)]
struct OwnRun {
    run: RunId,
    path: PathBuf,
    _lock: File,
}

impl SqliteStore {
    /// Whether there is something where a ledger of this folder lies.
    #[must_use]
    pub fn is_in(folder: &Path) -> bool {
        fs::symlink_metadata(folder.join(FILE)).is_ok()
    }

    /// Makes a ledger in a folder that has none.
    ///
    /// # Errors
    /// When the folder has one, or cannot be written to.
    pub fn create(folder: &Path) -> Result<(), StoreError> {
        let file = folder.join(FILE);
        fs::create_dir_all(folder.join("runs")).map_err(|error| failed_at(&file, &error))?;
        let new = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file);
        new.map_err(|error| failed_at(&file, &error))?;
        let made = Self::connect(&file).and_then(|connection| {
            connection.execute_batch(&format!(
                "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA application_id = {APPLICATION}; \
                 BEGIN; {} PRAGMA user_version = {VERSION}; COMMIT;",
                tables::TABLES
            ))?;
            Ok(())
        });
        made.map_err(|error| failed(&file, &error))
    }

    /// Opens the ledger of a folder: to write for this run, or only to look.
    ///
    /// # Errors
    /// When there is none, or it is another version's, or it is damaged. Nothing is changed then.
    pub fn open(folder: &Path, run: Option<RunId>) -> Result<Self, StoreError> {
        let file = folder.join(FILE);
        Self::check(&file)?;
        let connection = Self::connect(&file).map_err(|error| failed(&file, &error))?;
        let runs = folder.join("runs");
        let run = run.map(|run| own_run(&runs, run).map_err(|error| failed_at(&runs, &error))).transpose()?;
        let mut store = Self { connection, edge: Edge::default(), runs, run };
        if store.run.is_some() {
            store.edge = Edge::of(&mut store)?;
        }
        Ok(store)
    }

    /// Is this a ledger that we know? Looked at without writing anything.
    fn check(file: &Path) -> Result<(), StoreError> {
        let place = || file.display().to_string();
        let not_ledger = |why: &str| StoreError::NotLedger { place: place(), why: why.to_owned() };
        let missing = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
        let kind = match fs::metadata(file) {
            Ok(kind) => kind,
            Err(error) if missing(&error) => return Err(not_ledger("there is no such file")),
            Err(error) => return Err(failed_at(file, &error)),
        };
        if !kind.is_file() {
            return Err(not_ledger("it is not a file"));
        }
        let look = || -> rusqlite::Result<(i64, i64, Option<String>)> {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags(file, flags)?;
            connection.busy_timeout(PATIENCE)?;
            let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get(0));
            let (application, version) = (number("application_id")?, number("user_version")?);
            Ok((application, version, tables::difference(&connection)?))
        };
        match look() {
            Ok((APPLICATION, VERSION, None)) => Ok(()),
            Ok((APPLICATION, VERSION, Some(difference))) => {
                Err(StoreError::Damaged(format!("`{}` {difference}", place())))
            }
            Ok((APPLICATION, found, _)) => {
                Err(StoreError::OtherVersion { place: place(), found, known: VERSION })
            }
            Ok(_) => Err(not_ledger("it is a database of something else")),
            Err(error) => Err(failed(file, &error)),
        }
    }

    fn connect(file: &Path) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
        tables::settle(&connection)?;
        connection.set_prepared_statement_cache_capacity(32);
        Ok(connection)
    }

    fn run(&self) -> Result<RunId, StoreError> {
        self.run
            .as_ref()
            .map(|own| own.run)
            .ok_or_else(|| StoreError::Failed("it was opened to look at it, and not to write".to_owned()))
    }

    /// One transaction for all of them.
    fn try_append(
        &mut self,
        bundles: &[Vec<Draft>],
        run: RunId,
    ) -> Result<Vec<Result<u64, Misstep>>, Failure> {
        let run = run.to_string();
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let size = count(&transaction)?;
        catch_up(&mut self.edge, size, |from, most| entries(&transaction, from, most))?;
        let mut calls = calls_of(&transaction, bundles, &run)?;
        let mut insert =
            transaction.prepare_cached("INSERT INTO entries (place, call, leaf) VALUES (?1, ?2, ?3)")?;
        let mut answers = Vec::with_capacity(bundles.len());
        for bundle in bundles {
            let first = self.edge.size();
            let taken = calls.take(bundle);
            answers.push(taken.map(|()| first));
            for draft in bundle.iter().filter(|_| taken.is_ok()) {
                let place = number(self.edge.size());
                let call = draft.step.call().map(|call| call.to_string());
                had_effect(insert.execute(params![place, call, draft.leaf()])? as u64, 1)?;
                if let Some(mark) = draft.mark {
                    let sql = "INSERT INTO marks (mark, place) VALUES (?1, ?2)";
                    had_effect(transaction.prepare_cached(sql)?.execute(params![mark, place])? as u64, 1)?;
                }
                for kept in &draft.keeps {
                    had_effect(keep(&transaction, kept)? as u64, 1)?;
                }
                for digest in &draft.drops {
                    forget(&transaction, *digest, i64::MAX)?;
                }
                for tile in self.edge.push(draft.hash()) {
                    let root = tile.root.as_bytes().as_slice();
                    let sql = "INSERT INTO tiles (level, number, root, hashes) VALUES (?1, ?2, ?3, ?4)";
                    let given = params![tile.level, number(tile.number), root, tile.hashes];
                    had_effect(transaction.prepare_cached(sql)?.execute(given)? as u64, 1)?;
                }
            }
        }
        drop(insert);
        keep_calls(&transaction, &calls, &run)?;
        transaction.commit()?;
        Ok(answers)
    }
}

/// What a transaction failed of.
enum Failure {
    Database(rusqlite::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Keeps content beside the log. Rows that were written.
fn keep(connection: &Connection, kept: &Kept) -> rusqlite::Result<usize> {
    let sql = "INSERT INTO blobs (digest, at, content) VALUES (?1, ?2, ?3) \
               ON CONFLICT (digest) DO UPDATE SET at = max(at, excluded.at), content = excluded.content";
    let digest = kept.digest();
    connection.prepare_cached(sql)?.execute(params![digest.as_bytes().as_slice(), kept.at(), kept.content()])
}

/// Drops content that was kept before a time. Rows that went.
fn forget(connection: &Connection, digest: Sha256, before: i64) -> rusqlite::Result<usize> {
    let sql = "DELETE FROM blobs WHERE digest = ?1 AND at < ?2";
    connection.prepare_cached(sql)?.execute(params![digest.as_bytes().as_slice(), before])
}

/// How the calls of a batch stand.
fn calls_of(connection: &Connection, bundles: &[Vec<Draft>], run: &str) -> rusqlite::Result<Calls> {
    let (concerned, begun) = calls::concerned(bundles);
    let mut calls = Calls::default();
    for call in concerned {
        let name = call.to_string();
        let open = connection
            .prepare_cached("SELECT run = ?2, waits FROM open_calls WHERE call = ?1")?
            .query_row(params![name, run], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let is_known = || connection.prepare_cached("SELECT 1 FROM entries WHERE call = ?1")?.exists([&name]);
        let standing = match open {
            Some((_, true)) => Standing::Waiting,
            Some((own, false)) => Standing::Worked { own },
            None if begun.contains(&call) && !is_known()? => Standing::New,
            None => Standing::NotOpen,
        };
        calls.found(call, standing);
    }
    Ok(calls)
}

/// Writes what became of the calls of a batch.
fn keep_calls(connection: &Connection, calls: &Calls, run: &str) -> Result<(), Failure> {
    for (call, waits) in calls.opened() {
        let sql = "INSERT OR REPLACE INTO open_calls (call, run, waits) VALUES (?1, ?2, ?3)";
        let kept = connection.prepare_cached(sql)?.execute(params![call.to_string(), run, waits])?;
        had_effect(kept as u64, 1)?;
    }
    for call in calls.closed() {
        let sql = "DELETE FROM open_calls WHERE call = ?1";
        had_effect(connection.prepare_cached(sql)?.execute(params![call.to_string()])? as u64, 1)?;
    }
    Ok(())
}

impl Store for SqliteStore {
    fn append(&mut self, bundles: &[Vec<Draft>]) -> Result<Vec<Result<u64, Misstep>>, StoreError> {
        let run = self.run()?;
        let before = self.edge.size();
        self.try_append(bundles, run).map_err(|failure| {
            // The transaction is undone, and so is what was put to the edge. Where that cannot be read again, the
            // next append begins with all entries.
            self.edge = Edge::default();
            self.edge = Edge::at(self, before).unwrap_or_default();
            match failure {
                Failure::Database(error) => failed(Path::new(FILE), &error),
                Failure::Store(error) => error,
            }
        })
    }

    fn size(&mut self) -> Result<u64, StoreError> {
        count(&self.connection).map_err(|error| failed(Path::new(FILE), &error))
    }

    fn read(&mut self, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        entries(&self.connection, from, most)
    }

    fn read_indexed(&mut self, from: u64, most: usize) -> Result<Vec<Indexed>, StoreError> {
        let sql = format!("SELECT {ENTRY}, call FROM entries WHERE place >= ?1 ORDER BY place LIMIT ?2");
        let find = || -> rusqlite::Result<Vec<(Row, Option<String>)>> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            statement
                .query_map(params![number(from), most], |found| Ok((row(found)?, found.get(2)?)))?
                .collect()
        };
        let found = find().map_err(|error| failed(Path::new(FILE), &error))?;
        let indexed = |((place, leaf), call)| Ok(Indexed { entry: forms::entry(place, leaf)?, call });
        found.into_iter().map(indexed).collect()
    }

    fn census(&mut self) -> Result<Census, StoreError> {
        let count = |sql: &str| self.connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        let astray = count("SELECT count(*) FROM entries WHERE place < 0");
        let counted = astray.and_then(|astray| Ok((astray, count("SELECT count(*) FROM tiles")?)));
        let (astray, tiles) = counted.map_err(|error| failed(Path::new(FILE), &error))?;
        Ok(Census { astray: size_of(astray)?, tiles: size_of(tiles)? })
    }

    fn hold_still(&mut self) -> Result<(), StoreError> {
        // What is shown is fixed by the first look.
        let held = self.connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_master;");
        held.map_err(|error| failed(Path::new(FILE), &error))
    }

    fn let_go(&mut self) -> Result<(), StoreError> {
        self.connection.execute_batch("COMMIT").map_err(|error| failed(Path::new(FILE), &error))
    }

    fn search(&mut self, from: u64, texts: &[&str], most: usize) -> Result<Vec<Entry>, StoreError> {
        let conditions: String = (0..texts.len())
            .map(|place| format!(" AND instr(leaf, CAST(?{} AS BLOB)) > 0", place + 3))
            .collect();
        let sql = format!(
            "SELECT place, leaf FROM entries WHERE place >= ?1 AND length(leaf) <= 65535{conditions} \
             ORDER BY place LIMIT ?2"
        );
        let find = || -> rusqlite::Result<Vec<Row>> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let (from, most) = (number(from), i64::try_from(most).unwrap_or(i64::MAX));
            let mut given: Vec<&dyn rusqlite::ToSql> = vec![&from, &most];
            given.extend(texts.iter().map(|text| text as &dyn rusqlite::ToSql));
            statement.query_map(given.as_slice(), row)?.collect()
        };
        all_entries(find())
    }

    fn marked(&mut self, mark: &str) -> Result<Option<Entry>, StoreError> {
        let find = || -> rusqlite::Result<Vec<Row>> {
            let sql = format!(
                "SELECT {ENTRY} FROM entries JOIN marks USING (place) WHERE mark = ?1 \
                 ORDER BY place DESC LIMIT 1"
            );
            self.connection.prepare_cached(&sql)?.query_map(params![mark], row)?.collect()
        };
        Ok(all_entries(find())?.into_iter().next())
    }

    fn marked_at(&mut self, mark: &str) -> Result<Option<u64>, StoreError> {
        let find = || -> rusqlite::Result<Option<i64>> {
            let sql = "SELECT max(place) FROM marks WHERE mark = ?1";
            self.connection.prepare_cached(sql)?.query_row(params![mark], |row| row.get(0))
        };
        find().map_err(|error| failed(Path::new(FILE), &error))?.map(size_of).transpose()
    }

    fn all_marked(&mut self, mark: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let find = || -> rusqlite::Result<Vec<Row>> {
            let sql = format!(
                "SELECT {ENTRY} FROM entries JOIN marks USING (place) WHERE mark = ?1 AND place >= ?2 \
                 ORDER BY place LIMIT ?3"
            );
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let mut statement = self.connection.prepare_cached(&sql)?;
            statement.query_map(params![mark, number(from), most], row)?.collect()
        };
        all_entries(find())
    }

    fn of_call(&mut self, call: CallId) -> Result<Vec<Entry>, StoreError> {
        let find = || -> rusqlite::Result<Vec<Row>> {
            let sql = format!("SELECT {ENTRY} FROM entries WHERE call = ?1 ORDER BY place");
            self.connection.prepare_cached(&sql)?.query_map(params![call.to_string()], row)?.collect()
        };
        all_entries(find())
    }

    fn tile(&mut self, level: u32, tile: u64) -> Result<Option<Vec<Hash>>, StoreError> {
        let sql = "SELECT hashes FROM tiles WHERE level = ?1 AND number = ?2";
        let find = || -> rusqlite::Result<Option<Vec<u8>>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_row(params![level, number(tile)], |row| row.get(0)).optional()
        };
        let bytes = find().map_err(|error| failed(Path::new(FILE), &error))?;
        bytes.map(|bytes| hashes(&bytes)).transpose()
    }

    fn tile_roots(&mut self, level: u32, from: u64, end: u64) -> Result<Vec<Hash>, StoreError> {
        let found = roots(&self.connection, level, from, end);
        let found = found.map_err(|error| failed(Path::new(FILE), &error))?;
        found.iter().map(|bytes| hash(bytes)).collect()
    }

    fn save_checkpoint(&mut self, size: u64, note: &str) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO checkpoints (size, note) VALUES (?1, ?2)";
        let saved = self.connection.execute(sql, params![number(size), note]);
        saved.map(drop).map_err(|error| failed(Path::new(FILE), &error))
    }

    fn checkpoint(&mut self) -> Result<Option<String>, StoreError> {
        let sql = "SELECT note FROM checkpoints ORDER BY size DESC LIMIT 1";
        let found = self.connection.query_row(sql, [], |row| row.get(0)).optional();
        found.map_err(|error| failed(Path::new(FILE), &error))
    }

    fn checkpoints(&mut self, from: u64, most: usize) -> Result<Vec<(u64, String)>, StoreError> {
        let find = || -> rusqlite::Result<Vec<(i64, String)>> {
            let sql = "SELECT size, note FROM checkpoints WHERE size >= ?1 ORDER BY size LIMIT ?2";
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_map(params![number(from), most], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        let found = find().map_err(|error| failed(Path::new(FILE), &error))?;
        found.into_iter().map(|(size, note)| Ok((size_of(size)?, note))).collect()
    }

    fn abandoned(&mut self) -> Result<Vec<CallId>, StoreError> {
        let find = || -> rusqlite::Result<Vec<(String, String)>> {
            let sql = "SELECT call, run FROM open_calls WHERE waits = 0 ORDER BY call";
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        let open = find().map_err(|error| failed(Path::new(FILE), &error))?;
        let own = self.run.as_ref().map(|own| own.run.to_string());
        let mut abandoned = Vec::new();
        for (call, run) in open {
            let lives = own.as_ref() == Some(&run) || is_alive(&self.runs, &run)?;
            if !lives {
                abandoned.push(call_id(&call)?);
            }
        }
        Ok(abandoned)
    }

    fn open_calls(&mut self) -> Result<Vec<CallId>, StoreError> {
        call_ids(&self.connection, "SELECT call FROM open_calls ORDER BY call")
    }

    fn waiting(&mut self) -> Result<Vec<CallId>, StoreError> {
        call_ids(&self.connection, "SELECT call FROM open_calls WHERE waits = 1 ORDER BY call")
    }

    fn keep_blob(&mut self, content: &[u8], at: i64) -> Result<Sha256, StoreError> {
        let kept = Kept::new(content.to_vec(), at);
        let done = keep(&self.connection, &kept);
        done.map(|_| kept.digest()).map_err(|error| failed(Path::new(FILE), &error))
    }

    fn blob(&mut self, digest: Sha256) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT content FROM blobs WHERE digest = ?1";
        let find = || -> rusqlite::Result<Option<Vec<u8>>> {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_row(params![digest.as_bytes().as_slice()], |row| row.get(0)).optional()
        };
        let found = find().map_err(|error| failed(Path::new(FILE), &error))?;
        Ok(unchanged(found, digest))
    }

    fn blobs_before(&mut self, at: i64) -> Result<Vec<Sha256>, StoreError> {
        let find = || -> rusqlite::Result<Vec<Vec<u8>>> {
            let mut statement = self.connection.prepare_cached("SELECT digest FROM blobs WHERE at < ?1")?;
            statement.query_map(params![at], |row| row.get(0))?.collect()
        };
        let found = find().map_err(|error| failed(Path::new(FILE), &error))?;
        found.iter().map(|bytes| digest(bytes)).collect()
    }

    fn drop_blob(&mut self, digest: Sha256, before: i64) -> Result<bool, StoreError> {
        let dropped = forget(&self.connection, digest, before);
        dropped.map(|rows| rows == 1).map_err(|error| failed(Path::new(FILE), &error))
    }
}

impl Drop for OwnRun {
    fn drop(&mut self) {
        // The lock goes when the file is closed. One that stays behind is removed by whoever asks for it.
        let _ = fs::remove_file(&self.path);
    }
}

fn own_run(runs: &Path, run: RunId) -> std::io::Result<OwnRun> {
    fs::create_dir_all(runs)?;
    let path = lock_of(runs, &run.to_string());
    let lock = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path)?;
    lock.try_lock().map_err(std::io::Error::from)?;
    Ok(OwnRun { run, path, _lock: lock })
}

fn lock_of(runs: &Path, run: &str) -> PathBuf {
    runs.join(format!("{run}.lock"))
}

/// Does the gate of this run still hold its lock? One that does not is dead, and its file is removed.
fn is_alive(runs: &Path, run: &str) -> Result<bool, StoreError> {
    if run.parse::<CallId>().is_err() {
        return Err(StoreError::Damaged("a run has no proper name".to_owned()));
    }
    let path = lock_of(runs, run);
    let lock = match OpenOptions::new().write(true).open(&path) {
        Ok(lock) => lock,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(failed_at(&path, &error)),
    };
    match lock.try_lock() {
        Ok(()) => {
            let _ = fs::remove_file(&path);
            Ok(false)
        }
        Err(fs::TryLockError::WouldBlock) => Ok(true),
        Err(fs::TryLockError::Error(error)) => Err(failed_at(&path, &error)),
    }
}

fn count(connection: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT max(place) FROM entries WHERE place >= 0";
    let last = connection.prepare_cached(sql)?.query_row([], |row| row.get::<_, Option<i64>>(0))?;
    Ok(last.map_or(0, |last| last.cast_unsigned() + 1))
}

/// The columns of an entry. A leaf is read only when it is no larger than entries are.
const ENTRY: &str = "place, CASE WHEN length(leaf) <= 65535 THEN leaf END";

/// What is in them.
type Row = (i64, Option<Vec<u8>>);

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok((row.get(0)?, row.get(1)?))
}

fn all_entries(found: rusqlite::Result<Vec<Row>>) -> Result<Vec<Entry>, StoreError> {
    let found = found.map_err(|error| failed(Path::new(FILE), &error))?;
    found.into_iter().map(|(place, leaf)| forms::entry(place, leaf)).collect()
}

fn entries(connection: &Connection, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
    let find = || -> rusqlite::Result<Vec<Row>> {
        let sql = format!("SELECT {ENTRY} FROM entries WHERE place >= ?1 ORDER BY place LIMIT ?2");
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        connection.prepare_cached(&sql)?.query_map(params![number(from), most], row)?.collect()
    };
    all_entries(find())
}

fn call_ids(connection: &Connection, sql: &str) -> Result<Vec<CallId>, StoreError> {
    let find = || -> rusqlite::Result<Vec<String>> {
        connection.prepare_cached(sql)?.query_map([], |row| row.get(0))?.collect()
    };
    let found = find().map_err(|error| failed(Path::new(FILE), &error))?;
    found.iter().map(|call| call_id(call)).collect()
}

fn roots(connection: &Connection, level: u32, from: u64, end: u64) -> rusqlite::Result<Vec<Vec<u8>>> {
    let sql = "SELECT root FROM tiles WHERE level = ?1 AND number >= ?2 AND number < ?3 ORDER BY number";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_map(params![level, number(from), number(end)], |row| row.get(0))?.collect()
}

fn failed_at(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Failed(format!("`{}`: {error}", path.display()))
}

fn failed(file: &Path, error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => StoreError::NotLedger {
            place: file.display().to_string(),
            why: "it is not a database".to_owned(),
        },
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged(error.to_string()),
        Some(ErrorCode::DiskFull) => StoreError::Failed("the disk is full".to_owned()),
        Some(ErrorCode::ReadOnly) => StoreError::Failed("it can only be read".to_owned()),
        Some(ErrorCode::CannotOpen) => StoreError::Failed(format!(
            "`{}` cannot be opened; where its folder can only be read, look at a copy",
            file.display()
        )),
        Some(ErrorCode::DatabaseBusy) => StoreError::Failed("another gate did not let go of it".to_owned()),
        Some(ErrorCode::SystemIoFailure) => {
            StoreError::Failed(format!("the disk refuses, perhaps because it is full: {error}"))
        }
        Some(_) | None => StoreError::Failed(error.to_string()),
    }
}
