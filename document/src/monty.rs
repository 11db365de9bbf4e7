//! `## Code` and `## Inputs (JSON)`: a program for the Monty interpreter and what it is given.

use std::collections::HashSet;

use call::Span;
use call::json::{self, JsonEntry, Reading};
use screen::glyph::{self, Unseen};

use crate::command::first_fence;
use crate::findings::Findings;
use crate::front::Part;
use crate::rules;
use crate::sections::Section;
use crate::text::{code_point, quoted};

/// Names that reach outside the interpreter, or try to.
pub(crate) const REACHING_NAMES: [&str; 13] = [
    "import",
    "open",
    "exec",
    "eval",
    "compile",
    "__import__",
    "globals",
    "locals",
    "vars",
    "dir",
    "getattr",
    "setattr",
    "delattr",
];

/// The words that Python keeps for itself. Soft keywords such as `match` are names like any other.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Reads the program.
pub(crate) fn code(section: Section<'_>, findings: &mut Findings) -> Option<String> {
    let part = section.content;
    if part.text.trim().is_empty() {
        let message = "`## Code` holds no program";
        findings.advise(&rules::CODE_EMPTY, section.heading, message, "write the program below the heading");
        return None;
    }
    if let Some(fence) = first_fence(part).filter(|fence| !is_in_string(part, *fence)) {
        let message = "the code is fenced";
        findings.advise(&rules::CODE_FENCED, fence, message, "write it as plain text, without ``` lines");
    }
    for (span, name) in reaching_names(part) {
        let message = format!("the code uses `{name}`, which the interpreter may refuse");
        findings.add(&rules::CODE_NAMES, span, message);
    }
    let bidi = part.text.char_indices().find(|(_, c)| glyph::unseen(*c) == Some(Unseen::Bidi));
    if let Some((at, character)) = bidi {
        let span = Span::new(part.start + at, part.start + at + character.len_utf8());
        let message = format!("the code holds {}, which turns the direction of text", code_point(character));
        findings.advise(&rules::CODE_BIDI, span, message, "write it as an escape inside a string");
    }
    Some(part.text.trim_matches(['\n', '\r']).to_owned())
}

/// Whether a place of a program lies in a string of several lines.
fn is_in_string(part: Part<'_>, place: Span) -> bool {
    let before = part.between(part.start, place.start).text;
    ["\"\"\"", "'''"].iter().any(|quote| before.matches(quote).count() % 2 == 1)
}

/// The first use of each name that reaches outside.
fn reaching_names(part: Part<'_>) -> Vec<(Span, &'static str)> {
    let mut found: Vec<(Span, &'static str)> = Vec::new();
    for (at, word) in words(part.text) {
        let Some(name) = REACHING_NAMES.iter().find(|name| **name == word) else {
            continue;
        };
        if !found.iter().any(|(_, other)| other == name) {
            let start = part.start + at;
            found.push((Span::new(start, start + word.len()), name));
        }
    }
    found
}

/// Runs of letters, digits and `_`, with their offsets.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(is_word)?;
        let word = text.get(start..)?;
        let length = word.find(|c| !is_word(c)).unwrap_or(word.len());
        at = start + length;
        Some((start, word.get(..length)?))
    })
}

/// Reads the inputs; an empty section counts as absent.
pub(crate) fn inputs(section: Section<'_>, findings: &mut Findings) -> Option<String> {
    let text = section.content.text.trim();
    if text.is_empty() {
        return None;
    }
    if let Some(fence) = first_fence(section.content) {
        let message = "the inputs are fenced";
        findings.advise(&rules::INPUTS_JSON_FENCED, fence, message, "write the JSON object as plain text");
        return None;
    }
    let indent = section.content.text.len() - section.content.text.trim_start().len();
    let start = section.content.start + indent;
    match json::read(text, start, Reading::Repeating) {
        Ok(value) => match value.entries() {
            Some(entries) => check_keys(entries, findings),
            None => {
                let message = "`## Inputs (JSON)` is not a JSON object";
                findings.advise(&rules::INPUTS_JSON, value.span, message, "write `{\"name\": value}`");
            }
        },
        Err(bad) => {
            let message = format!("`## Inputs (JSON)` is not JSON: {}", bad.why);
            findings.add(&rules::INPUTS_JSON, Span::at(bad.at), message);
        }
    }
    Some(text.to_owned())
}

fn check_keys(entries: &[JsonEntry], findings: &mut Findings) {
    let mut seen = HashSet::new();
    for JsonEntry { key, key_span: span, .. } in entries {
        if !is_input_name(key) {
            let message = format!("the key {} is not a Python identifier, or a keyword", quoted(key));
            findings.add(&rules::INPUTS_JSON_KEY, *span, message);
        }
        if !seen.insert(key) {
            let message = format!("the key {} is given twice", quoted(key));
            findings.advise(&rules::INPUTS_JSON_TWICE, *span, message, "keep one of them");
        }
    }
}

/// An ASCII identifier that is not a keyword.
pub(crate) fn is_input_name(name: &str) -> bool {
    is_identifier(name) && !KEYWORDS.contains(&name)
}

/// An ASCII identifier, keyword or not.
pub(crate) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
