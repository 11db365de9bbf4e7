//! Which stretches of a text does a page not show, and which does it show as code?
//!
//! One pass from left to right, because whatever opens first wins: markup inside a code span is
//! shown, a code span inside hidden markup is not. Every byte is looked at a bounded number of times.

mod style;
mod tag;

use std::collections::BTreeMap;

use call::Span;

use crate::mention::Syntax;
use style::Sheet;
use tag::{Place, Tag};

/// The stretches, each list in the order in which they end.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Between fences and backticks, and in elements that show code; without what is hidden.
    pub(crate) code: Vec<Span>,
    /// In comments, in attributes, and in elements that a page does not show.
    pub(crate) hidden: Vec<Span>,
}

impl Places {
    pub(crate) fn of(text: &str, syntax: Syntax) -> Self {
        let sheet = Sheet::of(text);
        let mut scanner = Scanner {
            text,
            syntax,
            sheet,
            places: Self::default(),
            runs: Runs::default(),
            in_list: false,
            shown: None,
        };
        scanner.scan();
        scanner.places
    }
}

struct Scanner<'t> {
    text: &'t str,
    syntax: Syntax,
    sheet: Sheet<'t>,
    places: Places,
    runs: Runs,
    // The last line that was not indented began an item of a list.
    in_list: bool,
    // The element that is open and shows code, and where its content starts.
    shown: Option<(&'static str, usize)>,
}

impl Scanner<'_> {
    fn starts_line(&self, at: usize) -> bool {
        let last = at.checked_sub(1).and_then(|last| self.text.as_bytes().get(last));
        last.is_none_or(|&byte| byte == b'\n')
    }

    fn scan(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if self.starts_line(at)
                && !matches!(self.syntax, Syntax::Page | Syntax::Component)
                && let Some(end) = self.fence(at)
            {
                at = end;
                continue;
            }
            let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr3(b'`', b'<', b'\n', rest))
            else {
                return;
            };
            let sign = at + found;
            at = match bytes.get(sign) {
                Some(b'`') => self.code_span(sign),
                Some(b'<') => self.markup(sign).unwrap_or(sign + 1),
                _ => sign + 1,
            };
        }
    }

    /// Where the fence ends whose first line starts at `at`, if one does.
    fn fence(&mut self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let first = rest.split_inclusive('\n').next()?;
        let quoted = first.trim_start_matches(' ').starts_with('>');
        let line = first.trim_start_matches([' ', '>', '\t']);
        let indented = first.len() - line.len() > 3 && !quoted;
        let unmarked = behind_item_mark(line);
        let item = unmarked.len() < line.len();
        if item || (!indented && first.starts_with(|start: char| !start.is_whitespace())) {
            self.in_list = item;
        }
        let sign = unmarked.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
        let length = unmarked.len() - unmarked.trim_start_matches(sign).len();
        let info = unmarked.get(length..)?;
        // Further in, this is a line of something else, unless it belongs to an item.
        if length < 3 || (sign == '`' && info.contains('`')) || (indented && !self.in_list) {
            return None;
        }
        let inside = item || (self.in_list && line.len() < first.len());
        let start = at + first.len();
        let mut end = start;
        for line in self.text.get(start..)?.split_inclusive('\n') {
            let bare = line.trim_start_matches([' ', '>', '\t']);
            let closes =
                bare.trim_end().trim_start_matches(sign).is_empty() && bare.trim_end().len() >= length;
            if closes {
                self.places.code.push(Span::new(start, end));
                return Some(end + line.len());
            }
            // What holds the fence ends, and the fence with it.
            let outside = quoted && !line.trim_start_matches(' ').starts_with('>')
                || inside && !quoted && line.starts_with(|first: char| !first.is_whitespace());
            if outside {
                break;
            }
            end += line.len();
        }
        self.places.code.push(Span::new(start, end));
        Some(end)
    }

    /// Where to go on behind the backticks at `at`: behind the code that they open, if they do.
    fn code_span(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let length = bytes.get(at..).unwrap_or_default().iter().take_while(|&&byte| byte == b'`').count();
        let escaped = at.checked_sub(1).and_then(|last| bytes.get(last)) == Some(&b'\\');
        if matches!(self.syntax, Syntax::Page | Syntax::Component) || escaped {
            return at + 1;
        }
        match self.runs.closing(self.text, at) {
            Some(close) => {
                self.places.code.push(Span::new(at, close));
                close + length
            }
            None => at + length,
        }
    }

    /// Where to go on behind the comment, tag or element that opens at `at`.
    fn markup(&mut self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        if rest.starts_with("<!--") {
            let end = rest.get(4..)?.find("-->").map_or(self.text.len(), |place| at + 4 + place + 3);
            return self.hide(at, end);
        }
        if let Some((name, from)) = self.shown
            && rest.strip_prefix("</").is_some_and(|end| tag::is_named(end, name))
        {
            self.places.code.push(Span::new(from, at));
            self.shown = None;
        }
        let declares = rest.starts_with("<?") || rest.starts_with("<!") || rest.starts_with("</");
        if declares && self.syntax != Syntax::Program {
            let window = rest.get(..rest.floor_char_boundary(tag::LONGEST))?;
            return self.hide(at, at + window.find('>')? + 1);
        }
        let before = self.text.get(..at)?.trim_end_matches([' ', '\t', '>']);
        let place = match self.syntax {
            Syntax::Program => Place::Program,
            Syntax::Prose | Syntax::Snippet | Syntax::Json
                if !before.is_empty() && !before.ends_with('\n') =>
            {
                Place::Line
            }
            Syntax::Prose
            | Syntax::Snippet
            | Syntax::Json
            | Syntax::Tex
            | Syntax::Samples
            | Syntax::Page
            | Syntax::Component => Place::Block,
        };
        let tag = Tag::read(rest, place)?;
        for hidden in tag.unshown() {
            self.hide(at + hidden.start, at + hidden.end);
        }
        let inside = at + tag.length;
        if !tag.hides(&self.sheet)
            || (self.syntax == Syntax::Component && self.starts_line(at) && tag.is_bare_template())
        {
            // What is inside is read on, because it may hide something.
            if matches!(self.syntax, Syntax::Page | Syntax::Component | Syntax::Prose) && self.shown.is_none()
            {
                self.shown = tag.as_code().map(|name| (name, inside));
            }
            return Some(inside);
        }
        match self.text.get(inside..).and_then(|content| tag.end_of_element(content)) {
            Some(length) => self.hide(inside, inside + length),
            // In a program this is no element but a comparison or a list of types.
            None if self.syntax == Syntax::Program => Some(inside),
            None => self.hide(inside, self.text.len()),
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "it is the answer of whoever calls it")]
    fn hide(&mut self, from: usize, to: usize) -> Option<usize> {
        self.places.hidden.push(Span::new(from, to));
        Some(to)
    }
}

