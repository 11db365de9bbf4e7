//! The ledger in PostgreSQL, for several gates that share it.
//!
//! The database keeps the order: every append takes the row of the log first, which only one transaction
//! can hold, so that there is one head and never two. A gate is alive as long as its connection holds the
//! lock of its run; the server lets go of it when the connection breaks.

mod connection;
mod route;
mod tables;

use std::fmt;

use call::{CallId, Sha256};
use postgres::types::ToSql;
use postgres::{Client, GenericClient, Row, Transaction};
use verify::tree::Hash;

use self::connection::{all, begin_writing, column, connect, execute, failed, one};
use super::calls::{self, Calls, Standing};
use super::edge::Edge;
use super::forms::{self, call_id, digest, hash, hashes, number, size_of};
use super::{
    Census, Draft, Indexed, Kept, Misstep, RunId, Store, StoreError, catch_up, had_effect, unchanged,
};
use crate::Entry;

/// The version of the tables below.
const VERSION: i64 = 2;

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
        let exists = "SELECT to_regnamespace('toolgate_ledger') IS NOT NULL";
        if one::<bool>(&mut client, exists, &[])?.unwrap_or_default() {
            return Err(StoreError::Failed(
                "the database has one already; another gate that shares it takes `ledger/key` and \
                 `ledger/ledger.toml` of the first"
                    .to_owned(),
            ));
        }
        let make = format!(
            "BEGIN; {} INSERT INTO toolgate_ledger.log VALUES ({VERSION}, 0); COMMIT;",
            tables::TABLES
        );
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
        match one::<i64>(&mut client, "SELECT version FROM toolgate_ledger.log LIMIT 1", &[])? {
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
        if let Some(difference) = tables::difference(&mut client)? {
            return Err(StoreError::Damaged(difference));
        }
        if let Some(run) = run {
            begin_writing(&mut client)?;
            let lock = "SELECT pg_try_advisory_lock($1)";
            if !one::<bool>(&mut client, lock, &[&run.number()])?.unwrap_or_default() {
                return Err(StoreError::Failed("another gate has the same name".to_owned()));
            }
        }
        let mut store = Self { client, edge: Edge::default(), run };
        if run.is_some() {
            store.edge = Edge::of(&mut store)?;
        }
        Ok(store)
    }

    fn try_append(
        &mut self,
        bundles: &[Vec<Draft>],
        run: RunId,
    ) -> Result<Vec<Result<u64, Misstep>>, StoreError> {
        let mut transaction = self.client.transaction().map_err(|error| failed(&error))?;
        let head = transaction
            .query_one("SELECT size FROM toolgate_ledger.log FOR UPDATE", &[])
            .map_err(|error| failed(&error))?;
        let size = size_of(column(&head, 0)?)?;
        catch_up(&mut self.edge, size, |from, most| {
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let rows = transaction.query(READ, &[&number(from), &most]).map_err(|error| failed(&error))?;
            rows.iter().map(entry).collect()
        })?;
        let mut standing = calls_of(&mut transaction, bundles, run)?;
        let mut answers = Vec::with_capacity(bundles.len());
        let (mut places, mut calls, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
        let (mut marks, mut marked, mut tiles) = (Vec::new(), Vec::new(), Vec::new());
        for bundle in bundles {
            let first = self.edge.size();
            let taken = standing.take(bundle);
            answers.push(taken.map(|()| first));
            for draft in bundle.iter().filter(|_| taken.is_ok()) {
                let place = number(self.edge.size());
                places.push(place);
                calls.push(draft.step.call().map(|call| call.to_string()));
                leaves.push(draft.leaf());
                if let Some(mark) = draft.mark {
                    marks.push(mark);
                    marked.push(place);
                }
                tiles.extend(self.edge.push(draft.hash()));
            }
        }
        let taken = bundles.iter().zip(&answers).filter(|(_, answer)| answer.is_ok());
        for draft in taken.flat_map(|(bundle, _)| bundle) {
            for kept in &draft.keeps {
                had_effect(keep(&mut transaction, kept)?, 1)?;
            }
            for digest in &draft.drops {
                forget(&mut transaction, *digest, i64::MAX)?;
            }
        }
        for tile in tiles {
            let (level, root) = (i64::from(tile.level), tile.root.as_bytes().as_slice());
            let sql = "INSERT INTO toolgate_ledger.tiles VALUES ($1, $2, $3, $4)";
            let given: [&(dyn ToSql + Sync); 4] = [&level, &number(tile.number), &root, &tile.hashes];
            had_effect(execute(&mut transaction, sql, &given)?, 1)?;
        }
        if !marks.is_empty() {
            let sql = "INSERT INTO toolgate_ledger.marks (mark, place) \
                       SELECT * FROM unnest($1::text[], $2::bigint[])";
            had_effect(execute(&mut transaction, sql, &[&marks, &marked])?, marks.len())?;
        }
        keep_calls(&mut transaction, &standing, run)?;
        let sql = "INSERT INTO toolgate_ledger.entries (place, call, leaf) \
                   SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[])";
        had_effect(execute(&mut transaction, sql, &[&places, &calls, &leaves])?, places.len())?;
        let sql = "UPDATE toolgate_ledger.log SET size = $1";
        had_effect(execute(&mut transaction, sql, &[&number(self.edge.size())])?, 1)?;
        transaction.commit().map_err(|error| failed(&error))?;
        Ok(answers)
    }
}

