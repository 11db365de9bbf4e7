//! What is wrong with a mapping.

use call::Span;

/// One thing that is wrong with the text of a mapping.
///
/// A mapping is taken whole or not at all, so none of these is met while a call is waiting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MappingError {
    /// Where it stands in the text.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to write instead, when there is one such thing.
    pub hint: Option<String>,
}

impl MappingError {
    pub(super) fn new(span: Option<std::ops::Range<usize>>, message: impl Into<String>) -> Self {
        let span = span.map_or_else(|| Span::at(0), |range| Span::new(range.start, range.end));
        Self { span, message: message.into(), hint: None }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}
