//! `toolgate ledger checkpoint` and `toolgate ledger key`

use call::Clock as _;
use serde::Serialize;

use super::books;
use crate::arguments::{Format, HomeArguments};
use crate::clock::SystemClock;
use crate::commands::policy::no_books;
use crate::commands::print;
use crate::exit::Exit;

#[derive(Serialize)]
struct Note {
    checkpoint: String,
}

#[derive(Serialize)]
struct Key {
    key: String,
}

pub(super) fn run(arguments: &HomeArguments) -> Exit {
    let books = match books(arguments.home.as_deref()) {
        Ok(books) => books,
        Err(exit) => return exit,
    };
    let signed = books.start(SystemClock.now()).and_then(|ledger| Ok(ledger.checkpoint()?));
    match (signed, arguments.format) {
        (Ok(note), Format::Text) => print::text(&note, Exit::Done),
        (Ok(checkpoint), Format::Json) => print::json(&Note { checkpoint }, Exit::Done),
        (Err(error), _) => no_books(&error),
    }
}

pub(super) fn key(arguments: &HomeArguments) -> Exit {
    let key = books(arguments.home.as_deref())
        .and_then(|books| books.key().map_err(|error| no_books(&error)))
        .map(|key| key.public().to_string());
    match (key, arguments.format) {
        (Ok(key), Format::Text) => print::text(&format!("{key}\n"), Exit::Done),
        (Ok(key), Format::Json) => print::json(&Key { key }, Exit::Done),
        (Err(exit), _) => exit,
    }
}
