//! Where does a phrase stand: is it said to the reader, spoken of, or hidden from people?
//!
//! Quoted, in a code span or block, or in a comment of a program, it is a mention. In an HTML
//! comment or anything else that a page does not show, it was put there for a machine to read.

use std::cell::Cell;

use call::Span;

use crate::glyph::unseen;

/// What kind of text it is, as far as its author or its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Markdown or plain text.
    Prose,
    /// A page.
    Page,
    /// A program, or data for one.
    Program,
    /// Strings of JSON: their quotes are not quotations.
    Json,
}

impl Syntax {
    /// Of a file with this path, or of a text without one.
    pub(crate) fn of(path: Option<&str>, text: &str) -> Self {
        let name = path.map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase());
        match name.as_deref().map(|name| (name, name.rsplit_once('.').map_or("", |(_, ending)| ending))) {
            Some((_, "md" | "markdown" | "mdx" | "txt" | "rst" | "adoc" | "org" | "tex")) => Self::Prose,
            Some((_, "html" | "htm" | "xhtml" | "svg" | "xml" | "vue" | "svelte")) => Self::Page,
            Some(("readme" | "license" | "changelog" | "contributing" | "agents", "")) => Self::Prose,
            Some((_, ending)) if !ending.is_empty() => Self::Program,
            Some(("dockerfile" | "makefile" | "justfile" | "rakefile" | "gemfile" | "procfile", _)) => {
                Self::Program
            }
            _ if is_page(text) => Self::Page,
            _ if looks_like_program(text) => Self::Program,
            _ => Self::Prose,
        }
    }
}

fn is_page(text: &str) -> bool {
    let head = text.get(..text.floor_char_boundary(4_096)).unwrap_or(text).to_ascii_lowercase();
    ["<!doctype html", "<html", "<body", "<head>"].iter().any(|mark| head.contains(mark))
}

/// Some lines that only programs have.
fn looks_like_program(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let opens = [
        "import ",
        "from ",
        "def ",
        "class ",
        "fn ",
        "pub ",
        "use ",
        "const ",
        "let ",
        "var ",
        "function ",
        "package ",
        "#include",
        "return ",
        "export ",
        "async ",
        "FROM ",
        "RUN ",
        "if (",
        "for (",
        "@",
        "public ",
        "private ",
        "func ",
        "struct ",
        "enum ",
        "impl ",
        "mod ",
    ];
    let telling = text.lines().take(400).filter(|line| {
        let bare = line.trim();
        bare.ends_with(['{', '}', ';'])
            || bare.ends_with("):")
            || bare.ends_with(") {")
            || (opens.iter().any(|word| bare.starts_with(word)) && !bare.ends_with('.'))
            || is_assignment(bare)
            || is_call(bare)
            || bare.contains("; //")
    });
    first.starts_with("#!") || telling.count() > 0
}

/// `name(…)`
fn is_call(line: &str) -> bool {
    let name = line.split_once('(').map_or("", |(name, _)| name);
    line.ends_with(')')
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:!".contains(&byte))
}

fn is_assignment(line: &str) -> bool {
    line.split_once('=').is_some_and(|(name, _)| {
        let name = name.trim_end_matches([':', ' ']);
        !name.is_empty()
            && name.len() < 60
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.$[]'\"".contains(&byte))
    })
}

/// How a phrase is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// To whoever reads the text.
    Said,
    /// In quotes, code or a comment.
    Mentioned,
    /// Where people do not see it.
    Hidden,
}

/// A text and the stretches of it that are code, comments, or not shown; found in one pass each.
pub(crate) struct Layout<'t> {
    text: &'t str,
    syntax: Syntax,
    fences: Vec<Span>,
    comments: Vec<Span>,
    unshown: Vec<Span>,
    // How many more phrases are looked at closely.
    left: Cell<usize>,
}

/// Nobody speaks of more phrases than this in one text.
const MOST: usize = 2_000;

impl<'t> Layout<'t> {
    pub(crate) fn new(text: &'t str, syntax: Syntax) -> Self {
        let fences = if syntax == Syntax::Page { Vec::new() } else { fences(text) };
        let mut comments = Vec::new();
        if matches!(syntax, Syntax::Program | Syntax::Page) {
            for (open, close) in [("/*", "*/"), ("\"\"\"", "\"\"\""), ("'''", "'''")] {
                comments.extend(between(text, open, close));
            }
        }
        let comments = merged(comments);
        Self { text, syntax, fences, comments, unshown: between(text, "<!--", "-->"), left: Cell::new(MOST) }
    }

