//! `toolgate policy`: the policy as data, its soundness, its tests, its changes.

mod apply;
mod backtest;
mod changes;
mod check;
mod diff;
mod explain;
mod learn;
mod matrix;
mod proving;
mod review;
mod show;
mod test;

use record::store::Store;

use crate::arguments::PolicyCommand;
use crate::exit::Exit;
use crate::home::{Books, Home, NoBooks, NoHome};
use crate::terminal::say_error;

pub(crate) fn run(command: &PolicyCommand) -> Exit {
    match command {
        PolicyCommand::Show { cedar, schema, home } => show::run(*cedar, *schema, home),
        PolicyCommand::Check { home } => check::run(home),
        PolicyCommand::Apply(arguments) => apply::run(arguments),
        PolicyCommand::Explain { words, home } => explain::run(words, home),
        PolicyCommand::Test { paths, home } => test::run(paths, home),
        PolicyCommand::Matrix { paths, skill, home } => matrix::run(paths, skill.as_deref(), home),
        PolicyCommand::Diff { old, new, home } => diff::run(old, new, home),
        PolicyCommand::Learn(arguments) => learn::run(arguments),
        PolicyCommand::Backtest { new, home } => backtest::run(new, home),
    }
}

/// The home, or how the program ends without one.
fn home(named: Option<&std::path::Path>) -> Result<Home, Exit> {
    Home::find(named).map_err(|error| no_home(&error))
}

/// The ledger of a home, or how the program ends without one.
fn look(home: &Home) -> Result<Box<dyn Store>, Exit> {
    Books::of(home.folder()).and_then(|books| books.look()).map_err(|error| no_books(&error))
}

pub(crate) fn no_books(error: &NoBooks) -> Exit {
    say_error(&error.to_string(), error.hint());
    Exit::CouldNot
}

fn no_home(error: &NoHome) -> Exit {
    say_error(&error.to_string(), Some(error.hint()));
    Exit::CouldNot
}
