//! Other MCP servers behind the gate.
//!
//! A [`Fleet`] starts the servers of [`Servers`] and asks each what tools it has. A tool is offered to agents
//! as `server.tool`, and only when a person has mapped what it does, when its definition is the one that was
//! reviewed, when its name cannot be taken for another, and when its words carry nothing that they should
//! not. A call of it walks the whole gate first; [`Fleet::run`] is the last step of that, and looks at the
//! definition again. What comes back is untrusted.
//!
//! Servers get nothing from here: sampling, elicitation, roots are refused, and their instructions, prompts
//! and resources are not passed on. One that hangs, floods or dies does not hold up the others.

mod collision;
mod definition;
mod downstream;
mod fleet;
mod launcher;
mod learn;
mod pins;
mod servers;
mod start;

use std::sync::Arc;

pub use definition::Definition;
pub use fleet::{Fleet, FleetError, Offer, Withheld};
pub use launcher::{Launched, Launcher, Running};
pub use learn::learn;
pub use pins::Pins;
pub use servers::{BadServers, Reach, ServerEntry, Servers};
pub use start::{Start, Workspace};

/// What a text carries that it should not, each in one word; nothing when it is clean.
pub type Screen = Arc<dyn Fn(&str) -> Vec<String> + Send + Sync>;
