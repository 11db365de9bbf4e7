//! A connection to the server, and how its answers are read.
//!
//! Whatever the server or the database has as defaults, a session of a gate waits a bounded time, is told the
//! truth about rows, and writes what is durable when it is answered.

use std::error::Error as _;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use postgres::types::{FromSql, ToSql};
use postgres::{Client, NoTls, Row, Transaction};

use super::StoreError;
use super::route::Route;

/// How long to wait for a server that does not answer. For a gate that writes, the session itself waits as
/// long: see below.
const PATIENCE: Duration = Duration::from_secs(20);

/// Rows that a policy would hide are an error and not silence.
const SESSION: &str = "SET lock_timeout = '20s'; SET row_security = off; \
    SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED";

/// Answers mean nothing unless they are durable.
const WRITING: &str = "SET synchronous_commit = on; \
    SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE";

/// A session to look at a ledger.
pub(super) fn connect(url: &str) -> Result<Client, StoreError> {
    let mut route = Route::parse(url)?;
    let config = &mut route.config;
    let patience = config.get_connect_timeout().copied().unwrap_or(PATIENCE);
    config.connect_timeout(patience);
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(PATIENCE);
    }
    let mut client = greeted(route, patience)?;
    client.batch_execute(SESSION).map_err(|error| failed(&error))?;
    Ok(client)
}

/// Connects, unless the other side takes the connection and then says nothing: the client has no timeout of
/// its own for that. Whoever waits in vain is left behind, and ends with the program.
fn greeted(route: Route, patience: Duration) -> Result<Client, StoreError> {
    let (tell, told) = mpsc::channel();
    let connecting = move || {
        let Route { config, tls } = route;
        let _ = tell.send(match tls {
            Some(tls) => config.connect(tls),
            None => config.connect(NoTls),
        });
    };
    thread::Builder::new()
        .spawn(connecting)
        .map_err(|error| StoreError::Failed(format!("no connection can be made: {error}")))?;
    match told.recv_timeout(patience) {
        Ok(connected) => connected.map_err(|error| failed(&error)),
        Err(RecvTimeoutError::Timeout) => Err(StoreError::Failed("the server does not answer".to_owned())),
        Err(RecvTimeoutError::Disconnected) => {
            Err(StoreError::Failed("the connection to the server failed".to_owned()))
        }
    }
}

/// Makes a session one that writes.
pub(super) fn begin_writing(client: &mut Client) -> Result<(), StoreError> {
    client.batch_execute(WRITING).map_err(|error| failed(&error))?;
    match one::<String>(client, "SHOW fsync", &[])?.as_deref() {
        Some("on") => Ok(()),
        Some(_) | None => Err(StoreError::Failed(
            "the server does not wait for its disk (`fsync` is off), so nothing on it is durable".to_owned(),
        )),
    }
}

pub(super) fn all(
    client: &mut Client,
    sql: &str,
    given: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Row>, StoreError> {
    client.query(sql, given).map_err(|error| failed(&error))
}

pub(super) fn one<T: for<'r> FromSql<'r>>(
    client: &mut Client,
    sql: &str,
    given: &[&(dyn ToSql + Sync)],
) -> Result<Option<T>, StoreError> {
    let row = client.query_opt(sql, given).map_err(|error| failed(&error))?;
    row.map(|row| column(&row, 0)).transpose()
}

/// A column of a row. One of another type would be a panic elsewhere.
pub(super) fn column<'r, T: FromSql<'r>>(row: &'r Row, number: usize) -> Result<T, StoreError> {
    row.try_get(number).map_err(|error| StoreError::Damaged(told(&error)))
}

pub(super) fn execute(
    transaction: &mut Transaction<'_>,
    sql: &str,
    given: &[&(dyn ToSql + Sync)],
) -> Result<u64, StoreError> {
    transaction.execute(sql, given).map_err(|error| failed(&error))
}

pub(super) fn failed(error: &postgres::Error) -> StoreError {
    StoreError::Failed(told(error))
}

/// The server's own words, or ours with the cause; without the address, which may hold a password.
fn told(error: &postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        return format!("the server says: {}", error.message());
    }
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("{error}{cause}")
}
