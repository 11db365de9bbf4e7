//! Front matter, key by key: what must not pass, and the honest twin that must.

mod request;

use request::{Request, check_text};

#[track_caller]
fn check(cases: &[(&str, &str, &str)]) {
    for (key, yaml, want) in cases {
        assert_eq!(Request::new().with(key, yaml).errors().join(" "), *want, "{key}: {yaml}");
    }
}

#[test]
fn the_honest_request_is_accepted_without_a_finding() {
    assert_eq!(Request::new().codes(), Vec::<&str>::new());
    assert_eq!(Request::monty().codes(), Vec::<&str>::new());
}

#[test]
fn a_required_key_is_never_left_out() {
    for (key, want) in [
        ("request_type", "TR014"),
        ("schema_version", "TR014"),
        ("request_id", "TR014"),
        ("created_utc", "TR014"),
        ("requested_by", "TR014"),
        ("approved_by", "TR109"),
        ("approved_utc", "TR110"),
        ("purpose", "TR014"),
        ("language", "TR014"),
        ("network", "TR014"),
        ("cpu_limit", "TR014"),
        ("memory_limit_mb", "TR014"),
        ("time_limit_sec", "TR014"),
    ] {
        let errors = Request::new().without(key).errors();
        assert_eq!(errors.first(), Some(&want), "{key}: {errors:?}");
    }
    let optional = Request::new()
        .with("backend", "ERA")
        .with("network_allowlist", "[]")
        .with("constraints", "[No persistence]")
        .without("inputs")
        .replace("- /in/input.csv\n- /in/script.py", "None");
    for key in ["backend", "network_allowlist", "outputs_expected", "constraints", "inputs"] {
        assert_eq!(optional.clone().without(key).errors(), Vec::<&str>::new(), "{key}");
    }
}

#[test]
fn enumerations_have_their_words_and_no_others() {
    check(&[
        ("request_type", "\"tool_request\"", ""),
        ("request_type", "tool_result", "TR101"),
        ("request_type", "Tool_Request", "TR101"),
        ("request_type", "", "TR101"),
        ("request_type", "[tool_request]", "TR015"),
        ("schema_version", "1", ""),
        ("schema_version", "\"1\"", ""),
        ("schema_version", "'1'", ""),
        ("schema_version", "2", "TR102"),
        ("schema_version", "1.0", "TR102"),
        ("schema_version", "01", "TR102"),
        ("schema_version", "0x1", "TR102"),
        ("schema_version", "\" 1\"", "TR102"),
        ("requested_by", "core_draft", ""),
        ("requested_by", "Human", "TR108"),
        ("requested_by", "robot", "TR108"),
        ("backend", "ERA", ""),
        ("backend", "era", ""),
        ("backend", "\"\"", "TR114"),
        ("backend", "docker", "TR114"),
        ("language", "Python", "TR115"),
        ("language", "perl", "TR115"),
        ("language", "shell_forbidden", "TR115"),
        ("language", "shell", "TR116"),
        ("language", "bash", "TR116"),
        ("language", "BASH", "TR116"),
        ("language", "sh", "TR116"),
        ("language", "zsh", "TR116"),
        ("language", "powershell", "TR116"),
        ("language", "pwsh", "TR116"),
        ("language", "cmd", "TR116"),
        ("language", "fish", "TR116"),
        ("network", "full", "TR117"),
        ("network", "None", "TR117"),
        ("network", "\"\"", "TR117"),
        ("network", "true", "TR117"),
    ]);
}

