//! Where does a phrase stand: is it said to the reader, spoken of, or hidden from people?
//!
//! Quoted, in a code span or block, in a comment of a program or in an expression that it searches
//! by, it is a mention. In an HTML comment or anything else that a page does not show, it was put
//! there for a machine to read.

use std::cell::Cell;

use call::Span;

use crate::expression;
use crate::glyph::unseen;
use crate::hidden::Places;
use crate::reading::encoded::decode;

/// What kind of text it is, as far as its author or its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Markdown or plain text.
    Prose,
    /// A page.
    Page,
    /// A component of Vue: a page, of which a template is what is shown.
    Component,
    /// A program, or data for one.
    Program,
    /// Lines of a program in a text that nobody calls one.
    Snippet,
    /// Strings of JSON: their quotes are not quotations.
    Json,
    /// A source of TeX: what stands behind `%` is a comment.
    Tex,
    /// Data of a test, as its path says: texts to try something with.
    Samples,
}

impl Syntax {
    const fn has_comments(self) -> bool {
        matches!(self, Self::Program | Self::Snippet | Self::Page | Self::Component)
    }

    const fn is_code(self) -> bool {
        matches!(self, Self::Program | Self::Snippet)
    }

    /// Of a file with this path, or of a text without one.
    pub(crate) fn of(path: Option<&str>, text: &str) -> Self {
        let name = path.map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase());
        match name.as_deref().map(|name| (name, name.rsplit_once('.').map_or("", |(_, ending)| ending))) {
            Some((name, "yaml" | "yml" | "csv" | "tsv" | "json" | "jsonl" | "ndjson" | "toml"))
                if is_of_a_test(path.unwrap_or_default(), name) =>
            {
                Self::Samples
            }
            Some((_, "tex" | "sty" | "bib")) => Self::Tex,
            Some((_, "md" | "markdown" | "mdx" | "txt" | "rst" | "adoc" | "org")) => Self::Prose,
            Some((_, "vue")) => Self::Component,
            Some((_, "html" | "htm" | "xhtml" | "svg" | "xml" | "svelte")) => Self::Page,
            Some(("readme" | "license" | "changelog" | "contributing" | "agents", "")) => Self::Prose,
            Some((_, ending)) if !ending.is_empty() => Self::Program,
            Some(("dockerfile" | "makefile" | "justfile" | "rakefile" | "gemfile" | "procfile", _)) => {
                Self::Program
            }
            _ if is_page(text) => Self::Page,
            _ if looks_like_program(text) => Self::Snippet,
            _ => Self::Prose,
        }
    }
}

/// Does a folder or the name itself say that a file belongs to tests?
fn is_of_a_test(path: &str, name: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "test",
        "tests",
        "testdata",
        "test_data",
        "fixtures",
        "__tests__",
        "spec",
        "specs",
        "corpus",
        "evals",
    ];
    let folder = |part: &str| FOLDERS.iter().any(|folder| part.eq_ignore_ascii_case(folder));
    let marks = ["test_", "tests_", "test-", "_test.", "_tests.", "-test.", ".test.", "fixture", "_cases."];
    path.rsplit(['/', '\\']).skip(1).any(folder) || marks.iter().any(|mark| name.contains(mark))
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
    places: Places,
    comments: Vec<Span>,
    // How many more phrases are looked at closely.
    left: Cell<usize>,
}

/// Nobody speaks of more phrases than this in one text.
const MOST: usize = 2_000;

impl<'t> Layout<'t> {
    pub(crate) fn new(text: &'t str, syntax: Syntax) -> Self {
        let mut comments = Vec::new();
        if syntax.has_comments() {
            for (open, close) in [("/*", "*/"), ("\"\"\"", "\"\"\""), ("'''", "'''")] {
                comments.extend(between(text, open, close));
            }
        }
        let comments = merged(comments);
        let mut places = Places::of(text, syntax);
        places.hidden = merged(places.hidden);
        places.code = merged(places.code);
        Self { text, syntax, places, comments, left: Cell::new(MOST) }
    }