/// A leaf is read only when it is no larger than entries are.
const READ: &str = "SELECT place, CASE WHEN octet_length(leaf) <= 65535 THEN leaf END, call \
                    FROM toolgate_ledger.entries WHERE place >= $1 ORDER BY place LIMIT $2";

/// Keeps content beside the log. Rows that were written.
fn keep(client: &mut impl GenericClient, kept: &Kept) -> Result<u64, StoreError> {
    let sql = "INSERT INTO toolgate_ledger.blobs AS kept VALUES ($1, $2, $3) \
               ON CONFLICT (digest) DO UPDATE SET at = greatest(kept.at, excluded.at), content = excluded.content";
    let digest = kept.digest();
    let given: [&(dyn ToSql + Sync); 3] = [&digest.as_bytes().as_slice(), &kept.at(), &kept.content()];
    client.execute(sql, &given).map_err(|error| failed(&error))
}

/// Drops content that was kept before a time. Rows that went.
fn forget(client: &mut impl GenericClient, digest: Sha256, before: i64) -> Result<u64, StoreError> {
    let sql = "DELETE FROM toolgate_ledger.blobs WHERE digest = $1 AND at < $2";
    client.execute(sql, &[&digest.as_bytes().as_slice(), &before]).map_err(|error| failed(&error))
}

/// How the calls of a batch stand.
fn calls_of(
    transaction: &mut Transaction<'_>,
    bundles: &[Vec<Draft>],
    run: RunId,
) -> Result<Calls, StoreError> {
    let (concerned, begun) = calls::concerned(bundles);
    let mut calls = Calls::default();
    if concerned.is_empty() {
        return Ok(calls);
    }
    concerned.iter().for_each(|call| calls.found(*call, Standing::NotOpen));
    let mut look = |sql: &str, given: &[&(dyn ToSql + Sync)]| {
        transaction.query(sql, given).map_err(|error| failed(&error))
    };
    begun.iter().for_each(|call| calls.found(*call, Standing::New));
    if !begun.is_empty() {
        let sql = "SELECT DISTINCT call FROM toolgate_ledger.entries WHERE call = ANY($1)";
        for row in look(sql, &[&names(&begun)])? {
            calls.found(call_id(column(&row, 0)?)?, Standing::NotOpen);
        }
    }
    let sql = "SELECT call, run = $2, waits FROM toolgate_ledger.open_calls WHERE call = ANY($1)";
    for row in look(sql, &[&names(&concerned), &run.to_string()])? {
        let standing = match (column(&row, 1)?, column(&row, 2)?) {
            (_, true) => Standing::Waiting,
            (own, false) => Standing::Worked { own },
        };
        calls.found(call_id(column(&row, 0)?)?, standing);
    }
    Ok(calls)
}

fn names<'c>(calls: impl IntoIterator<Item = &'c CallId>) -> Vec<String> {
    calls.into_iter().map(CallId::to_string).collect()
}