    /// How what stands at `span` is said. Behind the first few thousand, everything counts as said.
    pub(crate) fn standing(&self, span: Span) -> Standing {
        let (text, syntax) = (self.text, self.syntax);
        let Some(left) = self.left.get().checked_sub(1) else { return Standing::Said };
        self.left.set(left);
        if is_unseen(text, span) {
            return Standing::Hidden;
        }
        let fenced = syntax != Syntax::Page && (covers(&self.fences, span) || in_code_span(text, span));
        if !fenced && (covers(&self.unshown, span) || is_hidden(text, span, syntax)) {
            return Standing::Hidden;
        }
        let indented = syntax == Syntax::Prose && in_indented_code(text, span);
        let comment = matches!(syntax, Syntax::Program | Syntax::Page)
            && (covers(&self.comments, span) || in_comment(text, span));
        let quoted = || in_quotes(text, span, syntax) || in_introduced_quote(text, span, syntax);
        if fenced || indented || comment || quoted() { Standing::Mentioned } else { Standing::Said }
    }
}

/// In order, and what overlaps as one.
fn merged(mut stretches: Vec<Span>) -> Vec<Span> {
    stretches.sort();
    stretches.dedup_by(|later, kept| {
        let joined = later.start <= kept.end;
        if joined {
            kept.end = kept.end.max(later.end);
        }
        joined
    });
    stretches
}

/// Does `span` begin in one of these stretches?
fn covers(stretches: &[Span], span: Span) -> bool {
    let behind = stretches.partition_point(|stretch| stretch.start <= span.start);
    let near = |place: usize| {
        stretches.get(place).is_some_and(|stretch| stretch.start <= span.start && span.start < stretch.end)
    };
    behind.checked_sub(1).is_some_and(near)
}

/// The stretches between `open` and the next `close`, or the end of the text.
fn between(text: &str, open: &str, close: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(open)).map(|place| at + place) {
        let inside = start + open.len();
        let end = text
            .get(inside..)
            .and_then(|rest| rest.find(close))
            .map_or(text.len(), |place| inside + place + close.len());
        found.push(Span::new(start, end));
        at = end;
    }
    found
}

/// Letters that nothing shows are part of it.
fn is_unseen(text: &str, span: Span) -> bool {
    let written = span.of(text).unwrap_or_default();
    !written.is_ascii()
        && written.chars().any(|character| !character.is_whitespace() && unseen(character).is_some())
}

/// How far around a phrase is looked.
const FAR: usize = 2_000;

fn line_start(text: &str, at: usize) -> usize {
    let from = text.floor_char_boundary(at.saturating_sub(FAR));
    text.get(from..at).unwrap_or_default().rfind('\n').map_or(from, |place| from + place + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    let to = text.floor_char_boundary(at.saturating_add(FAR));
    text.get(at..to).and_then(|rest| rest.find('\n')).map_or(to.max(at), |place| at + place)
}

/// The stretches between two lines of three backticks or tildes.
fn fences(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let bare = line.trim_start_matches([' ', '>', '-', '*', '+', '\t']).trim_end();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        open = match (open, mark) {
            (None, Some(mark)) => Some((mark, end)),
            (Some((fence, from)), Some(mark))
                if fence == mark && bare.trim_matches(['`', '~']).is_empty() =>
            {
                found.push(Span::new(from, start));
                None
            }
            (open, _) => open,
        };
        start = end;
    }
    found.extend(open.map(|(_, from)| Span::new(from, text.len())));
    found
}

fn in_code_span(text: &str, span: Span) -> bool {
    let before = text.get(line_start(text, span.start)..span.start).unwrap_or_default();
    let behind = text.get(span.end..line_end(text, span.end)).unwrap_or_default();
    before.bytes().filter(|&byte| byte == b'`').count() % 2 == 1 && behind.contains('`')
}

/// A line with four blanks in front, behind an empty line or another such line.
fn in_indented_code(text: &str, span: Span) -> bool {
    let start = line_start(text, span.start);
    let indented = |line: &str| line.starts_with("    ") || line.starts_with('\t');
    let here = text.get(start..).unwrap_or_default();
    let before = text.get(..start.saturating_sub(1)).unwrap_or_default();
    let previous = before.get(line_start(before, before.len())..).unwrap_or_default();
    indented(here) && start > 0 && (previous.trim().is_empty() || indented(previous))
}

