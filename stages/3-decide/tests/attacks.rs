//! Known ways around a decision, each with its honest twin.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod house;

use call::{
    CallContext, Contraband, Effect, Effects, Family, Located, Objection, Passed, Passing, PathPlace, Reach,
    RiskFlag, Span, UnclearPath, Weight,
};
use decide::{Deciding, decide};
use house::*;

#[test]
fn a_prefix_is_never_a_parent() {
    let policy = policy(&[("policy.toml", "allowed_roots = [\"/a/b\"]\n")]);
    assert_eq!(say(&policy, "read_file", "", vec![read("/a/b/c")]), "allow");
    assert_eq!(say(&policy, "read_file", "", vec![read("/a/b")]), "allow");
    assert_eq!(say(&policy, "read_file", "", vec![read("/a/bc")]), "deny path_outside_allowed_roots");
    assert_eq!(say(&policy, "read_file", "", vec![read("/a")]), "deny path_outside_allowed_roots");
}

#[test]
fn a_denied_path_is_denied_to_every_tool_and_effect() {
    let policy =
        policy(&[("policy.toml", "read_only = false\napproval_required = []\ndeny = [\"secret\"]\n")]);
    for effect in [read("/w/secret/x"), write("/w/secret/x"), delete("/w/secret")] {
        for tool in ["read_file", "search_files", "list_files", "exec_sandbox", "other.tool"] {
            assert_eq!(
                say(&policy, tool, "", vec![Effect::Status, effect.clone()]),
                "deny path_denied",
                "{tool}"
            );
        }
    }
    assert_eq!(say(&policy, "read_file", "", vec![read("/w/secrets")]), "allow");
}

#[test]
fn a_pattern_does_not_reach_further_than_it_says() {
    let text = "read_only = false\napproval_required = []\nwrite_paths = [\"dir/**\", \"a/*/c\"]\ndeny = [\"x/*.pem\"]\n";
    let policy = policy(&[("policy.toml", text)]);
    let cases = [
        ("/w/dir/a/b", "allow"),
        ("/w/other/dir/a", "deny path_not_allowed"),
        ("/w/a/b/c", "allow"),
        ("/w/a/b/d/c", "deny path_not_allowed"),
    ];
    for (path, want) in cases {
        assert_eq!(say(&policy, "write_file", "", vec![write(path)]), want, "{path}");
    }
    assert_eq!(say(&policy, "read_file", "", vec![read("/w/x/k.pem")]), "deny path_denied");
    assert_eq!(say(&policy, "read_file", "", vec![read("/w/x/y/k.pem")]), "allow");
}

#[test]
fn home_folders_in_rules_are_expanded() {
    let text = "allowed_roots = [\"/home/ada\"]\ndeny = [\"~/.ssh\", \"~/.aws/**\"]\n";
    let policy = policy(&[("policy.toml", text)]);
    assert_eq!(say(&policy, "read_file", "", vec![read("/home/ada/.ssh/id_rsa")]), "deny path_denied");
    assert_eq!(say(&policy, "read_file", "", vec![read("/home/ada/.aws/credentials")]), "deny path_denied");
    assert_eq!(say(&policy, "read_file", "", vec![read("/home/ada/.sshrc")]), "allow");
    assert!(load(&[("policy.toml", "deny = [\"~other/.ssh\"]\n")]).policy.is_none());
}

#[test]
fn a_path_that_leads_nowhere_clear_is_refused() {
    let policy = policy(&[("policy.toml", "read_only = false\n")]);
    let cases = [
        (PathPlace::Outside, "deny path_outside_allowed_roots"),
        (PathPlace::GateHome, "deny gate_home"),
        (PathPlace::Unclear(UnclearPath::BrokenLink), "deny path_unclear"),
        (PathPlace::Unclear(UnclearPath::Tilde), "deny path_unclear"),
        (PathPlace::Unclear(UnclearPath::ThroughFile), "deny not_found"),
        (PathPlace::Unclear(UnclearPath::NameTooLong), "deny not_found"),
        (PathPlace::Below { path: at("/w/pipe"), kind: call::FileKind::Special }, "deny special_file"),
    ];
    for (place, want) in cases {
        let path = Located::new("x", place);
        let effect = Effect::Read { path, reach: Reach::Itself };
        assert_eq!(say(&policy, "read_file", "", vec![effect]), want);
    }
}

