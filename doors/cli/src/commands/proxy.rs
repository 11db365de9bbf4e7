//! `toolgate proxy`: the gate in front of other MCP servers.

use std::path::Path;
use std::sync::Arc;

use mcp_door::{ServerEntry, Servers};

use super::mcp;
use crate::arguments::ProxyArguments;
use crate::behind::Behind;
use crate::exit::Exit;
use crate::home::Home;
use crate::keeper::Sessions;
use crate::ordinary;
use crate::terminal::{reason, say_error};
use crate::works::state_folder;

/// Bytes of a list of servers that are read.
const LARGEST: u64 = 1024 * 1024;

pub(crate) fn run(arguments: &ProxyArguments) -> Exit {
    let servers = match servers(arguments) {
        Ok(servers) => servers,
        Err(message) => {
            say_error(&message, Some("`toolgate proxy --help` shows what a list of servers looks like"));
            return Exit::CouldNot;
        }
    };
    match mcp::keeper(&arguments.caller, Sessions::Given, |home| behind(servers, home).map(Some)) {
        Ok(keeper) => mcp::pipes(keeper, &arguments.caller),
        Err(exit) => exit,
    }
}

fn servers(arguments: &ProxyArguments) -> Result<Servers, String> {
    match &arguments.servers {
        None => ServerEntry::command(&arguments.name, arguments.argv.clone())
            .and_then(|entry| Servers::new(vec![entry]))
            .map_err(|error| error.to_string()),
        Some(path) => listed(path),
    }
}

/// The servers that a file lists.
pub(crate) fn listed(path: &Path) -> Result<Servers, String> {
    let shown = path.display();
    let text =
        ordinary::read_text(path, LARGEST).map_err(|error| format!("`{shown}`: {}", reason(&error)))?;
    Servers::parse(&text).map_err(|error| format!("`{shown}`: {error}"))
}

fn behind(servers: Servers, home: &Home) -> Result<Arc<Behind>, Exit> {
    let state = state_folder(home.folder()).map_err(|error| {
        say_error(&error.to_string(), error.hint());
        Exit::CouldNot
    })?;
    let behind = Behind::new(servers, &state).map_err(|error| {
        say_error(&format!("definitions cannot be kept: {}", reason(&error)), None);
        Exit::CouldNot
    })?;
    Ok(Arc::new(behind))
}
