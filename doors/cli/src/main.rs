//! The `toolgate` program: the door that people and scripts come in by.
//!
//! A door reads arguments, files, the clock and the terminal, and hands plain values to the crates
//! that think. It holds no rule of its own: what makes a document good is in `document`.
//!
//! Start with [`arguments`] for what can be typed, and [`commands`] for what then happens.

#![expect(clippy::disallowed_methods, reason = "a door may touch files, the clock and the environment")]

mod arguments;
mod behind;
mod cases;
mod chance;
mod checker;
mod clock;
mod commands;
mod demo;
mod draft;
mod exit;
mod find;
mod gatehouse;
mod home;
mod interrupt;
mod keeper;
mod lanes_here;
mod live;
mod ordered;
mod ordinary;
mod outcome;
mod pager;
mod people;
mod printer;
mod publish;
mod quarantine;
mod read;
mod render;
mod report;
mod requests;
mod secrets;
mod session;
mod sign;
mod terminal;
mod toolbox;
mod visible;
mod watch;
mod weigh;
mod works;

use std::process::ExitCode;

/// Counts what is allocated in a worker of the Monty lane, which is this binary too, and has a limit there.
#[global_allocator]
static ALLOCATOR: monty_lane::worker::Allocator = monty_lane::worker::Allocator;

fn main() -> ExitCode {
    // Before anything else: a worker confines itself while it has one thread and nothing open.
    if let Some(code) = monty_lane::worker::serve_if_asked() {
        return code;
    }
    match arguments::parse() {
        Ok(arguments) => commands::run(arguments).into(),
        Err(exit) => exit.into(),
    }
}
