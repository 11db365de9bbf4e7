//! Text as a shell reads it: commands, their words, and what is put in by substitution.
//!
//! Quotes and backslashes inside words are taken out (`c\url`, `cu''rl`), `${IFS}` is a blank,
//! variables that the text itself sets are put in, continued lines are one line. Never fails: what
//! a shell would call an error is read as letters. One pass; substitutions nest so deep and no
//! deeper, and [`Script::too_deep`] says when they do.
//!
//! Prose is read by the same rules with two differences: an apostrophe inside a word is a letter,
//! and what stands between backticks is a quotation.

use std::collections::BTreeMap;

use call::Span;

/// How deep substitutions nest in anything that people write.
const DEEPEST: usize = 10;

/// Whether the text is meant to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// A line for a shell.
    Line,
    /// Anything else, in which such a line may stand.
    Prose,
}

/// What a text says to a shell.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) commands: Vec<Command>,
    pub(super) too_deep: bool,
}

/// A program and its words.
#[derive(Clone, Debug, Default)]
pub(super) struct Command {
    pub(super) words: Vec<Word>,
    /// Files that its output is written to.
    pub(super) writes: Vec<Word>,
    /// Files that its input comes from.
    pub(super) reads: Vec<Word>,
    /// Text that it is given: here-strings and here-documents.
    pub(super) given: Vec<Word>,
    /// Its output goes into the next command.
    pub(super) piped: bool,
    /// Behind a comment sign, or between backticks in prose.
    pub(super) mention: bool,
    /// How many parentheses are open around it in its list.
    pub(super) depth: usize,
}

/// One word, without its quotes.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    /// A substitution is shown as `$()`, a variable as `$NAME`.
    pub(super) text: String,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quoted: bool,
    pub(super) substitutions: Vec<Substitution>,
    /// The variables in it whose values are not known. Behind an exclamation mark: the variable whose
    /// name is the value of this one.
    pub(super) names: Vec<String>,
}

/// Commands whose output or input stands in a word.
#[derive(Clone, Debug)]
pub(super) struct Substitution {
    pub(super) kind: Kind,
    pub(super) commands: Vec<Command>,
}

/// What becomes of the output of a substitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It stands in the word: `$(…)`, backticks.
    Output,
    /// It is a file to read: `<(…)`.
    File,
    /// It is a file to write: `>(…)`.
    Sink,
}

impl Command {
    /// From its first word to its last.
    pub(super) fn span(&self) -> Span {
        let all = || self.words.iter().chain(&self.writes).chain(&self.reads).chain(&self.given);
        let start = all().map(|word| word.start).min().unwrap_or_default();
        let end = all().map(|word| word.end).max().unwrap_or_default();
        Span::new(start, end)
    }
}

/// Reads `text`, which stands at `offset` of what is reported.
pub(super) fn read(text: &str, offset: usize, manner: Manner) -> Script {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        offset,
        manner,
        values: BTreeMap::new(),
        budget: text.len() + 4_096,
        search_budget: text.len().saturating_mul(4),
        no_more_apostrophes: false,
        no_more_quotes: false,
        too_deep: false,
    };
    let mut commands = Vec::new();
    while reader.at < reader.bytes.len() {
        commands.extend(reader.list(Until::End, 0));
        // A closing bracket too many ends a list and not the text.
        reader.at += 1;
    }
    Script { commands, too_deep: reader.too_deep }
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    offset: usize,
    manner: Manner,
    // What the text has assigned so far.
    values: BTreeMap<String, String>,
    // How much may still be put in for variables, and read in search of the ends of here-documents.
    budget: usize,
    search_budget: usize,
    no_more_apostrophes: bool,
    no_more_quotes: bool,
    too_deep: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    End,
    Parenthesis,
    Backtick,
}

/// Where the word that is being read belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Words,
    Writes,
    Reads,
    Given,
    HereDocument,
}

/// The word that ends a here-document is in quotes: nothing is put into it.
struct Quoted(bool);

struct List {
    commands: Vec<Command>,
    command: Command,
    word: Word,
    letters: Vec<u8>,
    // Something stands where the word is, even if it is an empty string.
    begun: bool,
    place: Place,
    comment: bool,
    open: usize,
    // Where each here-document ends that was announced on this line, and for which command.
    awaited: Vec<(String, usize, Quoted)>,
}

