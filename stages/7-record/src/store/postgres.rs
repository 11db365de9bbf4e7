//! The ledger in PostgreSQL, for several gates that share it.
//!
//! The database keeps the order: every append takes the row of the log first, which only one transaction
//! can hold, so that there is one head and never two. A gate is alive as long as its connection holds the
//! lock of its run; the server lets go of it when the connection breaks.

use std::fmt;

use call::{CallId, Sha256};
use postgres::types::ToSql;
use postgres::{Client, NoTls, Transaction};
use verify::tree::Hash;

use super::edge::Edge;
use super::forms::{call_id, digest, hash, hashes, number};
use super::{Draft, LARGEST_ENTRY, Misstep, RunId, Step, Store, StoreError, TILE_WIDTH, catch_up};
use crate::Entry;

/// The version of the tables below.
const VERSION: i64 = 1;

const TABLES: &str = "
CREATE SCHEMA toolgate_ledger;
CREATE TABLE toolgate_ledger.log (version bigint NOT NULL, size bigint NOT NULL);
CREATE TABLE toolgate_ledger.entries (place bigint PRIMARY KEY, call text, leaf bytea NOT NULL);
CREATE INDEX entries_by_call ON toolgate_ledger.entries (call) WHERE call IS NOT NULL;
CREATE TABLE toolgate_ledger.tiles (level bigint, number bigint, root bytea NOT NULL, hashes bytea NOT NULL,
    PRIMARY KEY (level, number));
CREATE TABLE toolgate_ledger.open_calls (call text PRIMARY KEY, run text NOT NULL, run_number bigint NOT NULL,
    waits boolean NOT NULL);
CREATE TABLE toolgate_ledger.marks (mark text PRIMARY KEY, place bigint NOT NULL);
CREATE TABLE toolgate_ledger.checkpoints (size bigint PRIMARY KEY, note text NOT NULL);
CREATE TABLE toolgate_ledger.blobs (digest bytea PRIMARY KEY, at bigint NOT NULL, content bytea NOT NULL);
";

/// A ledger on a server.
pub struct PostgresStore {
    client: Client,
    edge: Edge,
    run: Option<RunId>,
}

impl PostgresStore {
    /// Makes a ledger in a database that has none.
    ///
    /// # Errors
    /// When the database has one, or cannot be used.
    pub fn create(url: &str) -> Result<(), StoreError> {
        let mut client = connect(url)?;
        let make = format!("BEGIN; {TABLES} INSERT INTO toolgate_ledger.log VALUES ({VERSION}, 0); COMMIT;");
        client.batch_execute(&make).map_err(|error| failed(&error))
    }

    /// Opens the ledger of a database: to write for this run, or only to look.
    ///
    /// # Errors
    /// When there is none, or it is another version's, or it is damaged. Nothing is changed then.
    pub fn open(url: &str, run: Option<RunId>) -> Result<Self, StoreError> {
        let mut client = connect(url)?;
        let not_ledger =
            |why: &str| StoreError::NotLedger { place: "the database".to_owned(), why: why.to_owned() };
        let exists = "SELECT to_regclass('toolgate_ledger.log') IS NOT NULL";
        if !one::<bool>(&mut client, exists, &[])?.unwrap_or_default() {
            return Err(not_ledger("it has no schema `toolgate_ledger`"));
        }
        match one::<i64>(&mut client, "SELECT version FROM toolgate_ledger.log", &[])? {
            Some(VERSION) => {}
            Some(found) => {
                return Err(StoreError::OtherVersion {
                    place: "the database".to_owned(),
                    found,
                    known: VERSION,
                });
            }
            None => return Err(not_ledger("its log has no version")),
        }
        if let Some(run) = run {
            // Answers in this session mean nothing unless they are durable, whatever the server's default.
            client.batch_execute("SET synchronous_commit = on").map_err(|error| failed(&error))?;
            let lock = "SELECT pg_try_advisory_lock($1)";
            if !one::<bool>(&mut client, lock, &[&run.number()])?.unwrap_or_default() {
                return Err(StoreError::Failed("another gate has the same name".to_owned()));
            }
        }
        let mut store = Self { client, edge: Edge::default(), run };
        let size = store.size()?;
        store.edge = Edge::load(size, |level, from, end| match level.checked_sub(1) {
            None => {
                let entries = store.read(from, TILE_WIDTH)?;
                Ok(entries.iter().map(|entry| Hash::of_leaf(&entry.leaf)).collect())
            }
            Some(below) => store.tile_roots(below, from, end),
        })?;
        Ok(store)
    }

