//! `toolgate man`: the manual page, or one page for each command.

use std::path::Path;

use clap_mangen::Man;

use super::lost;
use crate::arguments::command;
use crate::exit::Exit;
use crate::terminal::{Output, reason, say_error};

pub(crate) fn run(out: Option<&Path>) -> Exit {
    match out {
        Some(folder) => write(folder),
        None => print(),
    }
}

fn print() -> Exit {
    let mut page = Vec::new();
    // Writing to memory does not fail.
    let _ = Man::new(command()).render(&mut page);
    let mut output = Output::new();
    match output.text(&String::from_utf8_lossy(&page)).and_then(|()| output.flush()) {
        Ok(()) => Exit::Done,
        Err(error) => lost(&error, Exit::Done),
    }
}

fn write(folder: &Path) -> Exit {
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command(), folder));
    match written {
        Ok(()) => Exit::Done,
        Err(error) => {
            let message = format!("manual pages in `{}`: {}", folder.to_string_lossy(), reason(&error));
            say_error(&message, Some("`--out` names a folder that can be written to"));
            Exit::CouldNot
        }
    }
}
