//! What a comparison shows can be typed, and does what is said.

use std::process::{Command, Stdio};

use crate::door::{Door, finish};

/// Examples of one comparison that are typed.
const TYPED: usize = 3;

#[test]
fn every_example_of_a_diff_has_the_verdicts_that_it_shows() {
    let base = "read_only = false\nallowed_roots = [\".\"]\nwrite_paths = [\".\"]\n";
    let network = "[network]\nenabled = true\nallowlist = [\"a.example\", \"api.github.com\"]\n";
    let database = "[databases.main]\npath = \"main.db\"\n";
    let secrets = "[secrets]\nallowed_scopes = []\n[secrets.mail]\nprovider = \"env\"\nnames = [\"TOKEN\"]\n";
    let github = "[github]\nrepositories = [\"ada/one\"]\nprotected = [\"main\"]\n";
    let rule = |action: &str, condition: &str| {
        format!(
            "@id(\"x\") forbid (principal, action == Action::\"{action}\", resource) when {{ {condition} }};"
        )
    };
    let roles = "[organisation.roles]\nreader = [\"ada\"]\n";
    let of_role = "@id(\"x\") forbid (principal in Role::\"reader\", action == Action::\"read\", resource);";
    let cases: Vec<(&str, [String; 2], [String; 2])> = vec![
        // what differs, both policies, both organisation's rules
        ("a list", [base.into(), base.replace("write_paths = [\".\"]", "write_paths = [\"src\"]")], none()),
        ("a glob", [base.into(), format!("{base}deny = [\"**/*.key\"]\n")], none()),
        ("changes", [base.into(), base.replace("read_only = false", "read_only = true")], none()),
        ("hosts", [format!("{base}{network}"), format!("{base}{}", network.replace("a.ex", "b.ex"))], none()),
        (
            "methods",
            both(&format!("{base}{network}")),
            [rule("network", "context.method == \"PUT\""), String::new()],
        ),
        (
            "lanes",
            [base.into(), format!("{base}[lanes]\nwithout_approval = [\"monty\", \"jail\"]\n")],
            none(),
        ),
        ("seconds", both(base), [rule("run", "context.seconds > 40"), String::new()]),
        ("bytes", both(base), [rule("write", "context.bytes > 1000"), String::new()]),
        ("binary", both(base), [rule("write", "context.binary"), String::new()]),
        ("roles", both(&format!("{base}{roles}")), [of_role.to_owned(), String::new()]),
        (
            "repositories",
            [format!("{base}{network}{github}"), format!("{base}{network}{}", github.replace("one", "two"))],
            none(),
        ),
        (
            "branches",
            [
                format!("{base}{network}{github}"),
                format!("{base}{network}{}", github.replace("main", "release/*")),
            ],
            none(),
        ),
        (
            "databases",
            [base.into(), format!("{base}{database}write_tables = [\"notes\"]\nread_only = false\n")],
            none(),
        ),
        (
            "tables of a schema",
            ["[]", "[\"public.items\"]"].map(|tables| {
                format!("{base}[databases.main]\nurl = \"postgres://h/d\"\nread_only = false\nwrite_tables = {tables}\n")
            }),
            none(),
        ),
        (
            "secrets",
            [format!("{base}{secrets}"), format!("{base}{}", secrets.replace("[]", "[\"mail\"]"))],
            none(),
        ),
        ("a shell", [base.into(), format!("allow_shell = true\n{base}")], none()),
        (
            "everything",
            both(base),
            [String::new(), "@id(\"x\") permit (principal, action, resource);".to_owned()],
        ),
    ];
    for (what, policies, rules) in cases {
        let door = Door::new();
        door.run(&["init"]);
        for (side, (policy, rules)) in ["old", "new"].iter().zip(policies.iter().zip(&rules)) {
            door.write(&format!("{side}/policy.toml"), policy);
            door.write(&format!("{side}/policies/own.cedar"), rules);
        }
        let diff = door.run(&["policy", "diff", "old", "new", "--format", "json"]);
        let shown: serde_json::Value =
            serde_json::from_str(&diff.stdout).unwrap_or_else(|_| panic!("{diff:?}"));
        let list = |key: &str| shown[key].as_array().unwrap().iter().take(TYPED).cloned().collect::<Vec<_>>();
        let examples: Vec<serde_json::Value> = list("added").into_iter().chain(list("removed")).collect();
        assert!(!examples.is_empty(), "{what}: {diff:?}");
        assert_eq!(shown["method"], "proof", "{what}: {diff:?}");
        for (side, (policy, rules)) in ["old", "new"].iter().zip(policies.iter().zip(&rules)) {
            door.write(".toolgate/policy.toml", policy);
            door.write(".toolgate/policies/own.cedar", rules);
            let said = ["--reason", "r", "--abuse-case", "a", "--tests", "t", "--rollback", "b"];
            let applied = door.run(&[&["policy", "apply"], said.as_slice()].concat());
            assert_eq!(applied.code, Some(0), "{what}: {applied:?}");
            for example in &examples {
                let typed = example["example"].as_str().unwrap();
                let ran = in_shell(&door, typed);
                assert_eq!(ran, example[*side].as_str().unwrap(), "{what}, {side}: {typed}");
            }
        }
    }
}

fn none() -> [String; 2] {
    [String::new(), String::new()]
}

fn both(policy: &str) -> [String; 2] {
    [policy.to_owned(), policy.to_owned()]
}

/// What a shell says that is given this line.
fn in_shell(door: &Door, line: &str) -> String {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_toolgate"));
    let folder = program.parent().unwrap().display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(door.folder.path()).env("PATH", path);
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(shell.spawn().unwrap()).stdout.trim().to_owned()
}
