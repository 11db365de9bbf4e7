//! How fast events become durable beside a bare SQLite program that does the same batches; and what a
//! ledger costs as it grows.
//!
//! `cargo x bench ledger` builds and starts this. With `--smoke` it does little and writes nothing.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measuring program reads the clock, keeps files and talks to a terminal"
)]

mod appending;
mod bare;
mod events;
mod growing;
mod report;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use bench::page::{self, Part};

/// How much to do.
struct Plan {
    callers: &'static [usize],
    rounds: usize,
    /// How long each side writes in a round.
    each: Duration,
    /// Sizes of the ledger at which it is looked at.
    sizes: &'static [u64],
}

const FULL: Plan = Plan {
    callers: &[1, 8, 64],
    rounds: 5,
    each: Duration::from_millis(1_500),
    sizes: &[1_000, 10_000, 100_000, 1_000_000, 10_000_000],
};

const SMOKE: Plan =
    Plan { callers: &[1, 8], rounds: 1, each: Duration::from_millis(30), sizes: &[300, 1_000] };

fn main() -> ExitCode {
    let smoke = match std::env::args().skip(1).collect::<Vec<String>>().as_slice() {
        [] => false,
        [word] if word == "--smoke" => true,
        _ => {
            eprintln!("usage: ledger [--smoke]");
            return ExitCode::FAILURE;
        }
    };
    match measure(if smoke { &SMOKE } else { &FULL }).and_then(|text| {
        println!("{text}");
        if smoke { Ok(()) } else { page::write(Part::Ledger, &text) }
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn measure(plan: &Plan) -> Result<String, String> {
    let appended = appending::measure(plan)?;
    let grown = growing::measure(plan)?;
    Ok(report::part(plan, &appended, &grown, Path::new("python3")))
}

/// What stops a measurement.
fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
