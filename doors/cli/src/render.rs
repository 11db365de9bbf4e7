//! Findings as blocks that a person reads: what, where, the line itself, and what to do.
//!
//! The first line of a block begins with `ERROR: ` or `WARNING: `, because scripts written for the
//! original validator look for that. Only a short excerpt around the place is ever copied, so a
//! document of one endless line costs no more than any other.

use std::ops::Range;

use annotate_snippets::renderer::{DEFAULT_LINE_NUM_STYLE, Style};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use call::Span;
use document::{Finding, Place, Severity};

use crate::outcome::{Profiles, Remark};
use crate::visible::{push_visible, visible};

/// More findings than this of one document are counted, not shown.
const SHOWN: usize = 100;

/// How much of a line is shown in front of a place and from there on, in characters.
const BEFORE: usize = 48;
const AFTER: usize = 72;

/// Turns findings into text.
#[derive(Debug)]
pub(crate) struct Blocks {
    renderer: Renderer,
    colour: bool,
}

impl Blocks {
    pub(crate) fn new(colour: bool) -> Self {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        // The excerpt is short already: the renderer has nothing to trim.
        Self { renderer: renderer.term_width(10 * (BEFORE + AFTER)), colour }
    }

    /// All findings of a document, up to a number that a person would still read.
    pub(crate) fn all(&self, findings: &[Finding], text: &str, path: &str) -> String {
        let mut order: Vec<&Finding> = findings.iter().collect();
        if findings.len() > SHOWN {
            // What decides the verdict must not be what is left out.
            order.sort_by_key(|finding| !finding.is_error());
        }
        let mut shown = String::new();
        for finding in order.iter().take(SHOWN) {
            shown.push_str(&self.one(finding, text, path));
            shown.push('\n');
        }
        if let Some(more) = findings.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            shown.push_str(&format!("... and {more} more findings; `--format json` lists them all\n"));
        }
        shown
    }

    /// One finding.
    pub(crate) fn one(&self, finding: &Finding, text: &str, path: &str) -> String {
        let level = match finding.rule.severity {
            Severity::Error => Level::ERROR.with_name("ERROR"),
            Severity::Warning => Level::WARNING.with_name("WARNING"),
        };
        let Excerpt { line, mark } = Excerpt::around(finding.span, text);
        let title = format!("{} [{}]", visible(&finding.message), finding.rule.code);
        let source = Snippet::source(line)
            .line_start(finding.place.line)
            .annotation(AnnotationKind::Primary.span(mark));
        let group = level.primary_title(title).element(source);
        let group = match finding.hint.as_deref() {
            Some(hint) => group.element(Level::HELP.with_name("hint").message(visible(hint))),
            None => group,
        };
        self.with_origin(&self.renderer.render(&[group]), finding, path)
    }

    /// Puts the place below the title. The renderer would count columns in the excerpt, which is
    /// cut and spelled out; those of the finding are counted in the document.
    fn with_origin(&self, block: &str, finding: &Finding, path: &str) -> String {
        let Place { line, column } = finding.place;
        let indent = " ".repeat(line.to_string().len());
        let style = if self.colour { DEFAULT_LINE_NUM_STYLE } else { Style::new() };
        let (title, body) = block.split_once('\n').unwrap_or((block, ""));
        format!("{title}\n{indent}{style}-->{style:#} {path}:{line}:{column}\n{body}")
    }
}

/// Something that has no place in a text, in one line.
pub(crate) fn line(path: &str, remark: &Remark) -> String {
    let place = match (remark.line, remark.column) {
        (0, _) => String::new(),
        (line, column) => format!(":{line}:{column}"),
    };
    format!("ERROR: {path}{place}: {} [{}]\n", visible(&remark.message), remark.code)
}

/// Where the profiles part, as a table.
pub(crate) fn differences(path: &str, profiles: &Profiles) -> String {
    let mut table = format!(
        "profiles for {path}\n  strict         {}\n  threegate-v1   {}\n",
        profiles.strict.word(),
        profiles.threegate_v1.word()
    );
    let sides = [("only strict", &profiles.only_strict), ("only threegate-v1", &profiles.only_threegate_v1)];
    for (side, remarks) in sides {
        if remarks.is_empty() {
            table.push_str(&format!("  {side}: nothing\n"));
        } else {
            table.push_str(&format!("  {side}:\n"));
        }
        for remark in remarks {
            let place = format!("{}:{}", remark.line, remark.column);
            let severity = remark.severity;
            let message = visible(&remark.message);
            table.push_str(&format!("    {}  {severity:<7}  {place:<7}  {message}\n", remark.code));
        }
    }
    table
}

/// A piece of one line, made visible, and which part of it is meant.
#[derive(Debug)]
struct Excerpt {
    line: String,
    mark: Range<usize>,
}

