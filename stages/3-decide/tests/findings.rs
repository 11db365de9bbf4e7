//! What is found in the files of a policy, with its code and place, one row a mistake.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod house;

use house::load;

/// Everything found in `file`: `PO003 2:1 error`, in order, without the warnings about folders that
/// a manifest does not deny.
fn found(files: &[(&str, &str)], file: &str) -> Vec<String> {
    let loaded = load(files);
    let here =
        loaded.findings.iter().filter(|found| found.file == file && found.finding.rule.code != "PO046");
    here.map(|found| {
        let (finding, place) = (&found.finding, found.finding.place);
        let word = if finding.is_error() { "error" } else { "warning" };
        format!("{} {}:{} {word}", finding.rule.code, place.line, place.column)
    })
    .collect()
}

/// A manifest without findings, one key a line.
const MANIFEST: &str = r#"{
  "name": "s",
  "version": "1.0.0",
  "risk_tier": "medium",
  "tools": {"allow": ["read_file"], "deny": ["exec_shell"]},
  "filesystem": {"read_paths": ["src"], "write_paths": [],
    "deny_paths": ["~/.ssh", "~/.aws", "~/.config", "/etc", "/var", "/proc"]},
  "network": {"enabled": false, "allowlist": [], "denylist": []},
  "secrets": {"allowed_scopes": []},
  "limits": {"max_runtime_seconds": 60, "max_files_written": 0, "max_bytes_written": 0,
    "sandbox_required": false}
}"#;

