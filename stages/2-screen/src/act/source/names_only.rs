//! Names of the environment without their values.

/// `sorted(os.environ)`, `Object.keys(process.env)`, `for name in os.environ:`: names without values.
pub(super) fn is_names_only(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(text.floor_char_boundary(start.saturating_sub(48))..start).unwrap_or_default();
    let behind = text.get(end..text.floor_char_boundary(end.saturating_add(24))).unwrap_or_default();
    let read = text.get(start..end).unwrap_or_default();
    let python = read.ends_with("environ");
    let listed = ["sorted(", "list(", "set(", "len(", "tuple("].iter().any(|front| before.ends_with(front));
    let looped = before.trim_end().ends_with(" in") && behind.trim_start().starts_with([':', ']', ')']);
    let keys = ["Object.keys(", "array_keys(", "keys "].iter().any(|front| before.ends_with(front));
    let asked = [".keys()", ".keys\n"].iter().any(|call| behind.starts_with(call));
    let chosen = behind.starts_with(" if ") && gives_names(before);
    // `for (const name in process.env)`
    let by_key = looped && read == "process.env" && behind.starts_with(')');
    (python && ((listed && behind.starts_with(')')) || looped || chosen)) || by_key || keys || asked
}

/// `(name for name in`: nothing but the names goes on.
fn gives_names(before: &str) -> bool {
    let mut words = before.split_ascii_whitespace().rev();
    let (Some("in"), Some(name), Some("for"), Some(given)) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return false;
    };
    let given = given.rsplit(['(', '[', '{']).next().unwrap_or(given);
    given == name && !before.contains(',')
}
