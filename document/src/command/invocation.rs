//! How a runtime reads its own command line: which word is code, which is the script.

use super::programs::{PROGRAM_FOLDERS, RUNTIMES, Runtime, Takes};
use super::words::Word;
use call::Language;

/// A command line as its runtime understands it.
#[derive(Debug, Default)]
pub(super) struct Invocation {
    /// Inline code: index of the word, and where in its text the code begins.
    pub(super) code: Vec<(usize, usize)>,
    /// Index of the word that names the script, and how its name reads.
    pub(super) script: Option<(usize, String)>,
    /// Whether the script is looked up where programs are found.
    pub(super) searched: bool,
    /// The module of `python -m`, its word, and the index of its first argument.
    pub(super) module: Option<(String, usize, usize)>,
    /// Words that make the runtime start another program.
    pub(super) starts: Vec<usize>,
}

/// The file name of a program, wherever it lies.
pub(super) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// The runtime that a program starts, if it is one of `language`, or of any language where none is
/// given.
pub(super) fn runtime(program: &str, language: Option<Language>) -> Option<&'static Runtime> {
    let bare = PROGRAM_FOLDERS.iter().find_map(|folder| program.strip_prefix(folder)).unwrap_or(program);
    let version = bare.strip_prefix("python3.");
    let plain = version.is_some_and(|digits| {
        (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    let bare = if plain { "python3" } else { bare };
    RUNTIMES
        .iter()
        .filter(|runtime| language.is_none_or(|language| runtime.language == language))
        .find(|runtime| runtime.programs.contains(&bare))
}

/// Reads the words behind the program.
pub(super) fn read(runtime: &Runtime, words: &[Word]) -> Invocation {
    let mut invocation = Invocation::default();
    let first = if runtime.language == Language::Go { 2 } else { 1 };
    let mut index = first;
    while let Some(word) = words.get(index) {
        let text = word.text.as_str();
        if text == "--" {
            index += 1;
            break;
        }
        if !text.starts_with('-') || text == "-" {
            break;
        }
        let (takes, value) = option(runtime, text);
        let Some(takes) = takes else {
            index += 1;
            continue;
        };
        let (at, offset) = match value {
            Some(offset) => (index, offset),
            None => (index + 1, 0),
        };
        index = at + 1;
        let value = words.get(at).and_then(|word| word.text.get(offset..)).unwrap_or_default();
        match takes {
            Takes::Code => invocation.code.push((at, offset)),
            Takes::Program => invocation.starts.push(at.min(words.len().saturating_sub(1))),
            Takes::Value => {}
            Takes::Script => {
                invocation.searched = true;
                invocation.script = Some((at, value.to_owned()));
            }
            Takes::Module => invocation.module = Some((value.to_owned(), at, at + 1)),
        }
        // Behind its code or module, Python hands every word on to the program.
        let ends = runtime.language == Language::Python && takes == Takes::Code;
        if ends || matches!(takes, Takes::Module | Takes::Script) {
            return invocation;
        }
    }
    if invocation.code.is_empty() {
        invocation.script = words.get(index).map(|word| (index, word.text.clone()));
    }
    invocation
}

/// What an option takes, and where its value begins when that stands in the same word.
fn option(runtime: &Runtime, text: &str) -> (Option<Takes>, Option<usize>) {
    let takes = |name: &str| {
        let spelt = |option: &&(&str, Takes)| {
            // Go reads `-exec` and `--exec` alike.
            option.0 == name || runtime.language == Language::Go && name.strip_prefix('-') == Some(option.0)
        };
        runtime.options.iter().find(spelt).map(|(_, takes)| *takes)
    };
    if let Some(found) = takes(text) {
        return (Some(found), None);
    }
    if let Some((name, _)) = text.split_once('=')
        && let Some(found) = takes(name)
    {
        return (Some(found), Some(name.len() + 1));
    }
    if runtime.clusters && !text.starts_with("--") {
        for (at, letter) in text.char_indices().skip(1) {
            if let Some(found) = takes(&format!("-{letter}")) {
                let behind = at + letter.len_utf8();
                return (Some(found), (behind < text.len()).then_some(behind));
            }
        }
    }
    (None, None)
}