impl Excerpt {
    fn around(span: Span, text: &str) -> Self {
        // A byte order mark is no part of the first line, and has no column.
        let (text, skipped) = match text.strip_prefix('\u{feff}') {
            Some(text) => (text, '\u{feff}'.len_utf8()),
            None => (text, 0),
        };
        let (start, end) = (span.start.saturating_sub(skipped), span.end.saturating_sub(skipped));
        let start = text.floor_char_boundary(start);
        let (head, tail) = text.split_at_checked(start).unwrap_or((text, ""));
        let in_line = |character: &char| !matches!(character, '\n' | '\r');

        let mut before: Vec<char> = head.chars().rev().take_while(in_line).take(BEFORE + 1).collect();
        before.reverse();
        let mut line = String::new();
        if before.len() > BEFORE {
            line.push_str("...");
        }
        for &character in before.iter().skip(before.len().saturating_sub(BEFORE)) {
            push_shown(&mut line, character);
        }

        let first = line.len();
        let mut last = first;
        let mut offset = start;
        for (index, character) in tail.chars().take_while(in_line).enumerate() {
            if index == AFTER {
                line.push_str("...");
                break;
            }
            push_shown(&mut line, character);
            offset += character.len_utf8();
            if offset <= end {
                last = line.len();
            }
        }
        Self { line, mark: first..last }
    }
}

fn push_shown(line: &mut String, character: char) {
    if character == '\t' { line.push_str("    ") } else { push_visible(line, character) }
}

#[cfg(test)]
mod tests {
    use call::Span;
    use document::{Finding, Place, rules};

    use super::Blocks;

    fn block(text: &str, needle: &str, line: usize, column: usize, hint: Option<&str>) -> String {
        let start = text.find(needle).unwrap();
        let finding = Finding {
            rule: &rules::NETWORK,
            message: String::from("`network` is not one of the two words"),
            hint: hint.map(String::from),
            span: Span::new(start, start + needle.len()),
            place: Place { line, column },
        };
        Blocks::new(false).one(&finding, text, "TR-x.md")
    }

    #[test]
    fn a_finding_shows_what_where_and_the_way_out() {
        insta::assert_snapshot!(block("a: b\nnetwork: internet\n", "internet", 2, 10, Some("write `none`")), @"
        ERROR: `network` is not one of the two words [TR117]
         --> TR-x.md:2:10
          |
        2 | network: internet
          |          ^^^^^^^^
          |
          = hint: write `none`
        ");
        insta::assert_snapshot!(block("a: b\nnetwork: internet\n", "\n", 1, 5, None), @"
        ERROR: `network` is not one of the two words [TR117]
         --> TR-x.md:1:5
          |
        1 | a: b
          |     ^
        ");
        insta::assert_snapshot!(block("", "", 1, 1, None), @"
        ERROR: `network` is not one of the two words [TR117]
         --> TR-x.md:1:1
          |
        1 |
          | ^
        ");
    }

    #[test]
    fn what_cannot_be_seen_is_spelled_out_and_the_caret_stays_right() {
        insta::assert_snapshot!(block("\u{feff}a\u{1b}[2J\u{202e}\tnet: yes", "yes", 1, 13, None), @r"
        ERROR: `network` is not one of the two words [TR117]
         --> TR-x.md:1:13
          |
        1 | a\u{1b}[2J\u{202e}    net: yes
          |                            ^^^
        ");
        insta::assert_snapshot!(block("x\u{1b}y", "\u{1b}", 1, 2, None), @r"
        ERROR: `network` is not one of the two words [TR117]
         --> TR-x.md:1:2
          |
        1 | x\u{1b}y
          |  ^^^^^^
        ");
        insta::assert_snapshot!(block("日本: yes", "yes", 1, 5, None), @"
        ERROR: `network` is not one of the two words [TR117]
         --> TR-x.md:1:5
          |
        1 | 日本: yes
          |       ^^^
        ");
    }

    #[test]
    fn an_endless_line_is_cut_around_the_place() {
        let text = format!("{}HERE{}", "a".repeat(5000), "b".repeat(5000));
        insta::assert_snapshot!(block(&text, "HERE", 1, 5001, None), @"
        ERROR: `network` is not one of the two words [TR117]
         --> TR-x.md:1:5001
          |
        1 | ...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaHEREbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb...
          |                                                    ^^^^
        ");
        let span = block(&"c".repeat(5000), &"c".repeat(5000), 1, 1, None);
        insta::assert_snapshot!(span, @"
        ERROR: `network` is not one of the two words [TR117]
         --> TR-x.md:1:1
          |
        1 | cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc...
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        ");
    }
}
