//! The door with a small gate behind it, over HTTP, for tests with clients of other makers.
//!
//! `small_http ROOT`: prints the address and a token, and serves until its input ends.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a program for tests: one that cannot start has failed"
)]

use std::path::PathBuf;
use std::sync::Arc;

use call::CallContext;
use mcp_door::{HttpOptions, Identity, Listener, Token, Tokens};

#[path = "../tests/gatekeeper/mod.rs"]
mod gatekeeper;

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap());
    let gate = Arc::new(gatekeeper::SmallGate::new(&root));
    let identity = Identity { agent: "tester".into(), skill: None, context: CallContext::Agent };
    let (token, shown) = Token::new("test", identity, [9; 32]).unwrap();
    let mut tokens = Tokens::default();
    tokens.insert(token);
    let listener = Listener::bind(gate, HttpOptions::new("127.0.0.1:0".parse().unwrap(), tokens)).unwrap();
    println!("http://{}/mcp {shown}", listener.address());
    let close = listener.closer();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        close();
    });
    listener.serve().unwrap();
}
