//! A command line, split into words as POSIX quoting has it, and never handed to a shell.
//!
//! What a shell would do with an unquoted character is what makes it a finding: operators and
//! expansions end the matter, patterns are a warning because nobody expands them here. Inside
//! quotes everything is data, except that double quotes leave `$` and the backtick alive.

use call::Span;

/// One word of the command, as the program would receive it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// The text with quotes and backslashes taken away.
    pub(crate) text: String,
    /// Where it stands, quotes included.
    pub(crate) start: usize,
    /// Offset just behind it.
    pub(crate) end: usize,
    /// How many bytes of `text` at its start were written without quotes or backslashes.
    pub(crate) bare: usize,
}

impl Word {
    fn at(start: usize) -> Self {
        Self { start, ..Self::default() }
    }

    /// Adds a text; `bare` when it was written without quotes and backslashes.
    fn add(&mut self, text: &str, bare: bool) {
        if bare && self.bare == self.text.len() {
            self.bare += text.len();
        }
        self.text.push_str(text);
    }

    /// Where the word stands.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// Something that a shell would act upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShellMeaning {
    /// `;` `&` `|` `<` `>` `(` `)`: this text of it.
    Operator(&'static str),
    /// `$x`, `${x}`, `$(x)`, a backtick.
    Expansion(&'static str),
    /// `*` `?` `[` `]`, `{a,b}`, `#` at the start of a word.
    Pattern(char),
    /// A quote that is not closed.
    OpenQuote(char),
    /// A backslash with nothing behind it.
    LoneBackslash,
}

/// The words of a command, and what a shell would have made of it.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(crate) words: Vec<Word>,
    pub(crate) meanings: Vec<(Span, ShellMeaning)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quote {
    None,
    Single,
    Double,
}

/// Splits one line that begins at `base` in the document.
pub(crate) fn split(line: &str, base: usize) -> Words {
    let mut found = Words::default();
    let mut word: Option<Word> = None;
    let mut quote = Quote::None;
    let mut quote_start = 0;
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let start = base + line.len() - rest.len();
        let ordinary = rest.bytes().position(|byte| !is_ordinary(byte)).unwrap_or(rest.len());
        if let Some((run, behind)) = rest.split_at_checked(ordinary).filter(|(run, _)| !run.is_empty()) {
            word.get_or_insert_with(|| Word::at(start)).add(run, quote == Quote::None);
            rest = behind;
            continue;
        }
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
        let meaning = match quote {
            Quote::Single => None,
            Quote::Double => {
                let closes = character == '$' && rest.starts_with(['\'', '"']);
                expansion(character, rest).filter(|_| !closes)
            }
            Quote::None => expansion(character, rest)
                .or_else(|| operator(character, rest))
                .or_else(|| pattern(character, rest, word.is_none())),
        };
        if let Some(meaning) = meaning {
            found.meanings.push((Span::new(start, start + character.len_utf8()), meaning));
        }
        let ends_word = quote == Quote::None
            && (matches!(character, ' ' | '\t') || matches!(meaning, Some(ShellMeaning::Operator(_))));
        if ends_word {
            let end = start;
            found.words.extend(word.take().map(|word| Word { end, ..word }));
            if meaning.is_some() {
                // `&&` is one operator, and so are `||`, `<<` and `>>`.
                rest = rest.strip_prefix(character).unwrap_or(rest);
            }
            continue;
        }
        let word = word.get_or_insert_with(|| Word::at(start));
        let mut literal = Some(character);
        match (quote, character) {
            (Quote::None, '\'') => (quote, quote_start, literal) = (Quote::Single, start, None),
            (Quote::None, '"') => (quote, quote_start, literal) = (Quote::Double, start, None),
            (Quote::Single, '\'') | (Quote::Double, '"') => (quote, literal) = (Quote::None, None),
            (Quote::None, '\\') => {
                literal = rest.chars().next();
                rest = literal.and_then(|escaped| rest.strip_prefix(escaped)).unwrap_or(rest);
                if literal.is_none() {
                    found.meanings.push((Span::new(start, start + 1), ShellMeaning::LoneBackslash));
                }
            }
            (Quote::Double, '\\') => {
                if let Some(escaped) =
                    rest.chars().next().filter(|next| matches!(next, '$' | '`' | '"' | '\\'))
                {
                    literal = Some(escaped);
                    rest = rest.strip_prefix(escaped).unwrap_or(rest);
                }
            }
            _ => {}
        }
        let untouched = quote == Quote::None && literal == Some(character) && character != '\\';
        if let Some(literal) = literal {
            word.add(literal.encode_utf8(&mut [0; 4]), untouched);
        }
    }
    if quote != Quote::None {
        let sign = if quote == Quote::Single { '\'' } else { '"' };
        found.meanings.push((Span::new(quote_start, quote_start + 1), ShellMeaning::OpenQuote(sign)));
    }
    let end = base + line.len();
    found.words.extend(word.map(|word| Word { end, ..word }));
    found
}

/// A character that means nothing but itself, in quotes and outside.
fn is_ordinary(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'/' | b'.' | b'_' | b'-' | b',' | b':' | b'=' | b'+' | b'%' | b'@')
}

