//! Where Python that needs nothing runs: the Monty interpreter in confined worker processes.
//!
//! A program is looked at before it runs ([`rules`]), runs in a process that can open nothing
//! ([`worker`]), and is ended by the clock of whoever asked ([`Pool::run`]). The interpreter never runs in
//! the gate: an overflow of its stack or an allocation that fails takes the process with it.
//!
//! The gate names [`Pool`]; its binary calls [`worker::serve_if_asked`] when it is started as a worker, and has
//! [`worker::Allocator`] as its allocator, without which a worker refuses to serve.

#![expect(
    clippy::disallowed_methods,
    reason = "a lane starts processes, and holds them to limits of time by the clock"
)]

mod allocator;
mod confine;
mod interpret;
mod outcome;
mod pool;
pub mod rules;
mod uuid;
mod value;
mod wire;
pub mod worker;

pub use outcome::{Exit, Failure, FailureKind, Outcome, Value};
pub use pool::{Cancel, Pool, PoolError, Settings};
pub use wire::{Limits, Request};
