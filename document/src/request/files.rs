//! What the program reads and writes: declared in the front matter, listed in the sections.

use call::{Sha256, Span};

use super::types::{Input, Output};
use crate::fields::Fields;
use crate::findings::Findings;
use crate::front::Part;
use crate::listing::{Listed, leading_paths, only_digest, paths_below, without_comments};
use crate::names::Names;
use crate::path::{is_below, normalise};
use crate::rules;
use crate::sections::Section;
use crate::text::quoted;
use crate::yaml::Map;

/// A declared file and where it is declared.
#[derive(Clone, Debug)]
pub(super) struct Declared<T> {
    pub(super) file: T,
    pub(super) span: Span,
}

/// `inputs`. An input that breaks a rule is still declared, under the name it has.
pub(super) fn inputs(fields: &mut Fields<'_>) -> Vec<Declared<(String, Option<Sha256>)>> {
    let mut declared = Vec::new();
    let mut names = Names::default();
    for (map, span) in fields.maps("inputs", &["name", "sha256"]) {
        let digest = input_digest(fields, map, span);
        let Some(name) = item_text(fields, map, span, "name", &rules::INPUT_NAME) else {
            continue;
        };
        if let Some(why) = not_a_plain_name(name.0) {
            let message = format!("the input name {} {why}", quoted(name.0));
            let hint = "use a plain file name; the file appears as `/in/<name>`";
            fields.findings.advise(&rules::INPUT_NAME, name.1, message, hint);
        }
        if !names.is_new(name.0) {
            let message = format!("the input {} is declared twice", quoted(name.0));
            fields.findings.advise(&rules::INPUT_TWICE, name.1, message, "keep one of them");
        }
        declared.push(Declared { file: (name.0.to_owned(), digest), span: name.1 });
    }
    declared
}

fn input_digest(fields: &mut Fields<'_>, map: &Map<'_>, item: Span) -> Option<Sha256> {
    let (text, span) = item_text(fields, map, item, "sha256", &rules::INPUT_DIGEST)?;
    let digest = text.parse().ok();
    if digest.is_none() {
        let message = format!("the digest {} is not 64 hexadecimal digits", quoted(text));
        fields.findings.advise(&rules::INPUT_DIGEST, span, message, "`sha256sum FILE` prints it");
    }
    digest
}

/// The text of a key in a list item, which must be there.
fn item_text<'a>(
    fields: &mut Fields<'_>,
    map: &'a Map<'a>,
    item: Span,
    key: &str,
    rule: &'static rules::Rule,
) -> Option<(&'a str, Span)> {
    match map.entry(key) {
        None => fields.findings.add(rule, item, format!("an item has no `{key}`")),
        Some(entry) if entry.value.is_null() => {
            fields.findings.add(rule, entry.key_span, format!("`{key}` is empty"));
        }
        Some(entry) => match entry.value.text() {
            Some(text) => return Some((text, entry.value.span)),
            None => {
                fields.findings.add(&rules::WRONG_SHAPE, entry.value.span, format!("`{key}` is not text"))
            }
        },
    }
    None
}

fn not_a_plain_name(name: &str) -> Option<&'static str> {
    const LONGEST: usize = 255;
    match name {
        "" => Some("is empty"),
        "." | ".." => Some("is a folder"),
        name if name.contains(['/', '\\']) => Some("is a path"),
        name if name.starts_with('-') => Some("begins with `-`, like an option"),
        name if name.contains('\0') => Some("holds a NUL"),
        name if name.trim() != name => Some("begins or ends with a blank"),
        name if name.len() > LONGEST => Some("is longer than 255 bytes"),
        _ => None,
    }
}

/// `outputs_expected`; nothing when the key is not there.
pub(super) fn outputs(fields: &mut Fields<'_>) -> Option<Vec<Declared<Output>>> {
    fields.map.entry("outputs_expected")?;
    let mut declared: Vec<Declared<Output>> = Vec::new();
    for (map, item) in fields.maps("outputs_expected", &["path", "description"]) {
        let description = map.entry("description").and_then(|entry| entry.value.text());
        let description = description.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let Some((text, span)) = item_text(fields, map, item, "path", &rules::OUTPUT_PATH) else {
            continue;
        };
        if description.is_none() {
            let message = format!("the output {} has no description", quoted(text));
            fields.findings.add(&rules::OUTPUT_DESCRIPTION, span, message);
        }
        let path = normalise(text, "/out");
        if !is_below(&path, "/out") || text.starts_with('~') || text.contains('\\') {
            let message = format!("the output {} does not lie below `/out`", quoted(text));
            let hint = "write it as `/out/<name>`";
            fields.findings.advise(&rules::OUTPUT_PATH, span, message, hint);
            continue;
        }
        if declared.iter().any(|other| other.file.path == path) {
            let message = format!("the output {} is declared twice", quoted(text));
            fields.findings.add(&rules::OUTPUT_TWICE, span, message);
        }
        declared.push(Declared { file: Output { path: path.into_owned(), description }, span });
    }
    Some(declared)
}

