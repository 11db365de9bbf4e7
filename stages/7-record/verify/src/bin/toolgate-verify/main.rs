//! The `toolgate-verify` program: checks a ledger, a proof or a checkpoint, offline.
//!
//! It reads files and writes to the terminal, and holds no rule of its own: what makes a log good is in the
//! library. It needs the key of the log, and gets it from whoever runs it; a key that lay beside the log
//! would be the key of whoever wrote the log.

#![expect(clippy::disallowed_methods, reason = "this program reads the files that it is asked about")]

mod answer;
mod arguments;
mod commands;
mod files;

use std::io::Write as _;
use std::process::ExitCode;

use answer::{Answer, CouldNot};

fn main() -> ExitCode {
    let answer =
        arguments::parse(std::env::args_os().skip(1)).map_err(CouldNot::Usage).and_then(commands::run);
    // Whoever has closed the other end still gets the exit code.
    match answer {
        Ok(Answer { text, verdict }) => {
            let _ = std::io::stdout().write_all(text.as_bytes());
            verdict.into()
        }
        Err(error) => {
            let _ = std::io::stderr().write_all(error.message().as_bytes());
            ExitCode::from(COULD_NOT)
        }
    }
}

/// Bad usage, or a file that cannot be read: nothing is known about the ledger.
const COULD_NOT: u8 = 3;
