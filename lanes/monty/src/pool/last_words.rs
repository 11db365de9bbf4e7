//! What a worker says on its standard error while it starts.
//!
//! It is kept to tell why a start failed, and for nothing else: a worker that is ready writes to nobody.

use std::io::Read;
use std::process::ChildStderr;

/// What is read at most, and what is told of it: the end, where a panic says its reason.
const MOST_READ: u64 = 64 * 1024;
const MOST_TOLD: usize = 600;

/// The end of what a worker said so far, as one line without control characters; nothing when it said
/// nothing. Never waits.
pub(super) fn heard(from: ChildStderr) -> Option<String> {
    // Somebody else may have the other end too, so the end of what was said need not be the end of it.
    rustix::io::ioctl_fionbio(&from, true).ok()?;
    let mut said = Vec::new();
    // What came before an error counts.
    let _ = from.take(MOST_READ).read_to_end(&mut said);
    told(&String::from_utf8_lossy(&said))
}

fn told(said: &str) -> Option<String> {
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    // The runtime's advice is for whoever starts a program by hand.
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("note: ")).collect();
    let text: String =
        lines.join(" | ").chars().map(|one| if one.is_control() { '?' } else { one }).collect();
    if text.len() <= MOST_TOLD {
        return (!text.is_empty()).then_some(text);
    }
    let start = text.ceil_char_boundary(text.len() - MOST_TOLD);
    Some(format!("...{}", text.get(start..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::{MOST_TOLD, told};

    #[test]
    fn it_is_one_line_that_ends_where_it_ended_and_draws_nothing() {
        let cases = [
            ("", None),
            (" \n\n", None),
            ("killed", Some("killed")),
            (
                "\nthread 'main' panicked at src/a.rs:1:2:\nno luck\nnote: run with `RUST_BACKTRACE=1`\n",
                Some("thread 'main' panicked at src/a.rs:1:2: | no luck"),
            ),
            ("\u{1b}[2Ja\rb", Some("?[2Ja?b")),
        ];
        for (said, want) in cases {
            assert_eq!(told(said).as_deref(), want, "{said:?}");
        }
        let long = told(&format!("{}the end", "\u{fc}".repeat(MOST_TOLD))).unwrap();
        assert!(long.starts_with("...") && long.ends_with("the end"), "{long}");
        assert!(long.len() <= MOST_TOLD + 3);
    }
}
