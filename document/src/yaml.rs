//! Front matter: a small, strict part of YAML, with a place for every value.
//!
//! What two YAML readers could understand differently is refused: duplicate keys, anchors, aliases,
//! merge keys, tags, keys that are not text. Scalars stay text; whether `1` is a number is for the
//! key that asks for one. The parser's events are folded into a tree without recursion, and the
//! fold ends at the first level too deep.

use std::borrow::Cow;
use std::collections::HashSet;

use call::Span;
use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use crate::findings::Findings;
use crate::rules;
use crate::text::{lines, quoted};

/// Levels of lists and mappings, the outermost mapping included. The deepest value that the
/// specification names lies on the third.
const DEEPEST: usize = 8;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) node: Node,
    pub(crate) span: Span,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// Text. `plain` when it was written without quotes, so that `null` and `true` could be told.
    Scalar { text: String, plain: bool },
    /// A list.
    List(Vec<Value>),
    /// A mapping, in the order of the document, every key once.
    Map(Map),
    /// An alias: reported when it was met, so nobody needs to complain about it again.
    Refused,
}

/// A mapping, in the order of the document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map {
    pub(crate) entries: Vec<Entry>,
}

/// One key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) value: Value,
}

impl Map {
    /// The entry of this key.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

impl Value {
    /// Nothing at all: an empty value, `~` or `null`, without quotes.
    pub(crate) fn is_null(&self) -> bool {
        match &self.node {
            Node::Scalar { text, plain: true } => {
                matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL")
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
pub(crate) fn read(text: &str, base: usize, findings: &mut Findings) -> Option<Map> {
    if let Some(line) =
        lines(text, base).find(|line| line.text.trim_end() == "..." || line.text.starts_with("... "))
    {
        let message = "a `...` line ends the YAML before the front matter ends";
        findings.add(&rules::FRONT_MATTER_YAML, Span::new(line.start, line.start + 3), message);
        return None;
    }
    let offsets = Offsets::of(text, base);
    let mut fold = Fold { open: Vec::new(), root: None, findings };
    for step in Parser::new_from_str(text) {
        let (event, place) = match step {
            Ok(step) => step,
            Err(error) => {
                let at = offsets.byte(error.marker().index());
                let message = format!("the front matter is not YAML: {}", error.info());
                fold.findings.add(&rules::FRONT_MATTER_YAML, Span::at(at), message);
                return None;
            }
        };
        let span = Span::new(offsets.byte(place.start.index()), offsets.byte(place.end.index()));
        fold.take(event, span).ok()?;
    }
    // Nothing but comments and blank lines is an empty mapping.
    let Some(root) = fold.root else { return Some(Map::default()) };
    match root.node {
        Node::Map(map) => Some(map),
        Node::Scalar { .. } if root.is_null() => Some(Map::default()),
        Node::Scalar { .. } | Node::List(_) | Node::Refused => {
            let message = "the front matter is not a mapping of keys to values";
            findings.add(&rules::FRONT_MATTER_MAPPING, root.span, message);
            None
        }
    }
}

/// The tree while it grows.
struct Fold<'a> {
    open: Vec<Open>,
    root: Option<Value>,
    findings: &'a mut Findings,
}

/// A list or mapping whose end has not come yet.
struct Open {
    span: Span,
    node: OpenNode,
}

enum OpenNode {
    List(Vec<Value>),
    Map { entries: Vec<Entry>, seen: Keys, key: Option<(String, Span)> },
}

/// Which keys a mapping has had. Few mappings have many: those are searched, the others hashed, so
/// that neither an honest document pays for a hash nor a hostile one makes the search quadratic.
#[derive(Default)]
struct Keys {
    hashed: HashSet<String>,
}

impl Keys {
    const FEW: usize = 32;

    fn is_new(&mut self, key: &str, entries: &[Entry]) -> bool {
        if entries.len() < Self::FEW {
            return !entries.iter().any(|entry| entry.key == key);
        }
        if self.hashed.is_empty() {
            self.hashed = entries.iter().map(|entry| entry.key.clone()).collect();
        }
        self.hashed.insert(key.to_owned())
    }
}

/// The front matter cannot be read on; the finding is made.
struct Stop;

impl Fold<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Stop> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(_) if self.root.is_some() => {
                let message = "the front matter holds a second YAML document";
                self.stop(&rules::FRONT_MATTER_YAML, span, message)
            }
            Event::DocumentStart(_) => Ok(()),
            Event::Alias(_) => {
                self.findings.advise(
                    &rules::ANCHOR_OR_ALIAS,
                    span,
                    "a YAML alias stands for a value from elsewhere",
                    "write the value out",
                );
                self.place(Value { node: Node::Refused, span })
            }
            Event::Scalar(text, style, anchor, tag) => {
                let plain = matches!(style, ScalarStyle::Plain);
                let merges = plain && text == "<<" && self.expects_key();
                self.refuse_extras(anchor, tag, span);
                if merges {
                    self.findings.advise(
                        &rules::MERGE_KEY,
                        span,
                        "a YAML merge key takes values from elsewhere",
                        "write the keys out",
                    );
                }
                self.place(Value { node: Node::Scalar { text: text.into_owned(), plain }, span })
            }
            Event::SequenceStart(anchor, tag) => {
                self.refuse_extras(anchor, tag, span);
                self.open(OpenNode::List(Vec::new()), span)
            }
            Event::MappingStart(anchor, tag) => {
                self.refuse_extras(anchor, tag, span);
                let node = OpenNode::Map { entries: Vec::new(), seen: Keys::default(), key: None };
                self.open(node, span)
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                None => Ok(()),
                Some(Open { span: begun, node }) => {
                    let node = match node {
                        OpenNode::List(values) => Node::List(values),
                        OpenNode::Map { entries, .. } => Node::Map(Map { entries }),
                    };
                    self.place(Value { node, span: Span::new(begun.start, span.end) })
                }
            },
        }
    }

