//! PostgreSQL: one statement, in a transaction of its own, by a role that can do nothing beside it.
//!
//! The statement goes by the protocol that takes one statement and bound values, never by the one that takes
//! many. A query runs in a read-only transaction that is always rolled back. A change is committed only after the
//! server was asked which tables it holds for writing: whatever a trigger or a rule wrote to is among them.
//!
//! A role that can read files of the server, run programs or act as a superuser is refused: in a read-only
//! transaction it still could.

mod bounded;
mod cells;
mod connect;
mod powers;
mod running;
mod written;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use call::Fault;
use tokio_postgres::error::SqlState;
use tokio_postgres::{CancelToken, Client, SimpleQueryMessage, Statement};

use super::parameters::{Parameters, same_count};
use super::patience::{Patience, locked};
use super::table::{Room, Table, too_large};
use super::{Ask, Lookup};
use bounded::Allowance;
use connect::Route;
use running::{Finish, with_server};

/// Rows that are asked for at a time, once it is known that rows are short.
const STEP: usize = 128;

/// How long a change may take to become final.
const FOR_COMMIT: Duration = Duration::from_secs(20);

/// What a session has to be whatever the server or the role has as defaults.
const SESSION: &str = "SET standard_conforming_strings = on; SET client_min_messages = error; \
    SET bytea_output = hex; SET datestyle = 'ISO, YMD'; SET intervalstyle = iso_8601; SET extra_float_digits = 1; \
    SET idle_in_transaction_session_timeout = '60s'";

/// Gone with the transaction that it is made in.
const MARK: &str = "SET LOCAL toolgate.transaction = 'same'";

/// A session with the server.
struct Session {
    client: Client,
    /// What may still be received.
    allowance: Allowance,
}

/// Asks and changes nothing.
pub(super) fn query(
    url: &str,
    secrets: &Lookup,
    ask: &Ask<'_>,
    patience: &Patience<'_>,
) -> Result<Table, Fault> {
    let route = &Route::parse(url, secrets)?;
    with_server(route, patience, |token| async move {
        let session = begin(route, "READ ONLY", patience, token).await?;
        let answer = session.ask(ask, patience).await;
        // Whatever it did besides answering is undone. When that fails the connection is closed, which does it too.
        let _ = session.client.batch_execute("ROLLBACK").await;
        answer
    })
}

/// Changes rows of these tables; gives how many, and what the statement returns if it returns anything.
pub(super) fn execute(
    url: &str,
    secrets: &Lookup,
    tables: &BTreeSet<&str>,
    ask: &Ask<'_>,
    patience: &Patience<'_>,
) -> Result<(u64, Option<Table>), Fault> {
    if let Some(table) = ask.written.iter().find(|table| !tables.contains(*table)) {
        return Err(super::table_refused(table));
    }
    let route = &Route::parse(url, secrets)?;
    with_server(route, patience, |token| async move {
        let session = begin(route, "READ WRITE", patience, token).await?;
        let answer = session.change(ask, patience).await?;
        written::check(&session, tables, patience).await?;
        patience.check()?;
        Ok((session, answer))
    })
}

impl Finish for Table {
    type Out = Self;
    async fn finish(self, _: &Patience<'_>) -> Result<Self, Fault> {
        Ok(self)
    }
}

impl Finish for (Session, (u64, Option<Table>)) {
    type Out = (u64, Option<Table>);
    async fn finish(self, patience: &Patience<'_>) -> Result<Self::Out, Fault> {
        let (session, answer) = self;
        match tokio::time::timeout(FOR_COMMIT, session.client.batch_execute("COMMIT")).await {
            Ok(Ok(())) => Ok(answer),
            // The server itself says that it did not.
            Ok(Err(error)) if error.as_db_error().is_some() => Err(session.fault(&error, patience)),
            Ok(Err(_)) | Err(_) => Err(Fault::Failed {
                class: "outcome_unknown",
                message: "the connection ended while the change was being made final; it may have been made"
                    .to_owned(),
                remedy: Some("look with `query_db` before trying again".to_owned()),
            }),
        }
    }
}

async fn begin(
    route: &Route,
    mode: &str,
    patience: &Patience<'_>,
    token: Arc<Mutex<Option<CancelToken>>>,
) -> Result<Session, Fault> {
    let session = route.connect(patience).await?;
    *token.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.client.cancel_token());
    let (whole, locks) = (patience.left().as_millis().max(1), patience.for_locks().as_millis().max(1));
    // The gate itself looks at the clock as well, and is a little earlier.
    let timeouts = format!("SET statement_timeout = {}; SET lock_timeout = {locks}", whole + 500);
    let began =
        format!("{SESSION}; {timeouts}; BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED, {mode}; {MARK}");
    session.client.batch_execute(&began).await.map_err(|error| session.fault(&error, patience))?;
    powers::check(&session, patience).await?;
    Ok(session)
}

