//! Which tables a change wrote to, as the server knows it.
//!
//! Whoever writes to a table holds a lock on it until the transaction ends, be it the statement, a trigger, a rule
//! or a foreign key that cascades. So before anything is final the server is asked what is locked.

use std::collections::BTreeSet;

use call::Fault;

use super::{Patience, Session};
use crate::db::names::parts;
use crate::db::{not_decided, table_refused};

/// Tables that are held for writing and neither listed themselves nor part of a listed one.
const ASTRAY: &str = "
    WITH RECURSIVE listed AS (
        SELECT pg_catalog.to_regclass(name)::pg_catalog.oid AS table_id FROM pg_catalog.unnest($1::text[]) AS name
    ), held AS (
        SELECT DISTINCT relation AS table_id FROM pg_catalog.pg_locks
        JOIN pg_catalog.pg_class ON pg_class.oid = relation
        WHERE pid = pg_catalog.pg_backend_pid() AND locktype = 'relation' AND relkind IN ('r', 'p', 'f', 'm')
          AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
          AND mode NOT IN ('AccessShareLock', 'RowShareLock')
    ), above AS (
        SELECT table_id AS part, table_id FROM held
        UNION
        SELECT part, inhparent FROM above JOIN pg_catalog.pg_inherits ON inhrelid = table_id
    )
    SELECT part::pg_catalog.regclass::text FROM above LEFT JOIN listed USING (table_id)
    GROUP BY part HAVING count(listed.table_id) = 0 ORDER BY 1 LIMIT 1";

/// # Errors
/// When something else was written to. The transaction is still open, and ends with the connection.
pub(super) async fn check(
    session: &Session,
    tables: &BTreeSet<&str>,
    patience: &Patience<'_>,
) -> Result<(), Fault> {
    let names: Vec<String> = tables.iter().map(|table| quoted(table)).collect();
    // Arrays of texts need a feature of the driver that brings more along; a text that is an array does not.
    let array = format!("{{{}}}", names.iter().map(|name| element(name)).collect::<Vec<_>>().join(","));
    let sql = ASTRAY.replace("$1::text[]", "$1::text::text[]");
    let told = |error: tokio_postgres::Error| session.fault(&error, patience);
    let mark = "SELECT pg_catalog.current_setting('toolgate.transaction', true) = 'same'";
    let row = session.client.query_one(mark, &[]).await.map_err(told)?;
    if row.try_get::<_, Option<bool>>(0).map_err(told)? != Some(true) {
        return Err(not_decided("the statement ends the transaction"));
    }
    match session.client.query_opt(&sql, &[&array]).await.map_err(told)? {
        None => Ok(()),
        Some(row) => Err(table_refused(&row.try_get::<_, String>(0).map_err(told)?)),
    }
}

/// A name with every part in quotes, which keep the case that it has in policy and effects.
fn quoted(name: &str) -> String {
    let parts = parts(name).into_iter().map(|part| format!("\"{}\"", part.replace('"', "\"\"")));
    parts.collect::<Vec<_>>().join(".")
}

/// A text as an element of an array.
fn element(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_keep_their_parts_and_their_case() {
        assert_eq!(quoted("orders"), r#""orders""#);
        assert_eq!(quoted("shop.Orders"), r#""shop"."Orders""#);
        assert_eq!(quoted(r#"shop."a.b""#), r#""shop"."a.b""#);
        assert_eq!(quoted(r#""say ""hi""""#), r#""say ""hi""""#);
    }
}
