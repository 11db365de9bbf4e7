//! What the words of a command mean: program, options, paths.

use call::Span;

use super::installs::{program_installs, runtime_installs};
use super::invocation::{self, Invocation, base_name};
use super::paths::{self, Reading, Trouble};
use super::programs::{PROGRAM_FOLDERS, RUNTIMES, Runtime};
use super::refused::{PRIVILEGES, SHELL_MODULES, SHELLS, WRAPPERS, is_loader};
use super::words::Word;
use crate::fields::listed;
use crate::findings::Findings;
use crate::path::{is_below, normalise};
use crate::rules;
use crate::text::quoted;
use call::Language;

/// Judges the program and every word behind it.
pub(super) fn judge(words: &[Word], language: Option<Language>, inputs: &[&str], findings: &mut Findings) {
    let Some(program) = words.first() else { return };
    let runtime = invocation::runtime(&program.text, language);
    let invocation = match runtime {
        Some(runtime) => {
            let invocation = invocation::read(runtime, words);
            judge_runtime(runtime, &invocation, words, findings);
            invocation
        }
        None => {
            refuse_program(words, language, findings);
            invocation::runtime(&program.text, None)
                .map_or_else(Invocation::default, |r| invocation::read(r, words))
        }
    };
    let context = Context { runtime, invocation: &invocation, inputs };
    for (index, word) in words.iter().enumerate().skip(1) {
        context.judge_word(index, word, findings);
    }
    if runtime.is_none() {
        context.judge_path(program, 0, &program.text, Reading::Argument, findings);
    }
}

/// Says why the program is not one of the declared language, in the most telling way there is.
fn refuse_program(words: &[Word], language: Option<Language>, findings: &mut Findings) {
    let mut rest = words;
    if let Some(word) = rest.first().filter(|word| is_assignment(word)) {
        let message = format!("the command begins with an assignment, {}", quoted(&word.text));
        let hint = "begin with the program; variables of the environment cannot be set";
        findings.advise(&rules::COMMAND_ASSIGNMENT, word.span(), message, hint);
        rest = skip_to_program(words);
    }
    // A wrapper is refused for what it is, and then for what it would start, however deep.
    let mut wrapped = false;
    while let Some((program, arguments)) = rest.split_first() {
        let name = base_name(&program.text).to_lowercase();
        let name = name.strip_suffix(".exe").unwrap_or(&name);
        if is_shell(name) {
            let message = format!("the program {} is a shell", quoted(&program.text));
            let hint = choices(language);
            findings.advise(&rules::COMMAND_SHELL, program.span(), message, hint);
            return;
        }
        if program_installs(name, arguments) {
            report_install(program, findings);
            return;
        }
        if !(WRAPPERS.contains(&name) || is_loader(name)) {
            break;
        }
        let message = format!("the program {} starts another program", quoted(&program.text));
        findings.advise(&rules::COMMAND_WRAPPER, program.span(), message, choices(language));
        wrapped = true;
        rest = skip_to_program(arguments);
    }
    let Some(program) = words.first().filter(|word| !wrapped && !is_assignment(word)) else {
        return;
    };
    let Some(language) = language else { return };
    let message = format!("the program {} does not belong to `{}`", quoted(&program.text), language.as_str());
    findings.advise(&rules::COMMAND_PROGRAM, program.span(), message, choices(Some(language)));
}

/// What the runtime itself is asked to do.
fn judge_runtime(runtime: &Runtime, invocation: &Invocation, words: &[Word], findings: &mut Findings) {
    let runs = words.get(1).is_some_and(|word| word.text == "run");
    if runtime.language == Language::Go && !runs {
        let (program, arguments) = match words.split_first() {
            Some(split) => split,
            None => return,
        };
        if program_installs("go", arguments) {
            report_install(program, findings);
        } else {
            let message = "the program `go` is used for something else than `go run`";
            findings.advise(&rules::COMMAND_PROGRAM, program.span(), message, choices(Some(Language::Go)));
        }
    }
    if let Some((index, script)) = &invocation.script
        && invocation.searched
        && let Some(word) = words.get(*index)
    {
        refuse_searched(script, word, findings);
    }
    if let Some((module, index, _)) = &invocation.module
        && SHELL_MODULES.contains(&module.split('.').next().unwrap_or_default())
        && let Some(word) = words.get(*index)
    {
        let message = format!("the module {} is a shell", quoted(module));
        findings.advise(&rules::COMMAND_SHELL, word.span(), message, "run a module that is a program");
    }
    for word in invocation.starts.iter().filter_map(|index| words.get(*index)) {
        let message = format!("an option makes the program start another one, {}", quoted(&word.text));
        findings.advise(&rules::COMMAND_WRAPPER, word.span(), message, "run the program itself");
    }
    if let Some(word) = runtime_installs(runtime.language, invocation, words).and_then(|at| words.get(at)) {
        report_install(word, findings);
    }
}

