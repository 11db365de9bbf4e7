//! `toolgate init`: makes a home.

use call::Clock as _;
use serde::Serialize;

use super::print;
use crate::arguments::{Format, InitArguments};
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::home::{Made, NotMade, make};
use crate::terminal::{say, say_error};
use crate::visible::visible;

/// What programs are told.
#[derive(Serialize)]
struct Answer<'a> {
    home: String,
    deny_left_out: &'a [String],
}

pub(crate) fn run(arguments: &InitArguments) -> Exit {
    let Made { folder, left_out } = match make(&arguments.folder, SystemClock.now()) {
        Ok(made) => made,
        Err(error) => {
            let hint = match error {
                NotMade::Exists(_) => {
                    Some("it is left as it is; `toolgate policy check` looks at its policy")
                }
                NotMade::NotFolder(_) | NotMade::Unwritable { .. } => None,
            };
            say_error(&error.to_string(), hint);
            return Exit::CouldNot;
        }
    };
    let home = folder.to_string_lossy().into_owned();
    for entry in &left_out {
        say(&format!(
            "note: `{}` is left out of `deny`, because it would close this workspace",
            visible(entry)
        ));
    }
    match arguments.format {
        Format::Json => print::json(&Answer { home, deny_left_out: &left_out }, Exit::Done),
        Format::Text => {
            let text = format!(
                "made {}\n\nread-only, no shell, no network, no secrets; this policy is in force\n\n\
                 next: edit policy.toml, then `toolgate policy check` and `toolgate policy apply`\n",
                visible(&home)
            );
            print::text(&text, Exit::Done)
        }
    }
}
