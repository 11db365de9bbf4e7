//! `toolgate mcp`: the gate as an MCP server.

mod tokens;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mcp_door::{
    Client, Door, HttpOptions, Identity, Listener, Options, ServeError, print_config, serve_stdio,
};

use super::print;
use crate::arguments::{CallerArguments, McpArguments, McpCommand};
use crate::behind::Behind;
use crate::exit::Exit;
use crate::gatehouse::could_not;
use crate::home::Home;
use crate::interrupt::Interrupt;
use crate::keeper::{Keeper, Sessions};
use crate::live::{Live, NotLive};
use crate::terminal::{reason, say_error, with_causes};

/// How often the list of tokens is looked at.
const TOKENS_EVERY: Duration = Duration::from_millis(250);

pub(crate) fn run(arguments: &McpArguments) -> Exit {
    match (&arguments.command, arguments.print_config, arguments.http) {
        (Some(McpCommand::Token { command }), _, _) => tokens::run(command),
        (None, Some(client), _) => configure(client, &arguments.caller),
        (None, None, Some(_)) => listen(arguments),
        (None, None, None) => match keeper(&arguments.caller, Sessions::Given, |_| Ok(None)) {
            Ok(keeper) => pipes(keeper, &arguments.caller),
            Err(exit) => exit,
        },
    }
}

/// The gate for whoever comes, with other servers behind it where somebody names them.
pub(super) fn keeper(
    caller: &CallerArguments,
    sessions: Sessions,
    servers: impl FnOnce(&Home) -> Result<Option<Arc<Behind>>, Exit>,
) -> Result<Keeper, Exit> {
    let home = Home::find(caller.home.as_deref()).map_err(|error| could_not(&error.into()))?;
    let behind = servers(&home)?;
    let live = Live::start(home, behind.clone()).map_err(|error| match error {
        NotLive::Gatehouse(error) => could_not(&error),
        NotLive::Gate(error) => {
            say_error(&error.to_string(), error.hint());
            Exit::CouldNot
        }
    })?;
    let wait = Duration::from_secs(caller.wait);
    Ok(Keeper::new(live, behind, caller.context.context(), wait, sessions))
}

/// Serves whoever started this program, until they have said all.
pub(super) fn pipes(keeper: Keeper, caller: &CallerArguments) -> Exit {
    let identity = Identity {
        agent: caller.agent.clone(),
        skill: caller.skill.clone(),
        context: caller.context.context(),
    };
    ended(serve_stdio(Arc::new(keeper), identity, options(caller)))
}

fn options(caller: &CallerArguments) -> Options {
    let (default, wait) = (Options::default(), Duration::from_secs(caller.wait));
    Options {
        session: caller.session.clone(),
        approvals: caller.approvals.clone(),
        patience: default.patience.max(wait),
        hold: wait,
        ..default
    }
}

fn ended(served: Result<(), ServeError>) -> Exit {
    match served {
        Ok(()) => Exit::Done,
        Err(error) => {
            let hint = if matches!(error, ServeError::NoTokens) {
                Some("`toolgate mcp token add NAME --agent AGENT` makes one")
            } else if matches!(error, ServeError::NotLoopback { .. }) {
                Some("listen on 127.0.0.1, or say `--beyond-loopback` and put TLS in front")
            } else {
                error.hint()
            };
            say_error(&with_causes(&error), hint);
            Exit::CouldNot
        }
    }
}

/// Serves clients with tokens, until somebody ends it.
fn listen(arguments: &McpArguments) -> Exit {
    let Some(address) = arguments.http else { return Exit::CouldNot };
    let home = match Home::find(arguments.caller.home.as_deref()) {
        Ok(home) => home,
        Err(error) => {
            say_error(&error.to_string(), Some(error.hint()));
            return Exit::CouldNot;
        }
    };
    let known = match tokens::load(&home) {
        Ok(known) => known,
        Err(error) => {
            say_error(&error.to_string(), Some("`toolgate mcp token list` reads the same file"));
            return Exit::CouldNot;
        }
    };
    let keeper = match keeper(&arguments.caller, Sessions::Drawn, |_| Ok(None)) {
        Ok(keeper) => keeper,
        Err(exit) => return exit,
    };
    let mut http = HttpOptions::new(address, known);
    http.beyond_loopback = arguments.beyond_loopback;
    http.hosts.clone_from(&arguments.hosts);
    http.options = options(&arguments.caller);
    let listener = match Listener::bind(Arc::new(keeper), http) {
        Ok(listener) => listener,
        Err(error) => return ended(Err(error)),
    };
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => {
            say_error(&format!("signals cannot be listened for: {}", reason(&error)), None);
            return Exit::CouldNot;
        }
    };
    let (close, admit) = (listener.closer(), listener.admission());
    std::thread::spawn(move || {
        while !interrupt.came_within(TOKENS_EVERY) {
            // A list that cannot be read lets nobody in.
            admit(tokens::load(&home).unwrap_or_default());
        }
        close();
    });
    let told = print::text(&format!("http://{}/mcp\n", listener.address()), Exit::Done);
    if told == Exit::Done { ended(listener.serve()) } else { told }
}

/// Prints how a client starts this very program, for this home.
fn configure(client: Client, caller: &CallerArguments) -> Exit {
    let home = match Home::find(caller.home.as_deref()) {
        Ok(home) => home,
        Err(error) => {
            say_error(&error.to_string(), Some(error.hint()));
            return Exit::CouldNot;
        }
    };
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(Path::to_str).unwrap_or("toolgate").to_owned();
    let Some(folder) = home.folder().to_str() else {
        say_error("the home's path is not UTF-8", None);
        return Exit::CouldNot;
    };
    let mut words = vec!["mcp", "--home", folder, "--agent", &caller.agent];
    if let Some(skill) = &caller.skill {
        words.extend(["--skill", skill]);
    }
    words.extend(["--context", caller.context.context().as_str(), "--session", &caller.session]);
    let wait = caller.wait.to_string();
    if caller.wait > 0 {
        words.extend(["--wait", &wait]);
    }
    if let Some(page) = &caller.approvals {
        words.extend(["--approvals", page.as_str()]);
    }
    let arguments = words.into_iter().map(str::to_owned).collect();
    print::text(&print_config(client, &Door { program, arguments }), Exit::Done)
}
