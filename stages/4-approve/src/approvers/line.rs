//! One line of the file of approvers: names, options, a key, a remark.

use call::Moment;

use super::pattern::Patterns;
use super::times::{self, Edge};
use crate::principal::BadPrincipal;
use crate::signature::{BadKey, Key};

/// A key and for whom it counts.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) line: usize,
    names: Patterns,
    pub(crate) key: Key,
    /// Whether the key signs certificates, and nothing else.
    pub(crate) authority: bool,
    namespaces: Option<Patterns>,
    pub(crate) after: Option<Moment>,
    pub(crate) before: Option<Moment>,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadLine {
    /// A quotation mark is missing.
    #[error("a quotation mark has no other half")]
    Quote,
    /// There is no key behind the names.
    #[error("expected names, options and a public key")]
    NoKey,
    /// A name cannot be taken.
    #[error("{0}")]
    Name(#[from] BadPrincipal),
    /// There are no names, or an empty one among them.
    #[error("expected names with a comma between two of them")]
    NoName,
    /// Two names can be taken for each other.
    #[error("`{name}` can be taken for a name in line {line}")]
    LooksLike {
        /// The name.
        name: String,
        /// The line of the other.
        line: usize,
    },
    /// An option is not known.
    #[error(
        "the option `{0}` is not known; expected `cert-authority`, `namespaces=`, `valid-after=` or `valid-before=`"
    )]
    Option(String),
    /// An option is given twice.
    #[error("the option `{0}` is given twice")]
    Twice(&'static str),
    /// An option has no value, or one that it cannot have.
    #[error("the option `{0}` has no value that it can have")]
    Value(&'static str),
    /// Not a time.
    #[error("`{0}` is not a time; expected `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, and `Z` for UTC")]
    Time(String),
    /// The key is never valid.
    #[error("the key is never valid: `valid-before` is not after `valid-after`")]
    Never,
    /// The key cannot be taken.
    #[error("{0}")]
    Key(#[from] BadKey),
}

impl Entry {
    /// Reads a line that is neither empty nor a remark.
    pub(crate) fn parse(line: usize, text: &str) -> Result<Self, BadLine> {
        let (names, rest) = first_word(text).ok_or(BadLine::Quote)?;
        let names = Patterns::names(&names)?;
        let rest = rest.trim_start_matches([' ', '\t']);
        let (options, rest) = if key_at(rest).is_some() { ("", rest) } else { split_options(rest)? };
        let (kind, base64) = key_at(rest).ok_or(BadLine::NoKey)?;
        let key = Key::from_words(kind, base64)?;
        let mut entry =
            Self { line, names, key, authority: false, namespaces: None, after: None, before: None };
        for option in parts(options) {
            entry.take(option)?;
        }
        if let (Some(after), Some(before)) = (entry.after, entry.before)
            && before <= after
        {
            return Err(BadLine::Never);
        }
        Ok(entry)
    }

    /// Takes one option. Their names are compared as OpenSSH does, whatever their case.
    fn take(&mut self, option: &str) -> Result<(), BadLine> {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        let once = |given: bool, name: &'static str| if given { Err(BadLine::Twice(name)) } else { Ok(()) };
        match (name.to_ascii_lowercase().as_str(), value) {
            ("cert-authority", None) => {
                once(self.authority, "cert-authority")?;
                self.authority = true;
            }
            ("namespaces", Some(value)) => {
                once(self.namespaces.is_some(), "namespaces")?;
                let list = unquoted(value).ok_or(BadLine::Value("namespaces"))?;
                self.namespaces = Some(Patterns::plain(&list).ok_or(BadLine::Value("namespaces"))?);
            }
            ("valid-after", Some(value)) => {
                once(self.after.is_some(), "valid-after")?;
                self.after = Some(time(value, Edge::From, "valid-after")?);
            }
            ("valid-before", Some(value)) => {
                once(self.before.is_some(), "valid-before")?;
                self.before = Some(time(value, Edge::Until, "valid-before")?);
            }
            ("cert-authority", Some(_)) => return Err(BadLine::Value("cert-authority")),
            ("namespaces", None) => return Err(BadLine::Value("namespaces")),
            ("valid-after", None) => return Err(BadLine::Value("valid-after")),
            ("valid-before", None) => return Err(BadLine::Value("valid-before")),
            (_, _) => {
                return Err(BadLine::Option(option.chars().take(64).flat_map(char::escape_debug).collect()));
            }
        }
        Ok(())
    }

    /// Whether the key is for this name.
    pub(crate) fn lists(&self, principal: &crate::principal::Principal) -> bool {
        self.names.matches(principal.as_str())
    }

    /// Whether the key is for this purpose.
    pub(crate) fn is_for(&self, namespace: &str) -> bool {
        self.namespaces.as_ref().is_none_or(|namespaces| namespaces.matches(namespace))
    }

    /// Names that are no patterns.
    pub(crate) fn plain_names(&self) -> impl Iterator<Item = &str> {
        self.names.plain_ones()
    }
}

fn time(value: &str, edge: Edge, name: &'static str) -> Result<Moment, BadLine> {
    let text = unquoted(value).ok_or(BadLine::Value(name))?;
    times::parse(&text, edge)
        .ok_or_else(|| BadLine::Time(text.chars().take(32).flat_map(char::escape_debug).collect()))
}

/// The first word, without its quotation marks, and the rest; nothing when a mark has no other half.
fn first_word(text: &str) -> Option<(String, &str)> {
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(word, rest)| (word.to_owned(), rest)),
        None => {
            let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
            (!word.contains('"')).then(|| (word.to_owned(), rest))
        }
    }
}

