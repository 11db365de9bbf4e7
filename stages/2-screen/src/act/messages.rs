//! Messages of commits: what git is given to keep as text, and never opens.
//!
//! A path in one is spoken of: "Fix path traversal (../../etc/passwd) in unzip". Only what `-m` is given counts, and
//! only if no shell would put anything into it.

use call::{Family, Span};

use super::program::Program;
use super::{Act, shell};

/// Marks the paths that stand in messages of commits as spoken of.
pub(super) fn mark(script: &shell::Script, found: &mut [Act]) {
    if !found.iter().any(|act| act.family == Family::Traversal) {
        return;
    }
    let messages: Vec<Span> = script.commands.iter().flat_map(of).collect();
    for act in found.iter_mut().filter(|act| act.family == Family::Traversal) {
        act.mention |=
            messages.iter().any(|message| message.start <= act.span.start && act.span.end <= message.end);
    }
}

/// The messages that a command gives to git.
fn of(command: &shell::Command) -> Vec<Span> {
    let program = Program::of(command);
    let mut arguments = program.arguments();
    while let [option, _, rest @ ..] = arguments
        && option.text == "-C"
    {
        arguments = rest;
    }
    let commits = arguments.first().is_some_and(|word| matches!(&*word.text, "commit" | "tag"));
    if program.name() != "git" || !commits {
        return Vec::new();
    }
    let told = |option: &shell::Word| matches!(&*option.text, "-m" | "-am" | "--message");
    let behind = arguments.iter().zip(arguments.iter().skip(1));
    let behind = behind.filter(|(option, _)| told(option)).map(|(_, word)| word);
    let inside = arguments.iter().filter(|word| word.text.starts_with("--message="));
    let plain = |word: &&shell::Word| {
        let bare = word.substitutions.is_empty() && !word.text.contains(['$', '`']);
        // A path alone is no message.
        word.quoted && bare && word.text.split_whitespace().count() >= 3
    };
    behind.chain(inside).filter(plain).map(|word| Span::new(word.start, word.end)).collect()
}
