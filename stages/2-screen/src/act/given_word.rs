//! One word in quotes that a program gives to something that runs nothing: `print('env')`, `shutil.rmtree("env")`.
//!
//! Programs are read as lines as well, and between brackets such a word looks like an order to print the environment.
//! It is one only where something is given it that starts programs, by its own name or by one that the program has
//! made up for it. What is called by no name at all (`getattr(os, "system")('env')`) is taken for that.

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
        !name.is_empty() && !starts_programs(path, name) && !self.is_made_up(name)
    }

    /// Does the program say itself what this name is?
    fn is_made_up(&mut self, name: &'t str) -> bool {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let made_up = self.names.len() >= MOST_NAMES || gives_meaning(self.text, name);
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

/// Is this the name of something that starts programs?
fn starts_programs(path: &str, name: &str) -> bool {
    #[rustfmt::skip]
    const PARTS: &[&str] = &[
        "run", "exec", "system", "popen", "spawn", "call", "output", "shell", "cmd", "command", "process", "capture", "start",
        "invoke", "launch", "eval", "open3", "proc", "pipe", "local", "sudo", "ssh", "bash", "zsh", "$",
    ];
    const WHOLE: &[&str] = &["sh", "ksh", "do", "qx", "new", "x"];
    let owner = path.get(..path.len() - name.len()).unwrap_or_default().to_ascii_lowercase();
    let name = name.trim_end_matches('!').to_ascii_lowercase();
    PARTS.iter().any(|part| name.contains(part))
        || WHOLE.contains(&&*name)
        || ["command", "process", "shell"].iter().any(|part| owner.contains(part))
}

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
