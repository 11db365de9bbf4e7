//! The gate as an MCP server.
//!
//! `handler` answers what the protocol asks, `run` carries one call to the gate and back, `direct` does so for
//! calls that are over in a moment and `clerks` carry them where they are many, `meant` puts those on record that get no further than here, `waiting` is for
//! calls that a person must agree to, `stdio` and `http` are the two ways in. None of them has an endpoint
//! that approves: that is somewhere else, where agents are not.

mod clerks;
mod direct;
mod handler;
mod http;
mod meant;
mod resources;
mod run;
mod spoken;
mod stdio;
mod tools;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest};

pub use http::{HttpOptions, Limits, Listener, serve_http};
pub use stdio::{serve, serve_stdio};

use crate::{Gatekeeper, Halt, Identity};

/// How a door behaves, whichever way in.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the session of a connection over pipes is called. Sessions over HTTP have names of their own.
    pub session: String,
    /// Where people approve, for clients that can open a page. Never this door.
    pub approvals: Option<ApprovalPage>,
    /// How long a call may be held open until a person has agreed, where the client asked them.
    pub patience: Duration,
    /// How often a client that wants to know is told that a call still runs.
    pub progress_every: Duration,
    /// Bytes of the longest message.
    pub longest_message: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            session: "mcp".to_owned(),
            approvals: None,
            patience: Duration::from_secs(120),
            progress_every: Duration::from_secs(1),
            longest_message: 8 << 20,
        }
    }
}

/// The address of a page where a person approves a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalPage(String);

impl ApprovalPage {
    /// The name of the call is put behind this address: `http://127.0.0.1:7878/calls/`.
    #[must_use]
    pub fn new(prefix: impl Into<String>) -> Self {
        Self(prefix.into())
    }

    fn of(&self, call: &str) -> String {
        format!("{}{call}", self.0)
    }
}

/// Why a door closed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The ledger failed.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// The machine gave no runtime, thread or socket.
    #[error("the door could not be opened: {what}")]
    Machine {
        /// What failed.
        what: &'static str,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Anybody on the network could come in.
    #[error("`{address}` is not a loopback address: others on the network could reach the gate")]
    NotLoopback {
        /// The address.
        address: std::net::SocketAddr,
    },
    /// Nobody could come in, or anybody.
    #[error("there is no token: nobody could use the listener")]
    NoTokens,
}

impl ServeError {
    /// What to do about it, where there is one such thing.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotLoopback { .. } => {
                Some("listen on 127.0.0.1, or say that others may reach it, behind a proxy with TLS")
            }
            Self::NoTokens => Some("make a token first"),
            Self::Halt(_) => Some("look at the disk and the ledger: `toolgate ledger verify`"),
            Self::Machine { .. } => None,
        }
    }
}

/// A message that was read strictly, as the protocol's library has it; or the protocol's code, and what is
/// wrong.
fn read_message(text: &str) -> Result<ClientJsonRpcMessage, (i32, &'static str)> {
    let message: ClientJsonRpcMessage = serde_json::from_str(text)
        .map_err(|_| (crate::frame::INVALID_REQUEST, "no message of the protocol"))?;
    // The library takes what does not fit for a request of somebody else's making, and says nothing useful.
    if let ClientJsonRpcMessage::Request(request) = &message
        && let ClientRequest::CustomRequest(custom) = &request.request
        && custom.method == "initialize"
    {
        let needs =
            "`initialize` needs `protocolVersion`, `capabilities` and `clientInfo` with `name` and `version`";
        return Err((crate::frame::INVALID_PARAMS, needs));
    }
    Ok(message)
}

/// What all connections of a door share.
pub(crate) struct Shared {
    pub(crate) gate: Arc<dyn Gatekeeper>,
    pub(crate) options: Options,
    /// Set once, when the ledger failed.
    pub(crate) halted: std::sync::OnceLock<Halt>,
    /// Cancelled when the door closes.
    pub(crate) closing: tokio_util::sync::CancellationToken,
    /// How many calls are at work.
    pub(crate) calls: run::CallCount,
    /// Places at the gate for calls that are over in a moment.
    pub(crate) brief: Arc<tokio::sync::Semaphore>,
    /// Those who carry them, where there are several.
    pub(crate) clerks: clerks::Clerks,
}

impl Shared {
    /// The ledger failed: nobody is served any more. The door closes a moment later, so that whoever asked still
    /// hears why.
    pub(crate) fn halt(&self, halt: Halt) {
        self.halted.get_or_init(|| halt);
        let closing = self.closing.clone();
        std::thread::spawn(move || {
            std::thread::sleep(LAST_WORDS);
            closing.cancel();
        });
    }
}

/// How long a door that closes stays open for what was still to be said.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Who is asking, and in which session.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) identity: Identity,
    pub(crate) session: String,
}

/// How long calls that still run are waited for when a door closes, so that each has its end on record.
const LAST_CALLS: Duration = Duration::from_secs(30);