impl Reader<'_> {
    fn list(&mut self, until: Until, depth: usize) -> Vec<Command> {
        let mut list = List {
            commands: Vec::new(),
            command: Command::default(),
            word: Word::default(),
            letters: Vec::new(),
            begun: false,
            place: Place::Words,
            comment: false,
            open: 0,
            awaited: Vec::new(),
        };
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b')' if until == Until::Parenthesis => break,
                b'`' if until == Until::Backtick => break,
                b' ' | b'\t' | b'\r' => {
                    self.end_word(&mut list);
                    self.at += 1;
                }
                b'\n' => {
                    self.end_command(&mut list, false);
                    list.comment = false;
                    self.at += 1;
                    self.here_documents(&mut list);
                }
                b';' => {
                    self.end_command(&mut list, false);
                    self.at += 1;
                }
                b'&' if self.next_is(b'>') => {
                    self.end_word(&mut list);
                    self.at += 2;
                    self.at += usize::from(self.bytes.get(self.at) == Some(&b'>'));
                    list.place = Place::Writes;
                }
                b'&' => {
                    self.end_command(&mut list, false);
                    self.at += 1;
                }
                b'|' if self.next_is(b'|') => {
                    self.end_command(&mut list, false);
                    self.at += 2;
                }
                b'|' => {
                    self.end_command(&mut list, true);
                    self.at += 1;
                    self.at += usize::from(self.bytes.get(self.at) == Some(&b'&'));
                }
                b'(' | b')' => {
                    // A group, or the brackets of a call in a program.
                    let group = byte == b')';
                    self.end_command(&mut list, false);
                    list.open = if group { list.open.saturating_sub(1) } else { list.open + 1 };
                    self.at += 1;
                    let rest = self.bytes.get(self.at..).unwrap_or_default();
                    let next = rest.iter().find(|&&byte| byte != b' ');
                    if group && next == Some(&b'|') {
                        list.commands.push(group_end(self.offset + self.at));
                    }
                }
                // In a comment nothing is put in and nothing is quoted.
                b'\'' | b'"' | b'`' | b'$' | b'\\' | b'<' | b'>' if list.comment => {
                    self.begin(&mut list);
                    list.letters.push(byte);
                    self.at += 1;
                }
                b'<' | b'>' => self.redirection(byte, &mut list, depth),
                b'#' if !list.begun && self.manner == Manner::Line => {
                    list.comment = true;
                    self.at += 1;
                }
                _ => self.letter(byte, &mut list, depth),
            }
        }
        self.end_command(&mut list, false);
        list.commands
    }

    fn next_is(&self, byte: u8) -> bool {
        self.bytes.get(self.at + 1) == Some(&byte)
    }

    /// `<`, `>`, and everything that begins with them.
    fn redirection(&mut self, byte: u8, list: &mut List, depth: usize) {
        if self.next_is(b'(') {
            self.begin(list);
            self.at += 2;
            let kind = if byte == b'<' { Kind::File } else { Kind::Sink };
            self.substitution(kind, Until::Parenthesis, list, depth);
            return;
        }
        // The number of a descriptor is no word.
        if list.begun && !list.letters.is_empty() && list.letters.iter().all(u8::is_ascii_digit) {
            list.letters.clear();
            list.begun = false;
        }
        self.end_word(list);
        let length = self.bytes.get(self.at..).unwrap_or_default().iter();
        let signs = length.take(3).take_while(|&&next| next == byte).count();
        self.at += signs;
        list.place = match (byte, signs) {
            (b'<', 3) => Place::Given,
            (b'<', 2) => Place::HereDocument,
            (b'<', _) => Place::Reads,
            _ => Place::Writes,
        };
        while let Some(b'-' | b'&' | b'|' | b'>') = self.bytes.get(self.at) {
            // `2>&1` and `>&-` lead to a descriptor and not to a file.
            let descriptor = self.bytes.get(self.at) == Some(&b'&');
            self.at += 1;
            if descriptor
                && self.bytes.get(self.at).is_some_and(|&next| next.is_ascii_digit() || next == b'-')
            {
                self.at += 1;
                list.place = Place::Words;
            }
        }
    }

    fn letter(&mut self, byte: u8, list: &mut List, depth: usize) {
        match byte {
            b'\\' => {
                let next = self.bytes.get(self.at + 1).copied();
                match next {
                    Some(b'\n') => self.at += 2,
                    Some(b'\r') if self.bytes.get(self.at + 2) == Some(&b'\n') => self.at += 3,
                    Some(next) => {
                        self.begin(list);
                        // In a path of Windows it stands for itself.
                        if next.is_ascii_alphanumeric() && is_windows_path(&list.letters) {
                            list.letters.push(b'\\');
                        }
                        list.letters.push(next);
                        self.at += 2;
                    }
                    None => self.at += 1,
                }
            }
            b'\'' => self.apostrophe(list),
            b'"' => self.quote(list, depth),
            b'`' => {
                let ticks = self.bytes.get(self.at..).unwrap_or_default().iter();
                let ticks = ticks.take_while(|&&byte| byte == b'`').count();
                self.at += ticks;
                if ticks == 1 {
                    self.begin(list);
                    self.substitution(Kind::Output, Until::Backtick, list, depth);
                }
            }
            b'$' => self.dollar(false, list, depth),
            _ => {
                self.begin(list);
                list.letters.push(byte);
                self.at += 1;
            }
        }
    }

    fn begin(&self, list: &mut List) {
        if !list.begun {
            list.begun = true;
            list.word.start = self.offset + self.at;
        }
    }

    /// From an apostrophe to the next one.
    fn apostrophe(&mut self, list: &mut List) {
        let inside_word = self.manner == Manner::Prose
            && self
                .at
                .checked_sub(1)
                .and_then(|before| self.bytes.get(before))
                .is_some_and(u8::is_ascii_alphabetic)
            && self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_alphabetic);
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let close = if inside_word || self.no_more_apostrophes {
            None
        } else {
            rest.iter().position(|&byte| byte == b'\'')
        };
        self.begin(list);
        match close {
            Some(length) => {
                list.letters.extend_from_slice(rest.get(..length).unwrap_or_default());
                list.word.quoted = true;
                self.at += length + 2;
            }
            None => {
                self.no_more_apostrophes |= !inside_word;
                list.letters.push(b'\'');
                self.at += 1;
            }
        }
    }

    /// From a quotation mark to the next one, with what is put in between.
    fn quote(&mut self, list: &mut List, depth: usize) {
        self.begin(list);
        self.at += 1;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if self.no_more_quotes || !rest.contains(&b'"') {
            self.no_more_quotes = true;
            list.letters.push(b'"');
            return;
        }
        list.word.quoted = true;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\\' => {
                    match self.bytes.get(self.at + 1) {
                        Some(b'\n') => {}
                        Some(&next @ (b'"' | b'\\' | b'$' | b'`')) => list.letters.push(next),
                        Some(&next) => list.letters.extend([b'\\', next]),
                        None => {}
                    }
                    self.at += 2;
                }
                b'$' => self.dollar(true, list, depth),
                b'`' => {
                    self.at += 1;
                    self.substitution(Kind::Output, Until::Backtick, list, depth);
                }
                _ => {
                    list.letters.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    fn dollar(&mut self, quoted: bool, list: &mut List, depth: usize) {
        let next = self.bytes.get(self.at + 1).copied();
        match next {
            Some(b'(') => {
                self.begin(list);
                self.at += 2;
                self.substitution(Kind::Output, Until::Parenthesis, list, depth);
            }
            Some(b'{') => self.braces(quoted, list),
            Some(b'\'') if !quoted => {
                self.begin(list);
                self.at += 2;
                self.escaped(list);
            }
            Some(b'"') if !quoted => self.at += 1,
            // These are empty unless somebody sets them, and stand in words as a disguise.
            Some(sign @ (b'@' | b'*' | b'1'..=b'9')) => {
                self.begin(list);
                self.at += 2;
                let name = if sign == b'*' { '@' } else { char::from(sign) };
                if self.values.contains_key(name.encode_utf8(&mut [0; 4])) {
                    self.variable(&name.to_string(), false, list);
                }
            }
            Some(first) if first.is_ascii_alphabetic() || first == b'_' => {
                let rest = self.bytes.get(self.at + 1..).unwrap_or_default().iter();
                let length = rest.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                let name = self.text.get(self.at + 1..self.at + 1 + length).unwrap_or_default().to_owned();
                self.begin(list);
                self.at += 1 + length;
                self.variable(&name, quoted, list);
            }
            _ => {
                self.begin(list);
                list.letters.push(b'$');
                self.at += 1;
            }
        }
    }

    /// `${NAME}`, `${NAME:-otherwise}`, `${#NAME}`.
    fn braces(&mut self, quoted: bool, list: &mut List) {
        self.begin(list);
        let inner = self.bytes.get(self.at + 2..).unwrap_or_default().iter().take(512);
        let Some(length) = inner.into_iter().position(|&byte| byte == b'}') else {
            list.letters.push(b'$');
            self.at += 1;
            return;
        };
        let inner = self.text.get(self.at + 2..self.at + 2 + length).unwrap_or_default();
        let name_length =
            inner.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let (name, operator) = inner.split_at_checked(name_length).unwrap_or((inner, ""));
        let (name, operator) = (name.to_owned(), operator.to_owned());
        self.at += 3 + length;
        if let Some(indirect) = operator.strip_prefix('!').filter(|_| name.is_empty()) {
            let indirect = indirect.to_owned();
            self.indirect(&indirect, quoted, list);
            return;
        }
        let otherwise = operator.strip_prefix(":-").or_else(|| operator.strip_prefix(":="));
        match otherwise.or_else(|| operator.strip_prefix('-')) {
            Some(text) if !name.is_empty() => {
                list.letters.extend_from_slice(text.as_bytes());
                list.word.names.push(name);
            }
            // Whether it is set, or how long it is: not what it is.
            _ if name.is_empty() || operator.starts_with(":+") || operator.starts_with('+') => {}
            _ => self.variable(&name, quoted, list),
        }
    }

    /// `${!NAME}`: the variable whose name is the value of `NAME`. `${!NAME*}` are only names.
    fn indirect(&mut self, inner: &str, quoted: bool, list: &mut List) {
        let length = inner.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let (name, operator) = inner.split_at_checked(length).unwrap_or((inner, ""));
        if name.is_empty() {
            return;
        }
        if operator.starts_with(['*', '@']) {
            list.letters.extend_from_slice(format!("${{!{name}*}}").as_bytes());
            return;
        }
        match self.values.get(name).filter(|value| is_name(value)).cloned() {
            Some(value) => self.variable(&value, quoted, list),
            None => {
                list.letters.push(b'$');
                list.letters.extend_from_slice(name.as_bytes());
                list.word.names.push(format!("!{name}"));
            }
        }
    }

    fn variable(&mut self, name: &str, quoted: bool, list: &mut List) {
        if name == "IFS" {
            if quoted {
                list.letters.push(b' ');
            } else {
                self.end_word(list);
            }
            return;
        }
        let value = self.values.get(name).filter(|value| value.len() < self.budget).cloned();
        match value {
            Some(value) => {
                self.budget -= value.len() + 1;
                // Without quotes a value is split into words.
                let mut parts = value.split_ascii_whitespace().peekable();
                if quoted {
                    list.letters.extend_from_slice(value.as_bytes());
                } else {
                    while let Some(part) = parts.next() {
                        list.letters.extend_from_slice(part.as_bytes());
                        if parts.peek().is_some() {
                            self.end_word(list);
                            self.begin(list);
                        }
                    }
                }
            }
            None => {
                list.letters.push(b'$');
                list.letters.extend_from_slice(name.as_bytes());
                list.word.names.push(name.to_owned());
            }
        }
    }

    /// `$'\x63url'`
    fn escaped(&mut self, list: &mut List) {
        list.word.quoted = true;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\'' => return,
                b'\\' => {
                    let rest = self.bytes.get(self.at..).unwrap_or_default();
                    let (letter, length) = ansi_escape(rest);
                    list.letters.extend(letter);
                    self.at += length;
                }
                _ => list.letters.push(byte),
            }
        }
    }

    /// Reads commands up to the end of the substitution, and leaves a mark in the word.
    fn substitution(&mut self, kind: Kind, until: Until, list: &mut List, depth: usize) {
        if depth >= DEEPEST {
            list.letters.extend_from_slice(b"$()");
            self.too_deep = true;
            return;
        }
        let mut commands = self.list(until, depth + 1);
        match printed(&commands).filter(|_| kind == Kind::Output && list.place == Place::Words) {
            Some(text) => list.letters.extend_from_slice(text.as_bytes()),
            None => list.letters.extend_from_slice(b"$()"),
        }
        self.at += 1;
        if until == Until::Backtick && self.manner == Manner::Prose {
            commands.iter_mut().for_each(|command| command.mention = true);
        }
        list.word.substitutions.push(Substitution { kind, commands });
    }

    fn end_word(&mut self, list: &mut List) {
        if !list.begun {
            return;
        }
        list.begun = false;
        let mut word = std::mem::take(&mut list.word);
        word.text = String::from_utf8_lossy(&std::mem::take(&mut list.letters)).into_owned();
        word.end = (self.offset + self.at).max(word.start);
        match list.place {
            Place::Words => list.command.words.extend(unbraced(word)),
            Place::Writes => list.command.writes.push(word),
            Place::Reads => list.command.reads.push(word),
            Place::Given => list.command.given.push(word),
            Place::HereDocument => list.awaited.push((word.text, list.commands.len(), Quoted(word.quoted))),
        }
        list.place = Place::Words;
    }

    fn end_command(&mut self, list: &mut List, piped: bool) {
        self.end_word(list);
        list.place = Place::Words;
        let mut command = std::mem::take(&mut list.command);
        let empty = command.words.is_empty()
            && command.writes.is_empty()
            && command.given.is_empty()
            && command.reads.is_empty();
        if empty {
            if piped && let Some(last) = list.commands.last_mut() {
                last.piped = true;
            }
            return;
        }
        command.piped = piped;
        command.depth = list.open;
        command.mention |= list.comment;
        self.assign(&command);
        list.commands.push(command);
    }

    /// Remembers `NAME=value` commands, for the words behind them.
    fn assign(&mut self, command: &Command) {
        self.set(command);
        let words = command
            .words
            .iter()
            .skip_while(|word| matches!(&*word.text, "export" | "local" | "declare" | "readonly"));
        let assignments: Option<Vec<(&str, &str, &Word)>> = words
            .map(|word| {
                word.text
                    .split_once('=')
                    .filter(|(name, _)| is_name(name))
                    .map(|(name, text)| (name, text, word))
            })
            .collect();
        for (name, text, word) in assignments.unwrap_or_default() {
            let known = word.substitutions.is_empty() && word.names.is_empty();
            if known && self.manner == Manner::Line && text.len() <= 1_024 && self.values.len() < 256 {
                self.values.insert(name.to_owned(), text.to_owned());
            }
        }
    }

    /// Remembers `set -- word …`, for `$@` and `$1` behind it.
    fn set(&mut self, command: &Command) {
        let [set, dashes, words @ ..] = &*command.words else { return };
        let known =
            |word: &Word| word.substitutions.is_empty() && word.names.is_empty() && word.text.len() < 256;
        let few = words.len() <= 9 && words.iter().all(known);
        if set.text != "set" || dashes.text != "--" || !few || self.manner != Manner::Line {
            return;
        }
        let all: Vec<&str> = words.iter().map(|word| &*word.text).collect();
        self.values.insert("@".to_owned(), all.join(" "));
        for (place, word) in words.iter().enumerate() {
            self.values.insert((place + 1).to_string(), word.text.clone());
        }
    }

    /// Takes the bodies of here-documents behind the line that announced them.
    fn here_documents(&mut self, list: &mut List) {
        let awaited = std::mem::take(&mut list.awaited);
        for (end, place, quoted) in awaited.into_iter().filter(|_| self.manner == Manner::Line) {
            let start = self.at;
            let rest = self.text.get(start..).unwrap_or_default();
            let mut length = 0;
            let mut closed = false;
            for line in rest.split_inclusive('\n') {
                let Some(left) = self.search_budget.checked_sub(line.len()) else { break };
                self.search_budget = left;
                if line.trim() == end {
                    closed = true;
                    break;
                }
                length += line.len();
            }
            // A document without an end is prose that holds two angle brackets.
            if !closed {
                return;
            }
            let body = rest.get(..length).unwrap_or_default();
            let (from, to) = (self.offset + start, self.offset + start + length);
            self.at = start + length;
            if let Some(command) = list.commands.get_mut(place) {
                command.given.push(Word {
                    text: body.to_owned(),
                    start: from,
                    end: to,
                    quoted: true,
                    names: if quoted.0 { Vec::new() } else { names_in(body) },
                    ..Word::default()
                });
            }
            // The line that ends it.
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            self.at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |line| line + 1);
        }
    }
}

