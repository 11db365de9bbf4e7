//! Credentials in a text: lines `NAME=value`, or all of it.

use secrecy::zeroize::Zeroizing;

/// The value of the line that assigns `name`; all of the text where it has no such lines at all, as a file
/// with one token or one key has none. The end of the last line is no part of it.
///
/// A text that has lines, and none with this name, gives nothing: a slip in a name must not send every other
/// credential of a file.
pub(super) fn named(content: &[u8], name: &str) -> Option<Zeroizing<Vec<u8>>> {
    let mut plain = true;
    for (own, value) in assignments(content) {
        plain = false;
        if own == name.as_bytes() {
            return Some(Zeroizing::new(value.to_vec()));
        }
    }
    let whole = content.strip_suffix(b"\n").unwrap_or(content);
    let whole = whole.strip_suffix(b"\r").unwrap_or(whole);
    (plain && !whole.is_empty()).then(|| Zeroizing::new(whole.to_vec()))
}

/// The lines `NAME=value`, with or without `export` and quotes. Padding at the end of base64 is none.
fn assignments(content: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let lines = content.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.starts_with(b"#")).filter_map(|line| {
        let line = line.strip_prefix(b"export ").unwrap_or(line).trim_ascii_start();
        let at = line.iter().position(|&byte| byte == b'=')?;
        let (name, value) = line.split_at_checked(at)?;
        let is_name =
            !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let value = value.get(1..)?.trim_ascii();
        let padding = value.is_empty() || value == b"=";
        let quoted =
            [b'"', b'\''].into_iter().find_map(|quote| value.strip_prefix(&[quote])?.strip_suffix(&[quote]));
        (is_name && !padding).then(|| (name, quoted.unwrap_or(value)))
    })
}

#[cfg(test)]
mod tests {
    use super::named;

    fn text(content: &str, name: &str) -> Option<String> {
        named(content.as_bytes(), name).map(|value| String::from_utf8(value.to_vec()).unwrap())
    }

    #[test]
    fn a_name_gives_its_own_line_and_never_another() {
        let content = "# A=commented\nexport A=one two\nB='three'\r\nC=\"x=y\"\n";
        for (name, want) in [("A", Some("one two")), ("B", Some("three")), ("C", Some("x=y")), ("D", None)] {
            assert_eq!(text(content, name).as_deref(), want, "{name}");
        }
    }

    #[test]
    fn a_file_without_names_is_one_credential() {
        let key = "-----BEGIN PRIVATE KEY-----\nMIIB/w==\nQw==\n-----END PRIVATE KEY-----\n";
        assert_eq!(text(key, "deploy").as_deref(), key.strip_suffix('\n'));
        assert_eq!(text("token-of-somebody\r\n", "any").as_deref(), Some("token-of-somebody"));
        assert_eq!(text("\n", "any"), None);
    }
}