/// `line` without the mark of a list item.
fn behind_item_mark(line: &str) -> &str {
    let number = line.bytes().take(9).take_while(u8::is_ascii_digit).count();
    let mark = match (number, line.as_bytes().get(number)) {
        (0, Some(b'-' | b'*' | b'+')) => 1,
        (1.., Some(b'.' | b')')) => number + 1,
        _ => return line,
    };
    let behind = line.get(mark..).unwrap_or_default();
    let bare = behind.trim_start_matches([' ', '\t']);
    if bare.len() < behind.len() { bare } else { line }
}

/// The runs of backticks in one paragraph, and which closes which.
#[derive(Debug, Default)]
struct Runs {
    // Up to where the text is known.
    end: usize,
    // From the start of a run to the start of the next one of the same length.
    closing: BTreeMap<usize, usize>,
}

impl Runs {
    /// Where the run starts that closes the one at `at`: the next of the same length in the paragraph.
    fn closing(&mut self, text: &str, at: usize) -> Option<usize> {
        if at >= self.end {
            self.read(text, at);
        }
        self.closing.get(&at).copied()
    }

    fn read(&mut self, text: &str, at: usize) {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        self.end = at + memchr::memmem::find(rest, b"\n\n").unwrap_or(rest.len());
        self.closing.clear();
        // The last run of each length.
        let mut last: BTreeMap<usize, usize> = BTreeMap::new();
        let mut from = at;
        while let Some(found) =
            text.as_bytes().get(from..self.end).and_then(|rest| memchr::memchr(b'`', rest))
        {
            let start = from + found;
            let run = text.as_bytes().get(start..self.end).unwrap_or_default();
            let length = run.iter().take_while(|&&byte| byte == b'`').count();
            if let Some(before) = last.insert(length, start) {
                self.closing.insert(before, start);
            }
            from = start + length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::mention::Syntax;

    #[test]
    fn whatever_opens_first_wins() {
        let cases = [
            // text, is the X hidden, is it code?
            ("<!-- `X` -->", true, false),
            ("`<!-- X -->`", false, true),
            ("``<!-- `X` -->``", false, true),
            ("\\`<!-- X -->\\`", true, false),
            ("<!--\n```\nX\n```\n-->", true, false),
            ("```\n<!-- X -->\n```", false, true),
            ("```a```\n<!-- X -->", true, false),
            ("        ```\n<!-- X -->", true, false),
            ("- a\n\n      ```\n      <!-- X -->\n", false, true),
            ("- ```\n<!-- X -->", true, false),
            ("> ```\n<!-- X -->", true, false),
            ("> ```\n> <!-- X -->\n> ```", false, true),
            ("<div hidden>\n\n```\nX\n```\n</div>", true, false),
            ("<div hidden><div>a</div> `X`</div>", true, false),
            ("<div hidden>a</div> `X`", false, true),
            ("<div hidden/>`X`", true, false),
            ("<b title='`X`'>", true, false),
            ("<b\n title='>`X`'>", true, false),
            ("<input placeholder=\"X\" title=a>", false, false),
            ("a <b and `X` c> d", false, true),
            ("<?a `X`?>", true, false),
            ("a `b\n\n<!-- X --> ` c", true, false),
            ("Say <code>X</code>.", false, true),
            ("<pre><code>a</code> X</pre>", false, true),
            ("<code>a</code> X", false, false),
            ("<code>X", false, false),
            ("<code>a</codes> X </code>", false, true),
            ("<codes>X</codes>", false, false),
            ("<div hidden><code>X</code></div>", true, false),
            ("<code><!-- X --></code>", true, true),
            ("<!-- <code> -->X</code>", false, false),
        ];
        for (text, hidden, code) in cases {
            let at = text.find('X').unwrap_or_default();
            let places = Places::of(text, Syntax::Prose);
            let within = |list: &[call::Span]| list.iter().any(|span| (span.start..span.end).contains(&at));
            assert_eq!((within(&places.hidden), within(&places.code)), (hidden, code), "{text:?} {places:?}");
        }
    }
}