/// The variables that a shell would put into this text.
pub(super) fn names_in(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices('$').take(64) {
        let rest = text.get(at + 1..).unwrap_or_default();
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let escaped = text.get(..at).is_some_and(|before| before.ends_with('\\'));
        names.extend(rest.get(..length).filter(|name| !name.is_empty() && !escaped).map(str::to_owned));
    }
    names
}

/// What a substitution prints, where that can be told: `$(echo c)url`, `$(which sh)`.
fn printed(commands: &[Command]) -> Option<String> {
    let [command] = commands else { return None };
    if let Some(text) = printed_in_escapes(command) {
        return Some(text);
    }
    let mut words = command.words.iter();
    let plain =
        |word: &Word| word.substitutions.is_empty() && word.names.is_empty() && !word.text.contains('\\');
    let shown = match &*words.next()?.text {
        "echo" | "printf" | "which" => words.as_slice(),
        "command" | "type" => {
            words.next().filter(|flag| flag.text.starts_with('-'))?;
            words.as_slice()
        }
        _ => return None,
    };
    let [word] = shown
        .split_first()
        .filter(|(flag, rest)| flag.text == "-n" && !rest.is_empty())
        .map_or(shown, |(_, rest)| rest)
    else {
        return None;
    };
    let short = word.text.len() <= 64 && !word.text.is_empty() && !word.text.contains(char::is_whitespace);
    (plain(word) && short && command.given.is_empty() && command.writes.is_empty()).then(|| word.text.clone())
}

