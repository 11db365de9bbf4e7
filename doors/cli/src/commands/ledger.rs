//! `toolgate ledger`: the record, and proofs about it.

mod checkpoint;
mod create;
mod export;
mod line;
mod prove;
mod query;
mod report;
mod show;
mod tail;
mod verify;
mod witness;

use std::path::Path;

use record::store::{Store, StoreError};

use super::policy::no_books;
use crate::arguments::LedgerCommand;
use crate::exit::Exit;
use crate::home::{Books, Home};
use crate::terminal::say_error;

pub(crate) fn run(command: &LedgerCommand) -> Exit {
    match command {
        LedgerCommand::Tail { lines, follow, home } => tail::run(*lines, *follow, home),
        LedgerCommand::Show { what, home } => show::run(what, home),
        LedgerCommand::Query(arguments) => query::run(arguments),
        LedgerCommand::Verify(arguments) => verify::run(arguments),
        LedgerCommand::Report(arguments) => report::run(arguments),
        LedgerCommand::Prove { entry, out, home } => prove::run(*entry, out.as_deref(), home),
        LedgerCommand::Checkpoint { home } => checkpoint::run(home),
        LedgerCommand::Key { home } => checkpoint::key(home),
        LedgerCommand::Export(arguments) => export::run(arguments),
        LedgerCommand::Witness { command } => witness::run(command),
        LedgerCommand::Create { url, home } => create::run(url.as_deref(), home),
    }
}

/// Where the ledger of a home lies, or how the program ends without one.
fn books(home: Option<&Path>) -> Result<Books, Exit> {
    let home = Home::find(home).map_err(|error| {
        say_error(&error.to_string(), Some(error.hint()));
        Exit::CouldNot
    })?;
    Books::of(home.folder()).map_err(|error| no_books(&error))
}

/// The ledger of a home, to look at it.
fn look(home: Option<&Path>) -> Result<Box<dyn Store>, Exit> {
    books(home)?.look().map_err(|error| no_books(&error))
}

fn failed(error: &StoreError) -> Exit {
    say_error(&error.to_string(), None);
    Exit::CouldNot
}
