//! Chores of the repository: `cargo x rules`, `cargo x fuzz`, `cargo x bench`.
//!
//! The rules about the repository that the compiler cannot see are tests of this crate, under
//! `house`; `cargo test` runs them like any other.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore runs at a terminal, reads the repository and starts cargo"
)]

mod bench;
mod fuzz;
#[cfg(test)]
mod house;
mod repository;
mod rules_page;

use std::process::ExitCode;

const USAGE: &str = "usage:
  cargo x rules                              writes docs/rules.md from the table of rules
  cargo x fuzz [--seconds 30] [--seed N] [TARGET...]
                                             fuzzes every target, or the ones named
  cargo x bench [documents|decisions|ledger|lanes|gate] [--smoke]
                                             compares with CPython, writes bench/RESULTS.md";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["rules"] => rules_page::write(),
        ["fuzz", options @ ..] => fuzz::run(options),
        ["bench", options @ ..] => bench::run(options),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