    fn open(&mut self, node: OpenNode, span: Span) -> Result<(), Stop> {
        if self.open.len() == DEEPEST {
            let message = format!("the front matter is nested deeper than {DEEPEST} levels");
            return self.stop(&rules::FRONT_MATTER_YAML, span, message);
        }
        if self.expects_key() {
            return self.stop(&rules::FRONT_MATTER_MAPPING, span, "a key is a list or a mapping, not text");
        }
        self.open.push(Open { span, node });
        Ok(())
    }

    /// Puts a finished value where it belongs: into the list, or as key or value of the mapping.
    fn place(&mut self, value: Value) -> Result<(), Stop> {
        let Some(Open { node, .. }) = self.open.last_mut() else {
            self.root = Some(value);
            return Ok(());
        };
        match node {
            OpenNode::List(values) => values.push(value),
            OpenNode::Map { entries, seen, key } => match key.take() {
                Some((key, key_span)) => {
                    if seen.is_new(&key, entries) {
                        entries.push(Entry { key, key_span, value });
                    } else {
                        let message = format!("the key {} is given twice", quoted(&key));
                        self.findings.advise(&rules::DUPLICATE_KEY, key_span, message, "keep one of them");
                    }
                }
                None => match value.node {
                    Node::Scalar { text, .. } => *key = Some((text, value.span)),
                    Node::List(_) | Node::Map(_) | Node::Refused => {
                        let message = "a key is not plain text";
                        return self.stop(&rules::FRONT_MATTER_MAPPING, value.span, message);
                    }
                },
            },
        }
        Ok(())
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { node: OpenNode::Map { key: None, .. }, .. }))
    }

    fn refuse_extras(&mut self, anchor: usize, tag: Option<Cow<'_, Tag>>, span: Span) {
        if anchor != 0 {
            let message = "a YAML anchor lets a value be used elsewhere";
            self.findings.advise(&rules::ANCHOR_OR_ALIAS, span, message, "remove the `&name`");
        }
        if let Some(tag) = tag {
            let message = format!("a YAML tag {} changes how a value is read", quoted(&tag.to_string()));
            self.findings.advise(&rules::YAML_TAG, span, message, "remove the tag");
        }
    }

    fn stop(
        &mut self,
        rule: &'static rules::Rule,
        span: Span,
        message: impl Into<String>,
    ) -> Result<(), Stop> {
        self.findings.add(rule, span, message);
        Err(Stop)
    }
}

/// The parser counts characters, documents are placed in bytes.
struct Offsets {
    base: usize,
    /// Byte offset of each character; empty when the text is ASCII and the two counts are one.
    bytes: Vec<usize>,
    end: usize,
}

impl Offsets {
    fn of(text: &str, base: usize) -> Self {
        let bytes =
            if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(at, _)| at).collect() };
        Self { base, bytes, end: text.len() }
    }

    fn byte(&self, character: usize) -> usize {
        let offset = if self.bytes.is_empty() { Some(character) } else { self.bytes.get(character).copied() };
        self.base + offset.unwrap_or(self.end).min(self.end)
    }
}
