//! What a confined process can still do: each attempt in a process of its own, named for what must not
//! happen, with the layers that refuse it.
#![expect(clippy::disallowed_methods, reason = "each attempt is a process")]

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The example programs lie beside the folder of the tests.
fn example(name: &str) -> PathBuf {
    let mut path = std::env::current_exe().unwrap_or_default();
    path.pop();
    path.pop();
    path.join("examples").join(name)
}

/// What the attempt said, or the signal that ended it.
fn attempt(layers: &str, what: &str) -> String {
    let output =
        Command::new(example("attempt")).args([layers, what]).env_clear().stdin(Stdio::null()).output().map(
            |output| (String::from_utf8_lossy(&output.stdout).trim().to_owned(), output.status.signal()),
        );
    match output {
        Ok((_, Some(signal))) => format!("signal {signal}"),
        Ok((said, None)) => said,
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_confined_process_opens_starts_and_reaches_nothing() {
    for what in [
        "read",
        "read-self",
        "write",
        "list",
        "make",
        "remove",
        "tcp",
        "listen",
        "udp",
        "unix",
        "run",
        "thread",
        "signal",
        "limits",
    ] {
        // SIGSYS: the call is not on the list, and the process is gone.
        assert_eq!(attempt("all", what), "signal 31", "{what}");
    }
}

#[test]
fn what_a_worker_needs_is_left_to_it() {
    assert_eq!(attempt("all", "nothing"), "escaped: nothing");
    assert_eq!(attempt("all", "descriptor"), "escaped:");
    // A stack that overflows ends as such, so that it can be told from what is forbidden.
    let overflow = attempt("all", "overflow");
    assert!(["signal 6", "signal 11"].contains(&overflow.as_str()), "{overflow}");
}

#[test]
fn files_and_tcp_are_refused_without_the_filter_too() {
    for what in ["read", "read-self", "write", "list", "make", "tcp", "listen"] {
        let said = attempt("files", what);
        assert!(said.starts_with("refused: Permission denied"), "{what}: {said}");
    }
}

#[test]
fn an_environment_that_came_along_is_a_missing_layer() {
    let output =
        Command::new(example("attempt")).args(["all", "nothing"]).env("SECRET", "x").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.starts_with("not confined: the layer `empty_environment` is missing"), "{said}");
}
