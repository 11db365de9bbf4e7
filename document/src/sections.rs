//! Sections: level 2 headings and what stands below them.
//!
//! A CommonMark parser says what a heading is, so that one inside a fence, a comment or a quotation
//! is none. Code is another matter: a `## Code` section is a program and not Markdown, so it ends
//! at the next line that begins with `## `, whatever Markdown makes of the lines in between. So is
//! what a program printed, unless the runner put it into a fence.

use call::Span;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};
use screen::glyph;

use crate::findings::Findings;
use crate::front::Part;
use crate::rules::{self, Rule};
use crate::text::{Line, lines, quoted};

/// A section that a kind of document has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Title {
    /// The whole heading line.
    pub(crate) line: &'static str,
    /// Whether a document without it is refused.
    pub(crate) required: bool,
    /// What its content is to Markdown.
    pub(crate) holds: Holds,
}

/// What the content of a section is to Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Markdown.
    Prose,
    /// A program, to be left alone.
    Code,
    /// What a program printed: to be left alone, unless it stands in a fence.
    Stream,
}

impl Title {
    /// A section that must be there.
    pub(crate) const fn required(line: &'static str) -> Self {
        Self { line, required: true, holds: Holds::Prose }
    }

    /// A section that may be there.
    pub(crate) const fn optional(line: &'static str) -> Self {
        Self { line, required: false, holds: Holds::Prose }
    }

    /// A required section whose content is a program.
    pub(crate) const fn code(line: &'static str) -> Self {
        Self { line, required: true, holds: Holds::Code }
    }

    /// A required section whose content is what a program printed.
    pub(crate) const fn stream(line: &'static str) -> Self {
        Self { line, required: true, holds: Holds::Stream }
    }
}

/// Which rules speak when sections are not as they should be.
pub(crate) struct SectionRules {
    pub(crate) missing: &'static Rule,
    pub(crate) order: &'static Rule,
    pub(crate) twice: &'static Rule,
    pub(crate) unknown: &'static Rule,
}

/// The sections of a document that were found under their exact titles.
#[derive(Debug, Default)]
pub(crate) struct Sections<'a> {
    found: Vec<(&'static str, Section<'a>)>,
}

/// One section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section<'a> {
    /// The heading.
    pub(crate) heading: Span,
    /// What stands below it.
    pub(crate) content: Part<'a>,
}

impl<'a> Sections<'a> {
    /// The section under this heading line. Of two, the first.
    pub(crate) fn section(&self, line: &str) -> Option<Section<'a>> {
        self.found.iter().find(|(title, _)| *title == line).map(|(_, section)| *section)
    }
}

/// Finds the sections of `body` and reports every heading that is missing, misplaced or unknown.
pub(crate) fn find<'a>(
    body: Part<'a>,
    titles: &'static [Title],
    rules: &SectionRules,
    findings: &mut Findings,
) -> Sections<'a> {
    let headings = headings(body, titles);
    let mut sections = Sections::default();
    let mut furthest = 0;
    for (index, heading) in headings.iter().enumerate() {
        let next = headings.get(index + 1).map_or(body.end(), |next| next.span.start);
        let position = match heading.form {
            Form::Exact => titles.iter().position(|title| title.line == heading.line),
            Form::Indented | Form::Setext => None,
        };
        if position.is_none() {
            heading.report_unknown(titles, rules, findings);
        }
        // A misspelt heading is read as what it is meant to be, so that one mistake is one finding.
        let position = position.or_else(|| heading.meant(titles));
        let Some((position, title)) = position.and_then(|at| Some((at, titles.get(at)?))) else { continue };
        if sections.section(title.line).is_some() {
            let message = format!("the section {} stands twice", quoted(title.line));
            findings.advise(rules.twice, heading.span, message, "keep one of them");
        } else if position < furthest {
            let before = titles.get(furthest).map_or("", |title| title.line);
            let message = format!("the section {} stands behind {}", quoted(title.line), quoted(before));
            let order: Vec<_> = titles.iter().map(|title| quoted(title.line)).collect();
            findings.advise(rules.order, heading.span, message, format!("the order is {}", order.join(", ")));
        }
        furthest = furthest.max(position);
        let content = body.between(heading.content, next);
        sections.found.push((title.line, Section { heading: heading.span, content }));
    }
    for title in titles.iter().filter(|title| title.required) {
        if sections.section(title.line).is_none() {
            report_missing(body, title, rules, findings);
        }
    }
    sections
}

