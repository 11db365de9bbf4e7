//! The gate's memory: texts that agents keep for later.
//!
//! One SQLite file with a full-text index in a folder of the home. Every agent has texts of its own, which
//! no other agent finds; a text with the tag `shared` belongs to all. What is older than the retention is
//! gone, also from the file. Whatever comes back was written by an agent once and is marked as untrusted.
//!
//! Any text is a query: words are quoted before the index sees them, so its operators mean nothing here.
//! Secrets are looked for by the gate before a text gets here, and nowhere else.

mod recall;
mod store;
mod tables;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use call::{AgentName, Fault, Moment};
use rusqlite::{Connection, TransactionBehavior, params};

use crate::database::Unusable;

/// The tag of texts that belong to all agents.
pub const SHARED: &str = "shared";

/// Texts that agents keep.
#[derive(Debug)]
pub struct Memory {
    file: PathBuf,
    retention_days: Option<u32>,
    connection: Mutex<Option<Connection>>,
}

impl Memory {
    /// The memory in a folder, which is made when it is first used. Texts are kept for so many days, or for
    /// ever.
    #[must_use]
    pub fn new(folder: &Path, retention_days: Option<u32>) -> Self {
        Self { file: folder.join(tables::FILE), retention_days, connection: Mutex::new(None) }
    }

    /// Takes away what is older than the retention, and says how much that was.
    ///
    /// # Errors
    /// When the memory cannot be used.
    pub fn purge(&self, now: Moment) -> Result<u64, Fault> {
        self.with(|connection| {
            let removed = self.expire(connection, now)?;
            if removed > 0 {
                // What was taken out of the file is still in its log until then.
                connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            }
            Ok(removed)
        })
    }

    /// Takes away everything that one agent keeps for itself, and says how much that was.
    ///
    /// # Errors
    /// When the memory cannot be used.
    pub fn forget(&self, agent: &AgentName) -> Result<u64, Fault> {
        self.with(|connection| {
            let forgotten = connection
                .execute("DELETE FROM texts WHERE namespace = ?1", params![own_namespace(agent)])?;
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            Ok(forgotten as u64)
        })
    }

    /// What is older than the retention, as microseconds since 1970.
    fn oldest(&self, now: Moment) -> i64 {
        self.retention_days.map_or(i64::MIN, |days| now.earlier_by_days(days).microseconds())
    }

    fn expire(&self, connection: &Connection, now: Moment) -> rusqlite::Result<u64> {
        if self.retention_days.is_none() {
            return Ok(0);
        }
        let expired = connection.execute("DELETE FROM texts WHERE stored < ?1", params![self.oldest(now)])?;
        Ok(expired as u64)
    }

    /// Does something in one transaction, which takes the write lock first so that gates take turns.
    fn write<T>(&self, act: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Fault> {
        self.with(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = act(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Result<T, Fault> {
        let mut held = self.lock();
        let done: Result<T, Unusable> = match held.as_mut() {
            Some(connection) => act(connection).map_err(Unusable::from),
            None => tables::open(&self.file).and_then(|connection| Ok(act(held.insert(connection))?)),
        };
        done.map_err(|error| {
            // What is wrong with it may be mended by the time of the next call.
            *held = None;
            unusable(&self.file, &error)
        })
    }

    fn lock(&self) -> MutexGuard<'_, Option<Connection>> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The namespace of an agent. Names of agents have no colon.
fn own_namespace(agent: &AgentName) -> String {
    format!("agent:{}", agent.as_str())
}

fn unusable(file: &Path, error: &Unusable) -> Fault {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Fault::Failed {
        class: "memory_unusable",
        message: format!("the memory cannot be used: {error}"),
        remedy: Some(format!("whoever runs the gate can look at `{name}` in its home, or move it away")),
    }
}