    /// How what stands at `span` is said. Behind the first few thousand, everything counts as said.
    pub(crate) fn standing(&self, span: Span) -> Standing {
        let (text, syntax) = (self.text, self.syntax);
        let Some(left) = self.left.get().checked_sub(1) else { return Standing::Said };
        self.left.set(left);
        if is_unseen(text, span) || is_turned(text, span) {
            return Standing::Hidden;
        }
        if syntax == Syntax::Samples {
            return Standing::Mentioned;
        }
        if self.is_hidden(span) {
            return Standing::Hidden;
        }
        let fenced = covering(&self.places.code, span).is_some();
        let indented = syntax == Syntax::Prose && in_indented_code(text, span);
        let comment = (syntax.has_comments()
            && (covering(&self.comments, span).is_some() || in_comment(text, span)))
            || (syntax == Syntax::Tex && behind_percent(text, span));
        let named = || syntax.is_code() && (is_a_name(text, span) || is_searched_for(text, span));
        let quoted = || in_quotes(text, span, syntax) || in_block_quote(text, span, syntax);
        // A comment that calls a machine is said to it, unless what it says is quoted there.
        let called = || {
            comment
                && !fenced
                && covering(&self.comments, span)
                    .is_none_or(|place| place.of(text).is_some_and(|written| written.starts_with("/*")))
                && calls_a_machine(text, span)
        };
        if called() && !quoted() {
            Standing::Said
        } else if fenced || indented || comment || named() || quoted() {
            Standing::Mentioned
        } else {
            Standing::Said
        }
    }

