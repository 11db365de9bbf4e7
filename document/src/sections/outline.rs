//! The headings of a plain text, without a Markdown parser.
//!
//! In paragraphs and lists, a line that begins with `## ` is a heading wherever it stands. It can
//! only be something else inside a fence, inside HTML, or in the definition of a link; and something
//! else can only be a heading when it is indented or stands above a row of `-`. A text is plain when
//! none of its lines begins any of these, whatever list and quotation it is in. **Invariant:** the
//! headings of a plain text are the ones that the parser finds.

use super::headings::Heading;
use crate::front::Part;

/// The text is not plain: ask the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotPlain;

/// The headings of `part`, up to the first line that leaves a doubt.
pub(crate) fn headings(part: Part<'_>) -> impl Iterator<Item = Result<Heading<'_>, NotPlain>> {
    let doubt = has_lone_return(part.text).then_some(Err(NotPlain));
    let headings = part.lines().filter_map(|line| match begins(line.text) {
        Begins::Heading => Some(Ok(Heading::exact(line))),
        Begins::Text => None,
        Begins::Other => Some(Err(NotPlain)),
    });
    doubt.into_iter().chain(headings)
}

/// A CR without LF ends a line, but the parser takes lines behind it for code now and then.
fn has_lone_return(text: &str) -> bool {
    text.match_indices('\r').any(|(at, _)| text.as_bytes().get(at + 1) != Some(&b'\n'))
}

/// What a line begins.
enum Begins {
    Heading,
    /// A paragraph, or another level of heading; nothing at all on a blank line.
    Text,
    Other,
}

fn begins(line: &str) -> Begins {
    // The signs of lists and quotations: what they hold may begin anywhere behind them.
    let holds =
        |c: char| c.is_whitespace() || c.is_ascii_digit() || matches!(c, '-' | '*' | '+' | '>' | '.' | ')');
    let shown = line.trim_start_matches(holds);
    let in_first_column = shown.len() == line.len();
    let doubtful = match shown.bytes().next() {
        None => !line.trim_start().is_empty(),
        Some(b'<' | b'[') => true,
        Some(b'`' | b'~') => shown.starts_with("```") || shown.starts_with("~~~"),
        Some(b'#') if in_first_column && line.starts_with("## ") => return Begins::Heading,
        Some(b'#') => !in_first_column || line.starts_with("##") && !line.starts_with("###"),
        Some(_) => false,
    };
    if doubtful { Begins::Other } else { Begins::Text }
}
