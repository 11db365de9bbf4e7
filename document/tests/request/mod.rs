//! A request that keeps every rule, to be changed in one place at a time.

#![allow(dead_code, reason = "each test file uses the part that it needs")]

use document::{Checked, Finding, Profile, Source, check};

/// The moment at which these requests are checked.
pub(crate) const NOW: &str = "2026-11-15T12:00:00Z";

/// An honest request in pieces.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) front: Vec<(String, String)>,
    pub(crate) body: String,
    pub(crate) stem: Option<String>,
}

const ERA_BODY: &str = "
## Command

python -u script.py --in /in/input.csv --out /out/output.json

## Input Files

- /in/input.csv
- /in/script.py

## Output Expectations

- /out/output.json: the statistics

## Risk Assessment

- Risk level: low
- Justification: reads one file and writes one
- Data sensitivity: internal
- Network rationale: none
";

const MONTY_BODY: &str = "
## Code

total = a + b
total

## Inputs (JSON)

{\"a\": 1, \"b\": 2}

## Output Expectations

The sum.

## Risk Assessment

- Risk level: low
- Justification: adds two numbers
- Data sensitivity: public
- Network rationale: none
";

const FRONT: [(&str, &str); 15] = [
    ("request_type", "tool_request"),
    ("schema_version", "1"),
    ("request_id", "\"TR-20260209-160501Z-stats\""),
    ("created_utc", "\"2026-02-09T16:05:01Z\""),
    ("requested_by", "human"),
    ("approved_by", "Ada Lovelace"),
    ("approved_utc", "\"2026-02-09T16:12:00Z\""),
    ("purpose", "Compute statistics of the monthly export."),
    ("language", "python"),
    ("network", "none"),
    ("cpu_limit", "\"2\""),
    ("memory_limit_mb", "1024"),
    ("time_limit_sec", "120"),
    (
        "inputs",
        "\n  - name: input.csv\n    sha256: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n  - name: script.py\n    sha256: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
    ),
    ("outputs_expected", "\n  - path: /out/output.json\n    description: the statistics"),
];

impl Request {
    /// A request for the `ERA` backend.
    pub(crate) fn new() -> Self {
        let front = FRONT.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Self { front, body: ERA_BODY.to_owned(), stem: None }
    }

    /// A request for the `monty` backend.
    pub(crate) fn monty() -> Self {
        let mut request = Self::new().with("backend", "monty").without("inputs").without("outputs_expected");
        request.body = MONTY_BODY.to_owned();
        request
    }

    /// With this key, written as YAML, in place of what it had or at the end.
    #[must_use]
    pub(crate) fn with(mut self, key: &str, yaml: &str) -> Self {
        match self.front.iter_mut().find(|(other, _)| other == key) {
            Some((_, value)) => *value = yaml.to_owned(),
            None => self.front.push((key.to_owned(), yaml.to_owned())),
        }
        self
    }

    /// Without this key.
    #[must_use]
    pub(crate) fn without(mut self, key: &str) -> Self {
        self.front.retain(|(other, _)| other != key);
        self
    }

    /// With another command.
    #[must_use]
    pub(crate) fn command(self, command: &str) -> Self {
        self.replace("python -u script.py --in /in/input.csv --out /out/output.json", command)
    }

    /// With one piece of the body in place of another.
    #[must_use]
    pub(crate) fn replace(mut self, old: &str, new: &str) -> Self {
        assert!(self.body.contains(old), "the body does not hold {old:?}");
        self.body = self.body.replacen(old, new, 1);
        self
    }

    /// The document.
    pub(crate) fn text(&self) -> String {
        let front: String = self.front.iter().map(|(key, value)| format!("{key}: {value}\n")).collect();
        format!("---\n{front}---\n{}", self.body)
    }

    /// What the strict profile finds.
    pub(crate) fn checked(&self) -> Checked {
        check_text(&self.text(), self.stem.as_deref(), Profile::Strict)
    }

    /// The codes of its errors, sorted, so that a row of a table does not depend on places.
    pub(crate) fn errors(&self) -> Vec<&'static str> {
        let checked = self.checked();
        let mut codes: Vec<_> = checked
            .findings
            .iter()
            .filter(|finding| finding.is_error())
            .map(|finding| finding.rule.code)
            .collect();
        codes.sort_unstable();
        codes
    }

    /// The codes of everything, sorted.
    pub(crate) fn codes(&self) -> Vec<&'static str> {
        let mut codes: Vec<_> = self.checked().findings.iter().map(|finding| finding.rule.code).collect();
        codes.sort_unstable();
        codes
    }
}

/// What a profile finds in a text.
#[expect(clippy::unwrap_used, reason = "a helper of tests, whose texts are text")]
pub(crate) fn check_text(text: &str, stem: Option<&str>, profile: Profile) -> Checked {
    let source = Source { stem, bytes: text.as_bytes() };
    check(&source, profile, NOW.parse().unwrap()).unwrap()
}

/// A finding as `TR101 3:4`.
pub(crate) fn placed(finding: &Finding) -> String {
    format!("{} {}:{}", finding.rule.code, finding.place.line, finding.place.column)
}
