//! The tables of a ledger in PostgreSQL, and what must not be on them.
//!
//! A trigger, a rule, a policy for rows or a table that inherits would decide what is written or shown
//! without a trace in the entries; a table that is not logged is gone after a crash. A database with any of
//! these is not opened. What else lies in the schema is nobody's business here.

use std::collections::BTreeSet;

use postgres::Client;

use super::StoreError;
use super::connection::{all, column};

pub(super) const TABLES: &str = "
CREATE SCHEMA toolgate_ledger;
CREATE TABLE toolgate_ledger.log (version bigint NOT NULL, size bigint NOT NULL);
CREATE TABLE toolgate_ledger.entries (place bigint PRIMARY KEY, call text, leaf bytea NOT NULL);
CREATE INDEX entries_by_call ON toolgate_ledger.entries (call) WHERE call IS NOT NULL;
CREATE TABLE toolgate_ledger.tiles (level bigint, number bigint, root bytea NOT NULL, hashes bytea NOT NULL,
    PRIMARY KEY (level, number));
CREATE TABLE toolgate_ledger.open_calls (call text PRIMARY KEY, run text NOT NULL, run_number bigint NOT NULL,
    waits boolean NOT NULL);
CREATE TABLE toolgate_ledger.marks (mark text, place bigint, PRIMARY KEY (mark, place));
CREATE TABLE toolgate_ledger.checkpoints (size bigint PRIMARY KEY, note text NOT NULL);
CREATE TABLE toolgate_ledger.blobs (digest bytea PRIMARY KEY, at bigint NOT NULL, content bytea NOT NULL);
";

/// What the catalogues say of the tables above.
const OURS: [&str; 34] = [
    "table log",
    "column log.version bigint",
    "column log.size bigint",
    "table entries",
    "column entries.place bigint",
    "column entries.call text or nothing",
    "column entries.leaf bytea",
    "key entries PRIMARY KEY (place)",
    "table tiles",
    "column tiles.level bigint",
    "column tiles.number bigint",
    "column tiles.root bytea",
    "column tiles.hashes bytea",
    "key tiles PRIMARY KEY (level, number)",
    "table open_calls",
    "column open_calls.call text",
    "column open_calls.run text",
    "column open_calls.run_number bigint",
    "column open_calls.waits boolean",
    "key open_calls PRIMARY KEY (call)",
    "table marks",
    "column marks.mark text",
    "column marks.place bigint",
    "key marks PRIMARY KEY (mark, place)",
    "table checkpoints",
    "column checkpoints.size bigint",
    "column checkpoints.note text",
    "key checkpoints PRIMARY KEY (size)",
    "table blobs",
    "column blobs.digest bytea",
    "column blobs.at bigint",
    "column blobs.content bytea",
    "key blobs PRIMARY KEY (digest)",
    "rows of log: 1",
];

const FOUND: &str = "
WITH ours AS (
    SELECT class.* FROM pg_catalog.pg_class class JOIN pg_catalog.pg_namespace space ON space.oid = relnamespace
    WHERE nspname = 'toolgate_ledger'
    AND relname IN ('log', 'entries', 'tiles', 'open_calls', 'marks', 'checkpoints', 'blobs'))
SELECT 'rows of log: ' || count(*) FROM toolgate_ledger.log
UNION ALL SELECT 'table ' || relname || CASE relkind WHEN 'r' THEN '' ELSE ' of kind ' || relkind::text END
    || CASE relpersistence WHEN 'p' THEN '' ELSE ' that is not logged' END
    || CASE WHEN relrowsecurity OR relforcerowsecurity THEN ' with row security' ELSE '' END FROM ours
UNION ALL SELECT 'column ' || relname || '.' || attname || ' ' || pg_catalog.format_type(atttypid, atttypmod)
    || CASE WHEN attnotnull THEN '' ELSE ' or nothing' END || CASE WHEN atthasdef THEN ' made by itself' ELSE '' END
    FROM ours JOIN pg_catalog.pg_attribute ON attrelid = ours.oid WHERE attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'key ' || relname || ' ' || pg_catalog.pg_get_constraintdef(con.oid)
    FROM ours JOIN pg_catalog.pg_constraint con ON conrelid = ours.oid WHERE contype IN ('p', 'u', 'c', 'f', 'x')
UNION ALL SELECT 'trigger ' || tgname || ' on ' || relname
    FROM ours JOIN pg_catalog.pg_trigger ON tgrelid = ours.oid
UNION ALL SELECT 'rule ' || rulename || ' on ' || relname
    FROM ours JOIN pg_catalog.pg_rewrite ON ev_class = ours.oid
UNION ALL SELECT 'table ' || inhrelid::regclass::text || ' below ' || relname
    FROM ours JOIN pg_catalog.pg_inherits ON inhparent = ours.oid";

/// The first thing by which the tables of a database differ from those of a ledger.
pub(super) fn difference(client: &mut Client) -> Result<Option<String>, StoreError> {
    let rows = all(client, FOUND, &[])?;
    let found: BTreeSet<String> = rows.iter().map(|row| column(row, 0)).collect::<Result<_, _>>()?;
    let lacks = OURS.iter().find(|ours| !found.contains(**ours));
    let has = found.iter().find(|found| !OURS.contains(&found.as_str()));
    // What is there instead says more than what is not.
    Ok(has
        .map(|has| format!("no ledger has this: {has}"))
        .or_else(|| lacks.map(|lacks| format!("it lacks this: {lacks}"))))
}
