//! SQLite: a file, opened in place, by a connection that trusts neither the statement nor the file.
//!
//! Whoever may write the file may have written it by hand, so its schema is not trusted either: no functions
//! with side effects from views or triggers, no shadow tables, no other file. What a statement touches is told by
//! SQLite itself while it compiles it, and [`guard`] has the last word.

mod functions;
mod guard;
mod open;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use call::{AbsolutePath, Fault};
use rusqlite::types::{ToSqlOutput, Value as Stored, ValueRef};
use rusqlite::{Connection, Statement};
use serde_json::Value;

use super::parameters::{Parameters, bad, same_count};
use super::patience::Patience;
use super::table::{Room, Table, blob, float};
use super::{Ask, not_decided};
use guard::Guard;
use open::{Mode, fault, open};

/// Instructions of SQLite between two looks at the clock.
const STEPS: i32 = 1_000;

/// Asks and changes nothing.
pub(super) fn query(path: &AbsolutePath, ask: &Ask<'_>, patience: &Patience<'_>) -> Result<Table, Fault> {
    let mut connection = open(path, Mode::Look, patience)?;
    while_wanted(&mut connection, patience, |connection| {
        let plain = |error: rusqlite::Error| fault(&error, patience);
        // What the guard learns about the file holds until the connection is closed.
        connection.execute_batch("BEGIN").map_err(plain)?;
        let guard = Guard::of_query(connection, &ask.read).map_err(plain)?;
        let refused = guard.refused();
        let told = |error: rusqlite::Error| refused.take().unwrap_or_else(|| fault(&error, patience));
        connection.authorizer(Some(guard.judge())).map_err(plain)?;
        let mut statement = connection.prepare(ask.sql).map_err(told)?;
        if !statement.readonly() {
            return Err(not_decided("SQLite says that the statement changes something"));
        }
        bind(&mut statement, ask.parameters)?;
        let mut table = Table::new(columns(&statement));
        let n_columns = statement.column_count();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(told)? {
            if table.take(values(row, n_columns).map_err(plain)?)? == Room::None {
                break;
            }
        }
        Ok(table)
    })
}

/// Changes rows of these tables; gives how many, and what the statement returns if it returns anything.
pub(super) fn execute(
    path: &AbsolutePath,
    tables: &BTreeSet<&str>,
    ask: &Ask<'_>,
    patience: &Patience<'_>,
) -> Result<(u64, Option<Table>), Fault> {
    let mut connection = open(path, Mode::Change, patience)?;
    while_wanted(&mut connection, patience, |connection| {
        let plain = |error: rusqlite::Error| fault(&error, patience);
        // Whatever ends this early closes the connection, which undoes everything.
        connection.execute_batch("BEGIN IMMEDIATE").map_err(plain)?;
        let guard = Guard::of_change(connection, &ask.written, tables).map_err(plain)??;
        let refused = guard.refused();
        let told = |error: rusqlite::Error| refused.take().unwrap_or_else(|| fault(&error, patience));
        connection.authorizer(Some(guard.judge())).map_err(plain)?;
        let mut statement = connection.prepare(ask.sql).map_err(told)?;
        if statement.readonly() || statement.is_explain() != 0 {
            return Err(not_decided("SQLite says that the statement changes nothing"));
        }
        bind(&mut statement, ask.parameters)?;
        let n_columns = statement.column_count();
        let mut table = (n_columns > 0).then(|| Table::new(columns(&statement)));
        let mut rows = statement.raw_query();
        // To the end, also when nothing more is kept: what is left half-way is not done.
        while let Some(row) = rows.next().map_err(told)? {
            if let Some(table) = &mut table
                && !table.is_truncated()
            {
                table.take(values(row, n_columns).map_err(plain)?)?;
            }
        }
        drop(rows);
        drop(statement);
        let affected = connection.changes();
        connection.authorizer(None::<fn(rusqlite::hooks::AuthContext<'_>) -> _>).map_err(plain)?;
        patience.check()?;
        connection.execute_batch("COMMIT").map_err(plain)?;
        Ok((affected, table))
    })
}

/// Does something with a connection that stops by itself when time is up or nobody wants it any more.
fn while_wanted<T>(
    connection: &mut Connection,
    patience: &Patience<'_>,
    work: impl FnOnce(&mut Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    patience.check()?;
    let stop = Arc::new(AtomicBool::new(false));
    let (end, seen) = (patience.end(), Arc::clone(&stop));
    let over = move || seen.load(Ordering::Relaxed) || Instant::now() >= end;
    connection.progress_handler(STEPS, Some(over)).map_err(|error| fault(&error, patience))?;
    let interrupt = connection.get_interrupt_handle();
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        // SQLite keeps what it is given for longer than the call lasts, so the wish to cancel is passed on.
        let watch = move || {
            while is_done.recv_timeout(Duration::from_millis(10)) == Err(RecvTimeoutError::Timeout) {
                if patience.check().is_err() {
                    stop.store(true, Ordering::Relaxed);
                    interrupt.interrupt();
                }
            }
        };
        let watching = thread::Builder::new().spawn_scoped(scope, watch);
        if let Err(error) = watching {
            return Err(Fault::failed("resources", format!("no thread can be started: {error}")));
        }
        let answer = work(connection);
        drop(done);
        answer
    })
}

fn columns(statement: &Statement<'_>) -> Vec<String> {
    statement.column_names().map(str::to_owned).collect()
}

fn values(row: &rusqlite::Row<'_>, n_columns: usize) -> rusqlite::Result<Vec<Value>> {
    (0..n_columns).map(|number| row.get_ref(number).map(shown)).collect()
}

fn shown(stored: ValueRef<'_>) -> Value {
    match stored {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => float(number),
        // SQLite keeps any bytes as text.
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).map_or_else(|_| blob(bytes), Value::from),
        ValueRef::Blob(bytes) => blob(bytes),
    }
}

