//! Lines that make a shell run what somebody else wrote.
//!
//! Judged by what is tied to what and not by how a line is spelled: the output of a program goes
//! into something that runs its input. A download, something decoded, or (in a line that is meant to
//! be run) the output of any program. What is only text to its command (`grep "curl x | sh"`) is a
//! mention.

mod functions;
mod group;
mod keeping;
mod later;
mod origins;
mod running;
mod spelled;
mod state;
mod unpacked;

use std::collections::BTreeSet;

use call::{Family, Span};

use crate::act::program::{Origin, Program, Runs};
use crate::act::shell::{Command, Manner, Script, Word};
use crate::act::{Act, Setting, Strings, program, shell};
use group::Group;
pub(super) use keeping::file_name;
pub(super) use origins::is_order;
use origins::prose_origin;
pub(super) use spelled::{spelled, spelling_words};

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
    let runners = match setting.manner {
        Manner::Line => functions::that_run_their_input(&script.commands),
        Manner::Prose => BTreeSet::new(),
    };
    let mut judge = Judge {
        setting,
        found,
        fetched,
        files,
        runners,
        unpacked,
        input_fetched: false,
        loop_fed: false,
        left: 0,
    };
    let length = span.end.saturating_sub(span.start);
    // Lines that people write are far shorter than this; what is longer is put back about once.
    judge.left = length.saturating_mul(4).min(length.max(262_144)).saturating_add(4_096);
    judge.list(&script.commands, None, false, 0);
    !judge.files.is_empty() || !judge.fetched.is_empty()
}

struct Judge<'f> {
    setting: Setting,
    found: &'f mut Vec<Act>,
    // Variables that hold what was fetched or decoded.
    fetched: BTreeSet<String>,
    // Files that hold such a thing, or a line that runs one; by the last part of their names.
    files: BTreeSet<String>,
    // Functions that hand their input to a shell.
    runners: BTreeSet<String>,
    // An archive was fetched and unpacked, and into which folder.
    unpacked: Option<String>,
    // From here on the input of everything is something that was fetched: `exec < <(curl …)`.
    input_fetched: bool,
    // A loop of this list reads something fetched: `while read …; done < <(curl …)`.
    loop_fed: bool,
    // How much may still be put back into the texts of words, so that what nests is not read again and again.
    left: usize,
}

/// What leads into a command through a pipe.
#[derive(Clone, Copy)]
struct Source {
    origin: Origin,
    start: usize,
}

