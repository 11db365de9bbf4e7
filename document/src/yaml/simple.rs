//! The front matter that nearly everybody writes, read line by line.
//!
//! Keys in the first column; behind each a value on the same line, or below it a list of values or
//! of small mappings. Values are plain or in quotes without escapes, comments have lines of their
//! own. At the slightest doubt the reader gives up and reports nothing: it knows only what is right,
//! and the parser says what is wrong.

use std::borrow::Cow;

use call::Span;

use super::{Entry, Map, Node, Value};
use crate::bytes::{any_byte, any_pair, is_control};
use crate::text::lines;

/// A mapping of more keys is left to the parser, which finds a key that is given twice by its hash.
const MOST_KEYS: usize = 32;

/// The front matter `text`, which begins at `base` in the document; nothing when it is not simple.
pub(crate) fn read(text: &str, base: usize) -> Option<Map<'_>> {
    if any_byte(text, is_control) || !text.is_ascii() && text.contains('\u{feff}') {
        return None;
    }
    let rows = lines(text, base).filter_map(|line| Row::of(line.text, line.start));
    let mut reader = Reader { rows, row: None, end: base + text.len() };
    reader.step();
    let mut entries = Vec::with_capacity(MOST_KEYS);
    while let Some(row) = reader.row {
        let pair = if row.column == 0 && !row.is_item { row.pair()? } else { return None };
        reader.step();
        let value = match pair.value {
            Some((text, start)) => scalar(text, start)?,
            None if reader.row.is_some_and(|row| row.is_item) => reader.list()?,
            None => nothing(pair.key_span.end),
        };
        add(&mut entries, Entry { key: Cow::Borrowed(pair.key), key_span: pair.key_span, value })?;
    }
    Some(Map { entries })
}

/// A line that is neither blank nor a comment.
#[derive(Clone, Copy)]
struct Row<'a> {
    /// The column of its first character.
    column: usize,
    /// Where that character stands in the document.
    start: usize,
    /// Whether it is the `-` of a list item.
    is_item: bool,
    /// What the line says, behind the `-` and its blanks.
    text: &'a str,
    /// Where that begins in the document.
    text_start: usize,
}

/// `key: value`, or `key:` alone.
struct Pair<'a> {
    key: &'a str,
    key_span: Span,
    value: Option<(&'a str, usize)>,
}

impl<'a> Row<'a> {
    fn of(line: &'a str, line_start: usize) -> Option<Self> {
        let shown = line.trim_start_matches(' ');
        if shown.is_empty() || shown.starts_with('#') {
            return None;
        }
        let column = line.len() - shown.len();
        let start = line_start + column;
        let item = shown.strip_prefix("- ").map(|rest| rest.trim_start_matches(' '));
        let text = item.unwrap_or(shown);
        let text_start = start + shown.len() - text.len();
        Some(Self { column, start, is_item: item.is_some(), text, text_start })
    }

    fn pair(&self) -> Option<Pair<'a>> {
        let is_key = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let length = self.text.bytes().position(|byte| !is_key(byte))?;
        // The parser stops looking for the colon of a very long key.
        let (key, rest) = self.text.split_at_checked(length).filter(|_| (1..=100).contains(&length))?;
        let rest = rest.strip_prefix(':')?;
        let key_span = Span::new(self.text_start, self.text_start + length);
        if rest.is_empty() {
            return Some(Pair { key, key_span, value: None });
        }
        let value = rest.strip_prefix(' ')?.trim_start_matches(' ');
        let start = self.text_start + self.text.len() - value.len();
        Some(Pair { key, key_span, value: Some((value, start)) })
    }
}

/// The rows, one of them in view.
struct Reader<'a, I: Iterator<Item = Row<'a>>> {
    rows: I,
    row: Option<Row<'a>>,
    end: usize,
}

impl<'a, I: Iterator<Item = Row<'a>>> Reader<'a, I> {
    fn step(&mut self) {
        self.row = self.rows.next();
    }

    /// Where the parser says that a list or mapping ends: at whatever comes next.
    fn place(&self) -> usize {
        self.row.map_or(self.end, |row| row.start)
    }

    /// The list whose first item is in view.
    fn list(&mut self) -> Option<Value<'a>> {
        let first = self.row?;
        // The parser has a list in the first column begin behind its first `-`.
        let start = if first.column == 0 { first.text_start } else { first.start };
        let mut items = Vec::with_capacity(4);
        while let Some(row) = self.row.filter(|row| row.is_item && row.column == first.column) {
            self.step();
            let item = match row.pair() {
                Some(pair) => self.mapping(row, pair)?,
                None => scalar(row.text, row.text_start)?,
            };
            items.push(item);
        }
        Some(Value { node: Node::List(items), span: Span::new(start, self.place()) })
    }

    /// The mapping that begins with `pair` in the list item `row`; the other keys stand below it.
    fn mapping(&mut self, row: Row<'a>, pair: Pair<'a>) -> Option<Value<'a>> {
        let column = row.column + row.text_start - row.start;
        let mut entries = Vec::with_capacity(2);
        let mut next = Some(pair);
        while let Some(Pair { key, key_span, value }) = next {
            let (text, start) = value?;
            let value = scalar(text, start)?;
            add(&mut entries, Entry { key: Cow::Borrowed(key), key_span, value })?;
            next = match self.row.filter(|row| !row.is_item && row.column == column) {
                Some(row) => Some(row.pair()?),
                None => break,
            };
            self.step();
        }
        let span = Span::new(row.text_start, self.place());
        Some(Value { node: Node::Map(Map { entries }), span })
    }
}

fn add<'a>(entries: &mut Vec<Entry<'a>>, entry: Entry<'a>) -> Option<()> {
    let is_new = entries.len() < MOST_KEYS && !entries.iter().any(|other| other.key == entry.key);
    is_new.then(|| entries.push(entry))
}

/// One value, which ends where its line ends.
fn scalar(text: &str, start: usize) -> Option<Value<'_>> {
    let inside = |quote| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    let (text, plain, length) = match text.bytes().next()? {
        b'"' => (
            inside('"').filter(|inner| !any_byte(inner, |byte| (byte == b'"') | (byte == b'\\')))?,
            false,
            text.len(),
        ),
        b'\'' => (inside('\'').filter(|inner| !any_byte(inner, |byte| byte == b'\''))?, false, text.len()),
        first if can_begin(first) && is_plain(text) => (text, true, text.len()),
        _ => return None,
    };
    let node = Node::Scalar { text: Cow::Borrowed(text), plain };
    Some(Value { node, span: Span::new(start, start + length) })
}

/// The value of a key that has none stands at its colon.
fn nothing(colon: usize) -> Value<'static> {
    Value { node: Node::Scalar { text: Cow::Borrowed(""), plain: true }, span: Span::at(colon) }
}

/// Whether a plain value may begin like this. More could, but then the next character matters too.
fn can_begin(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'/' | b'.' | b'_' | b'~' | b'(' | b'+')
        || !byte.is_ascii()
}

/// No ` #`, which begins a comment, no `: `, which ends a key, and no blank at the end.
fn is_plain(text: &str) -> bool {
    let ends =
        |first: u8, second: u8| (first == b':') & (second == b' ') | (first == b' ') & (second == b'#');
    !text.ends_with([' ', ':']) && !any_pair(text, ends)
}