/// Writes what became of the calls of a batch.
fn keep_calls(transaction: &mut Transaction<'_>, calls: &Calls, run: RunId) -> Result<(), StoreError> {
    let (opened, waits): (Vec<CallId>, Vec<bool>) = calls.opened().unzip();
    if !opened.is_empty() {
        let sql = "INSERT INTO toolgate_ledger.open_calls (call, run, run_number, waits) \
                   SELECT call, $2, $3, waits FROM unnest($1::text[], $4::boolean[]) AS kept (call, waits) \
                   ON CONFLICT (call) DO UPDATE \
                   SET run = excluded.run, run_number = excluded.run_number, waits = excluded.waits";
        let given: [&(dyn ToSql + Sync); 4] = [&names(&opened), &run.to_string(), &run.number(), &waits];
        had_effect(execute(transaction, sql, &given)?, opened.len())?;
    }
    let closed: Vec<CallId> = calls.closed().collect();
    if !closed.is_empty() {
        let sql = "DELETE FROM toolgate_ledger.open_calls WHERE call = ANY($1)";
        had_effect(execute(transaction, sql, &[&names(&closed)])?, closed.len())?;
    }
    Ok(())
}

impl Store for PostgresStore {
    fn append(&mut self, bundles: &[Vec<Draft>]) -> Result<Vec<Result<u64, Misstep>>, StoreError> {
        let Some(run) = self.run else {
            return Err(StoreError::Failed("it was opened to look at it, and not to write".to_owned()));
        };
        let before = self.edge.clone();
        let answers = self.try_append(bundles, run);
        if answers.is_err() {
            self.edge = before;
        }
        answers
    }

    fn size(&mut self) -> Result<u64, StoreError> {
        let size = one::<i64>(&mut self.client, "SELECT size FROM toolgate_ledger.log", &[])?;
        size_of(size.ok_or_else(|| StoreError::Damaged("its log has no size".to_owned()))?)
    }

    fn read(&mut self, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        all(&mut self.client, READ, &[&number(from), &most])?.iter().map(entry).collect()
    }

