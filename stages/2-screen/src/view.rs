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
    // None when the text is the source, unchanged.
    pieces: Option<Pieces>,
    ordinary: bool,
}

/// Which stretches of a transformed text came from which stretches of its source.
#[derive(Debug, Default)]
pub(crate) struct Pieces(
    // Ordered by `at`, without gaps.
    Vec<Piece>,
);

/// A stretch of the source that a transformed text has unchanged: there from `from` on, here from
/// `at` on. What was found in it there need not be searched for again here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) from: usize,
    pub(crate) at: usize,
    pub(crate) length: usize,
}

/// A stretch of a transformed text that came from one stretch of its source.
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
        Self { text: Cow::Borrowed(text), pieces: None, ordinary: false }
    }

    /// The source itself, which has ordinary characters only: see [`crate::reading::ordinary`].
    pub(crate) const fn ordinary(text: &'t str) -> Self {
        Self { text: Cow::Borrowed(text), pieces: None, ordinary: true }
    }

    /// A view to be filled from left to right.
    pub(crate) fn with_capacity(bytes: usize) -> View<'static> {
        View {
            text: Cow::Owned(String::with_capacity(bytes)),
            pieces: Some(Pieces::default()),
            ordinary: false,
        }
    }

    /// These parts of `text`, one behind the other.
    pub(crate) fn of_parts(text: &str, parts: &[Span]) -> View<'static> {
        let mut view = View::with_capacity(parts.iter().map(|part| part.end - part.start).sum());
        for part in parts {
            view.push(part.of(text).unwrap_or_default(), part.start, part.end);
        }
        view
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Is it the source itself?
    pub(crate) const fn is_unchanged(&self) -> bool {
        self.pieces.is_none()
    }

    /// Is it known to have ordinary characters only?
    pub(crate) const fn is_ordinary(&self) -> bool {
        self.ordinary
    }

    /// The stretches of `source` that are long enough to be worth knowing, and the same here.
    pub(crate) fn kept(&self, source: &str) -> Vec<Kept> {
        const SHORTEST: usize = 256;
        let pieces = self.pieces.iter().flat_map(|pieces| &pieces.0);
        let long = pieces.filter(|piece| piece.same_length && piece.to - piece.from >= SHORTEST);
        let kept = long.map(|piece| Kept { from: piece.from, at: piece.at, length: piece.to - piece.from });
        let same = |kept: &Kept| {
            source.get(kept.from..kept.from + kept.length) == self.text.get(kept.at..kept.at + kept.length)
        };
        kept.filter(same).collect()
    }

    /// Where the byte stands that was made from this byte of the source.
    pub(crate) fn made_from(&self, source: usize) -> usize {
        self.pieces.as_ref().map_or(source, |pieces| pieces.made_from(source))
    }

    /// The part of the source that these bytes of the view came from.
    pub(crate) fn source(&self, span: Span) -> Span {
        self.pieces.as_ref().map_or(span, |pieces| pieces.source(span))
    }
}

impl View<'static> {
    /// Adds `text`, which stands for the bytes `from` to `to` of the source.
    pub(crate) fn push(&mut self, text: &str, from: usize, to: usize) {
        if let Some(pieces) = &mut self.pieces {
            pieces.push(self.text.len(), from, to, text.len() == to - from);
        }
        self.text.to_mut().push_str(text);
    }
}

impl Pieces {
    /// From `at` on, the text stands for the bytes `from` to `to` of the source.
    pub(crate) fn push(&mut self, at: usize, from: usize, to: usize, same_length: bool) {
        match self.0.last_mut() {
            Some(last) if same_length && last.same_length && last.to == from => last.to = to,
            _ => self.0.push(Piece { at, from, to, same_length }),
        }
    }

    /// The part of the source that these bytes came from.
    pub(crate) fn source(&self, span: Span) -> Span {
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

    /// Where the byte of the text stands that was made from the byte `source` of the source.
    pub(crate) fn made_from(&self, source: usize) -> usize {
        let behind = self.0.partition_point(|piece| piece.from <= source);
        let piece = behind.checked_sub(1).and_then(|last| self.0.get(last));
        piece.map_or(0, |piece| if piece.same_length { piece.at + (source - piece.from) } else { piece.at })
    }

    fn piece(&self, place: usize) -> Option<&Piece> {
        let behind = self.0.partition_point(|piece| piece.at <= place);
        self.0.get(behind.checked_sub(1)?)
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
