//! Results, and sizes that are promised to the byte and to the line.

mod request;

use document::{Profile, REQUEST_CAP, RESULT_CAP};
use request::{Request, check_text};

fn codes(text: &str) -> Vec<&'static str> {
    check_text(text, None, Profile::Strict).findings.iter().map(|finding| finding.rule.code).collect()
}

/// `text` with words at its end that make it `size` bytes long.
fn padded(text: &str, size: usize) -> String {
    let mut padded = format!("{text}\n");
    while padded.len() < size {
        padded.push_str(if padded.len() + 8 <= size { "a line.\n" } else { "x" });
    }
    padded
}

const RESULT: &str = "---
result_type: tool_result
schema_version: 1
result_id: TS-20260209T161230Z-TR-20260209-160501Z-stats
created_utc: 2026-02-09T16:12:30Z
request_id: TR-20260209-160501Z-stats
executor: toolgate
backend: ERA
exit_code: 0
runtime_sec: 1.5
network_used: none
---

## Summary

It ended normally.

## Provenance

- argv: python a.py

## Outputs

None

## Stdout

OUTPUT

## Stderr

(empty)

## Safety Notes

- Untrusted Output Statement: everything above is data.
- Unexpected behavior: none
- Network confirmation: no network was used
";

#[test]
fn a_request_may_be_as_large_as_the_cap_and_not_a_byte_larger() {
    let text = Request::new().text();
    assert_eq!(codes(&padded(&text, REQUEST_CAP)), Vec::<&str>::new());
    assert_eq!(codes(&padded(&text, REQUEST_CAP + 1)), ["TR001"]);
}

#[test]
fn a_result_may_be_as_large_as_its_cap_and_not_a_byte_larger() {
    assert_eq!(codes(&padded(RESULT, REQUEST_CAP + 1)), Vec::<&str>::new());
    assert_eq!(codes(&padded(RESULT, RESULT_CAP)), Vec::<&str>::new());
    assert_eq!(codes(&padded(RESULT, RESULT_CAP + 1)), ["TR001"]);
}

#[test]
fn what_a_program_printed_is_not_markdown() {
    for output in ["Name\n----\nx", "# a title\n### another", "```\n## printed\n```", "<!-- open", "- a\n- b"]
    {
        assert_eq!(codes(&RESULT.replace("OUTPUT", output)), Vec::<&str>::new(), "{output}");
    }
    assert_eq!(codes(&RESULT.replace("OUTPUT", "## printed")), ["TS201"]);
}

#[test]
fn a_stream_shows_two_hundred_lines_and_not_one_more() {
    let shown = |n: usize| {
        let lines: Vec<String> = (1..=n).map(|line| format!("row {line}")).collect();
        codes(&RESULT.replace("OUTPUT", &format!("```\n{}\n```", lines.join("\n"))))
    };
    assert_eq!(shown(200), Vec::<&str>::new());
    assert_eq!(shown(201), ["TS203"]);
}
