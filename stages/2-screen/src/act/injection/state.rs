//! What a shell, an editor or git runs because of what it was told before or besides: traps, descriptors,
//! variables that it looks at, settings.

use call::Span;

use super::keeping::file_name;
use super::origins::substituted;
use super::{Judge, Source};
use crate::act::program::{Origin, Program, Runs};
use crate::act::shell::{Command, Word};
use crate::act::{embedded, operands, program};

impl Judge<'_> {
    /// Does it read from a descriptor that something fetched comes out of? `cat <&"${C[0]}"`
    pub(super) fn reads_fetched(&self, command: &Command) -> bool {
        command.reads.iter().flat_map(|word| &word.names).any(|name| self.fetched.contains(name))
    }

    /// Does it print a variable that holds something fetched? `echo "$X"`
    pub(super) fn prints_fetched(&self, command: &Command) -> bool {
        let words = command.words.iter().chain(&command.given);
        let held = words.flat_map(|word| &word.names).any(|name| self.fetched.contains(name));
        held && matches!(Program::of(command).name(), "echo" | "printf" | "print" | "cat")
    }

    /// Do these commands print a file that was fetched? `curl -o f …; sed 1d f | sh`
    pub(super) fn hands_on_fetched(&self, commands: &[Command]) -> bool {
        let mut named =
            commands.iter().flat_map(|command| command.words.iter().skip(1).chain(&command.reads));
        !self.files.is_empty() && named.any(|word| self.files.contains(&file_name(&word.text)))
    }

    /// What a shell or an editor runs because of what it was told before or besides: traps, descriptors,
    /// variables that it looks at, programs inside programs.
    pub(super) fn shell_state(
        &mut self,
        program: &Program<'_>,
        command: &Command,
        source: Option<Source>,
        span: Span,
        mention: bool,
        depth: usize,
    ) {
        let (name, arguments) = (program.name(), program.arguments());
        let runner = program::is_shell(name) || program::is_interpreter(name);
        let reads_input = runner && matches!(program.runs(), Runs::Input);
        let own_input = source.is_none() && command.reads.is_empty() && command.given.is_empty();
        let by_descriptor = match program.runs() {
            Runs::File(file) => {
                let opened = ["/dev/fd/", "/proc/self/fd/"].iter().any(|start| file.text.starts_with(start));
                let held = file.names.iter().any(|name| self.fetched.contains(name));
                runner && (held || (opened && self.input_fetched))
            }
            Runs::Input => runner && self.reads_fetched(command),
            Runs::Line(_) | Runs::Code(_) | Runs::Nothing => false,
        };
        if by_descriptor || (reads_input && own_input && self.input_fetched) {
            self.report("download_to_shell", span, mention);
        }
        if name == "exec" && arguments.is_empty() {
            let fetched = |word: &Word| {
                program::file_substitution(word) >= Some(Origin::Hidden)
                    || self.files.contains(&file_name(&word.text))
            };
            self.input_fetched |= command.reads.iter().any(fetched);
        }
        // `trap "$(curl …)" EXIT`
        if name == "trap"
            && let Some(line) = arguments.iter().find(|word| !word.text.starts_with('-'))
        {
            let held = line.names.iter().any(|name| self.fetched.contains(name));
            // What was only changed a little may be the number of a process, behind `kill`.
            let least =
                if line.text.trim_start().starts_with("$()") { Origin::Hidden } else { Origin::Elsewhere };
            if held || substituted(line) >= least {
                self.report("download_to_shell", span, mention);
            }
            self.again(&line.text, Span::new(line.start, line.end), mention, depth);
        }
        // `BASH_ENV=<(curl …) bash -c :`
        for word in &command.words {
            let Some((variable, value)) = word.text.split_once('=') else { continue };
            let read_first = matches!(variable, "BASH_ENV" | "ENV");
            let fetched = is_run_by_others(variable) && substituted(word) >= Origin::Elsewhere
                || read_first && program::file_substitution(word) >= Some(Origin::Hidden);
            if fetched {
                self.report("download_to_shell", span, mention);
            }
            if read_first && program::is_shell(name) && self.files.contains(&file_name(value)) {
                self.report("download_then_run", span, mention);
            }
        }
        // `bash --rcfile fetched -i`
        let starts = arguments.iter().zip(arguments.iter().skip(1)).filter(|_| program::is_shell(name));
        let started = starts
            .filter(|(flag, _)| matches!(&*flag.text, "--rcfile" | "--init-file"))
            .any(|(_, file)| self.files.contains(&file_name(&file.text)));
        if started {
            self.report("download_then_run", span, mention);
        }
        if embedded::fetches_and_runs(program) {
            self.report("download_to_shell", span, mention);
        }
        for line in embedded::lines(program) {
            self.again(&line, span, mention, depth);
        }
        // `sh -c '"$@" | sh' _ curl …`
        if let Runs::Line(line) = program.runs()
            && let Some(line) = operands::put_in(&line.text, operands::behind(arguments, line))
        {
            self.again(&line, span, mention, depth);
        }
    }
}

/// Variables whose values some program gives to a shell.
pub(super) fn is_run_by_others(name: &str) -> bool {
    matches!(
        name,
        "GIT_SSH_COMMAND"
            | "GIT_SSH"
            | "GIT_PAGER"
            | "GIT_EDITOR"
            | "GIT_SEQUENCE_EDITOR"
            | "GIT_EXTERNAL_DIFF"
            | "GIT_PROXY_COMMAND"
            | "GIT_ASKPASS"
            | "SSH_ASKPASS"
            | "SUDO_ASKPASS"
            | "PAGER"
            | "MANPAGER"
            | "EDITOR"
            | "VISUAL"
            | "BROWSER"
            | "LESSOPEN"
            | "LESSCLOSE"
            | "PROMPT_COMMAND"
            | "PS0"
            | "PS1"
            | "PS4"
            | "BASH_ENV"
            | "RSYNC_RSH"
            | "CVS_RSH"
    )
}

/// The line in a setting that git gives to a shell.
pub(super) fn run_by_git(setting: &str) -> Option<&str> {
    let (name, value) = setting.split_once('=')?;
    let name = name.to_ascii_lowercase();
    let named = matches!(
        &*name,
        "core.pager"
            | "core.editor"
            | "core.sshcommand"
            | "core.fsmonitor"
            | "core.askpass"
            | "diff.external"
            | "sequence.editor"
            | "credential.helper"
            | "gpg.program"
            | "core.gitproxy"
    );
    let ends =
        [".textconv", ".command", ".clean", ".smudge", ".process", ".cmd", ".helper", ".driver", ".program"];
    let kind = name.starts_with("alias.") || name.starts_with("pager.");
    (named || kind || ends.iter().any(|end| name.ends_with(end))).then(|| value.trim_start_matches('!'))
}