/// A script that is looked up where programs are found may be any program.
fn refuse_searched(script: &str, word: &Word, findings: &mut Findings) {
    let name = base_name(script);
    if is_shell(name) {
        let message = format!("the program {} is a shell", quoted(script));
        findings.advise(&rules::COMMAND_SHELL, word.span(), message, "name a script of yours");
    } else if WRAPPERS.contains(&name) {
        let message = format!("the program {} starts another program", quoted(script));
        findings.advise(&rules::COMMAND_WRAPPER, word.span(), message, "name a script of yours");
    }
}

fn report_install(word: &Word, findings: &mut Findings) {
    let message = format!("the command installs or fetches packages with {}", quoted(&word.text));
    let hint = "use what the runtime has, or declare the files as inputs";
    findings.advise(&rules::COMMAND_INSTALL, word.span(), message, hint);
}

/// What a word is judged against.
struct Context<'a> {
    runtime: Option<&'static Runtime>,
    invocation: &'a Invocation,
    inputs: &'a [&'a str],
}

impl Context<'_> {
    fn judge_word(&self, index: usize, word: &Word, findings: &mut Findings) {
        let name = word.text.split_once('=').map_or(word.text.as_str(), |(name, _)| name);
        if word.text.starts_with("--") && PRIVILEGES.iter().any(|flag| *flag == name || *flag == word.text) {
            let message = format!("the option {} asks for privileges", quoted(&word.text));
            findings.add(&rules::COMMAND_DEVICE, word.span(), message);
        }
        if let Some((_, offset)) = self.invocation.code.iter().find(|(at, _)| *at == index) {
            let code = word.text.get(*offset..).unwrap_or_default();
            self.judge_path(word, *offset, code, Reading::Code, findings);
            return;
        }
        if self.module_word() == Some(index) {
            return;
        }
        let is_text = |c: char| {
            c.is_whitespace() || matches!(c, '\'' | '"' | '{' | '}' | '[' | ']' | '(' | ')' | '<' | '>')
        };
        let behind = word.text.get(paths::name_length(&word.text)..).unwrap_or_default();
        let reading = if behind.contains(is_text) { Reading::Text } else { Reading::Argument };
        self.judge_path(word, 0, &word.text, reading, findings);
        if reading == Reading::Argument {
            self.judge_tilde(word, findings);
            self.judge_declared(index, word, findings);
        }
    }

    fn module_word(&self) -> Option<usize> {
        self.invocation.module.as_ref().map(|(_, at, _)| *at)
    }

    /// Reports the first path of each kind of trouble in a word.
    fn judge_path(&self, word: &Word, offset: usize, text: &str, reading: Reading, findings: &mut Findings) {
        let mut seen: Vec<Trouble> = Vec::new();
        for token in paths::tokens(text, reading) {
            let option_value = text.get(..token.at).is_some_and(|before| before.ends_with('='));
            let alone = token.path.len() == text.len() || option_value;
            // What an argument or an option's value begins with is a path, whatever follows.
            let leads =
                token.at == 0 || option_value && !text.get(..token.at).is_some_and(|b| b.contains(' '));
            let reading = if leads && reading == Reading::Text { Reading::Argument } else { reading };
            // In quotes, a lone sign is a separator or the like.
            let is_sign = matches!(token.path, "/" | "~") && word.bare < word.text.len();
            if is_sign {
                continue;
            }
            let own = |place: &str| self.runtime.is_some_and(|runtime| is_own(runtime, place));
            let Some(trouble) = paths::trouble(token.path, reading, alone, own) else {
                continue;
            };
            if seen.contains(&trouble) {
                continue;
            }
            seen.push(trouble);
            let path = quoted(token.path);
            let span = place_in(word, offset + token.at, token.path.len());
            let hint = "inputs lie in `/in`, outputs go to `/out`";
            match trouble {
                Trouble::Host => {
                    let message = format!("the path {path} lies outside `/in` and `/out`");
                    findings.advise(&rules::COMMAND_HOST_PATH, span, message, hint);
                }
                Trouble::Device => {
                    findings.add(&rules::COMMAND_DEVICE, span, format!("the path {path} is a device"));
                }
                Trouble::Parent => {
                    let message = format!("the path {path} has a `..` component");
                    findings.advise(&rules::COMMAND_PARENT_PATH, span, message, hint);
                }
            }
        }
    }

    /// An unquoted `~` in front of a word: a user's home where that can be a user, else a mere sign.
    fn judge_tilde(&self, word: &Word, findings: &mut Findings) {
        let Some(rest) = word.text.strip_prefix('~').filter(|_| word.bare > 0) else {
            return;
        };
        // With a `/` behind it, it is a path like any other.
        if rest.contains('/') {
            return;
        }
        let user = rest;
        let is_user = user.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && user
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte));
        if is_user || matches!(user, "+" | "-") {
            let message = format!("the path {} lies in a user's home", quoted(&word.text));
            let hint = "inputs lie in `/in`, outputs go to `/out`";
            findings.advise(&rules::COMMAND_HOST_PATH, word.span(), message, hint);
        } else if !user.is_empty() {
            let message = "`~` is not quoted, and no shell expands this";
            findings.advise(&rules::COMMAND_PATTERN, word.span(), message, "quote it");
        }
    }

    /// Warns of a file that is neither declared nor an output. The working directory is `/in`.
    fn judge_declared(&self, index: usize, word: &Word, findings: &mut Findings) {
        let is_script = self.invocation.script.as_ref().is_some_and(|(at, _)| *at == index);
        let value = word.text.rsplit_once('=').map_or(word.text.as_str(), |(_, value)| value);
        // A package pattern of Go, such as `./...`, is a script to Go and no file to us.
        let is_go = self.runtime.is_some_and(|runtime| runtime.language == Language::Go);
        let names_file = is_script && !is_go || looks_like_file(value);
        if !names_file {
            return;
        }
        let place = normalise(value, "/in");
        if !is_below(&place, "/in") {
            return;
        }
        let outside =
            value.contains("://") || value.starts_with(['-', '~']) || value.split('/').any(|c| c == "..");
        if outside {
            return;
        }
        let name = place.strip_prefix("/in/").unwrap_or_default();
        if !self.inputs.contains(&name) {
            let message = format!("{} is not a declared input", quoted(value));
            let hint = "declare the file under `inputs` if the program reads it";
            findings.advise(&rules::COMMAND_UNDECLARED, word.span(), message, hint);
        }
    }
}

