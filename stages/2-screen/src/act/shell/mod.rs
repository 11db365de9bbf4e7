//! Text as a shell reads it: commands, their words, and what is put in by substitution.
//!
//! Quotes and backslashes inside words are taken out (`c\url`, `cu''rl`), `${IFS}` is a blank,
//! variables that the text itself sets are put in, continued lines are one line. Never fails: what
//! a shell would call an error is read as letters. One pass; substitutions nest so deep and no
//! deeper, and [`Script::too_deep`] says when they do.
//!
//! Prose is read by the same rules with two differences: an apostrophe inside a word is a letter,
//! and what stands between backticks is a quotation.

mod braces;
mod ends;
mod letters;
mod printed;
mod put_in;

use std::collections::BTreeMap;

use call::Span;

pub(super) use put_in::names_in;

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
    /// It stands among the lines of a here-document.
    Line,
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

impl Word {
    /// The substitutions that it is made of. A here-document is made of lines; only one that begins with a
    /// substitution is what that puts out.
    pub(super) fn put_in(&self) -> impl Iterator<Item = &Substitution> {
        let begins = self.text.trim_start().starts_with("$(") || self.text.trim_start().starts_with('`');
        self.substitutions.iter().filter(move |inner| inner.kind != Kind::Line || begins)
    }
}

impl Script {
    /// Puts commands where the text has `$()` for them, in their order.
    pub(super) fn put_back(&mut self, substitutions: &[Substitution]) {
        let words = self.commands.iter_mut().flat_map(|command| {
            let Command { words, writes, reads, given, .. } = command;
            words.iter_mut().chain(writes).chain(reads).chain(given)
        });
        let empty = words.flat_map(|word| &mut word.substitutions).filter(|inner| inner.commands.is_empty());
        for (place, known) in empty.zip(substitutions) {
            place.commands.clone_from(&known.commands);
        }
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
        same: BTreeMap::new(),
        aliases: BTreeMap::new(),
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
    // Variables that hold what another one does.
    same: BTreeMap<String, String>,
    // Words that `alias` made of others.
    aliases: BTreeMap<String, String>,
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
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Words,
    Writes,
    Reads,
    Given,
    HereDocument,
}

/// The word that ends a here-document is in quotes: nothing is put into it.
struct Quoted(bool);

#[derive(Default)]
struct List {
    commands: Vec<Command>,
    // What stands behind comment signs, read as commands of their own.
    comments: Vec<Command>,
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
        let mut list = List::default();
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
                    self.here_documents(&mut list, depth);
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
                // `=(…)` of zsh: a file to read, as with `<(…)`.
                b'(' if self.manner == Manner::Line && list.begun && list.letters == b"=" => {
                    list.letters.clear();
                    self.at += 1;
                    self.substitution(Kind::File, Until::Parenthesis, &mut list, depth);
                }
                b'(' | b')' => {
                    // A group, or the brackets of a call in a program.
                    let group = byte == b')';
                    self.end_command(&mut list, false);
                    self.at += 1;
                    if list.comment {
                        continue;
                    }
                    list.open = if group { list.open.saturating_sub(1) } else { list.open + 1 };
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
                // It ends the command, whose words stand in front of it.
                b'#' if !list.begun && !list.comment && self.manner == Manner::Line => {
                    self.end_command(&mut list, false);
                    list.comment = true;
                    self.at += 1;
                }
                _ => self.letter(byte, &mut list, depth),
            }
        }
        self.end_command(&mut list, false);
        list.commands.append(&mut list.comments);
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
}

/// A closing bracket: the commands in front of it are one.
fn group_end(at: usize) -> Command {
    let word = Word { text: "}".to_owned(), start: at, end: at, ..Word::default() };
    Command { words: vec![word], ..Command::default() }
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
            ("curl x|${IFS}sh", "curl x | sh"),
            ("curl x | $@ sh '' \"\"", "curl x | sh  "),
            ("curl x \\\n  | sh", "curl x | sh"),
            ("curl x |\n sh", "curl x | sh"),
            ("a=cu; b=rl; $a$b x", "a=cu; b=rl; curl x"),
            (r"$'\x63url' x", "curl x"),
            ("{curl,-s,x}|sh", "curl -s x | sh"),
            ("cu$@rl x", "curl x"),
            ("${x:-curl} y", "curl y"),
            ("${x:-$(curl y)} z", "$() z"),
            ("a ${x:=`curl y`}b c", "a $()b c"),
            ("${x:-${y:-curl}} z", "curl z"),
            ("${x:-$HOME/bin}/a", "$HOME/bin/a"),
            ("zsh =(curl x)", "zsh $()"),
            ("cp a{,.b}", "cp a a.b"),
            ("cat {/a/,}b", "cat /a/b b"),
            ("cat '/a/{b,c}'", "cat /a/{b,c}"),
            ("git log HEAD@{1}", "git log HEAD@{1}"),
            ("(curl x) | sh", "curl x; } | sh"),
            ("curl x 2>&1 | sh", "curl x | sh"),
            ("curl x > y && sh y", "curl x; sh y"),
            ("echo 'a | b'", "echo a | b"),
            ("cat <<EOF\ncurl x | sh\nEOF\nls", "cat; ls"),
            ("sh -c \"$(curl x)\"", "sh -c $()"),
            ("it's fine", "it's fine"),
            ("a || b", "a; b"),
            ("curl x | sh # b", "curl x | sh; b"),
            ("a |# b | c (\nd", "a | d; b | c"),
            ("a # |\nb # c\n| e", "a; b | e; c"),
            ("a#b '#' \\# c", "a#b # # c"),
            ("# a=1 (\na=2; b $a", "a=2; b 2; a=1"),
            ("$(echo cu # b\n)rl x", "curl x"),
            ("x=$A; y=$x; b $y", "x=$A; y=$A; b $A"),
            ("a=(b c); \"${a[@]}\" | d", "a=; b c; $a | d"),
            ("cat /etc/{a,b}.c", "cat /etc/a.c /etc/b.c"),
            ("echo x{a}y {\"a\":1,\"b\":2}", "echo x{a}y {a:1,b:2}"),
            ("alias r='sh -s'; a | r", "alias r=sh -s; a | sh -s"),
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
