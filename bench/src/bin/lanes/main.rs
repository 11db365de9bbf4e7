//! What a run in a lane costs, beside the same without what the lane is for.
//!
//! `cargo x bench lanes` builds and starts this. With `--smoke` it does little and writes nothing.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measuring program reads the clock, starts processes and talks to a terminal"
)]

mod jail;
mod microvm;
mod monty;

use std::path::Path;
use std::process::ExitCode;

use bench::machine;
use bench::page::{self, Part};

/// As the gate's binary has it: workers of the Monty lane are this binary.
#[global_allocator]
static ALLOCATOR: monty_lane::worker::Allocator = monty_lane::worker::Allocator;

fn main() -> ExitCode {
    if let Some(code) = monty::serve_if_bare().or_else(monty_lane::worker::serve_if_asked) {
        return code;
    }
    let smoke = match std::env::args().skip(1).collect::<Vec<String>>().as_slice() {
        [] => false,
        [word] if word == "--smoke" => true,
        _ => {
            eprintln!("usage: lanes [--smoke]");
            return ExitCode::FAILURE;
        }
    };
    match measure(smoke).and_then(|text| {
        println!("{text}");
        if smoke { Ok(()) } else { page::write(Part::Lanes, &text) }
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn measure(smoke: bool) -> Result<String, String> {
    let jail = jail::measure(smoke)?;
    let monty = monty::measure(smoke)?;
    let microvm = microvm::measure(smoke)?;
    Ok(format!(
        "\n{}- load at the end: {}\n\nFigures of one run on one machine. Read them as ratios: the sides took turns.\n{jail}{monty}{microvm}",
        machine::description("cargo x bench lanes", Path::new("python3")),
        machine::load(),
    ))
}

/// What stops a measurement.
fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
