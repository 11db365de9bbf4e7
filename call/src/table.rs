//! The name of a table as one text, in the spelling that effects and policy share.
//!
//! Parts with dots between them: a schema, where there is one, and the table. A part that is no plain word
//! stands in quotes, so that the table `a.b` is not taken for the table `b` of the schema `a`. Nothing is
//! folded here: whose database it is says which case counts.

/// The parts as one text.
///
/// ```
/// use call::{table_name, table_parts};
///
/// assert_eq!(table_name(&["shop", "order log"]), r#"shop."order log""#);
/// assert_eq!(table_parts(r#"shop."order log""#).unwrap(), ["shop", "order log"]);
/// assert_eq!(table_parts(r#"shop."order log"#), None);
/// ```
#[must_use]
pub fn table_name<T: AsRef<str>>(parts: &[T]) -> String {
    let plain =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
    let spelled = parts
        .iter()
        .map(AsRef::as_ref)
        .map(|part| if plain(part) { part.to_owned() } else { format!("\"{}\"", part.replace('"', "\"\"")) });
    spelled.collect::<Vec<_>>().join(".")
}

/// The parts of such a text, without quotes. Nothing where a quote stands inside a word, or does not end.
/// Without quotes a part may hold anything but a dot.
#[must_use]
pub fn table_parts(name: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut rest = name;
    loop {
        let (part, behind) = match rest.strip_prefix('"') {
            Some(quoted) => in_quotes(quoted)?,
            None => {
                let (part, behind) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
                if part.contains('"') {
                    return None;
                }
                (part.to_owned(), behind)
            }
        };
        parts.push(part);
        if behind.is_empty() {
            return Some(parts);
        }
        rest = behind.strip_prefix('.')?;
    }
}

/// What stands before the quote that ends it, and what stands behind. Two quotes are one.
fn in_quotes(mut rest: &str) -> Option<(String, &str)> {
    let mut part = String::new();
    loop {
        let (before, behind) = rest.split_once('"')?;
        part.push_str(before);
        match behind.strip_prefix('"') {
            Some(more) => {
                part.push('"');
                rest = more;
            }
            None => return Some((part, behind)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{table_name, table_parts};

    #[test]
    fn names_come_apart_at_dots_outside_quotes_and_together_again() {
        let cases: [(&str, &[&str]); 8] = [
            ("orders", &["orders"]),
            ("shop.Orders", &["shop", "Orders"]),
            (r#"shop."a.b""#, &["shop", "a.b"]),
            (r#""say ""hi""""#, &[r#"say "hi""#]),
            (r#""""a""#, &[r#""a"#]),
            (r#""a b".c"#, &["a b", "c"]),
            (r#""""#, &[""]),
            ("größe", &["größe"]),
        ];
        for (name, parts) in cases {
            assert_eq!(table_parts(name).unwrap(), parts, "{name}");
            assert_eq!(table_name(parts), name);
        }
        assert_eq!(table_parts("order log").unwrap(), ["order log"]);
        assert_eq!(table_parts("").unwrap(), [""]);
    }

    #[test]
    fn what_is_quoted_by_halves_is_no_name() {
        for name in [r#"""#, r#""a"#, r#"a"b"#, r#"a"b""#, r#""a"b"#, r#"a."b"#, r#""a".b""#] {
            assert_eq!(table_parts(name), None, "{name}");
        }
    }
}
