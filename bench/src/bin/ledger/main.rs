//! How fast events become durable beside a bare SQLite program that does the same batches; and what a
//! ledger costs as it grows.
//!
//! `cargo x bench ledger` builds and starts this. With `--smoke` it does little and writes nothing;
//! with `--only PART` it measures one part and writes nothing.
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
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (plan, only) = match words.as_slice() {
        [] => (&FULL, None),
        ["--smoke"] => (&SMOKE, None),
        ["--only", part] => (&FULL, Some(*part)),
        _ => {
            eprintln!("usage: ledger [--smoke | --only append|grow]");
            return ExitCode::FAILURE;
        }
    };
    match measure(plan, only).and_then(|text| {
        println!("{text}");
        if words.is_empty() { page::write(Part::Ledger, &text) } else { Ok(()) }
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn measure(plan: &Plan, only: Option<&str>) -> Result<String, String> {
    let wanted = |part: &str| only.is_none_or(|only| only == part);
    let appended = if wanted("append") { appending::measure(plan)? } else { Vec::new() };
    let grown = if wanted("grow") { growing::measure(plan)? } else { Vec::new() };
    Ok(report::part(plan, &appended, &grown, Path::new("python3")))
}

/// What stops a measurement.
fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