impl Judge<'_> {
    fn report(&mut self, kind: &'static str, span: Span, mention: bool) {
        self.found.push(Act { family: Family::Injection, kind, span, mention });
    }

    fn is_line(&self) -> bool {
        self.setting.manner == Manner::Line
    }

    /// Judges commands in their order. `input` is what those read that have no other input.
    fn list(&mut self, commands: &[Command], input: Option<Source>, mention: bool, depth: usize) {
        let fed = self.is_line() && commands.iter().any(is_fed_loop);
        let loop_fed = std::mem::replace(&mut self.loop_fed, fed);
        let mut source = input;
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
            if !command.piped {
                source = input;
                continue;
            }
            // What closes a group speaks for what stands in front of it.
            let group =
                command.words.first().is_some_and(|word| matches!(&*word.text, "}" | "done" | "fi" | "esac"));
            let from = if group { place.saturating_sub(16) } else { place };
            let stage = commands.get(from..=place).unwrap_or_default();
            self.printed(stage, commands.get(place + 1), mention, depth);
            let origin = if self.is_line() { program::origin(stage) } else { prose_origin(stage) };
            let reads_fetched = self.is_line()
                && (self.hands_on_fetched(stage)
                    || stage
                        .iter()
                        .any(|command| self.reads_fetched(command) || self.prints_fetched(command)));
            let origin = if reads_fetched { Origin::Elsewhere } else { origin };
            let start = stage.iter().map(|command| command.span().start).min().unwrap_or_default();
            source = Some(match source {
                Some(source) => Source { origin: source.origin.max(origin), ..source },
                None => Source { origin, start },
            });
        }
        self.loop_fed = loop_fed;
    }

    fn command(&mut self, command: &Command, source: Option<Source>, mention: bool, depth: usize) {
        let program = Program::of(command);
        let own = command.span();
        let span = Span::new(source.map_or(own.start, |source| source.start.min(own.start)), own.end);
        if let Some(source) = source {
            self.piped(&program, source.origin, span, mention);
            self.fed_line(&program, source, mention, depth);
        }
        self.run(&program, command, span, mention, depth);
        if self.is_line() {
            self.shell_state(&program, command, source, span, mention, depth);
        }
        self.sink(command, source, span, mention);
        self.keep(&program, command, source, mention);
        self.unpack(&program, source, span, mention);
        self.starting_files(&program, command, mention, depth);
        let direct = self.found.len();
        self.inside(&program, command, mention, depth);
        // A line that is written to a file is run when the file is.
        if self.found.len() > direct {
            self.remember(command.writes.iter().map(|word| file_name(&word.text)));
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
                    self.list(&plain.collect::<Vec<_>>(), None, mention, depth);
                } else {
                    self.list(&inner.commands, None, mention, depth);
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
            self.again_with(word, mention || only_text, depth);
        }
    }

    /// Reads the text of a word inside the text. What the word puts in stands in it as `$()`, and is put back:
    /// `system("bash -c \"$(curl …)\"")` is read by a shell once more.
    fn again_with(&mut self, word: &Word, mention: bool, depth: usize) {
        let span = Span::new(word.start, word.end);
        let inner = word.substitutions.iter().flat_map(|inner| &inner.commands).map(Command::span);
        let size = word.text.len() + inner.map(|span| span.end - span.start).sum::<usize>();
        let left = self.left.checked_sub(size).filter(|_| self.is_line() && depth < DEEPEST);
        let Some(left) = left.filter(|_| !word.substitutions.is_empty()) else {
            self.again(&word.text, span, mention, depth);
            return;
        };
        self.left = left;
        let mut script = shell::read(&word.text, 0, self.setting.manner);
        script.put_back(&word.substitutions);
        self.listed(&script, None, span, mention, depth);
    }

    /// The line that a shell is given beside its input, which is the input of every command of the line:
    /// `curl … | bash -c '$(cat)'`.
    fn fed_line(&mut self, program: &Program<'_>, source: Source, mention: bool, depth: usize) {
        let word = match program.runs() {
            Runs::Line(word) => Some(word),
            // `… | ssh host 'bash -s'`: a line in the place of a program.
            Runs::Nothing => program.words.first().filter(|word| word.quoted && word.text.contains(' ')),
            Runs::Input | Runs::File(_) | Runs::Code(_) => None,
        };
        let Some(word) = word else { return };
        let fed = self.is_line() && !program.by_xargs && source.origin > Origin::Here && depth < DEEPEST;
        let Some(left) = self.left.checked_sub(word.text.len()).filter(|_| fed) else { return };
        self.left = left;
        let script = shell::read(&word.text, 0, self.setting.manner);
        self.listed(&script, Some(source), Span::new(word.start, word.end), mention, depth);
    }

    /// Reads a text inside the text.
    fn again(&mut self, text: &str, span: Span, mention: bool, depth: usize) {
        if depth >= DEEPEST || !worth_reading(text) {
            return;
        }
        let script = shell::read(text, 0, self.setting.manner);
        self.listed(&script, None, span, mention, depth);
    }

    fn listed(&mut self, script: &Script, input: Option<Source>, span: Span, mention: bool, depth: usize) {
        let from = self.found.len();
        self.list(&script.commands, input, mention, depth + 1);
        for act in self.found.iter_mut().skip(from) {
            act.span = span;
        }
    }
}

/// `done < <(curl …)`: the end of a loop that reads something fetched.
fn is_fed_loop(command: &Command) -> bool {
    command.words.first().is_some_and(|word| word.text == "done")
        && command.reads.iter().filter_map(program::file_substitution).max() >= Some(Origin::Hidden)
}

/// Could a shell do anything with it but run one harmless program?
fn worth_reading(text: &str) -> bool {
    text.contains(['|', '$', '`', '<', ';', '&', '>', '\n']) || text.contains("eval")
}