    /// In something that a page does not show. What shows markup as it is written hides nothing.
    fn is_hidden(&self, span: Span) -> bool {
        let (text, syntax) = (self.text, self.syntax);
        if let Some(hidden) = covering(&self.places.hidden, span) {
            let opens = Span::new(hidden.start, span.end);
            return !(syntax == Syntax::Program && in_literal(text, opens));
        }
        let written_out = |place: usize| covering(&self.places.code, Span::at(place)).is_some();
        !matches!(syntax, Syntax::Program | Syntax::Page | Syntax::Component)
            && hiding_sign(text, span).is_some_and(|place| !written_out(place))
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

/// The stretch in which `span` begins.
fn covering(stretches: &[Span], span: Span) -> Option<Span> {
    let behind = stretches.partition_point(|stretch| stretch.start <= span.start);
    let last = behind.checked_sub(1).and_then(|place| stretches.get(place));
    last.copied().filter(|stretch| span.start < stretch.end)
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

/// `# AI agents: …`, `// Note to the assistant reading this: …`: the comment names whom it tells it to.
fn calls_a_machine(text: &str, span: Span) -> bool {
    #[rustfmt::skip]
    const MACHINES: &[&str] = &[
        "ai", "ais", "llm", "llms", "assistant", "assistants", "agent", "agents", "model", "models", "claude", "chatgpt", "gpt",
        "copilot", "gemini", "codex", "bot", "bots", "chatbot", "reviewer", "reviewers",
    ];
    // What may stand between the name and the sign behind it, or between that sign and the order.
    #[rustfmt::skip]
    const BESIDE: &[&str] = &[
        "reading", "reviewing", "processing", "this", "that", "who", "which", "reads", "read", "file", "code", "comment", "please",
        "now", "you", "must", "should", "the", "first", "always", "tool", "tools",
    ];
    let line = text.get(line_start(text, span.start)..span.start).unwrap_or_default();
    let Some(place) = line.rfind([':', ',']) else { return false };
    let bare = |word: &str| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase();
    let (called, rest) = line.split_at_checked(place).unwrap_or((line, ""));
    let polite = rest.split_whitespace().map(bare).all(|word| word.is_empty() || BESIDE.contains(&&*word));
    let mut words = called.split_whitespace().rev().map(bare).filter(|word| !word.is_empty());
    let name = words.find(|word| !BESIDE.contains(&&**word));
    polite && name.is_some_and(|name| MACHINES.contains(&&*name))
}

/// In a name that a program defines, calls or asks for: `fn ignore_previous_instruction(`, `vm.skipPreviousRules(`.
fn is_a_name(text: &str, span: Span) -> bool {
    const LONGEST: usize = 64;
    #[rustfmt::skip]
    const DEFINES: &[&str] = &[
        "fn", "def", "function", "func", "fun", "sub", "const", "let", "var", "val", "class", "struct", "enum", "trait",
        "interface", "type", "static", "mod", "module", "void", "int", "bool", "boolean", "async", "public", "private",
        "protected", "export", "import", "new", "final", "use",
    ];
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let said = span.of(text).unwrap_or_default();
    let name = said.bytes().take_while(|byte| part(byte)).count();
    // A plural may have been read into the bracket: `instruction(self`.
    if name == 0 || said.len() > name + 2 {
        return false;
    }
    // Nobody names anything so that it can be decoded.
    if said.get(..name).is_some_and(|name| !decode(name).is_empty()) {
        return false;
    }
    let before = text.get(..span.start).unwrap_or_default();
    let behind = text.get(span.start + name..).unwrap_or_default();
    let front = before.bytes().rev().take(LONGEST).take_while(|byte| part(byte)).count();
    let rest = behind.bytes().take(LONGEST).take_while(|byte| part(byte)).count();
    if front + name + rest > LONGEST {
        return false;
    }
    let before = before.get(..before.len() - front).unwrap_or_default();
    let word = before.trim_end_matches([' ', '\t']).rsplit(|sign: char| !sign.is_alphanumeric()).next();
    let defined = before.ends_with([' ', '\t']) && word.is_some_and(|word| DEFINES.contains(&word));
    let behind = behind.get(rest..).unwrap_or_default().trim_start_matches(' ');
    let called = behind.starts_with(['(', '<']) || behind.starts_with("::");
    let set = behind.starts_with('=') && !behind.starts_with("==");
    defined || called || set || before.ends_with(['.', ':']) && behind.starts_with([';', ',', ')', '.'])
}

/// In an expression of a program, on one line: `/ignore previous instructions/i`.
fn is_searched_for(text: &str, span: Span) -> bool {
    let start = line_start(text, span.start);
    let line = text.get(start..line_end(text, span.start)).unwrap_or_default();
    expression::surrounds(line, Span::new(span.start - start, span.end - start))
}

/// Behind a `%` on its line that is not escaped.
fn behind_percent(text: &str, span: Span) -> bool {
    let line = text.get(line_start(text, span.start)..span.start).unwrap_or_default();
    line.match_indices('%').any(|(place, _)| !line.get(..place).unwrap_or_default().ends_with('\\'))
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
        let Some(closed) = closes_at(behind, close) else { return false };
        let start = span.start - before.len() + opened;
        !is_the_whole_text(text, Span::new(start, span.end + closed), close)
    })
}

/// Is there nothing outside of a quotation that begins and ends there? A text in quotes quotes nobody.
fn is_the_whole_text(text: &str, quoted: Span, close: char) -> bool {
    // Behind as many blanks nobody looks for more.
    let from = text.floor_char_boundary(quoted.start.saturating_sub(FAR));
    let to = text.ceil_char_boundary(quoted.end.saturating_add(FAR));
    let front = text.get(from..quoted.start).unwrap_or_default();
    let behind = text.get(quoted.end..to).unwrap_or_default();
    front.trim().is_empty()
        && behind.trim_matches(close).trim_matches(['.', ',', '!', ' ', '\n', '\r']).is_empty()
}

/// Where the first quotation mark stands that ends a quotation. An apostrophe in front of a letter or digit does
/// not: `don't`, `the '80s`.
fn closes_at(behind: &str, close: char) -> Option<usize> {
    let ends = |place: usize| {
        close != '\''
            || !behind.get(place + 1..).unwrap_or_default().starts_with(|next: char| next.is_alphanumeric())
    };
    behind.match_indices(close).map(|(place, _)| place).find(|&place| ends(place))
}

/// `10"`, `6'`, `'90s`: inches, feet and years, which no quotation begins with.
fn measures(before: &str, behind: &str, sign: char) -> bool {
    let digit = |next: Option<char>| next.is_some_and(|next| next.is_ascii_digit());
    let mut next = behind.chars();
    let inches =
        digit(before.chars().next_back()) && !behind.starts_with(|next: char| next.is_alphanumeric());
    let year = sign == '\'' && digit(next.next()) && digit(next.next()) && next.next() == Some('s');
    matches!(sign, '"' | '\'') && (inches || year)
}

/// Where the quotation mark stands that is still open at the end of `before`.
fn last_open(before: &str, open: char, close: char, syntax: Syntax) -> Option<usize> {
    let mut opened = None;
    let mut previous = ' ';
    for (place, character) in before.char_indices() {
        let escaped = previous == '\\';
        // An apostrophe inside a word is none; behind the letters of a string it opens that: `r'…'`.
        let apostrophe = character == '\''
            && previous.is_alphanumeric()
            && !(syntax.is_code() && ends_with_string_letters(before.get(..place).unwrap_or_default()));
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
            let behind = before.get(place + character.len_utf8()..).unwrap_or_default();
            let measure = measures(before.get(..place).unwrap_or_default(), behind, character);
            opened = (!measure).then_some(place);
        }
        previous = character;
    }
    opened
}

