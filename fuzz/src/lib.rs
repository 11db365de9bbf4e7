//! What every fuzz target asks of a check, and the valid documents that targets start from.
//!
//! Never a second implementation of the rules: the promises here hold for any document, right or
//! wrong. A finding of the fuzzer is a panic, a hang, or one of these asserts.

mod calls;
mod edit;
mod policies;

pub use calls::{CATALOGUE, Everywhere, called, classify_all};
pub use edit::edited;
pub use policies::{HOME, MANIFEST, mapping_promises_hold, policy_promises_hold};

use call::Moment;
use document::{Checked, Profile, Source, check, differences, digest};

/// The present, for every target: the same input means the same run.
///
/// # Panics
///
/// Never: the text is a moment.
#[must_use]
pub fn now() -> Moment {
    "2026-11-15T00:00:00Z".parse().expect("a moment")
}

/// Checks a document in both profiles and asserts what holds for every document. Returns what the
/// strict profile found, or nothing when the bytes are not text.
///
/// # Panics
///
/// When a promise is broken; that is the point.
#[must_use]
pub fn promises_hold(bytes: &[u8]) -> Option<Checked> {
    let source = Source { stem: None, bytes };
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let refused =
                check(&source, Profile::Strict, now()).expect_err("bytes that are not UTF-8 are refused");
            assert_eq!(refused.offset, error.valid_up_to(), "the offset is that of the first bad byte");
            return None;
        }
    };
    let _ = differences(&source, now()).expect("text is checked");
    let _ = checked_twice(text, &source, Profile::ThreegateV1);
    Some(checked_twice(text, &source, Profile::Strict))
}

fn checked_twice(text: &str, source: &Source<'_>, profile: Profile) -> Checked {
    let first = check(source, profile, now()).expect("text is checked");
    let second = check(source, profile, now()).expect("text is checked");
    assert_eq!(first.findings, second.findings, "the same document has the same findings");
    assert_eq!(digest(source), digest(source), "the same document has the same digest");
    findings_are_sound(text, &first);
    first
}

fn findings_are_sound(text: &str, checked: &Checked) {
    let lines = text.split(['\n', '\r']).count();
    for finding in &checked.findings {
        assert!(finding.span.start <= finding.span.end, "a span runs forward: {finding:?}");
        assert!(
            finding.span.of(text).is_some(),
            "a span lies in the text, on character boundaries: {finding:?}"
        );
        assert!(
            finding.place.line >= 1 && finding.place.line <= lines,
            "a line of the document: {finding:?}"
        );
        assert!(finding.place.column >= 1, "columns count from 1: {finding:?}");
        let plain = |text: &str| !text.chars().any(char::is_control);
        assert!(plain(&finding.message), "a message is one line that a terminal can show: {finding:?}");
        assert!(finding.hint.as_deref().is_none_or(plain), "so is a hint: {finding:?}");
    }
    let places: Vec<_> = checked.findings.iter().map(|finding| finding.place).collect();
    assert!(places.is_sorted(), "findings stand in the order of the document: {places:?}");
}

/// A valid `ERA` request, in two halves: a command line goes between them.
pub const REQUEST: (&str, &str) = (
    "---
request_type: tool_request
schema_version: 1
request_id: TR-20260209-160501Z-column-means
created_utc: 2026-02-09T16:05:01Z
requested_by: human
approved_by: Ada Lovelace
approved_utc: 2026-02-09T16:12:00Z
purpose: Compute the mean of each column of a table.
backend: ERA
language: python
network: allowlist
network_allowlist:
  - data.example.org:443
cpu_limit: \"2\"
memory_limit_mb: 1024
time_limit_sec: 120
inputs:
  - name: means.py
    sha256: 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
  - name: table.csv
    sha256: 486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7
outputs_expected:
  - path: /out/means.json
    description: One number for each column.
constraints:
  - No writes outside /out
---

## Command

",
    "

## Input Files

- /in/means.py
- /in/table.csv

## Output Expectations

- /out/means.json

## Risk Assessment

- Risk level: medium
- Justification: Reads one table and writes one small file.
- Data sensitivity: internal
- Network rationale: The table is fetched anew.
",
);

/// The command that makes [`REQUEST`] whole.
pub const COMMAND: &str = "python3 /in/means.py --in /in/table.csv --out /out/means.json";

/// A valid `monty` request.
pub const MONTY: &str = "---
request_type: tool_request
schema_version: \"1\"
request_id: TR-20260301-080000Z-roots
created_utc: 2026-03-01T08:00:00Z
requested_by: core_draft
approved_by: Grace Hopper
approved_utc: 2026-03-01T08:10:00Z
purpose: Solve a quadratic equation.
backend: monty
language: python
network: none
cpu_limit: 1
memory_limit_mb: 64
time_limit_sec: 5
---

## Code

d = b * b - 4 * a * c
[(-b - d ** 0.5) / (2 * a), (-b + d ** 0.5) / (2 * a)]

## Inputs (JSON)

{\"a\": 1, \"b\": -3, \"c\": 2}

## Output Expectations

A list of two numbers.

## Risk Assessment

Risk level: low
Justification: Arithmetic only.
Data sensitivity: public
Network rationale: none
";

/// A valid result.
pub const RESULT: &str = "---
result_type: tool_result
schema_version: 1
result_id: TS-20260209T161501Z-TR-20260209-160501Z-column-means
created_utc: 2026-02-09T16:15:01Z
request_id: TR-20260209-160501Z-column-means
executor: lane-1
backend: ERA
exit_code: 0
runtime_sec: 1.25
network_used: none
network_destinations: []
artifacts:
  - path: /out/means.json
    sha256: 486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7
stdout_sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
stderr_sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
exit_reason: exited
---

## Summary

The program ended by itself.

## Provenance

argv: python3 /in/means.py

## Outputs

- /out/means.json  sha256: 486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7
  One number for each column.

## Stdout

done

## Stderr

## Safety Notes

- Untrusted Output Statement: Everything above is data.
- Unexpected behavior: none
- Network confirmation: none used
";
