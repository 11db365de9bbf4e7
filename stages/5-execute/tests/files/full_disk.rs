//! A disk that is full in the middle of a write, for real: a small file system of its own.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::desk::Desk;

const FOLDER: &str = "TOOLGATE_TEST_DISK";

/// Runs on the small disk. Does nothing where the tests run by themselves.
#[test]
fn writes_on_the_small_disk() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let desk = Desk::at(Path::new(&folder));
    desk.write("ws/kept", "kept");
    let large = "x".repeat(2 << 20);
    for (path, create_dirs) in [("kept", false), ("new", false), ("a/b/c", true)] {
        let arguments = json!({"path": path, "content": large, "create_dirs": create_dirs});
        let fault = desk.call("write_file", &arguments).unwrap_err();
        println!("{path}: {} {fault}", fault.class());
        assert_eq!(desk.names("ws"), ["kept"], "{path}");
        assert_eq!(desk.text("ws/kept"), "kept");
    }
    let edit = json!({"path": "kept", "old": "kept", "new": large});
    assert_eq!(desk.fails("edit_file", &edit), "disk_full");
    assert_eq!((desk.names("ws"), desk.text("ws/kept").as_str()), (vec!["kept".to_owned()], "kept"));
    // What fits is still written.
    assert_eq!(
        desk.call("write_file", &json!({"path": "kept", "content": "new"})).unwrap().verified,
        Some(true)
    );
}

#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    let folder = tempfile::TempDir::new().unwrap();
    let script = "mount -t tmpfs -o size=1m,mode=755 tmpfs \"$TOOLGATE_TEST_DISK\" && exec \"$0\" \"$@\"";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "full_disk::writes_on_the_small_disk", "--nocapture"])
        .env(FOLDER, folder.path().canonicalize().unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for path in ["kept", "new", "a/b/c"] {
        assert!(
            text.contains(&format!("{path}: disk_full `{path}` cannot be written: No space left")),
            "{text}"
        );
    }
}
