//! A worker and nothing else: what the tests start in place of the gate's own binary.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: monty_lane::worker::Allocator = monty_lane::worker::Allocator;

fn main() -> ExitCode {
    monty_lane::worker::serve_if_asked().unwrap_or(ExitCode::FAILURE)
}
