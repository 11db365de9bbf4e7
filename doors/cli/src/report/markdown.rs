//! The report as Markdown: tables, with bars of text beside the numbers.

use super::block::{Block, Cell, Chart, Table};
use super::escape::code;
use crate::visible::visible_lines;

/// Characters of the longest bar.
const WIDEST: u64 = 24;

pub(super) fn render(blocks: &[Block]) -> String {
    let parts: Vec<String> = blocks.iter().map(block).collect();
    format!("{}\n", parts.join("\n\n"))
}

fn block(block: &Block) -> String {
    match block {
        Block::Title(text) => format!("# {text}"),
        Block::Part(text) => format!("## {text}"),
        Block::Head(text) => format!("### {text}"),
        Block::Text(text) => text.clone(),
        Block::Lines(lines) => fenced(lines),
        Block::Table(rows) => table(rows, None),
        Block::Chart(chart) => table(&chart.table(), Some(chart)),
    }
}

/// Lines as they are. No line of them can end the fence.
fn fenced(lines: &str) -> String {
    let longest = lines.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", visible_lines(lines))
}

fn table(table: &Table, chart: Option<&Chart>) -> String {
    let mut head: Vec<String> = table.head.iter().map(cell).collect();
    let is_number = |column: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(column));
        cells.next().is_some_and(|cell| matches!(cell, Cell::Number(_)))
    };
    let mut rule: Vec<&str> =
        (0..head.len()).map(|column| if is_number(column) { "---:" } else { "---" }).collect();
    if chart.is_some() {
        head.push("bar".to_owned());
        rule.push("---");
    }
    let largest = chart.map(Chart::largest).unwrap_or_default();
    let line = |row: &Vec<Cell>| {
        let mut cells: Vec<String> = row.iter().map(cell).collect();
        if chart.is_some() {
            // The last number is the sum, or the only one.
            let number = row.iter().rev().find_map(|cell| match cell {
                Cell::Number(number) => Some(*number),
                Cell::Ours(_) | Cell::Theirs(_) | Cell::Several(_) => None,
            });
            cells.push(bar(number.unwrap_or_default(), largest));
        }
        format!("| {} |", cells.join(" | "))
    };
    let mut lines = vec![format!("**{}**", table.caption), String::new()];
    lines.push(format!("| {} |", head.join(" | ")));
    lines.push(format!("| {} |", rule.join(" | ")));
    lines.extend(table.rows.iter().map(line));
    lines.join("\n")
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Ours(text) => text.clone(),
        Cell::Theirs(text) if text.is_empty() => "-".to_owned(),
        Cell::Theirs(text) => code(text),
        Cell::Several(texts) if texts.is_empty() => "-".to_owned(),
        Cell::Several(texts) => texts.iter().map(|text| code(text)).collect::<Vec<_>>().join(" "),
        Cell::Number(number) => number.to_string(),
    }
}

