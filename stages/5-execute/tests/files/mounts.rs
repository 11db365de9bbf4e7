//! Mounts that show the gate's home or other processes, for real: in a namespace of their own.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::desk::{Desk, data};

const FOLDER: &str = "TOOLGATE_TEST_MOUNTS";

/// Runs where the mounts are. Does nothing where the tests run by themselves.
#[test]
fn listing_where_the_mounts_are() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let desk = Desk::at(Path::new(&folder));
    assert!(!desk.names("ws/proc/self").is_empty() && desk.names("ws/home") == ["deep", "policy.toml"]);
    let list = desk.call("list_files", &json!({"path": "."})).unwrap();
    assert_eq!(data(&list), &json!(["file", "other/file"]));
    let found = desk.call("search_files", &json!({"path": ".", "pattern": "x"})).unwrap();
    assert_eq!(found.summary, "2 lines of 2 files below `.` match");
    for path in ["home/policy.toml", "deep/ledger", "one", "proc/self/environ"] {
        assert!(desk.call("read_file", &json!({"path": path})).is_err(), "{path}");
    }
    // A mount that shows nothing of the kind is a folder like any other.
    assert_eq!(
        desk.call("write_file", &json!({"path": "other/file", "content": "y"})).unwrap().verified,
        Some(true)
    );
}

#[test]
fn neither_the_home_nor_other_processes_are_listed_by_way_of_a_mount() {
    let desk = Desk::new();
    desk.write("ws/file", "x");
    desk.write("ws/.toolgate/policy.toml", "x");
    desk.write("ws/.toolgate/deep/ledger", "x");
    desk.write("out/file", "x");
    desk.write("ws/one", "x");
    for folder in ["home", "deep", "other", "proc"] {
        std::fs::create_dir(desk.path("ws").join(folder)).unwrap();
    }
    let script = "cd \"$TOOLGATE_TEST_MOUNTS/ws\" && mount --bind .toolgate home && mount --bind .toolgate/deep deep \
                  && mount --bind .toolgate/policy.toml one && mount --bind ../out other && mount --rbind /proc proc \
                  && exec \"$0\" \"$@\"";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "mounts::listing_where_the_mounts_are", "--nocapture"])
        .env(FOLDER, &desk.base)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("1 passed"), "{text}");
}