#[test]
fn an_id_never_names_a_path_or_an_unreal_time() {
    check(&[
        ("request_id", "TR-20260209-160501Z-a", ""),
        ("request_id", "TR-20260230-160501Z-a", "TR103"),
        ("request_id", "TR-20260209-250000Z-a", "TR103"),
        ("request_id", "TR-20260209-160501Z-../../x", "TR103"),
        ("request_id", "TR-20260209-160501Z-a/b", "TR103"),
        ("request_id", "stats", "TR103"),
        ("request_id", "\"TR-20260209-160501Z-a\\n\"", "TR103"),
    ]);
    let named = |stem: &str| Request { stem: Some(stem.to_owned()), ..Request::new() }.errors().join(" ");
    assert_eq!(named("TR-20260209-160501Z-stats"), "");
    assert_eq!(named("TR-20260209-160501Z-other"), "TR104");
    assert_eq!(named("request"), "");
    assert_eq!(named("tr-x"), "");
}

#[test]
fn times_are_real_past_and_in_order() {
    check(&[
        ("created_utc", "2026-02-09T16:05:01Z", ""),
        ("created_utc", "2026-02-09T16:05:01.250Z", ""),
        ("created_utc", "2026-02-09T16:12:00Z", ""),
        ("created_utc", "2026-02-09T16:12:01Z", "TR107"),
        ("created_utc", "2026-02-09T16:05:01+00:00", "TR105"),
        ("created_utc", "2026-02-09 16:05:01Z", "TR105"),
        ("created_utc", "2026-02-09t16:05:01z", "TR105"),
        ("created_utc", "2026-02-09", "TR105"),
        ("created_utc", "2026-02-30T16:05:01Z", "TR105"),
        ("created_utc", "2026-02-09T16:05:60Z", "TR105"),
        ("created_utc", "yesterday", "TR105"),
        ("created_utc", "\"\"", "TR105"),
        ("approved_utc", "2026-11-15T12:00:00Z", ""),
        ("approved_utc", "2026-11-15T12:01:00Z", ""),
        ("approved_utc", "2026-11-15T12:01:01Z", "TR106"),
        ("approved_utc", "2099-01-01T00:00:00Z", "TR106"),
        ("approved_utc", "2026-02-09T16:05:00Z", "TR107"),
        ("approved_utc", "2026-02-09T16:12:00", "TR105"),
    ]);
}

#[test]
fn nobody_but_a_person_approves() {
    check(&[
        ("approved_by", "alice", ""),
        ("approved_by", "\"José García\"", ""),
        ("approved_by", "Анна Иванова", ""),
        ("approved_by", "田中太郎", ""),
        ("approved_by", "\"محمد\"", ""),
        ("approved_by", "operator-7", ""),
        ("approved_by", "12345", ""),
        ("approved_by", "Agent Smith", ""),
        ("approved_by", "Corey", ""),
        ("approved_by", "", "TR109"),
        ("approved_by", "\"\"", "TR109"),
        ("approved_by", "\"   \"", "TR109"),
        ("approved_by", "~", "TR109"),
        ("approved_by", "null", "TR109"),
        ("approved_by", "true", "TR109"),
        ("approved_by", "no", "TR109"),
        ("approved_by", "\"\\u200b\"", "TR016 TR109"),
        ("approved_by", "\"\\u00a0\"", "TR016 TR109"),
        ("approved_by", "\u{3164}", "TR016 TR109"),
        ("approved_by", "core", "TR111"),
        ("approved_by", "CORE", "TR111"),
        ("approved_by", "\" core \"", "TR111"),
        ("approved_by", "core_draft", "TR111"),
        ("approved_by", "Core-Draft", "TR111"),
        ("approved_by", "agent", "TR111"),
        ("approved_by", "\"@core\"", "TR111"),
        ("approved_by", "(agent)", "TR111"),
        ("approved_by", "сore", "TR111"),
        ("approved_by", "ａｇｅｎｔ", "TR111"),
        ("approved_by", "c0re", "TR111"),
        ("approved_by", "\"co\\u200bre\"", "TR016 TR111"),
        ("approved_by", "аlice", "TR112"),
        ("approved_by", "\"alice\\u202ebob\"", "TR016"),
        ("approved_by", "\"alice\\tbob\"", "TR016"),
        ("approved_by", "\"alice\\nbob\"", "TR016"),
        ("approved_by", "\"\\x1b[2Jalice\"", "TR016"),
        ("approved_by", "[alice]", "TR015"),
        ("approved_by", "{name: alice}", "TR015"),
    ]);
}

