//! The name of a table as somebody writes it into policy, brought to the spelling of effects.
//!
//! A table is written by its name: `order log`, `a.b`. Quotes are needed where a name without them would be
//! another one, and may stand where they are not. Each entry means one table and no other, whatever quotes a
//! statement has.

use call::{table_name, table_parts};

/// An entry about an SQLite file. Only `main` is a schema there, so any other dot belongs to the name; every
/// case of the letters of ASCII is the same.
pub(crate) fn in_file(written: &str) -> String {
    let parts = table_parts(written).filter(|_| written.contains('"'));
    let parts = parts.unwrap_or_else(|| match written.split_once('.') {
        Some((schema, table)) if schema.eq_ignore_ascii_case("main") && !table.is_empty() => {
            vec![table.to_owned()]
        }
        Some(_) | None => vec![written.to_owned()],
    });
    let folded: Vec<String> = parts.iter().map(|part| part.to_ascii_lowercase()).collect();
    match folded.as_slice() {
        [schema, table @ ..] if schema == "main" && !table.is_empty() => table_name(table),
        parts => table_name(parts),
    }
}

/// An entry about PostgreSQL: a dot stands between a schema and its table, and the case is that of the table.
pub(crate) fn on_server(written: &str) -> String {
    table_name(&table_parts(written).unwrap_or_else(|| vec![written.to_owned()]))
}

#[cfg(test)]
mod tests {
    use super::{in_file, on_server};

    #[test]
    fn an_entry_means_the_table_of_that_name() {
        // As it is written, and what it means in SQLite and in PostgreSQL.
        let cases = [
            ("orders", "orders", "orders"),
            ("Orders", "orders", "Orders"),
            ("order log", r#""order log""#, r#""order log""#),
            (r#""order log""#, r#""order log""#, r#""order log""#),
            ("order-log", r#""order-log""#, r#""order-log""#),
            ("a.b", r#""a.b""#, "a.b"),
            (r#""a.b""#, r#""a.b""#, r#""a.b""#),
            (r#""a"."b""#, "a.b", "a.b"),
            ("main.t", "t", "main.t"),
            ("MAIN.T u", r#""t u""#, r#"MAIN."T u""#),
            (r#"main."a.b""#, r#""a.b""#, r#"main."a.b""#),
            ("main.a.b", r#""a.b""#, "main.a.b"),
            ("main", "main", "main"),
            ("main.", r#""main.""#, r#"main."""#),
            ("shop.order log", r#""shop.order log""#, r#"shop."order log""#),
            ("[order log]", r#""[order log]""#, r#""[order log]""#),
            (r#"say "hi""#, r#""say ""hi""""#, r#""say ""hi""""#),
            (r#""say ""hi""""#, r#""say ""hi""""#, r#""say ""hi""""#),
            (r#""open"#, r#""""open""#, r#""""open""#),
            ("Ärger", "Ärger", "Ärger"),
            ("", r#""""#, r#""""#),
        ];
        for (written, file, server) in cases {
            assert_eq!(in_file(written), file, "{written} in SQLite");
            assert_eq!(on_server(written), server, "{written} in PostgreSQL");
        }
    }
}
