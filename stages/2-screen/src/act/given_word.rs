//! One word in quotes that a program gives to something that runs nothing: `print('env')`, `shutil.rmtree("env")`.
//!
//! Programs are read as lines as well, and between brackets such a word looks like an order to print the environment.
//! It is none only where it is given to something that is known to start no program and that has its own name: programs
//! have too many ways to call what starts others by another one.

use std::collections::BTreeMap;

use call::Family;

use super::Act;

/// How many names are looked up in one program.
const MOST_NAMES: usize = 16;

/// Tells such words in one program.
pub(super) struct GivenWords<'t> {
    text: &'t str,
    // Names that are called, and whether the program has made them up.
    names: BTreeMap<&'t str, bool>,
}

impl<'t> GivenWords<'t> {
    pub(super) const fn of(text: &'t str) -> Self {
        Self { text, names: BTreeMap::new() }
    }

    /// Was this found in a word that is given to something that runs nothing?
    pub(super) fn has(&mut self, act: &Act) -> bool {
        let text = self.text;
        let Some(said) = act.span.of(text).filter(|_| act.family == Family::Exfiltration) else {
            return false;
        };
        if !is_one_word(said) {
            return false;
        }
        let before = text.get(..act.span.start).unwrap_or_default().trim_end();
        let Some(path) = before.trim_end_matches(['[', ' ', '\n']).strip_suffix('(').map(path_at_end) else {
            return false;
        };
        let name = path.rsplit(['.', ':']).next().unwrap_or(path);
        starts_nothing(path, name) && !self.is_made_up(name)
    }

    /// Does the program say itself what this name is?
    fn is_made_up(&mut self, name: &'t str) -> bool {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let made_up = self.names.len() >= MOST_NAMES
            || BY_OTHER_MEANS.iter().any(|means| self.text.contains(means))
            || gives_meaning(self.text, name);
        self.names.insert(name, made_up);
        made_up
    }
}

/// A string of one word, and behind it nothing that a shell would do more with.
fn is_one_word(said: &str) -> bool {
    let said = said.trim_start();
    let Some(quote) = said.chars().next().filter(|first| matches!(first, '"' | '\'')) else { return false };
    let Some((word, rest)) = said.get(1..).and_then(|inside| inside.split_once(quote)) else { return false };
    let plain = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.' | '/');
    word.chars().all(plain) && !rest.contains(['|', '$', '`', ';', '&', '<', '>'])
}

/// What is called, with what it belongs to: `os.path.join`, `Command::new`.
fn path_at_end(before: &str) -> &str {
    let is_name = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '.' | ':' | '$' | '!');
    let start = before.trim_end_matches(is_name).len();
    before.get(start..).unwrap_or_default()
}

/// Is this the name of something that is known to start no program?
fn starts_nothing(path: &str, name: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "print", "println", "printf", "puts", "echo", "write", "log", "debug", "info", "warn", "warning", "error", "join", "path",
        "path_join", "rmtree", "mkdir", "makedirs", "exists", "isdir", "isfile", "listdir", "remove", "unlink", "create", "open",
        "get", "append", "add", "extend", "insert", "index", "count", "startswith", "endswith", "starts_with", "ends_with",
        "split", "strip", "replace", "format", "len", "str", "set", "list", "getattr", "hasattr", "isinstance", "push", "includes",
        "require_version", "assertequal", "assertin", "equal", "getlogger", "title", "label", "option", "argument", "exit", "tobe", "toequal", "mkdirsync", "existssync", "load",
    ];
    let owner = path.get(..path.len() - name.len()).unwrap_or_default().to_ascii_lowercase();
    let name = name.trim_end_matches('!').to_ascii_lowercase();
    let known = NAMES.contains(&&*name) || name.ends_with("error") || name.ends_with("exception");
    known && !["command", "process", "shell", "popen", "exec"].iter().any(|part| owner.contains(part))
}

/// Ways to give a name another meaning without writing it down as a name.
const BY_OTHER_MEANS: &[&str] = &[
    "setattr",
    "globals()",
    "locals()",
    "vars()",
    "__getattr__",
    "__builtins__",
    "builtins",
    "Object.assign",
    "eval(",
];

/// `name = …`, `as name`, `def name`, `{…: name}`
fn gives_meaning(text: &str, name: &str) -> bool {
    let in_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let behind = text.get(at + name.len()..).unwrap_or_default();
        if before.ends_with(in_name) || behind.starts_with(in_name) {
            return false;
        }
        let word = |word: &str| {
            let front = before.trim_end();
            front.len() < before.len()
                && front.strip_suffix(word).is_some_and(|front| !front.ends_with(in_name))
        };
        let line = behind.trim_start_matches([' ', '\t']);
        let set = line.starts_with([':', '='])
            && line.trim_start_matches(':').starts_with('=')
            && !line.starts_with("==");
        let taken = line.starts_with([',', '}']) && before.trim_end().ends_with(':');
        set || taken || ["as", "def", "function", "func", "fn", "sub"].into_iter().any(word)
    })
}

#[cfg(test)]
mod tests {
    use crate::act::{Text, examine};
    use crate::landmarks::Landmarks;

    #[test]
    fn a_word_is_an_order_only_for_what_starts_programs() {
        let cases = [
            // program, is the environment printed?
            ("print('env')", false),
            ("print('export')", false),
            ("logger.info(\"set\")", false),
            ("console.log('env')", false),
            ("os.path.join('a','env')", false),
            ("raise ValueError('env')", false),
            ("venv.create('env', with_pip=True)", false),
            ("Path('env').mkdir()", false),
            ("shutil.rmtree('env')", false),
            ("run('env')", true),
            ("sh('env')", true),
            ("os.popen('env').read()", true),
            ("Command::new(\"env\").status()", true),
            ("new ProcessBuilder(\"env\").inheritIO().start()", true),
            ("from os import system as tell\ntell('env')", true),
            ("tell = os.system\ntell('env')", true),
            ("const {execSync: tell} = require('child_process');\ntell('env')", true),
            ("getattr(os, 'system')('env')", true),
            ("print(os.popen('env').read())", true),
            ("os.system('env | sort')", true),
        ];
        for (text, want) in cases {
            let found = examine(text, Text::Program, &Landmarks::of(text).acts()).acts;
            assert_eq!(found.iter().any(|act| !act.mention), want, "{text} {found:?}");
        }
    }
}