#[test]
fn a_host_is_never_matched_by_its_letters() {
    let text = "[network]\nenabled = true\nallowlist = [\"docs.python.org\", \"*.trusted.example\"]\n";
    let policy = policy(&[("policy.toml", text)]);
    let cases = [
        ("https://docs.python.org/3/", "allow"),
        ("https://DOCS.PYTHON.ORG./3/", "allow"),
        ("https://docs.python.org.evil.example/", "deny domain_not_allowed"),
        ("https://evildocs.python.org/", "deny domain_not_allowed"),
        ("https://docs.python.org:8080/", "deny domain_not_allowed"),
        ("https://a.trusted.example/", "allow"),
        ("https://trusted.example/", "deny domain_not_allowed"),
        ("https://eviltrusted.example/", "deny domain_not_allowed"),
    ];
    for (url, want) in cases {
        assert_eq!(say(&policy, "network_fetch", "", vec![fetch("GET", url)]), want, "{url}");
    }
}

#[test]
fn no_spelling_of_a_private_address_gets_through() {
    let text = "[network]\nenabled = true\nallowlist = [\"*\"]\n";
    let policy = policy(&[("policy.toml", text)]);
    for url in [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://0.0.0.0/",
        "http://10.1.2.3/",
        "http://100.64.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://172.31.0.1/",
        "http://192.168.1.1/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:7f00:1::]/",
        "http://[fc00::1]/",
        "http://[fe80::1]/",
        "http://[fd00:ec2::254]/",
        "http://[ff02::1]/",
        "http://localhost/",
        "http://a.localhost/",
        "http://printer.local/",
        "http://metadata.google.internal/",
    ] {
        assert_eq!(
            say(&policy, "network_fetch", "", vec![fetch("GET", url)]),
            "deny private_address",
            "{url}"
        );
    }
    for url in [
        "https://example.org/",
        "https://8.8.8.8/",
        "https://[2606:4700::1111]/",
        "https://localhost.example/",
    ] {
        assert_eq!(say(&policy, "network_fetch", "", vec![fetch("GET", url)]), "allow", "{url}");
    }
}

#[test]
fn the_star_of_the_home_means_what_the_skill_lists() {
    let home = "[network]\nenabled = true\nallowlist = [\"*\"]\n";
    let network = r#"{"enabled": true, "allowlist": ["a.example", "127.0.0.1:8080"], "denylist": []}"#;
    let skill = manifest("s", ALL_TOOLS, ALL_FILES, network);
    let policy = policy(&[("policy.toml", home), ("skills/s/PERMISSIONS.json", &skill)]);
    let said = |url| say(&policy, "network_fetch", "s", vec![fetch("GET", url)]);
    assert_eq!(said("https://a.example/"), "allow");
    assert_eq!(said("http://127.0.0.1:8080/"), "allow");
    assert_eq!(said("https://b.example/"), "deny domain_not_allowed");
    assert_eq!(said("http://127.0.0.1:8081/"), "deny private_address");
    assert!(
        load(&[
            ("policy.toml", home),
            (
                "skills/s/PERMISSIONS.json",
                &manifest(
                    "s",
                    ALL_TOOLS,
                    ALL_FILES,
                    r#"{"enabled": true, "allowlist": ["*"], "denylist": []}"#
                )
            )
        ])
        .findings
        .iter()
        .any(|found| found.finding.is_error())
    );
}

#[test]
fn read_only_also_means_the_network() {
    let text = "read_only = true\n[network]\nenabled = true\nallowlist = [\"a.example\"]\n";
    let policy = policy(&[("policy.toml", text)]);
    for (method, want) in [
        ("GET", "allow"),
        ("HEAD", "allow"),
        ("OPTIONS", "allow"),
        ("POST", "deny write_blocked_read_only"),
        ("DELETE", "deny write_blocked_read_only"),
    ] {
        assert_eq!(
            say(&policy, "network_fetch", "", vec![fetch(method, "https://a.example/")]),
            want,
            "{method}"
        );
    }
}