fn expansion(character: char, rest: &str) -> Option<ShellMeaning> {
    let next = rest.chars().next();
    let what = match (character, next) {
        ('`', _) => "a command substitution",
        ('$', Some('(')) => "a command substitution",
        ('$', Some('{' | '[')) => "a parameter expansion",
        ('$', Some('\'' | '"')) => "a quotation that a shell rewrites",
        ('$', Some(c)) if c.is_ascii_alphanumeric() || c == '_' => "a variable",
        ('$', Some('?' | '$' | '!' | '#' | '@' | '*' | '-')) => "a variable",
        _ => return None,
    };
    Some(ShellMeaning::Expansion(what))
}

fn operator(character: char, rest: &str) -> Option<ShellMeaning> {
    let doubled = rest.starts_with(character);
    let what = match character {
        ';' => "chaining with `;`",
        '&' if doubled => "chaining with `&&`",
        '&' => "running in the background with `&`",
        '|' if doubled => "chaining with `||`",
        '|' => "a pipe",
        '<' if doubled => "a here-document",
        '<' | '>' => "redirection",
        '(' | ')' => "a subshell",
        _ => return None,
    };
    Some(ShellMeaning::Operator(what))
}

fn pattern(character: char, rest: &str, starts_word: bool) -> Option<ShellMeaning> {
    // Only a little is looked at, so that a word of nothing but `{` does not cost its square.
    let braces = || {
        let near = rest.get(..rest.floor_char_boundary(64)).unwrap_or_default();
        let word = near.split([' ', '\t']).next().unwrap_or_default();
        word.split_once('}').is_some_and(|(inner, _)| inner.contains(',') || inner.contains(".."))
    };
    let expands = match character {
        '*' | '?' | '[' | ']' => true,
        '{' => braces(),
        '#' => starts_word,
        _ => false,
    };
    expands.then_some(ShellMeaning::Pattern(character))
}

#[cfg(test)]
mod tests {
    use super::{ShellMeaning, split};

    #[track_caller]
    fn check(line: &str, words: &[&str], meanings: &[&str]) {
        let found = split(line, 0);
        let got: Vec<_> = found.words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(got, words, "{line}");
        let got: Vec<_> = found.meanings.iter().map(|(_, meaning)| name(*meaning)).collect();
        assert_eq!(got, meanings, "{line}");
    }

    fn name(meaning: ShellMeaning) -> &'static str {
        match meaning {
            ShellMeaning::Operator(_) => "operator",
            ShellMeaning::Expansion(_) => "expansion",
            ShellMeaning::Pattern(_) => "pattern",
            ShellMeaning::OpenQuote(_) => "open quote",
            ShellMeaning::LoneBackslash => "backslash",
        }
    }

    #[test]
    fn quoting_follows_posix() {
        check("python a.py", &["python", "a.py"], &[]);
        check("  python\t a.py ", &["python", "a.py"], &[]);
        check("a 'b c' \"d e\" f\\ g", &["a", "b c", "d e", "f g"], &[]);
        check("a''b \"\" ''", &["ab", "", ""], &[]);
        check("a 'x;y|z>(w)$(v)`u`'", &["a", "x;y|z>(w)$(v)`u`"], &[]);
        check("a \"x;y|z>(w)\"", &["a", "x;y|z>(w)"], &[]);
        check("a \"b\\\"c\\\\d\\e\"", &["a", "b\"c\\d\\e"], &[]);
        check("r\\m", &["rm"], &[]);
        check("a \\$x \\; \\*", &["a", "$x", ";", "*"], &[]);
        check("'it'\\''s'", &["it's"], &[]);
    }

    #[test]
    fn what_a_shell_would_do_is_noticed() {
        check("a;b", &["a", "b"], &["operator"]);
        check("a && b", &["a", "b"], &["operator"]);
        check("a $x", &["a", "$x"], &["expansion"]);
        check("a \"$x\" '$x'", &["a", "$x", "$x"], &["expansion"]);
        check("a \"`b`\"", &["a", "`b`"], &["expansion", "expansion"]);
        check("a $'x'", &["a", "$x"], &["expansion"]);
        check("a 5$ \"5$\" a$", &["a", "5$", "5$", "a$"], &[]);
        check("a *.py b? [c]", &["a", "*.py", "b?", "[c]"], &["pattern", "pattern", "pattern", "pattern"]);
        check("a {b,c} {d} x#y #z", &["a", "{b,c}", "{d}", "x#y", "#z"], &["pattern", "pattern"]);
        check("a 'b", &["a", "b"], &["open quote"]);
        check("a \\", &["a", ""], &["backslash"]);
        check("python -c print(1)", &["python", "-c", "print", "1"], &["operator", "operator"]);
    }
}
