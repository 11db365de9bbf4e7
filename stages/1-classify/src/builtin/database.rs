//! Tools that ask and change databases.

use call::{Access, Effect, Query, Sha256};
use serde::Deserialize;
use serde_json::Value;

use super::{ToolEffects, check};
use crate::sql::{self, Dialect};
use crate::{Catalogue, exact};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given<'a> {
    database: &'a str,
    sql: &'a str,
    #[serde(default)]
    params: Value,
}

pub(super) fn query_db(arguments: &Value, catalogue: &Catalogue) -> ToolEffects {
    effects(arguments, catalogue, Access::Read)
}

pub(super) fn execute_db(arguments: &Value, catalogue: &Catalogue) -> ToolEffects {
    effects(arguments, catalogue, Access::Write)
}

fn effects(arguments: &Value, catalogue: &Catalogue, wanted: Access) -> ToolEffects {
    let given: Given<'_> = check::take(arguments)?;
    let dialect = catalogue.dialect(given.database);
    let found = of(given.database, given.sql, dialect, exact::digest(&given.params));
    let fits =
        found.iter().any(|effect| matches!(effect, Effect::Query(query) if query.access == Access::Write))
            == (wanted == Access::Write);
    if fits || found.iter().any(|effect| matches!(effect, Effect::Unknown { .. })) {
        return Ok(found);
    }
    let why = match wanted {
        Access::Read => "`query_db` only looks, and this statement changes something; use `execute_db`",
        Access::Write => "`execute_db` changes something, and this statement only looks; use `query_db`",
    };
    Ok(vec![Effect::Unknown { why: why.to_owned() }])
}

/// What a statement would do to a database: one effect, and for a changing statement that also
/// looks at tables one more.
pub(crate) fn of(
    database: &str,
    statement: &str,
    dialect: Dialect,
    parameters: Sha256,
) -> Vec<Effect<String>> {
    let understood = match sql::read(statement, dialect) {
        Ok(understood) => understood,
        Err(error) => return vec![Effect::Unknown { why: error.to_string() }],
    };
    let query = |access, tables: std::collections::BTreeSet<String>| {
        Effect::Query(Query {
            database: database.to_owned(),
            access,
            tables: tables.into_iter().collect(),
            sql: statement.to_owned(),
            parameters,
        })
    };
    match understood.access {
        Access::Read => vec![query(Access::Read, understood.read)],
        Access::Write if understood.read.is_empty() => vec![query(Access::Write, understood.written)],
        Access::Write => vec![query(Access::Write, understood.written), query(Access::Read, understood.read)],
    }
}
