//! Where a line puts a secret: variables that loops and readers fill, files that it is written or copied to.

use super::environment::{lists_names, substitutes_environment};
use super::{Judge, Source};
use crate::act::injection;
use crate::act::names::is_secret;
use crate::act::program::Program;
use crate::act::shell::{Command, Word};

/// Stands among the files for what git was told to take along. No file has a name like this.
pub(super) const STAGED: &str = "/";

impl Judge<'_> {
    /// Remembers the variables that a loop or a reader puts secrets or their names into.
    pub(super) fn hold(&mut self, command: &Command, program: &Program<'_>, source: Option<Source>) {
        // `for each in $(env)`, `for name in $(compgen -e)`, `for name in HOME API_KEY`
        if let [loops, name, within, all @ ..] = &*command.words
            && loops.text == "for"
            && within.text == "in"
        {
            if all.iter().any(|word| self.substitutes_secret(word) || substitutes_environment(word)) {
                self.held.insert(name.text.clone());
            }
            let names = |word: &Word| {
                is_secret(&word.text)
                    || word.text.contains("${!")
                    || word.substitutions.iter().flat_map(|inner| &inner.commands).any(lists_names)
            };
            if all.iter().any(names) {
                self.held.insert(format!("!{}", name.text));
            }
        }
        // `env | while IFS== read -r name value`
        if program.name() == "read"
            && let Some(source) = source
        {
            let operands = program.arguments().iter().filter(|word| !word.text.starts_with('-'));
            let named: Vec<&str> = operands.map(|word| &*word.text).collect();
            // Of several the first is the name, when the line is cut at the equals sign.
            let cut = command.words.iter().any(|word| word.text.starts_with("IFS="));
            let values = if cut && named.len() > 1 { named.get(1..) } else { Some(&*named) };
            if source.secret || source.environment {
                self.held.extend(values.unwrap_or_default().iter().map(|name| (*name).to_owned()));
            }
            if source.names || source.secret || source.environment {
                self.held.extend(named.iter().map(|name| format!("!{name}")));
            }
        }
        // `declare -n short=API_KEY`
        if matches!(program.name(), "declare" | "typeset" | "local")
            && program.arguments().iter().any(|word| word.text.starts_with("-n"))
        {
            let pairs = program.arguments().iter().filter_map(|word| word.text.split_once('='));
            self.held.extend(pairs.filter(|(_, of)| is_secret(of)).map(|(name, _)| name.to_owned()));
        }
    }

    /// Remembers the files that a secret is written to.
    pub(super) fn keep(&mut self, command: &Command, program: &Program<'_>, secret: bool) {
        let operands = || program.arguments().iter().filter(|word| !word.text.starts_with('-'));
        let copies = match program.name() {
            "tee" | "sponge" | "tar" | "zip" | "7z" | "openssl" | "gpg" => secret,
            "cp" | "mv" | "ln" | "install" => {
                copied(program.arguments()).iter().any(|word| self.is_secret_file(&word.text))
            }
            _ => false,
        };
        if program.name() == "git"
            && operands().next().is_some_and(|word| word.text == "add")
            && operands().any(|word| self.is_secret_file(&word.text))
        {
            self.files.insert(STAGED.to_owned());
        }
        // A message of a commit goes along with it.
        let tells = |word: &Word| self.shows_secret(word);
        if program.name() == "git"
            && operands().next().is_some_and(|word| matches!(&*word.text, "commit" | "tag" | "notes"))
            && program.arguments().iter().any(tells)
        {
            self.files.insert(STAGED.to_owned());
        }
        let copies = operands().filter(|_| copies);
        let written = command.writes.iter().filter(|_| secret);
        let kept = written.chain(copies).map(|word| injection::file_name(&word.text));
        self.files.extend(kept.filter(|file| !file.is_empty() && file != "null" && file != "."));
    }
}

/// What `cp`, `mv`, `ln` or `install` copies: of several operands all but the last, which is where it goes. One
/// alone goes here, and behind `-t` stands where all of them go.
fn copied(arguments: &[Word]) -> Vec<&Word> {
    let (mut operands, mut directed) = (Vec::new(), false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if let Some(flag) = word.text.strip_prefix("--") {
            let (name, value) =
                flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
            if !name.is_empty() && "target-directory".starts_with(name) {
                directed = true;
                if value.is_none() {
                    words.next();
                }
            }
        } else if let Some(flags) = word.text.strip_prefix('-') {
            if let Some((_, value)) = flags.split_once('t') {
                directed = true;
                if value.is_empty() {
                    words.next();
                }
            }
        } else {
            operands.push(word);
        }
    }
    if !directed && operands.len() > 1 {
        operands.pop();
    }
    operands
}
