//! What a statement touches, as SQLite says while it compiles it.
//!
//! Tables that stand in the file may be read, and the two that take JSON apart. Whatever else answers to the name
//! of a table is a window into SQLite itself. Written is what is listed, whoever writes: the statement, a
//! trigger, a foreign key. A virtual table keeps its content in tables of its own, which go with it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use call::Fault;
use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use super::functions::is_harmless;
use crate::db::names::in_file;
use crate::db::{not_decided, table_refused};

#[derive(Clone)]
pub(super) struct Guard {
    /// Tables and views of the file, folded.
    tables: Arc<BTreeSet<String>>,
    /// Those of them in which virtual tables keep their content.
    shadows: Arc<BTreeSet<String>>,
    /// Kinds of virtual tables, each of which may answer to its bare name.
    modules: Arc<BTreeSet<String>>,
    /// The tables that a query names, where it can look at those alone. In a change foreign keys look at others.
    named: Option<Arc<BTreeSet<String>>>,
    /// Tables that may be written.
    writable: Arc<BTreeSet<String>>,
    refused: Refused,
}

/// The first thing that was refused.
#[derive(Clone, Default)]
pub(super) struct Refused(Arc<Mutex<Option<Fault>>>);

impl Refused {
    pub(super) fn take(&self) -> Option<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn note(&self, fault: Fault) -> Authorization {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
        Authorization::Deny
    }
}

/// Tables that take JSON apart.
const FOR_JSON: [&str; 4] = ["json_each", "json_tree", "jsonb_each", "jsonb_tree"];

/// What the file says about itself.
const SCHEMA: [&str; 2] = ["sqlite_schema", "sqlite_master"];

impl Guard {
    pub(super) fn of_query(connection: &Connection, named: &BTreeSet<&str>) -> rusqlite::Result<Self> {
        let named: BTreeSet<String> = named.iter().map(|name| in_file(name)).collect();
        let mut guard = Self::new(connection, None, BTreeSet::new())?;
        // A virtual table looks at other tables by itself, and a view may stand for one.
        let opaque = names(
            connection,
            "SELECT name FROM sqlite_schema WHERE rootpage = 0 AND type IN ('table', 'view')",
        )?;
        if named.is_disjoint(&opaque) {
            guard.named = Some(Arc::new(named));
        }
        Ok(guard)
    }

    /// The tables that the statement names must be listed themselves.
    pub(super) fn of_change(
        connection: &Connection,
        named: &BTreeSet<&str>,
        listed: &BTreeSet<&str>,
    ) -> rusqlite::Result<Result<Self, Fault>> {
        let writable: BTreeSet<String> = listed.iter().map(|name| in_file(name)).collect();
        if let Some(table) = named.iter().find(|name| !writable.contains(&in_file(name))) {
            return Ok(Err(table_refused(table)));
        }
        Self::new(connection, None, writable).map(Ok)
    }

    fn new(
        connection: &Connection,
        named: Option<Arc<BTreeSet<String>>>,
        writable: BTreeSet<String>,
    ) -> rusqlite::Result<Self> {
        let tables = names(connection, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")?;
        let shadows = names(
            connection,
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'",
        )?;
        let modules = names(connection, "SELECT name FROM pragma_module_list")?;
        Ok(Self {
            tables: Arc::new(tables),
            shadows: Arc::new(shadows),
            modules: Arc::new(modules),
            named,
            writable: Arc::new(writable),
            refused: Refused::default(),
        })
    }

    pub(super) fn refused(&self) -> Refused {
        self.refused.clone()
    }

    /// The question that SQLite asks for everything that a statement would do.
    pub(super) fn judge(&self) -> impl for<'r> FnMut(AuthContext<'r>) -> Authorization + Send + 'static {
        let guard = self.clone();
        move |context| match guard.objection(&context) {
            None => Authorization::Allow,
            Some(fault) => guard.refused.note(fault),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "whatever else SQLite does, now or later, is refused")]
    fn objection(&self, context: &AuthContext<'_>) -> Option<Fault> {
        if context.database_name.is_some_and(|name| !name.eq_ignore_ascii_case("main")) {
            return Some(not_decided("the statement leaves the file of the database"));
        }
        match context.action {
            AuthAction::Select | AuthAction::Recursive => None,
            AuthAction::Read { table_name, column_name } => {
                self.objection_to_read(&folded(table_name), column_name, context.accessor.is_none())
            }
            AuthAction::Function { function_name } if is_harmless(&folded(function_name)) => None,
            AuthAction::Function { function_name } => Some(not_decided(format!(
                "the statement calls `{function_name}`, which may do more than compute"
            ))),
            AuthAction::Insert { table_name } | AuthAction::Delete { table_name } => {
                self.objection_to_write(table_name)
            }
            AuthAction::Update { table_name, .. } => self.objection_to_write(table_name),
            // How full-text search finds out whether its copy of an index is still good.
            AuthAction::Pragma { pragma_name: "data_version", pragma_value: None }
                if !self.shadows.is_empty() =>
            {
                None
            }
            other => Some(not_decided(format!("the statement would do something else: {}", kind(&other)))),
        }
    }

    fn objection_to_read(&self, table: &str, column: &str, by_itself: bool) -> Option<Fault> {
        if self.tables.contains(table) {
            if by_itself && self.named.as_deref().is_some_and(|named| !named.contains(table)) {
                return Some(not_decided(format!(
                    "the statement looks at `{table}`, which it does not name"
                )));
            }
            return None;
        }
        if FOR_JSON.contains(&table) || SCHEMA.contains(&table) {
            return None;
        }
        // A name that no column is taken from may be that of a common table expression.
        let window =
            self.modules.contains(table) || table.starts_with("pragma_") || table.starts_with("sqlite_");
        if column.is_empty() && !window {
            return None;
        }
        Some(not_decided(format!("`{table}` is no table of the database")))
    }

    fn objection_to_write(&self, table: &str) -> Option<Fault> {
        let folded = folded(table);
        // Only the virtual table that it belongs to can write there: nobody else may by the rules of SQLite.
        let listed = self.writable.contains(&folded) || self.shadows.contains(&folded);
        (!listed).then(|| table_refused(table))
    }
}

/// The names that a statement of ours gives, folded.
fn names(connection: &Connection, sql: &str) -> rusqlite::Result<BTreeSet<String>> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    let mut names = BTreeSet::new();
    while let Some(row) = rows.next()? {
        // A name that is no text belongs to no table.
        names.extend(row.get::<_, String>(0).ok().map(|name| folded(&name)));
    }
    Ok(names)
}

/// SQLite takes every case of the letters of ASCII for the same.
fn folded(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// The first word of how an action is written.
fn kind(action: &AuthAction<'_>) -> String {
    format!("{action:?}").chars().take_while(|c| c.is_alphanumeric()).collect()
}
