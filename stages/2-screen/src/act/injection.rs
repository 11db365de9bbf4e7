//! Lines that make a shell run what somebody else wrote.
//!
//! Judged by what is tied to what and not by how a line is spelled: the output of a program goes
//! into something that runs its input. A download, something decoded, or (in a line that is meant to
//! be run) the output of any program. What is only text to its command (`grep "curl x | sh"`) is a
//! mention.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use call::{Family, Span};
use regex::bytes::Regex;

use super::program::{self, Origin, Program, Runs, name_of};
use super::shell::{self, Command, Kind, Manner, Script, Word};
use super::{Act, Setting, Strings, compiled, embedded, fetched, operands, remote};

/// How often a text inside a text is read again.
const DEEPEST: usize = 4;

/// All such lines in `script`, which stands at `span` of what is reported.
///
/// Says whether anything was put into a file or a variable, which lines elsewhere may run.
pub(super) fn find(script: &Script, span: Span, setting: Setting, found: &mut Vec<Act>) -> bool {
    if script.too_deep && setting.manner == Manner::Line {
        found.push(Act { family: Family::Injection, kind: "nested_commands", span, mention: false });
    }
    let (fetched, files, unpacked) = (BTreeSet::new(), BTreeSet::new(), None);
    let mut judge = Judge { setting, found, fetched, files, unpacked, input_fetched: false };
    judge.list(&script.commands, false, 0);
    !judge.files.is_empty() || !judge.fetched.is_empty()
}

struct Judge<'f> {
    setting: Setting,
    found: &'f mut Vec<Act>,
    // Variables that hold what was fetched or decoded.
    fetched: BTreeSet<String>,
    // Files that hold such a thing, or a line that runs one; by the last part of their names.
    files: BTreeSet<String>,
    // An archive was fetched and unpacked, and into which folder.
    unpacked: Option<String>,
    // From here on the input of everything is something that was fetched: `exec < <(curl …)`.
    input_fetched: bool,
}

/// What leads into a command through a pipe.
#[derive(Clone, Copy)]
struct Source {
    origin: Origin,
    start: usize,
}

/// Commands that share one input: between braces or parentheses, or in a loop or a condition.
#[derive(Clone, Copy)]
struct Group {
    source: Source,
    // How many parentheses are open in it, and how many words that something must close.
    depth: usize,
    open: usize,
}

impl Group {
    /// The group that begins with `command`, which stands behind a pipe at this depth.
    fn begin(command: &Command, before: usize, source: Source) -> Option<Self> {
        let by_word = opened(command) > 0;
        let by_sign = command.depth > before;
        (by_word || by_sign).then_some(Self {
            source,
            depth: if by_sign { command.depth } else { 0 },
            open: 0,
        })
    }

    /// The same behind the first words of `command`; nothing when they close it.
    fn with(mut self, command: &Command) -> Option<Self> {
        self.open += opened(command);
        if command.words.first().is_some_and(|word| matches!(&*word.text, "}" | "done" | "fi" | "esac")) {
            self.open = self.open.saturating_sub(1);
        }
        let inside = self.open > 0 || (self.depth > 0 && command.depth >= self.depth);
        inside.then_some(self)
    }
}

/// How many groups the first words of a command open.
fn opened(command: &Command) -> usize {
    let keyword = |word: &&Word| {
        matches!(
            &*word.text,
            "{" | "while"
                | "until"
                | "if"
                | "for"
                | "case"
                | "select"
                | "do"
                | "then"
                | "else"
                | "elif"
                | "!"
        )
    };
    let opens =
        |word: &&Word| matches!(&*word.text, "{" | "while" | "until" | "if" | "for" | "case" | "select");
    command.words.iter().take(8).take_while(keyword).filter(opens).count()
}

