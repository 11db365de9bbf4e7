//! One file for each command.

mod call;
mod check;
mod completions;
mod init;
mod ledger;
mod man;
mod new;
mod policy;
mod print;
mod screen;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;
use crate::terminal::{Lost, say_error};

/// Does what was asked for.
pub(crate) fn run(arguments: Arguments) -> Exit {
    match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::New(arguments) => new::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Call(arguments) => call::run(&arguments),
        Command::Policy { command } => policy::run(&command),
        Command::Ledger { command } => ledger::run(&command),
        Command::Screen(arguments) => screen::run(&arguments),
        Command::Completions { shell } => completions::run(shell),
        Command::Man { out } => man::run(out.as_deref()),
    }
}

/// How a command ends whose output got lost: `exit` when the reader had simply seen enough.
fn lost(lost: &Lost, exit: Exit) -> Exit {
    match lost {
        Lost::Closed => exit,
        Lost::Failed(_) => {
            say_error(&lost.to_string(), None);
            Exit::CouldNot
        }
    }
}
