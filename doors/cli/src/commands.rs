//! One file for each command.

mod approve;
mod call;
mod check;
mod completions;
mod demo;
mod deny;
mod doctor;
mod grant;
mod init;
mod lanes;
mod ledger;
mod man;
mod mcp;
mod new;
mod pending;
mod policy;
pub(crate) mod print;
mod proxy;
mod screen;

pub(crate) use approve::typed_yes;
pub(crate) use policy::no_books;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;
use crate::terminal::{Lost, say_error};

/// Does what was asked for.
pub(crate) fn run(arguments: Arguments) -> Exit {
    match arguments.command {
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::New(arguments) => new::run(&arguments),
        Command::Run(arguments) => crate::requests::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Call(arguments) => call::run(&arguments),
        Command::Pending(arguments) => pending::run(&arguments),
        Command::Approve(arguments) => approve::run(&arguments),
        Command::Deny(arguments) => deny::run(&arguments),
        Command::Grant { command } => grant::run(&command),
        Command::Policy { command } => policy::run(&command),
        Command::Ledger { command } => ledger::run(&command),
        Command::Screen(arguments) => screen::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Lanes { command } => lanes::run(&command),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Proxy(arguments) => proxy::run(&arguments),
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
