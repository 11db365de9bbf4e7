//! The tool policy that other runtimes know, word for word.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod house;

use call::{FileKind, Located, PathPlace, Paths, UnclearPath};
use decide::ToolPolicy;
use house::{at, policy};

/// A disk on which `/w/link` leads to `/elsewhere`, and `/w/.toolgate` is the gate's home.
struct Disk;

impl Paths for Disk {
    fn locate(&self, given: &str) -> Located {
        let absolute = if given.starts_with('/') { given.to_owned() } else { format!("/w/{given}") };
        let place = match absolute.as_str() {
            path if path.starts_with("/w/link") => PathPlace::Outside,
            path if path.starts_with("/w/.toolgate") => PathPlace::GateHome,
            path if path.contains("..") => PathPlace::Unclear(UnclearPath::NoPath),
            path => PathPlace::Below { path: at(path), kind: FileKind::File },
        };
        Located::new(given.to_owned(), place)
    }
}

fn tool_policy(text: &str) -> ToolPolicy {
    ToolPolicy::of(policy(&[("policy.toml", text)]).home())
}

/// The policy with nothing but its violations.
fn violations(policy: &ToolPolicy) -> String {
    serde_json::to_string(&policy.violations).unwrap()
}

#[test]
fn the_six_fields_stand_in_their_order_with_their_defaults() {
    let cases = [
        (
            "read_only = true\n",
            r#"{"allowed_roots":["/w"],"read_only":true,"allow_shell":false,"max_file_chars":8000,"approval_required":["write_file","run_shell","delete_file"],"violations":[]}"#,
        ),
        (
            // The order of the file does not matter.
            "approval_required = []\nmax_file_chars = 1\nallow_shell = true\nread_only = false\nallowed_roots = [\"b/./c/\", \"/data\", \"~/x\"]\n",
            r#"{"allowed_roots":["/w/b/c","/data","/home/ada/x"],"read_only":false,"allow_shell":true,"max_file_chars":1,"approval_required":[],"violations":[]}"#,
        ),
    ];
    for (text, want) in cases {
        assert_eq!(tool_policy(text).to_dict(), want, "{text}");
    }
}

#[test]
fn a_path_is_allowed_at_a_root_and_below_it_by_component() {
    let cases = [
        // path -> where it leads
        ("/a/b", Some("/a/b")),
        ("/a/b/", Some("/a/b")),
        ("/a/b/c", Some("/a/b/c")),
        ("/a/bc", None),
        ("/a", None),
        ("/", None),
        ("r", Some("/w/r")),
        ("r/x", Some("/w/r/x")),
        ("rx", None),
        ("link/x", None),
        (".toolgate/policy.toml", None),
        ("r/../../etc", None),
    ];
    for (path, want) in cases {
        let mut policy = tool_policy("allowed_roots = [\"/a/b\", \"r\"]\n");
        let got = policy.resolve_path(path, &Disk);
        match want {
            Some(want) => {
                assert_eq!(got.unwrap().as_str(), want, "{path}");
                assert_eq!(violations(&policy), "[]", "{path}");
            }
            None => {
                assert_eq!(got.unwrap_err().to_string(), format!("path is outside allowed roots: {path}"));
                let want = format!(
                    r#"[{{"reason":"path_outside_allowed_roots","path":"{path}","allowed_roots":["/a/b","/w/r"]}}]"#
                );
                assert_eq!(violations(&policy), want, "{path}");
            }
        }
    }
}

#[test]
fn a_write_is_refused_while_the_policy_is_read_only() {
    for action in ["write_file", "edit_file", "delete_file"] {
        let mut policy = tool_policy("read_only = true\n");
        let error = policy.check_write(action).unwrap_err();
        assert_eq!(error.to_string(), format!("write action blocked by read-only policy: {action}"));
        assert_eq!(
            violations(&policy),
            format!(r#"[{{"reason":"write_blocked_read_only","action":"{action}"}}]"#)
        );
        let mut policy = tool_policy("read_only = false\n");
        assert_eq!(policy.check_write(action), Ok(()));
        assert_eq!(violations(&policy), "[]");
    }
}

#[test]
fn a_shell_is_refused_unless_it_is_allowed() {
    let mut policy = tool_policy("read_only = true\n");
    let error = policy.check_shell("ls \"a\"\n").unwrap_err();
    assert_eq!(error.to_string(), "shell execution is disabled by policy");
    let want = r#"[{"reason":"shell_blocked","action":"run_shell","command":"ls \"a\"\n"}]"#;
    assert_eq!(violations(&policy), want);
    let mut policy = tool_policy("allow_shell = true\n");
    assert_eq!(policy.check_shell("ls"), Ok(()));
    assert_eq!(violations(&policy), "[]");
}

#[test]
fn every_refusal_is_on_record_when_it_is_given_and_none_is_lost() {
    let mut policy = tool_policy("read_only = true\n");
    for (count, step) in ["path", "write", "shell", "path"].into_iter().enumerate() {
        let refused = match step {
            "path" => policy.resolve_path("/etc/passwd", &Disk).is_err(),
            "write" => policy.check_write("write_file").is_err(),
            _ => policy.check_shell("ls").is_err(),
        };
        assert!(refused, "{step}");
        assert_eq!(policy.violations.len(), count + 1, "{step}");
    }
    let dict = policy.to_dict();
    let tail = dict.split_once("\"violations\":").unwrap().1;
    let reasons: Vec<&str> =
        tail.split("\"reason\":\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(
        reasons,
        [
            "path_outside_allowed_roots",
            "write_blocked_read_only",
            "shell_blocked",
            "path_outside_allowed_roots"
        ]
    );
}

#[test]
fn a_text_is_cut_at_the_smaller_limit_and_says_how_much_is_missing() {
    let cases = [
        // limit of the policy, limit of the call, text -> what comes back
        (4, None, "abcd", "abcd"),
        (4, None, "abcde", "abcd\n[truncated 1 chars]"),
        (4, Some(2), "abcde", "ab\n[truncated 3 chars]"),
        (2, Some(4), "abcde", "ab\n[truncated 3 chars]"),
        (4, Some(4), "abcde", "abcd\n[truncated 1 chars]"),
        (4, Some(0), "abc", "\n[truncated 3 chars]"),
        (4, Some(0), "", ""),
        // Unicode scalar values, not bytes and not what a person calls a letter.
        (2, None, "日本語", "日本\n[truncated 1 chars]"),
        (1, None, "e\u{301}", "e\n[truncated 1 chars]"),
        (1, None, "😀", "😀"),
        (1, None, "\n\n", "\n\n[truncated 1 chars]"),
    ];
    for (of_policy, of_call, text, want) in cases {
        let policy = tool_policy(&format!("max_file_chars = {of_policy}\n"));
        assert_eq!(policy.cap_text(text, of_call), want, "{of_policy} {of_call:?} {text:?}");
    }
    let policy = tool_policy("read_only = true\n");
    assert_eq!(policy.cap_text(&"x".repeat(8_000), None).len(), 8_000);
    assert!(policy.cap_text(&"x".repeat(8_001), None).ends_with("x\n[truncated 1 chars]"));
}
