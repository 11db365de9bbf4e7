//! Sections: level 2 headings and what stands below them.

pub(crate) mod headings;
mod lookalikes;
pub(crate) mod outline;

use call::Span;

use crate::findings::Findings;
use crate::front::Part;
use crate::rules::Rule;
use crate::text::quoted;
use headings::{Form, headings};
pub(crate) use lookalikes::refuse_lookalikes;

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
