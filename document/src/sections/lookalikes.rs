//! Lines that a reader takes for a heading and Markdown does not.

use call::Span;
use screen::glyph;

use crate::findings::Findings;
use crate::front::Part;
use crate::rules;
use crate::text::quoted;

/// Reports lines that a reader takes for a heading and Markdown does not: unseen characters around
/// the `##`, or characters that only look like `#`.
pub(crate) fn refuse_lookalikes(part: Part<'_>, findings: &mut Findings) {
    if part.text.is_ascii() {
        return;
    }
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
