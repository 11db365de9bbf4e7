//! What a text would make a machine do: run what somebody else wrote, climb out of a folder, give
//! secrets away.
//!
//! Three families ([`Family::Injection`], [`Family::Traversal`], [`Family::Exfiltration`]) that are
//! read the way their readers would read them: lines as a shell does, paths as a file system does,
//! programs from top to bottom. In text that nobody runs, only lines that hold one of a few words
//! are looked at, so that ordinary text costs one pass.

mod bare_name;
mod computed_path;
mod data;
mod embedded;
mod exfiltration;
mod fed;
mod fetched;
mod given_word;
mod held_path;
mod hunted;
mod injection;
mod interest;
mod joined_path;
mod joined_text;
mod kept;
mod lines;
mod messages;
mod metadata;
mod names;
mod operands;
mod own_home;
mod paths;
mod program;
mod prose;
mod remote;
mod searched;
mod shell;
mod source;
mod traversal;
mod vaults;

use std::sync::OnceLock;

use call::{Family, Span};
use regex::bytes::{Regex, RegexBuilder};

use crate::keywords::Hit;
use crate::landmarks::Landmarks;
use bare_name::is_bare_name;
pub(crate) use data::{Data, Taken, data_strings, patterns, taken_by};
use given_word::GivenWords;
use lines::Lines;
pub(crate) use paths::examine_path;
use paths::{disguised_paths, is_given_to_key_tool, path_at, path_put_together};
use prose::examine_prose;
pub(crate) use searched::words;
use searched::{Use, use_of};
use shell::Manner;
use traversal::Strictness;

/// Something that a text would make a machine do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Act {
    pub(crate) family: Family,
    pub(crate) kind: &'static str,
    pub(crate) span: Span,
    /// It is spoken of and not done: in a comment, in quotes, as the text of a search.
    pub(crate) mention: bool,
}

/// How a text is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    manner: Manner,
    strings: Strings,
}

/// What strings inside a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strings {
    /// They may be lines that are run.
    Run,
    /// They are quotations.
    Mention,
}

/// What kind of text is read, as far as that matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// A line for a shell.
    Line,
    /// A program.
    Program,
    /// What goes to another machine.
    Message,
    /// Prose, in which quotations are quotations.
    Prose,
}

/// Everything of the three families in text that nobody is asked to run, and in which [`words`] stand
/// at these places.
pub(crate) fn find(text: &str, hits: &[Hit], families: &[Family]) -> Vec<Act> {
    let mut found = Vec::new();
    let mut lines = Lines::default();
    let mut paths_until = 0;
    let setting = Setting { manner: Manner::Prose, strings: Strings::Run };
    let wants = |family: Family| families.contains(&family);
    let mut secrets = false;
    for hit in hits {
        match use_of(hit) {
            Some(Use::Line) if wants(Family::Injection) => lines.add(text, hit.start, false),
            Some(Use::Spelling(place)) if wants(Family::Injection) => lines.spelling(text, hit.start, place),
            Some(Use::Path) if wants(Family::Traversal) && hit.start >= paths_until => {
                paths_until = path_at(text, Span::new(hit.start, hit.end()), Strictness::Within, &mut found)
                    .max(paths_until);
            }
            Some(Use::Secret) if wants(Family::Exfiltration) => {
                lines.add(text, hit.start, true);
                secrets = true;
            }
            Some(Use::Line | Use::Spelling(_) | Use::Path | Use::Secret | Use::File | Use::Value) | None => {}
        }
    }
    for line in lines.0 {
        let Some(written) = text.get(line.start..line.end) else { continue };
        let shell = line.shell && written.contains(['|', '`', '$', '<', '&', ';', '-']);
        let secret = line.secrets && written.contains(['$', '|', '@', '%']);
        if shell || secret {
            let script = shell::read(written, line.start, setting.manner);
            let span = Span::new(line.start, line.end);
            if shell {
                injection::find(&script, span, setting, &mut found);
            }
            if secret {
                exfiltration::find(&script, setting, &mut found);
            }
        }
        for place in line.spellings {
            injection::spelled(place, written, line.start, &mut found);
        }
    }
    if secrets {
        source::find(text, 0, setting, &mut found);
    }
    found.retain(|act| families.contains(&act.family));
    settled(text, found)
}

/// What a text would make a machine do, looked at closely.
pub(crate) struct Examined {
    pub(crate) acts: Vec<Act>,
    /// If it is JSON, no text inside it that is written without escapes would be worth reading by what stands
    /// in it, but for [`words`].
    pub(crate) quiet: bool,
}

