//! The lines around certain words: all that an expression has to be tried on that matches nothing without one.
//!
//! Expressions that tell how programs speak are slow beside a search for words, and most lines of a long text have
//! none of these words.

use call::Span;
use regex::bytes::Regex;

/// Lines in front of a word and behind it that are taken with it, not counting empty ones: what belongs to a word may
/// stand on lines of its own.
const LINES: usize = 3;

/// The lines of `text` near the places that `words` match, in order and each once.
pub(super) fn near(text: &str, words: &Regex) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut all: Vec<Span> = Vec::new();
    let mut at = 0;
    while let Some(hit) = bytes.get(at..).and_then(|_| words.find_at(bytes, at)) {
        let end = line_behind(bytes, hit.end());
        match all.last_mut().filter(|last| hit.start() < last.end) {
            Some(last) => last.end = last.end.max(end),
            None => {
                let start = line_in_front(bytes, hit.start());
                match all.last_mut().filter(|last| start <= last.end) {
                    Some(last) => last.end = last.end.max(end),
                    None => all.push(Span::new(start, end)),
                }
            }
        }
        // Nothing more is learned from what stands on the same line.
        at = memchr::memchr(b'\n', bytes.get(hit.end()..).unwrap_or_default())
            .map_or(bytes.len(), |feed| hit.end() + feed + 1);
        if at >= bytes.len() {
            break;
        }
    }
    all
}

/// Where the first of the lines starts that belong to this place.
fn line_in_front(bytes: &[u8], place: usize) -> usize {
    let mut start = place;
    let mut left = LINES;
    loop {
        let front = bytes.get(..start).unwrap_or_default();
        let line = memchr::memrchr(b'\n', front).map_or(0, |feed| feed + 1);
        let written = bytes.get(line..place.min(start)).unwrap_or_default();
        if start == place || !written.trim_ascii().is_empty() {
            if left == 0 {
                return line;
            }
            left -= 1;
        }
        if line == 0 {
            return 0;
        }
        start = line - 1;
    }
}

/// Where the last of them ends.
fn line_behind(bytes: &[u8], place: usize) -> usize {
    let mut end = place;
    let mut left = LINES + 1;
    while left > 0 && end < bytes.len() {
        let rest = bytes.get(end..).unwrap_or_default();
        let line = memchr::memchr(b'\n', rest).map_or(rest.len(), |feed| feed + 1);
        let written = rest.get(..line).unwrap_or_default();
        if left > LINES || !written.trim_ascii().is_empty() {
            left -= 1;
        }
        end += line;
    }
    end
}

#[cfg(test)]
mod tests {
    use regex::bytes::Regex;

    use super::near;

    fn shown(text: &str) -> Vec<&str> {
        let words = Regex::new("env").unwrap();
        near(text, &words).into_iter().map(|span| span.of(text).unwrap()).collect()
    }

    #[test]
    fn lines_around_words_are_taken_and_no_others() {
        assert_eq!(shown("a\nb\n"), [] as [&str; 0]);
        assert_eq!(shown("env"), ["env"]);
        assert_eq!(
            shown("1\n2\n3\n4\n5 env x\n6\n7\n8\n9\n"),
            ["2\n3\n4\n5 env x\n6\n7\n8\n"],
            "three lines on either side"
        );
        assert_eq!(
            shown("1\n2\n\n \n\n3\n4\nenv\n\n\n5\n6\n\n7\n8"),
            ["2\n\n \n\n3\n4\nenv\n\n\n5\n6\n\n7\n"]
        );
        let far = "x\n".repeat(20);
        assert_eq!(shown(&format!("env\n{far}env")), ["env\nx\nx\nx\n", "x\nx\nx\nenv"]);
        assert_eq!(shown("env\nx\nx\nx\nx\nx\nenv env\n"), ["env\nx\nx\nx\nx\nx\nenv env\n"]);
    }

    #[test]
    fn a_text_of_many_lines_is_read_about_once() {
        let text = format!("{}env", "\n".repeat(300_000));
        assert_eq!(shown(&text).len(), 1);
        let text = "env\n\n\n\n".repeat(100_000);
        assert_eq!(shown(&text).len(), 1);
    }
}
