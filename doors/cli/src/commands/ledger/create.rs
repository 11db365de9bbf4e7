//! `toolgate ledger create`

use crate::arguments::HomeArguments;
use crate::commands::policy::no_books;
use crate::commands::print;
use crate::exit::Exit;
use crate::home::{Books, Home};
use crate::terminal::say_error;

pub(super) fn run(url: Option<&str>, arguments: &HomeArguments) -> Exit {
    let home = match Home::find(arguments.home.as_deref()) {
        Ok(home) => home,
        Err(error) => {
            say_error(&error.to_string(), Some(error.hint()));
            return Exit::CouldNot;
        }
    };
    match Books::create(home.folder(), url).and_then(|books| books.key()) {
        Ok(key) => {
            let text = format!(
                "made a ledger; its checkpoints are checked by\n{}\n\n\
                 next: `toolgate policy apply` puts the policy on record\n",
                key.public()
            );
            print::text(&text, Exit::Done)
        }
        Err(error) => no_books(&error),
    }
}
