//! One thing that is wrong with a text from outside.

use crate::{Place, Rule, Severity, Span};

/// One thing that is wrong with a document or a file of a policy: which rule, where, and what to change.
///
/// The severity is the rule's own, so a finding cannot claim another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that is not kept.
    pub rule: &'static Rule,
    /// What is wrong, in one line, with the values in backticks.
    pub message: String,
    /// The one next thing to do, when there is one such thing.
    pub hint: Option<String>,
    /// Where it stands, in bytes.
    pub span: Span,
    /// Where it stands, for people.
    pub place: Place,
}

impl Finding {
    /// Whether this finding alone keeps what was checked from being used.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.rule.severity == Severity::Error
    }
}