impl Session {
    async fn ask(&self, ask: &Ask<'_>, patience: &Patience<'_>) -> Result<Table, Fault> {
        let told = |error: tokio_postgres::Error| self.fault(&error, patience);
        let statement = self.client.prepare(ask.sql).await.map_err(told)?;
        let mut table = Table::new(columns(&statement));
        let values = cells::bound(list(ask.parameters, &statement)?);
        if is_explain(ask.sql) {
            // No cursor goes over a plan, and a plan is short.
            for row in self.client.query(&statement, &cells::by_reference(&values)).await.map_err(told)? {
                if table.take(cells::of_plan(&row))? == Room::None {
                    break;
                }
            }
            return Ok(table);
        }
        // The server sends values as texts, which it has for every type, and no more rows than are asked for.
        let cursor = format!("DECLARE toolgate_rows NO SCROLL CURSOR FOR {}", ask.sql);
        let declare = self.client.prepare(&cursor).await.map_err(told)?;
        self.client.execute(&declare, &cells::by_reference(&values)).await.map_err(told)?;
        let mut step = 1;
        loop {
            let fetch = format!("FETCH FORWARD {step} FROM toolgate_rows");
            let mut n_rows = 0;
            for message in self.client.simple_query(&fetch).await.map_err(told)? {
                let SimpleQueryMessage::Row(row) = message else { continue };
                n_rows += 1;
                if table.take(cells::of_texts(&row, statement.columns()))? == Room::None {
                    return Ok(table);
                }
            }
            if n_rows < step {
                return Ok(table);
            }
            step = STEP.min(step * 2);
        }
    }

    async fn change(&self, ask: &Ask<'_>, patience: &Patience<'_>) -> Result<(u64, Option<Table>), Fault> {
        let told = |error: tokio_postgres::Error| self.fault(&error, patience);
        let statement = self.client.prepare(ask.sql).await.map_err(told)?;
        let values = cells::bound(list(ask.parameters, &statement)?);
        let values = cells::by_reference(&values);
        if statement.columns().is_empty() {
            let affected = self.client.execute(&statement, &values).await.map_err(told)?;
            return Ok((affected, None));
        }
        let (affected, rows) = cells::returned(&self.client, &statement, &values).await.map_err(told)?;
        let mut table = Table::new(columns(&statement));
        for row in cells::as_values(&self.client, rows).await.map_err(told)? {
            table.take(row)?;
        }
        Ok((affected, Some(table)))
    }

    /// What the server says, without how it is reached.
    fn fault(&self, error: &tokio_postgres::Error, patience: &Patience<'_>) -> Fault {
        if self.allowance.is_used_up() {
            return too_large();
        }
        if let Err(over) = patience.check() {
            return over;
        }
        let Some(said) = error.as_db_error() else {
            return connect::failed(error);
        };
        match said.code() {
            &SqlState::QUERY_CANCELED => patience.timed_out(),
            &SqlState::LOCK_NOT_AVAILABLE | &SqlState::T_R_DEADLOCK_DETECTED => locked(),
            &SqlState::ADMIN_SHUTDOWN
            | &SqlState::CRASH_SHUTDOWN
            | &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => {
                Fault::failed("connection", format!("the server ended the connection: {}", said.message()))
            }
            _ => Fault::Failed {
                class: "sql_error",
                message: said.message().to_owned(),
                remedy: said.hint().map(str::to_owned),
            },
        }
    }
}

fn columns(statement: &Statement) -> Vec<String> {
    statement.columns().iter().map(|column| column.name().to_owned()).collect()
}

fn list<'a>(parameters: Parameters<'a>, statement: &Statement) -> Result<&'a [serde_json::Value], Fault> {
    match parameters {
        Parameters::List(list) => {
            same_count(list.len(), statement.params().len())?;
            Ok(list)
        }
        Parameters::Named(_) => Err(Fault::Failed {
            class: "bad_parameters",
            message: "`params` is an object, and PostgreSQL has no placeholders with names".to_owned(),
            remedy: Some("write `$1`, `$2` in the statement and give `params` as a list".to_owned()),
        }),
    }
}

/// Whether the first word is `EXPLAIN`, after blanks and comments.
fn is_explain(sql: &str) -> bool {
    let mut rest = sql.trim_start();
    loop {
        let after = if let Some(comment) = rest.strip_prefix("--") {
            comment.split_once('\n').map_or("", |(_, after)| after)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else {
            break;
        };
        rest = after.trim_start();
    }
    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
    word.eq_ignore_ascii_case("explain")
}
