//! The `toolgate` program: the door that people and scripts come in by.
//!
//! A door reads arguments, files, the clock and the terminal, and hands plain values to the crates
//! that think. It holds no rule of its own: what makes a document good is in `document`.
//!
//! Start with [`arguments`] for what can be typed, and [`commands`] for what then happens.

#![expect(clippy::disallowed_methods, reason = "a door may touch files, the clock and the environment")]

mod arguments;
mod cases;
mod chance;
mod checker;
mod clock;
mod commands;
mod draft;
mod exit;
mod find;
mod gatehouse;
mod home;
mod interrupt;
mod ordered;
mod outcome;
mod printer;
mod publish;
mod quarantine;
mod read;
mod recording;
mod render;
mod report;
mod secrets;
mod session;
mod terminal;
mod visible;
mod watch;
mod weigh;

use std::process::ExitCode;

fn main() -> ExitCode {
    match arguments::parse() {
        Ok(arguments) => commands::run(arguments).into(),
        Err(exit) => exit.into(),
    }
}
