//! Names of tables and functions, in the one spelling that a database gives them.

use sqlparser::ast::{Ident, ObjectName};

use super::{Flavour, NotUnderstood};

/// The parts of a name, folded as the database folds them: PostgreSQL keeps what stands in quotes
/// and lowers the rest, SQLite takes every case for the same.
pub(super) fn parts(name: &ObjectName, flavour: Flavour) -> Result<Vec<String>, NotUnderstood> {
    let idents: Option<Vec<&Ident>> = name.0.iter().map(|part| part.as_ident()).collect();
    let idents = idents.filter(|idents| !idents.is_empty());
    let idents =
        idents.ok_or_else(|| NotUnderstood::new("a name that is computed", "write the name itself"))?;
    let is_only = |ident: &&&Ident| ident.quote_style.is_none() && ident.value.eq_ignore_ascii_case("only");
    if flavour == Flavour::PostgreSql && idents.first().filter(is_only).is_some() {
        // A word that cannot be a name there, so the name is another one.
        return Err(NotUnderstood::new("ONLY where no table follows", "write the table without ONLY"));
    }
    Ok(idents.into_iter().map(|ident| folded(ident, flavour)).collect())
}

/// The parts of a table's name that tell it apart: SQLite calls the file itself `main`, said or not.
pub(super) fn telling(parts: &[String], flavour: Flavour) -> &[String] {
    match (flavour, parts) {
        (Flavour::Sqlite, [schema, table @ ..]) if schema == "main" && !table.is_empty() => table,
        (Flavour::Sqlite | Flavour::PostgreSql, _) => parts,
    }
}

/// One part of a name. Both databases fold the letters of ASCII and keep the others apart by case.
pub(super) fn folded(ident: &Ident, flavour: Flavour) -> String {
    match (flavour, ident.quote_style) {
        (Flavour::PostgreSql, Some(_)) => ident.value.clone(),
        (Flavour::PostgreSql, None) | (Flavour::Sqlite, _) => ident.value.to_ascii_lowercase(),
    }
}
