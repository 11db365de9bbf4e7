//! A program in which strings that are put together by a sign are one: `'env' + 'iron'`.

use std::sync::OnceLock;

use call::Span;
use regex::bytes::Regex;

use super::compiled;

/// A program with its strings put together, and where everything in it stood.
pub(super) struct Joined {
    pub(super) text: String,
    // Places in it, each with how much was left out in front of it.
    seams: Vec<(usize, usize)>,
}

impl Joined {
    /// Nothing when no strings are put together.
    pub(super) fn of(text: &str) -> Option<Self> {
        static BETWEEN: OnceLock<Option<Regex>> = OnceLock::new();
        memchr::memchr(b'+', text.as_bytes())?;
        let between = compiled(&BETWEEN, r#"'[ \t]*\+[ \t]*'|"[ \t]*\+[ \t]*""#)?;
        let (mut joined, mut seams, mut end) = (String::with_capacity(text.len()), Vec::new(), 0);
        for seam in between.find_iter(text.as_bytes()) {
            joined.push_str(text.get(end..seam.start())?);
            seams.push((joined.len(), seam.end() - joined.len()));
            end = seam.end();
        }
        joined.push_str(text.get(end..)?);
        (!seams.is_empty()).then_some(Self { text: joined, seams })
    }

    /// Where it stands in the program as it is written.
    pub(super) fn source(&self, span: Span) -> Span {
        let moved = |place: usize| {
            let before = self.seams.partition_point(|(seam, _)| *seam <= place);
            let left_out = before.checked_sub(1).and_then(|last| self.seams.get(last));
            place + left_out.map_or(0, |(_, left_out)| *left_out)
        };
        Span::new(moved(span.start), moved(span.end))
    }
}

#[cfg(test)]
mod tests {
    use super::Joined;
    use call::Span;

    #[test]
    fn strings_are_put_together_and_found_again() {
        let text = "a('en' + 'v' + 'iron'); b";
        let joined = Joined::of(text).unwrap();
        assert_eq!(joined.text, "a('environ'); b");
        let place = joined.text.find('b').unwrap();
        assert_eq!(joined.source(Span::new(place, place + 1)).of(text), Some("b"));
        assert!(Joined::of("a + 'b'").is_none());
        assert!(Joined::of("'a' + \"b\"").is_none());
    }
}
