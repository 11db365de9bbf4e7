//! A home, and calls that are weighed in it.

use crate::door::Door;

/// A home that was just made, with a file and a secret in its workspace.
fn made() -> Door {
    let door = Door::new();
    assert_eq!(door.run(&["init"]).code, Some(0));
    door.write("README.md", "hello\n");
    door.write(".env", "A=1\n");
    door
}

#[track_caller]
fn call(door: &Door, tool: &str, arguments: &str, more: &[&str]) -> (Option<i32>, String) {
    let words =
        [&["call", tool, "--purpose", "test", "--args", arguments, "--dry-run", "--format", "json"], more];
    let ran = door.run(&words.concat());
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let codes = answer["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reason| reason["code"].as_str().unwrap().to_owned());
    let said: Vec<String> =
        std::iter::once(answer["verdict"].as_str().unwrap().to_owned()).chain(codes).collect();
    (ran.code, said.join(" "))
}

#[test]
fn a_new_home_is_sound_safe_and_in_force() {
    let door = made();
    let names = [
        "approvers",
        "ledger",
        "policies",
        "policy.toml",
        "requests",
        "results",
        "reviews",
        "skills",
        "state",
        "tools",
    ];
    assert_eq!(door.names(".toolgate"), names);
    assert_eq!(door.names(".toolgate/skills"), ["file_editor", "github_pr", "sandbox_exec", "web_research"]);
    let checked = door.run(&["policy", "check"]);
    assert_eq!((checked.code, checked.stdout.as_str()), (Some(0), "the policy is sound\n"), "{checked:?}");
    assert_eq!(door.run(&["init"]).code, Some(3), "a home is never made twice");
}

#[test]
fn code_that_the_smallest_lane_refuses_is_told_beforehand_as_it_would_end() {
    let door = made();
    let cases = [
        ("import os; print(os.listdir('/'))", Some(2)),
        ("__import__('subprocess').run(['id'])", Some(2)),
        ("print(eval('1+1'))", Some(2)),
        ("f = open('a.txt')", Some(2)),
        ("import json, math; print(json.dumps(math.pi), stdin)", Some(0)),
        ("[x for x in range(3)]", Some(0)),
    ];
    for (code, exit) in cases {
        let arguments = serde_json::json!({ "language": "python", "code": code, "stdin": "x" }).to_string();
        let (beforehand, said) = call(&door, "exec_sandbox", &arguments, &[]);
        let want = if exit == Some(0) { "allow" } else { "deny sandbox_rule" };
        assert_eq!((beforehand, said.as_str()), (exit, want), "{code}");
        let ran = door.run(&["call", "exec_sandbox", "--purpose", "test", "--args", &arguments]);
        assert_eq!(ran.code, exit, "{}", ran.all());
    }
}

#[test]
fn a_new_home_denies_writes_shell_network_and_secrets() {
    let door = made();
    let cases = [
        ("read_file", r#"{"path": "README.md"}"#, 0, "allow"),
        ("list_files", r#"{"path": "."}"#, 0, "allow"),
        ("status", "{}", 0, "allow"),
        ("exec_sandbox", r#"{"language": "python", "code": "1 + 1"}"#, 0, "allow"),
        ("exec_sandbox", r#"{"language": "node", "code": "1 + 1"}"#, 4, "needs_approval approval_required"),
        ("read_file", r#"{"path": ".env"}"#, 2, "deny path_denied"),
        ("read_file", r#"{"path": "docs/~backup.md"}"#, 0, "allow"),
        ("read_file", r#"{"path": "src/../README.md"}"#, 2, "deny path_unclear"),
        ("read_file", r#"{"path": "README.md/x"}"#, 2, "deny not_found"),
        ("read_file", r#"{"path": "README.md/"}"#, 2, "deny not_found"),
        ("read_file", r#"{"path": ".toolgate/policy.toml"}"#, 2, "deny gate_home"),
        ("write_file", r#"{"path": "a", "content": "x"}"#, 2, "deny write_blocked_read_only"),
        ("delete_file", r#"{"path": "README.md"}"#, 2, "deny write_blocked_read_only"),
        ("exec_shell", r#"{"command": "ls"}"#, 2, "deny shell_blocked"),
        ("network_fetch", r#"{"url": "https://example.org/"}"#, 2, "deny network_disabled"),
        ("read_file", r#"{"path": 1}"#, 2, "deny bad_request"),
        ("read_file", r#"{"path": "a", "path": "b"}"#, 2, "deny bad_request"),
        ("read_file", r#"{"path": "a", "more": true}"#, 2, "deny bad_request"),
        ("read_file", "[]", 2, "deny bad_request"),
        ("read_fiel", "{}", 2, "deny unknown_tool"),
        ("other.tool", "{}", 2, "deny unmapped_tool"),
    ];
    for (tool, arguments, code, want) in cases {
        assert_eq!(call(&door, tool, arguments, &[]), (Some(code), want.to_owned()), "{tool} {arguments}");
    }
    let skill = |name| call(&door, "read_file", r#"{"path": "README.md"}"#, &["--skill", name]);
    assert_eq!(skill("file_editor"), (Some(0), "allow".to_owned()));
    assert_eq!(skill("file_editor/github_pr"), (Some(0), "allow".to_owned()));
    assert_eq!(skill("web_research").1, "deny tool_denied path_not_allowed");
    assert!(skill("nobody").1.starts_with("deny no_permissions_defined"));
    let secret = r#"{"scope": "ci", "name": "T", "use": "header"}"#;
    assert_eq!(call(&door, "secrets_get", secret, &["--context", "operator"]).1, "deny secret_scope_denied");
    let no_purpose = door.run(&["call", "status", "--dry-run"]);
    assert_eq!(no_purpose.code, Some(2), "{no_purpose:?}");
}

#[test]
fn changed_files_close_the_gate_until_they_are_applied() {
    let door = made();
    let policy = door.read(".toolgate/policy.toml");
    door.write(".toolgate/policy.toml", policy.replace("read_only = true", "read_only = false"));
    let read = || call(&door, "read_file", r#"{"path": "README.md"}"#, &[]).1;
    assert_eq!(read(), "deny policy_not_applied");
    let refused = door.run(&["policy", "apply"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("risk: high"), "{refused:?}");
    assert_eq!(read(), "deny policy_not_applied");
    let review = [
        "--reason",
        "typos",
        "--abuse-case",
        "defaced docs",
        "--tests",
        "tests/a.toml",
        "--rollback",
        "git revert",
    ];
    let applied = door.run(&[&["policy", "apply"], review.as_slice()].concat());
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert_eq!(read(), "allow");
    assert_eq!(
        call(&door, "write_file", r#"{"path": "a", "content": "x"}"#, &[]).1,
        "needs_approval approval_required"
    );
    let reviews = door.names(".toolgate/reviews");
    assert_eq!(reviews.len(), 1);
    let record = door.read(&format!(".toolgate/reviews/{}", reviews[0]));
    for field in [
        "previous_authority",
        "new_authority",
        "reason",
        "affected_tools",
        "abuse_case",
        "tests_added",
        "trace_fields",
        "report_warning",
        "rollback",
        "previous_policy",
        "new_policy",
    ] {
        assert!(record.lines().any(|line| line.starts_with(&format!("{field} = "))), "{field}: {record}");
    }
    // Less authority needs nobody.
    door.write(".toolgate/policy.toml", policy);
    let back = door.run(&["policy", "apply"]);
    assert_eq!(back.code, Some(0), "{back:?}");
    assert!(back.stderr.contains("risk: low"), "{back:?}");
    assert_eq!(read(), "allow");
}

#[test]
fn a_bad_policy_refuses_calls_and_is_not_applied() {
    let door = made();
    door.write(".toolgate/policy.toml", "read_only = maybe\n");
    assert_eq!(call(&door, "status", "{}", &[]).1, "deny policy_not_applied");
    assert_eq!(door.run(&["policy", "check"]).code, Some(2));
    assert_eq!(door.run(&["policy", "apply"]).code, Some(2));
    assert_eq!(door.run(&["policy", "show"]).code, Some(2));
    let elsewhere = Door::new();
    assert_eq!(elsewhere.run(&["call", "status", "--purpose", "x", "--dry-run"]).code, Some(3));
    assert_eq!(elsewhere.run(&["policy", "check"]).code, Some(3));
}

#[test]
fn a_refused_call_is_on_record_and_a_dry_run_is_not() {
    let door = made();
    let arguments = r#"{"path": ".env"}"#;
    assert_eq!(call(&door, "read_file", arguments, &[]).0, Some(2));
    let shown = || -> serde_json::Value {
        serde_json::from_str(&door.run(&["policy", "show", "--format", "json"]).stdout).unwrap()
    };
    assert_eq!(shown()["violations"].as_array().unwrap().len(), 0);
    assert_eq!(door.run(&["call", "read_file", "--purpose", "x", "--args", arguments]).code, Some(2));
    assert_eq!(door.run(&["call", "read_file", "--purpose", "x", "--args", "not json"]).code, Some(2));
    let violations = shown()["violations"].clone();
    assert_eq!(violations[0]["reasons"][0], "path_denied");
    assert_eq!(violations[1]["reasons"][0], "bad_request");
    assert_eq!(door.run(&["call", "status", "--purpose", "x"]).code, Some(0), "what is allowed is done");
}

#[test]
fn one_way_in_for_calls_explanations_and_tests() {
    let door = made();
    let case = |verdict: &str| {
        format!(
            "[[case]]\ntool = \"read_file\"\narguments = {{ path = \".env\" }}\nverdict = \"{verdict}\"\nreasons = [\"path_denied\"]\n"
        )
    };
    door.write("cases/good.toml", case("deny"));
    let explained =
        door.run(&["policy", "explain", "read_file", "--purpose", "x", "--args", r#"{"path": ".env"}"#]);
    assert_eq!(explained.code, Some(2));
    assert!(explained.stdout.contains("policy.toml#deny[0]"), "{explained:?}");
    let tested = door.run(&["policy", "test", "cases"]);
    assert_eq!((tested.code, tested.stdout.as_str()), (Some(0), "1 passed, 0 failed\n"), "{tested:?}");
    door.write("cases/bad.toml", case("allow"));
    assert_eq!(door.run(&["policy", "test", "cases"]).code, Some(1));
    door.write("cases/bad.toml", "[[case]]\ntool = \"read_file\"\nverdict = \"maybe\"\n");
    assert_eq!(door.run(&["policy", "test", "cases"]).code, Some(3));
}

#[test]
fn what_lies_among_the_policies_and_is_not_read_closes_the_gate() {
    for (name, closes) in [
        ("policies/sub/x.cedar", true),
        ("policies/X.CEDAR", true),
        ("policies/x.txt", true),
        ("policies/README.md", false),
        ("policies/.gitkeep", false),
    ] {
        let door = Door::new();
        door.run(&["init"]);
        door.write(&format!(".toolgate/{name}"), "forbid (principal, action, resource);\n");
        let checked = door.run(&["policy", "check"]);
        assert_eq!(checked.code, Some(if closes { 2 } else { 0 }), "{name} {checked:?}");
        let call =
            door.run(&["call", "read_file", "--purpose", "p", "--args", "{\"path\": \"a\"}", "--dry-run"]);
        assert_eq!(call.code, Some(if closes { 2 } else { 0 }), "{name} {call:?}");
    }
}

#[test]
fn the_value_of_a_secret_that_policy_names_is_known_everywhere() {
    let door = Door::new();
    door.run(&["init"]);
    let policy = "read_only = false\nwrite_paths = [\".\"]\n[secrets.ci]\nprovider = \"env\"\nnames = [\"CI_WORD\"]\n\
                  [secrets.disk]\nprovider = \"file\"\npath = \"KEYS\"\n";
    let keys = door.write("keys", "OTHER=plain-Words-9-of-a-file\n");
    door.write(".toolgate/policy.toml", policy.replace("KEYS", keys.to_str().unwrap()));
    let said = ["--reason", "r", "--abuse-case", "a", "--tests", "t", "--rollback", "b"];
    assert_eq!(door.run(&[&["policy", "apply"][..], &said].concat()).code, Some(0));
    let value = "correct-Horse7battery!staple";
    let write = |content: &str, purpose: &str| {
        let arguments = serde_json::json!({"path": "a", "content": content}).to_string();
        let mut command = door.command(&[
            "call",
            "write_file",
            "--purpose",
            purpose,
            "--args",
            &arguments,
            "--format",
            "json",
        ]);
        crate::door::finish(command.env("CI_WORD", value).spawn().unwrap()).json()
    };
    assert_eq!(write("nothing of note", "p")["verdict"], "needs_approval");
    for content in [value, "plain-Words-9-of-a-file", "Y29ycmVjdC1Ib3JzZTdiYXR0ZXJ5IXN0YXBsZQ=="] {
        assert_eq!(write(content, "p")["verdict"], "deny", "{content}");
    }
    // Not even the ledger is told.
    let mut command = door.command(&["call", "status", "--purpose", value, "--format", "json"]);
    let ran = crate::door::finish(command.env("CI_WORD", value).spawn().unwrap());
    assert_eq!(
        (ran.code, &ran.json()["reasons"][0]["code"]),
        (Some(2), &"secret_exfiltration".into()),
        "{ran:?}"
    );
    let asked = door.run(&["ledger", "show", ran.json()["call_id"].as_str().unwrap()]).stdout;
    assert!(asked.contains("<REDACTED:known_secret>"), "{asked}");
    let database = std::fs::read(door.path(".toolgate/ledger/ledger.db")).unwrap();
    assert!(!database.windows(value.len()).any(|window| window == value.as_bytes()));
}

#[test]
fn a_call_that_holds_a_secret_is_on_record_to_its_end_without_it() {
    let door = Door::new();
    door.run(&["init"]);
    let policy = "allowed_roots = [\".\"]\n[secrets.ci]\nprovider = \"env\"\nnames = [\"CI_WORD\"]\n";
    door.write(".toolgate/policy.toml", policy);
    let said = ["--reason", "r", "--abuse-case", "a", "--tests", "t", "--rollback", "b"];
    assert_eq!(door.run(&[&["policy", "apply"][..], &said].concat()).code, Some(0));
    let value = "correct-Hörse7battery!staple";
    let escaped = value.replace('\u{f6}', "\\u00f6");
    let events = |purpose: &str, agent: &str, path: &str| {
        let arguments = serde_json::json!({ "path": path }).to_string();
        let words = ["call", "read_file", "--purpose", purpose, "--agent", agent, "--args", &arguments];
        let mut command = door.command(&[&words[..], &["--format", "json"]].concat());
        let ran = crate::door::finish(command.env("CI_WORD", value).spawn().unwrap());
        let id = ran.json()["call_id"].as_str().unwrap_or_default().to_owned();
        let shown = door.run(&["ledger", "show", &id, "--format", "json"]).stdout;
        assert!(!shown.contains("battery!staple"), "{shown}");
        let events: Vec<serde_json::Value> = shown
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["event"].clone())
            .collect();
        (ran.code, events)
    };
    for path in [value, &escaped] {
        let (code, events) = events("p", "cli", path);
        assert_eq!(code, Some(2), "{path}");
        let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
        assert_eq!(names, ["asked", "ruled", "refused"]);
        assert_eq!((&events[1]["verdict"], events[1].get("effects")), (&"deny".into(), None), "{path}");
        assert!(events[2]["args_hash"].as_str().unwrap().starts_with("hmac-sha256:"), "{:?}", events[2]);
        assert_eq!(events[2].get("effects_digest"), None);
    }
    let (_, named) = events("p", "correct-H\u{f6}rse7battery!staple", "a");
    assert_eq!((named.len(), named[0].get("agent")), (3, None));
    // A gate that is closed knows what must not be written down all the same.
    door.write(".toolgate/policy.toml", "allowed_roots = [\".\"]\n");
    let (code, closed) = events(value, "cli", "a");
    assert_eq!((code, &closed[0]["purpose"]), (Some(2), &"<REDACTED:known_secret>".into()));
    assert_eq!(door.run(&["ledger", "verify"]).code, Some(0));
}
