//! `toolgate grant`: what people agreed to for a while.

use approve::Grant;
use call::{Clock as _, Sha256};
use gate::{Gate, Standing};
use serde::Serialize;

use super::pending::gate_of;
use super::print;
use crate::arguments::{Format, GrantCommand, HomeArguments};
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::gatehouse::Gatehouse;
use crate::people;
use crate::terminal::{say, say_error};
use crate::visible::visible;

#[derive(Serialize)]
struct Shown {
    grant: String,
    tool: String,
    session: String,
    until: String,
    approvers: Vec<String>,
    extents: serde_json::Value,
}

#[derive(Serialize)]
struct Answer {
    grants: Vec<Shown>,
}

pub(crate) fn run(command: &GrantCommand) -> Exit {
    match command {
        GrantCommand::List { home } => list(home),
        GrantCommand::Revoke { grant, reason, by, home } => {
            revoke(grant, reason.as_deref(), by.clone(), home)
        }
    }
}

fn list(home: &HomeArguments) -> Exit {
    let (gatehouse, gate) = match gate_of(home) {
        Ok(gate) => gate,
        Err(exit) => return exit,
    };
    let grants = match held(&gatehouse, &gate) {
        Ok(grants) => grants,
        Err(exit) => return exit,
    };
    let grants: Vec<Shown> = grants.iter().map(shown).collect();
    match home.format {
        Format::Json => print::json(&Answer { grants }, Exit::Done),
        Format::Text if grants.is_empty() => {
            say("no grants hold");
            Exit::Done
        }
        Format::Text => {
            let lines = grants.iter().map(|grant| {
                let (tool, session) = (visible(&grant.tool), visible(&grant.session));
                let by = grant.approvers.join(", ");
                format!(
                    "{}  {tool}  session {session}  until {}  by {}\n",
                    grant.grant,
                    grant.until,
                    visible(&by)
                )
            });
            let text: String = lines.collect();
            print::text(&text, Exit::Done)
        }
    }
}

fn held(gatehouse: &Gatehouse, gate: &Gate) -> Result<Vec<Grant>, Exit> {
    let Standing::Ready(rulebook) = &**gatehouse.standing() else { return Ok(Vec::new()) };
    match gate.grants(rulebook, SystemClock.now()) {
        Ok(grants) => Ok(grants.into_iter().map(|(grant, _)| grant).collect()),
        Err(halt) => {
            say_error(&halt.to_string(), None);
            Err(Exit::CouldNot)
        }
    }
}

fn shown(grant: &Grant) -> Shown {
    Shown {
        grant: grant.digest.to_string(),
        tool: grant.tool.to_string(),
        session: grant.session.to_string(),
        until: grant.until.to_string(),
        approvers: grant.approvers.iter().map(ToString::to_string).collect(),
        extents: serde_json::to_value(&grant.extents).unwrap_or_default(),
    }
}

fn revoke(grant: &str, reason: Option<&str>, by: Option<String>, home: &HomeArguments) -> Exit {
    let (gatehouse, gate) = match gate_of(home) {
        Ok(gate) => gate,
        Err(exit) => return exit,
    };
    let found: Vec<Sha256> = match held(&gatehouse, &gate) {
        Ok(grants) => {
            grants.iter().map(|one| one.digest).filter(|one| one.to_string().starts_with(grant)).collect()
        }
        Err(exit) => return exit,
    };
    let [found] = found.as_slice() else {
        let message = format!("{} grants that hold have a name that begins with `{grant}`", found.len());
        say_error(&message, Some("`toolgate grant list` shows them"));
        return Exit::Refused;
    };
    match gate.revoke(*found, &by.unwrap_or_else(people::current), reason) {
        Ok(_) => {
            say(&format!("revoked {found}"));
            Exit::Done
        }
        Err(error) => {
            say_error(&error.to_string(), None);
            Exit::CouldNot
        }
    }
}