/// A bar of text; anything above nothing has at least one character.
fn bar(number: u64, largest: u64) -> String {
    let length = u128::from(number) * u128::from(WIDEST) / u128::from(largest.max(1));
    let length = usize::try_from(length).unwrap_or_default().max(usize::from(number > 0));
    "█".repeat(length)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::figures::tests::{entries, figures};
    use super::super::{CallLine, Checked, Period, Source, page};
    use super::{bar, fenced, render};

    fn source(size: u64) -> Source {
        Source {
            made: "2026-02-10T08:00:00Z".parse().unwrap(),
            version: "0.1.0",
            size,
            root: "cm9vdA==".to_owned(),
            key: "toolgate/ledger+12345678+a2V5".to_owned(),
            checkpoint: Some(("toolgate/ledger\n1\ncm9vdA==\n".to_owned(), Checked::Agrees(1))),
        }
    }

    #[test]
    fn a_small_report_says_what_went_wrong_first() {
        let asked = |call: &str| json!({ "event": "asked", "call": call });
        let ruled = |verdict: &str, effect: &str, tool: &str, flags: &[&str]| {
            json!({
                "event": "ruled", "verdict": verdict, "effects": [{ "effect": effect }], "agent": "ada",
                "tool": tool, "risk_flags": flags,
            })
        };
        let open = [
            json!({ "event": "asked", "call": "c3", "agent": "ada", "tool": "write_file" }),
            ruled("needs_approval", "write", "write_file", &[]),
        ];
        let events = [
            json!({ "event": "policy_applied", "policy": "p1" }),
            json!({ "event": "policy_applied", "policy": "p2", "risk": "high" }),
            asked("c1"),
            ruled("allow", "read", "read_file", &[]),
            json!({
                "event": "outcome", "call": "c1", "agent": "ada", "tool": "read_file", "decision": "allow",
                "result_status": "success", "risk_flags": ["external_instruction"], "purpose": "look",
            }),
            asked("c2"),
            ruled("deny", "delete", "delete_file", &["path_denied"]),
            json!({
                "event": "refused", "call": "c2", "agent": "ada", "tool": "delete_file", "decision": "deny",
                "result_status": "denied", "risk_flags": ["path_denied"], "purpose": "a | `b` <i>c</i>\nd",
                "reasons": [{ "code": "path_denied" }, { "code": "tool_denied" }],
            }),
            open[0].clone(),
            open[1].clone(),
        ];
        let figures = figures(Period::default(), &events);
        let open: Vec<CallLine> = CallLine::open(&entries(&open)).into_iter().collect();
        insta::assert_snapshot!(render(&page(&figures, &open, &source(10))), @r"
        # Report of a toolgate ledger

        The whole log. Entries from 2026-02-09 16:05:00 to 2026-02-09 16:05:09 (UTC). 3 calls asked for; of those that ended, 1 denied, 0 failed and 1 succeeded. 1 call is still open at the end of the log. The log has 10 entries, 10 of them in the period.

        ## Denied calls and violations

        1 call was denied.

        **Denied calls by reason; a call counts once for each of its reasons**

        | reason | calls |
        | --- | ---: |
        | `path_denied` | 1 |
        | `tool_denied` | 1 |

        **Denied calls, newest first**

        | time | agent | tool | reasons | flags | purpose | call |
        | --- | --- | --- | --- | --- | --- | --- |
        | 2026-02-09 16:05:07 | `ada` | `delete_file` | `path_denied` `tool_denied` | `path_denied` | `a \u{7c} \u{60}b\u{60} \u{3c}i>c\u{3c}/i>\u{a}d` | `c2` |

        ### Flagged calls that were not denied

        1 call was flagged, and ended without a denial.

        **Flagged calls, newest first**

        | time | agent | tool | flags | ended | purpose | call |
        | --- | --- | --- | --- | --- | --- | --- |
        | 2026-02-09 16:05:04 | `ada` | `read_file` | `external_instruction` | `success` | `look` | `c1` |

        ## Calls that failed

        No call ended in an error, a timeout or an interruption.

        ## Calls still open

        1 call of the whole log has no end on record.

        **Open calls, newest first**

        | time | agent | tool | verdict | reasons | flags | purpose | call |
        | --- | --- | --- | --- | --- | --- | --- | --- |
        | 2026-02-09 16:05:00 | `ada` | `write_file` | `needs_approval` | - | - | - | `c3` |

        ## Policy changes that add authority

        1 policy that adds authority was put in force; without a review on record: 1.

        **Policies that add authority, newest first**

        | time | risk | policy | review | by |
        | --- | --- | --- | --- | --- |
        | 2026-02-09 16:05:01 | `high` | `p2` | NO REVIEW | - |

        Beside them, 1 policy that adds none was put in force.

        ## Approvals

        No person agreed to a call.

        ## Rulings

        Policy ruled 3 times.

        ### By verdict

        **Rulings by verdict**

        | verdict | rulings | bar |
        | --- | ---: | --- |
        | allow | 1 | ████████████████████████ |
        | needs approval | 1 | ████████████████████████ |
        | deny | 1 | ████████████████████████ |

        **Rulings over time by verdict, for each hour**

        | from | allow | needs approval | deny | all | bar |
        | --- | ---: | ---: | ---: | ---: | --- |
        | 2026-02-09 16:00 | 1 | 1 | 1 | 3 | ████████████████████████ |

        ### By class

        **Rulings by class, once for each kind of effect**

        | class | allow | needs approval | deny | all | bar |
        | --- | ---: | ---: | ---: | ---: | --- |
        | `delete` | 0 | 0 | 1 | 1 | ████████████████████████ |
        | `read` | 1 | 0 | 0 | 1 | ████████████████████████ |
        | `write` | 0 | 1 | 0 | 1 | ████████████████████████ |

        **Rulings over time by class, once for each kind of effect, for each hour**

        | from | `delete` | `read` | `write` | all | bar |
        | --- | ---: | ---: | ---: | ---: | --- |
        | 2026-02-09 16:00 | 1 | 1 | 1 | 3 | ████████████████████████ |

        ### By agent

        **Rulings by agent**

        | agent | allow | needs approval | deny | all | bar |
        | --- | ---: | ---: | ---: | ---: | --- |
        | `ada` | 1 | 1 | 1 | 3 | ████████████████████████ |

        **Rulings over time by agent, for each hour**

        | from | `ada` | bar |
        | --- | ---: | --- |
        | 2026-02-09 16:00 | 3 | ████████████████████████ |

        ### By tool

        **Rulings by tool**

        | tool | allow | needs approval | deny | all | bar |
        | --- | ---: | ---: | ---: | ---: | --- |
        | `delete_file` | 0 | 0 | 1 | 1 | ████████████████████████ |
        | `read_file` | 1 | 0 | 0 | 1 | ████████████████████████ |
        | `write_file` | 0 | 1 | 0 | 1 | ████████████████████████ |

        **Rulings over time by tool, for each hour**

        | from | `delete_file` | `read_file` | `write_file` | all | bar |
        | --- | ---: | ---: | ---: | ---: | --- |
        | 2026-02-09 16:00 | 1 | 1 | 1 | 3 | ████████████████████████ |

        ## Risk flags

        **Risk flags, as rulings and as ends of calls carry them**

        | flag | rulings | ends |
        | --- | ---: | ---: |
        | `external_instruction` | 0 | 1 |
        | `path_denied` | 1 | 1 |

        ## The gate and its log

        0 starts of a gate and 0 recoveries on record; 0 checkpoints were given to a witness; 0 kept contents were removed.

        ## How to check this report

        Made on 2026-02-10 08:00:00 (UTC) by toolgate 0.1.0 of 10 entries. The report itself is not signed: the ledger is what counts.

        **The log that was read**

        | what | value |
        | --- | --- |
        | entries | 10 |
        | root | `cm9vdA==` |
        | key | `toolgate/ledger+12345678+a2V5` |

        In the home of the gate, this checks every entry and prints the root:

        ```text
        toolgate ledger verify
        ```

        The last checkpoint covers 1 entry; it is signed by the key, and the log agrees with it:

        ```text
        toolgate/ledger
        1
        cm9vdA==
        ```

        Saved as a file, it is held against a log that has grown since:

        ```text
        toolgate ledger verify --against checkpoint
        ```
        ");
    }

    #[test]
    fn an_empty_ledger_has_a_report() {
        let text = render(&page(&figures(Period::default(), &[]), &[], &source(0)));
        for said in ["No entry lies in the period.", "No call was denied.", "0 calls asked for", "0 entries"]
        {
            assert!(text.contains(said), "{said}: {text}");
        }
    }

    #[test]
    fn all_denials_are_counted_and_the_newest_are_listed() {
        let denied = |number: u32| {
            let reasons = json!([{ "code": if number < 150 { "first" } else { "second" } }]);
            json!({ "event": "refused", "result_status": "denied", "reasons": reasons, "purpose": format!("p{number}") })
        };
        let cases = [
            // denied -> listed, the oldest of them, left out
            (200, 200, "`p0`", ""),
            (201, 200, "`p1`", "1 older one is counted above and not listed"),
            (250, 200, "`p50`", "50 older ones are counted above and not listed"),
        ];
        for (n_denied, n_listed, oldest, left_out) in cases {
            let events: Vec<_> = (0..n_denied).map(denied).collect();
            let text = render(&page(&figures(Period::default(), &events), &[], &source(250)));
            let listed: Vec<&str> = text.lines().filter(|line| line.contains("| `p")).collect();
            assert_eq!(listed.len(), n_listed);
            assert!(listed.last().unwrap().contains(oldest), "{n_denied}");
            assert!(text.contains("| `first` | 150 |"), "{n_denied}");
            assert!(text.contains(&format!("| `second` | {} |", n_denied - 150)), "{n_denied}");
            assert!(text.contains(left_out), "{n_denied}");
            assert_eq!(text.contains("not listed"), n_denied > 200);
        }
    }

    #[test]
    fn a_bar_is_as_long_as_its_number_and_never_nothing() {
        let cases =
            [(0, 0, 0), (0, 9, 0), (1, 1_000_000, 1), (5, 10, 12), (10, 10, 24), (u64::MAX, u64::MAX, 24)];
        for (number, largest, want) in cases {
            assert_eq!(bar(number, largest).chars().count(), want, "{number} of {largest}");
        }
    }

    #[test]
    fn no_line_ends_the_fence() {
        assert_eq!(fenced("a\n````\n<b>\u{202e}"), "`````text\na\n````\n<b>\\u{202e}\n`````");
    }
}