/// A path below `/in`, or a name with an extension.
fn looks_like_file(value: &str) -> bool {
    let extension = value.rsplit_once('.').map(|(stem, extension)| (stem, extension.as_bytes()));
    let named = extension.is_some_and(|(stem, extension)| {
        let stem_is_name = stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-/.".contains(&byte));
        let short = (1..=5).contains(&extension.len()) && extension.iter().all(u8::is_ascii_alphanumeric);
        let lettered = extension.first().is_some_and(u8::is_ascii_alphabetic);
        !stem.is_empty() && stem_is_name && short && lettered
    });
    named || value.starts_with("/in/")
}

/// A runtime's own program and library.
fn is_own(runtime: &Runtime, place: &str) -> bool {
    let program = PROGRAM_FOLDERS.iter().any(|folder| place.starts_with(folder))
        && invocation::runtime(place, Some(runtime.language)).is_some();
    let library = runtime.library.iter().any(|(parent, name)| {
        let inside = place.strip_prefix(parent).and_then(|rest| rest.strip_prefix('/'));
        inside.is_some_and(|rest| rest.starts_with(name))
    });
    program || library
}

/// Where a stretch of a word's text stands; the whole word where quotes moved things.
fn place_in(word: &Word, at: usize, length: usize) -> Span {
    if word.bare >= at + length || word.end - word.start == word.text.len() {
        Span::new(word.start + at, word.start + at + length)
    } else {
        word.span()
    }
}

fn is_assignment(word: &Word) -> bool {
    let Some((name, _)) = word.text.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    word.bare > name.len()
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The words from the program that a wrapper starts: options, their numbers and assignments are skipped.
fn skip_to_program(words: &[Word]) -> &[Word] {
    let skipped = words.iter().position(|word| {
        let number = word.text.trim_end_matches(['s', 'm', 'h', 'd', '%']);
        let is_number =
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        !(word.text.starts_with('-') || is_assignment(word) || is_number)
    });
    skipped.and_then(|at| words.get(at..)).unwrap_or_default()
}

pub(super) fn is_shell(name: &str) -> bool {
    let version = name.trim_end_matches(|c: char| c == '.' || c == '-' || c.is_ascii_digit());
    SHELLS.contains(&name) || SHELLS.contains(&version)
}

/// Which programs a language has.
fn choices(language: Option<Language>) -> String {
    let runtime = RUNTIMES.iter().find(|runtime| Some(runtime.language) == language);
    match runtime {
        None => "use a runtime of the declared language".to_owned(),
        Some(runtime) if runtime.language == Language::Go => "use `go run`".to_owned(),
        Some(runtime) if runtime.language == Language::Python => {
            "use `python`, `python3` or `python3.N`".to_owned()
        }
        Some(runtime) => format!("use {}", listed(runtime.programs)),
    }
}
