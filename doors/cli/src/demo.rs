//! What `toolgate demo` plays: an agent's morning with the real gate.
//!
//! Every step is a command of this very program, run as a person or an agent would run it, and held to what
//! must come of it. Nothing here knows a way past the gate, so the demo shows no more than the product does.
//!
//! Start with [`morning`] for the order of things.

mod code;
mod consent;
mod files;
mod key;
mod leaks;
mod morning;
mod place;
mod program;
mod record;
mod secret;
mod site;
mod step;

pub(crate) use morning::Morning;
pub(crate) use place::{NoPlace, Place};
pub(crate) use step::{Ink, Outcome, Step};
