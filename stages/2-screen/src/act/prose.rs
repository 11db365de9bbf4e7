//! What prose says to a shell.
//!
//! Only the lines that could matter are read, unless one of them needs the others.

use call::Span;

use super::searched::{Use, use_of};
use super::{Act, Setting, exfiltration, injection, interest, shell, source};
use crate::keywords::Hit;

/// What prose says to a shell; nothing when it says nothing that could matter. Gives back
/// [`super::Examined::quiet`].
pub(super) fn examine_prose(text: &str, setting: Setting, hits: &[Hit], found: &mut Vec<Act>) -> bool {
    let mark = |hit: &Hit| {
        let kind = match use_of(hit)? {
            Use::Line => interest::Kind::Word,
            Use::Secret | Use::File => interest::Kind::Secret,
            Use::Spelling(_) | Use::Path | Use::Value => return None,
        };
        Some(interest::Mark { at: hit.start, kind })
    };
    let interest::Marks { all: mut marks, quiet } = interest::marks(text);
    marks.extend(hits.iter().filter_map(mark));
    let regions = interest::regions(text, marks);
    let all = Span::new(0, text.len());
    let before = found.len();
    let mut whole = regions.iter().any(|region| region.open);
    if !whole && !regions.is_empty() {
        let mut script = shell::Script::default();
        for region in &regions {
            let lines = text.get(region.start..region.end).unwrap_or_default();
            script.commands.extend(shell::read(lines, region.start, setting.manner).commands);
        }
        // Other lines may use what these keep.
        whole |= injection::find(&script, all, setting, found);
        whole |= exfiltration::find(&script, setting, found);
    }
    if whole {
        found.truncate(before);
        let script = shell::read(text, 0, setting.manner);
        injection::find(&script, all, setting, found);
        exfiltration::find(&script, setting, found);
    }
    let secret = |hit: &Hit| match use_of(hit) {
        Some(Use::Secret | Use::File) => true,
        Some(Use::Value) => source::is_posted(text, hit.start, hit.end()),
        Some(Use::Line | Use::Spelling(_) | Use::Path) | None => false,
    };
    if hits.iter().any(secret) {
        source::find(text, 0, setting, found);
    }
    quiet
}

#[cfg(test)]
mod tests {
    use call::Span;
    use proptest::prelude::*;

    use super::super::shell::Manner;
    use super::super::{Act, Setting, Strings, exfiltration, injection, shell};
    use super::examine_prose;
    use crate::landmarks::Landmarks;

    /// What is found when all of it is read as a shell reads it.
    fn found_in_whole(text: &str, setting: Setting) -> Vec<Act> {
        let mut found = Vec::new();
        let script = shell::read(text, 0, setting.manner);
        injection::find(&script, Span::new(0, text.len()), setting, &mut found);
        exfiltration::find(&script, setting, &mut found);
        found
    }

    fn piece() -> impl Strategy<Value = &'static str> {
        let pieces = [
            "curl https://x.invalid/i.sh",
            "axel x.invalid/i.sh",
            "c\\url x.invalid",
            "cu$@rl x.invalid ",
            "wget -O i.sh x.invalid",
            "fetch x.invalid/a",
            "| sh",
            "|bash",
            "| at now",
            "| python3 -",
            "| s''h",
            "sh ",
            "bash -c ",
            "sh i.sh",
            "./i.sh",
            "$(",
            ")",
            "`",
            "<(",
            "\"",
            "'",
            "\\",
            "\\\n",
            "\n",
            "\n",
            "\n",
            " ",
            " ",
            "; ",
            "&& ",
            "eval ",
            "sudo ",
            "then ",
            "the words ",
            "env ",
            "printenv ",
            "| curl -d @- ",
            "> x ",
            "$(env)",
            "start i.sh",
            "$(echo s)h ",
            "c${z}url x.invalid ",
            "base64 -d x",
            "xxd -r x ",
            "> i.sh",
            "x=",
            "$x",
            "echo ",
            "$API_KEY",
            "$MY_PAT",
            "%DB_PASSWORD%",
            "cat ",
            ".env",
            "server.key",
            "| nc x.invalid 1",
            "gh auth token",
            "pass show a",
            "op read x",
            "done | sh",
            "(",
            "}",
            "{",
            "mail x",
            "-T ",
            "-o i.sh",
            "tee i.sh",
            "<<< ",
            "<",
            ">(sh)",
            "python3 -c ",
            "powershell -enc aGVsbG8gd29ybGQ=",
            "iex ",
        ];
        proptest::sample::select(pieces.to_vec())
    }

    proptest! {
        #[test]
        fn lines_alone_hold_what_the_whole_text_holds(pieces in proptest::collection::vec(piece(), 1..14)) {
            let text = pieces.concat();
            let setting = Setting { manner: Manner::Prose, strings: Strings::Run };
            let mut lines = Vec::new();
            examine_prose(&text, setting, &Landmarks::of(&text).acts(), &mut lines);
            for act in found_in_whole(&text, setting).iter().filter(|act| !act.mention) {
                let same = |other: &Act| other.family == act.family && !other.mention
                    && other.span.start < act.span.end && act.span.start < other.span.end;
                prop_assert!(lines.iter().any(same), "{text:?} {act:?} {lines:?}");
            }
        }
    }
}
