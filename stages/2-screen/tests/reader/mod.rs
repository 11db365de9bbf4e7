//! Reads the case files: `kind :: text` or just `text`, one to a line.
//!
//! `\u{…}`, `\n`, `\r` and `\\` are read as escapes. A tilde is dropped: it cuts made-up credentials
//! in two, so that scanners of repositories leave them alone. `~~~` stays, it is a fence.

/// The cases of a file: what is wanted, and the text.
pub(crate) fn cases(file: &str) -> Vec<(Option<&str>, String)> {
    let lines = file.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("# "));
    lines
        .map(|line| match line.split_once(" :: ") {
            Some((kind, text)) => (Some(kind), unescaped(text)),
            None => (None, unescaped(line)),
        })
        .collect()
}

fn unescaped(text: &str) -> String {
    let text = text.replace("~~~", "\u{1}").replace('~', "").replace('\u{1}', "~~~");
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some('u') => {
                let digits: String = rest.by_ref().skip(1).take_while(|&digit| digit != '}').collect();
                plain.push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap());
            }
            other => plain.extend(other),
        }
    }
    plain
}
