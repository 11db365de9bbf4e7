//! A gate that is killed in the middle of a write.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::desk::Desk;

const FOLDER: &str = "TOOLGATE_TEST_DEATH";
const SIZE: usize = 1 << 20;

/// Writes until it is killed. Does nothing where the tests run by themselves.
#[test]
fn writes_without_end() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let desk = Desk::at(Path::new(&folder));
    for letter in ["a", "b", "c"].iter().cycle() {
        desk.call("write_file", &json!({"path": "file", "content": letter.repeat(SIZE)})).unwrap();
    }
}

#[test]
fn a_gate_that_is_killed_leaves_the_old_or_the_new_content() {
    let desk = Desk::new();
    desk.write("ws/file", "o".repeat(SIZE));
    for round in 0..20 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "death::writes_without_end"])
            .env(FOLDER, &desk.base)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(20 + round * 7));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = desk.text("ws/file");
        let first = text.chars().next().unwrap();
        assert!(text.len() == SIZE && text.chars().all(|letter| letter == first), "round {round}");
        // Whoever comes next is not in anybody's way.
        desk.call("write_file", &json!({"path": "file", "content": "o".repeat(SIZE)})).unwrap();
    }
}
