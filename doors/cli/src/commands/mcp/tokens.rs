//! `toolgate mcp token`: who may come in over HTTP.
//!
//! The list lies in the home, and holds digests only: a token is printed once, when it is made.

use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;

use call::{AgentName, SkillChain};
use mcp_door::{BadTokens, Identity, Token, Tokens};
use rustix::fs::{FlockOperation, Mode, flock};
use serde::Serialize;

use crate::arguments::{Format, TokenAddArguments, TokenCommand};
use crate::chance::chance;
use crate::commands::print;
use crate::exit::Exit;
use crate::home::Home;
use crate::ordinary;
use crate::publish;
use crate::terminal::{reason, say, say_error};
use crate::visible::visible;

const FILE: &str = "tokens.toml";

/// Bytes of the list that are read.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Why the list of tokens cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoTokens {
    #[error("`{path}`: {}", reason(source))]
    File { path: String, source: io::Error },
    #[error("`{path}`: {source}")]
    Text { path: String, source: BadTokens },
}

#[derive(Serialize)]
struct Shown<'t> {
    name: &'t str,
    agent: &'t str,
    skill: Option<&'t str>,
    context: &'static str,
}

#[derive(Serialize)]
struct List<'t> {
    tokens: Vec<Shown<'t>>,
}

#[derive(Serialize)]
struct Made<'t> {
    name: &'t str,
    token: &'t str,
}

/// The tokens of a home. None when nobody has made any.
pub(super) fn load(home: &Home) -> Result<Tokens, NoTokens> {
    let path = home.folder().join(FILE);
    let shown = || path.display().to_string();
    match ordinary::read_text(&path, LARGEST) {
        Ok(text) => Tokens::parse(&text).map_err(|source| NoTokens::Text { path: shown(), source }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Tokens::default()),
        Err(source) => Err(NoTokens::File { path: shown(), source }),
    }
}

pub(super) fn run(command: &TokenCommand) -> Exit {
    let arguments = match command {
        TokenCommand::Add(arguments) => &arguments.home,
        TokenCommand::List(home) | TokenCommand::Remove { home, .. } => home,
    };
    let home = match Home::find(arguments.home.as_deref()) {
        Ok(home) => home,
        Err(error) => {
            say_error(&error.to_string(), Some(error.hint()));
            return Exit::CouldNot;
        }
    };
    match command {
        TokenCommand::Add(arguments) => add(&home, arguments),
        TokenCommand::List(arguments) => list(&home, arguments.format),
        TokenCommand::Remove { name, .. } => remove(&home, name),
    }
}

fn add(home: &Home, arguments: &TokenAddArguments) -> Exit {
    let TokenAddArguments { name, agent, skill, context, home: answer } = arguments;
    if let Err(error) = agent.parse::<AgentName>() {
        return no(&format!("`--agent`: {error}"));
    }
    if let Some(Err(error)) = skill.as_ref().map(|skill| skill.parse::<SkillChain>()) {
        return no(&format!("`--skill`: {error}"));
    }
    let identity = Identity { agent: agent.clone(), skill: skill.clone(), context: context.context() };
    let chance = match chance() {
        Ok(chance) => chance,
        Err(error) => return no(&error.to_string()),
    };
    let (token, shown) = match Token::new(name, identity, chance) {
        Ok(made) => made,
        Err(error) => return no(&error.to_string()),
    };
    let changed = change(home, |tokens| {
        let free = tokens.iter().all(|other| other.name != *name);
        if free {
            tokens.insert(token);
        }
        free
    });
    match changed {
        Err(error) => no(&error.to_string()),
        Ok(false) => {
            say_error(
                &format!("there is a token `{name}` already"),
                Some("take another name, or remove that one first"),
            );
            Exit::Refused
        }
        Ok(true) => match answer.format {
            Format::Json => print::json(&Made { name, token: &shown }, Exit::Done),
            Format::Text => {
                say("keep it well: it is shown this once, and kept nowhere");
                print::text(&format!("{shown}\n"), Exit::Done)
            }
        },
    }
}

fn list(home: &Home, format: Format) -> Exit {
    let tokens = match load(home) {
        Ok(tokens) => tokens,
        Err(error) => return no(&error.to_string()),
    };
    let shown = tokens.iter().map(|token| Shown {
        name: &token.name,
        agent: &token.identity.agent,
        skill: token.identity.skill.as_deref(),
        context: token.identity.context.as_str(),
    });
    let tokens: Vec<Shown<'_>> = shown.collect();
    match format {
        Format::Json => print::json(&List { tokens }, Exit::Done),
        Format::Text if tokens.is_empty() => {
            say("there are no tokens");
            Exit::Done
        }
        Format::Text => {
            let lines = tokens.iter().map(|token| {
                let skill =
                    token.skill.map(|skill| format!("  skill {}", visible(skill))).unwrap_or_default();
                format!("{}  agent {}{skill}  context {}\n", token.name, visible(token.agent), token.context)
            });
            print::text(&lines.collect::<String>(), Exit::Done)
        }
    }
}

fn remove(home: &Home, name: &str) -> Exit {
    match change(home, |tokens| tokens.remove(name).is_some()) {
        Ok(true) => {
            say(&format!("removed {}", visible(name)));
            Exit::Done
        }
        Ok(false) => {
            let message = format!("there is no token `{name}`");
            say_error(&message, Some("`toolgate mcp token list` shows them"));
            Exit::Refused
        }
        Err(error) => no(&error.to_string()),
    }
}

/// Changes the list, alone, in one step; when there is something to change.
fn change(home: &Home, change: impl FnOnce(&mut Tokens) -> bool) -> Result<bool, NoTokens> {
    let path = home.folder().join(FILE);
    let failed = |source| NoTokens::File { path: path.display().to_string(), source };
    let folder = File::open(home.folder()).map_err(failed)?;
    flock(&folder, FlockOperation::LockExclusive).map_err(|errno| failed(errno.into()))?;
    let mut tokens = load(home)?;
    if !change(&mut tokens) {
        return Ok(false);
    }
    let text = tokens.to_string();
    let mode = Mode::RUSR | Mode::WUSR;
    publish::replace_file(folder.as_fd(), FILE.as_ref(), text.as_bytes(), mode).map_err(failed)?;
    publish::flush_names(folder.as_fd()).map_err(failed)?;
    Ok(true)
}

fn no(message: &str) -> Exit {
    say_error(message, None);
    Exit::CouldNot
}