    fn try_append(&mut self, drafts: &[Draft], run: RunId) -> Result<Vec<Result<u64, Misstep>>, StoreError> {
        let mut transaction = self.client.transaction().map_err(|error| failed(&error))?;
        let head = transaction
            .query_one("SELECT size FROM toolgate_ledger.log FOR UPDATE", &[])
            .map_err(|error| failed(&error))?;
        let size = head.get::<_, i64>(0).cast_unsigned();
        catch_up(&mut self.edge, size, |from, most| {
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let rows = transaction.query(READ, &[&number(from), &most]).map_err(|error| failed(&error))?;
            Ok(rows.iter().map(entry).collect())
        })?;
        let mut answers = Vec::with_capacity(drafts.len());
        let (mut places, mut calls, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
        for draft in drafts {
            if let Err(misstep) = step(&mut transaction, draft, run, &calls)? {
                answers.push(Err(misstep));
                continue;
            }
            let place = self.edge.size();
            places.push(number(place));
            calls.push(draft.step.call().map(|call| call.to_string()));
            leaves.push(draft.leaf.as_slice());
            if let Some(mark) = draft.mark {
                let sql = "INSERT INTO toolgate_ledger.marks VALUES ($1, $2) \
                           ON CONFLICT (mark) DO UPDATE SET place = excluded.place";
                execute(&mut transaction, sql, &[&mark, &number(place)])?;
            }
            for tile in self.edge.push(Hash::of_leaf(&draft.leaf)) {
                let (level, root) = (i64::from(tile.level), tile.root.as_bytes().as_slice());
                let sql = "INSERT INTO toolgate_ledger.tiles VALUES ($1, $2, $3, $4)";
                execute(&mut transaction, sql, &[&level, &number(tile.number), &root, &tile.hashes])?;
            }
            answers.push(Ok(place));
        }
        let sql = "INSERT INTO toolgate_ledger.entries (place, call, leaf) \
                   SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[])";
        execute(&mut transaction, sql, &[&places, &calls, &leaves])?;
        let sql = "UPDATE toolgate_ledger.log SET size = $1";
        execute(&mut transaction, sql, &[&number(self.edge.size())])?;
        transaction.commit().map_err(|error| failed(&error))?;
        Ok(answers)
    }
}

const READ: &str =
    "SELECT place, leaf FROM toolgate_ledger.entries WHERE place >= $1 ORDER BY place LIMIT $2";

/// Does to the table of open calls what the draft says, unless it must not. `batch` has the calls of
/// entries that are not in the table yet.
fn step(
    transaction: &mut Transaction<'_>,
    draft: &Draft,
    run: RunId,
    batch: &[Option<String>],
) -> Result<Result<(), Misstep>, StoreError> {
    if draft.leaf.len() > LARGEST_ENTRY {
        return Ok(Err(Misstep::TooLarge(draft.leaf.len())));
    }
    let Some(call) = draft.step.call() else { return Ok(Ok(())) };
    let (name, run, lock) = (call.to_string(), run.to_string(), run.number());
    let moved = "UPDATE toolgate_ledger.open_calls SET run = $2, run_number = $3, waits = $4 WHERE call = $1";
    let (changed, misstep) = match draft.step {
        Step::Apart => return Ok(Ok(())),
        Step::Opens(_) => {
            let sql = "SELECT EXISTS (SELECT 1 FROM toolgate_ledger.entries WHERE call = $1)";
            let row = transaction.query_one(sql, &[&name]).map_err(|error| failed(&error))?;
            if row.get::<_, bool>(0) || batch.iter().flatten().any(|other| *other == name) {
                return Ok(Err(Misstep::Known(call)));
            }
            let sql = "INSERT INTO toolgate_ledger.open_calls VALUES ($1, $2, $3, $4)";
            (execute(transaction, sql, &[&name, &run, &lock, &false])?, Misstep::Known(call))
        }
        Step::Continues(_) => {
            (execute(transaction, moved, &[&name, &run, &lock, &false])?, Misstep::NotOpen(call))
        }
        Step::Waits(_) => {
            (execute(transaction, moved, &[&name, &run, &lock, &true])?, Misstep::NotOpen(call))
        }
        Step::Ends(_) => {
            let sql = "DELETE FROM toolgate_ledger.open_calls WHERE call = $1";
            (execute(transaction, sql, &[&name])?, Misstep::NotOpen(call))
        }
    };
    Ok(if changed == 1 { Ok(()) } else { Err(misstep) })
}

impl Store for PostgresStore {
    fn append(&mut self, drafts: &[Draft]) -> Result<Vec<Result<u64, Misstep>>, StoreError> {
        let Some(run) = self.run else {
            return Err(StoreError::Failed("it was opened to look at it, and not to write".to_owned()));
        };
        let before = self.edge.clone();
        let answers = self.try_append(drafts, run);
        if answers.is_err() {
            self.edge = before;
        }
        answers
    }

