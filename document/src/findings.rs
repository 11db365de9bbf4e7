//! Findings while they are being collected.

use std::collections::HashMap;

use call::{Finding, Places, Rule, Span};

/// Collects what is wrong with a document, in any order.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<(Span, &'static Rule, String, Option<String>)>,
    /// How many findings each rule has.
    counts: HashMap<&'static str, usize>,
}

/// Of one rule, no more findings than this are kept: a hostile document could break the same rule
/// on each of its lines, and nobody reads the thousandth.
const MOST_OF_ONE_RULE: usize = 1000;

impl Findings {
    /// Notes that `rule` is not kept at `span`.
    pub(crate) fn add(&mut self, rule: &'static Rule, span: Span, message: impl Into<String>) {
        self.push(rule, span, message.into(), None);
    }

    /// The same, with the one next thing to do.
    pub(crate) fn advise(
        &mut self,
        rule: &'static Rule,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.push(rule, span, message.into(), Some(hint.into()));
    }

    /// Whether anything found so far keeps the document from running.
    pub(crate) fn any_error(&self) -> bool {
        self.list.iter().any(|(_, rule, _, _)| rule.severity == call::Severity::Error)
    }

    /// All findings in the order of the document; those at one place stay in the order of their codes.
    pub(crate) fn in_order(mut self, text: &str) -> Vec<Finding> {
        if self.list.is_empty() {
            return Vec::new();
        }
        self.list.sort_by_key(|(span, rule, _, _)| (span.start, rule.code));
        let mut places = Places::of(text);
        let list = self.list.into_iter();
        list.map(|(span, rule, message, hint)| {
            let place = places.place(span.start);
            Finding { rule, message, hint, span, place }
        })
        .collect()
    }

    fn push(&mut self, rule: &'static Rule, span: Span, message: String, hint: Option<String>) {
        let count = self.counts.entry(rule.code).or_default();
        *count += 1;
        if *count <= MOST_OF_ONE_RULE {
            self.list.push((span, rule, message, hint));
        }
    }
}
