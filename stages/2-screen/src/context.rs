//! What stands around a phrase in the text that was squeezed.
//!
//! Squeezed text has no punctuation, and some phrases mean what they say only with it.

use call::Span;

/// Does a colon stand behind `span`, emphasis marks and blanks aside?
pub(crate) fn colon_follows(text: &str, span: Span) -> bool {
    let behind = text.get(span.end..).unwrap_or_default();
    behind.trim_start_matches([' ', '*', '_', '"', '\'', '`', ')', ']']).starts_with([':', '：'])
}

/// Does `span` open a sentence or a clause? A line break alone does not: text is wrapped.
pub(crate) fn opens_sentence(text: &str, span: Span) -> bool {
    // As much as can stand between two sentences; more is a disguise.
    let window = text.floor_char_boundary(span.start.saturating_sub(200));
    let before = text.get(window..span.start).unwrap_or_default();
    let blank = |character: char| {
        character.is_whitespace()
            || matches!(
                character,
                '-' | '*' | '_' | '#' | '>' | '"' | '\'' | '`' | '(' | '[' | '“' | '‘' | '/'
            )
    };
    let ended = before.trim_end_matches(blank);
    let gap = before.get(ended.len()..).unwrap_or_default();
    let paragraph =
        gap.matches('\n').count() >= 2 || (gap.contains('\n') && gap.contains(['-', '*', '#', '>']));
    ended.is_empty() || paragraph || ended.ends_with(['.', '!', '?', ':', ';', ',', '—', ']', ')', '|'])
}

/// Does the clause in front of `span` go on with it? What denies an order behind a comma or a stop denies another
/// one, and "why not" and "why should you not" ask for it.
pub(crate) fn is_denied_directly(text: &str, span: Span) -> bool {
    let window = text.floor_char_boundary(span.start.saturating_sub(100));
    let before = text.get(window..span.start).unwrap_or_default();
    let clause = before.trim_end_matches(is_within_clause);
    let gap = before.get(clause.len()..).unwrap_or_default();
    let sentence = clause.rsplit(['.', '!', '?', ';', '\n']).next().unwrap_or_default();
    let asked = sentence.split_whitespace().next().is_some_and(|first| first.eq_ignore_ascii_case("why"));
    !ends_paragraph(gap) && clause.ends_with(|last: char| last.is_alphanumeric()) && !asked
}

/// Does the clause go on behind `span`, or even its last word?
pub(crate) fn goes_on_directly(text: &str, span: Span) -> bool {
    let behind = text.get(span.end..).unwrap_or_default();
    let rest = behind.trim_start_matches(is_within_clause);
    let gap = behind.get(..behind.len() - rest.len()).unwrap_or_default();
    !ends_paragraph(gap) && rest.starts_with(|first: char| first.is_alphanumeric() || !first.is_ascii())
}

/// Blanks, and signs around words and between those of one name.
fn is_within_clause(sign: char) -> bool {
    sign.is_whitespace()
        || matches!(sign, '-' | '_' | '/' | '*' | '"' | '\'' | '`' | '(' | '[' | '“' | '‘' | '’')
}

fn ends_paragraph(gap: &str) -> bool {
    gap.matches('\n').count() >= 2
}

/// Does a phrase go on with one of these words, `|` between them, and say which things it is about: rules of a
/// linter, a platform, what one does? Not where it speaks of the conversation.
pub(crate) fn is_about_things(words: &str, text: &str, span: Span) -> bool {
    if words.is_empty() {
        return false;
    }
    let behind = text.get(span.end..).unwrap_or_default();
    let rest = behind.trim_start();
    let gap = behind.get(..behind.len() - rest.len()).unwrap_or_default();
    let word = rest.get(..rest.bytes().take_while(u8::is_ascii_alphabetic).count()).unwrap_or_default();
    let (word, about) = (word.to_ascii_lowercase(), rest.get(word.len()..).unwrap_or_default());
    if gap.is_empty() || ends_paragraph(gap) || !words.split('|').any(|known| known == word) {
        return false;
    }
    let about = about.get(..about.floor_char_boundary(MOST_ABOUT)).unwrap_or_default();
    let end = about.find([',', ';', ':', '!', '?', '\n', '—', '<']).unwrap_or(about.len());
    let ends_sentence = !about.get(end..).is_some_and(|behind| behind.starts_with([',', ';', ':', '—', '<']));
    let about = about.get(..end).unwrap_or_default().split(". ").next().unwrap_or_default();
    let said: Vec<&str> = about.split(|sign: char| !sign.is_alphanumeric() && sign != '.').collect();
    let condition = |word: &&str| ["if", "when", "unless", "because"].contains(word);
    let said: Vec<&str> = said
        .into_iter()
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty())
        .take_while(|word| !condition(word))
        .collect();
    let Some(first) = said.first() else { return false };
    // "for the parking lot.", and nothing more is to be done
    let one_thing = ["the", "a", "an"].iter().any(|article| first.eq_ignore_ascii_case(article))
        && said.len() <= 5
        && ends_sentence
        && !said.iter().any(|word| ["and", "then", "but", "or"].contains(word));
    // "for Windows", "for version 2", "for building from source"
    let which = word != "for"
        || one_thing
        || first.contains(char::is_uppercase)
        || PLATFORMS.iter().any(|name| first.eq_ignore_ascii_case(name))
        || first.contains(|digit: char| digit.is_ascii_digit())
        || first.len() > 5 && first.ends_with("ing")
        || KINDS_OF_THINGS.iter().any(|kind| said.iter().take(3).any(|word| word.eq_ignore_ascii_case(kind)));
    let conversation = |word: &&str| CONVERSATION.iter().any(|known| word.eq_ignore_ascii_case(known));
    which && !said.iter().any(conversation)
}

