//! What the whole gate costs, beside the same without it: a look, an approved change, many callers, a search, a
//! large file, and the cleaning of what comes back.
//!
//! In one process, with a real home on the disk. `cargo x bench gate` builds and starts this. With `--smoke` it
//! does little and writes nothing; with `--only PART` it measures one part and writes nothing, which is what one
//! wants below a profiler. `--gate` names the program `toolgate`, whose `run` is measured too.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measuring program reads the clock, keeps files and talks to a terminal"
)]

mod approving;
mod cleaning;
mod figures;
mod home;
mod large;
mod meter;
mod reading;
mod report;
mod running;
mod searching;
mod twin;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use bench::page::{self, Part};

/// How much to do.
#[derive(Clone, Copy)]
struct Plan {
    /// Reads of one file on each side.
    reads: usize,
    /// Calls that a person agrees to.
    approvals: usize,
    callers: &'static [usize],
    rounds: usize,
    /// How long each side is called in a round.
    each: Duration,
    /// Files of the tree that is searched.
    files: usize,
    searches: usize,
    /// Sizes of files that are larger than what comes back of them.
    sizes: &'static [u64],
    /// Bytes that are cleaned.
    output: usize,
    cleanings: usize,
    /// Requests that are run.
    runs: usize,
}

const FULL: Plan = Plan {
    reads: 2_000,
    approvals: 200,
    callers: &[1, 8, 64],
    rounds: 5,
    each: Duration::from_millis(1_000),
    files: 50_000,
    searches: 9,
    sizes: &[1 << 20, 32 << 20, 1 << 30],
    output: 1 << 20,
    cleanings: 21,
    runs: 60,
};

const SMOKE: Plan = Plan {
    reads: 20,
    approvals: 3,
    callers: &[1, 8],
    rounds: 1,
    each: Duration::from_millis(50),
    files: 300,
    searches: 1,
    sizes: &[1 << 16, 1 << 21],
    output: 1 << 14,
    cleanings: 1,
    runs: 1,
};

const USAGE: &str =
    "usage: gate [--smoke] [--only read|approve|callers|search|large|clean|run] [--gate PATH]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut words = words.iter().map(String::as_str);
    let (mut plan, mut only, mut gate) = (FULL, None, None);
    let mut written = true;
    while let Some(word) = words.next() {
        match word {
            "--smoke" => (plan, written) = (SMOKE, false),
            "--only" => (only, written) = (words.next(), false),
            "--gate" => gate = words.next().map(Path::new),
            _ => {
                eprintln!("{USAGE}");
                return ExitCode::FAILURE;
            }
        }
    }
    match measure(&plan, only, gate).and_then(|text| {
        println!("{text}");
        if written { page::write(Part::Gate, &text) } else { Ok(()) }
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn measure(plan: &Plan, only: Option<&str>, gate: Option<&Path>) -> Result<String, String> {
    let wanted = |part: &str| only.is_none_or(|only| only == part);
    // First, while the process has held nothing large that it could use again.
    let large = wanted("large").then(|| large::measure(plan)).transpose()?;
    let read = wanted("read").then(|| reading::one_by_one(plan)).transpose()?;
    let approved = wanted("approve").then(|| approving::measure(plan)).transpose()?;
    let called = wanted("callers").then(|| reading::all_at_once(plan)).transpose()?;
    let searched = wanted("search").then(|| searching::measure(plan)).transpose()?;
    let cleaned = wanted("clean").then(|| cleaning::measure(plan));
    // Where the program itself is at hand.
    let gate = gate.filter(|_| wanted("run"));
    let ran = gate.map(|gate| running::measure(plan, gate)).transpose()?;
    Ok(report::part(plan, &report::All { read, approved, called, searched, large, cleaned, ran }))
}

/// What stops a measurement.
fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