/// Behind a comment sign on its line, between `/*` and `*/`, or in a string of three quotes.
fn in_comment(text: &str, span: Span) -> bool {
    let line = text.get(line_start(text, span.start)..span.start).unwrap_or_default();
    let bare = line.trim_start();
    let opens =
        ["#", "//", "/*", "* ", "--", ";", "%", "\"\"\"", "'''", "REM ", "rem ", "=begin", "(*", "{-", "'"]
            .iter()
            .any(|sign| bare.starts_with(sign));
    let behind_code = [" #", "\t#", " // ", "; //", "/*", " -- ", "{/*"]
        .iter()
        .any(|sign| line.contains(sign))
        || line.match_indices("//").any(|(place, _)| !line.get(..place).unwrap_or_default().ends_with(':'));
    opens || behind_code
}

const PAIRS: &[(char, char)] = &[
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
    ('„', '“'),
    ('「', '」'),
    ('『', '』'),
    ('‹', '›'),
];

/// Between quotation marks, with something outside of them.
fn in_quotes(text: &str, span: Span, syntax: Syntax) -> bool {
    let from = text.floor_char_boundary(span.start.saturating_sub(400));
    let before = text.get(from.max(paragraph_start(text, span.start))..span.start).unwrap_or_default();
    let to = text.ceil_char_boundary(span.end.saturating_add(400)).min(paragraph_end(text, span.end));
    let behind = text.get(span.end..to).unwrap_or_default();
    PAIRS.iter().filter(|(open, _)| before.contains(*open)).any(|&(open, close)| {
        let Some(opened) = last_open(before, open, close, syntax) else { return false };
        let Some(closed) = behind.find(close) else { return false };
        let whole = before.get(..opened).unwrap_or_default().trim().is_empty()
            && behind
                .get(closed..)
                .unwrap_or_default()
                .trim_matches(close)
                .trim_matches(['.', ',', '!', ' ', '\n', '\r'])
                .is_empty()
            && from == 0;
        !whole
    })
}

/// Where the quotation mark stands that is still open at the end of `before`.
fn last_open(before: &str, open: char, close: char, syntax: Syntax) -> Option<usize> {
    let mut opened = None;
    let mut previous = ' ';
    for (place, character) in before.char_indices() {
        let escaped = previous == '\\';
        // An apostrophe inside a word is none.
        let apostrophe = character == '\'' && previous.is_alphanumeric();
        // The quotes that JSON itself needs.
        let counts = syntax != Syntax::Json || character != '"' || escaped;
        if counts
            && opened.is_some()
            && character == close
            && !(character == '\''
                && before.get(place + 1..).unwrap_or_default().starts_with(char::is_alphanumeric))
        {
            opened = None;
        } else if counts && opened.is_none() && character == open && !apostrophe {
            opened = Some(place);
        }
        previous = character;
    }
    opened
}

fn paragraph_start(text: &str, at: usize) -> usize {
    let from = text.floor_char_boundary(at.saturating_sub(FAR));
    text.get(from..at).unwrap_or_default().rfind("\n\n").map_or(from, |place| from + place + 2)
}

fn paragraph_end(text: &str, at: usize) -> usize {
    let to = text.floor_char_boundary(at.saturating_add(FAR));
    text.get(at..to).and_then(|rest| rest.find("\n\n")).map_or(to.max(at), |place| at + place)
}

/// A block quotation behind a line that announces it with a colon.
fn in_introduced_quote(text: &str, span: Span, syntax: Syntax) -> bool {
    let mut start = line_start(text, span.start);
    if syntax != Syntax::Prose || !text.get(start..).is_some_and(|line| line.trim_start().starts_with('>')) {
        return false;
    }
    for _ in 0..20 {
        let before = text.get(..start.saturating_sub(1)).unwrap_or_default();
        let line = before.get(line_start(before, before.len())..).unwrap_or_default();
        if start == 0 || !(line.trim().is_empty() || line.trim_start().starts_with('>')) {
            return line.trim_end().ends_with(':');
        }
        start = line_start(before, before.len());
    }
    false
}

