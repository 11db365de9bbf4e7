//! Front matter of any shape: the events of a YAML parser, folded into a tree.
//!
//! The fold needs no recursion, and ends at the first level too deep.

use std::borrow::Cow;
use std::collections::HashSet;

use call::Span;
use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::{Entry, Map, Node, Value};
use crate::findings::Findings;
use crate::rules;
use crate::text::{lines, quoted};

/// Levels of lists and mappings, the outermost mapping included. The deepest value that the
/// specification names lies on the third.
const DEEPEST: usize = 8;

/// As [`super::read`].
pub(crate) fn read<'a>(text: &'a str, base: usize, findings: &mut Findings) -> Option<Map<'a>> {
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
struct Fold<'a, 'f> {
    open: Vec<Open<'a>>,
    root: Option<Value<'a>>,
    findings: &'f mut Findings,
}

/// A list or mapping whose end has not come yet.
struct Open<'a> {
    span: Span,
    node: OpenNode<'a>,
}

enum OpenNode<'a> {
    List(Vec<Value<'a>>),
    Map { entries: Vec<Entry<'a>>, seen: Keys, key: Option<(Cow<'a, str>, Span)> },
}

/// Which keys a mapping has had. Few mappings have many: those are searched, the others hashed, so
/// that neither an honest document pays for a hash nor a hostile one makes the search quadratic.
#[derive(Default)]
struct Keys {
    hashed: HashSet<String>,
}

impl Keys {
    const FEW: usize = 32;

    fn is_new(&mut self, key: &str, entries: &[Entry<'_>]) -> bool {
        if entries.len() < Self::FEW {
            return !entries.iter().any(|entry| entry.key == key);
        }
        if self.hashed.is_empty() {
            self.hashed = entries.iter().map(|entry| entry.key.clone().into_owned()).collect();
        }
        self.hashed.insert(key.to_owned())
    }
}

/// The front matter cannot be read on; the finding is made.
struct Stop;

impl<'a> Fold<'a, '_> {
    fn take(&mut self, event: Event<'a>, span: Span) -> Result<(), Stop> {
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
                let text = Cow::Owned(text.into_owned());
                self.place(Value { node: Node::Scalar { text, plain }, span })
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

    fn open(&mut self, node: OpenNode<'a>, span: Span) -> Result<(), Stop> {
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
    fn place(&mut self, value: Value<'a>) -> Result<(), Stop> {
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
