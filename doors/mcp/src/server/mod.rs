//! The gate as an MCP server.
//!
//! `handler` answers what the protocol asks, `run` carries one call to the gate and back, `direct` does so for
//! calls that are over in a moment and `clerks` carry them where they are many, `spoken` gathers what is said
//! over pipes, `meant` puts those on record that get no further than here, `waiting` is for
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
    /// How long a call that is taken up again, and for which nobody has agreed yet, is held open before the client
    /// is told that it waits.
    pub hold: Duration,
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
            hold: Duration::ZERO,
            progress_every: Duration::from_secs(1),
            longest_message: 8 << 20,
        }
    }
}

/// The address of a page where a person approves a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalPage(String);

impl ApprovalPage {
    /// The name of the call is put behind this address, as a step of its path of its own:
    /// `http://127.0.0.1:7878/calls` and `http://127.0.0.1:7878/calls/` are one page. Behind a query or a mark
    /// (`?call=`, `#`) it stands as it is.
    ///
    /// # Errors
    /// When it is no address that a browser opens.
    pub fn new(prefix: impl Into<String>) -> Result<Self, BadPage> {
        let mut prefix: String = prefix.into();
        let page = url::Url::parse(&prefix).ok();
        let page = page.filter(|page| matches!(page.scheme(), "http" | "https") && page.has_host());
        let page = page.ok_or_else(|| BadPage(prefix.clone()))?;
        if page.query().is_none() && page.fragment().is_none() && !prefix.ends_with('/') {
            prefix.push('/');
        }
        Ok(Self(prefix))
    }

    /// The address, as it is given on a command line.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn of(&self, call: &str) -> String {
        format!("{}{call}", self.0)
    }
}

/// A text is no address of a page where people approve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no address of a page: expected `https://…` or `http://…`")]
pub struct BadPage(String);

impl std::str::FromStr for ApprovalPage {
    type Err = BadPage;

    fn from_str(text: &str) -> Result<Self, BadPage> {
        Self::new(text)
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

#[cfg(test)]
mod tests {
    use super::ApprovalPage;

    #[test]
    fn the_name_of_a_call_is_a_step_of_its_own_behind_the_address_of_a_page() {
        for (page, want) in [
            ("http://127.0.0.1:7878/calls/", "http://127.0.0.1:7878/calls/c1"),
            ("http://127.0.0.1:7878/calls", "http://127.0.0.1:7878/calls/c1"),
            ("https://gate.example.org", "https://gate.example.org/c1"),
            ("https://gate.example.org/?call=", "https://gate.example.org/?call=c1"),
            ("https://gate.example.org/#/calls/", "https://gate.example.org/#/calls/c1"),
        ] {
            assert_eq!(ApprovalPage::new(page).unwrap().of("c1"), want, "{page}");
        }
        for page in
            ["", "calls/", "gate.example.org/calls", "javascript:alert(1)//", "file:///etc/passwd", "http://"]
        {
            assert!(ApprovalPage::new(page).is_err(), "{page}");
        }
    }
}