#[test]
fn a_purpose_is_one_line_that_can_be_seen() {
    let long = "x".repeat(301);
    let right = "x".repeat(300);
    check(&[
        ("purpose", "Why not.", ""),
        ("purpose", &right, ""),
        ("purpose", ">-\n  Folded over\n  two lines.", ""),
        ("purpose", ">\n  Folded with an end.", ""),
        ("purpose", "\"حساب الإحصاءات\"", ""),
        ("purpose", "\"Careful ⚠️ here\"", ""),
        ("purpose", &long, "TR113"),
        ("purpose", "\"\"", "TR113"),
        ("purpose", "\"  \"", "TR113"),
        ("purpose", "", "TR113"),
        ("purpose", "|\n  Two\n  lines.", "TR016 TR113"),
        ("note", "|\n  Two\n  lines.", ""),
        ("note", "\"ghp_kZ3xQm7vTn2bLp9wRs\\\n  4yHd6fJc8gVa1eXu5o\"", "TR501"),
        ("purpose", "\"a\\u00a0b\"", "TR016"),
        ("purpose", "\"a\\u00adb\"", "TR016"),
        ("purpose", "a\u{200d}b", "TR016"),
        ("purpose", "a\u{feff}b", "TR006"),
        ("purpose", "\"a\\u2066b\"", "TR016"),
        ("purpose", "\"a\\u{0}\"", "TR006"),
    ]);
}

#[test]
fn the_network_is_none_or_a_list_of_public_hosts() {
    let network = |list: &str| {
        let request = Request::new().with("network", "allowlist").with("network_allowlist", list);
        request.replace("Network rationale: none", "Network rationale: reads the index").errors().join(" ")
    };
    for (list, want) in [
        ("[example.org]", ""),
        ("[\"example.org:443\", '*.example.org']", ""),
        ("\n  - api.example.org", ""),
        ("[]", "TR118"),
        ("", "TR118"),
        ("example.org", "TR015 TR118"),
        ("[\"*\"]", "TR121"),
        ("[\"*.com\"]", "TR121"),
        ("[\"*.github.io\"]", "TR121"),
        ("[localhost]", "TR122"),
        ("[10.0.0.1]", "TR122"),
        ("[\"169.254.169.254\"]", "TR122"),
        ("[\"[::1]:80\"]", "TR122"),
        ("[\"https://example.org\"]", "TR120"),
        ("[{host: example.org}]", "TR015"),
    ] {
        assert_eq!(network(list), want, "{list}");
    }
    assert_eq!(Request::new().with("network_allowlist", "[]").errors().join(" "), "");
    assert_eq!(Request::new().with("network_allowlist", "").errors().join(" "), "");
    assert_eq!(Request::new().with("network_allowlist", "[example.org]").errors().join(" "), "TR119");
    let without = Request::new().with("network", "allowlist");
    assert_eq!(without.errors().join(" "), "TR118 TR214");
}

#[test]
fn limits_are_plain_numbers_within_bounds() {
    check(&[
        ("cpu_limit", "2", ""),
        ("cpu_limit", "0.5", ""),
        ("cpu_limit", "\"64\"", ""),
        ("cpu_limit", "64.5", "TR124"),
        ("cpu_limit", "0", "TR124"),
        ("cpu_limit", "-1", "TR124"),
        ("cpu_limit", ".nan", "TR124"),
        ("cpu_limit", "1e1", "TR124"),
        ("cpu_limit", "\"2; rm\"", "TR124"),
        ("cpu_limit", "", "TR124"),
        ("cpu_limit", "[2]", "TR015"),
        ("memory_limit_mb", "\"1024\"", ""),
        ("memory_limit_mb", "1048576", ""),
        ("memory_limit_mb", "1048577", "TR125"),
        ("memory_limit_mb", "1e3", "TR125"),
        ("memory_limit_mb", "1024.0", "TR125"),
        ("memory_limit_mb", "+5", "TR125"),
        ("memory_limit_mb", "0", "TR125"),
        ("memory_limit_mb", "99999999999999999999", "TR125"),
        ("time_limit_sec", "86400", ""),
        ("time_limit_sec", "86401", "TR126"),
        ("time_limit_sec", "-5", "TR126"),
        ("time_limit_sec", "1_000", "TR126"),
    ]);
}

