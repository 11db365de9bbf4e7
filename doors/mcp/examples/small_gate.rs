//! The door with a small gate behind it, over pipes, for tests with clients that start their server.
//!
//! `small_gate ROOT [--page PREFIX]`
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a program for tests: one that cannot start has failed"
)]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use call::CallContext;
use mcp_door::{ApprovalPage, Identity, Options, serve_stdio};

#[path = "../tests/gatekeeper/mod.rs"]
mod gatekeeper;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let root = PathBuf::from(arguments.next().unwrap());
    let page = arguments.next().and_then(|_| arguments.next()).map(|page| ApprovalPage::new(page).unwrap());
    let gate = gatekeeper::SmallGate::new(&root);
    let identity = Identity { agent: "tester".into(), skill: None, context: CallContext::Agent };
    let options = Options {
        session: format!("pipe-{}", std::process::id()),
        approvals: page,
        patience: Duration::from_secs(10),
        progress_every: Duration::from_millis(50),
        longest_message: 1 << 20,
        ..Options::default()
    };
    serve_stdio(Arc::new(gate), identity, options).unwrap();
}
