//! What is wrong with the files of a policy.

use call::{Rule, Severity, Span};

/// One thing that is wrong with one file of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyFinding {
    /// The rule that is not kept.
    pub rule: &'static Rule,
    /// The file, by its name below the home.
    pub file: String,
    /// Where in the file.
    pub span: Span,
    /// What is wrong, in one line.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl PolicyFinding {
    /// Whether the file cannot be used as it is.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.rule.severity == Severity::Error
    }
}

/// Findings about one file while it is being read.
#[derive(Debug)]
pub(crate) struct Notes<'f> {
    file: &'f str,
    list: &'f mut Vec<PolicyFinding>,
    errors: bool,
}

impl<'f> Notes<'f> {
    pub(crate) fn on(file: &'f str, list: &'f mut Vec<PolicyFinding>) -> Self {
        Self { file, list, errors: false }
    }

    /// Notes that `rule` is not kept at `span`.
    pub(crate) fn add(&mut self, rule: &'static Rule, span: Span, message: impl Into<String>, hint: &str) {
        self.errors |= rule.severity == Severity::Error;
        let hint = Some(hint.to_owned()).filter(|hint| !hint.is_empty());
        self.list.push(PolicyFinding {
            rule,
            file: self.file.to_owned(),
            span,
            message: message.into(),
            hint,
        });
    }

    /// Whether anything noted so far is an error.
    pub(crate) const fn any_error(&self) -> bool {
        self.errors
    }
}
