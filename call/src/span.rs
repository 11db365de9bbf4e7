//! A place in a text, as byte offsets.

/// Where something stands in a text: bytes `start` up to, and not including, `end`.
///
/// Always in the text as it arrived, never in a normalised copy of it, so that a caret drawn from
/// a span points at what its author wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset just behind the last byte; never below `start`.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` to `end`; an end before the start gives an empty span at `start`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// An empty span: a place between two characters.
    #[must_use]
    pub const fn at(offset: usize) -> Self {
        Self { start: offset, end: offset }
    }

    /// The same span in a text that has `offset` more bytes in front.
    #[must_use]
    pub const fn shifted(self, offset: usize) -> Self {
        Self { start: self.start + offset, end: self.end + offset }
    }

    /// The text at this span, or nothing when it does not lie on character boundaries of `text`.
    #[must_use]
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }
}
