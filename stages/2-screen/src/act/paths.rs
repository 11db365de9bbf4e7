//! Paths in a text: as they are written, put together by a program, or only by a shell.

use call::{Family, Span};

use super::traversal::Strictness;
use super::{Act, computed_path, joined_path, program, shell, traversal};
use crate::reading::encoded;

/// What the name of a file would make a machine do.
pub(crate) fn examine_path(path: &str) -> Option<Act> {
    let kind = traversal::judge(path, Strictness::Name)?;
    Some(Act { family: Family::Traversal, kind, span: Span::new(0, path.len()), mention: false })
}

/// Judges the path around a place, and says where it ends.
pub(super) fn path_at(text: &str, place: Span, strictness: Strictness, found: &mut Vec<Act>) -> usize {
    let span = traversal::path_around(text, place);
    // One step up, in ordinary letters: most imports look so.
    if span.of(text).is_some_and(traversal::is_plain_step) {
        return span.end;
    }
    if let Some(written) = span.of(text)
        && let Some(kind) = traversal::judge(written, strictness)
    {
        found.push(Act { family: Family::Traversal, kind, span, mention: false });
    }
    span.end
}

/// `Path.home() / ".ssh" / "id_rsa"`
pub(super) fn path_put_together(text: &str, place: Span, found: &mut Vec<Act>) {
    if let Some((path, span)) = joined_path::joined(text, place)
        && let Some(kind) = traversal::judge(&path, Strictness::Within)
    {
        found.push(Act { family: Family::Traversal, kind, span, mention: false });
    }
}

/// `ssh-add ~/.ssh/id_ed25519`: a key is named to the program that keeps keys, which shows it to nobody.
pub(super) fn is_given_to_key_tool(text: &str, span: Span) -> bool {
    // A line that is longer than this is no example for people.
    const FAR: usize = 400;
    let from = text.floor_char_boundary(span.start.saturating_sub(FAR));
    let to = text.floor_char_boundary(span.end.saturating_add(FAR));
    let near = text.get(from..span.start).unwrap_or_default();
    let line = text.get(span.end..to).unwrap_or_default();
    let (starts, ends) = (near.rfind('\n'), line.find('\n'));
    if (starts.is_none() && from > 0) || (ends.is_none() && to < text.len()) {
        return false;
    }
    let before = near.get(starts.map_or(0, |feed| feed + 1)..).unwrap_or_default();
    let behind = line.get(..ends.unwrap_or(line.len())).unwrap_or_default();
    let key = span.of(text).is_some_and(|path| path.starts_with("~/.ssh/id_") && !path.contains(".."));
    let words: Vec<&str> = before.split_ascii_whitespace().rev().take(6).collect();
    let is_flag =
        |word: &&&str| word.starts_with('-') || matches!(**word, "ed25519" | "rsa" | "ecdsa" | "4096");
    let tool = words.iter().find(|word| !is_flag(word));
    let tied = before.contains(['|', '$', '<', '>', '&', ';', '=', '@'])
        || behind.contains(['|', '$', '<', '>', '&', ';', '=', '@']);
    key && !tied
        && tool
            .is_some_and(|tool| matches!(tool.trim_matches('`'), "ssh-add" | "ssh-keygen" | "IdentityFile"))
}

/// Paths that only a shell puts together: `/e''tc/shadow`.
pub(super) fn disguised_paths(script: &shell::Script, found: &mut Vec<Act>) {
    // `echo L2V0Yy9zaGFkb3c= | base64 -d | xargs cat`
    for line in script.commands.split_inclusive(|command| !command.piped) {
        let by_xargs = |command: &shell::Command| program::Program::of(command).by_xargs;
        let Some(last) = line.last().filter(|last| line.len() > 1 && by_xargs(last)) else { continue };
        let paths = decoded(line).into_iter();
        let kinds = paths.filter_map(|path| traversal::judge(path.trim(), Strictness::Within));
        found.extend(kinds.take(1).map(|kind| Act {
            family: Family::Traversal,
            kind,
            span: last.span(),
            mention: last.mention,
        }));
    }
    let mut waiting: Vec<&shell::Command> = script.commands.iter().collect();
    while let Some(command) = waiting.pop() {
        if let program::Runs::Code(code) = program::Program::of(command).runs() {
            let from = found.len();
            computed_path::find(&code.text, found);
            for act in found.iter_mut().skip(from) {
                act.span = Span::new(code.start, code.end);
                act.mention = command.mention;
            }
        }
        let words = command.words.iter().chain(&command.reads).chain(&command.writes);
        for word in words {
            waiting.extend(word.substitutions.iter().flat_map(|inner| &inner.commands));
            let hidden = word.substitutions.iter().flat_map(|inner| decoded(&inner.commands));
            let hidden = hidden.filter_map(|path| traversal::judge(path.trim(), Strictness::Within));
            found.extend(hidden.map(|kind| Act {
                family: Family::Traversal,
                kind,
                span: Span::new(word.start, word.end),
                mention: command.mention,
            }));
            let path = word.text.rsplit(['=', '@', ':']).next().unwrap_or_default();
            let kind = [&*word.text, path]
                .into_iter()
                .filter(|text| !text.contains(' '))
                .find_map(|text| traversal::judge(text, Strictness::Within));
            if let Some(kind) = kind {
                let span = Span::new(word.start, word.end);
                found.push(Act { family: Family::Traversal, kind, span, mention: command.mention });
            }
        }
    }
}

/// What a shell puts in for `$(echo L2V0Yy9zaGFkb3c= | base64 -d)`.
fn decoded(commands: &[shell::Command]) -> Vec<String> {
    let decodes = |command: &shell::Command| program::is_decoder(program::Program::of(command).name());
    if !commands.iter().any(decodes) {
        return Vec::new();
    }
    let words = commands.iter().flat_map(|command| command.words.iter().skip(1).chain(&command.given));
    let digits = words.map(|word| word.text.trim()).filter(|text| !text.starts_with('-') && text.len() >= 4);
    let turned = |text: &str| -> Vec<String> {
        let names = |name: &str| commands.iter().any(|command| program::Program::of(command).name() == name);
        let mut turned = Vec::new();
        if names("rev") {
            turned.push(text.chars().rev().collect());
        }
        if names("tr") {
            turned.push(text.chars().map(moved_by_thirteen).collect());
        }
        turned
    };
    digits
        .take(8)
        .flat_map(|text| {
            let mut all = turned(text);
            all.extend(encoded::decode(text));
            all
        })
        .collect()
}

/// The letter thirteen places on.
fn moved_by_thirteen(letter: char) -> char {
    match letter {
        'a'..='m' | 'A'..='M' => char::from_u32(u32::from(letter) + 13).unwrap_or(letter),
        'n'..='z' | 'N'..='Z' => char::from_u32(u32::from(letter) - 13).unwrap_or(letter),
        _ => letter,
    }
}
