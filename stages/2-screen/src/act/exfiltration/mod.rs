//! Lines that read secrets and print or send them.
//!
//! Reading a secret is ordinary work, and so is giving it to the service it belongs to, in the
//! header that is made for it. Printing it, or putting it into an address or a body, is not.

mod environment;
mod holding;
mod reading;
mod searched;
mod sending;
mod showing;
mod shown_files;

use std::collections::BTreeSet;

use call::{Family, Span};

use crate::act::names::{is_secret, is_secret_file};
use crate::act::program::{Program, Runs};
use crate::act::shell::{Command, Manner, Script, Word};
use crate::act::{Act, Setting, Strings, operands, program, shell, source, vaults};
use environment::{
    ends_with_environment, is_environment, lists_names, prints_a_variable, substitutes_environment,
};
use holding::STAGED;
pub(super) use searched::words;
use sending::{git_leads_out, is_ordinary_word, is_sender, logs_in};
use showing::{compares_quietly, dumps, filters, is_printer, shows, tells_of_others};
use shown_files::{edits_by_input, is_reader, is_screen, names_secret_files, prints_arguments, prints_edits};

const DEEPEST: usize = 4;

/// All such lines in `script`.
///
/// Says whether a variable or a file holds a secret, which lines elsewhere may show.
pub(super) fn find(script: &Script, setting: Setting, found: &mut Vec<Act>) -> bool {
    let mut judge = Judge { setting, found, held: BTreeSet::new(), files: BTreeSet::new() };
    judge.list(&script.commands, false, 0);
    !judge.held.is_empty() || !judge.files.is_empty()
}

struct Judge<'f> {
    setting: Setting,
    found: &'f mut Vec<Act>,
    // Variables that hold what was read from a place of secrets.
    held: BTreeSet<String>,
    // Files that such a thing was written to; by the last part of their names.
    files: BTreeSet<String>,
}

/// What comes through a pipe.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Source {
    secret: bool,
    // The whole environment: ordinary to talk of, not to send.
    environment: bool,
    // Names of variables, one to a line.
    names: bool,
    // A text that names secrets where they would be put in.
    template: bool,
    // Names of files of secrets, one to a line.
    paths: bool,
    start: usize,
}

