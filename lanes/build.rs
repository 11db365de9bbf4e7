//! Compiles the helper, which the gate carries with it.
//!
//! Cargo cannot make one program a part of another. The helper has no dependencies, so that the compiler
//! alone is enough: the same one, for the same machine.
#![expect(clippy::disallowed_methods, reason = "a build script reads what cargo tells it")]

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=helper/src");
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("helper");
    let mut rustc = Command::new(std::env::var("RUSTC")?);
    rustc.args(["--edition", "2024", "--crate-name", "toolgate_helper", "--crate-type", "bin"]);
    rustc.args(["--target", &std::env::var("TARGET")?, "--cap-lints", "allow"]);
    rustc.args(["-C", "panic=abort", "-C", "opt-level=s", "-C", "lto=yes", "-C", "strip=symbols"]);
    // No library and no start-up code below it, and nothing for a loader to do.
    rustc.args(["-C", "relocation-model=static", "-C", "link-arg=-static", "-C", "link-arg=-no-pie"]);
    rustc.args(["-C", "link-arg=-nostdlib", "-C", "link-arg=-nostartfiles"]);
    let done = rustc.arg("helper/src/main.rs").arg("-o").arg(&out).status()?;
    if !done.success() {
        return Err(format!("the helper of the lanes could not be compiled: {done}").into());
    }
    println!("cargo:rustc-env=TOOLGATE_HELPER={}", out.display());
    Ok(())
}