/// In something that a page does not show.
fn is_hidden(text: &str, span: Span, syntax: Syntax) -> bool {
    let before = text.get(..span.start).unwrap_or_default();
    let comment =
        before.rfind("<!--").is_some_and(|open| !before.get(open..).unwrap_or_default().contains("-->"));
    if comment {
        return true;
    }
    let near =
        text.get(text.floor_char_boundary(span.start.saturating_sub(1_500))..span.start).unwrap_or_default();
    if in_tag(near) || in_hidden_element(near) {
        return true;
    }
    if syntax == Syntax::Program {
        return false;
    }
    let line =
        text.get(line_start(text, span.start)..line_end(text, span.end)).unwrap_or_default().trim_start();
    // `[//]: # (…)`, `[comment]: <> (…)`
    let reference = line.starts_with('[')
        && line.split_once("]:").is_some_and(|(label, rest)| {
            !label.contains(' ')
                && (rest.trim_start().starts_with('#')
                    || rest.trim_start().starts_with("<>")
                    || rest.contains([' ', '"', '(']))
        });
    let front = text.get(line_start(text, span.start)..span.start).unwrap_or_default();
    let behind = text.get(span.end..line_end(text, span.end)).unwrap_or_default();
    // `![alt](…)`, `[x](y "title")`
    let alt = front.rfind("![").is_some_and(|open| !front.get(open..).unwrap_or_default().contains("]("))
        && behind.contains("](");
    let title = front.rfind("](").is_some_and(|open| {
        let inside = front.get(open..).unwrap_or_default();
        !inside.contains(')') && inside.contains(['"', '\''])
    });
    reference || alt || title
}

/// Inside the angle brackets of a tag: in an attribute.
fn in_tag(before: &str) -> bool {
    let Some(open) = before.rfind('<') else { return false };
    let inside = before.get(open + 1..).unwrap_or_default();
    let tag = inside.starts_with(|first: char| first.is_ascii_alphabetic());
    // A `>` ends it, unless it stands in a value.
    tag && !inside.contains('>')
        && inside.contains('=')
        && inside.contains(['"', '\''])
        && !inside.contains('\n')
}

/// Inside an element that its style or an attribute hides.
fn in_hidden_element(before: &str) -> bool {
    const SIGNS: &[&str] = &[
        "display:none",
        "visibility:hidden",
        "font-size:0",
        "font-size:1px",
        "opacity:0",
        "color:white",
        "color:#fff",
        "color:#ffffff",
        "color:transparent",
        "left:-999",
        "text-indent:-999",
        "height:0",
        "width:0",
        "clip:rect",
        "aria-hidden=\"true\"",
        "hidden>",
        "hidden=",
        "type=\"hidden\"",
        "color:rgba(0,0,0,0)",
        "color:rgb(255,255,255)",
        "class=\"hidden\"",
        "class=\"sr-only\"",
    ];
    let Some(open) = before
        .rfind("</")
        .map_or(Some(0), |close| before.get(close..).and_then(|rest| rest.find('>')).map(|end| close + end))
    else {
        return false;
    };
    let since = before.get(open..).unwrap_or_default();
    if !since.contains('<') {
        return false;
    }
    let tight: String =
        since.chars().filter(|character| !character.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let spaced = since.to_ascii_lowercase();
    SIGNS.iter().any(|sign| tight.contains(sign))
        || spaced.contains(" hidden>")
        || spaced.contains("<template")
        || spaced.contains("<noscript")
        || spaced.contains("<script")
}

/// Spoken about an attack, in the middle of a sentence: "an attacker may tell the model to …".
pub(crate) fn is_reported(text: &str, span: Span) -> bool {
    const TALK: &[&str] = &[
        "attack",
        "adversar",
        "inject",
        "malicious",
        "hostile",
        "jailbreak",
        "exploit",
        "threat",
        "phish",
        "untrusted",
        "red team",
        "payload",
    ];
    let from = text.floor_char_boundary(span.start.saturating_sub(160));
    let before = text.get(from..span.start).unwrap_or_default();
    let sentence = before.rsplit(['.', '!', '?', ':', '\n']).next().unwrap_or_default().to_ascii_lowercase();
    let talked = TALK.iter().any(|word| sentence.contains(word));
    let addressed = ["you ", "please", "must", "now "].iter().any(|word| sentence.contains(word));
    talked && !addressed && !crate::context::opens_sentence(text, span)
}

/// "Run this command to fix …" with the command behind it, for people to see.
pub(crate) fn shows_what_to_run(text: &str, span: Span) -> bool {
    let behind =
        text.get(span.end..text.floor_char_boundary(span.end.saturating_add(300))).unwrap_or_default();
    let before =
        text.get(text.floor_char_boundary(span.start.saturating_sub(80))..span.start).unwrap_or_default();
    behind.contains('`')
        || behind.contains("\n    ")
        || behind.contains("~~~")
        || behind.contains("\n$ ")
        || behind.contains(".. code")
        || before.trim_end().ends_with('`')
}
