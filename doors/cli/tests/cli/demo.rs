//! `toolgate demo`: the first thing that anybody sees.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::door::{Door, Ran, finish};

/// Plays the demo with its temporary folder inside the door's own.
fn play(door: &Door, more: &[&str]) -> Ran {
    let words = [&["demo"], more].concat();
    finish(door.command(&words).env("TMPDIR", door.folder.path()).spawn().unwrap())
}

/// The folder of a demo that was kept.
fn kept(door: &Door) -> std::path::PathBuf {
    let names = door.names(".");
    assert_eq!(names.len(), 1, "{names:?}");
    door.path(&names[0])
}

fn all_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { all_files(&path) } else { vec![path] }).collect()
}

#[test]
fn the_morning_goes_as_it_must_and_leaves_nothing_behind() {
    let door = Door::new();
    let ran = play(&door, &["--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let answer = ran.json();
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["kept"], false);
    let steps = answer["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 16, "{}", ran.all());
    for step in steps {
        // The machines that test this have all lanes, so nothing may be left out.
        assert_eq!(step["outcome"], "ok", "{step}");
        assert_eq!(step["note"], Value::Null, "{step}");
        assert!(!step["asked"].as_array().unwrap().is_empty(), "{step}");
    }
    let verdicts: Vec<&str> = steps
        .iter()
        .flat_map(|step| step["asked"].as_array().unwrap())
        .filter_map(|asked| asked["verdict"].as_str())
        .collect();
    let wanted = [
        "allow",          // a read
        "deny",           // a traversal
        "allow",          // a page
        "needs_approval", // a write
        "allow",          // the same, approved
        "deny",           // and again
        "allow",          // Monty
        "needs_approval", // the jail
        "allow",          // the same, approved
        "deny",           // a secret for an agent
        "allow",          // a handle for an operator
        "allow",          // its use
    ];
    assert_eq!(verdicts, wanted);
    assert!(door.names(".").is_empty(), "{:?}", door.names("."));
}

#[test]
fn a_demo_that_is_kept_can_be_looked_at_and_checked() {
    let door = Door::new();
    let ran = play(&door, &["--keep"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    assert!(!ran.stdout.contains('\u{1b}'), "colours in a pipe: {}", ran.stdout);
    assert!(ran.stdout.contains("16 steps went as they must\n"), "{}", ran.all());
    let folder = kept(&door);
    assert!(ran.stdout.contains(folder.join("report.html").to_str().unwrap()), "{}", ran.all());
    assert!(folder.join("report.html").is_file());
    let home = folder.join("workspace/.toolgate");
    let verified = door.run(&["ledger", "verify", "--home", home.to_str().unwrap()]);
    assert_eq!(verified.code, Some(0), "{}", verified.all());
}

#[test]
fn the_secret_of_the_demo_is_neither_printed_nor_kept() {
    let door = Door::new();
    let ran = play(&door, &["--keep"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    // The value is 32 digits behind `demo-`, new each time.
    let has_value = |text: &str| {
        let mut behind = text.split("demo-").skip(1);
        behind.any(|rest| rest.chars().take_while(char::is_ascii_hexdigit).count() >= 32)
    };
    assert!(has_value("x demo-0123456789abcdef0123456789abcdef"), "this test can find one");
    assert!(!has_value(&ran.all()), "{}", ran.all());
    let files = all_files(&kept(&door));
    assert!(files.len() > 10, "{files:?}");
    for path in files {
        let content = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        assert!(!has_value(&content), "{}", path.display());
    }
}

#[test]
fn a_machine_without_python_is_told_so_and_the_morning_goes_on() {
    let door = Door::new();
    let mut command = door.command(&["demo", "--format", "json"]);
    let ran = finish(command.env("TMPDIR", door.folder.path()).env("PATH", "/nowhere").spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let answer = ran.json();
    let steps = answer["steps"].as_array().unwrap();
    let skipped: Vec<&Value> = steps.iter().filter(|step| step["outcome"] == "skipped").collect();
    assert_eq!((steps.len(), skipped.len()), (16, 1), "{answer}");
    assert!(skipped[0]["note"].as_str().unwrap().contains("toolgate doctor"), "{answer}");
}

#[test]
fn the_demo_asks_nothing_of_its_environment() {
    let door = Door::new();
    let mut command = door.command(&["demo", "--format", "json"]);
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("TMPDIR", door.folder.path()).env("PATH", path);
    // Each of these would lead a command astray that believed it.
    let odd = ["SSL_CERT_FILE", "CVC5", "SSH_AUTH_SOCK", "HTTP_PROXY", "http_proxy", "DEMO_TOKEN"];
    command.envs(odd.map(|name| (name, "/nowhere")));
    let ran = finish(command.spawn().unwrap());
    assert_eq!((ran.code, &ran.json()["ok"]), (Some(0), &Value::Bool(true)), "{}", ran.all());
}

#[test]
fn a_folder_with_something_in_it_is_not_played_in() {
    let door = Door::new();
    door.write("mine/file", "mine");
    let ran = door.run(&["demo", "--dir", "mine"]);
    insta::assert_snapshot!(ran.all(), @"
    exit 3
    ---
    error: `mine` is not empty

    hint: name a folder that is new or empty: it is left as it is
    ");
    assert_eq!(door.names("mine"), ["file"]);
}