#[test]
fn inputs_are_plain_names_with_digests_each_once() {
    let digest = "c".repeat(64);
    let inputs = |items: &str| {
        let items = items.replace("DIGEST", &digest);
        let request = Request::new().with("inputs", &items);
        request.replace("- /in/input.csv\n- /in/script.py", "").errors().join(" ")
    };
    // TR206 is the input that the section does not list.
    for (items, want) in [
        ("[]", ""),
        ("", ""),
        ("[{name: a.csv, sha256: DIGEST}]", "TR206"),
        ("[{name: a b.csv, sha256: DIGEST}]", "TR206"),
        ("[{name: a..b, sha256: DIGEST}]", "TR206"),
        ("[{name: .hidden, sha256: DIGEST}]", "TR206"),
        ("[{name: ../a, sha256: DIGEST}]", "TR127 TR206"),
        ("[{name: /etc/passwd, sha256: DIGEST}]", "TR127 TR206"),
        ("[{name: a/b, sha256: DIGEST}]", "TR127 TR206"),
        ("[{name: 'a\\b', sha256: DIGEST}]", "TR127 TR206"),
        ("[{name: .., sha256: DIGEST}]", "TR127 TR206"),
        ("[{name: -rf, sha256: DIGEST}]", "TR127 TR206"),
        ("[{name: \"\", sha256: DIGEST}]", "TR127 TR206"),
        ("[{name: a, sha256: DIGEST}, {name: a, sha256: DIGEST}]", "TR128 TR206 TR206"),
        ("[{name: a}]", "TR129 TR206"),
        ("[{name: a, sha256: }]", "TR129 TR206"),
        ("[{name: a, sha256: abc}]", "TR129 TR206"),
        ("[{name: a, sha256: \"sha256:DIGEST\"}]", "TR129 TR206"),
        ("[{sha256: DIGEST}]", "TR127"),
        ("[a.csv]", "TR015"),
        ("a.csv", "TR015"),
    ] {
        assert_eq!(inputs(items), want, "{items}");
    }
    let upper = Request::new().with("inputs", &format!("[{{name: input.csv, sha256: {}}}]", "C".repeat(64)));
    assert_eq!(upper.replace("- /in/script.py\n", "").errors().join(" "), "");
}

#[test]
fn outputs_lie_below_out_once_normalised() {
    let outputs = |path: &str, listed: &str| {
        let request =
            Request::new().with("outputs_expected", &format!("[{{path: \"{path}\", description: x}}]"));
        request.replace("/out/output.json: the", listed).errors().join(" ")
    };
    for (path, listed, want) in [
        ("/out/output.json", "/out/output.json: x", ""),
        ("output.json", "/out/output.json: x", ""),
        ("./output.json", "/out/output.json: x", ""),
        ("/out/a/../output.json", "/out/output.json: x", ""),
        ("a/b.json", "/out/a/b.json", ""),
        ("/out/../etc/x", "nothing", "TR130"),
        ("../x", "nothing", "TR130"),
        ("/etc/x", "nothing", "TR130"),
        ("/out", "nothing", "TR130"),
        ("/outside/x", "nothing", "TR130"),
        ("~/x", "nothing", "TR130"),
    ] {
        assert_eq!(outputs(path, listed), want, "{path}");
    }
}

