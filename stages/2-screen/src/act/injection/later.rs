//! Lines that are run at another time or by somebody else: start files, hooks, timers, makefiles.

use call::Span;

use super::Judge;
use super::keeping::file_name;
use crate::act::program::Program;
use crate::act::shell::Command;

impl Judge<'_> {
    /// A line that is written into a file that others start: `echo "curl … | sh" > .git/hooks/pre-push`.
    pub(super) fn starting_files(
        &mut self,
        program: &Program<'_>,
        command: &Command,
        mention: bool,
        depth: usize,
    ) {
        let printed = matches!(program.name(), "echo" | "printf" | "print" | "cat" | "tee");
        let files =
            command.writes.iter().chain(program.arguments().iter().filter(|_| program.name() == "tee"));
        if !printed || !self.is_line() || !files.clone().any(|file| is_started_by_others(&file.text)) {
            return;
        }
        for word in program.arguments().iter().chain(&command.given) {
            let lines = word.text.lines().take(64).map(without_times).collect::<Vec<&str>>();
            self.again(&lines.join("\n"), Span::new(word.start, word.end), mention, depth);
        }
    }
}

pub(super) fn is_make(name: &str) -> bool {
    matches!(name, "make" | "gmake")
}

/// The lines that a makefile has a shell run: recipes, and what `$(shell …)` asks for.
pub(super) fn recipes(makefile: &str) -> String {
    let line = |line: &str| {
        let line = line.replace("\\t", "\t");
        let recipe = line.trim_start_matches(['\t', ' ', '@', '-', '+']);
        // `all: ; curl … | sh`
        let one_line = recipe.split_once(':').and_then(|(_, rest)| rest.split_once(';'));
        one_line.map_or(recipe, |(_, recipe)| recipe.trim_start()).replace("$(shell ", "$(")
    };
    makefile.replace("\\n", "\n").lines().take(64).map(line).collect::<Vec<String>>().join("\n")
}

/// Runs lines at another time.
pub(super) fn is_timer(name: &str) -> bool {
    matches!(name, "crontab" | "at" | "batch")
}

/// A file that a shell, git or a timer runs by itself.
pub(super) fn is_started_by_others(path: &str) -> bool {
    let name = file_name(path);
    path.contains(".git/hooks/")
        || path.contains("/cron")
        || path.contains("/init.d/")
        || path.contains("/profile.d/")
        || path.contains(".husky/")
        || matches!(
            &*name,
            ".bashrc"
                | ".bash_profile"
                | ".bash_login"
                | ".profile"
                | ".zshrc"
                | ".zprofile"
                | ".zshenv"
                | ".envrc"
                | "rc.local"
                | "crontab"
        )
}

/// A line of a table of times, from its command on: `* * * * * curl …`, `@daily curl …`.
pub(super) fn without_times(line: &str) -> &str {
    let trimmed = line.trim_start();
    let fields = if trimmed.starts_with('@') { 1 } else { 5 };
    let is_time = |field: &str| {
        field.bytes().all(|byte| byte.is_ascii_digit() || b"*/,-".contains(&byte)) || field.starts_with('@')
    };
    let mut rest = trimmed;
    for _ in 0..fields {
        let Some((_, behind)) = rest.split_once([' ', '\t']).filter(|(field, _)| is_time(field)) else {
            return line;
        };
        rest = behind.trim_start();
    }
    rest
}