    fn read_indexed(&mut self, from: u64, most: usize) -> Result<Vec<Indexed>, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = all(&mut self.client, READ, &[&number(from), &most])?;
        rows.iter().map(|row| Ok(Indexed { entry: entry(row)?, call: column(row, 2)? })).collect()
    }

    fn census(&mut self) -> Result<Census, StoreError> {
        let size = number(self.size()?);
        let sql = "SELECT count(*) FROM toolgate_ledger.entries WHERE place < 0 OR place >= $1";
        let astray = one::<i64>(&mut self.client, sql, &[&size])?.unwrap_or_default();
        let tiles = one::<i64>(&mut self.client, "SELECT count(*) FROM toolgate_ledger.tiles", &[])?;
        Ok(Census { astray: size_of(astray)?, tiles: size_of(tiles.unwrap_or_default())? })
    }

    fn hold_still(&mut self) -> Result<(), StoreError> {
        let held = self.client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        held.map_err(|error| failed(&error))
    }

    fn let_go(&mut self) -> Result<(), StoreError> {
        self.client.batch_execute("COMMIT").map_err(|error| failed(&error))
    }

    fn search(&mut self, from: u64, texts: &[&str], most: usize) -> Result<Vec<Entry>, StoreError> {
        let conditions: String =
            (0..texts.len()).map(|place| format!(" AND position(${} IN leaf) > 0", place + 3)).collect();
        let sql = format!(
            "SELECT place, leaf FROM toolgate_ledger.entries \
             WHERE place >= $1 AND octet_length(leaf) <= 65535{conditions} ORDER BY place LIMIT $2"
        );
        let (from, most) = (number(from), i64::try_from(most).unwrap_or(i64::MAX));
        let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let mut given: Vec<&(dyn ToSql + Sync)> = vec![&from, &most];
        given.extend(texts.iter().map(|text| text as &(dyn ToSql + Sync)));
        all(&mut self.client, &sql, &given)?.iter().map(entry).collect()
    }

    fn marked(&mut self, mark: &str) -> Result<Option<Entry>, StoreError> {
        let sql = "SELECT place, leaf FROM toolgate_ledger.entries \
                   JOIN toolgate_ledger.marks USING (place) WHERE mark = $1 ORDER BY place DESC LIMIT 1";
        all(&mut self.client, sql, &[&mark])?.first().map(entry).transpose()
    }

    fn marked_at(&mut self, mark: &str) -> Result<Option<u64>, StoreError> {
        let sql = "SELECT place FROM toolgate_ledger.marks WHERE mark = $1 ORDER BY place DESC LIMIT 1";
        let rows = all(&mut self.client, sql, &[&mark])?;
        rows.first().map(|row| size_of(column(row, 0)?)).transpose()
    }

    fn all_marked(&mut self, mark: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let sql = "SELECT place, CASE WHEN octet_length(leaf) <= 65535 THEN leaf END \
                   FROM toolgate_ledger.entries JOIN toolgate_ledger.marks USING (place) \
                   WHERE mark = $1 AND place >= $2 ORDER BY place LIMIT $3";
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        all(&mut self.client, sql, &[&mark, &number(from), &most])?.iter().map(entry).collect()
    }

    fn of_call(&mut self, call: CallId) -> Result<Vec<Entry>, StoreError> {
        let sql = "SELECT place, leaf FROM toolgate_ledger.entries WHERE call = $1 ORDER BY place";
        all(&mut self.client, sql, &[&call.to_string()])?.iter().map(entry).collect()
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
        rows.iter().map(|row| hash(column(row, 0)?)).collect()
    }

    fn save_checkpoint(&mut self, size: u64, note: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO toolgate_ledger.checkpoints VALUES ($1, $2) \
                   ON CONFLICT (size) DO UPDATE SET note = excluded.note";
        self.client.execute(sql, &[&number(size), &note]).map(drop).map_err(|error| failed(&error))
    }

    fn checkpoint(&mut self) -> Result<Option<String>, StoreError> {
        one(&mut self.client, "SELECT note FROM toolgate_ledger.checkpoints ORDER BY size DESC LIMIT 1", &[])
    }

    fn checkpoints(&mut self, from: u64, most: usize) -> Result<Vec<(u64, String)>, StoreError> {
        let sql =
            "SELECT size, note FROM toolgate_ledger.checkpoints WHERE size >= $1 ORDER BY size LIMIT $2";
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = all(&mut self.client, sql, &[&number(from), &most])?;
        rows.iter().map(|row| Ok((size_of(column(row, 0)?)?, column(row, 1)?))).collect()
    }

    fn abandoned(&mut self) -> Result<Vec<CallId>, StoreError> {
        // A lock that can be had is held by nobody, and is given back at the end of the transaction.
        let sql = "SELECT call FROM toolgate_ledger.open_calls \
                   WHERE NOT waits AND run <> $1 AND pg_try_advisory_xact_lock(run_number) ORDER BY call";
        let own = self.run.map(|run| run.to_string()).unwrap_or_default();
        let rows = all(&mut self.client, sql, &[&own])?;
        rows.iter().map(|row| call_id(column(row, 0)?)).collect()
    }

    fn open_calls(&mut self) -> Result<Vec<CallId>, StoreError> {
        let sql = "SELECT call FROM toolgate_ledger.open_calls ORDER BY call COLLATE \"C\"";
        all(&mut self.client, sql, &[])?.iter().map(|row| call_id(column(row, 0)?)).collect()
    }

    fn waiting(&mut self) -> Result<Vec<CallId>, StoreError> {
        let sql = "SELECT call FROM toolgate_ledger.open_calls WHERE waits ORDER BY call COLLATE \"C\"";
        all(&mut self.client, sql, &[])?.iter().map(|row| call_id(column(row, 0)?)).collect()
    }

    fn keep_blob(&mut self, content: &[u8], at: i64) -> Result<Sha256, StoreError> {
        let kept = Kept::new(content.to_vec(), at);
        keep(&mut self.client, &kept)?;
        Ok(kept.digest())
    }

    fn blob(&mut self, digest: Sha256) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT content FROM toolgate_ledger.blobs WHERE digest = $1";
        let content = one(&mut self.client, sql, &[&digest.as_bytes().as_slice()])?;
        Ok(unchanged(content, digest))
    }

    fn blobs_before(&mut self, at: i64) -> Result<Vec<Sha256>, StoreError> {
        let rows = all(&mut self.client, "SELECT digest FROM toolgate_ledger.blobs WHERE at < $1", &[&at])?;
        rows.iter().map(|row| digest(column(row, 0)?)).collect()
    }

    fn drop_blob(&mut self, digest: Sha256, before: i64) -> Result<bool, StoreError> {
        Ok(forget(&mut self.client, digest, before)? == 1)
    }
}

/// Nothing of how it is reached, which may hold a password.
impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").field("size", &self.edge.size()).finish_non_exhaustive()
    }
}

/// The entry of a row that begins with its place and its leaf.
fn entry(row: &Row) -> Result<Entry, StoreError> {
    forms::entry(column(row, 0)?, column(row, 1)?)
}
