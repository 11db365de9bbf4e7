//! `Label: value` lines, as list items or plain lines, bold or not.

use call::Span;

use crate::front::Part;

/// What a label says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer<'a> {
    pub(crate) label: &'static str,
    /// The value behind the label, without marks around it; the next line's where nothing follows
    /// on the label's own.
    pub(crate) value: &'a str,
    /// The label and its value.
    pub(crate) span: Span,
}

/// Every answer that `part` gives to one of `labels`, whatever the case of its letters.
pub(crate) fn answers<'a>(part: Part<'a>, labels: &[&'static str]) -> Vec<Answer<'a>> {
    let mut answers = Vec::with_capacity(labels.len());
    for line in part.lines() {
        let Some((label, value)) = labelled(line.text, labels) else {
            continue;
        };
        let mut value = unmarked(value);
        if value.is_empty() {
            let below = part.between(line.next, part.end()).lines().find(|line| !line.text.trim().is_empty());
            let below = below.filter(|line| labelled(line.text, labels).is_none());
            value = below.map_or("", |line| unmarked(line.text));
        }
        let indent = line.text.len() - line.text.trim_start().len();
        let span = Span::new(line.start + indent, line.start + line.text.trim_end().len());
        answers.push(Answer { label, value, span });
    }
    answers
}

/// The label that a line begins with, and what stands behind its colon.
fn labelled<'a>(line: &'a str, labels: &[&'static str]) -> Option<(&'static str, &'a str)> {
    let (head, value) = line.split_once(':')?;
    let head = without_bullet(head).trim_matches([' ', '\t']).trim_matches(['*', '_']);
    let label = labels.iter().find(|label| label.eq_ignore_ascii_case(head))?;
    Some((label, value))
}

/// A line without the sign of a list item.
fn without_bullet(line: &str) -> &str {
    let line = line.trim_start();
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = if numbered.len() < line.len() {
        numbered.strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '*', '+'])
    };
    behind.filter(|rest| rest.starts_with([' ', '\t'])).unwrap_or(line).trim_start()
}

/// A value without emphasis and code marks around it.
fn unmarked(value: &str) -> &str {
    value.trim().trim_matches(['*', '_', '`']).trim()
}

#[cfg(test)]
mod tests {
    use super::answers;
    use crate::front::Part;

    #[test]
    fn a_label_is_read_in_any_dress() {
        let cases: [(&str, &[&str]); 14] = [
            ("Risk level: low", &["low"]),
            ("- Risk level: low", &["low"]),
            ("* **Risk level:** low", &["low"]),
            ("**Risk level**: low", &["low"]),
            ("- __Risk level__: `low`", &["low"]),
            ("1. risk LEVEL : *low*", &["low"]),
            ("  + Risk level:low", &["low"]),
            ("Risk level:\n  low", &["low"]),
            ("Risk level:\nJustification: x", &[""]),
            ("Risk level: low\nRisk level: high", &["low", "high"]),
            ("The Risk level: low", &[]),
            ("Risk levels: low", &[]),
            ("Risk level low", &[]),
            ("", &[]),
        ];
        for (text, want) in cases {
            let part = Part { text, start: 0 };
            let mut got = answers(part, &["Risk level", "Justification"]);
            got.retain(|answer| answer.label == "Risk level");
            let got: Vec<_> = got.into_iter().map(|answer| answer.value).collect();
            assert_eq!(got, want, "{text:?}");
        }
    }
}
