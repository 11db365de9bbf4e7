//! Every case of `tests/corpus/calls`, by the command that a person would run them with.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::door::Door;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/calls").canonicalize().unwrap()
}

/// A workspace with a few files and a link that leads out of it.
fn made() -> Door {
    let door = Door::new();
    assert_eq!(door.run(&["init"]).code, Some(0));
    for name in [
        "README.md",
        ".env",
        "src/main.py",
        "src/keys/k",
        "docs/deep/a.md",
        ".git/config",
        "shop.db",
        "old.db",
    ] {
        door.write(name, "hello\n");
    }
    symlink("/etc", door.path("out")).unwrap();
    door
}

#[track_caller]
fn check(door: &Door, prefix: &str) -> usize {
    let mut files: Vec<String> = fs::read_dir(corpus())
        .unwrap()
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .filter(|path| path.ends_with(".toml") && path.contains(&format!("/{prefix}-")))
        .collect();
    files.sort();
    let words: Vec<&str> = ["policy", "test"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let ran = door.run(&words);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    ran.stdout.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn every_call_of_the_corpus_is_decided_as_it_says() {
    let new = made();
    let open = made();
    let home = corpus().join("homes/open");
    for name in ["policy.toml", "skills/web_research/PERMISSIONS.json"] {
        open.write(&format!(".toolgate/{name}"), fs::read(home.join(name)).unwrap());
    }
    let n_cases = check(&new, "new") + check(&open, "open");
    assert!(n_cases >= 150, "{n_cases} cases");
}