impl Judge<'_> {
    fn report(&mut self, kind: &'static str, span: Span, mention: bool) {
        self.found.push(Act { family: Family::Injection, kind, span, mention });
    }

    fn is_line(&self) -> bool {
        self.setting.manner == Manner::Line
    }

    fn list(&mut self, commands: &[Command], mention: bool, depth: usize) {
        let mut source: Option<Source> = None;
        let mut group: Option<Group> = None;
        let mut before = 0;
        for (place, command) in commands.iter().enumerate() {
            let mention = mention || command.mention;
            // What is piped into a group is the input of everything in it.
            if let Some(source) = source.filter(|_| self.is_line()) {
                group = Group::begin(command, before, source).or(group);
            }
            before = command.depth;
            group = group.and_then(|group| group.with(command));
            source = source.or(group.map(|group| group.source));
            self.command(command, source, mention, depth);
            self.printed(command, commands.get(place + 1), mention, depth);
            if !command.piped {
                source = None;
                continue;
            }
            // What closes a group speaks for what stands in front of it.
            let group =
                command.words.first().is_some_and(|word| matches!(&*word.text, "}" | "done" | "fi" | "esac"));
            let from = if group { place.saturating_sub(16) } else { place };
            let stage = commands.get(from..=place).unwrap_or_default();
            let origin = if self.is_line() { program::origin(stage) } else { prose_origin(stage) };
            let reads_fetched = self.is_line() && stage.iter().any(|command| self.reads_fetched(command));
            let origin = if reads_fetched { Origin::Elsewhere } else { origin };
            let start = stage.iter().map(|command| command.span().start).min().unwrap_or_default();
            source = Some(match source {
                Some(source) => Source { origin: source.origin.max(origin), ..source },
                None => Source { origin, start },
            });
        }
    }

    fn command(&mut self, command: &Command, source: Option<Source>, mention: bool, depth: usize) {
        let program = Program::of(command);
        let own = command.span();
        let span = Span::new(source.map_or(own.start, |source| source.start.min(own.start)), own.end);
        if let Some(source) = source {
            self.piped(&program, source.origin, span, mention);
        }
        self.run(&program, command, span, mention, depth);
        if self.is_line() {
            self.shell_state(&program, command, source, span, mention, depth);
        }
        self.sink(command, source, span, mention);
        self.keep(&program, command, source);
        self.unpack(&program, source, span, mention);
        self.starting_files(&program, command, mention, depth);
        let direct = self.found.len();
        self.inside(&program, command, mention, depth);
        // A line that is written to a file is run when the file is.
        if self.found.len() > direct {
            self.remember(command.writes.iter().map(|word| file_name(&word.text)));
        }
    }

    /// Does it read from a descriptor that something fetched comes out of? `cat <&"${C[0]}"`
    fn reads_fetched(&self, command: &Command) -> bool {
        command.reads.iter().flat_map(|word| &word.names).any(|name| self.fetched.contains(name))
    }

    /// What a shell or an editor runs because of what it was told before or besides: traps, descriptors,
    /// variables that it looks at, programs inside programs.
    fn shell_state(
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
            Runs::File(file) => runner && file.names.iter().any(|name| self.fetched.contains(name)),
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

    /// A line that is written into a file that others start: `echo "curl … | sh" > .git/hooks/pre-push`.
    fn starting_files(&mut self, program: &Program<'_>, command: &Command, mention: bool, depth: usize) {
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

    /// What is printed into a shell is a line of it: `echo "curl … | sh" | sh`.
    fn printed(&mut self, command: &Command, next: Option<&Command>, mention: bool, depth: usize) {
        let program = Program::of(command);
        if !command.piped || !self.is_line() || !matches!(program.name(), "echo" | "printf" | "print") {
            return;
        }
        let Some(next) = next.map(Program::of) else { return };
        if !matches!(next.runs(), Runs::Input) {
            return;
        }
        let line: Vec<&str> = program.arguments().iter().map(|word| &*word.text).collect();
        let line = line.join(" ");
        if program::is_shell(next.name()) || is_timer(next.name()) {
            self.again(without_times(&line), command.span(), mention, depth);
        } else if is_make(next.name()) {
            self.again(&recipes(&line), command.span(), mention, depth);
        } else {
            for word in program.arguments() {
                self.code(word, mention);
                self.again(&word.text, Span::new(word.start, word.end), mention, depth);
                if fetches_and_runs(&word.text, std::slice::from_ref(word)) {
                    self.report("download_to_shell", command.span(), mention);
                }
            }
        }
    }

    /// Something goes into this program: does it run that?
    fn piped(&mut self, program: &Program<'_>, origin: Origin, span: Span, mention: bool) {
        let runs = program.runs();
        let bare = self.setting.manner == Manner::Prose && program::is_shell(program.name());
        let by_xargs = program.by_xargs
            && (program::is_shell(program.name()) || program::is_interpreter(program.name()));
        let runs_input = match runs {
            Runs::Input => true,
            Runs::Code(code) | Runs::Line(code) => by_xargs || runs_its_input(&code.text),
            Runs::File(_) => bare || by_xargs,
            // `xargs sh -c`: what comes in is the line.
            Runs::Nothing => by_xargs && program::is_shell(program.name()),
        };
        // In prose a program is the first word behind the pipe, or it is not meant.
        if runs_input
            && let Some(kind) =
                kind_of(origin, self.is_line() && program::is_shell(program.name()) && !by_xargs)
        {
            self.report(kind, span, mention);
        }
    }

    /// What this program itself is told to run.
    fn run(&mut self, program: &Program<'_>, command: &Command, span: Span, mention: bool, depth: usize) {
        let name = program.name();
        let arguments = program.arguments();
        if name == "eval" || ((name == "iex" || name == "invoke-expression") && !arguments.is_empty()) {
            let put_in = arguments.iter().any(|word| !word.substitutions.is_empty());
            let variable = self.is_line() && arguments.iter().any(|word| !word.names.is_empty());
            if put_in || variable {
                self.report("eval_substitution", span, mention);
            }
            let line: Vec<&str> = arguments.iter().map(|word| &*word.text).collect();
            self.again(&line.join(" "), span, mention, depth);
            return;
        }
        let runs = program.runs();
        let shell = program::is_shell(name);
        let runner = shell || program::is_interpreter(name) || matches!(name, "source" | ".");
        if runner
            && let Some(origin) = arguments.iter().filter_map(program::file_substitution).max()
            && let Some(kind) = kind_of(origin, self.is_line())
        {
            self.report(kind, span, mention);
        }
        // `xargs -a <(curl …) sh -c`
        if program.by_xargs && shell {
            let words = command.words.iter().chain(&command.reads).filter_map(program::file_substitution);
            if words.max() >= Some(Origin::Hidden) {
                self.report("download_to_shell", span, mention);
            }
        }
        // `make -f <(curl …)`: a file of commands, and not of data.
        let takes_commands =
            matches!(name, "make" | "gmake" | "crontab" | "at" | "batch" | "ansible-playbook" | "gdb");
        if takes_commands
            && arguments.iter().filter_map(program::file_substitution).max() >= Some(Origin::Hidden)
        {
            self.report("download_to_shell", span, mention);
        }
        if remote::runs_address(program).is_some() {
            self.report("download_to_shell", span, mention);
        }
        // `GIT_SSH_COMMAND="curl … | sh" git pull`
        for word in &command.words {
            if let Some((_, line)) = word.text.split_once('=').filter(|(name, _)| is_run_by_others(name)) {
                self.again(line, Span::new(word.start, word.end), mention, depth);
            }
        }
        // `git -c core.pager="curl … | sh" log`
        let settings = arguments.iter().zip(arguments.iter().skip(1)).filter(|_| name == "git");
        for (_, word) in settings.filter(|(flag, _)| matches!(&*flag.text, "-c" | "--config")) {
            if let Some(line) = run_by_git(&word.text) {
                self.again(line, Span::new(word.start, word.end), mention, depth);
            }
        }
        match runs {
            Runs::Line(word) | Runs::Code(word) => {
                let opens = word.text.trim_start().starts_with("$()");
                let origin = substituted(word);
                let code = matches!(runs, Runs::Code(_));
                let put_in = origin >= Origin::Hidden && (opens || code || program::is_shell(name));
                let fetches = code && fetches_and_runs(&word.text, arguments);
                if code {
                    self.code(word, mention);
                }
                if put_in || fetches || word.names.iter().any(|name| self.fetched.contains(name)) {
                    self.report("download_to_shell", span, mention);
                }
                if !code {
                    self.again(&word.text, Span::new(word.start, word.end), mention, depth);
                }
            }
            Runs::File(file) if self.files.contains(&file_name(&file.text)) => {
                self.report("download_then_run", span, mention);
            }
            Runs::Input if runner || is_timer(name) || is_make(name) => {
                for given in &command.given {
                    if substituted(given) >= Origin::Hidden
                        || given.names.iter().any(|name| self.fetched.contains(name))
                    {
                        self.report("download_to_shell", span, mention);
                    }
                    let place = Span::new(given.start, given.end);
                    if is_make(name) {
                        self.again(&recipes(&given.text), place, mention, depth);
                    } else if shell || is_timer(name) {
                        let lines = given.text.lines().take(64).map(without_times).collect::<Vec<&str>>();
                        self.again(&lines.join("\n"), place, mention, depth);
                    } else {
                        self.code(given, mention);
                        self.again(&given.text, place, mention, depth);
                        if fetches_and_runs(&given.text, std::slice::from_ref(given)) {
                            self.report("download_to_shell", span, mention);
                        }
                    }
                }
                let fed = command.reads.iter().any(|word| {
                    program::file_substitution(word) >= Some(Origin::Program)
                        || self.files.contains(&file_name(&word.text))
                });
                if fed {
                    self.report("download_to_shell", span, mention);
                }
            }
            Runs::File(_) | Runs::Input | Runs::Nothing => {}
        }
        let Some(first) = program.words.first() else { return };
        // `while read line; do $line; done`
        if self.is_line()
            && first.text.starts_with('$')
            && first.names.iter().any(|name| self.fetched.contains(name))
        {
            self.report("download_to_shell", span, mention);
        }
        // `$(curl …)` as a command, and a file that was fetched just before.
        if first.text == "$()" && !first.quoted && substituted(first) >= Origin::Hidden && self.is_line() {
            self.report("download_to_shell", span, mention);
        }
        let program_file = [".exe", ".bat", ".cmd", ".com", ".ps1", ".msi", ".vbs", ".scr"];
        let path = first.text.contains(['/', '\\'])
            || first.text.starts_with('$')
            || program_file.iter().any(|ending| first.text.ends_with(ending));
        if path && self.files.contains(&file_name(&first.text)) {
            self.report("download_then_run", span, mention);
        }
        if matches!(name, "powershell" | "pwsh") && has_encoded_command(arguments) {
            self.report("encoded_command", span, mention);
        }
    }

    /// A program of another language that fetches a program and runs it.
    fn code(&mut self, word: &Word, mention: bool) {
        let from = self.found.len();
        fetched::find(&word.text, 0, self.found);
        for act in self.found.iter_mut().skip(from) {
            act.span = Span::new(word.start, word.end);
            act.mention = mention;
        }
    }

    /// `tee >(sh)`: what comes in, or is written, goes into a shell.
    fn sink(&mut self, command: &Command, source: Option<Source>, span: Span, mention: bool) {
        let sinks = command.words.iter().chain(&command.writes).flat_map(|word| &word.substitutions);
        let into_shell = sinks.filter(|inner| inner.kind == Kind::Sink).any(|inner| {
            inner.commands.first().is_some_and(|inner| matches!(Program::of(inner).runs(), Runs::Input))
        });
        if !into_shell {
            return;
        }
        let read = command.reads.iter().filter_map(program::file_substitution).max();
        let own = program::origin(std::slice::from_ref(command)).max(read.unwrap_or(Origin::Here));
        if source.map_or(own, |source| source.origin.max(own)) >= Origin::Hidden {
            self.report("download_to_shell", span, mention);
        }
    }

    /// Remembers files that should not be run.
    fn remember(&mut self, files: impl IntoIterator<Item = String>) {
        // In prose that is something between backticks, and every other such thing would be the same file.
        let told = |file: &String| self.setting.manner == Manner::Line || !file.contains("$()");
        self.files.extend(files.into_iter().filter(told));
    }

    /// Remembers where what was fetched is put.
    fn keep(&mut self, program: &Program<'_>, command: &Command, source: Option<Source>) {
        let name = program.name();
        if matches!(name, "read" | "mapfile" | "readarray")
            && source.is_some_and(|source| source.origin >= Origin::Hidden)
        {
            let named = program.arguments().iter().filter(|word| !word.text.starts_with('-'));
            self.fetched.extend(named.map(|word| word.text.clone()));
            self.fetched.extend(["REPLY", "MAPFILE"].map(str::to_owned));
        }
        if matches!(name, "scp" | "sftp" | "rsync") {
            self.remember(copied_from_elsewhere(program.arguments()));
        }
        // `cp fetched other`
        if self.is_line() && matches!(name, "cp" | "mv" | "ln" | "install") {
            let named = program.arguments().iter().filter(|word| !word.text.starts_with('-'));
            let files: Vec<String> = named.map(|word| file_name(&word.text)).collect();
            if let Some((to, from)) = files.split_last()
                && from.iter().any(|file| self.files.contains(file))
                && !matches!(&**to, "" | "." | "..")
            {
                self.remember([to.clone()]);
            }
        }
        let fetcher = command.words.iter().position(|word| program::is_fetcher(&name_of(word)));
        let assigns = |word: &Word| !word.substitutions.is_empty() && word.text.contains('=');
        let starts_beside = self.is_line() && command.words.first().is_some_and(|word| word.text == "coproc");
        let puts = fetcher.is_some()
            || !command.writes.is_empty()
            || matches!(name, "tee" | "sponge" | "dd" | "cp" | "install");
        if !puts && !command.words.iter().any(assigns) {
            return;
        }
        let own = program::origin(std::slice::from_ref(command));
        if source.map_or(own, |source| source.origin.max(own)) < Origin::Hidden {
            return;
        }
        for word in &command.words {
            if let Some((name, _)) = word.text.split_once('=').filter(|_| !word.substitutions.is_empty()) {
                self.fetched.insert(name.to_owned());
            }
        }
        // `coproc NAME { curl …; }`: what it prints comes out of the descriptors in the variable.
        if starts_beside {
            self.fetched.extend(command.words.get(1).map(|word| word.text.clone()));
            self.fetched.insert("COPROC".to_owned());
        }
        self.remember(command.writes.iter().map(|word| file_name(&word.text)));
        let operands = program.arguments();
        if name == "dd" {
            let into = operands.iter().filter_map(|word| word.text.strip_prefix("of="));
            self.remember(into.map(file_name));
        }
        // `curl … | install /dev/stdin x`
        if matches!(name, "cp" | "install") && operands.iter().any(|word| word.text == "/dev/stdin") {
            self.remember(operands.last().map(|word| file_name(&word.text)));
        }
        if matches!(name, "tee" | "sponge") {
            self.remember(
                operands.iter().filter(|word| !word.text.starts_with('-')).map(|word| file_name(&word.text)),
            );
        }
        let Some(words) = fetcher.and_then(|place| command.words.get(place..)) else { return };
        self.remember(outputs(words));
    }

    /// `curl … | tar xz && ./install.sh`: what was fetched in an archive and is started at once.
    fn unpack(&mut self, program: &Program<'_>, source: Option<Source>, span: Span, mention: bool) {
        if !self.is_line() {
            return;
        }
        let (name, arguments) = (program.name(), program.arguments());
        if UNPACKERS.contains(&name) {
            let piped = source.is_some_and(|source| source.origin == Origin::Elsewhere);
            let kept = arguments.iter().any(|word| self.files.contains(&file_name(&word.text)));
            let folder = arguments
                .iter()
                .zip(arguments.iter().skip(1))
                .find(|(flag, _)| matches!(&*flag.text, "-C" | "-d" | "--directory"));
            if piped || kept {
                self.unpacked = Some(folder.map_or(String::new(), |(_, folder)| folder.text.clone()));
            }
            return;
        }
        let Some(folder) = self.unpacked.clone() else { return };
        if matches!(name, "cd" | "pushd") {
            // From here on everything lies in what was unpacked, if it was unpacked there.
            let to = arguments.first().map_or("", |word| &*word.text);
            if folder.is_empty() || to.trim_end_matches('/') == folder.trim_end_matches('/') {
                self.unpacked = Some(".".to_owned());
            }
            return;
        }
        let started = match program.runs() {
            Runs::File(file) => Some(file),
            Runs::Input | Runs::Line(_) | Runs::Code(_) | Runs::Nothing => program.words.first(),
        };
        if started.is_some_and(|word| is_started_from(&word.text, &folder)) {
            self.report("download_then_run", span, mention);
        }
    }

    /// Substitutions, and strings that may be lines themselves.
    fn inside(&mut self, program: &Program<'_>, command: &Command, mention: bool, depth: usize) {
        let data = program.is_data();
        let all = command.words.iter().chain(&command.writes).chain(&command.reads).chain(&command.given);
        let mut before = "";
        for word in all {
            let ordered = is_order(before);
            before = &word.text;
            for inner in &word.substitutions {
                if ordered && self.setting.manner == Manner::Prose {
                    let plain =
                        inner.commands.iter().map(|command| Command { mention: false, ..command.clone() });
                    self.list(&plain.collect::<Vec<_>>(), mention, depth);
                } else {
                    self.list(&inner.commands, mention, depth);
                }
            }
            let may_be_line = word.quoted && word.text.contains([' ', '|', '<']) && !word.text.is_empty();
            if !may_be_line {
                continue;
            }
            let only_text = match self.setting.strings {
                Strings::Run => data && self.is_line(),
                Strings::Mention => !ordered,
            };
            self.again(&word.text, Span::new(word.start, word.end), mention || only_text, depth);
        }
    }

    /// Reads a text inside the text.
    fn again(&mut self, text: &str, span: Span, mention: bool, depth: usize) {
        if depth >= DEEPEST || !worth_reading(text) {
            return;
        }
        let script = shell::read(text, 0, self.setting.manner);
        let from = self.found.len();
        self.list(&script.commands, mention, depth + 1);
        for act in self.found.iter_mut().skip(from) {
            act.span = span;
        }
    }
}

/// Variables whose values some program gives to a shell.
fn is_run_by_others(name: &str) -> bool {
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
fn run_by_git(setting: &str) -> Option<&str> {
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

/// Runs lines at another time.
/// Programs that unpack archives.
const UNPACKERS: &[&str] = &["tar", "bsdtar", "gtar", "unzip", "cpio", "7z", "7za", "unar", "bsdcpio", "pax"];

/// Is this a file out of an archive that was unpacked into `folder`, and made to be started? In a folder that
/// is not told, files of the workspace lie beside it, so that only what installs something counts.
fn is_started_from(path: &str, folder: &str) -> bool {
    let relative = !path.starts_with(['/', '~', '$', '-']) && path.contains('/');
    let name = file_name(path);
    let stem = name.split('.').next().unwrap_or_default();
    const INSTALLS: &[&str] =
        &["install", "setup", "bootstrap", "init", "update", "upgrade", "payload", "deploy"];
    let installs = INSTALLS.iter().any(|start| stem.starts_with(start)) || matches!(stem, "run" | "start");
    let script = [".sh", ".bash", ".py", ".pl", ".rb", ".js"].iter().any(|ending| name.ends_with(ending));
    // The usual way to build what was fetched as source.
    let builds = matches!(stem, "configure" | "gradlew" | "mvnw" | "autogen" | "waf");
    match folder {
        "" => installs && (relative || script),
        "." => (relative && !builds) || (installs && script),
        folder => {
            let below = path
                .trim_start_matches("./")
                .strip_prefix(folder.trim_start_matches("./").trim_end_matches('/'));
            below.is_some_and(|below| below.starts_with('/')) && !builds
        }
    }
}

fn is_make(name: &str) -> bool {
    matches!(name, "make" | "gmake")
}

/// The lines that a makefile has a shell run: recipes, and what `$(shell …)` asks for.
fn recipes(makefile: &str) -> String {
    let line = |line: &str| {
        let line = line.replace("\\t", "\t");
        let recipe = line.trim_start_matches(['\t', ' ', '@', '-', '+']);
        // `all: ; curl … | sh`
        let one_line = recipe.split_once(':').and_then(|(_, rest)| rest.split_once(';'));
        one_line.map_or(recipe, |(_, recipe)| recipe.trim_start()).replace("$(shell ", "$(")
    };
    makefile.replace("\\n", "\n").lines().take(64).map(line).collect::<Vec<String>>().join("\n")
}

fn is_timer(name: &str) -> bool {
    matches!(name, "crontab" | "at" | "batch")
}

/// A file that a shell, git or a timer runs by itself.
fn is_started_by_others(path: &str) -> bool {
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
fn without_times(line: &str) -> &str {
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

/// Could a shell do anything with it but run one harmless program?
fn worth_reading(text: &str) -> bool {
    text.contains(['|', '$', '`', '<', ';', '&', '>', '\n']) || text.contains("eval")
}

/// What it is when something from there is run.
fn kind_of(origin: Origin, any_program: bool) -> Option<&'static str> {
    match origin {
        Origin::Elsewhere => Some("download_to_shell"),
        Origin::Hidden => Some("decoded_to_shell"),
        Origin::Program => any_program.then_some("output_to_shell"),
        Origin::Here => None,
    }
}

fn substituted(word: &Word) -> Origin {
    word.substitutions.iter().map(|inner| program::origin(&inner.commands)).max().unwrap_or(Origin::Here)
}

/// In prose the name of a program is a word like any other, unless something follows that it takes.
fn prose_origin(sources: &[Command]) -> Origin {
    let mut origin = Origin::Here;
    for command in sources {
        for (place, word) in command.words.iter().enumerate() {
            let name = name_of(word);
            let behind = command.words.get(place + 1..).unwrap_or_default();
            if program::is_fetcher(&name) && behind.iter().take(12).any(is_address) {
                origin = origin.max(Origin::Elsewhere);
            }
            let decodes = |next: &Word| {
                matches!(&*next.text, "-d" | "-D" | "--decode" | "-r" | "-di" | "-rp" | "enc" | "-dc")
            };
            if program::is_decoder(&name) && behind.first().is_some_and(decodes) {
                origin = origin.max(Origin::Hidden);
            }
        }
    }
    origin
}

/// Something that can be fetched: a URL, a host, a variable.
fn is_address(word: &Word) -> bool {
    let text = word.text.trim_matches(['"', '\'', '`', ',', '.', '<', '>']);
    let dotted = text.split_once('.').is_some_and(|(left, right)| {
        left.ends_with(|c: char| c.is_ascii_alphanumeric())
            && right.starts_with(|c: char| c.is_ascii_alphanumeric())
    });
    dotted
        || text.contains("://")
        || text.contains('/')
        || !word.names.is_empty()
        || text.contains("$()")
        || text.contains("localhost")
}

/// "Run" in front of a quotation makes it an order.
pub(super) fn is_order(word: &str) -> bool {
    let word = word.trim_end_matches([':', ',']);
    ["run", "execute", "paste", "type", "invoke", "launch", "issue", "exec"]
        .iter()
        .any(|order| word.eq_ignore_ascii_case(order))
}

/// A program that runs what it reads: `exec(sys.stdin.read())`, `eval <>`.
fn runs_its_input(code: &str) -> bool {
    static RUNS: OnceLock<Option<Regex>> = OnceLock::new();
    static INPUT: OnceLock<Option<Regex>> = OnceLock::new();
    let runs = compiled(&RUNS, r"\b(?:exec|eval|system|Function|instance_eval|iex|popen|source|sh|bash)\b");
    let input =
        compiled(&INPUT, r"(?i)stdin|readFileSync\(\s*0|<>|\$_|ARGF|\bgets\b|\binput\b|\$\(\)|\bcat\b");
    runs.is_some_and(|runs| runs.is_match(code.as_bytes()))
        && input.is_some_and(|input| input.is_match(code.as_bytes()))
}

/// A program that fetches another one and runs it: `exec(urlopen(…).read())`, `eval get "…"`.
fn fetches_and_runs(code: &str, arguments: &[Word]) -> bool {
    static RUNS: OnceLock<Option<Regex>> = OnceLock::new();
    static FETCHES: OnceLock<Option<Regex>> = OnceLock::new();
    static INCLUDES: OnceLock<Option<Regex>> = OnceLock::new();
    let runs = r"(?:^|[^.\w])(?:exec|eval|execfile)\b|\bnew\s+Function\b|_eval\b|\brunIn\w*Context\b|\bmarshal\.loads\b|\bassert\s*\(\s*\$";
    let fetches = r#"(?i)\burlopen\b|\burlretrieve\b|\burllib|\brequests\.(?:get|post|request|session)|\bhttpx\.|\bhttp\.client\b|\baiohttp\b|\bfetch\s*\(|['"]https?['"]\s*\)\s*\.(?:get|request)|\baxios\b|(?:LWP|HTTP|WWW)::|\bNet::HTTP|\bURI\.open|open-uri\b|\bopen\s*\(\s*['"]https?:|\bfile_get_contents\s*\(\s*['"](?:https?|ftp|php|data):|\bfsockopen\b|\bcurl_exec\b|\bIO::Socket|\bTCPSocket\b|\bsocket\.|\b(?:curl|wget)\s"#;
    let includes = r#"(?i)\b(?:include|require)(?:_once)?\s*\(?\s*['"](?:https?|ftp|data):|\b(?:source|include)\s*\(\s*(?:(?:url|download)\s*\(\s*)?['"]https?:|\bimport(?:Scripts)?\s*\(\s*['"]https?:"#;
    let is_in = |cell, pattern, text: &str| {
        compiled(cell, pattern).is_some_and(|found| found.is_match(text.as_bytes()))
    };
    let fetches = |text: &str| is_in(&FETCHES, fetches, text);
    is_in(&INCLUDES, includes, code)
        || (is_in(&RUNS, runs, code) && arguments.iter().any(|word| fetches(&word.text)))
}

/// `-enc` and every shorter spelling that PowerShell takes.
fn has_encoded_command(arguments: &[Word]) -> bool {
    let pairs = arguments.iter().zip(arguments.iter().skip(1));
    pairs.into_iter().any(|(flag, value)| {
        let flag = flag.text.to_ascii_lowercase();
        let flag = flag.trim_start_matches(['-', '/', '–']);
        let encoded =
            !flag.is_empty() && ("encodedcommand".starts_with(flag) || flag == "ec") && flag.starts_with('e');
        let digits = value.text.len() >= 8
            && value.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        encoded && (digits || !value.names.is_empty() || !value.substitutions.is_empty()) && flag != "ep"
    })
}

/// The last part of a file's name.
pub(super) fn file_name(path: &str) -> String {
    let path = path.trim_end_matches(['/', '\\']);
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}

/// `scp host:setup.sh .`: the files that a copy from another machine leaves here.
fn copied_from_elsewhere(arguments: &[Word]) -> Vec<String> {
    let operands: Vec<&str> =
        arguments.iter().map(|word| &*word.text).filter(|text| !text.starts_with('-')).collect();
    let Some((to, from)) = operands.split_last() else { return Vec::new() };
    let far =
        |text: &&&str| text.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/'));
    let mut files: Vec<String> = from
        .iter()
        .filter(far)
        .filter_map(|text| text.split_once(':'))
        .map(|(_, path)| file_name(path))
        .collect();
    if !files.is_empty() {
        files.push(file_name(to));
    }
    files.retain(|file| !file.is_empty() && file != "." && file != "..");
    files
}

/// The files that a download is put into.
fn outputs(words: &[Word]) -> Vec<String> {
    let name = words.first().map(name_of).unwrap_or_default();
    let mut files = Vec::new();
    let mut rest = words.iter().skip(1);
    let mut named_by_address =
        matches!(&*name, "wget" | "wget2" | "aria2c" | "axel" | "fetch" | "lwp-download");
    let mut addresses = Vec::new();
    let mut last = None;
    while let Some(word) = rest.next() {
        let text = &*word.text;
        let lower = text.to_ascii_lowercase();
        let capital_is_file = name != "curl";
        let takes_file =
            matches!(&*lower, "--output" | "--output-document" | "-outfile" | "--out" | "-destination")
                || text == "-o"
                || (text == "-O" && capital_is_file)
                || (text.starts_with('-')
                    && !text.starts_with("--")
                    && text.len() <= 6
                    && (text.ends_with('o') && name == "curl" || text.ends_with('O') && capital_is_file));
        if takes_file {
            files.extend(rest.next().map(|word| file_name(&word.text)));
            continue;
        }
        if let Some(value) =
            lower.strip_prefix("--output=").or_else(|| lower.strip_prefix("--output-document="))
        {
            files.push(file_name(value));
        }
        if text.starts_with('-') {
            named_by_address |= text.contains('O') || lower == "--remote-name";
            continue;
        }
        last = Some(file_name(text));
        if is_address(word) {
            let path = text.split(['?', '#']).next().unwrap_or(text);
            addresses.push(file_name(path));
        }
    }
    if named_by_address {
        files.extend(addresses);
    }
    if matches!(&*name, "certutil" | "bitsadmin" | "lwp-download") {
        files.extend(last);
    }
    files.retain(|file| !file.is_empty() && file != "-");
    files
}

/// Spellings that no shell reads: needed word, expression, kind.
#[rustfmt::skip]
const SPELLINGS: &[(&str, &str, &str)] = &[
    ("iex", r"(?i)\b(?:iex|invoke-expression)\b[^\n]{0,80}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|downloadfile|net\.webclient|curl\s|wget\s|frombase64string)", "download_to_shell"),
    ("invoke-expression", r"(?i)\binvoke-expression\b[^\n]{0,80}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|net\.webclient|frombase64string)", "download_to_shell"),
    ("downloadstring", r"(?i)downloadstring\([^\n]{0,300}\|\s*(?:iex|invoke-expression)\b", "download_to_shell"),
    ("mshta", r"(?i)\bmshta\b[^\n]{0,80}(?:https?|javascript|vbscript):", "download_to_shell"),
    ("regsvr32", r"(?i)\bregsvr32\b[^\n]{0,80}https?:", "download_to_shell"),
    ("rundll32", r"(?i)\brundll32\b[^\n]{0,80}(?:https?|javascript):", "download_to_shell"),
    ("exec(", r"(?i)\bexec\s*\(\s*(?:compile\s*\(\s*)?(?:__import__\s*\(|urllib|requests\.|httpx\.|base64\.|b64decode|zlib\.|codecs\.|bytes\.fromhex|urlopen|marshal\.|open\s*\(\s*['\x22]https?:)", "download_to_shell"),
    ("eval(", r"(?i)\beval\s*\(\s*(?:compile\s*\(\s*)?(?:await\s+\(?\s*(?:await\s+)?fetch|__import__\s*\(|urllib|requests\.|httpx\.|base64[._]|b64decode|zlib\.|codecs\.|bytes\.fromhex|urlopen|marshal\.|fetch\s*\(|atob\s*\(|buffer\.from\s*\(|gzinflate|str_rot13|file_get_contents\s*\(\s*['\x22](?:https?:|php:)|uri\.open|open\s*\(\s*['\x22]https?:|get\s*\(\s*['\x22]https?:|require\s*\(\s*['\x22]https?['\x22]|unescape\s*\(|decodeuricomponent\s*\()", "download_to_shell"),
    ("function(", r"\bnew\s+Function\s*\(\s*(?:atob|await\s|Buffer\.from|fetch|decodeURIComponent|unescape)", "download_to_shell"),
    ("/dev/tcp/", r"(?:[<>]&?|\bexec\b|\b(?:ba|z|k)?sh\b)[^\n]{0,40}/dev/tcp/[\w.$\{\[]", "reverse_shell"),
    ("/dev/udp/", r"(?:[<>]&?|\bexec\b|\b(?:ba|z|k)?sh\b)[^\n]{0,40}/dev/udp/[\w.$\{\[]", "reverse_shell"),
    ("nc ", r"(?i)\b(?:nc|ncat)(?:\.exe)?\s(?:[^\n|]{0,80}?\s)?(?:-[a-z]*[ec]\s*|--(?:exec|sh-exec)[\s=])[\x22']?(?:/\w+)*/?(?:(?:ba|z|k|da)?sh|cmd|powershell)\b", "reverse_shell"),
    ("ncat ", r"(?i)\bncat\s[^\n|]{0,80}?(?:-[a-z]*[ec]\s*|--(?:exec|sh-exec)[\s=])[\x22']?(?:/\w+)*/?(?:(?:ba|z|k|da)?sh|cmd|powershell)\b", "reverse_shell"),
    ("netcat ", r"(?i)\bnetcat\s[^\n|]{0,80}?(?:-[a-z]*[ec]\s*)[\x22']?(?:/\w+)*/?(?:(?:ba|z|k|da)?sh|cmd)\b", "reverse_shell"),
    ("socat ", r"(?i)\bsocat\s[^\n]{0,120}\b(?:exec|system):", "reverse_shell"),
    ("mkfifo ", r"(?i)\bmkfifo\s[^\n]{0,120}\b(?:nc|ncat|netcat|openssl|telnet)\b", "reverse_shell"),
    ("dup2(", r"\bos\.dup2\(\s*(?:s|c|sk|sock|socket|conn|connection|client|sockfd)\.fileno\(\)\s*,\s*[012]\s*\)", "reverse_shell"),
    ("socket", r"(?i)socket[^\n]{0,300}(?:dup2|subprocess\.(?:call|run|popen)\s*\(\s*\[?\s*['\x22]/bin/|exec\s*[({]?\s*['\x22]/bin/\w*sh)", "reverse_shell"),
];

static EXPRESSIONS: [OnceLock<Option<Regex>>; SPELLINGS.len()] = [const { OnceLock::new() }; SPELLINGS.len()];

/// The words without which no spelling can match.
pub(super) fn spelling_words() -> impl Iterator<Item = &'static str> {
    SPELLINGS.iter().map(|(word, _, _)| *word)
}

/// Looks for the spelling with number `place` in `line`.
pub(super) fn spelled(place: usize, line: &str, offset: usize, found: &mut Vec<Act>) {
    let Some((_, pattern, kind)) = SPELLINGS.get(place) else { return };
    let Some(expression) = EXPRESSIONS.get(place).and_then(|cell| compiled(cell, pattern)) else { return };
    for hit in expression.find_iter(line.as_bytes()) {
        let span = Span::new(offset + hit.start(), offset + hit.end());
        found.push(Act { family: Family::Injection, kind, span, mention: false });
    }
}

#[cfg(test)]
mod tests {
    use super::{EXPRESSIONS, SPELLINGS};

    #[test]
    fn every_spelling_compiles() {
        for ((_, pattern, _), cell) in SPELLINGS.iter().zip(&EXPRESSIONS) {
            assert!(super::compiled(cell, pattern).is_some(), "{pattern}");
        }
    }
}
