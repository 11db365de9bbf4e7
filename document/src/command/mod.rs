//! `## Command`: one line, split into words and judged by what they mean.
//!
//! A command is judged by what it must not contain; the lane confines what is left. Nothing here
//! hands anything to a shell, or believes that a command is safe because it is known.

mod installs;
mod invocation;
mod judge;
mod paths;
mod programs;
pub(crate) mod refused;
mod words;

use call::Span;

use crate::bytes::is_printable;
use crate::findings::Findings;
use crate::front::Part;
use crate::request::types::Task;
use crate::rules;
use crate::screening;
use crate::sections::Section;
use crate::text::{Line, code_point, first_unseen, quoted};
use call::Language;
use words::{ShellMeaning, Words};

/// Reads and judges the command of a request; it comes back when there is one line to split.
pub(crate) fn check(
    document: &str,
    section: Section<'_>,
    language: Option<Language>,
    inputs: &[&str],
    findings: &mut Findings,
) -> Option<Task> {
    let line = only_line(section, findings)?;
    refuse_unseen(line, findings);
    let mut text = line.text.trim_matches([' ', '\t']);
    let mut indent = line.text.len() - line.text.trim_start_matches([' ', '\t']).len();
    let marked = text.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
    if let Some(inner) = marked.filter(|inner| !inner.is_empty() && !inner.contains('`')) {
        let span = Span::new(line.start + indent, line.start + indent + text.len());
        let message = "the command stands in code marks";
        findings.advise(&rules::COMMAND_FENCED, span, message, "remove the backticks around it");
        (text, indent) = (inner, indent + 1);
    }
    let words = words::split(text, line.start + indent);
    report_meanings(&words, findings);
    for word in &words.words {
        screening::assembled(&word.text, document, word.span(), findings);
    }
    judge::judge(&words.words, language, inputs, findings);
    let argv = words.words.into_iter().map(|word| word.text).collect();
    Some(Task::Command { line: text.to_owned(), argv })
}

/// The one line that is not blank.
fn only_line<'a>(section: Section<'a>, findings: &mut Findings) -> Option<Line<'a>> {
    let mut lines = section.content.lines().filter(|line| !line.text.trim().is_empty());
    let Some(first) = lines.next() else {
        let message = "`## Command` holds no command";
        findings.advise(&rules::COMMAND_EMPTY, section.heading, message, "write one line below the heading");
        return None;
    };
    if let Some(fence) = first_fence(section.content) {
        let message = "the command is fenced";
        findings.advise(&rules::COMMAND_FENCED, fence, message, "write it as plain text, without ``` lines");
        return None;
    }
    if let Some(second) = lines.next() {
        let span = Span::new(second.start, second.start + second.text.len());
        let message = format!("`## Command` has a second line, {}", quoted(second.text.trim()));
        findings.advise(&rules::COMMAND_LINES, span, message, "a request runs one command, on one line");
    }
    Some(first)
}

/// The first line that opens or closes a code fence.
pub(crate) fn first_fence(part: Part<'_>) -> Option<Span> {
    part.lines().find_map(|line| {
        let shown = line.text.trim_start_matches(' ');
        let indent = line.text.len() - shown.len();
        let fence = indent < 4 && (shown.starts_with("```") || shown.starts_with("~~~"));
        fence.then(|| Span::new(line.start, line.start + line.text.len()))
    })
}

fn refuse_unseen(line: Line<'_>, findings: &mut Findings) {
    if is_printable(line.text) {
        return;
    }
    // Control characters are reported for the document as a whole, and a tab parts words.
    let pieces = line.text.split_inclusive(char::is_control);
    let mut start = 0;
    let unseen = pieces.into_iter().find_map(|piece| {
        let at = start;
        start += piece.len();
        let (offset, character, _) = first_unseen(piece.trim_end_matches(char::is_control), false)?;
        Some((at + offset, character))
    });
    if let Some((at, character)) = unseen {
        let span = Span::new(line.start + at, line.start + at + character.len_utf8());
        let message = format!("the command holds {}, which cannot be seen", code_point(character));
        findings.advise(&rules::COMMAND_UNSEEN, span, message, "remove it, or write a plain space");
    }
}

fn report_meanings(words: &Words, findings: &mut Findings) {
    for (span, meaning) in &words.meanings {
        match meaning {
            ShellMeaning::Operator(what) => {
                let message = format!("the command has {what}, and no shell runs it");
                let hint = "request one program; put what is data into quotes";
                findings.advise(&rules::COMMAND_OPERATOR, *span, message, hint);
            }
            ShellMeaning::Expansion(what) => {
                let message = format!("the command has {what}, and no shell expands it");
                let hint = "write the value itself; single quotes make `$` and the backtick plain";
                findings.advise(&rules::COMMAND_EXPANSION, *span, message, hint);
            }
            ShellMeaning::Pattern(sign) => {
                let message = format!("`{sign}` is not quoted, and no shell expands this");
                findings.advise(&rules::COMMAND_PATTERN, *span, message, "quote it");
            }
            ShellMeaning::OpenQuote(sign) => {
                let message = format!("a quotation opened with `{sign}` is not closed");
                findings.add(&rules::COMMAND_QUOTING, *span, message);
            }
            ShellMeaning::LoneBackslash => {
                let message = "the command ends with a backslash that escapes nothing";
                findings.advise(&rules::COMMAND_QUOTING, *span, message, "write the command on one line");
            }
        }
    }
}
