//! `Label: value` lines, as list items or plain lines, bold or not.

use call::Span;

use crate::front::Part;
use crate::text::Line;

/// What a label says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The value behind the label, without marks around it; the next line's where nothing follows
    /// on the label's own.
    pub(crate) value: String,
    /// The label and its value.
    pub(crate) span: Span,
}

/// Every answer that `part` gives to `label`, whatever the case of its letters.
pub(crate) fn answers(part: Part<'_>, label: &str, labels: &[&str]) -> Vec<Answer> {
    let lines: Vec<Line<'_>> = part.lines().collect();
    let mut answers = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(value) = value_of(line.text, label) else {
            continue;
        };
        let mut value = unmarked(value);
        if value.is_empty() {
            let below =
                lines.iter().skip(index + 1).map(|line| line.text).find(|text| !text.trim().is_empty());
            let other = |text: &&str| !labels.iter().any(|label| value_of(text, label).is_some());
            value = below.filter(other).map(unmarked).unwrap_or_default();
        }
        let indent = line.text.len() - line.text.trim_start().len();
        let span = Span::new(line.start + indent, line.start + line.text.trim_end().len());
        answers.push(Answer { value, span });
    }
    answers
}

/// What stands behind `label:` in a line that begins with it.
fn value_of<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    let item = without_bullet(line).trim_start_matches(['*', '_']);
    let (head, rest) = (item.get(..label.len())?, item.get(label.len()..)?);
    let rest = rest.trim_start_matches(['*', '_']).trim_start_matches([' ', '\t']);
    head.eq_ignore_ascii_case(label).then(|| rest.strip_prefix(':')).flatten()
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
fn unmarked(value: &str) -> String {
    value.trim().trim_matches(['*', '_', '`']).trim().to_owned()
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
            let got: Vec<_> = answers(part, "Risk level", &["Risk level", "Justification"]);
            let got: Vec<_> = got.into_iter().map(|answer| answer.value).collect();
            assert_eq!(got, want, "{text:?}");
        }
    }
}
