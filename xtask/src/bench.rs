//! `cargo x bench`: builds the gate and the comparisons, and runs them.
//!
//! The measuring itself is done by programs in `bench/`, because they have to be built with
//! optimisation and this one is not. What one of them compares with is installed here, below the
//! target folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::repository::{cargo, root, succeed, target_folder};

const USAGE: &str = "usage: cargo x bench [documents|decisions|ledger|lanes|gate|mcp] [--smoke]";

/// What decisions are compared with, as pip knows it.
const PACKAGES: [&str; 2] = ["agent-os-kernel==3.7.0", "pyyaml"];

/// Runs the comparisons, or the one that is named; with `--smoke` once, with little to do and without
/// optimisation, to show that they work and not how fast they are.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let (parts, smoke) = match options {
        [parts @ .., "--smoke"] => (parts, true),
        parts => (parts, false),
    };
    let chosen = match parts {
        [] => None,
        [part] if ["documents", "decisions", "ledger", "lanes", "gate", "mcp"].contains(part) => Some(*part),
        _ => return Err(USAGE.to_owned()),
    };
    let wanted = |part: &str| chosen.is_none_or(|chosen| chosen == part);
    let documents = wanted("documents");
    let mcp = wanted("mcp");
    let (profile, folder) = if smoke { ("dev", "debug") } else { ("release", "release") };
    let mut build = cargo();
    build.args(["build", "--quiet", "--locked", "--profile", profile]);
    if smoke {
        // As the tests are built, so that nothing is built twice.
        build.args(["--workspace", "--all-targets"]);
    } else {
        build.args(["-p", "bench"]);
        if documents || mcp || wanted("gate") {
            build.args(["-p", "toolgate"]);
        }
        // Each takes minutes to link, so the others are left out.
        match chosen {
            None => {}
            Some("documents") => drop(build.args(["--bin", "compare", "--bin", "toolgate"])),
            Some(part @ ("gate" | "mcp")) => drop(build.args(["--bin", part, "--bin", "toolgate"])),
            Some(part) => drop(build.args(["--bin", part])),
        }
    }
    succeed(&mut build)?;
    let built = target_folder().join(folder);
    if documents {
        let mut compare = program(&built.join("compare"), smoke);
        succeed(compare.arg("--gate").arg(built.join("toolgate")))?;
    }
    if wanted("decisions") {
        let mut decide = program(&built.join("decisions"), smoke);
        if let Some(python) = python_with_packages(smoke) {
            decide.arg("--python").arg(python);
        }
        succeed(&mut decide)?;
    }
    if wanted("ledger") {
        succeed(&mut program(&built.join("ledger"), smoke))?;
    }
    if wanted("lanes") {
        succeed(&mut program(&built.join("lanes"), smoke))?;
    }
    if wanted("gate") {
        succeed(program(&built.join("gate"), smoke).arg("--gate").arg(built.join("toolgate")))?;
    }
    if mcp {
        let mut measure = program(&built.join("mcp"), smoke);
        succeed(measure.arg("--gate").arg(built.join("toolgate")))?;
    }
    Ok(())
}

fn program(path: &Path, smoke: bool) -> Command {
    let mut command = Command::new(path);
    command.current_dir(root());
    if smoke {
        command.arg("--smoke");
    }
    command
}

/// A Python that has the packages, in a virtualenv that is made when it is missing. A smoke run makes
/// none: it has to work without a network.
fn python_with_packages(smoke: bool) -> Option<PathBuf> {
    let environment = target_folder().join("agent-os-kernel");
    let python = environment.join("bin/python");
    if has_packages(&python) {
        return Some(python);
    }
    if smoke {
        return None;
    }
    eprintln!("installing {} into {}", PACKAGES.join(" and "), environment.display());
    let made = succeed(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    match made.and_then(|()| succeed(Command::new(&python).args(pip).args(PACKAGES))) {
        Ok(()) => Some(python),
        Err(why) => {
            eprintln!("cannot install it, so that side is left out: {why}");
            None
        }
    }
}

fn has_packages(python: &Path) -> bool {
    let mut import = Command::new(python);
    import
        .args(["-c", "import agent_os.policies.evaluator, yaml"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    import.status().is_ok_and(|status| status.success())
}
