//! `toolgate ledger tail`

use std::time::Duration;

use record::Entry;
use record::store::Store;

use super::line::{data, line};
use super::{failed, look};
use crate::arguments::{Format, HomeArguments};
use crate::commands::lost;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::terminal::{Lost, Output};
use crate::visible::visible_json;

/// How often the ledger is looked at for more.
const PAUSE: Duration = Duration::from_millis(250);

/// Entries that are read at a time.
const AT_ONCE: usize = 1_000;

pub(super) fn run(lines: u64, follow: bool, arguments: &HomeArguments) -> Exit {
    let mut ledger = match look(arguments.home.as_deref()) {
        Ok(ledger) => ledger,
        Err(exit) => return exit,
    };
    let size = match ledger.size() {
        Ok(size) => size,
        Err(error) => return failed(&error),
    };
    let mut next = size.saturating_sub(lines);
    let interrupt = if follow { Interrupt::listen().ok() } else { None };
    let mut output = Output::new();
    loop {
        match more(&mut *ledger, &mut next, arguments.format, &mut output) {
            Ok(()) => {}
            Err(Stop::Lost(error)) => return lost(&error, Exit::Done),
            Err(Stop::Failed(exit)) => return exit,
        }
        match &interrupt {
            None => return Exit::Done,
            Some(interrupt) if interrupt.came_within(PAUSE) => return Exit::Done,
            Some(_) => {}
        }
    }
}

enum Stop {
    Lost(Lost),
    Failed(Exit),
}

/// Prints everything from `next` on.
fn more(ledger: &mut dyn Store, next: &mut u64, format: Format, output: &mut Output) -> Result<(), Stop> {
    loop {
        let entries = ledger.read(*next, AT_ONCE).map_err(|error| Stop::Failed(failed(&error)))?;
        for entry in &entries {
            output.line(&spelled(entry, format)).map_err(Stop::Lost)?;
            *next = entry.place + 1;
        }
        if entries.len() < AT_ONCE {
            return output.flush().map_err(Stop::Lost);
        }
    }
}

pub(super) fn spelled(entry: &Entry, format: Format) -> String {
    match format {
        Format::Text => line(entry),
        Format::Json => visible_json(data(entry).to_string()),
    }
}
