//! Functions that hand their input to a shell: `run() { sh; }; curl … | run`.
//!
//! What is piped into a function is the input of the first command in it that reads. One that has an input of its own,
//! or that runs a file, is none of these.

use std::collections::BTreeSet;

use crate::act::program::{self, Program, Runs};
use crate::act::shell::Command;

/// How many commands of a function are looked at.
const MOST: usize = 32;

/// The names of such functions.
pub(super) fn that_run_their_input(commands: &[Command]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (place, command) in commands.iter().enumerate() {
        let behind = commands.get(place + 1..).unwrap_or_default();
        let words: Vec<&str> = command.words.iter().take(3).map(|word| &*word.text).collect();
        let body = match (&*words, behind.first()) {
            // The brackets behind a name end its command.
            ([name], Some(next)) if !command.piped && opens(next) => Some((*name, behind)),
            (["function", name, "{"], _) => Some((*name, commands.get(place..).unwrap_or_default())),
            (["function", name], Some(next)) if opens(next) => Some((*name, behind)),
            _ => None,
        };
        if let Some((name, body)) = body
            && body.iter().take(MOST).take_while(|command| !closes(command)).any(runs_its_input)
        {
            names.insert(name.to_owned());
        }
    }
    names
}

fn opens(command: &Command) -> bool {
    command.words.first().is_some_and(|word| word.text == "{")
}

fn closes(command: &Command) -> bool {
    command.words.first().is_some_and(|word| word.text == "}")
}

fn runs_its_input(command: &Command) -> bool {
    let words = &command.words;
    // `function run { sh`
    let from = words.iter().take(3).position(|word| word.text == "{").map_or(0, |place| place + 1);
    let words = words.get(from..).unwrap_or_default().to_vec();
    let own = Command { words, ..command.clone() };
    let program = Program::of(&own);
    let runner = program::is_shell(program.name()) || program::is_interpreter(program.name());
    runner && matches!(program.runs(), Runs::Input) && command.given.is_empty() && command.reads.is_empty()
}

#[cfg(test)]
mod tests {
    use super::that_run_their_input;
    use crate::act::shell::{Manner, read};

    #[test]
    fn a_function_that_starts_a_bare_shell_runs_its_input() {
        let cases: [(&str, &[&str]); 7] = [
            ("run() { sh; }; a", &["run"]),
            ("run () {\n  cd /tmp\n  bash -s -- x\n}\n", &["run"]),
            ("function go { python3 -; }", &["go"]),
            ("build() { make; }", &[]),
            ("run() { sh build.sh; }", &[]),
            ("run() { sh <<< 'make'; }", &[]),
            ("sh; { sh a; }", &[]),
        ];
        for (line, want) in cases {
            let found = that_run_their_input(&read(line, 0, Manner::Line).commands);
            assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), want, "{line}");
        }
    }
}
