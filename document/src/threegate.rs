//! The verdict of the original validator, its quirks included.
//!
//! For whoever moves over from it and wants to know what would change. Values are compared as text,
//! limits only have to be there, headings are whole lines wherever they stand, and the command is
//! the first line below its heading. The original's own front-matter parser and its list of
//! forbidden content are not known; ours stand in for them.

use call::Span;
use call::json::{self, JsonEntry, Reading};

use crate::bytes::first_byte;
use crate::findings::Findings;
use crate::front::{Part, Split};
use crate::monty::{REACHING_NAMES, is_identifier, is_input_name, words};
use crate::request::REQUIRED_KEYS;
use crate::rules;
use crate::text::quoted;
use crate::yaml::Map;

const ERA_HEADINGS: [&str; 4] =
    ["## Command", "## Input Files", "## Output Expectations", "## Risk Assessment"];
const MONTY_HEADINGS: [&str; 3] = ["## Code", "## Output Expectations", "## Risk Assessment"];
const SHELLS: [&str; 7] = ["shell", "bash", "sh", "zsh", "powershell", "pwsh", "cmd"];

/// Finds what the original would refuse.
pub(crate) fn check(split: Split<'_>, map: &Map<'_>, findings: &mut Findings) {
    for key in REQUIRED_KEYS.iter().filter(|key| map.entry(key).is_none()) {
        let message = format!("the key `{key}` is missing");
        findings.add(&rules::MISSING_KEY, split.opening, message);
    }
    let values = Values { map, opening: split.opening };
    values.expect("request_type", &["tool_request"], &rules::REQUEST_TYPE, findings);
    values.expect("schema_version", &["1"], &rules::SCHEMA_VERSION, findings);
    let approval = [("approved_by", &rules::APPROVED_BY_EMPTY), ("approved_utc", &rules::APPROVED_UTC_EMPTY)];
    for (key, rule) in approval {
        if values.text(key).is_empty() {
            findings.add(rule, values.span(key), format!("the request is not approved: `{key}` is empty"));
        }
    }
    if SHELLS.contains(&values.folded("language").as_str()) {
        let message = format!("`language` is {}, which is a shell", quoted(values.text("language")));
        findings.add(&rules::LANGUAGE_SHELL, values.span("language"), message);
    }
    if !["none", "allowlist"].contains(&values.folded("network").as_str()) {
        let message =
            format!("`network` is {}, expected `none` or `allowlist`", quoted(values.text("network")));
        findings.add(&rules::NETWORK, values.span("network"), message);
    }
    let backend = if values.text("backend").is_empty() { "era".to_owned() } else { values.folded("backend") };
    match backend.as_str() {
        "era" => check_era(split.body, findings),
        "monty" => check_monty(&values, split.body, findings),
        _ => {
            let message =
                format!("`backend` is {}, expected `ERA` or `monty`", quoted(values.text("backend")));
            findings.add(&rules::BACKEND, values.span("backend"), message);
        }
    }
}

/// Front matter as the original saw it: everything is text.
struct Values<'a> {
    map: &'a Map<'a>,
    opening: Span,
}

impl Values<'_> {
    /// The text of a key; empty where there is none, or where it is a list or mapping.
    fn text(&self, key: &str) -> &str {
        let entry = self.map.entry(key).filter(|entry| !entry.value.is_null());
        entry.and_then(|entry| entry.value.text()).unwrap_or_default()
    }

    fn folded(&self, key: &str) -> String {
        self.text(key).trim().to_lowercase()
    }

    fn span(&self, key: &str) -> Span {
        self.map.entry(key).map_or(self.opening, |entry| entry.value.span)
    }

    fn expect(&self, key: &str, choices: &[&str], rule: &'static rules::Rule, findings: &mut Findings) {
        let text = self.text(key);
        if !choices.contains(&text) {
            let expected = crate::fields::listed(choices);
            let message = format!("`{key}` is {}, expected {expected}", quoted(text));
            findings.add(rule, self.span(key), message);
        }
    }
}

fn check_era(body: Part<'_>, findings: &mut Findings) {
    let lines: Vec<_> = python_lines(body).collect();
    check_headings(body, &lines, &ERA_HEADINGS, findings);
    let command = content(&lines, "## Command")
        .iter()
        .map(|line| Part { text: line.text.trim(), start: line.start + leading(line.text) })
        .take_while(|line| !line.text.starts_with("## "))
        .find(|line| !line.text.is_empty());
    let Some(command) = command else {
        let message = "`## Command` holds no command";
        findings.add(&rules::COMMAND_EMPTY, Span::at(body.end()), message);
        return;
    };
    let span = Span::new(command.start, command.end());
    if command.text.starts_with("```") || command.text.ends_with("```") {
        findings.add(&rules::V1_FENCED, span, "the command is fenced");
    }
    let signs = [";", "&", "|", ">", "<", "`", "$(", ")"];
    let begins = |at: usize| {
        let rest = command.text.get(at..).unwrap_or_default();
        signs.iter().find(|sign| rest.starts_with(**sign)).map(|sign| (command.start + at, sign))
    };
    if let Some((at, sign)) = command.text.char_indices().find_map(|(at, _)| begins(at)) {
        let message = format!("the command line has `{sign}`");
        findings.add(&rules::V1_METACHARACTER, Span::new(at, at + sign.len()), message);
    }
    let lower = command.text.to_lowercase();
    if let Some(words) = ["pip install", "npm install", "apt"].iter().find(|words| lower.contains(**words)) {
        findings.add(&rules::V1_INSTALL, span, format!("the command line has the letters `{words}`"));
    }
}

