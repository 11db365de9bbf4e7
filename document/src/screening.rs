//! What a document carries that it should not: secrets, overrides, and in results what is made to be
//! run.
//!
//! The text is screened as it stands. What YAML or the quoting of a command puts together from
//! pieces is screened once more, because a reader of the raw text does not see it whole.

use std::borrow::Cow;

use call::{Contraband, Family, Span};

use crate::findings::Findings;
use crate::rules;
use crate::yaml::{Map, Node};

/// Screens the whole text.
pub(crate) fn whole(text: &str, is_result: bool, findings: &mut Findings) {
    let all = [Family::Secret, Family::Override, Family::Payload];
    let families = if is_result { all.as_slice() } else { all.split_at(2).0 };
    for found in screen::screen(text, families) {
        report(&found, found.span, findings);
    }
}

/// Screens every value of the front matter that YAML put together from pieces.
pub(crate) fn values(text: &str, map: &Map<'_>, findings: &mut Findings) {
    let mut maps = vec![map];
    let mut values = Vec::with_capacity(map.entries.len());
    while let Some(map) = maps.pop() {
        values.extend(map.entries.iter().map(|entry| &entry.value));
        while let Some(value) = values.pop() {
            match &value.node {
                // What is borrowed from the document stands there in one piece.
                Node::Scalar { text: Cow::Borrowed(_), .. } => {}
                Node::Scalar { text: Cow::Owned(value_text), .. } => {
                    assembled(value_text, text, value.span, findings);
                }
                Node::List(items) => values.extend(items),
                Node::Map(map) => maps.push(map),
                Node::Refused => {}
            }
        }
    }
}

/// Screens a value that does not stand in the document in one piece.
pub(crate) fn assembled(value: &str, text: &str, span: Span, findings: &mut Findings) {
    let raw = span.of(text).unwrap_or_default();
    if !raw.contains(value) {
        let families = [Family::Secret, Family::Override];
        let in_pieces = screen::screen(raw, &families);
        let seen = |found: &Contraband| {
            in_pieces.iter().any(|other| (other.family, other.kind) == (found.family, found.kind))
        };
        for found in screen::screen(value, &families).iter().filter(|found| !seen(found)) {
            report(found, span, findings);
        }
    }
}

fn report(found: &Contraband, span: Span, findings: &mut Findings) {
    let what = found.kind.replace('_', " ");
    let (rule, says, hint) = match found.family {
        Family::Secret => (
            &rules::SECRET,
            "the document carries a secret",
            "take it out, revoke it if it was real, and let the gate provide it",
        ),
        Family::Override => {
            (&rules::OVERRIDE, "the document carries an instruction override", "say it in other words")
        }
        Family::Payload if matches!(found.kind, "policy_claim" | "run_instruction") => (
            &rules::RESULT_INSTRUCTION,
            "the result gives instructions",
            "report that the output held it, and withhold the text",
        ),
        // Documents are not screened for the last three; a result that held one would carry it as this.
        Family::Payload | Family::Injection | Family::Traversal | Family::Exfiltration => (
            &rules::RESULT_PAYLOAD,
            "the result carries something made to be run",
            "report that the output held it, and keep it as an artifact",
        ),
    };
    findings.advise(rule, span, format!("{says}: {what}"), hint);
}