#[test]
fn web_research_gets_and_does_nothing_else() {
    let text = "read_only = false\n[network]\nenabled = true\nallowlist = [\"*\"]\n";
    let network = r#"{"enabled": true, "allowlist": ["a.example"], "denylist": []}"#;
    let skill = manifest("web_research", ALL_TOOLS, ALL_FILES, network);
    let policy = policy(&[("policy.toml", text), ("skills/web_research/PERMISSIONS.json", &skill)]);
    let said =
        |method| say(&policy, "network_fetch", "web_research", vec![fetch(method, "https://a.example/")]);
    assert_eq!(said("GET"), "allow");
    assert_eq!(said("POST"), "deny method_not_allowed");
    assert_eq!(said("HEAD"), "deny method_not_allowed");
}

#[test]
fn secrets_are_for_operators_and_listed_scopes() {
    let skill = manifest("s", ALL_TOOLS, ALL_FILES, NO_NETWORK);
    let policy = policy(&[("policy.toml", "read_only = true\n"), ("skills/s/PERMISSIONS.json", &skill)]);
    let said = |scope, context| say_in(&policy, "secrets_get", "s", context, vec![secret(scope)]);
    assert_eq!(said("ci", CallContext::Operator), "allow");
    assert_eq!(said("other", CallContext::Operator), "deny secret_scope_denied");
    for context in [CallContext::Agent, CallContext::Webhook, CallContext::External] {
        assert_eq!(said("ci", context), "deny secret_context_denied");
    }
}

#[test]
fn a_scope_of_variables_holds_those_it_names() {
    let text =
        "[secrets]\nallowed_scopes = [\"ci\"]\n[secrets.ci]\nprovider = \"env\"\nnames = [\"CI_TOKEN\"]\n";
    let policy = policy(&[("policy.toml", text)]);
    let said = |name: &str| {
        let Effect::Secret { scope, reveal, .. } = secret("ci") else { panic!("a secret") };
        let effect = Effect::Secret { scope, name: name.to_owned(), reveal };
        say_in(&policy, "secrets_get", "", CallContext::Operator, vec![effect])
    };
    assert_eq!(said("CI_TOKEN"), "allow");
    for other in ["PATH", "NAME", "../x", ""] {
        assert_eq!(said(other), "deny secret_scope_denied", "{other}");
    }
}

#[test]
fn a_screen_that_refuses_is_never_overruled() {
    let policy = policy(&[("policy.toml", "read_only = false\n")]);
    let (tool, actor) = ("read_file".parse().unwrap(), actor("", CallContext::Operator));
    let effects = Effects::new(vec![read("/w/a")]);
    let now = "2026-11-16T10:00:00Z".parse().unwrap();
    let cases = [
        (Family::Secret, Weight::Refuse, "deny", Some("secret_exfiltration"), RiskFlag::SECRET_ATTEMPT),
        (
            Family::Override,
            Weight::Refuse,
            "deny",
            Some("instruction_override"),
            RiskFlag::EXTERNAL_INSTRUCTION,
        ),
        (Family::Injection, Weight::Refuse, "deny", Some("shell_injection"), RiskFlag::INJECTION_ATTEMPT),
        (Family::Traversal, Weight::Refuse, "deny", Some("path_traversal"), RiskFlag::INJECTION_ATTEMPT),
        (Family::Override, Weight::Flag, "allow", None, RiskFlag::EXTERNAL_INSTRUCTION),
    ];
    for (family, weight, verdict, code, flag) in cases {
        let found = Contraband { span: Span::at(0), family, kind: "test" };
        let objections = [Objection { argument: "path".to_owned(), found, weight }];
        let call = Deciding { tool: &tool, actor: &actor, effects: &effects, objections: &objections, now };
        let ruled = decide(&policy, &call);
        assert_eq!(ruled.ruling.verdict(), verdict, "{family:?}");
        assert_eq!(ruled.ruling.reasons().first().map(|reason| reason.code.as_str()), code);
        assert!(ruled.flags.contains(&flag), "{family:?}");
    }
}

