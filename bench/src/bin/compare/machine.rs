//! What the figures were measured on.

use std::process::Command;

/// Cores that this process may use.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Machine, toolchains and commit, one line each.
pub(crate) fn description() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown", |(_, model)| model.trim());
    let mut commit = first_line("git", &["rev-parse", "--short", "HEAD"]);
    if !first_line("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty() {
        commit.push_str(" with changes");
    }
    format!(
        "- machine: {} cores, {model}\n- toolchain: {}, release profile\n- Python: {}\n- commit: {commit}\n\
         - command: `cargo x bench`\n",
        cores(),
        first_line("rustc", &["--version"]),
        first_line("python3", &["--version"]),
    )
}

fn first_line(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}
