//! `toolgate doctor` on this machine, whatever it has.

use crate::door::Door;

#[test]
fn every_lane_and_language_is_tried_and_told() {
    let door = Door::new();
    let ended = door.run(&["doctor", "--format", "json"]);
    assert!(matches!(ended.code, Some(0 | 1)), "{ended:?}");
    let answer: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let tried = answer["tried"].as_array().unwrap();
    let whats: Vec<&str> = tried.iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert_eq!(whats[..3], ["lane monty", "lane jail", "lane microvm"]);
    assert_eq!(tried[0]["state"], "works", "{}", tried[0]);
    assert_ne!(tried[1]["state"], "missing", "{}", tried[1]);
    let python = tried.iter().find(|one| one["what"] == "language python").unwrap();
    assert_eq!(python["state"], "works", "{python}");
    let missing = tried.iter().any(|one| one["state"] == "missing");
    assert_eq!(ended.code, Some(i32::from(missing)));
}

#[test]
fn a_machine_that_was_never_built_is_missing_with_the_command_that_builds_it() {
    let door = Door::new();
    let cache = door.path("cache");
    let ended = door.run(&["doctor", "--format", "json", "--cache", cache.to_str().unwrap()]);
    let answer: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let machine =
        answer["tried"].as_array().unwrap().iter().find(|one| one["what"] == "lane microvm").unwrap();
    assert_eq!((&machine["state"], ended.code), (&serde_json::json!("missing"), Some(1)), "{machine}");
    let mend = machine["mend"].as_str().unwrap();
    assert!(["toolgate lanes build", "apt-get install qemu-system-x86"].contains(&mend), "{machine}");
    assert!(!cache.exists());
}

#[test]
fn the_help_of_build_says_what_it_builds() {
    let door = Door::new();
    insta::assert_snapshot!(door.run(&["lanes", "build", "-h"]).all(), @"
    exit 0
    Build what machines of their own need: a kernel, and an image for each language

    Usage: toolgate lanes build [OPTIONS]

    Options:
          --language <NAME>  Only for this language; can be given several times [default: all that this
                             machine has] [possible values: python, node, ts, go, ruby]
          --cache <DIR>      Where the parts of machines are kept [default: toolgate/microvm in the
                             user's cache]
          --format <FORMAT>  How to answer [default: text] [possible values: text, json]
      -h, --help             Print help (see more with '--help')

    Examples:
      toolgate lanes build
      toolgate lanes build --language python --language node

    Exit codes: 0 built and tried, 3 something is missing, which is said
    ---
    ");
}

#[test]
fn building_without_qemu_is_refused_with_the_package() {
    let door = Door::new();
    let cache = door.path("cache");
    let mut command = door.command(&["lanes", "build", "--cache", cache.to_str().unwrap()]);
    let ended = command.env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(ended.status.code(), Some(3));
    insta::assert_snapshot!(String::from_utf8(ended.stderr).unwrap(), @"
    error: the lane `microvm` is not there: qemu: there is no `qemu-system-x86_64` in the search path; on Debian or Ubuntu, `apt-get install qemu-system-x86` provides it

    hint: run apt-get install qemu-system-x86
    ");
}
