//! What the README tells a newcomer to paste, pasted.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::door::{Door, finish};

/// Every block of shell below these headings, in order.
fn pasted(headings: &[&str]) -> String {
    let readme = include_str!("../../../../README.md");
    let (mut script, mut below, mut inside) = (String::new(), false, false);
    for line in readme.lines() {
        if let Some(heading) = line.strip_prefix("## ").filter(|_| !inside) {
            below = headings.contains(&heading);
        }
        match line {
            "```sh" => inside = below,
            "```" => inside = false,
            _ if inside => script.push_str(&format!("{line}\n")),
            _ => {}
        }
    }
    script
}

#[test]
fn a_newcomer_can_paste_the_sections_about_calls_and_requests() {
    let script = pasted(&["Calls", "A request's life"]);
    assert!(script.contains("toolgate run") && script.contains("--approval"), "{script}");
    let door = Door::new();
    let folder = Path::new(env!("CARGO_BIN_EXE_toolgate")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("sh");
    command.args(["-e", "-u", "-c", &script]).current_dir(door.folder.path());
    command.env("PATH", format!("{}:{path}", folder.display())).env("TOOLGATE_PROOF_SECONDS", "120");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = finish(command.spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    assert_eq!(door.read("notes/notes.txt"), "Backups: every night.\n");
    for wanted in ["exit code 4\n", "338350\n", "\nsuccess ", "ACCEPT\n", "ok: "] {
        assert!(ran.stdout.contains(wanted), "{wanted:?} in {}", ran.all());
    }
}
