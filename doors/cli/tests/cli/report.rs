//! Reports of the ledger.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::door::Door;

const SCRIPT: &str = "<script>alert(1)</script>|`x`";
const PURPOSE: &str = "\"><img src=x onerror=alert(1)> | `b` [l](https://example.org) a\u{202e}b\u{200b}";

#[track_caller]
fn call(door: &Door, tool: &str, arguments: &str, purpose: &str, code: i32) {
    let ran = door.run(&["call", tool, "--purpose", purpose, "--args", arguments, "--agent", "ada"]);
    assert_eq!(ran.code, Some(code), "{ran:?}");
}

/// A home in which something of everything has happened.
fn busy() -> Door {
    let door = Door::new();
    assert_eq!(door.run(&["init"]).code, Some(0));
    door.write("README.md", "hello\n");
    door.write(".env", "A=1\n");
    call(&door, "read_file", r#"{"path": "missing.md"}"#, "look", 1);
    call(&door, "exec_sandbox", r#"{"language": "node", "code": "1 + 1"}"#, "count", 4);
    call(&door, "read_file", r#"{"path": ".env"}"#, PURPOSE, 2);
    call(&door, "read_file", "not json", "break in", 2);
    call(&door, SCRIPT, "{}", "draw", 2);
    let policy = door.read(".toolgate/policy.toml");
    door.write(".toolgate/policy.toml", policy.replace("read_only = true", "read_only = false"));
    let review =
        ["--reason", "typos", "--abuse-case", "defaced docs", "--tests", "t.toml", "--rollback", "revert"];
    let applied = door.run(&[&["policy", "apply"], review.as_slice()].concat());
    assert_eq!(applied.code, Some(0), "{applied:?}");
    door
}

#[track_caller]
fn report(door: &Door, more: &[&str]) -> String {
    let ran = door.run(&[&["ledger", "report"], more].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    ran.stdout
}

/// Fails unless every tag has its end, in order. No attribute of a report holds a `>`.
#[track_caller]
fn well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let body = page.strip_prefix("<!DOCTYPE html>\n").expect("a document type");
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{piece}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.starts_with("meta ") && !tag.ends_with('/') {
            open.push(tag.split([' ', '\n']).next().unwrap());
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

/// The text of a page or a Markdown file has nothing that could act on its reader.
#[track_caller]
fn harmless(text: &str) {
    for bad in ["<script", "<img", "href=", "src=\"", "@import", "url("] {
        assert!(!text.contains(bad), "{bad}");
    }
    let hidden = |character: &char| {
        (character.is_control() && *character != '\n')
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{200b}')
    };
    assert_eq!(text.chars().find(hidden), None);
}

/// Numbers in cells of tables, in order.
fn numbers_of_html(page: &str) -> Vec<u64> {
    let cells = page.split("<td class=\"number\">").skip(1);
    cells.map(|cell| cell.split('<').next().unwrap().parse().unwrap()).collect()
}

fn numbers_of_markdown(text: &str) -> Vec<u64> {
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| entries |"));
    rows.flat_map(|row| row.split(" | "))
        .filter_map(|cell| cell.trim_matches(['|', ' ']).parse().ok())
        .collect()
}

#[test]
fn denials_come_first_and_each_of_them_is_there() {
    let door = busy();
    let page = report(&door, &[]);
    well_formed(&page);
    harmless(&page);
    let policy = "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"";
    assert!(page.contains(policy) && page.contains("<html lang=\"en\">"), "{page}");
    let parts: Vec<&str> =
        page.split("<h2>").skip(1).map(|part| part.split("</h2>").next().unwrap()).collect();
    assert_eq!(
        parts,
        [
            "Denied calls and violations",
            "Calls that failed",
            "Calls still open",
            "Policy changes that add authority",
            "Approvals",
            "Rulings",
            "Risk flags",
            "The gate and its log",
            "How to check this report",
        ]
    );
    assert!(page.contains("5 calls asked for; of those that ended, 3 denied, 1 failed and 0 succeeded."));
    assert!(page.contains("1 call is still open at the end of the log. The log has 16 entries"));
    let denials = page.split("<h2>").nth(1).unwrap();
    assert!(denials.contains("3 calls were denied."));
    for said in [
        "<bdi>path_denied</bdi>",
        "<bdi>bad_request</bdi>",
        "<bdi>unknown_tool</bdi>",
        "<bdi>denial:path_denied</bdi>",
        "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;|`x`</bdi>",
        "&quot;&gt;&lt;img src=x onerror=alert(1)&gt; | `b` [l](https://example.org) a\\u{202e}b\\u{200b}",
        "<bdi>ada</bdi>",
    ] {
        assert!(denials.contains(said), "{said}: {denials}");
    }
    assert!(page.contains("without a review on record: 0."));
    let shown = door.run(&["ledger", "verify"]).stdout;
    let root = shown.trim_end().rsplit(' ').next().unwrap();
    let key = door.run(&["ledger", "key"]).stdout;
    assert!(page.contains(root) && page.contains(key.trim_end()), "{root} {key}");
    assert!(page.contains("The last checkpoint covers 1 entry; it is signed by the key, and the log agrees"));
    assert!(page.contains("toolgate ledger verify"));
}

#[test]
fn every_plot_has_a_text_and_every_table_a_caption() {
    let page = report(&busy(), &[]);
    let count = |what: &str| page.matches(what).count();
    assert_eq!((count("<svg "), count("role=\"img\""), count("<desc ")), (8, 8, 8));
    assert_eq!(count("<table>"), count("<caption>"));
    assert_eq!(count("<h1>"), 1);
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("@media print"));
}

#[test]
fn both_forms_carry_the_same_numbers() {
    let door = busy();
    let (page, text) = (report(&door, &[]), report(&door, &["--format", "markdown"]));
    harmless(&text);
    let numbers = numbers_of_html(&page);
    assert!(numbers.len() > 50, "{numbers:?}");
    assert_eq!(numbers, numbers_of_markdown(&text), "{text}");
    for said in [
        "`\\u{3c}script>alert(1)\\u{3c}/script>\\u{7c}\\u{60}x\\u{60}`",
        "\\u{7c} \\u{60}b\\u{60} [l](https://example.org) a\\u{202e}b\\u{200b}`",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let columns = |line: &str| line.matches(" | ").count();
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with("| "))) {
        assert_eq!(columns(pair[0]), columns(pair[1]), "{pair:?}");
    }
}

#[test]
fn a_ledger_without_calls_has_a_report() {
    let door = Door::new();
    door.run(&["init"]);
    let page = report(&door, &[]);
    well_formed(&page);
    for said in [
        "0 calls asked for",
        "No call was denied.",
        "No call is still open",
        "Policy was asked about no call.",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
}

#[test]
fn a_period_is_kept_to_and_a_bad_one_is_refused() {
    let door = busy();
    let summary = |more: &[&str]| {
        let text = report(&door, &[&["--format", "markdown"], more].concat());
        text.lines().nth(2).unwrap().to_owned()
    };
    let none = summary(&["--since", "2100-01-01T00:00:00Z"]);
    assert!(
        none.contains("from 2100-01-01 00:00:00 to the end (UTC). No entry lies in the period."),
        "{none}"
    );
    assert!(none.contains("0 calls asked for") && none.contains("1 call is still open"), "{none}");
    assert!(summary(&["--until", "2020-01-01T00:00:00Z"]).contains("0 calls asked for"));
    let all = summary(&["--since", "2020-01-01T00:00:00Z", "--until", "2100-01-01T00:00:00Z"]);
    assert!(all.contains("5 calls asked for") && all.contains("16 of them in the period"), "{all}");
    let since = ["2026-02-30T00:00:00Z", "yesterday", "", "2100-01-01T00:00:00Z"];
    for since in since {
        let ran = door.run(&["ledger", "report", "--since", since, "--until", "2026-01-01T00:00:00Z"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:?}");
    }
    insta::assert_snapshot!(door.run(&["ledger", "report", "--until", "soon"]).all(), @"
    exit 3
    ---
    error: `soon` is not a moment: expected the form `2026-02-09T16:05:01Z`

    hint: a moment is written `2026-02-09T16:05:01Z`
    ");
    assert_eq!(Door::new().run(&["ledger", "report"]).code, Some(3), "there is no home");
}

#[test]
fn a_report_takes_the_place_of_a_file_and_of_nothing_else() {
    let door = busy();
    let save = |path: &str| door.run(&["ledger", "report", "--out", path]);
    let ran = save("report.html");
    assert_eq!(ran.all(), "exit 0\nreport.html\n---\n");
    let first = door.read("report.html");
    well_formed(&first);
    let mode = fs::metadata(door.path("report.html")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    door.write("report.html", "old");
    assert_eq!(save("report.html").code, Some(0));
    assert!(door.read("report.html").starts_with("<!DOCTYPE html>"));

    door.write("kept.txt", "kept");
    symlink("kept.txt", door.path("link")).unwrap();
    fs::create_dir(door.path("folder")).unwrap();
    for path in ["link", "folder", "nowhere/report.html", "..", "/"] {
        let ran = save(path);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{path}: {ran:?}");
    }
    assert_eq!(door.read("kept.txt"), "kept");
    let left = door.names(".").into_iter().filter(|name| name.starts_with(".toolgate-")).count();
    assert_eq!(left, 0, "hidden files are left behind");
    insta::assert_snapshot!(save("link").all(), @"
    exit 3
    ---
    error: `link`: is there, and is not an ordinary file

    hint: `--out` names a new file, or an ordinary one that is replaced
    ");
}

#[test]
fn the_newest_denial_is_listed_first() {
    let door = Door::new();
    door.run(&["init"]);
    for number in 0..3 {
        call(&door, "read_file", r#"{"path": ".env"}"#, &format!("try {number}"), 2);
    }
    let text = report(&door, &["--format", "markdown"]);
    assert!(text.contains("| `path_denied` | 3 |"), "{text}");
    let tries: Vec<usize> = (0..3).map(|number| text.find(&format!("`try {number}`")).unwrap()).collect();
    assert!(tries[2] < tries[1] && tries[1] < tries[0], "newest first");
}

#[test]
fn a_report_of_a_changed_ledger_says_so() {
    let door = Door::new();
    door.run(&["init"]);
    let path = door.path(".toolgate/ledger/ledger.db");
    let mut bytes = fs::read(&path).unwrap();
    let (old, new) = (b"\"event\":\"policy_applied\"", b"\"event\":\"policy_removed\"");
    let place = bytes.windows(old.len()).position(|window| window == old).unwrap();
    bytes[place..place + old.len()].copy_from_slice(new);
    fs::write(&path, bytes).unwrap();
    let page = report(&door, &[]);
    assert!(
        page.contains("WARNING: the last checkpoint covers 1 entry, and the log does NOT agree"),
        "{page}"
    );

    let other = Door::new();
    other.run(&["init"]);
    door.write(".toolgate/ledger/key", other.read(".toolgate/ledger/key"));
    let page = report(&door, &[]);
    assert!(page.contains("WARNING: the last checkpoint is NOT signed by the key of the ledger"), "{page}");
}

#[test]
fn help_has_examples() {
    let ran = Door::new().run(&["ledger", "report", "-h"]);
    insta::assert_snapshot!(ran.all(), @"
    exit 0
    Write a report: denied calls first, then failures, changes of policy, approvals and figures

    Usage: toolgate ledger report [OPTIONS]

    Options:
          --out <FILE>       Write it to this file, in place of one that is there [default: standard
                             output]
          --format <FORMAT>  What to write [default: html] [possible values: html, markdown]
          --since <MOMENT>   Not before this moment
          --until <MOMENT>   Before this moment
          --home <DIR>       The gate's home [default: the nearest `.toolgate` upward from here]
      -h, --help             Print help (see more with '--help')

    Examples:
      toolgate ledger report --out report.html
      toolgate ledger report --since 2026-02-01T00:00:00Z --until 2026-03-01T00:00:00Z
      toolgate ledger report --format markdown | less

    The page needs no network and runs no scripts. Writing it does not check the record:
    `toolgate ledger verify` does.
    ---
    ");
}
