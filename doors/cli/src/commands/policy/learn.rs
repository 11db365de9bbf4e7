//! `toolgate policy learn`: a draft of what another server's tools do.

use mcp_door::{Fleet, Pins, ServerEntry, Servers, learn};

use crate::arguments::LearnArguments;
use crate::behind;
use crate::commands::print;
use crate::exit::Exit;
use crate::terminal::say_error;
use crate::visible::visible_lines;

pub(super) fn run(arguments: &LearnArguments) -> Exit {
    let server = &arguments.server;
    let servers = ServerEntry::command(server, arguments.argv.clone())
        .and_then(|entry| Servers::new(vec![entry]))
        .map_err(|error| error.to_string());
    let asked = servers.and_then(|servers| {
        Fleet::new(&servers, Pins::default(), behind::screen()).map_err(|error| error.to_string())
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
        say_error(&gone.reason, Some("look whether the server runs by itself"));
        return Exit::CouldNot;
    }
    let definitions = fleet.definitions();
    if definitions.is_empty() {
        say_error(&format!("the server `{server}` has no tools"), None);
        return Exit::Failed;
    }
    print::text(&visible_lines(&learn(server, &definitions)), Exit::Done)
}
