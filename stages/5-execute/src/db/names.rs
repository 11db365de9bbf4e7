//! Names of tables as policy and effects spell them: parts with dots between them, in quotes where a part is no
//! plain word.

/// The parts of a name, without quotes.
pub(super) fn parts(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut part, mut inside, mut closed) = (String::new(), false, false);
    for sign in name.chars() {
        match (sign, inside) {
            ('"', false) => {
                // Two quotes inside quotes are one.
                if closed {
                    part.push('"');
                }
                inside = true;
            }
            ('"', true) => (inside, closed) = (false, true),
            ('.', false) => {
                parts.push(std::mem::take(&mut part));
                closed = false;
            }
            (sign, _) => {
                part.push(sign);
                closed = false;
            }
        }
    }
    parts.push(part);
    parts
}

/// The one part that a name has in SQLite, folded as SQLite folds it: its file is called `main`, said or not.
pub(super) fn in_file(name: &str) -> String {
    let parts = parts(&name.to_lowercase());
    match parts.as_slice() {
        [schema, table] if schema == "main" => table.clone(),
        parts => parts.join("."),
    }
}

#[cfg(test)]
mod tests {
    use super::{in_file, parts};

    #[test]
    fn names_come_apart_at_dots_outside_quotes() {
        assert_eq!(parts("orders"), ["orders"]);
        assert_eq!(parts("shop.Orders"), ["shop", "Orders"]);
        assert_eq!(parts(r#"shop."a.b""#), ["shop", "a.b"]);
        assert_eq!(parts(r#""say ""hi""""#), [r#"say "hi""#]);
        assert_eq!(parts(r#""""a""#), [r#""a"#]);
        assert_eq!(parts(r#""a b".c"#), ["a b", "c"]);
        assert_eq!(parts(""), [""]);
    }

    #[test]
    fn the_file_of_sqlite_need_not_be_named() {
        assert_eq!(in_file("main.Orders"), "orders");
        assert_eq!(in_file(r#""My Orders""#), "my orders");
        assert_eq!(in_file("temp.orders"), "temp.orders");
    }
}
