//! `toolgate ledger show`

use call::CallId;
use record::Entry;
use record::store::Store;

use super::line::data;
use super::{failed, look};
use crate::arguments::{Format, HomeArguments};
use crate::commands::print;
use crate::exit::Exit;
use crate::terminal::say_error;
use crate::visible::{visible, visible_json, visible_lines};

pub(super) fn run(what: &str, arguments: &HomeArguments) -> Exit {
    let mut ledger = match look(arguments.home.as_deref()) {
        Ok(ledger) => ledger,
        Err(exit) => return exit,
    };
    let entries = match found(&mut *ledger, what) {
        Ok(entries) => entries,
        Err(exit) => return exit,
    };
    let mut text = String::new();
    for entry in &entries {
        match arguments.format {
            Format::Json => text.push_str(&format!("{}\n", visible_json(data(entry).to_string()))),
            Format::Text => {
                // What is no event was not written by a gate, and whoever looks for it wants to see it.
                let event = match entry.value() {
                    Some(event) => serde_json::to_string_pretty(&event).unwrap_or_default(),
                    None => format!("is not an event: {}", visible(&String::from_utf8_lossy(&entry.leaf))),
                };
                text.push_str(&format!("entry {}\n{}\n", entry.place, visible_lines(&event)));
            }
        }
    }
    print::text(&text, Exit::Done)
}

fn found(ledger: &mut dyn Store, what: &str) -> Result<Vec<Entry>, Exit> {
    if let Ok(call) = what.parse::<CallId>() {
        let entries = ledger.of_call(call).map_err(|error| failed(&error))?;
        if entries.is_empty() {
            say_error(&format!("there is no call {call} on record"), None);
            return Err(Exit::CouldNot);
        }
        return Ok(entries);
    }
    let Ok(place) = what.parse::<u64>() else {
        say_error(
            &format!("`{what}` is neither the number of an entry nor the name of a call"),
            Some("`toolgate ledger tail` shows both"),
        );
        return Err(Exit::CouldNot);
    };
    let entries = ledger.read(place, 1).map_err(|error| failed(&error))?;
    if entries.first().is_none_or(|entry| entry.place != place) {
        let size = ledger.size().map_err(|error| failed(&error))?;
        say_error(&format!("there is no entry {place}: the ledger has {size}"), None);
        return Err(Exit::CouldNot);
    }
    Ok(entries)
}