#[test]
fn yaml_that_two_readers_could_read_differently_is_refused() {
    let errors = |front: &str| {
        let text = Request::new().text().replacen("---\n", &format!("---\n{front}"), 1);
        let checked = check_text(&text, None, document::Profile::Strict);
        let codes: Vec<_> = checked.findings.iter().filter(|f| f.is_error()).map(|f| f.rule.code).collect();
        codes.join(" ")
    };
    for (front, want) in [
        ("# a comment\n", ""),
        ("language: python\n", "TR008"),
        ("x: &a 1\n", "TR009"),
        ("x: &a [1]\ny: *a\n", "TR009 TR009"),
        ("<<: {a: b}\n", "TR010"),
        ("x: !!str 1\n", "TR011"),
        ("x: !tag 1\n", "TR011"),
        ("x: {a: 1, a: 2}\n", "TR008"),
        ("? [a]\n: b\n", "TR007"),
        ("x: [[[[[[[[1]]]]]]]]\n", "TR006"),
        ("x: [[[[[[[1]]]]]]]\n", ""),
        ("x: [1\n", "TR006"),
        ("x: \"a\n", "TR006"),
        ("\tx: 1\n", "TR006"),
        ("x: a: b\n", "TR006"),
        ("...\n", "TR006"),
        ("%YAML 1.1\n", "TR006"),
    ] {
        assert_eq!(errors(front), want, "{front:?}");
    }
}

#[test]
fn an_unknown_key_is_only_a_warning() {
    let request = Request::new().with("priority", "high").with("Purpose", "x");
    assert_eq!(request.codes(), ["TR013", "TR013"]);
    assert_eq!(request.errors(), Vec::<&str>::new());
}

#[test]
fn front_matter_is_there_closed_and_single() {
    let text = Request::new().text();
    let errors = |text: &str| {
        let checked = check_text(text, None, document::Profile::Strict);
        let codes: Vec<_> = checked.findings.iter().map(|f| f.rule.code).collect();
        codes.join(" ")
    };
    assert_eq!(errors(""), "TR004");
    assert_eq!(errors("---"), "TR005");
    assert_eq!(errors("---\n"), "TR005");
    assert_eq!(errors("# Title\n"), "TR004");
    for empty in ["---\n---\n", "---\n# nothing\n---\n", "---\n\n~\n---\n"] {
        assert!(errors(empty).contains("TR014"), "{empty:?}");
    }
    assert_eq!(errors(&format!("\n{text}")), "TR004");
    assert_eq!(errors(&format!("\u{feff}{text}")), "TR003");
    assert_eq!(errors(&text.replace('\n', "\r\n")), "");
    assert_eq!(errors(&text.replace('\n', "\r")), "");
    assert_eq!(errors(&text.replacen("---\n", "---  \n", 2)), "");
    assert_eq!(
        errors(&text.replacen("---\n\n## Command", "---\n---\napproved_by: x\n\n---\n## Command", 1)),
        "TR012"
    );
    assert_eq!(
        errors(&text.replacen("---\n\n## Command", "---\n\n---\n\nA note.\n\n---\n\n## Command", 1)),
        ""
    );
    assert_eq!(errors(&text.replacen("## Risk", "---\n\n## Risk", 1)), "");
    let between = |block: &str| errors(&text.replacen("## Risk", &format!("{block}\n\n## Risk"), 1));
    assert_eq!(between("---\n\npurpose: see above\n\n---"), "");
    assert_eq!(between("```yaml\n---\nlanguage: python\n---\n```"), "");
    assert_eq!(between("---\nnetwork: allowlist\n\n---"), "TR012");
    assert_eq!(between("---\n\nnetwork: allowlist\napproved_by: x\n\n---"), "TR012");
    assert_eq!(errors(&text.replacen("purpose: Compute", "purpose: Compute --- the", 1)), "");
}