/// `## Input Files` and `inputs` name the same files.
pub(super) fn agree_on_inputs(
    section: Section<'_>,
    declared: &[Declared<(String, Option<Sha256>)>],
    findings: &mut Findings,
) {
    let shown = without_comments(section.content.text);
    let part = Part { text: &shown, start: section.content.start };
    let names: Vec<&str> = declared.iter().map(|input| input.file.0.as_str()).collect();
    let listed = paths_below(part, "/in/", &names);
    for input in declared {
        let name = &input.file.0;
        if !listed.iter().any(|path| path.rest() == name) {
            let message = format!("the input {} is not listed under `## Input Files`", quoted(name));
            let hint = format!("add a line with {}", quoted(&format!("/in/{name}")));
            findings.advise(&rules::INPUT_NOT_LISTED, input.span, message, hint);
        }
    }
    for (span, path) in leading_paths(part).filter(|(_, path)| !path.starts_with("/in/") && *path != "/in") {
        let message = format!("{} is not an input: inputs lie in `/in`", quoted(path));
        findings.advise(&rules::INPUT_NOT_DECLARED, span, message, "list inputs as `/in/<name>`");
    }
    for (index, path) in listed.iter().enumerate() {
        match declared.iter().find(|input| input.file.0 == path.rest()) {
            Some(input) => {
                let is_neighbour = |other: Option<&Listed<'_>>| {
                    other.is_some_and(|other| std::ptr::eq(other.line, path.line))
                };
                let before = index.checked_sub(1).and_then(|before| listed.get(before));
                if !is_neighbour(before) && !is_neighbour(listed.get(index + 1)) {
                    agree_on_digest(path, input, findings);
                }
            }
            None => {
                let message = format!("{} is not declared in `inputs`", quoted(&path.path));
                let hint = "declare it with its `sha256`, or remove it here";
                findings.advise(&rules::INPUT_NOT_DECLARED, path.span, message, hint);
            }
        }
    }
}

/// A line that names one input and one digest means that input's digest.
fn agree_on_digest(path: &Listed<'_>, input: &Declared<(String, Option<Sha256>)>, findings: &mut Findings) {
    if let (Some(expected), Some(found)) = (input.file.1, only_digest(path.line))
        && found != expected
    {
        let message = format!("the digest of {} differs from the declared one", quoted(path.rest()));
        findings.add(&rules::INPUT_DIGEST_DIFFERS, path.span, message);
    }
}

/// `## Output Expectations` names paths below `/out`, the same ones as `outputs_expected`.
pub(super) fn agree_on_outputs(
    section: Section<'_>,
    declared: Option<&[Declared<Output>]>,
    findings: &mut Findings,
) {
    let shown = without_comments(section.content.text);
    let part = Part { text: &shown, start: section.content.start };
    let names: Vec<&str> = declared
        .unwrap_or_default()
        .iter()
        .filter_map(|output| output.file.path.strip_prefix("/out/"))
        .collect();
    let listed = paths_below(part, "/out/", &names);
    for (span, path) in leading_paths(part) {
        let place = normalise(path, "/");
        let known = ["/in", "/out"].iter().any(|folder| place == *folder || is_below(&place, folder));
        // A path that leads out of `/out` by `..` is reported with the others below.
        if !known && !path.starts_with("/out/") || path.starts_with(['~', '.']) {
            let message = format!("{} does not lie below `/out`", quoted(path));
            findings.advise(&rules::OUTPUT_LISTED_OUTSIDE, span, message, "write outputs below `/out`");
        }
    }
    let mut named = Vec::new();
    for path in &listed {
        let place = normalise(&path.path, "/");
        if is_below(&place, "/out") {
            named.push((place, path.span));
        } else {
            let message = format!("{} does not lie below `/out`", quoted(&path.path));
            findings.advise(&rules::OUTPUT_LISTED_OUTSIDE, path.span, message, "write outputs below `/out`");
        }
    }
    let Some(declared) = declared else { return };
    for output in declared {
        if !named.iter().any(|(path, _)| path == trimmed(&output.file.path)) {
            let path = quoted(&output.file.path);
            let message = format!("the output {path} is not listed under `## Output Expectations`");
            let hint = format!("add a line with {path}");
            findings.advise(&rules::OUTPUT_NOT_LISTED, output.span, message, hint);
        }
    }
    for (path, span) in &named {
        if !declared.iter().any(|output| trimmed(&output.file.path) == path) {
            let message = format!("{} is not in `outputs_expected`", quoted(path));
            let hint = "declare it with a description, or remove it here";
            findings.advise(&rules::OUTPUT_NOT_DECLARED, *span, message, hint);
        }
    }
}

fn trimmed(path: &str) -> &str {
    path.trim_end_matches('/')
}

/// The inputs as values, when each of them keeps every rule.
pub(super) fn into_inputs(declared: Vec<Declared<(String, Option<Sha256>)>>) -> Option<Vec<Input>> {
    let input = |declared: Declared<(String, Option<Sha256>)>| {
        let (name, sha256) = declared.file;
        sha256.map(|sha256| Input { name, sha256 })
    };
    declared.into_iter().map(input).collect()
}
