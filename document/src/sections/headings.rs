//! Which lines are level 2 headings.
//!
//! A CommonMark parser says so, so that a line inside a fence, a comment or a quotation is none; a
//! plain text needs no parser, see [`super::outline`]. Code is another matter: a `## Code` section
//! is a program and not Markdown, so it ends at the next line that begins with `## `, whatever
//! Markdown makes of the lines in between. So is what a program printed, unless the runner put it
//! into a fence.

use call::Span;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};
use screen::glyph;

use super::outline::{self, NotPlain};
use super::{Holds, SectionRules, Title};
use crate::findings::Findings;
use crate::front::Part;
use crate::text::{Line, lines, quoted};

/// A level 2 heading, wherever it came from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Heading<'a> {
    pub(crate) span: Span,
    /// The line, without blanks at its end.
    pub(crate) line: &'a str,
    pub(crate) form: Form,
    /// Where the section's content begins.
    pub(crate) content: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `## ` in the first column.
    Exact,
    /// `## ` behind one to three spaces: a heading to CommonMark, not to us.
    Indented,
    /// Text with a line of `-` below it.
    Setext,
}

impl<'a> Heading<'a> {
    /// The heading that makes up `line`, in the first column.
    pub(crate) fn exact(line: Line<'a>) -> Self {
        let text = line.text.trim_end_matches([' ', '\t']);
        let span = Span::new(line.start, line.start + text.len());
        Self { span, line: text, form: Form::Exact, content: line.next }
    }

    /// The title that this heading is a misspelling of.
    pub(crate) fn meant(&self, titles: &[Title]) -> Option<usize> {
        // Much shorter or longer than any title, it is none; folding look-alikes is slow.
        if !(6..=80).contains(&self.line.len()) {
            return None;
        }
        titles.iter().position(|title| glyph::skeleton(title.line) == folded(self.line))
    }

    pub(crate) fn report_unknown(&self, titles: &[Title], rules: &SectionRules, findings: &mut Findings) {
        let hint = match self.form {
            Form::Setext => "put a blank line in front of `---` if a rule is meant".to_owned(),
            Form::Indented => "headings start in the first column".to_owned(),
            Form::Exact => match self.meant(titles).and_then(|at| titles.get(at)) {
                Some(title) => format!("write exactly {}", quoted(title.line)),
                None if titles.iter().any(|title| title.holds == Holds::Code) => {
                    "use another level of heading; in code, begin a comment with a single `#`".to_owned()
                }
                None => "use another level of heading".to_owned(),
            },
        };
        let message = format!("{} is not a section of this document", quoted(self.line));
        findings.advise(rules.unknown, self.span, message, hint);
    }
}

/// A heading as it compares with a title: look-alikes folded, one blank between words, no closing `#`.
fn folded(line: &str) -> String {
    let bare = glyph::skeleton(line.trim_start().trim_start_matches('#')).to_lowercase();
    let words: Vec<_> = bare.trim_end_matches('#').split_whitespace().collect();
    format!("## {}", words.join(" "))
}

/// Every level 2 heading of `body` that is not inside something else.
pub(crate) fn headings<'a>(body: Part<'a>, titles: &[Title]) -> Vec<Heading<'a>> {
    let mut headings = Vec::new();
    let mut rest = body;
    // Each round reads Markdown up to the first code section, which is skipped line by line.
    while let Some(code) = headings_until_code(rest, titles, &mut headings) {
        let next = rest.between(code, rest.end()).lines().find(|line| line.text.starts_with("## "));
        match next {
            Some(line) => rest = rest.between(line.start, rest.end()),
            None => break,
        }
    }
    headings
}

/// Collects headings up to and including the first one of a code section; says where that one's
/// content begins.
fn headings_until_code<'a>(part: Part<'a>, titles: &[Title], found: &mut Vec<Heading<'a>>) -> Option<usize> {
    let before = found.len();
    match until_code(outline::headings(part), part, titles, found) {
        Ok(code) => code,
        Err(NotPlain) => {
            found.truncate(before);
            until_code(parsed(part).map(Ok), part, titles, found).unwrap_or(None)
        }
    }
}

fn until_code<'a>(
    headings: impl Iterator<Item = Result<Heading<'a>, NotPlain>>,
    part: Part<'a>,
    titles: &[Title],
    found: &mut Vec<Heading<'a>>,
) -> Result<Option<usize>, NotPlain> {
    for heading in headings {
        let heading = heading?;
        let content = heading.content;
        let title = titles.iter().find(|title| title.line == heading.line);
        let begins_code = heading.form == Form::Exact
            && title.is_some_and(|title| match title.holds {
                Holds::Prose => false,
                Holds::Code => true,
                Holds::Stream => !begins_with_fence(part.between(content, part.end())),
            });
        found.push(heading);
        if begins_code {
            return Ok(Some(content));
        }
    }
    Ok(None)
}

/// The headings that a CommonMark parser finds.
pub(crate) fn parsed(part: Part<'_>) -> impl Iterator<Item = Heading<'_>> {
    let mut depth = 0_usize;
    Parser::new_ext(part.text, Options::empty()).into_offset_iter().filter_map(move |(event, range)| {
        let outside = depth == 0;
        match event {
            Event::Start(tag) => {
                depth += 1;
                let is_heading = matches!(tag, Tag::Heading { level: HeadingLevel::H2, .. });
                return (is_heading && outside).then(|| heading(part, range));
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
        None
    })
}

fn begins_with_fence(part: Part<'_>) -> bool {
    let first = part.lines().find(|line| !line.text.trim().is_empty());
    first.is_some_and(|line| line.text.starts_with("```") || line.text.starts_with("~~~"))
}

fn heading(part: Part<'_>, range: std::ops::Range<usize>) -> Heading<'_> {
    let before = part.text.get(..range.start).unwrap_or_default();
    let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let rest = part.text.get(line_start..).unwrap_or_default();
    let line = lines(rest, part.start + line_start).next();
    let heading = Heading::exact(line.unwrap_or(Line { start: part.end(), text: "", next: part.end() }));
    if heading.line.starts_with("##") {
        heading
    } else if heading.line.trim_start().starts_with("##") {
        Heading { form: Form::Indented, ..heading }
    } else {
        Heading { form: Form::Setext, content: part.start + range.end, ..heading }
    }
}
