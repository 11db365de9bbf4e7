//! The door with a small gate and another server behind it, over pipes.
//!
//! `small_proxy ROOT MAPPING.toml NAME COMMAND…`, or with the address of a server that runs already and wants
//! the token in `SMALL_TOKEN`.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a program for tests: one that cannot start has failed"
)]

use std::path::PathBuf;
use std::sync::Arc;

use call::CallContext;
use mcp_door::{Fleet, Identity, Options, ServerEntry, Servers, serve_stdio};

#[path = "../tests/behind/mod.rs"]
mod behind;
#[path = "../tests/gatekeeper/mod.rs"]
mod gatekeeper;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let root = PathBuf::from(arguments.next().unwrap());
    let mapping = std::fs::read_to_string(arguments.next().unwrap()).unwrap();
    let name = arguments.next().unwrap();
    let argv: Vec<String> = arguments.collect();
    let servers = match argv.as_slice() {
        [url] if url.starts_with("http") => {
            Servers::parse(&format!("[servers.{name}]\nurl = '{url}'\nbearer_env = 'SMALL_TOKEN'\n")).unwrap()
        }
        _ => Servers::new(vec![ServerEntry::command(&name, argv).unwrap()]).unwrap(),
    };
    let (mapping, pins) = behind::mapped(&name, &mapping);
    let fleet = Arc::new(Fleet::new(&servers, pins, behind::screen(), Arc::new(behind::Plain)).unwrap());
    let gate = behind::gate(&root, &name, mapping, &fleet);
    let identity = Identity { agent: "tester".into(), skill: None, context: CallContext::Agent };
    serve_stdio(Arc::new(gate), identity, Options::default()).unwrap();
}
