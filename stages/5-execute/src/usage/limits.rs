//! Whether a call still fits into what its session may use.

use call::{Actor, Confinement, Reason, ReasonCode, Spending, Ticket};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::run::OwnRun;
use super::{MINUTE, NotCounted, bury_the_dead};

/// Whose counts.
pub(super) struct Key {
    session: String,
    skills: String,
}

impl Key {
    pub(super) fn of(actor: &Actor) -> Self {
        let skills: Vec<&str> = actor.skills.skills().iter().map(call::SkillName::as_str).collect();
        Self { session: actor.session.as_str().to_owned(), skills: skills.join("/") }
    }
}

/// A call that wants to be counted.
pub(super) struct Asked<'a> {
    pub(super) key: Key,
    pub(super) walls: &'a Confinement,
    pub(super) spending: Spending,
    /// Microseconds since 1970.
    pub(super) now: i64,
}

impl Asked<'_> {
    /// Counts it, unless a limit is reached.
    pub(super) fn count(&self, connection: &Connection, run: &OwnRun) -> Result<Ticket, NotCounted> {
        self.check_minute(connection)?;
        self.check_under_way(connection, run)?;
        self.check_written(connection)?;
        let (files, bytes) = (number(self.spending.files), number(self.spending.bytes));
        let Key { session, skills } = &self.key;
        connection
            .prepare_cached(
                "INSERT INTO calls (session, skills, began, run, files, bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![session, skills, self.now, run.name(), files, bytes])?;
        let ticket = Ticket(connection.last_insert_rowid());
        if self.spending != Spending::default() {
            connection
                .prepare_cached(
                    "INSERT INTO written (session, skills, files, bytes, last) VALUES (?1, ?2, ?3, ?4, ?5) \
                     ON CONFLICT DO UPDATE SET files = files + ?3, bytes = bytes + ?4, last = max(last, ?5)",
                )?
                .execute(params![session, skills, files, bytes, self.now])?;
        }
        Ok(ticket)
    }

    fn check_minute(&self, connection: &Connection) -> Result<(), NotCounted> {
        let Some(most) = self.walls.max_calls_per_minute else { return Ok(()) };
        // A clock that was set back leaves calls in the future, which are none of this minute.
        let calls: i64 = connection
            .prepare_cached(
                "SELECT count(*) FROM calls WHERE session = ?1 AND skills = ?2 AND began > ?3 AND began <= ?4",
            )?
            .query_row(
                params![
                    self.key.session,
                    self.key.skills,
                    self.now.saturating_sub(MINUTE),
                    self.now.saturating_add(MINUTE)
                ],
                |row| row.get(0),
            )?;
        if calls < i64::from(most) {
            return Ok(());
        }
        let message = format!("the session made {calls} calls within a minute, and may make {most}");
        Err(exceeded(message, "max_calls_per_minute", "wait until a minute has passed"))
    }

    fn check_under_way(&self, connection: &Connection, run: &OwnRun) -> Result<(), NotCounted> {
        let Some(most) = self.walls.max_concurrent else { return Ok(()) };
        bury_the_dead(connection, run)?;
        let calls: i64 = connection
            .prepare_cached(
                "SELECT count(*) FROM calls WHERE session = ?1 AND skills = ?2 AND run IS NOT NULL",
            )?
            .query_row(params![self.key.session, self.key.skills], |row| row.get(0))?;
        if calls < i64::from(most) {
            return Ok(());
        }
        let message = format!("the session has {calls} calls under way, and may have {most}");
        Err(exceeded(message, "max_concurrent", "wait until one of them is over"))
    }

    fn check_written(&self, connection: &Connection) -> Result<(), NotCounted> {
        let Key { session, skills } = &self.key;
        let written: Option<(i64, i64)> = connection
            .prepare_cached("SELECT files, bytes FROM written WHERE session = ?1 AND skills = ?2")?
            .query_row(params![session, skills], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let (files, bytes) = written.unwrap_or_default();
        let checks = [
            (self.walls.max_files_written, files, self.spending.files, "files", "max_files_written"),
            (self.walls.max_bytes_written, bytes, self.spending.bytes, "bytes", "max_bytes_written"),
        ];
        for (most, so_far, more, what, limit) in checks {
            let Some(most) = most else { continue };
            let so_far = u64::try_from(so_far).unwrap_or(0);
            // A call that writes nothing is not refused for what others wrote.
            if more > 0 && so_far.saturating_add(more) > most {
                let message = format!(
                    "the session wrote {so_far} {what} so far and would write {more} more, and may write {most}"
                );
                return Err(exceeded(message, limit, "write less, or go on in a new session"));
            }
        }
        Ok(())
    }
}

fn exceeded(message: String, limit: &str, instead: &str) -> NotCounted {
    NotCounted::Limit(Reason {
        code: ReasonCode::LIMIT_EXCEEDED,
        message,
        rule: Some(format!("limits.{limit}")),
        remedy: Some(format!("{instead}; whoever keeps the skill can raise `{limit}`")),
    })
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX / 4)
}
