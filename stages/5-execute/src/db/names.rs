//! Names of tables as effects spell them, taken apart.

use call::table_parts;

/// The parts of a name, without quotes. One that is quoted by halves is a name as it stands, and nothing's.
pub(super) fn parts(name: &str) -> Vec<String> {
    table_parts(name).unwrap_or_else(|| vec![name.to_owned()])
}

/// The one part that a name has in SQLite, folded as SQLite folds it: its file is called `main`, said or not.
pub(super) fn in_file(name: &str) -> String {
    let parts = parts(&name.to_ascii_lowercase());
    match parts.as_slice() {
        [schema, table] if schema == "main" => table.clone(),
        parts => parts.join("."),
    }
}

#[cfg(test)]
mod tests {
    use super::in_file;

    #[test]
    fn the_file_of_sqlite_need_not_be_named() {
        assert_eq!(in_file("main.Orders"), "orders");
        assert_eq!(in_file(r#""My Orders""#), "my orders");
        assert_eq!(in_file("temp.orders"), "temp.orders");
        assert_eq!(in_file(r#""a.b""#), "a.b");
        assert_eq!(in_file("Ärger"), "Ärger");
    }
}
