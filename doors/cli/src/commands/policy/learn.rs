//! `toolgate policy learn`: a draft of what another server's tools do.

use std::sync::Arc;

use mcp_door::{Fleet, Pins, Reach, ServerEntry, Servers, learn};
use serde::Serialize;

use crate::arguments::{Format, LearnArguments};
use crate::behind::{self, Ground, Jailed};
use crate::commands::{print, proxy::listed};
use crate::exit::Exit;
use crate::home::Home;
use crate::terminal::say_error;
use crate::visible::{visible_lines, visible_path};
use crate::weigh::Scale;

pub(super) fn run(arguments: &LearnArguments) -> Exit {
    let server = &arguments.server;
    let asked = asked(arguments).and_then(|servers| {
        let launcher = Jailed::new(ground()?, Arc::default(), Arc::default());
        Fleet::new(&servers, Pins::default(), behind::screen(), Arc::new(launcher))
            .map_err(|error| error.to_string())
    });
    let fleet = match asked {
        Ok(fleet) => fleet,
        Err(message) => {
            say_error(&message, None);
            return Exit::CouldNot;
        }
    };
    let (_, withheld) = fleet.tools();
    if let Some(gone) = withheld.iter().find(|no| no.code == "server_unavailable") {
        let hint = match &arguments.servers {
            Some(_) => "look at `servers.toml`, and whether the server runs by itself",
            None => {
                "look whether the server runs by itself; what it needs beside the workspace stands in \
                 `servers.toml`, and `--servers FILE` reads that"
            }
        };
        say_error(&gone.reason, Some(hint));
        return Exit::CouldNot;
    }
    let definitions = fleet.definitions();
    if definitions.is_empty() {
        say_error(&format!("the server `{server}` has no tools"), None);
        return Exit::Failed;
    }
    let mapping = learn(server, &definitions);
    match arguments.format {
        Format::Text => print::text(&visible_lines(&mapping), Exit::Done),
        Format::Json => {
            let tools = definitions
                .iter()
                .map(|one| Learnt { name: one.name(), definition: format!("sha256:{}", one.digest()) });
            print::json(&Answer { server, mapping, tools: tools.collect() }, Exit::Done)
        }
    }
}

/// The server that is asked what it has: by a command, or as a list of servers says. It is given no secrets:
/// nobody has reviewed it yet.
fn asked(arguments: &LearnArguments) -> Result<Servers, String> {
    let server = &arguments.server;
    let entry = match &arguments.servers {
        None => ServerEntry::command(server, arguments.argv.clone()).map_err(|error| error.to_string())?,
        Some(path) => {
            let listed = listed(path)?;
            let mut entry = listed
                .iter()
                .find(|entry| entry.name == *server)
                .cloned()
                .ok_or_else(|| format!("`{}` has no `[servers.{server}]`", visible_path(path)))?;
            if let Reach::Command(start) = &mut entry.reach {
                start.secrets.clear();
            }
            entry
        }
    };
    Servers::new(vec![entry]).map_err(|error| error.to_string())
}

/// A draft, for programs.
#[derive(Serialize)]
struct Answer<'a> {
    server: &'a str,
    /// What to review and put into `.toolgate/tools/SERVER.toml`.
    mapping: String,
    tools: Vec<Learnt>,
}

/// A tool, and what it is described by now.
#[derive(Serialize)]
struct Learnt {
    name: String,
    definition: String,
}

/// A server that is asked what it has may look at the workspace, and change nothing. Without a home, that is the
/// folder this is started in.
fn ground() -> Result<Ground, String> {
    let Ok(home) = Home::find(None) else {
        let here = std::env::current_dir().and_then(std::fs::canonicalize);
        return here.map(Ground::only).map_err(|error| error.to_string());
    };
    let files = home.policy_files().map_err(|error| error.to_string())?;
    let scale = Scale::load(&home, &files).map_err(|error| error.to_string())?;
    Ok(Ground::of(&home, &scale.rulebook.policy).only_looked_at())
}
