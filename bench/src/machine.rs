//! What the figures were measured on.
#![expect(clippy::disallowed_methods, reason = "the machine is asked about itself")]

use std::path::Path;
use std::process::Command;

/// Cores that this process may use.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Machine, toolchains and commit, one line each; `command` is what was run, `python` the program.
#[must_use]
pub fn description(command: &str, python: &Path) -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown", |(_, model)| model.trim());
    let mut commit = first_line("git", &["rev-parse", "--short", "HEAD"]);
    if !first_line("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty() {
        commit.push_str(" with changes");
    }
    format!(
        "- machine: {} cores, {model}\n- toolchain: {}, release profile\n- Python: {}\n- commit: {commit}\n\
         - command: `{command}`\n",
        cores(),
        first_line("rustc", &["--version"]),
        first_line(python, &["--version"]),
    )
}

/// The load of the last minute, which says how far a figure can be trusted.
#[must_use]
pub fn load() -> String {
    let loads = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    loads.split(' ').next().unwrap_or("unknown").to_owned()
}

fn first_line(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}
