//! Does a command install or fetch packages? By meaning: which program, which sub-command.

use super::invocation::{Invocation, base_name};
use super::refused::{INSTALLER_SCRIPTS, INSTALLERS, Installer, MODULE_RUNNERS};
use super::words::Word;
use call::Language;

/// Whether this program, given these arguments, installs something.
pub(super) fn program_installs(program: &str, arguments: &[Word]) -> bool {
    let name = base_name(program);
    // `pip3.11` and `python3.11` are versions of one program.
    let name = name.trim_end_matches(|c: char| c == '.' || c.is_ascii_digit());
    let known = |installer: &&Installer| installer.name == name;
    let installer = INSTALLERS.iter().find(known);
    // Without a word, these two install what the project asks for.
    let bare = matches!(name, "yarn" | "bundle") && arguments.is_empty();
    bare || installer.is_some_and(|installer| has_subcommand(installer, arguments))
}

/// The word at which a runtime turns into an installer: `-m pip install`, `-S gem install`,
/// `setup.py install`, `go run host/module@version`.
pub(super) fn runtime_installs(language: Language, invocation: &Invocation, words: &[Word]) -> Option<usize> {
    if let Some((module, at, first)) = &invocation.module {
        let (module, first) = run_module(module, *first, words);
        let package = module.split('.').next().unwrap_or_default();
        let arguments = words.get(first..).unwrap_or_default();
        return program_installs(package, arguments).then_some(*at);
    }
    let (at, script) = invocation.script.as_ref()?;
    let arguments = words.get(at + 1..).unwrap_or_default();
    let name = base_name(script);
    let fetches = language == Language::Go && script.contains('@');
    let disguised = INSTALLER_SCRIPTS.iter().find(|installer| installer.name == name);
    let disguised = disguised.is_some_and(|installer| has_subcommand(installer, arguments));
    let plain = !name.contains('.') && program_installs(name, arguments);
    // A file of an installer's own, wherever that lies: `…/pip/__main__.py`, `…/npm/lib/cli.js`.
    let folders = script.rsplit('/').skip(1);
    let inside = folders.into_iter().any(|folder| program_installs(folder, arguments));
    (fetches || disguised || plain || inside).then_some(*at)
}

fn has_subcommand(installer: &Installer, arguments: &[Word]) -> bool {
    installer.subcommands.is_empty()
        || arguments.iter().any(|word| installer.subcommands.contains(&word.text.as_str()))
}

/// The module that is run in the end, where one module runs another, and its first argument.
fn run_module(module: &str, first: usize, words: &[Word]) -> (String, usize) {
    let mut module = module.to_owned();
    let mut first = first;
    while MODULE_RUNNERS.contains(&module.split('.').next().unwrap_or_default()) {
        let mut rest = words.iter().enumerate().skip(first);
        let inner = if module == "runpy" {
            rest.find(|(_, word)| !word.text.starts_with('-')).map(|(at, word)| (word.text.clone(), at + 1))
        } else {
            rest.find_map(|(at, word)| match word.text.strip_prefix("-m") {
                Some("") => words.get(at + 1).map(|word| (word.text.clone(), at + 2)),
                Some(attached) => Some((attached.to_owned(), at + 1)),
                None => None,
            })
        };
        match inner {
            Some(inner) => (module, first) = inner,
            None => break,
        }
    }
    (module, first)
}
