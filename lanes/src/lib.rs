//! Where code runs.
//!
//! A lane is a way to run a program that nobody trusts: a [`Jail`] shares the kernel with it, behind
//! every wall that the kernel has; a [`MicroVm`] does not even share that. A lane is tried before it is used ([`Lane::probe`]); what is not there
//! is a refusal, never a weaker lane; and what was really active is part of every [`Ran`].
#![expect(
    clippy::disallowed_methods,
    reason = "processes, the kernel's files and the clock on the wall are what this crate is for"
)]

pub mod jail;
mod job;
mod lane;
pub mod microvm;
pub mod network;
mod outputs;
mod ran;
pub mod runtime;
mod streams;

pub use jail::{Jail, Residence, Resident};
pub use job::{Input, Job, Limits, Network, Program};
pub use lane::{Lane, LaneError, Probe};
pub use microvm::MicroVm;
pub use network::{Destination, Reach};
pub use outputs::{Artifact, Unwanted};
pub use ran::{Ending, Ran};
