//! Calls and policies that are none: each is refused with a reason and a place, and the program
//! neither panics nor hangs.

use std::fs;

use crate::door::{Door, Ran};

fn made() -> Door {
    let door = Door::new();
    assert_eq!(door.run(&["init"]).code, Some(0));
    door
}

/// Neither a panic nor a signal: an exit code that is promised, and something said.
#[track_caller]
fn ends_well(ran: &Ran, code: i32, what: &str) {
    let shown: String = ran.all().chars().take(2_000).collect();
    assert_eq!(ran.code, Some(code), "{what}: {shown}");
    assert!(!ran.stderr.contains("panicked"), "{what}: {shown}");
    assert!(ran.stderr.len() + ran.stdout.len() < 100_000, "{what}: too much is said");
}

fn call_file(door: &Door, bytes: &[u8]) -> Ran {
    door.write("args.json", bytes);
    door.run(&["call", "read_file", "--purpose", "test", "--args", "@args.json", "--format", "json"])
}

#[test]
fn arguments_that_are_none_are_refused_with_a_reason_and_recorded() {
    let door = made();
    let large = |bytes: usize| format!("{{\"path\": \"{}\"}}", "a".repeat(bytes)).into_bytes();
    let deep =
        |levels: usize| format!("{{\"path\": {}{}}}", "[".repeat(levels), "]".repeat(levels)).into_bytes();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        // what, the file -> part of the message
        ("10 MB", large(10_000_000), "`/path` must have at most 4096 characters"),
        ("17 MB", large(17 << 20), "more than the 16 MiB that a call may carry"),
        ("10,000 levels", deep(10_000), "nested too deeply at byte 521"),
        ("100 levels", deep(100), "nested more than 64 levels deep"),
        ("a key twice", br#"{"path": "a", "path": "b"}"#.to_vec(), "the key is given twice at byte 14"),
        (
            "a key twice by escape",
            br#"{"path": "a", "p\u0061th": "b"}"#.to_vec(),
            "the key is given twice at byte 14",
        ),
        ("half a pair", br#"{"path": "\ud800"}"#.to_vec(), "half of a surrogate pair stands alone"),
        ("the wrong half", br#"{"path": "\udc00\ud800"}"#.to_vec(), "half of a surrogate pair stands alone"),
        ("not JSON", b"path = a".to_vec(), "not JSON: expected a value at byte 0"),
        ("empty", Vec::new(), "not JSON: a value is missing at byte 0"),
        ("two values", b"{} {}".to_vec(), "something follows the value at byte 3"),
        ("a list", b"[1]".to_vec(), "the arguments are a list, expected an object"),
        ("not closed", br#"{"path": "a"#.to_vec(), "a string is not closed"),
        ("not UTF-8", b"{\"path\": \"a\xff\"}".to_vec(), "not UTF-8 text: byte "),
        ("UTF-16", b"\xff\xfe{\0}\0".to_vec(), "not UTF-8 text: byte "),
        ("a NUL byte", b"{\"path\": \"a\0b\"}".to_vec(), "a string holds a control character"),
        ("an escaped NUL", br#"{"path": "a\u0000b"}"#.to_vec(), ""),
        ("a huge number", br#"{"path": "a", "limit": 1e999}"#.to_vec(), "a number that 64 bits cannot hold"),
        ("another type", br#"{"path": ["a"]}"#.to_vec(), "`/path` must be of type string"),
        ("unknown", br#"{"path": "a", "mode": 1}"#.to_vec(), "`mode`"),
    ];
    let mut wrong = Vec::new();
    for (number, (what, bytes, want)) in cases.iter().enumerate() {
        let ran = call_file(&door, bytes);
        ends_well(&ran, 2, what);
        let answer = ran.json();
        assert_eq!((&answer["verdict"], &answer["status"]), (&"deny".into(), &"denied".into()), "{what}");
        let reason = &answer["reasons"][0];
        let message = reason["message"].as_str().unwrap();
        if reason["code"] != "bad_request" || !message.contains(want) {
            wrong.push(format!("{what}: {reason}"));
        }
        let refused = door.run(&["ledger", "query", "--event", "refused", "--format", "json"]).stdout;
        assert_eq!(refused.lines().count(), number + 1, "{what}: every refusal is one event on record");
        let last: serde_json::Value = serde_json::from_str(refused.lines().last().unwrap()).unwrap();
        assert_eq!(last["event"]["reasons"][0]["code"], reason["code"], "{what}");
        assert_eq!(last["event"]["call"], answer["call_id"], "{what}");
        assert_eq!(last["entry"], answer["ledger_entry"], "{what}");
        assert!(refused.len() < 2_000 * (number + 1), "{what}: the arguments themselves are not on record");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn words_of_a_call_that_are_none_are_refused_and_recorded() {
    let door = made();
    let cases: [(&[&str], &str); 8] = [
        (&["status"], "bad_request"),
        (&["status", "--purpose", " \u{200b}"], "bad_request"),
        (&["status", "--purpose", "x", "--agent", "a b"], "bad_request"),
        (&["status", "--purpose", "x", "--session", ""], "bad_request"),
        (&["status", "--purpose", "x", "--skill", "a//b"], "bad_request"),
        (&["sta\u{202e}tus", "--purpose", "x"], "unknown_tool"),
        (&["", "--purpose", "x"], "unknown_tool"),
        (&["read_fiel", "--purpose", "x"], "unknown_tool"),
    ];
    for (number, (words, want)) in cases.iter().enumerate() {
        let ran = door.run(&[&["call", "--format", "json"], *words].concat());
        ends_well(&ran, 2, &format!("{words:?}"));
        assert_eq!(ran.json()["reasons"][0]["code"], *want, "{words:?}");
        let refused = door.run(&["ledger", "query", "--event", "refused"]).stdout;
        assert_eq!(refused.lines().count(), number + 1, "{words:?}");
    }
    let long = "x".repeat(3_000);
    let ran = door.run(&["call", "status", "--purpose", &long, "--format", "json"]);
    ends_well(&ran, 2, "a purpose of 3,000 characters");
    for arguments in
        [["call", "status", "--context", "friend"], ["call", "status", "--args", "@missing.json"]]
    {
        ends_well(&door.run(&arguments), 3, &format!("{arguments:?}"));
    }
}

#[test]
fn what_is_no_file_is_not_read_for_arguments() {
    let door = made();
    fs::create_dir(door.path("folder")).unwrap();
    for file in ["@folder", "@/dev/zero", "@missing"] {
        let ran = door.run(&["call", "status", "--purpose", "x", "--args", file]);
        ends_well(&ran, 3, file);
        assert!(ran.stderr.contains(file.trim_start_matches('@')), "{}", ran.all());
    }
    let ran = door.run_with(
        &["call", "status", "--purpose", "x", "--args", "@-", "--format", "json"],
        &vec![b' '; 20 << 20],
    );
    ends_well(&ran, 2, "20 MiB on standard input");
}

/// A file of the policy that is broken, its first finding, and whether it closes the gate.
const BROKEN: &[(&str, &str, &str, bool)] = &[
    ("policy.toml", "read_only = maybe\n", "PO002 1:13", true),
    ("policy.toml", "\nread_only = 1\n", "PO005 2:13", true),
    ("policy.toml", "read_only = true\nread_only = true\n", "PO002 2:1", true),
    ("policy.toml", "deny = [\"\\u0000\"]\n", "PO010 1:9", true),
    ("skills/s/PERMISSIONS.json", "{\"name\": \"s\",}", "PO002 1:14", false),
    ("skills/s/PERMISSIONS.json", "{\n\"name\": \"s\", \"name\": \"s\"}", "PO002 2:14", false),
    ("skills/s/PERMISSIONS.json", "", "PO002 1:1", false),
    ("skills/s/PERMISSIONS.json", "[]", "PO005 1:1", false),
    ("policies/own.cedar", "\npermit (principal, action", "PO060 2:26", true),
    ("policies/own.cedar", "permit (principal, action, resource) when { context.x };", "PO061 1:45", true),
    ("tools/other.toml", "[tools.a]\nreed = \"p\"\n", "PO080 2:1", true),
    ("tools/other.toml", "[tools.a\n", "PO080 1:9", true),
];

#[test]
fn a_broken_file_of_the_policy_is_found_with_its_place_and_not_applied() {
    let mut wrong = Vec::new();
    for (file, text, want, closes) in BROKEN {
        let door = made();
        door.write(&format!(".toolgate/{file}"), text);
        let checked = door.run(&["policy", "check", "--format", "json"]);
        ends_well(&checked, 2, text);
        let answer = checked.json();
        let found: Vec<String> = answer["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|finding| finding["severity"] == "error" && finding["file"] == *file)
            .map(|finding| {
                format!("{} {}:{}", finding["code"].as_str().unwrap(), finding["line"], finding["column"])
            })
            .collect();
        if !found.contains(&(*want).to_owned()) {
            wrong.push(format!("{file} {text:?}: {found:?}"));
        }
        let shown = door.run(&["policy", "check"]);
        ends_well(&shown, 2, text);
        assert!(shown.stderr.contains(&format!(" --> {file}:")), "{}", shown.all());
        if *closes {
            let applied = door.run(&["policy", "apply"]);
            ends_well(&applied, 2, text);
            assert!(applied.stderr.contains("what is in force stays so"), "{}", applied.all());
        }
        let call = door.run(&["call", "status", "--purpose", "x", "--dry-run"]);
        ends_well(&call, 2, "files that are not those in force close the gate");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_file_of_the_policy_that_is_no_text_is_an_error_in_that_file() {
    for file in ["policy.toml", "skills/s/PERMISSIONS.json", "policies/own.cedar", "tools/other.toml"] {
        for (what, bytes) in [("not UTF-8", b"# caf\xe9\n".to_vec()), ("9 MiB", vec![b'\n'; 9 << 20])] {
            let door = made();
            door.write(&format!(".toolgate/{file}"), bytes);
            let checked = door.run(&["policy", "check", "--format", "json"]);
            ends_well(&checked, 2, &format!("{file}: {what}"));
            let answer = checked.json();
            let codes: Vec<(&str, &str)> = answer["findings"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|finding| finding["severity"] == "error")
                .map(|finding| (finding["file"].as_str().unwrap(), finding["code"].as_str().unwrap()))
                .collect();
            assert_eq!(codes, [(file, "PO001")], "{what}");
            assert_eq!(
                door.run(&["call", "status", "--purpose", "x", "--dry-run"]).code,
                Some(2),
                "{file}: {what}"
            );
        }
    }
}

#[test]
fn nesting_ends_no_program() {
    let repeated = |open: &str, close: &str| format!("{}{}", open.repeat(10_000), close.repeat(10_000));
    let cedar = |expression: String| format!("forbid (principal, action, resource) when {{ {expression} }};");
    let cases = [
        ("policy.toml", format!("deny = {}", repeated("[", "]"))),
        ("policy.toml", format!("deny = {}", "{a = ".repeat(10_000))),
        ("policy.toml", format!("[{}a]\n", "a.".repeat(10_000))),
        ("policy.toml", format!("{}a = 1\n", "a.".repeat(10_000))),
        ("skills/s/PERMISSIONS.json", repeated("[", "]")),
        ("skills/s/PERMISSIONS.json", "{\"a\":".repeat(10_000)),
        ("tools/other.toml", format!("tools = {}", repeated("[", "]"))),
        ("tools/other.toml", format!("[tools.{}a]\n", "a.".repeat(10_000))),
        ("tools/other.toml", format!("[tools.a]\nplain = 'a'\nschema = '{}'\n", repeated("[", "]"))),
        ("tools/other.toml", format!("[tools.a]\nplain = '{}'\n", "a.".repeat(10_000))),
        ("policies/own.cedar", cedar(repeated("(", ")"))),
        ("policies/own.cedar", cedar(format!("{}true", "!".repeat(10_000)))),
        ("policies/own.cedar", cedar(format!("{}1 < 0", "-".repeat(10_000)))),
        ("policies/own.cedar", cedar(format!("{}true", "true && ".repeat(20_000)))),
        ("policies/own.cedar", cedar(format!("{}true", "true || ".repeat(20_000)))),
        ("policies/own.cedar", cedar(format!("{}1 > 0", "1 + ".repeat(20_000)))),
        ("policies/own.cedar", cedar(format!("{}1 > 0", "1 * ".repeat(20_000)))),
        ("policies/own.cedar", cedar(format!("context{}", ".a".repeat(20_000)))),
        ("policies/own.cedar", cedar(format!("context has a{}", ".a".repeat(20_000)))),
        ("policies/own.cedar", cedar(format!("principal is {}A", "A::".repeat(20_000)))),
        ("policies/own.cedar", cedar("if true then ".repeat(10_000))),
        (
            "policies/own.cedar",
            format!("forbid (principal, action, resource){};", " when { true }".repeat(20_000)),
        ),
    ];
    let mut wrong = Vec::new();
    for (file, text) in &cases {
        let door = made();
        door.write(&format!(".toolgate/{file}"), text);
        let head: String = text.chars().take(60).collect();
        let checked = door.run(&["policy", "check", "--format", "json"]);
        let good = checked.code == Some(2)
            && checked.json()["findings"].as_array().unwrap().iter().any(|finding| finding["file"] == *file);
        if !good {
            wrong.push(format!("{file} {head}: {:?}", checked.code));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn ten_thousand_rules_are_checked_and_decided_in_time() {
    let list = |name: &str, count: usize| {
        let entries: Vec<String> = (0..count).map(|number| format!("\"{name}-{number}\"")).collect();
        entries.join(", ")
    };
    let policies = [
        format!("deny = [{}]\n", list("secret", 10_000)),
        format!("write_paths = [{}]\nread_only = false\n", list("out", 10_000)),
    ];
    for text in &policies {
        let door = made();
        door.write(".toolgate/policy.toml", text);
        let head: String = text.chars().take(40).collect();
        let checked = door.run(&["policy", "check"]);
        ends_well(&checked, 0, &head);
    }
    let door = made();
    door.write(".toolgate/policy.toml", &policies[0]);
    let case = |path: &str, verdict: &str| {
        format!(
            "[[case]]\ntool = \"read_file\"\narguments = {{ path = \"{path}\" }}\nverdict = \"{verdict}\"\n"
        )
    };
    let cases = case("secret-9999/a", "deny") + &case("secret-10000/a", "allow");
    door.write("cases.toml", cases);
    let tested = door.run(&["policy", "test", "cases.toml"]);
    assert_eq!(tested.stdout, "2 passed, 0 failed\n", "{}", tested.all());
}

#[test]
fn programs_are_answered_in_one_form_even_where_there_is_no_gate() {
    let door = Door::new();
    let ran = door.run(&["call", "read_file", "--purpose", "p", "--format", "json"]);
    let keys: Vec<String> = ran.json().as_object().unwrap().keys().cloned().collect();
    let want = [
        "call_id",
        "status",
        "summary",
        "artifacts",
        "content",
        "untrusted",
        "labels",
        "verdict",
        "reasons",
        "risk_flags",
        "ledger_entry",
    ];
    assert_eq!((ran.code, keys), (Some(3), want.map(str::to_owned).to_vec()), "{}", ran.all());
    let answer = ran.json();
    assert_eq!((&answer["verdict"], &answer["reasons"][0]["code"]), (&"deny".into(), &"no_home".into()));
    let ran = door.run(&["run", "TR-20260201-070000Z-x", "--format", "json"]);
    assert_eq!((ran.code, &ran.json()["reasons"][0]["code"]), (Some(3), &"no_home".into()), "{}", ran.all());
}

#[test]
fn arguments_are_not_waited_for_where_a_pipe_stands() {
    let door = Door::new();
    assert_eq!(door.run(&["init"]).code, Some(0));
    rustix::fs::mknodat(
        rustix::fs::CWD,
        door.path("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    let ran = door.run(&["call", "read_file", "--purpose", "p", "--args", "@pipe"]);
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    assert!(ran.stderr.contains("`@-` reads from standard input"), "{}", ran.all());
}

#[test]
fn a_glob_that_means_nothing_is_no_call() {
    let door = Door::new();
    assert_eq!(door.run(&["init"]).code, Some(0));
    for (tool, arguments) in [
        ("list_files", r#"{"path": ".", "glob": "[a"}"#),
        ("search_files", r#"{"path": ".", "pattern": "x", "glob": "{a,"}"#),
    ] {
        let words = ["call", tool, "--purpose", "p", "--args", arguments, "--format", "json"];
        let ran = door.run(&words);
        assert_eq!(
            (ran.code, &ran.json()["reasons"][0]["code"]),
            (Some(2), &"bad_request".into()),
            "{}",
            ran.all()
        );
    }
}
