//! Stage 5: do it, each effect by descriptor and never by name twice.
//!
//! [`toolbox`] knows which tool a call means. Each tool has a room of its own, takes an errand and gives back what
//! came of it. This crate touches files below the allowed roots, the databases that policy names, the gate's own
//! egress and the lanes; it decides nothing. What only turns up on the way is put to the errand's judge.

mod database;
mod key_block;

pub mod db;
pub mod files;
pub mod github;
pub mod memory;
pub mod network;
pub mod place;
pub mod sandbox;
pub mod secrets;
pub mod toolbox;
pub mod usage;
