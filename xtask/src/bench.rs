//! `cargo x bench`: builds the gate and the comparison, and runs the comparison.
//!
//! The measuring itself is a program in `bench/`, because it has to be built with optimisation and
//! this one is not.

use crate::repository::{cargo, root, succeed, target_folder};

/// Runs the comparison; with `--smoke` once, with few documents and without optimisation, to show
/// that it works and not how fast it is.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let smoke = match options {
        [] => false,
        ["--smoke"] => true,
        _ => return Err("usage: cargo x bench [--smoke]".to_owned()),
    };
    let (profile, folder) = if smoke { ("dev", "debug") } else { ("release", "release") };
    succeed(cargo().args([
        "build",
        "--quiet",
        "--locked",
        "--profile",
        profile,
        "-p",
        "toolgate",
        "-p",
        "bench",
    ]))?;
    let built = target_folder().join(folder);
    let mut comparison = std::process::Command::new(built.join("compare"));
    comparison.current_dir(root()).arg("--gate").arg(built.join("toolgate"));
    if smoke {
        comparison.arg("--smoke");
    }
    succeed(&mut comparison)
}