/// The same with escapes and with words put in: `$(printf "\57etc\57%s" passwd)`, `$(echo -e '\x2fetc')`.
fn printed_in_escapes(command: &Command) -> Option<String> {
    let plain = |word: &Word| word.substitutions.is_empty() && word.names.is_empty();
    let (format, values) = match &*command.words {
        [name, format, values @ ..] if name.text == "printf" => (format, values),
        [name, flag, text] if name.text == "echo" && flag.text == "-e" => (text, &[][..]),
        _ => return None,
    };
    let told = format.text.contains('\\') || (format.text.contains("%s") && !values.is_empty());
    let known =
        plain(format) && values.iter().all(plain) && command.given.is_empty() && command.writes.is_empty();
    if !told || !known || format.text.len() > 256 || values.len() > 8 {
        return None;
    }
    let mut letters = Vec::new();
    let mut values = values.iter();
    let mut rest = format.text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match (byte, behind.first()) {
            (b'\\', Some(_)) => {
                let (letter, length) = ansi_escape(behind);
                letters.extend(letter);
                rest = behind.get(length..).unwrap_or_default();
            }
            (b'%', Some(b's' | b'b')) => {
                letters.extend_from_slice(values.next().map_or(&[][..], |value| value.text.as_bytes()));
                rest = behind.get(1..).unwrap_or_default();
            }
            (b'%', _) => return None,
            _ => letters.push(byte),
        }
    }
    let text = String::from_utf8(letters).ok()?;
    let text = text.trim_end_matches('\n');
    (!text.is_empty() && text.len() <= 64 && !text.contains(char::is_whitespace)).then(|| text.to_owned())
}