#[test]
fn a_bad_policy_is_no_policy_and_a_bad_manifest_denies_its_skill() {
    let bad_cedar = [
        "permit (principal, action, resource",
        "permit (principal, action == Action::\"fly\", resource);",
        "forbid (principal, action == Action::\"read\", resource) when { context.colour == \"red\" };",
        "permit (principal == ?principal, action, resource);",
        "forbid (principal, action == Action::\"read\", resource) when { false };",
    ];
    for text in bad_cedar {
        let loaded = load(&[("policy.toml", "read_only = true\n"), ("policies/own.cedar", text)]);
        assert!(loaded.policy.is_none(), "{text}");
    }
    let deep = format!(
        "forbid (principal, action, resource) when {{ {}true{} }};",
        "(".repeat(5_000),
        ")".repeat(5_000)
    );
    assert!(load(&[("policy.toml", "read_only = true\n"), ("policies/own.cedar", &deep)]).policy.is_none());
    let manifests = [
        "{}",
        "not json",
        &manifest("other", ALL_TOOLS, ALL_FILES, NO_NETWORK),
        &manifest("s", ALL_TOOLS, ALL_FILES, r#"{"enabled": true, "allowlist": [], "denylist": []}"#),
        &manifest("s", ALL_TOOLS, ALL_FILES, NO_NETWORK).replace("medium", "extreme"),
        &manifest("s", ALL_TOOLS, ALL_FILES, NO_NETWORK)
            .replace("\"max_runtime_seconds\": 60", "\"max_runtime_seconds\": 121"),
        &manifest("s", ALL_TOOLS, ALL_FILES, NO_NETWORK)
            .replace("medium", "high")
            .replace("\"sandbox_required\": true", "\"sandbox_required\": false"),
        &manifest("s", ALL_TOOLS, ALL_FILES, NO_NETWORK)
            .replace("\"version\": \"1.0.0\"", "\"version\": \"1\""),
        &manifest("s", ALL_TOOLS, ALL_FILES, NO_NETWORK).replace("{\"name\"", "{\"extra\": 1, \"name\""),
    ];
    for text in manifests {
        let policy = policy(&[("policy.toml", "read_only = true\n"), ("skills/s/PERMISSIONS.json", text)]);
        let said = say(&policy, "read_file", "s", vec![read("/w/a")]);
        assert!(said.starts_with("deny invalid_manifest"), "{said}: {text}");
        assert_eq!(say(&policy, "read_file", "", vec![read("/w/a")]), "allow");
    }
    let good = manifest("s", ALL_TOOLS, ALL_FILES, NO_NETWORK);
    let policy = policy(&[("policy.toml", "read_only = true\n"), ("skills/s/PERMISSIONS.json", &good)]);
    assert_eq!(say(&policy, "read_file", "s", vec![read("/w/a")]), "allow");
}

#[test]
fn an_error_in_a_rule_is_a_denial() {
    // Adding to the largest number overflows when the rule is evaluated.
    let text = "forbid (principal, action == Action::\"write\", resource) when { context.bytes + 9223372036854775807 > 0 };";
    let policy = policy(&[
        ("policy.toml", "read_only = false\napproval_required = []\n"),
        ("policies/own.cedar", text),
    ]);
    let change =
        call::Change::Content { sha256: call::Sha256::of(b""), bytes: 5, binary: false, create_dirs: false };
    let effect = Effect::Write { path: located("/w/a"), change };
    assert_eq!(say(&policy, "write_file", "", vec![effect]), "deny policy_error");
}

#[test]
fn ten_thousand_rules_are_loaded_and_asked() {
    let entries: Vec<String> = (0..10_000).map(|number| format!("\"secret-{number}/**\"")).collect();
    let text = format!("deny = [{}]\n", entries.join(", "));
    let policy = policy(&[("policy.toml", &text)]);
    assert_eq!(say(&policy, "read_file", "", vec![read("/w/secret-9999/x")]), "deny path_denied");
    assert_eq!(say(&policy, "read_file", "", vec![read("/w/secret-10000/x")]), "allow");
}

#[test]
fn one_write_is_no_larger_than_all_that_a_skill_may_write() {
    let skill = manifest("s", ALL_TOOLS, ALL_FILES, NO_NETWORK);
    let home = "read_only = false\nwrite_paths = [\".\"]\napproval_required = []\n";
    let policy = policy(&[("policy.toml", home), ("skills/s/PERMISSIONS.json", &skill)]);
    let content = |bytes: u64| {
        let change =
            call::Change::Content { sha256: call::Sha256::of(b""), bytes, binary: false, create_dirs: false };
        let Effect::Write { path, .. } = write("/w/a") else { panic!("a write is one") };
        vec![Effect::Write { path, change }]
    };
    assert_eq!(say(&policy, "write_file", "s", content(1_000)), "allow");
    assert_eq!(say(&policy, "write_file", "s", content(1_001)), "deny limit_exceeded");
    assert_eq!(say(&policy, "write_file", "", content(1_001)), "allow");
}

#[test]
fn a_database_is_not_changed_by_way_of_its_files() {
    let text = "read_only = false\napproval_required = []\n[databases.shop]\npath = \"data/shop.db\"\n\
        [databases.far]\nurl = \"postgres://h/d\"\n";
    let policy = policy(&[("policy.toml", text)]);
    for name in ["shop.db", "shop.db-wal", "shop.db-journal", "shop.db-shm"] {
        let path = format!("/w/data/{name}");
        assert_eq!(say(&policy, "write_file", "", vec![write(&path)]), "deny path_denied", "{name}");
        assert_eq!(say(&policy, "delete_file", "", vec![delete(&path)]), "deny path_denied", "{name}");
        assert_eq!(say(&policy, "read_file", "", vec![read(&path)]), "allow", "{name}");
    }
    for name in ["shop.db-notes", "shop.sql", "shop.db.bak", "other.db-wal"] {
        assert_eq!(
            say(&policy, "write_file", "", vec![write(&format!("/w/data/{name}"))]),
            "allow",
            "{name}"
        );
    }
}

/// A path that leads to a place, or nowhere, by these others.
fn passing(place: PathPlace, passed: &[(&str, Passing)]) -> Located {
    let passed = passed.iter().map(|(path, how)| Passed { path: at(path), how: *how }).collect();
    Located { given: "x".to_owned(), place, passed }
}

#[test]
fn a_path_is_judged_by_what_it_touches_on_its_way() {
    let files = r#"{"read_paths": ["docs"], "write_paths": ["out"], "deny_paths": []}"#;
    let reader = manifest("reader", ALL_TOOLS, files, NO_NETWORK);
    let policy = policy(&[
        ("policy.toml", "read_only = false\napproval_required = []\ndeny = [\"**/.env*\"]\n"),
        ("skills/reader/PERMISSIONS.json", &reader),
    ]);
    let below = |path: &str| PathPlace::Below { path: at(path), kind: call::FileKind::File };
    let pipe = |path: &str| PathPlace::Below { path: at(path), kind: call::FileKind::Special };
    let nowhere = || PathPlace::Unclear(UnclearPath::ThroughFile);
    let cases: Vec<(&str, Located, &str)> = vec![
        ("", passing(below("/w/a"), &[("/w/b", Passing::Up)]), "allow"),
        ("", passing(below("/w/a"), &[("/w/b", Passing::Link)]), "allow"),
        ("", passing(below("/w/a"), &[("/w/.env", Passing::Up)]), "deny path_denied"),
        ("", passing(below("/w/a"), &[("/w/.env", Passing::Link)]), "deny path_denied"),
        (
            "",
            passing(below("/w/a"), &[("/w/.env/b", Passing::Up), ("/w/.env", Passing::Up)]),
            "deny path_denied",
        ),
        ("", passing(nowhere(), &[("/w/.env", Passing::Stop)]), "deny path_denied"),
        ("", passing(nowhere(), &[("/w/b", Passing::Stop)]), "deny not_found"),
        ("", passing(PathPlace::Outside, &[("/w/.env", Passing::Link)]), "deny path_denied"),
        ("", passing(PathPlace::Outside, &[("/w/b", Passing::Link)]), "deny path_outside_allowed_roots"),
        ("", passing(PathPlace::GateHome, &[("/w/.env", Passing::Link)]), "deny path_denied"),
        ("", passing(pipe("/w/.env"), &[]), "deny path_denied"),
        ("", passing(pipe("/w/b"), &[]), "deny special_file"),
        // A link is judged by where it leads; what else is touched must be open to the skill too.
        ("reader", passing(below("/w/docs/a"), &[("/w/b", Passing::Link)]), "allow"),
        ("reader", passing(below("/w/docs/a"), &[("/w/docs", Passing::Up)]), "allow"),
        ("reader", passing(below("/w/docs/a"), &[("/w/b", Passing::Up)]), "deny path_not_allowed"),
        ("reader", passing(nowhere(), &[("/w/b", Passing::Stop)]), "deny path_not_allowed"),
        ("reader", passing(nowhere(), &[("/w/docs/b", Passing::Stop)]), "deny not_found"),
    ];
    for (skill, path, want) in cases {
        let shown = format!("{skill} {path:?}");
        let effect = Effect::Read { path, reach: Reach::Itself };
        assert_eq!(say(&policy, "read_file", skill, vec![effect]), want, "{shown}");
    }
}