fn check_monty(values: &Values<'_>, body: Part<'_>, findings: &mut Findings) {
    let lines: Vec<_> = python_lines(body).collect();
    check_headings(body, &lines, &MONTY_HEADINGS, findings);
    let code = section(body, &lines, "## Code");
    if code.text.is_empty() {
        // The original stops here: language, network and inputs of such a request go unread.
        findings.add(&rules::CODE_EMPTY, Span::at(code.start), "`## Code` holds no program");
        return;
    }
    if let Some(at) = code.text.find("```") {
        let at = code.start + at;
        findings.add(&rules::V1_FENCED, Span::new(at, at + 3), "the code holds a code fence");
    }
    check_inputs(section(body, &lines, "## Inputs (JSON)"), findings);
    if values.folded("language") != "python" {
        findings.add(&rules::MONTY_LANGUAGE, values.span("language"), "`backend: monty` runs `python`");
    }
    if values.folded("network") != "none" {
        findings.add(&rules::MONTY_NETWORK, values.span("network"), "`backend: monty` has no network");
    }
    let reaching = |word: &str| REACHING_NAMES.iter().any(|name| name.eq_ignore_ascii_case(word));
    if let Some((at, name)) = words(code.text).find(|(_, word)| reaching(word)) {
        let span = Span::new(code.start + at, code.start + at + name.len());
        findings.add(
            &rules::CODE_NAMES,
            span,
            format!("the code uses `{name}`, which the interpreter may refuse"),
        );
    }
}

fn check_inputs(inputs: Part<'_>, findings: &mut Findings) {
    if inputs.text.is_empty() {
        return;
    }
    match json::read(inputs.text, inputs.start, Reading::CPython) {
        Err(bad) => {
            let message = format!("`## Inputs (JSON)` is not JSON: {}", bad.why);
            findings.add(&rules::INPUTS_JSON, Span::at(bad.at), message);
        }
        Ok(value) => {
            let Some(entries) = value.entries() else {
                let message = "`## Inputs (JSON)` is not a JSON object";
                findings.add(&rules::INPUTS_JSON, Span::new(inputs.start, inputs.end()), message);
                return;
            };
            // In Python's regular expressions `$` also matches in front of a last line feed.
            let bad = entries.iter().filter(|JsonEntry { key, .. }| {
                let name = key.strip_suffix('\n').unwrap_or(key);
                !(is_input_name(key) || key.ends_with('\n') && is_identifier(name))
            });
            for JsonEntry { key, key_span, .. } in bad {
                let message = format!("the key {} is not a Python identifier, or a keyword", quoted(key));
                findings.add(&rules::INPUTS_JSON_KEY, *key_span, message);
            }
        }
    }
}

/// Each heading is a whole line, and the first of each kind stands behind the first of the one before.
fn check_headings(body: Part<'_>, lines: &[Part<'_>], headings: &[&str], findings: &mut Findings) {
    let mut last = None;
    for heading in headings {
        let Some(line) = lines.iter().find(|line| line.text == *heading) else {
            let message = format!("the line {} is missing", quoted(heading));
            findings.add(&rules::V1_SECTIONS, Span::at(body.end()), message);
            continue;
        };
        if last.is_some_and(|last| line.start < last) {
            let message = format!("the line {} is out of order", quoted(heading));
            findings.add(&rules::V1_SECTIONS, Span::new(line.start, line.end()), message);
        }
        last = Some(line.start);
    }
}

/// The lines below the first line that equals `heading`; none where there is no such line.
fn content<'a, 'l>(lines: &'l [Part<'a>], heading: &str) -> &'l [Part<'a>] {
    let place = lines.iter().position(|line| line.text == heading);
    place.and_then(|at| lines.get(at + 1..)).unwrap_or_default()
}

/// What stands below `heading` up to the next line that begins with `## `, without blanks around it.
fn section<'a>(body: Part<'a>, lines: &[Part<'a>], heading: &str) -> Part<'a> {
    let lines = content(lines, heading);
    let length = lines.iter().position(|line| line.text.starts_with("## ")).unwrap_or(lines.len());
    let mut inside = lines.iter().take(length);
    let Some(first) = inside.next() else {
        return Part { text: "", start: body.end() };
    };
    let last = inside.next_back().unwrap_or(first);
    let part = body.between(first.start, last.end());
    Part { text: part.text.trim(), start: part.start + leading(part.text) }
}

fn leading(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Lines as Python's `str.splitlines` sees them, which knows more line ends than CommonMark.
fn python_lines(body: Part<'_>) -> impl Iterator<Item = Part<'_>> {
    let ends = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    // Every control character is one byte, and the other line ends begin with one of these two.
    let may_end = |byte: u8| (byte < b' ') | (byte == 0xc2) | (byte == 0xe2);
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = body.text.get(at..).filter(|rest| !rest.is_empty())?;
        let plain = first_byte(rest, may_end).unwrap_or(rest.len());
        let unsure = rest.get(plain..).unwrap_or_default();
        let length = plain + unsure.find(ends).unwrap_or(unsure.len());
        let behind = rest.get(length..).unwrap_or_default();
        let ending =
            if behind.starts_with("\r\n") { 2 } else { behind.chars().next().map_or(0, char::len_utf8) };
        let line = Part { text: rest.get(..length)?, start: body.start + at };
        at += length + ending;
        Some(line)
    })
}
