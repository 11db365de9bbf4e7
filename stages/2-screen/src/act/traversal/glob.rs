//! Patterns that a shell puts names in for.

/// `/e?c/sh?dow`, `/etc/pass*`: does the pattern cover a file of secrets?
pub(super) fn globs_to_secret(path: &str) -> bool {
    if !path.contains(['?', '*', '[']) || path.len() > 64 {
        return false;
    }
    let literal = path.bytes().filter(u8::is_ascii_alphabetic).count();
    ["etc/shadow", "etc/passwd", "proc/self/environ", "etc/sudoers"].iter().any(|file| {
        let (mut pattern, mut names) = (path.split('/'), file.split('/'));
        literal >= 2
            && pattern.clone().count() == names.clone().count()
            && pattern.all(|part| {
                names
                    .next()
                    .is_some_and(|name| glob(part.as_bytes(), name.as_bytes()) && part != "*" && part != "**")
            })
    })
}

/// Both are short: parts of a path.
pub(in crate::act) fn glob(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => {
            (0..=name.len()).any(|skip| glob(rest, name.get(skip..).unwrap_or_default()))
        }
        ([b'?', pattern @ ..], [_, name @ ..]) => glob(pattern, name),
        ([b'[', rest @ ..], [first, name @ ..]) => {
            let end = rest.iter().position(|&byte| byte == b']').unwrap_or(rest.len());
            let set = rest.get(..end).unwrap_or_default();
            set.contains(first) && glob(rest.get(end + 1..).unwrap_or_default(), name)
        }
        ([left, pattern @ ..], [right, name @ ..]) => left == right && glob(pattern, name),
        _ => false,
    }
}
