//! What a program itself is told to run: a line, a file, its input, a program of another language.

use std::sync::OnceLock;

use call::Span;
use regex::bytes::Regex;

use super::Judge;
use super::keeping::file_name;
use super::later::{is_make, is_timer, recipes, without_times};
use super::origins::{kind_of, substituted};
use super::state::{is_run_by_others, run_by_git};
use crate::act::program::{Origin, Program, Runs};
use crate::act::shell::{Command, Kind, Manner, Substitution, Word};
use crate::act::{compiled, fetched, program, remote};

impl Judge<'_> {
    /// What is printed into a shell is a line of it: `echo "curl … | sh" | sh`.
    pub(super) fn printed(&mut self, stage: &[Command], next: Option<&Command>, mention: bool, depth: usize) {
        let Some(next) = next.map(Program::of) else { return };
        if !self.is_line() || !matches!(next.runs(), Runs::Input) {
            return;
        }
        for command in stage {
            self.printed_into(command, &next, mention || command.mention, depth);
        }
    }

    fn printed_into(&mut self, command: &Command, next: &Program<'_>, mention: bool, depth: usize) {
        let program = Program::of(command);
        // `cat <<EOF | sh`
        if matches!(program.name(), "cat" | "tee")
            && (program::is_shell(next.name()) || is_timer(next.name()))
        {
            for given in &command.given {
                let lines = given.text.lines().take(64).map(without_times).collect::<Vec<&str>>();
                self.again(&lines.join("\n"), Span::new(given.start, given.end), mention, depth);
            }
        }
        if !matches!(program.name(), "echo" | "printf" | "print") {
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
    pub(super) fn piped(&mut self, program: &Program<'_>, origin: Origin, span: Span, mention: bool) {
        let runs = program.runs();
        let bare = self.setting.manner == Manner::Prose && program::is_shell(program.name());
        let by_xargs = program.by_xargs
            && (program::is_shell(program.name()) || program::is_interpreter(program.name()));
        let is_its_input = |word: &Word| self.is_line() && is_input(word);
        // Their names are words that stand in any table of prose.
        let worded =
            |program: &Program<'_>| program.opens_shell() || matches!(program.name(), "source" | ".");
        let runs_input = match runs {
            Runs::Input => self.is_line() || !worded(program),
            Runs::Code(code) | Runs::Line(code) => {
                by_xargs
                    || runs_its_input(&code.text)
                    || runs_each_line(program, &code.text)
                    || is_its_input(code)
            }
            // `| $(cat)`
            Runs::Nothing if program.words.first().is_some_and(is_its_input) => true,
            // `b{a,}sh`: braces that spell a shell name no file beside it.
            Runs::File(file) => {
                bare || by_xargs || program.words.first().is_some_and(|first| first.start == file.start)
            }
            // `xargs sh -c`: what comes in is the line.
            Runs::Nothing => {
                by_xargs && program::is_shell(program.name()) || self.runners.contains(program.name())
            }
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
    pub(super) fn run(
        &mut self,
        program: &Program<'_>,
        command: &Command,
        span: Span,
        mention: bool,
        depth: usize,
    ) {
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
        let opened = self.is_line() && program.opens_shell();
        let runner = shell || program::is_interpreter(name) || matches!(name, "source" | ".");
        if runner
            && let Some(origin) = arguments.iter().filter_map(program::file_substitution).max()
            && let Some(kind) = kind_of(origin, self.is_line())
        {
            self.report(kind, span, mention);
        }
        // `curl -o f …; source <(sed 1d f)`
        let fetched =
            |inner: &Substitution| inner.kind == Kind::File && self.hands_on_fetched(&inner.commands);
        if runner && self.is_line() && arguments.iter().flat_map(|word| &word.substitutions).any(fetched) {
            self.report("download_to_shell", span, mention);
        }
        // `xargs -a <(curl …) sh -c`
        if program.by_xargs && shell {
            let words = command.words.iter().chain(&command.reads).filter_map(program::file_substitution);
            if words.max() >= Some(Origin::Hidden) {
                self.report("download_to_shell", span, mention);
            }
        }
        // `env -S "bash -c '$(curl …)'"`: the words of a command in one.
        let in_one = |word: &&Word| word.text.starts_with("-S") || word.text == "--split-string";
        if self.is_line()
            && command.words.iter().take(8).any(|word| program::name_of(word) == "env")
            && command.words.iter().take(8).find(in_one).is_some()
            && let Some(line) = command.words.iter().find(|word| word.quoted && word.text.contains(' '))
        {
            if substituted(line) >= Origin::Hidden {
                self.report("download_to_shell", span, mention);
            }
            self.again(&line.text, Span::new(line.start, line.end), mention, depth);
        }
        // `awk "$(curl …)"`, `sed -f <(curl …)`: a program in a language that starts others.
        if self.is_line() && matches!(name, "awk" | "gawk" | "mawk" | "nawk" | "sed" | "gsed") {
            let program = arguments.iter().find(|word| !word.text.starts_with('-'));
            let pairs = arguments.iter().zip(arguments.iter().skip(1));
            let fetched = |file: &Word| {
                program::file_substitution(file) >= Some(Origin::Hidden)
                    || self.files.contains(&file_name(&file.text))
            };
            let by_file = pairs.into_iter().any(|(flag, file)| flag.text == "-f" && fetched(file));
            let by_text = program.is_some_and(|word| {
                word.text.trim_start().starts_with("$()") && substituted(word) >= Origin::Elsewhere
            });
            if by_file || by_text {
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
        // `git config alias.x '!curl … | sh'`
        if name == "git" && arguments.first().is_some_and(|word| word.text == "config") {
            for (name, value) in arguments.iter().zip(arguments.iter().skip(1)) {
                let setting = format!("{}={}", name.text, value.text);
                if let Some(line) = run_by_git(&setting) {
                    self.again(line, Span::new(value.start, value.end), mention, depth);
                }
            }
        }
        // `parallel :::: <(curl …)`
        if name == "parallel"
            && arguments.first().is_some_and(|word| word.text.starts_with("::::"))
            && arguments.iter().filter_map(program::file_substitution).max() >= Some(Origin::Hidden)
        {
            self.report("download_to_shell", span, mention);
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
                    self.remember(fetched::files(&word.text));
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
            Runs::Input if runner || opened || is_timer(name) || is_make(name) => {
                for given in &command.given {
                    if substituted(given) >= Origin::Hidden
                        || given.names.iter().any(|name| self.fetched.contains(name))
                    {
                        self.report("download_to_shell", span, mention);
                    }
                    let place = Span::new(given.start, given.end);
                    if is_make(name) {
                        self.again(&recipes(&given.text), place, mention, depth);
                    } else if shell || opened || is_timer(name) {
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
}

/// `$(cat)`: a word that begins with the input of its command.
fn is_input(word: &Word) -> bool {
    let opens = word.text.trim_start().starts_with("$()");
    let commands = word.substitutions.first().and_then(|inner| inner.commands.first());
    opens && commands.is_some_and(hands_on_input)
}

/// Does this command put out what comes in, changed or not?
fn hands_on_input(command: &Command) -> bool {
    let program = Program::of(command);
    let is_stdin = |word: &Word| matches!(&*word.text, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0");
    let from_elsewhere = !command.given.is_empty() || !command.reads.iter().all(is_stdin);
    let files =
        program.arguments().iter().filter(|word| !word.text.starts_with('-') && !is_stdin(word)).count();
    !from_elsewhere
        && match program.name() {
            "" => !command.reads.is_empty(),
            "cat" | "tac" | "rev" | "nl" | "sort" | "uniq" => files == 0,
            "tee" | "sponge" => true,
            // The first word is what they do.
            "sed" | "awk" | "tr" | "cut" | "head" | "tail" | "jq" | "grep" => files <= 1,
            _ => false,
        }
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

/// `perl -ne 'eval'`: what it loops over is what it runs.
fn runs_each_line(program: &Program<'_>, code: &str) -> bool {
    static RUNS: OnceLock<Option<Regex>> = OnceLock::new();
    let loops = |word: &Word| {
        let flags = word.text.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
        flags.is_some_and(|flags| flags.starts_with(['n', 'p', 'l', 'a', '0']) && flags.contains(['n', 'p']))
    };
    let runs = r"(?:^|[;{\s])(?:eval|system|exec|instance_eval)\s*(?:$|[;}(]|\$_\b)";
    matches!(program.name(), "perl" | "ruby")
        && program.arguments().iter().any(loops)
        && compiled(&RUNS, runs).is_some_and(|runs| runs.is_match(code.as_bytes()))
}

/// A program that fetches another one and runs it: `exec(urlopen(…).read())`, `eval get "…"`.
pub(super) fn fetches_and_runs(code: &str, arguments: &[Word]) -> bool {
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
