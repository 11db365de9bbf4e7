//! Who may depend on whom.
//!
//! Dependencies point down: doors know documents and stages, those know the words in `call`, and
//! `call` knows nobody. Pure crates have nothing below them that touches the world.

use std::collections::BTreeMap;

use crate::repository::cargo;

/// Each crate of ours, with the crates of ours that it may name. Chores may name any.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("call", &[]),
    ("classify", &["call"]),
    ("screen", &["call"]),
    ("decide", &["call"]),
    ("approve", &["call"]),
    ("execute", &["call", "lanes", "monty-lane"]),
    ("gate", &["approve", "call", "classify", "decide", "record", "redact", "screen"]),
    ("mcp-door", &["call", "classify", "gate"]),
    ("monty-lane", &[]),
    ("redact", &["call"]),
    ("toolgate-verify", &[]),
    ("record", &["call", "toolgate-verify"]),
    ("document", &["call", "screen"]),
    ("proof", &["call", "decide"]),
    ("lane-helper", &[]),
    ("lanes", &["call", "lane-helper"]),
    (
        "toolgate",
        &[
            "approve",
            "call",
            "classify",
            "decide",
            "document",
            "execute",
            "gate",
            "lanes",
            "mcp-door",
            "monty-lane",
            "proof",
            "record",
            "redact",
            "screen",
            "toolgate-verify",
        ],
    ),
];

const CHORES: &[&str] = &["bench", "kit", "xtask"];

/// What every crate's tests may name, and nothing but tests.
const FOR_TESTS: &[&str] = &["kit"];

/// Crates that read no clock, file, socket, environment or process, and name no crate that does.
const PURE: &[&str] =
    &["call", "classify", "screen", "decide", "approve", "redact", "document", "toolgate-verify"];

/// Crates that exist to touch the world. Anywhere below a pure crate they are an error.
const TOUCHES_THE_WORLD: &[&str] = &[
    "async-std",
    "axum",
    "cap-std",
    "curl",
    "dirs",
    "fs2",
    "getrandom",
    "git2",
    "gix",
    "hyper",
    "ignore",
    "landlock",
    "mio",
    "nix",
    "notify",
    "openssl",
    "opentelemetry",
    "rand",
    "reqwest",
    "rusqlite",
    "rustix",
    "rustls",
    "seccompiler",
    "signal-hook",
    "smol",
    "socket2",
    "sqlx",
    "tempfile",
    "tokio",
    "tokio-postgres",
    "tracing-subscriber",
    "ureq",
    "walkdir",
    "wasmtime",
    "which",
];

/// What a pure crate reaches all the same, and why that is no harm.
const EXCUSED: &[(&str, &str, &str)] = &[(
    "classify",
    "getrandom",
    "seeds of hash tables inside jsonschema, as those of std; no answer depends on them",
)];

#[test]
fn dependencies_point_down() {
    let crates = crates_of_ours();
    let mut wrong = Vec::new();
    for (name, named) in &crates {
        if CHORES.contains(&name.as_str()) {
            continue;
        }
        match MAY_NAME.iter().find(|(row, _)| row == name) {
            None => wrong.push(format!("`{name}` has no row in MAY_NAME: say there what it may depend on")),
            Some((_, allowed)) => {
                for other in named.iter().filter(|other| crates.contains_key(*other)) {
                    if !allowed.contains(&other.as_str()) {
                        wrong.push(format!(
                            "`{name}` depends on `{other}`: move what both need into `call`, or change MAY_NAME \
                             and docs/ARCHITECTURE.md together"
                        ));
                    }
                }
            }
        }
    }
    for (name, _) in MAY_NAME.iter().filter(|(name, _)| !crates.contains_key(*name)) {
        wrong.push(format!("`{name}` is in MAY_NAME and not in the workspace: take the row out"));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn pure_crates_have_nothing_below_them_that_touches_the_world() {
    let mut wrong = Vec::new();
    for pure in PURE {
        for below in everything_below(pure) {
            let excused = EXCUSED.iter().any(|(name, other, _)| name == pure && *other == below);
            if TOUCHES_THE_WORLD.contains(&below.as_str()) && !excused {
                wrong.push(format!(
                    "`{pure}` reaches `{below}`: pass the value in from a door, or choose a crate without it \
                     (`cargo tree -p {pure} -e normal -i {below}` shows the way)"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Crates of the workspace, each with the names of its dependencies of every kind.
fn crates_of_ours() -> BTreeMap<String, Vec<String>> {
    let text = output(&["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let metadata: serde_json::Value = serde_json::from_str(&text).unwrap();
    let names = |list: &serde_json::Value| -> Vec<String> {
        let all = list.as_array().unwrap().iter();
        let named = all.map(|entry| (entry["name"].as_str().unwrap(), entry["kind"] == "dev"));
        named
            .filter(|(name, test)| !(*test && FOR_TESTS.contains(name)))
            .map(|(name, _)| name.to_owned())
            .collect()
    };
    let packages = metadata["packages"].as_array().unwrap();
    packages
        .iter()
        .map(|package| (package["name"].as_str().unwrap().to_owned(), names(&package["dependencies"])))
        .collect()
}

/// Names of all crates that end up in a build of this one, macros apart: those run at compile time.
fn everything_below(name: &str) -> Vec<String> {
    let tree = output(&[
        "tree",
        "--offline",
        "-p",
        name,
        "-e",
        "normal,no-proc-macro",
        "--prefix",
        "none",
        "-f",
        "{p}",
    ]);
    tree.lines().skip(1).filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

fn output(arguments: &[&str]) -> String {
    let output = cargo().args(arguments).output().unwrap();
    assert!(output.status.success(), "cargo {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
