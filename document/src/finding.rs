//! One thing that is wrong with a document.

use call::Span;

use crate::place::Place;
use crate::rules::Rule;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The document must not run.
    Error,
    /// Worth a look; the document may run.
    Warning,
}

/// One thing that is wrong with a document: which rule, where, and what to change.
///
/// The severity is the rule's own, so a finding cannot claim another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that the document does not keep.
    pub rule: &'static Rule,
    /// What is wrong, in one line, with the values in backticks.
    pub message: String,
    /// The one next thing to do, when there is one such thing.
    pub hint: Option<String>,
    /// Where it stands in the document, in bytes.
    pub span: Span,
    /// Where it stands, for people.
    pub place: Place,
}

impl Finding {
    /// Whether this finding alone keeps the document from running.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.rule.severity == Severity::Error
    }
}
