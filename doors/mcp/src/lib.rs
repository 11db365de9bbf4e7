//! The gate as an MCP server, and in front of other MCP servers. Nothing else knows MCP.
//!
//! This door carries calls to the gate and answers back, and decides nothing: whoever is behind
//! [`Gatekeeper`] does. It never approves, never runs a tool by itself, and never reads the arguments of
//! a call: they go to the gate as the text that the client wrote, so that there is one reader of them.
//!
//! - [`serve_stdio`] and [`serve_http`]: the gate as a server, see `server`.
//! - [`Fleet`]: other servers behind the gate, see `proxy`.
//! - [`print_config`]: what a client is told to start this door.
//!
//! All entry points block, and make a runtime of their own. No type of the protocol's library leaves
//! this crate.
#![expect(clippy::disallowed_methods, reason = "a door: it listens, starts servers and reads the clock")]

mod answer;
mod arguments;
mod client;
mod frame;
mod gatekeeper;
mod identity;
mod proxy;
mod server;

pub use answer::output_schema;
pub use client::{Client, Door, print_config};
pub use gatekeeper::{Begun, Gatekeeper, Halt, Looked, Recording, ToolDescription};
pub use identity::{BadTokens, Identity, Token, Tokens};
pub use proxy::{
    BadServers, Definition, Fleet, FleetError, Launched, Launcher, Offer, Pins, Reach, Running, Screen,
    ServerEntry, Servers, Start, Withheld, Workspace, learn,
};
pub use server::{
    ApprovalPage, BadPage, HttpOptions, Limits, Listener, Options, ServeError, serve, serve_http, serve_stdio,
};
