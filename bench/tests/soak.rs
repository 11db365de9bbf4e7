//! The soak of the MCP door in short: by answers and not by the clock, so that a slow machine passes as well.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests: they start programs")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The gate that was built beside this test. A build of the whole workspace has it; one of this package alone
/// makes it first.
fn gate() -> PathBuf {
    let gate = Path::new(env!("CARGO_BIN_EXE_mcp")).with_file_name("toolgate");
    if !gate.exists() {
        let built =
            Command::new(env!("CARGO")).args(["build", "--locked", "-p", "toolgate"]).status().unwrap();
        assert!(built.success(), "there is no gate to try");
    }
    gate
}

#[track_caller]
fn soak(words: &[&str]) -> String {
    let ran = Command::new(env!("CARGO_BIN_EXE_mcp")).arg("--gate").arg(gate()).args(words).output().unwrap();
    let told = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{told}");
    assert!(told.contains("lost 0, doubled 0, answered and not on record 0, answered twice 0"), "{told}");
    told
}

#[test]
fn each_call_of_many_sessions_at_once_has_one_end() {
    let told = soak(&["--soak-calls", "3000"]);
    assert!(told.contains("on record and not heard 0;"), "{told}");
}

#[test]
fn each_call_has_one_end_when_the_gate_is_killed_again_and_again() {
    let told = soak(&["--soak-calls", "3000", "--kill", "5"]);
    assert_eq!(told.matches("it listens again").count(), 5, "{told}");
}