/// The same in a text that is `kind`, looked at closely.
pub(crate) fn examine(text: &str, kind: Text, hits: &[Hit]) -> Examined {
    let mut found = Vec::new();
    let mut quiet = false;
    let setting = match kind {
        Text::Line => Setting { manner: Manner::Line, strings: Strings::Run },
        Text::Program if runs_programs(text) => Setting { manner: Manner::Line, strings: Strings::Run },
        Text::Program => Setting { manner: Manner::Line, strings: Strings::Mention },
        Text::Message => Setting { manner: Manner::Prose, strings: Strings::Run },
        Text::Prose => Setting { manner: Manner::Prose, strings: Strings::Mention },
    };
    let script = if setting.manner == Manner::Line {
        let script = shell::read(text, 0, setting.manner);
        let whole = Span::new(0, text.len());
        injection::find(&script, whole, setting, &mut found);
        if kind == Text::Program && setting.strings == Strings::Run && has_escaped_apostrophes(text) {
            // In `'bash -c \'$(…)\''` they are those of the line, and end no string.
            let plain = text.replace("\\'", " \"");
            injection::find(&shell::read(&plain, 0, setting.manner), whole, setting, &mut found);
        }
        if kind == Text::Line && embedded::makes_block_of_download(text) {
            found.push(Act {
                family: Family::Injection,
                kind: "download_to_shell",
                span: whole,
                mention: false,
            });
        }
        exfiltration::find(&script, setting, &mut found);
        if kind == Text::Program {
            let mut given = GivenWords::of(text);
            found.retain(|act| !is_bare_name(text, act) && !given.has(act));
        }
        source::find(text, 0, setting, &mut found);
        if kind == Text::Program {
            fetched::find(text, 0, &mut found);
            metadata::find_in_program(text, &mut found);
            if let Some(joined) = joined_text::Joined::of(text) {
                let from = found.len();
                source::find(&joined.text, 0, setting, &mut found);
                fetched::find(&joined.text, 0, &mut found);
                for act in found.iter_mut().skip(from) {
                    act.span = joined.source(act.span);
                }
            }
            computed_path::find(text, &mut found);
        } else {
            metadata::find_in_script(&script, &mut found);
        }
        Some(script)
    } else {
        quiet = examine_prose(text, setting, hits, &mut found);
        None
    };
    let strictness = if kind == Text::Message { Strictness::Address } else { Strictness::Within };
    let mut paths_until = 0;
    let mut lines = Lines::default();
    for hit in hits {
        match use_of(hit) {
            Some(Use::Path) if hit.start >= paths_until => {
                let before = found.len();
                paths_until =
                    path_at(text, Span::new(hit.start, hit.end()), strictness, &mut found).max(paths_until);
                if kind == Text::Program && found.len() == before {
                    path_put_together(text, Span::new(hit.start, hit.end()), &mut found);
                }
                if let Some(act) = found.get_mut(before).filter(|_| setting.manner == Manner::Prose) {
                    act.mention |= is_given_to_key_tool(text, act.span);
                }
            }
            Some(Use::Spelling(place)) => lines.spelling(text, hit.start, place),
            Some(Use::Line | Use::Path | Use::Secret | Use::File | Use::Value) | None => {}
        }
    }
    for line in lines.0 {
        for place in line.spellings {
            if let Some(written) = text.get(line.start..line.end) {
                injection::spelled(place, written, line.start, &mut found);
            }
        }
    }
    if let Some(script) = script.filter(|_| kind == Text::Line) {
        disguised_paths(&script, &mut found);
        own_home::find(&script, &mut found);
        hunted::find(&script, &mut found);
        messages::mark(&script, &mut found);
    }
    Examined { acts: settled(text, found), quiet }
}

/// What [`examine`] finds in the words of one command that no shell reads.
pub(crate) fn examine_words(words: &[&str]) -> Vec<(usize, Act)> {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    let mut starts = Vec::new();
    let mut line = String::new();
    for word in &quoted {
        starts.push(line.len());
        line.push_str(word);
        line.push(' ');
    }
    let acts = examine(&line, Text::Line, &Landmarks::of(&line).acts()).acts;
    let place = |act: &Act| starts.partition_point(|start| *start < act.span.end).saturating_sub(1);
    acts.into_iter().map(|act| (place(&act), act)).collect()
}

/// Are there apostrophes inside strings, in a text that has substitutions?
fn has_escaped_apostrophes(text: &str) -> bool {
    let has = |sign: &[u8]| memchr::memmem::find(text.as_bytes(), sign).is_some();
    has(b"\\'") && (has(b"$(") || has(b"`") || has(b"<("))
}

/// Does this program start others?
fn runs_programs(text: &str) -> bool {
    static RUNNERS: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r"(?i)\bos\.(?:system|popen|exec\w*|spawn\w*)\b|\bsubprocess\b|\bpopen\b|\bexec(?:Sync|File\w*|v\w*|l\w*)?\b|\bspawn(?:Sync)?\b|\bshell_exec\b|\bpassthru\b|\bproc_open\b|\bsystem\b|\bCommand\b|\bProcessBuilder\b|\bstart-process\b|\bchild_process\b|\bpty\b|\bopen3\b|%x[\[({<|!]|\bsh\b|\bbash\b|\bsource\b|\beval\b|\bgetattr\b|__import__|\bctypes\b|\bimportlib\b";
    compiled(&RUNNERS, pattern).is_none_or(|runners| {
        // The name of a shell in the very string that is asked about says nothing.
        runners
            .find_iter(text.as_bytes())
            .take(64)
            .any(|hit| !matches!(hit.as_bytes().to_ascii_lowercase().as_slice(), b"sh" | b"bash"))
            || is_shell_script(text)
    })
}

fn is_shell_script(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.starts_with("#!") && first.contains("sh")
}

/// Spans on character boundaries, in order, each thing once; what is done before what is spoken of.
fn settled(text: &str, mut found: Vec<Act>) -> Vec<Act> {
    for act in &mut found {
        let start = text.floor_char_boundary(act.span.start.min(text.len()));
        let end = text.ceil_char_boundary(act.span.end.min(text.len()));
        act.span = Span::new(start, end);
    }
    found.retain(|act| act.span.start < act.span.end);
    found.sort_by_key(|act| {
        (act.family, act.span.start, std::cmp::Reverse(act.span.end), act.mention, act.kind)
    });
    found.dedup_by(|later, kept| {
        let same = later.family == kept.family
            && later.span.start < kept.span.end
            && later.span.end <= kept.span.end;
        if same {
            kept.mention &= later.mention;
        }
        same
    });
    found.sort_by_key(|act| (act.span, act.family));
    found
}

/// The expression in `cell`, compiled when it is first needed.
fn compiled<'c>(cell: &'c OnceLock<Option<Regex>>, pattern: &str) -> Option<&'c Regex> {
    cell.get_or_init(|| RegexBuilder::new(pattern).unicode(false).build().ok()).as_ref()
}
