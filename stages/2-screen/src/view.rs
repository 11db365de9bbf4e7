//! A text as somebody else would read it, with the way back.
//!
//! Whatever is found in a view is reported in the text as it arrived. So a view is a transformed
//! text plus a list of pieces that say which bytes of the source each part was made from.

use std::borrow::Cow;

use call::Span;

/// A transformed text and where its parts came from.
#[derive(Debug)]
pub(crate) struct View<'t> {
    text: Cow<'t, str>,
    // Ordered by `at`, without gaps. Empty when the text is the source, unchanged.
    pieces: Vec<Piece>,
}

/// A stretch of a view that came from one stretch of its source.
#[derive(Debug)]
struct Piece {
    at: usize,
    from: usize,
    to: usize,
    // Byte for byte, so that places inside it can be told apart. Otherwise the piece is one thing.
    same_length: bool,
}

impl<'t> View<'t> {
    /// The source itself.
    pub(crate) const fn unchanged(text: &'t str) -> Self {
        Self { text: Cow::Borrowed(text), pieces: Vec::new() }
    }

    /// A view to be filled from left to right.
    pub(crate) fn with_capacity(bytes: usize) -> View<'static> {
        View { text: Cow::Owned(String::with_capacity(bytes)), pieces: Vec::new() }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The part of the source that these bytes of the view came from.
    pub(crate) fn source(&self, span: Span) -> Span {
        if self.pieces.is_empty() {
            return span;
        }
        let start = self.piece(span.start).map_or(0, |piece| {
            if piece.same_length { piece.from + (span.start - piece.at) } else { piece.from }
        });
        if span.end <= span.start {
            return Span::at(start);
        }
        let end = self.piece(span.end - 1).map_or(start, |piece| {
            if piece.same_length { piece.from + (span.end - piece.at) } else { piece.to }
        });
        Span::new(start, end)
    }

    fn piece(&self, place: usize) -> Option<&Piece> {
        let behind = self.pieces.partition_point(|piece| piece.at <= place);
        self.pieces.get(behind.checked_sub(1)?)
    }
}

impl View<'static> {
    /// Adds `text`, which stands for the bytes `from` to `to` of the source.
    pub(crate) fn push(&mut self, text: &str, from: usize, to: usize) {
        let same_length = text.len() == to - from;
        let at = self.text.len();
        match self.pieces.last_mut() {
            Some(last) if same_length && last.same_length && last.to == from => last.to = to,
            _ => self.pieces.push(Piece { at, from, to, same_length }),
        }
        self.text.to_mut().push_str(text);
    }
}

/// A view of nothing but ASCII letters, to be filled from left to right. Quicker than a string.
#[derive(Debug, Default)]
pub(crate) struct Letters {
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
}

impl Letters {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), pieces: Vec::with_capacity(bytes / 5) }
    }

    /// Adds a run of ASCII characters, each changed into another one by `change`.
    pub(crate) fn push_changed(&mut self, run: &[u8], from: usize, change: impl Fn(u8) -> u8) {
        let at = self.bytes.len();
        self.pieces.push(Piece { at, from, to: from + run.len(), same_length: true });
        self.bytes.extend(run.iter().map(|&byte| change(byte)));
    }

    /// Adds `letters`, which stand for the bytes `from` to `to` of the source.
    pub(crate) fn push(&mut self, letters: &str, from: usize, to: usize) {
        self.pieces.push(Piece { at: self.bytes.len(), from, to, same_length: false });
        self.bytes.extend_from_slice(letters.as_bytes());
    }

    pub(crate) fn finish(self) -> View<'static> {
        // What is not text cannot be read either; it never is, since only letters were added.
        View { text: Cow::Owned(String::from_utf8(self.bytes).unwrap_or_default()), pieces: self.pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::View;
    use call::Span;

    #[test]
    fn every_place_in_a_view_leads_back_to_its_source() {
        // `a&amp;b` read as `a&b`, then `ﬁ` read as `fi`.
        let mut view = View::with_capacity(0);
        view.push("a", 0, 1);
        view.push("&", 1, 6);
        view.push("b", 6, 7);
        view.push("fi", 7, 10);
        let cases = [
            // bytes of the view -> bytes of the source
            (0, 1, 0, 1),
            (1, 2, 1, 6),
            (0, 3, 0, 7),
            (2, 3, 6, 7),
            (3, 4, 7, 10),
            (4, 5, 7, 10),
            (2, 5, 6, 10),
            (1, 1, 1, 1),
        ];
        for (start, end, from, to) in cases {
            assert_eq!(view.source(Span::new(start, end)), Span::new(from, to), "{start}..{end}");
        }
    }
}
