//! The text without HTML comments and tags and the targets of links, with all they hold: what a
//! browser shows of it.

use call::Span;

/// What is left of `text` without markup, or nothing when there is none.
pub(crate) fn bare(text: &str) -> Option<Vec<Span>> {
    let bytes = text.as_bytes();
    let mut skipper = Skipper::default();
    let mut left = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'<', b']', rest)) {
        let mark = at + found;
        at = mark + 1;
        if let Some(behind) = skipper.skip(text, mark) {
            left.push(Span::new(from, mark));
            (from, at) = (behind, behind);
        }
    }
    if left.is_empty() {
        return None;
    }
    left.push(Span::new(from, text.len()));
    Some(left)
}

const fn opens_markup(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'/' || byte == b'!'
}

/// Finds the ends of tags and comments. Remembers the last one found, so that a text of nothing
/// but `<` is not searched to its end again for each of them.
#[derive(Debug, Default)]
struct Skipper {
    tag_end: usize,
    comment_end: usize,
    link_end: usize,
}

impl Skipper {
    fn skip(&mut self, text: &str, at: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        if rest.starts_with("<!--") {
            if self.comment_end <= at {
                self.comment_end = rest.find("-->").map_or(usize::MAX, |end| at + end + 3);
            }
            return (self.comment_end != usize::MAX).then_some(self.comment_end);
        }
        if rest.starts_with("](") {
            if self.link_end <= at {
                self.link_end = find(rest, b')').map_or(usize::MAX, |end| at + end + 1);
            }
            return (self.link_end != usize::MAX && self.link_end - at < LONGEST_TAG)
                .then_some(self.link_end);
        }
        if !rest.starts_with('<') || !rest.as_bytes().get(1).is_some_and(|&byte| opens_markup(byte)) {
            return None;
        }
        if self.tag_end <= at {
            self.tag_end = find(rest, b'>').map_or(usize::MAX, |end| at + end + 1);
        }
        (self.tag_end != usize::MAX && self.tag_end - at < LONGEST_TAG).then_some(self.tag_end)
    }
}

/// Where `sign` stands in `text`. As its own method, but quicker.
fn find(text: &str, sign: u8) -> Option<usize> {
    memchr::memchr(sign, text.as_bytes())
}

const LONGEST_TAG: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::bare;
    use crate::view::View;

    #[test]
    fn a_browser_shows_this() {
        let cases = [
            // written, shown
            ("ig<!-- x > y -->no<b class='q'>r</b>e < x", Some("ignore < x")),
            ("[ig](http://x)nore", Some("[ignore")),
            ("<p>", Some("")),
            ("a < b, c] (d), <e", None),
        ];
        for (written, shown) in cases {
            let view = bare(written).map(|left| View::of_parts(written, &left));
            assert_eq!(view.as_ref().map(View::text), shown, "{written}");
        }
    }
}