/// `r`, `b`, `rb` and kin, which stand in front of strings in several languages, as a word of their own.
fn ends_with_string_letters(before: &str) -> bool {
    let word = before.rsplit(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap_or_default();
    (1..=2).contains(&word.len()) && word.bytes().all(|byte| b"rbfuRBFU".contains(&byte))
}

fn paragraph_start(text: &str, at: usize) -> usize {
    let from = text.floor_char_boundary(at.saturating_sub(FAR));
    text.get(from..at).unwrap_or_default().rfind("\n\n").map_or(from, |place| from + place + 2)
}

fn paragraph_end(text: &str, at: usize) -> usize {
    let to = text.floor_char_boundary(at.saturating_add(FAR));
    text.get(at..to).and_then(|rest| rest.find("\n\n")).map_or(to.max(at), |place| at + place)
}

/// In a block quotation, with something outside of it.
fn in_block_quote(text: &str, span: Span, syntax: Syntax) -> bool {
    let is_quote = |line: &str| line.trim_start().starts_with('>');
    let here = text.get(line_start(text, span.start)..).unwrap_or_default();
    if syntax != Syntax::Prose || !is_quote(here) {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(FAR));
    let to = text.ceil_char_boundary(span.end.saturating_add(FAR));
    let around = text.get(line_start(text, from)..to).unwrap_or_default();
    around.lines().any(|line| !is_quote(line) && line.chars().any(char::is_alphanumeric))
}

/// Where the sign of Markdown stands that keeps what stands at `span` from being shown.
fn hiding_sign(text: &str, span: Span) -> Option<usize> {
    let start = line_start(text, span.start);
    let line = text.get(start..line_end(text, span.end)).unwrap_or_default();
    let bare = line.trim_start();
    // `[//]: # (…)`, `[comment]: <> (…)`
    let reference = bare.starts_with('[')
        && bare.split_once("]:").is_some_and(|(label, rest)| {
            !label.contains(' ')
                && (rest.trim_start().starts_with('#')
                    || rest.trim_start().starts_with("<>")
                    || rest.contains([' ', '"', '(']))
        });
    if reference {
        return Some(start + line.len() - bare.len());
    }
    let front = text.get(start..span.start).unwrap_or_default();
    let behind = text.get(span.end..line_end(text, span.end)).unwrap_or_default();
    // `![alt](…)`, `[x](y "title")`
    let alt = front
        .rfind("![")
        .filter(|&open| !front.get(open..).unwrap_or_default().contains("](") && behind.contains("]("));
    let title = front.rfind("](").filter(|&open| {
        let inside = front.get(open..).unwrap_or_default();
        !inside.contains(')') && inside.contains(['"', '\''])
    });
    alt.or(title).map(|open| start + open)
}

/// Between a sign that turns the direction of writing and the end of its line: it is read from its end.
fn is_turned(text: &str, span: Span) -> bool {
    const TURNS: char = '\u{202e}';
    let line = text.get(line_start(text, span.start)..span.start).unwrap_or_default();
    let inside = span.of(text).unwrap_or_default();
    !line.is_ascii()
        && line.rfind(TURNS).is_some_and(|turn| !line.get(turn..).unwrap_or_default().contains('\u{202c}'))
        || (!inside.is_ascii() && inside.contains(TURNS))
}

/// In a string of a program, on one line.
fn in_literal(text: &str, span: Span) -> bool {
    let before = text.get(line_start(text, span.start)..span.start).unwrap_or_default();
    let behind = text.get(span.end..line_end(text, span.end)).unwrap_or_default();
    [('"', '"'), ('\'', '\''), ('`', '`')].into_iter().any(|(open, close)| {
        last_open(before, open, close, Syntax::Program).is_some() && behind.contains(close)
    })
}

/// "Run this command to fix …" with the command behind it, for people to see.
pub(crate) fn shows_what_to_run(text: &str, span: Span) -> bool {
    let behind =
        text.get(span.end..text.floor_char_boundary(span.end.saturating_add(300))).unwrap_or_default();
    let before =
        text.get(text.floor_char_boundary(span.start.saturating_sub(80))..span.start).unwrap_or_default();
    let named = span.of(text).is_some_and(|said| said.contains('`'));
    named
        || behind.contains('`')
        || behind.contains("\n    ")
        || behind.contains("~~~")
        || behind.contains("\n$ ")
        || behind.contains(".. code")
        || before.trim_end().ends_with('`')
}