fn bind(statement: &mut Statement<'_>, parameters: Parameters<'_>) -> Result<(), Fault> {
    let wanted = statement.parameter_count();
    match parameters {
        Parameters::List(list) => {
            same_count(list.len(), wanted)?;
            for (number, value) in list.iter().enumerate() {
                bind_one(statement, number + 1, value)?;
            }
        }
        Parameters::Named(named) => {
            let mut used = BTreeSet::new();
            for number in 1..=wanted {
                let name = statement.parameter_name(number).and_then(|name| name.get(1..)).map(str::to_owned);
                let Some(name) = name.filter(|name| !name.is_empty()) else {
                    return Err(bad(
                        "the statement has placeholders without a name, so `params` must be a list",
                    ));
                };
                let value = named
                    .get(&name)
                    .ok_or_else(|| bad(format!("`params` has no value for the placeholder `{name}`")))?;
                bind_one(statement, number, value)?;
                used.insert(name);
            }
            if let Some(spare) = named.keys().find(|key| !used.contains(*key)) {
                return Err(bad(format!(
                    "`params` has `{spare}`, and the statement has no such placeholder"
                )));
            }
        }
    }
    Ok(())
}

fn bind_one(statement: &mut Statement<'_>, number: usize, value: &Value) -> Result<(), Fault> {
    let stored = match value {
        Value::Null => Stored::Null,
        Value::Bool(yes) => Stored::Integer(i64::from(*yes)),
        Value::Number(digits) => match (digits.as_i64(), digits.is_u64(), digits.as_f64()) {
            (Some(whole), _, _) => Stored::Integer(whole),
            (None, false, Some(real)) => Stored::Real(real),
            (None, _, _) => {
                let message =
                    format!("`{digits}` is larger than the whole numbers of SQLite; give it as a text");
                return Err(bad(message));
            }
        },
        Value::String(text) => {
            let text = ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes()));
            return statement.raw_bind_parameter(number, text).map_err(|error| bad(error.to_string()));
        }
        Value::Array(_) | Value::Object(_) => return Err(bad("a value is a list or an object")),
    };
    statement.raw_bind_parameter(number, stored).map_err(|error| bad(error.to_string()))
}
