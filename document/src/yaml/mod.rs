//! Front matter: a small, strict part of YAML, with a place for every value.
//!
//! What two YAML readers could understand differently is refused: duplicate keys, anchors, aliases,
//! merge keys, tags, keys that are not text. Scalars stay text; whether `1` is a number is for the
//! key that asks for one.
//!
//! Nearly every front matter is simple enough to be read line by line, in [`simple`]; every other
//! one is read by a YAML [`parser`]. **Invariant:** where the first answers, the second would have
//! given the same tree with the same places.

pub(crate) mod parser;
pub(crate) mod simple;

use std::borrow::Cow;

use call::Span;

use crate::findings::Findings;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value<'a> {
    pub(crate) node: Node<'a>,
    pub(crate) span: Span,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node<'a> {
    /// Text; borrowed where it stands in the document in one piece and on one line. `plain` when it
    /// was written without quotes, so that `null` and `true` could be told.
    Scalar { text: Cow<'a, str>, plain: bool },
    /// A list.
    List(Vec<Value<'a>>),
    /// A mapping, in the order of the document, every key once.
    Map(Map<'a>),
    /// An alias: reported when it was met, so nobody needs to complain about it again.
    Refused,
}

/// A mapping, in the order of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Map<'a> {
    pub(crate) entries: Vec<Entry<'a>>,
}

/// One key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    pub(crate) key: Cow<'a, str>,
    pub(crate) key_span: Span,
    pub(crate) value: Value<'a>,
}

impl<'a> Map<'a> {
    /// The entry of this key.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

impl Value<'_> {
    /// Nothing at all: an empty value, `~` or `null`, without quotes.
    pub(crate) fn is_null(&self) -> bool {
        match &self.node {
            Node::Scalar { text, plain: true } => {
                matches!(&**text, "" | "~" | "null" | "Null" | "NULL")
            }
            Node::Scalar { plain: false, .. } | Node::List(_) | Node::Map(_) | Node::Refused => false,
        }
    }

    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.node {
            Node::Scalar { text, .. } => Some(text),
            Node::List(_) | Node::Map(_) | Node::Refused => None,
        }
    }
}

/// Reads the front matter `text`, which begins at `base` in the document.
///
/// Nothing comes back when it is not a mapping; the finding says why.
pub(crate) fn read<'a>(text: &'a str, base: usize, findings: &mut Findings) -> Option<Map<'a>> {
    simple::read(text, base).or_else(|| parser::read(text, base, findings))
}
