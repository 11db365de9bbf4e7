//! `toolgate pending`: what waits for a person.

use std::time::Duration;

use call::{CallId, Clock as _};
use gate::{Gate, Waiting};
use serde::Serialize;

use super::print;
use crate::arguments::{Format, HomeArguments};
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::gatehouse::{Gatehouse, could_not};
use crate::terminal::{say, say_error};
use crate::visible::visible;
use crate::works;

/// One thing that waits.
#[derive(Serialize)]
struct Open {
    call_id: String,
    tool: String,
    purpose: Option<String>,
    agent: String,
    session: String,
    skill: Option<String>,
    asked_utc: String,
    waiting_seconds: u64,
    approvals: usize,
}

/// Everything that waits.
#[derive(Serialize)]
struct Answer {
    pending: Vec<Open>,
}

pub(crate) fn run(arguments: &HomeArguments) -> Exit {
    let gatehouse = match Gatehouse::open(arguments.home.as_deref()) {
        Ok(gatehouse) => gatehouse,
        Err(error) => return could_not(&error),
    };
    let gate = match works::gate(&gatehouse, Duration::ZERO) {
        Ok(gate) => gate,
        Err(error) => return no_gate(&error),
    };
    let waiting = match gate.all_waiting() {
        Ok(waiting) => waiting,
        Err(halt) => {
            say_error(&halt.to_string(), None);
            return Exit::CouldNot;
        }
    };
    let pending: Vec<Open> = waiting.into_iter().map(open).collect();
    match arguments.format {
        Format::Json => print::json(&Answer { pending }, Exit::Done),
        Format::Text if pending.is_empty() => {
            say("nothing waits for anybody");
            Exit::Done
        }
        Format::Text => {
            let lines = pending.iter().map(|open| {
                let purpose = open.purpose.as_deref().unwrap_or_default();
                format!(
                    "{}  {}  {} s  {} ({})  {}\n",
                    open.call_id,
                    visible(&open.tool),
                    open.waiting_seconds,
                    visible(&open.agent),
                    visible(&open.session),
                    visible(purpose)
                )
            });
            let text: String = lines.collect();
            print::text(&text, Exit::Done)
        }
    }
}

fn open(waiting: Waiting) -> Open {
    let now = SystemClock.now();
    Open {
        call_id: waiting.id.to_string(),
        tool: waiting.incoming.tool,
        purpose: waiting.incoming.purpose,
        agent: waiting.incoming.agent,
        session: waiting.incoming.session,
        skill: waiting.incoming.skill,
        asked_utc: waiting.asked.to_string(),
        waiting_seconds: now.milliseconds().saturating_sub(waiting.asked.milliseconds()) / 1_000,
        approvals: waiting.approved.len(),
    }
}

/// Says why there is no gate.
pub(crate) fn no_gate(error: &works::NoGate) -> Exit {
    say_error(&error.to_string(), error.hint());
    Exit::CouldNot
}

/// A gate for a command that answers what waits.
pub(crate) fn gate_of(arguments: &HomeArguments) -> Result<(Gatehouse, Gate), Exit> {
    let gatehouse = Gatehouse::open(arguments.home.as_deref()).map_err(|error| could_not(&error))?;
    let gate = works::gate(&gatehouse, Duration::ZERO).map_err(|error| no_gate(&error))?;
    Ok((gatehouse, gate))
}

/// The name of a call that somebody typed.
pub(crate) fn call_id(text: &str) -> Result<CallId, Exit> {
    text.parse().map_err(|error: call::BadCallId| {
        say_error(&format!("`{text}`: {error}"), Some("`toolgate pending` lists what waits"));
        Exit::CouldNot
    })
}
