//! Requests on both sides of the original validator's line, its quirks included.
//!
//! Not measured: they show that both sides of the comparison answer the same question.

use document::Verdict::{self, Accept, Reject};

/// A request and what the original validator says to it.
#[derive(Clone, Debug)]
pub struct Odd {
    /// What is odd about it.
    pub name: &'static str,
    /// The document.
    pub text: String,
    /// The verdict of the original validator.
    pub threegate_v1: Verdict,
}

/// Every odd request.
#[must_use]
pub fn odd_requests() -> Vec<Odd> {
    let replaced = EDITS.iter().map(|&(name, monty, from, to, threegate_v1)| {
        let text = if monty { MONTY } else { ERA };
        Odd { name, text: text.replace(from, to), threegate_v1 }
    });
    replaced.collect()
}

/// What is odd, whether it is a `monty` request, the text replaced, by what, and the verdict.
const EDITS: &[(&str, bool, &str, &str, Verdict)] = &[
    ("nothing", false, "Add up", "Add up", Accept),
    ("nothing in monty", true, "Add two", "Add two", Accept),
    ("version as text", false, "schema_version: 1", "schema_version: \"1\"", Accept),
    ("another version", false, "schema_version: 1", "schema_version: 2", Reject),
    ("another type", false, "tool_request", "tool_result_x", Reject),
    ("a missing limit", false, "cpu_limit: 1\n", "", Reject),
    ("a limit in words", false, "memory_limit_mb: 256", "memory_limit_mb: plenty", Accept),
    ("nobody approved", false, "approved_by: Ada Lovelace", "approved_by: \"\"", Reject),
    ("the agent approved", false, "approved_by: Ada Lovelace", "approved_by: core", Accept),
    ("a shell", false, "language: python", "language: Bash", Reject),
    ("another language", false, "language: python", "language: perl", Accept),
    ("another network", false, "network: none", "network: some", Reject),
    ("another backend", false, "backend: ERA", "backend: docker", Reject),
    ("backend in lower case", false, "backend: ERA", "backend: era", Accept),
    ("a chain", false, "/in/sum.py", "/in/sum.py ; ls", Reject),
    ("a pipe", false, "/in/sum.py", "/in/sum.py | tee /out/log", Reject),
    ("a bracket in quotes", false, "/in/sum.py", "-c 'print(1)'", Reject),
    ("a variable", false, "/in/sum.py", "$HOME/sum.py", Accept),
    ("a host path", false, "/in/sum.py", "/etc/hostname", Accept),
    ("an install", false, "python3 /in/sum.py", "python3 -m pip install numpy", Reject),
    ("an install, spelled otherwise", false, "python3 /in/sum.py", "pip3 install numpy", Accept),
    ("a name with the letters", false, "/in/sum.py", "/in/capture.py", Reject),
    ("a second command line", false, "python3 /in/sum.py", "python3 /in/sum.py\nls", Accept),
    ("a fenced command", false, "python3 /in/sum.py", "```\npython3 /in/sum.py\n```", Reject),
    ("no command", false, "python3 /in/sum.py", "", Reject),
    ("a missing section", false, "## Input Files", "### Input Files", Reject),
    ("monty in another language", true, "language: python", "language: node", Reject),
    ("monty with network", true, "network: none", "network: allowlist", Reject),
    ("monty fenced", true, "a + b", "```\na + b\n```", Reject),
    ("monty without code", true, "a + b", "", Reject),
    ("inputs as a list", true, "{\"a\": 1, \"b\": 2}", "[1, 2]", Reject),
    ("inputs with a keyword", true, "\"a\": 1", "\"class\": 1", Reject),
    ("inputs with a soft keyword", true, "\"a\": 1", "\"match\": 1", Accept),
    ("no inputs", true, "## Inputs (JSON)\n\n{\"a\": 1, \"b\": 2}\n\n", "", Accept),
];

const ERA: &str = "---
request_type: tool_request
schema_version: 1
request_id: TR-20240102-060000Z-odd
created_utc: 2024-01-02T06:00:00Z
requested_by: human
approved_by: Ada Lovelace
approved_utc: 2024-01-02T06:20:00Z
purpose: Add up the rows.
backend: ERA
language: python
network: none
cpu_limit: 1
memory_limit_mb: 256
time_limit_sec: 60
---

## Command

python3 /in/sum.py

## Input Files

None

## Output Expectations

None

## Risk Assessment

- Risk level: low
- Justification: Sums.
- Data sensitivity: public
- Network rationale: none
";

const MONTY: &str = "---
request_type: tool_request
schema_version: 1
request_id: TR-20240102-060000Z-odd
created_utc: 2024-01-02T06:00:00Z
requested_by: human
approved_by: Ada Lovelace
approved_utc: 2024-01-02T06:20:00Z
purpose: Add two numbers.
backend: monty
language: python
network: none
cpu_limit: 1
memory_limit_mb: 64
time_limit_sec: 5
---

## Code

a + b

## Inputs (JSON)

{\"a\": 1, \"b\": 2}

## Output Expectations

A number.

## Risk Assessment

- Risk level: low
- Justification: Sums.
- Data sensitivity: public
- Network rationale: none
";
