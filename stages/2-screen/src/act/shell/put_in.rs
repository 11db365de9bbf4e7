//! What a shell puts into words: variables whose values the text has set, and substitutions.

use super::printed::printed;
use super::{Command, DEEPEST, Kind, List, Manner, Place, Reader, Substitution, Until, Word};

impl Reader<'_> {
    pub(super) fn dollar(&mut self, quoted: bool, list: &mut List, depth: usize) {
        let next = self.bytes.get(self.at + 1).copied();
        match next {
            Some(b'(') => {
                self.begin(list);
                self.at += 2;
                self.substitution(Kind::Output, Until::Parenthesis, list, depth);
            }
            Some(b'{') => self.braces(quoted, list, depth),
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
    fn braces(&mut self, quoted: bool, list: &mut List, depth: usize) {
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
        let sign = operator.bytes().take(2).take_while(|byte| b":-=+?".contains(byte)).count();
        if !name.is_empty() && sign > 0 && depth < DEEPEST && operator.contains(['$', '`']) {
            self.at += 2 + name_length + sign;
            list.word.names.push(name);
            self.otherwise(quoted, list, depth + 1);
            return;
        }
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
            // Of a list the words are not known.
            None if operator.starts_with('[') && !name.is_empty() => {
                list.letters.push(b'$');
                list.letters.extend_from_slice(name.as_bytes());
                list.word.names.push(name);
            }
            // Whether it is set, or how long it is: not what it is.
            _ if name.is_empty() || operator.starts_with(":+") || operator.starts_with('+') => {}
            _ => self.variable(&name, quoted, list),
        }
    }

    /// What stands in for a variable, up to its closing brace: `${NAME:-$(…)}`.
    fn otherwise(&mut self, quoted: bool, list: &mut List, depth: usize) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'}' => {
                    self.at += 1;
                    return;
                }
                b'$' => self.dollar(quoted, list, depth),
                b'`' => {
                    self.at += 1;
                    self.substitution(Kind::Output, Until::Backtick, list, depth);
                }
                b'"' | b'\'' => self.at += 1,
                _ => {
                    list.letters.push(byte);
                    self.at += 1;
                }
            }
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
        let same = self.same.get(name).cloned();
        let name = same.as_deref().unwrap_or(name);
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

    /// Reads commands up to the end of the substitution, and leaves a mark in the word.
    pub(super) fn substitution(&mut self, kind: Kind, until: Until, list: &mut List, depth: usize) {
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

    /// What is put into the lines of a here-document that begins here and ends at `end`: quotes are letters there.
    pub(super) fn put_into_document(&mut self, end: usize, depth: usize) -> Vec<Substitution> {
        let body = self.text.get(self.at..end).unwrap_or_default();
        let puts_in = memchr::memmem::find(body.as_bytes(), b"$(").is_some()
            || memchr::memchr(b'`', body.as_bytes()).is_some();
        if !puts_in {
            return Vec::new();
        }
        // Its substitutions end with it.
        let whole = (self.text, self.no_more_apostrophes, self.no_more_quotes);
        self.text = self.text.get(..end).unwrap_or_default();
        self.bytes = self.text.as_bytes();
        let mut inside = List { place: Place::Given, ..List::default() };
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 2,
                b'$' if self.next_is(b'(') || self.next_is(b'{') => self.dollar(true, &mut inside, depth),
                b'`' => {
                    self.at += 1;
                    self.substitution(Kind::Output, Until::Backtick, &mut inside, depth);
                }
                _ => self.at += 1,
            }
        }
        (self.text, self.no_more_apostrophes, self.no_more_quotes) = whole;
        self.bytes = self.text.as_bytes();
        let put_in = inside.word.substitutions.into_iter();
        put_in.map(|inner| Substitution { kind: Kind::Line, ..inner }).collect()
    }

    /// Remembers `NAME=value` commands, for the words behind them.
    pub(super) fn assign(&mut self, command: &Command) {
        self.set(command);
        self.alias(command);
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
            if self.manner != Manner::Line || self.values.len() + self.same.len() >= 256 {
                continue;
            }
            if known && text.len() <= 1_024 {
                self.same.remove(name);
                self.values.insert(name.to_owned(), text.to_owned());
            } else if let [of] = &*word.names
                && word.substitutions.is_empty()
                && text.strip_prefix('$') == Some(of)
                && of != name
            {
                self.values.remove(name);
                self.same.insert(name.to_owned(), of.clone());
            }
        }
    }

    /// Remembers `alias name=…`, for commands behind it.
    fn alias(&mut self, command: &Command) {
        let [alias, pairs @ ..] = &*command.words else { return };
        if alias.text != "alias" || self.manner != Manner::Line {
            return;
        }
        for (name, text) in pairs.iter().filter_map(|word| word.text.split_once('=')) {
            if is_name(name) && text.len() <= 256 && self.aliases.len() < 64 {
                self.aliases.insert(name.to_owned(), text.to_owned());
            }
        }
    }

    /// The words of a command with what its first one is an alias for.
    pub(super) fn without_alias(&self, words: Vec<Word>) -> Vec<Word> {
        let alias = words.first().filter(|word| !word.quoted).and_then(|word| self.aliases.get(&word.text));
        let (Some(alias), Some((first, rest))) = (alias, words.split_first()) else { return words };
        let put_in = alias.split_ascii_whitespace().take(16);
        let put_in = put_in.map(|text| Word { text: text.to_owned(), ..first.clone() });
        put_in.chain(rest.iter().cloned()).collect()
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
}

/// The variables that a shell would put into this text.
pub(in crate::act) fn names_in(text: &str) -> Vec<String> {
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

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