/// Kind and base 64 of a key, when one stands here.
fn key_at(text: &str) -> Option<(&str, &str)> {
    let mut words = text.split([' ', '\t']).filter(|word| !word.is_empty());
    let (kind, base64) = (words.next()?, words.next()?);
    let plain = |c: char| c.is_ascii_alphanumeric() || "-@._".contains(c);
    let is_kind =
        kind.chars().all(plain) && ["ssh-", "ecdsa-", "sk-"].iter().any(|start| kind.starts_with(start));
    is_kind.then_some((kind, base64))
}

/// The options and what stands behind them: they end at the first blank outside of quotation marks.
fn split_options(text: &str) -> Result<(&str, &str), BadLine> {
    let mut quoted = false;
    let mut escaped = false;
    for (place, character) in text.char_indices() {
        match character {
            '\\' if quoted && !escaped => escaped = true,
            '"' if !escaped => quoted = !quoted,
            ' ' | '\t' if !quoted => {
                let (options, rest) = text.split_at_checked(place).ok_or(BadLine::NoKey)?;
                return Ok((options, rest.trim_start_matches([' ', '\t'])));
            }
            _ => escaped = false,
        }
    }
    if quoted { Err(BadLine::Quote) } else { Err(BadLine::NoKey) }
}

/// The options one by one: commas outside of quotation marks stand between them.
fn parts(options: &str) -> Vec<&str> {
    let mut quoted = false;
    let mut escaped = false;
    let between = |character: char| {
        match character {
            '\\' if quoted && !escaped => {
                escaped = true;
                return false;
            }
            '"' if !escaped => quoted = !quoted,
            ',' if !quoted => return true,
            _ => {}
        }
        escaped = false;
        false
    };
    if options.is_empty() { Vec::new() } else { options.split(between).collect() }
}

/// A value between quotation marks, or as it is when it has none.
fn unquoted(value: &str) -> Option<String> {
    let Some(inside) = value.strip_prefix('"') else {
        return (!value.is_empty() && !value.contains('"')).then(|| value.to_owned());
    };
    let inside = inside.strip_suffix('"')?;
    let text = inside.replace("\\\"", "\u{0}");
    (!text.contains('"') && !text.is_empty()).then(|| text.replace('\u{0}', "\""))
}