    fn size(&mut self) -> Result<u64, StoreError> {
        let size = one::<i64>(&mut self.client, "SELECT size FROM toolgate_ledger.log", &[])?;
        size.map(i64::cast_unsigned).ok_or_else(|| StoreError::Damaged("its log has no size".to_owned()))
    }

    fn read(&mut self, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        Ok(all(&mut self.client, READ, &[&number(from), &most])?.iter().map(entry).collect())
    }

    fn search(&mut self, from: u64, texts: &[&str], most: usize) -> Result<Vec<Entry>, StoreError> {
        let conditions: String =
            (0..texts.len()).map(|place| format!(" AND position(${} IN leaf) > 0", place + 3)).collect();
        let sql = format!(
            "SELECT place, leaf FROM toolgate_ledger.entries WHERE place >= $1{conditions} ORDER BY place LIMIT $2"
        );
        let (from, most) = (number(from), i64::try_from(most).unwrap_or(i64::MAX));
        let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let mut given: Vec<&(dyn ToSql + Sync)> = vec![&from, &most];
        given.extend(texts.iter().map(|text| text as &(dyn ToSql + Sync)));
        Ok(all(&mut self.client, &sql, &given)?.iter().map(entry).collect())
    }

    fn marked(&mut self, mark: &str) -> Result<Option<Entry>, StoreError> {
        let sql = "SELECT place, leaf FROM toolgate_ledger.entries \
                   JOIN toolgate_ledger.marks USING (place) WHERE mark = $1";
        Ok(all(&mut self.client, sql, &[&mark])?.first().map(entry))
    }

    fn of_call(&mut self, call: CallId) -> Result<Vec<Entry>, StoreError> {
        let sql = "SELECT place, leaf FROM toolgate_ledger.entries WHERE call = $1 ORDER BY place";
        Ok(all(&mut self.client, sql, &[&call.to_string()])?.iter().map(entry).collect())
    }

    fn tile(&mut self, level: u32, tile: u64) -> Result<Option<Vec<Hash>>, StoreError> {
        let sql = "SELECT hashes FROM toolgate_ledger.tiles WHERE level = $1 AND number = $2";
        let bytes = one::<Vec<u8>>(&mut self.client, sql, &[&i64::from(level), &number(tile)])?;
        bytes.map(|bytes| hashes(&bytes)).transpose()
    }

    fn tile_roots(&mut self, level: u32, from: u64, end: u64) -> Result<Vec<Hash>, StoreError> {
        let sql = "SELECT root FROM toolgate_ledger.tiles \
                   WHERE level = $1 AND number >= $2 AND number < $3 ORDER BY number";
        let rows = all(&mut self.client, sql, &[&i64::from(level), &number(from), &number(end)])?;
        rows.iter().map(|row| hash(row.get(0))).collect()
    }

    fn save_checkpoint(&mut self, size: u64, note: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO toolgate_ledger.checkpoints VALUES ($1, $2) \
                   ON CONFLICT (size) DO UPDATE SET note = excluded.note";
        self.client.execute(sql, &[&number(size), &note]).map(drop).map_err(|error| failed(&error))
    }