impl Judge<'_> {
    fn report(&mut self, kind: &'static str, span: Span, mention: bool) {
        self.found.push(Act { family: Family::Exfiltration, kind, span, mention });
    }

    fn list(&mut self, commands: &[Command], mention: bool, depth: usize) {
        let mut source: Option<Source> = None;
        let mut edits = false;
        // `while read …; done < <(env)`
        let feeds = |word: &Word| {
            self.substitutes_secret(word) || substitutes_environment(word) || is_secret_file(&word.text)
        };
        let fed = commands.iter().any(|command| {
            command.words.first().is_some_and(|word| word.text == "done")
                && command.reads.iter().chain(&command.given).any(feeds)
        });
        for command in commands {
            let mention = mention || command.mention;
            let program = Program::of(command);
            let own = command.span();
            let span = Span::new(source.map_or(own.start, |source| source.start.min(own.start)), own.end);
            let edited = std::mem::take(&mut edits) && edits_by_input(command, &program);
            edits = command.piped && prints_edits(&program);
            let own_secret = !edited && self.reads_secret(command, &program);
            let passes = |came: fn(Source) -> bool| source.is_some_and(came) && !filters(&program);
            let secret = own_secret || passes(|source| source.secret);
            let ordered = self.setting.manner == Manner::Prose && ends_with_environment(command);
            let environment = ordered || is_environment(&program) || passes(|source| source.environment);
            if let Some(kind) = self.judge(command, &program, source, own_secret) {
                self.report(kind, span, mention);
            }
            for word in &command.words {
                let put_in = self.substitutes_secret(word) || substitutes_environment(word);
                let assigned = word.text.split_once('=').filter(|_| put_in);
                self.held.extend(assigned.map(|(name, _)| name.to_owned()));
            }
            let all = Source {
                secret: true,
                environment: true,
                names: true,
                template: false,
                paths: false,
                start: own.start,
            };
            self.hold(command, &program, source.or(fed.then_some(all)));
            self.keep(command, &program, secret || environment);
            self.inside(command, &program, mention, depth);
            let names = lists_names(command) || passes(|source| source.names);
            let template = command.piped
                && (source.is_some_and(|source| source.template)
                    || (is_printer(program.name()) && program.arguments().iter().any(names_secret)));
            let paths = names_secret_files(&program) || passes(|source| source.paths);
            source = command.piped.then_some(Source {
                secret,
                environment,
                names,
                template,
                paths,
                start: span.start,
            });
        }
    }

    fn judge(
        &self,
        command: &Command,
        program: &Program<'_>,
        source: Option<Source>,
        secret: bool,
    ) -> Option<&'static str> {
        let name = program.name();
        let arguments = program.arguments();
        if name == "git" && self.files.contains(STAGED) && arguments.iter().any(|word| word.text == "push") {
            return Some("secret_sent");
        }
        let to_server = || arguments.first().is_some_and(|word| word.text == "s_client");
        let sends = is_sender(name) && (name != "git" || git_leads_out(arguments))
            || (name == "openssl" && to_server());
        // In prose the names of some senders are words like others.
        let truly_sends = sends && (self.setting.manner == Manner::Line || !is_ordinary_word(name));
        let addressed = arguments.iter().any(|word| word.text.contains(['.', ':', '-', '@', '/']));
        if source.is_some_and(|source| source.environment) && truly_sends && addressed {
            return Some("secret_sent");
        }
        // Secrets come in by a pipe.
        if source.is_some_and(|source| source.secret) {
            if sends && !logs_in(arguments) {
                return Some("secret_sent");
            }
            let shown =
                (shows(name) && !filters(program)) || prints_arguments(program) || prints_input(program);
            if !command.piped && command.writes.iter().all(is_screen) && shown {
                return Some("secret_printed");
            }
        }
        // `find . -name .env | xargs cat`
        if source.is_some_and(|source| source.paths)
            && program.by_xargs
            && is_reader(name)
            && !compares_quietly(name, arguments)
            && !command.piped
            && dumps(name, arguments, command)
        {
            return Some("secret_printed");
        }
        if self.setting.manner == Manner::Line && secret && is_fetching_a_file(name, arguments) {
            return Some("secret_printed");
        }
        // `envsubst <<< '$API_KEY'`
        if name == "envsubst"
            && !command.piped
            && command.writes.is_empty()
            && (command.given.iter().any(names_secret) || source.is_some_and(|source| source.template))
        {
            return Some("secret_printed");
        }
        // Nothing takes it up, so it is printed.
        let printed = !command.piped || self.setting.manner == Manner::Prose;
        if vaults::tells(name, arguments) && printed && command.writes.is_empty() {
            return Some("secret_printed");
        }
        if sends {
            return self.sends_secret(command, name, arguments).then_some("secret_sent");
        }
        if self.setting.manner == Manner::Line && secret && printed && dumps(name, arguments, command) {
            return Some("secret_printed");
        }
        let given =
            (shows(name) || is_printer(name)) && command.given.iter().any(|word| self.shows_secret(word));
        if given && printed && command.writes.iter().all(is_screen) {
            return Some("secret_printed");
        }
        if is_printer(name) && arguments.iter().any(|word| self.shows_secret(word)) {
            // `echo "$TOKEN" | docker login --password-stdin` hands it over where it belongs; the
            // next command is judged for that.
            return (!command.piped).then_some("secret_printed");
        }
        None
    }

    fn inside(&mut self, command: &Command, program: &Program<'_>, mention: bool, depth: usize) {
        // `eval echo \$API_KEY`
        if program.name() == "eval" && self.setting.manner == Manner::Line {
            let line: Vec<&str> = program.arguments().iter().map(|word| &*word.text).collect();
            self.again(&line.join(" "), command.span(), mention, depth);
        }
        match program.runs() {
            Runs::Line(word) => {
                self.beside(command, word, mention, depth);
                // `bash -c 'echo ${!1}' _ API_KEY`
                let behind = operands::behind(program.arguments(), word);
                if let Some(line) = operands::put_in(&word.text, behind) {
                    self.again(&line, Span::new(word.start, word.end), mention, depth);
                }
                self.again(&word.text, Span::new(word.start, word.end), mention, depth);
                if matches!(program.name(), "pwsh" | "powershell") && prints_a_variable(&word.text) {
                    self.report("secret_printed", Span::new(word.start, word.end), mention);
                }
                return;
            }
            Runs::Code(word) => {
                self.beside(command, word, mention, depth);
                let from = self.found.len();
                // `node -p` prints the value of what it is given.
                let prints = matches!(program.name(), "node" | "nodejs" | "bun" | "deno")
                    && program.arguments().iter().any(|flag| matches!(&*flag.text, "-p" | "-pe" | "--print"));
                let code = if prints {
                    format!("console.log({})", word.text.trim_end_matches(';'))
                } else {
                    word.text.clone()
                };
                source::find(&code, 0, self.setting, self.found);
                // ``puts `env` `` starts a program as a shell does.
                let by_signs = matches!(program.name(), "ruby" | "perl" | "php" | "irb");
                if by_signs && word.text.contains('`') {
                    self.again(&word.text, Span::new(word.start, word.end), mention, depth);
                }
                for act in self.found.iter_mut().skip(from) {
                    act.span = Span::new(word.start, word.end);
                    act.mention |= mention;
                }
                return;
            }
            Runs::Input if program::is_shell(program.name()) => {
                for word in &command.given {
                    self.again(&word.text, Span::new(word.start, word.end), mention, depth);
                }
            }
            Runs::Input | Runs::File(_) | Runs::Nothing => {}
        }
        let all = command.words.iter().chain(&command.given);
        let data = program.is_data();
        for word in all {
            self.substituted(word, mention, depth);
            let may_be_line =
                word.quoted && word.text.contains(' ') && word.text.contains(['$', '|', '/', '@', '.']);
            if may_be_line && self.setting.strings == Strings::Run && !is_printer(program.name()) {
                self.again(&word.text, Span::new(word.start, word.end), mention || data, depth);
            }
        }
    }

    /// The words that stand beside the one that is run: a shell works out all of them first.
    fn beside(&mut self, command: &Command, run: &Word, mention: bool, depth: usize) {
        for word in command.words.iter().filter(|word| word.start != run.start) {
            self.substituted(word, mention, depth);
        }
    }

    fn substituted(&mut self, word: &Word, mention: bool, depth: usize) {
        for inner in &word.substitutions {
            // What a substitution prints goes into the word, and the word was judged.
            let nested: Vec<Command> =
                inner.commands.iter().map(|command| Command { piped: true, ..command.clone() }).collect();
            self.list(&nested, mention, depth);
        }
    }

    fn again(&mut self, text: &str, span: Span, mention: bool, depth: usize) {
        if depth >= DEEPEST {
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

/// `curl file:///app/.env`: nothing leaves the machine, and it is shown.
fn is_fetching_a_file(name: &str, arguments: &[Word]) -> bool {
    matches!(name, "curl" | "wget") && arguments.iter().any(|word| word.text.starts_with("file://"))
}

/// `python3 -c 'print(sys.stdin.read())'`, `perl -pe 1`: a program that writes out what comes in.
fn prints_input(program: &Program<'_>) -> bool {
    let Runs::Code(word) = program.runs() else { return false };
    if tells_of_others(&word.text) {
        return false;
    }
    let by_line = matches!(program.name(), "perl" | "ruby")
        && program.arguments().iter().any(|flag| {
            flag.text.starts_with('-') && !flag.text.starts_with("--") && flag.text.contains(['n', 'p'])
        });
    let reads = by_line
        || ["stdin", "STDIN", "gets", "<>", "/dev/fd/0", "fileinput"]
            .iter()
            .any(|read| word.text.contains(read));
    let writes = by_line
        || ["print", "puts", "console.log", "stdout", "echo"].iter().any(|write| word.text.contains(write));
    reads && writes && !["len(", ".length", "count", "hash"].iter().any(|asks| word.text.contains(asks))
}

/// A text in which `envsubst` would put a secret.
fn names_secret(word: &Word) -> bool {
    shell::names_in(&word.text).iter().any(|name| is_secret(name))
}
