//! `query_db` and `execute_db`: one statement for one database that policy names.
//!
//! What a statement may do was decided by parsing it. Here nothing is taken on trust from that: the connection
//! itself refuses what the decision did not cover, so that a statement which the parser read otherwise than the
//! database does still changes nothing. A query never writes, a change writes to the listed tables and to no
//! other, also by way of triggers, and it is one transaction: done, or not begun.
//!
//! Never in a message: the password of a database, or its URL.
#![expect(clippy::disallowed_methods, reason = "a statement has an end by the clock")]

mod names;
mod parameters;
mod patience;
mod postgres;
mod sqlite;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use call::{AbsolutePath, Access, Content, Done, Effect, Errand, Fault, Query, Reason, ReasonCode};
use secrecy::SecretString;
use serde_json::{Value, json};

use parameters::Parameters;
use patience::Patience;

/// The databases that policy names.
pub struct Databases {
    named: BTreeMap<String, Settings>,
    secrets: Box<Lookup>,
}

/// Looks up a secret by its scope and its name.
pub type Lookup = dyn Fn(&str, &str) -> Option<SecretString> + Send + Sync;

/// One database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where it is.
    pub location: Location,
    /// Whether nothing in it may change.
    pub read_only: bool,
    /// Tables that may change when it is not, in the spelling of effects.
    pub write_tables: BTreeSet<String>,
}

/// Where a database is.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// An SQLite file.
    File(AbsolutePath),
    /// A PostgreSQL server: `postgres://user@host:5432/database?secret=scope/name`, where the secret is the
    /// password, or `secret:scope/name`, where the secret is such a URL as a whole.
    Url(String),
}

/// A URL may hold a password.
impl std::fmt::Debug for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Url(_) => f.write_str("Url(..)"),
        }
    }
}

impl std::fmt::Debug for Databases {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Databases").field("named", &self.named).finish_non_exhaustive()
    }
}

/// A statement with what was decided about it.
struct Ask<'a> {
    sql: &'a str,
    parameters: Parameters<'a>,
    /// The tables that it names to look at.
    read: BTreeSet<&'a str>,
    /// The tables that it names to change.
    written: BTreeSet<&'a str>,
}

impl Databases {
    /// These databases.
    #[must_use]
    pub fn new(named: BTreeMap<String, Settings>, secrets: Box<Lookup>) -> Self {
        Self { named, secrets }
    }

    /// `query_db`: asks and changes nothing.
    ///
    /// # Errors
    /// When the database gives no answer, with a class such as `sql_error`, `timeout`, `database_locked` or
    /// `connection`.
    pub fn query(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let (name, settings, ask) = self.understand(errand)?;
        if !ask.written.is_empty() {
            return Err(not_decided("`query_db` changes nothing, and this statement does"));
        }
        let patience = Patience::new(errand);
        let table = match &settings.location {
            Location::File(path) => sqlite::query(path, &ask, &patience)?,
            Location::Url(url) => postgres::query(url, &self.secrets, &ask, &patience)?,
        };
        let cut = if table.is_truncated() { ", and there are more" } else { "" };
        Ok(Done {
            summary: format!("{} of `{name}`{cut}", rows(table.len() as u64)),
            content: Content::Data(table.into_value()),
            artifacts: vec![format!("database:{name}")],
            untrusted: true,
            ..Done::default()
        })
    }

    /// `execute_db`: changes rows of listed tables, in one transaction.
    ///
    /// # Errors
    /// As [`Self::query`]; nothing has changed then, but for the class `outcome_unknown`, which says that the
    /// connection ended while the change was being made final.
    pub fn execute(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let (name, settings, ask) = self.understand(errand)?;
        if ask.written.is_empty() {
            return Err(not_decided("`execute_db` changes something, and this statement does not"));
        }
        if settings.read_only {
            return Err(Fault::Denied(Reason {
                code: ReasonCode::WRITE_BLOCKED_READ_ONLY,
                message: format!("the database `{name}` is read-only"),
                rule: None,
                remedy: Some("whoever owns the policy can set `read_only = false`".to_owned()),
            }));
        }
        let patience = Patience::new(errand);
        let tables = settings.write_tables.iter().map(String::as_str).collect();
        let (affected, table) = match &settings.location {
            Location::File(path) => sqlite::execute(path, &tables, &ask, &patience)?,
            Location::Url(url) => postgres::execute(url, &self.secrets, &tables, &ask, &patience)?,
        };
        let mut content = json!({ "affected": affected });
        if let (Some(table), Value::Object(entries)) = (table, &mut content)
            && let Value::Object(returned) = table.into_value()
        {
            entries.extend(returned);
        }
        let written: Vec<String> = ask.written.iter().map(|table| format!("`{table}`")).collect();
        Ok(Done {
            summary: format!("{} of {} in `{name}` changed", rows(affected), written.join(", ")),
            content: Content::Data(content),
            artifacts: vec![format!("database:{name}")],
            untrusted: true,
            ..Done::default()
        })
    }

    /// The arguments, which must be those that were decided about.
    fn understand<'a>(&'a self, errand: &Errand<'a>) -> Result<(&'a str, &'a Settings, Ask<'a>), Fault> {
        let given = errand.arguments.values();
        let text = |key: &str| given.get(key).and_then(Value::as_str);
        let (Some(name), Some(sql)) = (text("database"), text("sql")) else {
            return Err(Fault::failed("bad_request", "`database` and `sql` must be texts"));
        };
        let settings = self.named.get(name).ok_or_else(|| {
            Fault::Denied(Reason {
                code: ReasonCode::DATABASE_NOT_ALLOWED,
                message: format!("policy names no database `{name}`"),
                rule: None,
                remedy: None,
            })
        })?;
        let parameters = Parameters::take(given.get("params"))?;
        let mut ask = Ask { sql, parameters, read: BTreeSet::new(), written: BTreeSet::new() };
        for effect in errand.effects.iter() {
            let Effect::Query(query) = effect else {
                return Err(not_decided("the call has an effect that no statement has"));
            };
            if query.database != name || query.sql != sql {
                return Err(not_decided("another statement was decided about"));
            }
            ask.note(query);
        }
        Ok((name, settings, ask))
    }
}

impl<'a> Ask<'a> {
    fn note(&mut self, query: &'a Query) {
        let tables = query.tables.iter().map(String::as_str);
        match query.access {
            Access::Read => self.read.extend(tables),
            Access::Write => self.written.extend(tables),
        }
    }
}

/// What the database would do is not what was decided about.
fn not_decided(message: impl Into<String>) -> Fault {
    Fault::Denied(Reason {
        code: ReasonCode::UNKNOWN_EFFECT,
        message: message.into(),
        rule: None,
        remedy: None,
    })
}

/// A table would change that is not on the list.
fn table_refused(table: &str) -> Fault {
    Fault::Denied(Reason {
        code: ReasonCode::TABLE_NOT_ALLOWED,
        message: format!(
            "the statement would change `{table}`, directly or by a trigger, a view or a foreign key"
        ),
        rule: None,
        remedy: Some("whoever owns the policy can add the table to `write_tables`".to_owned()),
    })
}

fn rows(count: u64) -> String {
    if count == 1 { "1 row".to_owned() } else { format!("{count} rows") }
}
