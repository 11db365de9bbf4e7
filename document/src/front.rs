//! Where the front matter ends and the body begins.

use call::Span;

use crate::bytes::any_pair;
use crate::findings::Findings;
use crate::rules;
use crate::text::{Line, lines};

/// A document cut in two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split<'a> {
    /// The whole document.
    pub(crate) text: &'a str,
    /// The first `---` line: where a missing key is reported.
    pub(crate) opening: Span,
    /// The YAML between the two `---` lines.
    pub(crate) front: Part<'a>,
    /// Everything behind them.
    pub(crate) body: Part<'a>,
}

/// A stretch of the document and where it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    pub(crate) start: usize,
}

impl<'a> Part<'a> {
    pub(crate) fn lines(self) -> impl Iterator<Item = Line<'a>> {
        lines(self.text, self.start)
    }

    pub(crate) fn end(self) -> usize {
        self.start + self.text.len()
    }

    /// The part of this part from `start` to `end`, both offsets in the document.
    pub(crate) fn between(self, start: usize, end: usize) -> Self {
        let range = start.saturating_sub(self.start)..end.saturating_sub(self.start);
        Self { text: self.text.get(range).unwrap_or_default(), start }
    }
}

/// Cuts a document at its two `---` lines. Nothing comes back when they are not there.
///
/// Both stand in the first column; blanks behind them do not matter. YAML itself allows no `---` at
/// the start of a line inside a value, so the first one is the end.
pub(crate) fn split<'a>(text: &'a str, findings: &mut Findings) -> Option<Split<'a>> {
    let mut start = 0;
    if text.starts_with('\u{feff}') {
        start = '\u{feff}'.len_utf8();
        let message = "the document begins with a byte order mark";
        findings.advise(&rules::BYTE_ORDER_MARK, Span::new(0, start), message, "save it as plain UTF-8");
    }
    let document = Part { text: text.get(start..).unwrap_or_default(), start };
    let mut rest = document.lines();
    let Some(first) = rest.next().filter(is_rule) else {
        findings.advise(
            &rules::FRONT_MATTER_MISSING,
            Span::at(start),
            "the document does not begin with front matter",
            "begin it with a `---` line, the keys, and another `---` line",
        );
        return None;
    };
    let opening = Span::new(first.start, first.start + first.text.len());
    let Some(last) = rest.find(is_rule) else {
        let message = "the front matter is not closed";
        findings.advise(&rules::FRONT_MATTER_OPEN, opening, message, "end it with a `---` line");
        return None;
    };
    Some(Split {
        text,
        opening,
        front: document.between(first.next, last.start),
        body: document.between(last.next, document.end()),
    })
}

/// Reports a second block of front matter in the body: two `---` lines with keys between them.
///
/// A lone rule, or prose between two rules, is ordinary Markdown. A block counts when it holds
/// nothing but keys, and either begins directly with a key of `known`, holds two of them, or opens
/// the body. What stands in a code fence is an example.
pub(crate) fn refuse_second_block(body: Part<'_>, known: &[&str], findings: &mut Findings) {
    // Few bodies hold two `-` in a row but in the options of a command.
    let is_rule_begun = |first: u8, second: u8| (first == b'-') & (second == b'-');
    if !any_pair(body.text, is_rule_begun) || !body.text.contains("---") {
        return;
    }
    let mut opening: Option<Line<'_>> = None;
    let mut first = true;
    let mut fenced = false;
    let mut block = Block::default();
    for line in body.lines() {
        if line.text.starts_with("```") || line.text.starts_with("~~~") {
            fenced = !fenced;
        }
        if is_rule(&line) && !fenced {
            if let Some(opening) = opening.filter(|_| block.is_front_matter()) {
                let span = Span::new(opening.start, opening.start + opening.text.len());
                let message = "the body holds a second block of front matter";
                findings.advise(&rules::SECOND_FRONT_MATTER, span, message, "keep one block, at the top");
            }
            block = Block { opens_body: first, ..Block::default() };
            opening = Some(line);
        } else {
            block.see(line.text, known);
        }
        first &= line.text.trim().is_empty();
    }
}

/// What stands between two `---` lines.
#[derive(Default)]
struct Block {
    opens_body: bool,
    begins_with_known_key: bool,
    n_known_keys: usize,
    n_keys: usize,
    n_lines: usize,
    n_other_lines: usize,
}

impl Block {
    fn see(&mut self, line: &str, known: &[&str]) {
        let key = line.split_once(':').map(|(key, _)| key.trim_end()).filter(|key| is_key(key));
        match key {
            Some(key) => {
                let is_known = known.contains(&key);
                self.begins_with_known_key |= is_known && self.n_lines == 0;
                self.n_keys += 1;
                self.n_known_keys += usize::from(is_known);
            }
            None => {
                let continues = line.trim().is_empty() || line.starts_with([' ', '\t', '-', '#']);
                self.n_other_lines += usize::from(!continues);
            }
        }
        self.n_lines += 1;
    }

    fn is_front_matter(&self) -> bool {
        let tells = self.begins_with_known_key || self.n_known_keys > 1 || self.opens_body;
        tells && self.n_keys > 0 && self.n_other_lines == 0
    }
}

fn is_rule(line: &Line<'_>) -> bool {
    line.text.strip_prefix("---").is_some_and(|rest| rest.trim_matches([' ', '\t']).is_empty())
}

fn is_key(text: &str) -> bool {
    let text = text.trim_matches(['"', '\'']);
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}
