//! What the sessions of skills have used up of what they may: calls in a minute, calls under way, files and
//! bytes written.
//!
//! Counts lie in one SQLite file that all gates of a home share, and each count is one transaction that takes
//! the write lock first. A call under way belongs to the gate that began it, which holds a lock as long as it
//! lives; what a gate that died had under way no longer counts, but what it had announced to write does.
//!
//! **Invariant:** without a count there is no call. A file that is damaged, or cannot be written, is a
//! refusal. A call that nothing limits is not counted, and needs no file.

mod limits;
mod run;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use call::{Actor, Allowance, Confinement, Did, Moment, Reason, ReasonCode, Spending, Ticket};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use crate::database::{self, Unusable};
use limits::{Asked, Key};
use run::OwnRun;

const FILE: &str = "usage.db";

/// Says that a database is this one: `TGUS`.
const APPLICATION: i64 = 0x5447_5553;

const TABLES: &str = "
CREATE TABLE calls (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    skills  TEXT NOT NULL,
    began   INTEGER NOT NULL,
    run     TEXT,
    files   INTEGER NOT NULL,
    bytes   INTEGER NOT NULL
) STRICT;
CREATE INDEX calls_of_session ON calls (session, skills, began);
CREATE TABLE written (
    session TEXT NOT NULL,
    skills  TEXT NOT NULL,
    files   INTEGER NOT NULL,
    bytes   INTEGER NOT NULL,
    last    INTEGER NOT NULL,
    PRIMARY KEY (session, skills)
) STRICT, WITHOUT ROWID;
";

/// Microseconds in a minute.
const MINUTE: i64 = 60_000_000;

/// A session that wrote nothing for so long is forgotten.
const FORGOTTEN_DAYS: u32 = 400;

/// The ticket of a call that nothing limits.
const UNCOUNTED: Ticket = Ticket(0);

/// Counts of a home.
#[derive(Debug)]
pub struct Usage {
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    open: Option<Open>,
    /// Calls that are over, and whose end could not be written yet.
    ended: Vec<(Ticket, Did)>,
}

#[derive(Debug)]
struct Open {
    connection: Connection,
    run: OwnRun,
}

/// Why a call was not counted.
enum NotCounted {
    Limit(Reason),
    Unusable(String),
}

impl From<Unusable> for NotCounted {
    fn from(error: Unusable) -> Self {
        Self::Unusable(error.to_string())
    }
}

impl From<rusqlite::Error> for NotCounted {
    fn from(error: rusqlite::Error) -> Self {
        Unusable::from(error).into()
    }
}

impl Usage {
    /// Counts that are kept in a folder, which is made when it is first needed.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), state: Mutex::default() }
    }

    fn open(&self) -> Result<Open, NotCounted> {
        let connection = database::open(&self.folder.join(FILE), APPLICATION, TABLES)?;
        database::check(&connection)?;
        let run = OwnRun::begin(&self.folder).map_err(Unusable::from)?;
        bury_the_dead(&connection, &run)?;
        Ok(Open { connection, run })
    }

    fn with<T>(
        &self,
        state: &mut State,
        act: impl FnOnce(&mut Open, &mut Vec<(Ticket, Did)>) -> Result<T, NotCounted>,
    ) -> Result<T, NotCounted> {
        let mut open = match state.open.take() {
            Some(open) => open,
            None => self.open()?,
        };
        let done = act(&mut open, &mut state.ended);
        // The run is kept, whatever happens: its calls are still under way.
        state.open = Some(open);
        done
    }
}

impl Allowance for Usage {
    fn begin(
        &self,
        actor: &Actor,
        walls: &Confinement,
        spending: Spending,
        now: Moment,
    ) -> Result<Ticket, Reason> {
        let limited = walls.max_calls_per_minute.is_some()
            || walls.max_concurrent.is_some()
            || walls.max_files_written.is_some()
            || walls.max_bytes_written.is_some();
        if !limited {
            return Ok(UNCOUNTED);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = Asked { key: Key::of(actor), walls, spending, now: now.microseconds() };
        let forgotten = now.earlier_by_days(FORGOTTEN_DAYS).microseconds();
        let counted = self.with(&mut state, |open, ended| {
            let transaction = open.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for (ticket, did) in ended.iter() {
                finish(&transaction, *ticket, *did)?;
            }
            transaction.execute(
                "DELETE FROM calls WHERE run IS NULL AND began < ?1",
                params![asked.now.saturating_sub(2 * MINUTE)],
            )?;
            transaction.execute("DELETE FROM written WHERE last < ?1", params![forgotten])?;
            let ticket = asked.count(&transaction, &open.run)?;
            transaction.commit()?;
            ended.clear();
            Ok(ticket)
        });
        counted.map_err(|why| match why {
            NotCounted::Limit(reason) => reason,
            NotCounted::Unusable(why) => Reason {
                code: ReasonCode::POLICY_ERROR,
                message: format!("what this session has used up cannot be told: {why}"),
                rule: None,
                remedy: Some(format!(
                    "whoever runs the gate can look at `{FILE}` in its home, or move it away"
                )),
            },
        })
    }

    fn end(&self, ticket: Ticket, did: Did) {
        if ticket == UNCOUNTED {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = self.with(&mut state, |open, _| {
            let transaction = open.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            finish(&transaction, ticket, did)?;
            Ok(transaction.commit()?)
        });
        if ended.is_err() {
            // Until then it counts as under way, which is the strict reading.
            state.ended.push((ticket, did));
        }
    }
}

/// What gates had under way that live no more is not under way.
fn bury_the_dead(connection: &Connection, run: &OwnRun) -> rusqlite::Result<()> {
    let runs: Vec<String> = connection
        .prepare_cached("SELECT DISTINCT run FROM calls WHERE run IS NOT NULL")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for dead in runs.iter().filter(|name| !run.is_alive(name)) {
        connection.execute("UPDATE calls SET run = NULL WHERE run = ?1", params![dead])?;
        run.bury(dead);
    }
    Ok(())
}

/// The end of a call. One that ended before is not given anything back again.
fn finish(connection: &Connection, ticket: Ticket, did: Did) -> rusqlite::Result<()> {
    let call: Option<(String, String, i64, i64)> = connection
        .prepare_cached(
            "UPDATE calls SET run = NULL WHERE id = ?1 AND run IS NOT NULL \
             RETURNING session, skills, files, bytes",
        )?
        .query_row(params![ticket.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    let Some((session, skills, files, bytes)) = call else { return Ok(()) };
    if did == Did::Nothing && (files, bytes) != (0, 0) {
        connection
            .prepare_cached(
                "UPDATE written SET files = max(files - ?3, 0), bytes = max(bytes - ?4, 0) \
                 WHERE session = ?1 AND skills = ?2",
            )?
            .execute(params![session, skills, files, bytes])?;
    }
    Ok(())
}
