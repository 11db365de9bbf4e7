//! `toolgate completions`: a script that makes a shell complete our words.

use clap_complete::Shell;

use super::lost;
use crate::arguments::command;
use crate::exit::Exit;
use crate::terminal::Output;

pub(crate) fn run(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "toolgate", &mut script);
    let mut output = Output::new();
    let printed = output.text(&String::from_utf8_lossy(&script)).and_then(|()| output.flush());
    match printed {
        Ok(()) => Exit::Done,
        Err(error) => lost(&error, Exit::Done),
    }
}