    fn checkpoint(&mut self) -> Result<Option<String>, StoreError> {
        one(&mut self.client, "SELECT note FROM toolgate_ledger.checkpoints ORDER BY size DESC LIMIT 1", &[])
    }

    fn abandoned(&mut self) -> Result<Vec<CallId>, StoreError> {
        // A lock that can be had is held by nobody, and is given back at the end of the transaction.
        let sql = "SELECT call FROM toolgate_ledger.open_calls \
                   WHERE NOT waits AND run <> $1 AND pg_try_advisory_xact_lock(run_number) ORDER BY call";
        let own = self.run.map(|run| run.to_string()).unwrap_or_default();
        let rows = all(&mut self.client, sql, &[&own])?;
        rows.iter().map(|row| call_id(row.get(0))).collect()
    }

    fn open_calls(&mut self) -> Result<Vec<CallId>, StoreError> {
        let sql = "SELECT call FROM toolgate_ledger.open_calls ORDER BY call COLLATE \"C\"";
        all(&mut self.client, sql, &[])?.iter().map(|row| call_id(row.get(0))).collect()
    }

    fn keep_blob(&mut self, content: &[u8], at: i64) -> Result<Sha256, StoreError> {
        let digest = Sha256::of(content);
        let sql = "INSERT INTO toolgate_ledger.blobs AS kept VALUES ($1, $2, $3) \
                   ON CONFLICT (digest) DO UPDATE SET at = greatest(kept.at, excluded.at)";
        let kept = self.client.execute(sql, &[&digest.as_bytes().as_slice(), &at, &content]);
        kept.map(|_| digest).map_err(|error| failed(&error))
    }

    fn blob(&mut self, digest: Sha256) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT content FROM toolgate_ledger.blobs WHERE digest = $1";
        one(&mut self.client, sql, &[&digest.as_bytes().as_slice()])
    }

    fn blobs_before(&mut self, at: i64) -> Result<Vec<Sha256>, StoreError> {
        let rows = all(&mut self.client, "SELECT digest FROM toolgate_ledger.blobs WHERE at < $1", &[&at])?;
        rows.iter().map(|row| digest(row.get(0))).collect()
    }

    fn drop_blob(&mut self, digest: Sha256) -> Result<bool, StoreError> {
        let sql = "DELETE FROM toolgate_ledger.blobs WHERE digest = $1";
        let dropped = self.client.execute(sql, &[&digest.as_bytes().as_slice()]);
        dropped.map(|rows| rows == 1).map_err(|error| failed(&error))
    }
}

/// Nothing of how it is reached, which may hold a password.
impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").field("size", &self.edge.size()).finish_non_exhaustive()
    }
}

fn connect(url: &str) -> Result<Client, StoreError> {
    Client::connect(url, NoTls).map_err(|error| failed(&error))
}

fn entry(row: &postgres::Row) -> Entry {
    Entry { place: row.get::<_, i64>(0).cast_unsigned(), leaf: row.get(1) }
}

fn all(
    client: &mut Client,
    sql: &str,
    given: &[&(dyn ToSql + Sync)],
) -> Result<Vec<postgres::Row>, StoreError> {
    client.query(sql, given).map_err(|error| failed(&error))
}

fn one<T: for<'r> postgres::types::FromSql<'r>>(
    client: &mut Client,
    sql: &str,
    given: &[&(dyn ToSql + Sync)],
) -> Result<Option<T>, StoreError> {
    let row = client.query_opt(sql, given).map_err(|error| failed(&error))?;
    row.map(|row| row.try_get(0)).transpose().map_err(|error| failed(&error))
}

fn execute(
    transaction: &mut Transaction<'_>,
    sql: &str,
    given: &[&(dyn ToSql + Sync)],
) -> Result<u64, StoreError> {
    transaction.execute(sql, given).map_err(|error| failed(&error))
}

/// The server's own words, without the address.
fn failed(error: &postgres::Error) -> StoreError {
    match error.as_db_error() {
        Some(error) => StoreError::Failed(format!("the server says: {}", error.message())),
        None => StoreError::Failed(error.to_string()),
    }
}
