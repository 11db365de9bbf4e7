//! `toolgate deny`: refuse what waits.

use call::Clock as _;

use super::pending::{call_id, gate_of};
use super::print;
use crate::arguments::{DenyArguments, Format};
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::people;
use crate::terminal::{say, say_error};

pub(crate) fn run(arguments: &DenyArguments) -> Exit {
    let id = match call_id(&arguments.call) {
        Ok(id) => id,
        Err(exit) => return exit,
    };
    let (_, gate) = match gate_of(&arguments.home) {
        Ok(gate) => gate,
        Err(exit) => return exit,
    };
    let by = arguments.by.clone().unwrap_or_else(people::current);
    let until = arguments.remember.map(|time| SystemClock.now().later_by(time.0));
    match gate.decline(id, &by, &arguments.reason, until) {
        Ok(Some(reply)) => match arguments.home.format {
            Format::Json => {
                // What was asked for was done; that the call is denied is what was asked for.
                let _ = super::call::show(&reply, Format::Json);
                Exit::Done
            }
            Format::Text => {
                say(&format!("refused call {id}"));
                print::text("", Exit::Done)
            }
        },
        Ok(None) => {
            let message = format!("no call {id} waits: it has ended, is being run, or never came");
            say_error(&message, Some("`toolgate pending` lists what waits"));
            Exit::Refused
        }
        Err(halt) => {
            say_error(&halt.to_string(), None);
            Exit::CouldNot
        }
    }
}