/// A closing bracket: the commands in front of it are one.
fn group_end(at: usize) -> Command {
    let word = Word { text: "}".to_owned(), start: at, end: at, ..Word::default() };
    Command { words: vec![word], ..Command::default() }
}

/// `C:`, `.`, `%TEMP%`, and what goes on from there.
fn is_windows_path(start: &[u8]) -> bool {
    match start {
        [drive, b':', ..] => drive.is_ascii_alphabetic(),
        [b'.'] | [b'.', b'.'] | [b'.', b'\\', ..] | [b'.', b'.', b'\\', ..] => true,
        [b'%', .., b'%'] => true,
        [b'%', rest @ ..] => rest.contains(&b'\\'),
        _ => false,
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// `{curl,-s,x}` is three words.
fn unbraced(word: Word) -> Vec<Word> {
    let inner = word.text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    match inner {
        Some(inner) if inner.contains(',') && !inner.contains([' ', '"', ':', '{']) && !word.quoted => {
            inner.split(',').take(64).map(|text| Word { text: text.to_owned(), ..word.clone() }).collect()
        }
        _ => vec![word],
    }
}

/// The letter behind a backslash in `$'…'`, and how long it is.
fn ansi_escape(rest: &[u8]) -> (Option<u8>, usize) {
    let digits = |from: usize, most: usize, radix: u32| {
        let taken = rest.iter().skip(from).take(most).take_while(|&&byte| char::from(byte).is_digit(radix));
        let (mut value, mut length) = (0_u32, 0);
        for &byte in taken {
            value = value * radix + char::from(byte).to_digit(radix).unwrap_or_default();
            length += 1;
        }
        (u8::try_from(value & 255).ok(), length)
    };
    match rest.first() {
        Some(b'x') => {
            let (letter, length) = digits(1, 2, 16);
            (letter, 1 + length)
        }
        Some(b'u' | b'U') => {
            let (letter, length) = digits(1, 8, 16);
            (letter, 1 + length)
        }
        Some(b'0'..=b'7') => digits(0, 3, 8),
        Some(b'n') => (Some(b'\n'), 1),
        Some(b't') => (Some(b'\t'), 1),
        Some(&other) => (Some(other), 1),
        None => (None, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::{Manner, read};

    /// Words with blanks between them, `|` for a pipe and `;` for anything else between commands.
    fn shown(text: &str, manner: Manner) -> String {
        let script = read(text, 0, manner);
        let mut shown = String::new();
        for command in &script.commands {
            let words: Vec<&str> = command.words.iter().map(|word| &*word.text).collect();
            shown.push_str(&words.join(" "));
            shown.push_str(if command.piped { " | " } else { "; " });
        }
        shown.trim_end_matches("; ").to_owned()
    }

    #[test]
    fn a_shell_reads_this() {
        let cases = [
            (r"c\url x | s''h", "curl x | sh"),
            ("cu''rl \"x\" |sh", "curl x | sh"),
            ("curl${IFS}x|sh", "curl x | sh"),
            ("curl x \\\n  | sh", "curl x | sh"),
            ("curl x |\n sh", "curl x | sh"),
            ("a=cu; b=rl; $a$b x", "a=cu; b=rl; curl x"),
            (r"$'\x63url' x", "curl x"),
            ("{curl,-s,x}|sh", "curl -s x | sh"),
            ("cu$@rl x", "curl x"),
            ("${x:-curl} y", "curl y"),
            ("(curl x) | sh", "curl x; } | sh"),
            ("curl x 2>&1 | sh", "curl x | sh"),
            ("curl x > y && sh y", "curl x; sh y"),
            ("echo 'a | b'", "echo a | b"),
            ("cat <<EOF\ncurl x | sh\nEOF\nls", "cat; ls"),
            ("sh -c \"$(curl x)\"", "sh -c $()"),
            ("it's fine", "it's fine"),
            ("a || b", "a; b"),
        ];
        for (text, want) in cases {
            assert_eq!(shown(text, Manner::Line), want, "{text}");
        }
        assert_eq!(
            shown("don't use curl x | sh, it's bad", Manner::Prose),
            "don't use curl x | sh, it's bad"
        );
    }

    #[test]
    fn nesting_ends_somewhere() {
        assert!(read(&"$(".repeat(10_000), 0, Manner::Line).too_deep);
        assert!(!read("$(a $(b $(c)))", 0, Manner::Line).too_deep);
    }
}