#[track_caller]
fn check_manifest(cases: &[(&str, &str, &[&str])]) {
    let mut wrong = Vec::new();
    for (old, new, want) in cases {
        assert_eq!(MANIFEST.matches(old).count(), 1, "{old}");
        let text = MANIFEST.replace(old, new);
        let name = "skills/s/PERMISSIONS.json";
        let got = found(
            &[
                ("policy.toml", "read_only = false\n[network]\nenabled = true\nallowlist = [\"*\"]\n"),
                (name, &text),
            ],
            name,
        );
        if got != *want {
            wrong.push(format!("{new}: {got:?}, expected {want:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_careful_manifest_has_no_findings() {
    let name = "skills/s/PERMISSIONS.json";
    assert_eq!(load(&[("policy.toml", "read_only = true\n"), (name, MANIFEST)]).findings, []);
}

#[test]
fn every_key_of_a_manifest_is_known_and_there() {
    check_manifest(&[
        ("\"name\": \"s\",", "\"name\": \"s\", \"extra\": 1,", &["PO003 2:16 error"]),
        (
            "\"name\": \"s\",",
            "\"name\": \"s\", \"description\": \"d\", \"dependencies\": [], \"reviewers\": [],",
            &[],
        ),
        ("\"name\": \"s\",", "\"Name\": \"s\",", &["PO004 1:1 error", "PO003 2:3 error"]),
        ("\"allow\": [\"read_file\"]", "\"allow\": [\"read_file\"], \"more\": 1", &["PO048 5:37 warning"]),
        ("\"read_paths\": [\"src\"]", "\"read_paths\": [\"src\"], \"more\": 1", &["PO048 6:41 warning"]),
        ("\"denylist\": []", "\"denylist\": [], \"more\": 1", &["PO048 8:66 warning"]),
        ("\"allowed_scopes\": []", "\"allowed_scopes\": [], \"more\": 1", &["PO048 9:37 warning"]),
        ("\"max_files_written\": 0", "\"max_files_written\": 0, \"more\": 1", &["PO048 10:65 warning"]),
        ("\"max_files_written\": 0, ", "", &["PO004 10:13 error"]),
        ("\"version\": \"1.0.0\",", "\"version\": \"1.0.0\", \"version\": \"1.0.0\",", &["PO002 3:23 error"]),
        ("\"denylist\": []", "\"denylist\": 5", &["PO005 8:62 error"]),
        ("\"denylist\": []", "\"denylist\": [5]", &["PO005 8:63 error"]),
        ("\"enabled\": false", "\"enabled\": \"no\"", &["PO005 8:26 error"]),
        (
            "\"secrets\": {\"allowed_scopes\": []}",
            "\"secrets\": []",
            &["PO004 9:14 error", "PO005 9:14 error"],
        ),
        ("}\n}", "}\n", &["PO002 12:1 error"]),
    ]);
}

#[test]
fn a_denied_path_counts_by_either_spelling() {
    // `deny` is read as `deny_paths` is: no finding for the key, and what it names is denied.
    let with = MANIFEST.replace("\"write_paths\": [],", "\"write_paths\": [], \"deny\": [\"src/keys\"],");
    let name = "skills/s/PERMISSIONS.json";
    let loaded = load(&[("policy.toml", "read_only = true\n"), (name, &with)]);
    assert_eq!(loaded.findings, []);
    let policy = loaded.policy.unwrap();
    let said = |path| house::say(&policy, "read_file", "s", vec![house::read(path)]);
    assert_eq!(said("/w/src/keys/k"), "deny path_denied");
    assert_eq!(said("/w/src/keystone"), "allow");
    // It also counts as naming a folder that should be denied.
    let moved =
        MANIFEST.replace("\"/proc\"]}", "\"/var\"], \"deny\": [\"/proc\"]}").replacen("\"/var\", ", "", 1);
    assert_eq!(load(&[("policy.toml", "read_only = true\n"), (name, &moved)]).findings, []);
}

#[test]
fn every_folder_that_a_careful_manifest_denies_is_asked_for() {
    let name = "skills/s/PERMISSIONS.json";
    for folder in ["~/.ssh", "~/.aws", "~/.config", "/etc", "/var", "/proc"] {
        let text = MANIFEST.replacen(&format!("\"{folder}\""), "\"x\"", 1);
        let findings = load(&[("policy.toml", "read_only = true\n"), (name, &text)]).findings;
        let said: Vec<String> = findings
            .iter()
            .map(|found| {
                let (line, column) = (found.finding.place.line, found.finding.place.column);
                format!("{} {line}:{column} {}", found.finding.rule.code, found.finding.message)
            })
            .collect();
        assert_eq!(said, [format!("PO046 7:19 `filesystem.deny_paths` does not name `{folder}`")]);
    }
    // A folder above it covers it.
    let text = MANIFEST.replace("\"~/.ssh\", \"~/.aws\", \"~/.config\"", "\"~\"");
    assert_eq!(load(&[("policy.toml", "read_only = true\n"), (name, &text)]).findings, []);
}

#[test]
fn a_manifest_has_the_name_of_its_folder_and_a_semantic_version() {
    check_manifest(&[
        ("\"name\": \"s\"", "\"name\": \"t\"", &["PO040 2:11 error"]),
        ("\"name\": \"s\"", "\"name\": \"S\"", &["PO006 2:11 error"]),
        ("\"name\": \"s\"", "\"name\": \"\"", &["PO006 2:11 error"]),
        ("\"name\": \"s\"", "\"name\": 1", &["PO005 2:11 error"]),
        ("1.0.0", "0.0.0", &[]),
        ("1.0.0", "1.2.3-rc.1+build.05", &[]),
        ("1.0.0", "1.0", &["PO041 3:14 error"]),
        ("1.0.0", "v1.0.0", &["PO041 3:14 error"]),
        ("1.0.0", "01.0.0", &["PO041 3:14 error"]),
        ("1.0.0", "1.0.0-", &["PO041 3:14 error"]),
        ("1.0.0", "1.0.0-rc.01", &["PO041 3:14 error"]),
        ("1.0.0", "1.0.0 ", &["PO041 3:14 error"]),
    ]);
}

#[test]
fn a_tier_has_its_ceiling_its_sandbox_and_its_network() {
    let tiers = [("low", 60), ("medium", 120), ("high", 300), ("critical", 600)];
    for (tier, most) in tiers {
        for (seconds, want) in [(most, vec![]), (most + 1, vec!["PO045 10:37 error"])] {
            let text = MANIFEST
                .replace("medium", tier)
                .replace("\"max_runtime_seconds\": 60", &format!("\"max_runtime_seconds\": {seconds}"))
                .replace("\"sandbox_required\": false", "\"sandbox_required\": true");
            let name = "skills/s/PERMISSIONS.json";
            assert_eq!(
                found(&[("policy.toml", "read_only = true\n"), (name, &text)], name),
                want,
                "{tier} {seconds}"
            );
        }
    }
    check_manifest(&[
        ("\"medium\"", "\"low\"", &[]),
        ("\"medium\"", "\"high\"", &["PO042 11:25 error"]),
        ("\"medium\"", "\"critical\"", &["PO042 11:25 error"]),
        ("\"medium\"", "\"none\"", &["PO006 4:16 error"]),
        ("\"medium\"", "\"Medium\"", &["PO006 4:16 error"]),
        ("\"enabled\": false", "\"enabled\": true", &["PO043 8:26 error"]),
        ("\"enabled\": false, \"allowlist\": []", "\"enabled\": true, \"allowlist\": [\"a.example\"]", &[]),
    ]);
    let low = MANIFEST.replace("medium", "low").replace(
        "\"enabled\": false, \"allowlist\": []",
        "\"enabled\": true, \"allowlist\": [\"a.example\"]",
    );
    let name = "skills/s/PERMISSIONS.json";
    let home = "[network]\nenabled = true\nallowlist = [\"*\"]\n";
    assert_eq!(found(&[("policy.toml", home), (name, &low)], name), ["PO044 8:26 error"]);
}

#[test]
fn a_limit_lies_in_its_range() {
    let runtime = "\"max_runtime_seconds\": 60";
    let files = "\"max_files_written\": 0";
    let bytes = "\"max_bytes_written\": 0";
    check_manifest(&[
        (runtime, "\"max_runtime_seconds\": 0", &["PO006 10:37 error"]),
        (runtime, "\"max_runtime_seconds\": 1", &[]),
        (runtime, "\"max_runtime_seconds\": 3601", &["PO006 10:37 error"]),
        (runtime, "\"max_runtime_seconds\": 1.5", &["PO006 10:37 error"]),
        (runtime, "\"max_runtime_seconds\": \"60\"", &["PO005 10:37 error"]),
        (files, "\"max_files_written\": 1000", &[]),
        (files, "\"max_files_written\": 1001", &["PO006 10:62 error"]),
        (files, "\"max_files_written\": -1", &["PO006 10:62 error"]),
        (bytes, "\"max_bytes_written\": 18446744073709551615", &[]),
        (bytes, "\"max_bytes_written\": -1", &["PO006 10:86 error"]),
        (bytes, "\"max_bytes_written\": 0, \"max_calls_per_minute\": 0", &["PO006 10:113 error"]),
        (bytes, "\"max_bytes_written\": 0, \"max_concurrent\": 4", &[]),
    ]);
}

#[test]
fn an_entry_says_something_and_says_it_once() {
    let read = "\"read_paths\": [\"src\"]";
    let tools = "{\"allow\": [\"read_file\"], \"deny\": [\"exec_shell\"]}";
    let off = "\"enabled\": false, \"allowlist\": []";
    check_manifest(&[
        (
            tools,
            "{\"allow\": [\"read_file\", \"exec_shell\"], \"deny\": [\"exec_shell\"]}",
            &["PO047 5:36 warning"],
        ),
        (tools, "{\"allow\": [\"a\", \"a\"], \"deny\": []}", &["PO012 5:28 warning"]),
        (read, "\"read_paths\": [\"src\", \"src/a\"]", &["PO013 6:40 warning"]),
        (read, "\"read_paths\": [\"src\", \"srcs\"]", &[]),
        (read, "\"read_paths\": [\"src\", \"src\"]", &["PO012 6:40 warning"]),
        (read, "\"read_paths\": [\"\"]", &["PO010 6:33 error"]),
        (read, "\"read_paths\": [\"../x\"]", &["PO010 6:33 error"]),
        (read, "\"read_paths\": [\"~ada/x\"]", &["PO010 6:33 error"]),
        (read, "\"read_paths\": [\"a[\"]", &["PO010 6:33 error"]),
        (read, "\"read_paths\": [\"a\\u0000\"]", &["PO010 6:33 error"]),
        ("\"/var\", \"/proc\"", "\"/var\", \"/proc\", \"/var/log\"", &["PO013 7:78 warning"]),
        // Nothing can come of these: another list refuses all of it, or the home does.
        ("\"/var\", \"/proc\"", "\"/var\", \"/proc\", \"src\"", &["PO014 6:33 warning"]),
        (read, "\"read_paths\": [\"/elsewhere\"]", &["PO049 6:33 warning"]),
        (off, "\"enabled\": true, \"allowlist\": [\"a b\"]", &["PO043 8:26 error", "PO011 8:46 error"]),
        (off, "\"enabled\": true, \"allowlist\": [\"*.com\"]", &["PO043 8:26 error", "PO011 8:46 error"]),
        (off, "\"enabled\": true, \"allowlist\": [\"*\"]", &["PO043 8:26 error", "PO011 8:46 error"]),
        (
            off,
            "\"enabled\": true, \"allowlist\": [\"https://a.example/x\"]",
            &["PO043 8:26 error", "PO011 8:46 error"],
        ),
    ]);
}

#[test]
fn a_mistake_in_the_policy_of_the_home_has_its_place() {
    let cases: &[(&str, &[&str])] = &[
        ("", &["PO027 1:1 error"]),
        ("read_only = true\nallow_shel = true\n", &["PO003 2:1 error"]),
        ("[lanes]\nminimun = \"jail\"\n", &["PO003 2:1 error"]),
        ("[approvals]\nx = 1\n", &["PO003 2:1 error"]),
        ("[network]\nx = 1\n", &["PO003 2:1 error"]),
        ("[databases.a]\npath = \"a\"\nx = 1\n", &["PO003 3:1 error"]),
        ("[secrets.a]\nprovider = \"env\"\nnames = []\nx = 1\n", &["PO003 4:1 error"]),
        ("[github]\nx = 1\n", &["PO003 2:1 error"]),
        ("[organisation]\nx = 1\n", &["PO003 2:1 error"]),
        ("read_only = \"no\"\n", &["PO005 1:13 error"]),
        ("read_only = 1979-05-27\n", &["PO005 1:13 error", "PO005 1:13 error"]),
        ("allowed_roots = \".\"\n", &["PO005 1:17 error"]),
        ("deny = [\"a\", 1]\n", &["PO005 1:14 error"]),
        ("network = 1\n", &["PO005 1:11 error"]),
        ("max_file_chars = 0\n", &["PO006 1:18 error"]),
        ("max_file_chars = 100000000\n", &[]),
        ("max_file_chars = 100000001\n", &["PO006 1:18 error"]),
        ("max_file_chars = -1\n", &["PO006 1:18 error"]),
        ("max_file_chars = inf\n", &["PO005 1:18 error"]),
        ("max_file_chars = 8000.5\n", &["PO006 1:18 error"]),
        ("[lanes]\nminimum = \"none\"\n", &["PO006 2:11 error"]),
        ("[lanes]\nminimum = \"monty\"\n", &["PO006 2:11 error"]),
        ("[lanes]\nwithout_approval = [\"monty\", \"x\"]\n", &["PO006 2:30 error"]),
        ("[approvals]\nquorum = 0\n", &["PO006 2:10 error"]),
        ("[approvals]\nexpires = \"30\"\n", &["PO006 2:11 error"]),
        ("[approvals]\nmay = 1\n", &["PO005 2:7 error"]),
        ("[[approvals.may]]\nup_to = \"much\"\n", &["PO006 2:9 error"]),
        ("[[approvals.may]]\nwho = \"ada\"\n", &["PO003 2:1 error"]),
        ("[[approvals.may]]\napprover = \"*\"\n", &["PO006 2:12 error"]),
        ("[[approvals.may]]\ntools = [\"write_fiel\"]\n", &["PO024 2:10 warning"]),
        ("[[approvals.may]]\napprover = \"ada\"\ntools = [\"write_file\", \"a.b\"]\nup_to = \"low\"\n", &[]),
        ("[approvals]\nexpires = \"366d\"\n", &["PO006 2:11 error"]),
        ("[github]\nrepositories = [\"a/b\", \"a\"]\n", &["PO006 2:24 error"]),
        ("[github]\napi = \"ftp://x\"\n", &["PO006 2:7 error"]),
        ("read_only = true\nread_only = false\n", &["PO002 2:1 error"]),
        ("[lanes]\n[lanes]\n", &["PO002 2:2 error"]),
        ("read_only = maybe\n", &["PO002 1:13 error"]),
        ("read_only = true\nnot toml at all\n", &["PO002 2:5 error"]),
        ("read_only = \n", &["PO002 1:13 error"]),
        ("deny = [\"a\"\n", &["PO002 1:12 error"]),
        ("deny = [\"\"]\n", &["PO010 1:9 error"]),
        ("deny = [\"a/../b\"]\n", &["PO010 1:9 error"]),
        ("allowed_roots = [\"src/**\"]\n", &["PO010 1:18 error"]),
        ("[network]\nallowlist = [\"a b\"]\n", &["PO011 2:14 error"]),
        ("[network]\ndenylist = [\"a[\"]\n", &["PO011 2:13 error"]),
        ("deny = [\"a\", \"b\", \"a\"]\n", &["PO012 1:19 warning"]),
        ("deny = [\"a/b\", \"a\"]\n", &["PO013 1:9 warning"]),
        ("deny = [\"**/.env*\", \"a/.env\"]\n", &["PO013 1:21 warning"]),
        ("allowed_roots = [\"src\"]\ndeny = [\"src\"]\n", &["PO020 1:18 error"]),
        ("deny = [\"/w\"]\n", &["PO020 1:9 error"]),
        ("read_only = true\nallowed_roots = []\n", &["PO021 2:17 warning"]),
        ("allowed_roots = [\"/\"]\n", &["PO022 1:18 warning"]),
        ("allowed_roots = [\"~\"]\n", &["PO022 1:18 warning"]),
        ("read_only = true\n[network]\nenabled = true\n", &["PO023 3:11 error"]),
        ("approval_required = [\"write_fiel\"]\n", &["PO024 1:22 warning"]),
        ("approval_required = [\"other.tool\"]\n", &[]),
        ("[databases.a]\npath = \"a\"\nwrite_tables = [\"t\"]\n", &["PO025 3:17 warning"]),
        ("[databases.a]\n", &["PO004 1:12 error"]),
        ("[databases.a]\npath = \"data/a.db\"\n", &[]),
        ("[databases.a]\npath = \"../a.db\"\n", &["PO026 2:8 error"]),
        ("[databases.a]\npath = \"*.db\"\n", &["PO026 2:8 error"]),
        ("[databases.a]\npath = \".toolgate/state/a.db\"\n", &["PO026 2:8 error"]),
        ("[databases.a]\npath = \"/etc/a.db\"\n", &["PO026 2:8 error"]),
        ("deny = [\"private\"]\n[databases.a]\npath = \"private/a.db\"\n", &["PO026 3:8 error"]),
        ("[databases.a]\npath = \"a\"\nurl = \"postgres://h/d\"\n", &["PO004 1:12 error"]),
        ("[secrets]\nallowed_scopes = [\"a\"]\n", &["PO025 2:19 warning"]),
        ("[secrets.a]\nprovider = \"env\"\n", &["PO004 1:10 error"]),
        ("[secrets.a]\nprovider = \"cloud\"\n", &["PO004 1:10 error", "PO006 2:12 error"]),
        ("# é\nallow_shel = 1\n", &["PO003 2:1 error"]),
        ("deny = [\"é\", 1]\n", &["PO005 1:14 error"]),
    ];
    let mut wrong = Vec::new();
    for (text, want) in cases {
        let got = found(&[("policy.toml", text)], "policy.toml");
        if got != *want {
            wrong.push(format!("{text}: {got:?}, expected {want:?}"));
        }
        let has_error = want.iter().any(|line| line.ends_with("error"));
        assert_eq!(load(&[("policy.toml", text)]).policy.is_none(), has_error, "{text}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_mistake_in_a_policy_of_the_organisation_has_its_place() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("forbid (principal, action, resource);", &[]),
        ("\npermit (principal, action, resource", &["PO060 2:36 error"]),
        (
            "\npermit (principal, action == Action::\"fly\", resource);",
            &["PO064 2:1 error", "PO064 2:1 error", "PO061 2:30 error"],
        ),
        ("permit (principal == ?principal, action, resource);", &["PO063 1:22 error"]),
        ("forbid (principal, action == Action::\"read\", resource) when { false };", &["PO064 1:1 error"]),
        // Names that nothing ever has.
        ("forbid (principal, action, resource in Path::\"src\");", &["PO064 1:46 error"]),
        ("forbid (principal, action, resource in Path::\"/w/src/\");", &["PO064 1:46 error"]),
        ("forbid (principal, action, resource in Path::\"/w/src\");", &[]),
        ("forbid (principal, action, resource in Host::\"Crates.io\");", &["PO064 1:46 error"]),
        ("forbid (principal, action, resource in Host::\"crates.io:8443\");", &[]),
        ("forbid (principal, action, resource in Domain::\"*.python.org\");", &["PO064 1:48 error"]),
        ("forbid (principal, action, resource in Domain::\"python.org\");", &[]),
        ("forbid (principal, action, resource in Origin::\"https://a.example\");", &["PO064 1:48 error"]),
        ("forbid (principal, action, resource == Tool::\"raed_file\");", &["PO064 1:46 error"]),
        ("forbid (principal, action, resource == Tool::\"run_shell\");", &["PO064 1:46 error"]),
        ("forbid (principal, action, resource in Tool::\"run_shell\");", &[]),
        (
            "forbid (principal, action, resource) when { context.caller == \"web-hook\" };",
            &["PO064 1:63 error"],
        ),
        (
            "forbid (principal, action, resource) when { [\"agent\", \"x\"].contains(context.caller) };",
            &["PO064 1:55 error"],
        ),
        ("forbid (principal, action, resource) when { context.caller == \"webhook\" };", &[]),
        // Approvals that ask nobody.
        (
            "@approval(\"required\") permit (principal, action == Action::\"read\", resource);",
            &["PO065 1:1 error"],
        ),
        (
            "@approval(\"maybe\") forbid (principal, action == Action::\"read\", resource) unless { context.approved };",
            &["PO065 1:1 error"],
        ),
        (
            "@approval(\"required\") forbid (principal, action == Action::\"read\", resource);",
            &["PO065 1:1 error"],
        ),
        (
            "@approval(\"required\") forbid (principal, action == Action::\"read\", resource) unless { context.approved };",
            &[],
        ),
        (
            "@id(\"a\") forbid (principal, action, resource);\n@id(\"a\") forbid (principal, action, resource);",
            &["PO062 2:1 error"],
        ),
    ];
    let mut wrong = Vec::new();
    for (text, want) in cases {
        let got = found(
            &[("policy.toml", "read_only = true\n"), ("policies/own.cedar", text)],
            "policies/own.cedar",
        );
        if got != *want {
            wrong.push(format!("{text}: {got:?}, expected {want:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_same_mistake_about_several_actions_is_told_in_one_order() {
    let text =
        "@id(\"a\")\nforbid (principal, action, resource in Path::\"/w/src\") unless { context.aMpproved };";
    let told = || -> Vec<String> {
        let loaded = load(&[("policy.toml", "read_only = true\n"), ("policies/own.cedar", text)]);
        loaded.findings.iter().map(|found| found.finding.message.to_string()).collect()
    };
    let first = told();
    assert!(first.iter().filter(|message| message.contains("aMpproved")).count() > 1, "{first:?}");
    for _ in 0..20 {
        assert_eq!(told(), first);
    }
}

#[test]
fn nobodys_word_counts_without_a_signature_unless_policy_says_so() {
    let cases = [
        ("", Some(false)),
        ("[approvals]\nquorum = 1\n", Some(false)),
        ("[approvals]\nunsigned = false\n", Some(false)),
        ("[approvals]\nunsigned = true\n", Some(true)),
        ("[approvals]\nunsigned = \"yes\"\n", None),
    ];
    for (text, want) in cases {
        let loaded = load(&[("policy.toml", &format!("read_only = true\n{text}"))]);
        assert_eq!(loaded.policy.map(|policy| policy.home().approvals.unsigned), want, "{text}");
    }
}