/// Says that a section is missing, and where it is when it only seems to be there.
fn report_missing(body: Part<'_>, title: &Title, rules: &SectionRules, findings: &mut Findings) {
    let hidden = body.lines().find(|line| line.text.trim() == title.line);
    match hidden {
        Some(line) => {
            let span = Span::new(line.start, line.start + line.text.len());
            let message =
                format!("{} stands inside a code block, a quotation or a comment", quoted(title.line));
            findings.advise(rules.missing, span, message, "close what is open in front of it");
        }
        None => {
            let message = format!("the section {} is missing", quoted(title.line));
            let hint = "add the heading as a line of its own, exactly like this";
            findings.advise(rules.missing, Span::at(body.end()), message, hint);
        }
    }
}

/// A level 2 heading, wherever it came from.
struct Heading<'a> {
    span: Span,
    /// The line, without blanks at its end.
    line: &'a str,
    form: Form,
    /// Where the section's content begins.
    content: usize,
}

enum Form {
    /// `## ` in the first column.
    Exact,
    /// `## ` behind one to three spaces: a heading to CommonMark, not to us.
    Indented,
    /// Text with a line of `-` below it.
    Setext,
}

impl Heading<'_> {
    /// The title that this heading is a misspelling of.
    fn meant(&self, titles: &[Title]) -> Option<usize> {
        // Much shorter or longer than any title, it is none; folding look-alikes is slow.
        if !(6..=80).contains(&self.line.len()) {
            return None;
        }
        titles.iter().position(|title| glyph::skeleton(title.line) == folded(self.line))
    }

    fn report_unknown(&self, titles: &[Title], rules: &SectionRules, findings: &mut Findings) {
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
fn headings<'a>(body: Part<'a>, titles: &[Title]) -> Vec<Heading<'a>> {
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
    let mut depth = 0_usize;
    for (event, range) in Parser::new_ext(part.text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) if depth == 0 => {
                let heading = heading(part, range);
                let content = heading.content;
                let title = titles.iter().find(|title| title.line == heading.line);
                let begins_code = matches!(heading.form, Form::Exact)
                    && title.is_some_and(|title| match title.holds {
                        Holds::Prose => false,
                        Holds::Code => true,
                        Holds::Stream => !begins_with_fence(part.between(content, part.end())),
                    });
                found.push(heading);
                if begins_code {
                    return Some(content);
                }
                depth += 1;
            }
            Event::Start(_) => depth += 1,
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
    }
    None
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
    let Line { start, text, next } = line.unwrap_or(Line { start: part.end(), text: "", next: part.end() });
    let line = text.trim_end_matches([' ', '\t']);
    let (form, content) = if line.starts_with("##") {
        (Form::Exact, next)
    } else if line.trim_start().starts_with("##") {
        (Form::Indented, next)
    } else {
        (Form::Setext, part.start + range.end)
    };
    Heading { span: Span::new(start, start + line.len()), line, form, content }
}

/// Reports lines that a reader takes for a heading and Markdown does not: unseen characters around
/// the `##`, or characters that only look like `#`.
pub(crate) fn refuse_lookalikes(part: Part<'_>, findings: &mut Findings) {
    for line in part.lines().filter(|line| !line.text.is_ascii()) {
        let shown = line.text.trim_start_matches(|c| c == ' ' || glyph::unseen(c).is_some());
        let signs: Vec<char> = shown.chars().take(2).collect();
        let looks = signs.len() == 2 && signs.iter().all(|sign| matches!(sign, '#' | '＃' | '﹟'));
        let behind = shown.chars().nth(2);
        let false_sign = looks && signs.iter().any(|sign| *sign != '#');
        let false_blank = looks && behind.is_some_and(|c| c != '\t' && glyph::unseen(c).is_some());
        let false_start = looks && behind == Some(' ') && !line.text.trim_start_matches(' ').starts_with('#');
        if false_sign || false_blank || false_start {
            let span = Span::new(line.start, line.start + line.text.len());
            let message = format!("{} looks like a heading and is none", quoted(line.text));
            findings.advise(
                &rules::HEADING_LOOKALIKE,
                span,
                message,
                "write `## ` with plain signs and a plain space",
            );
        }
    }
}