/// How much of what follows is looked at.
const MOST_ABOUT: usize = 100;

/// What instructions of a manual are for.
const KINDS_OF_THINGS: &[&str] = &[
    "version",
    "versions",
    "release",
    "releases",
    "users",
    "platform",
    "platforms",
    "installer",
    "model",
    "board",
    "device",
];

/// What manuals have instructions for, in small letters too.
const PLATFORMS: &[&str] = &[
    "windows", "linux", "mac", "macos", "ios", "android", "debian", "ubuntu", "fedora", "arch", "homebrew",
    "brew", "docker", "npm", "pnpm", "yarn", "pip", "cargo", "bash", "zsh", "git", "node", "python", "ruby",
    "rust", "x86", "arm",
];

/// Whoever reads it, and what it was told.
const CONVERSATION: &[&str] = &[
    "you",
    "your",
    "yours",
    "yourself",
    "me",
    "my",
    "mine",
    "i",
    "we",
    "us",
    "our",
    "now",
    "good",
    "ever",
    "system",
    "prompt",
    "prompts",
    "conversation",
    "chat",
    "session",
    "developer",
    "developers",
    "operator",
    "operators",
    "assistant",
    "everything",
    "once",
    "moment",
    "anthropic",
    "openai",
    "google",
    "guidelines",
    "creators",
    "task",
    "claude",
    "gpt",
    "chatgpt",
    "gemini",
    "copilot",
    "codex",
    "cursor",
    "llama",
    "ai",
    "llm",
    "llms",
    "agent",
    "agents",
    "bot",
    "bots",
    "models",
    "rest",
    "remainder",
    "request",
    "reply",
    "answer",
    "user",
];

/// `span` without the first letter of the next word, which letters alone cannot tell from a plural: `"your token" src`.
pub(crate) fn without_next_word(text: &str, span: Span) -> Span {
    let written = span.of(text).unwrap_or_default();
    let Some(rest) = written.strip_suffix(['s', 'S']) else { return span };
    let goes_on = text.get(span.end..).is_some_and(|behind| behind.starts_with(char::is_alphanumeric));
    let ended = rest.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    let gap = rest.get(ended.len()..).unwrap_or_default();
    match goes_on && gap.contains(char::is_whitespace) {
        true => Span::new(span.start, span.start + ended.len()),
        false => span,
    }
}

/// Written like this, a phrase of that kind is none.
pub(crate) fn is_harmless(kind: &str, text: &str, span: Span) -> bool {
    let written = span.of(text).unwrap_or_default();
    match kind {
        "policy_override" => is_identifier(written) || is_denied(text, span),
        "new_instructions" => is_identifier(written) && written.bytes().any(|byte| byte.is_ascii_lowercase()),
        _ => false,
    }
}

/// A name in code, of two or three words: `bypass_sandbox`, `AdminOverride`.
fn is_identifier(written: &str) -> bool {
    let bytes = written.as_bytes();
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    let humps = pairs.filter(|(left, right)| left.is_ascii_lowercase() && right.is_ascii_uppercase()).count();
    let seams = bytes.iter().filter(|&&byte| byte == b'_').count();
    let name = bytes.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
    name && (1..=2).contains(&(humps + seams))
}

/// A question that is answered at once: "Disable the checks …? No."
fn is_denied(text: &str, span: Span) -> bool {
    let window =
        text.get(span.end..text.floor_char_boundary(span.end.saturating_add(120))).unwrap_or_default();
    let end = window.find(['.', '!', '?', '\n']).unwrap_or(window.len());
    let answer = window.get(end..).unwrap_or_default();
    ["? No.", "? No,", "? No\n", "? Never."].iter().any(|no| answer.starts_with(no)) || answer == "? No"
}

#[cfg(test)]
mod tests {
    use super::opens_sentence;
    use call::Span;

    #[test]
    fn an_order_opens_a_sentence() {
        let cases = [
            // text in front, does a sentence begin behind it?
            ("", true),
            ("Done. ", true),
            ("Assistant, ", true),
            ("a line\n\n", true),
            ("a line\n- ", true),
            ("**", true),
            ("rows that ", false),
            ("rows that\n", false),
        ];
        for (before, want) in cases {
            let text = format!("{before}do");
            assert_eq!(opens_sentence(&text, Span::new(before.len(), text.len())), want, "{before:?}");
        }
    }
}
