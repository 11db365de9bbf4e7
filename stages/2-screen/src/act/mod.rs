//! What a text would make a machine do: run what somebody else wrote, climb out of a folder, give
//! secrets away.
//!
//! Three families ([`Family::Injection`], [`Family::Traversal`], [`Family::Exfiltration`]) that are
//! read the way their readers would read them: lines as a shell does, paths as a file system does,
//! programs from top to bottom. In text that nobody runs, only lines that hold one of a few words
//! are looked at, so that ordinary text costs one pass.

mod exfiltration;
mod injection;
mod names;
mod program;
mod shell;
mod source;
mod traversal;

use std::sync::{LazyLock, OnceLock};

use call::{Family, Span};
use regex::bytes::{Regex, RegexBuilder};

use crate::keywords::{Case, Hit, Keywords, Letters};
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
    /// The name of a file.
    Path,
}

/// What the words of the search are for.
#[derive(Clone, Copy)]
enum Use {
    Line,
    Spelling(usize),
    Path,
    Secret,
}

static WORDS: LazyLock<(Keywords, Vec<Use>)> = LazyLock::new(|| {
    const LINES: &[&str] = &[
        "curl",
        "wget",
        "iwr ",
        "irm ",
        "invoke-webrequest",
        "invoke-restmethod",
        "aria2c",
        "eval ",
        "base64 -",
        "xxd -",
        "-enc",
        " <(",
        "openssl enc",
        "lwp-",
        "certutil",
        "bitsadmin",
        "|sh",
        "| sh",
        "|bash",
        "| bash",
        "fetch -",
        "fetch http",
        "nc -",
        "zcat ",
        "gunzip ",
        "powershell -e",
        "pwsh -e",
    ];
    let lines = LINES.iter().map(|word| (*word, Use::Line));
    let spellings = injection::spelling_words().enumerate().map(|(place, word)| (word, Use::Spelling(place)));
    let paths = traversal::WORDS.iter().map(|word| (*word, Use::Path));
    let secrets = exfiltration::words().chain(source::WORDS.iter().copied()).map(|word| (word, Use::Secret));
    let (words, uses): (Vec<&str>, Vec<Use>) = lines.chain(spellings).chain(paths).chain(secrets).unzip();
    (Keywords::new(words.into_iter().map(|word| (word, Case::Either)), Letters::Three), uses)
});

/// Everything of the three families in text that nobody is asked to run.
pub(crate) fn find(text: &str, families: &[Family]) -> Vec<Act> {
    let mut found = Vec::new();
    let (keywords, uses) = &*WORDS;
    let mut lines = Lines::default();
    let mut paths_until = 0;
    let setting = Setting { manner: Manner::Prose, strings: Strings::Run };
    let wants = |family: Family| families.contains(&family);
    let mut secrets = false;
    for hit in keywords.find(text.as_bytes()) {
        match uses.get(hit.word) {
            Some(Use::Line) if wants(Family::Injection) => lines.add(text, hit.start, false),
            Some(&Use::Spelling(place)) if wants(Family::Injection) => lines.spelling(text, hit.start, place),
            Some(Use::Path) if wants(Family::Traversal) && hit.start >= paths_until => {
                paths_until = path_at(text, Span::new(hit.start, hit.end), Strictness::Within, &mut found)
                    .max(paths_until);
            }
            Some(Use::Secret) if wants(Family::Exfiltration) => {
                lines.add(text, hit.start, true);
                secrets = true;
            }
            Some(Use::Line | Use::Spelling(_) | Use::Path | Use::Secret) | None => {}
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

/// Everything of the three families in a text that is `kind`, looked at closely.
pub(crate) fn examine(text: &str, kind: Text) -> Vec<Act> {
    let mut found = Vec::new();
    let setting = match kind {
        Text::Line => Setting { manner: Manner::Line, strings: Strings::Run },
        Text::Program if runs_programs(text) => Setting { manner: Manner::Line, strings: Strings::Run },
        Text::Program => Setting { manner: Manner::Line, strings: Strings::Mention },
        Text::Message => Setting { manner: Manner::Prose, strings: Strings::Run },
        Text::Prose => Setting { manner: Manner::Prose, strings: Strings::Mention },
        Text::Path => {
            let kind = traversal::judge(text, Strictness::Name);
            let all = Span::new(0, text.len());
            return kind
                .map(|kind| Act { family: Family::Traversal, kind, span: all, mention: false })
                .into_iter()
                .collect();
        }
    };
    let (keywords, uses) = &*WORDS;
    let hits = keywords.find(text.as_bytes());
    let named = |hit: &Hit| matches!(uses.get(hit.word), Some(Use::Line | Use::Secret));
    let script = if setting.manner == Manner::Line || hits.iter().any(named) || may_hold_lines(text) {
        let script = shell::read(text, 0, setting.manner);
        injection::find(&script, Span::new(0, text.len()), setting, &mut found);
        exfiltration::find(&script, setting, &mut found);
        source::find(text, 0, setting, &mut found);
        Some(script)
    } else {
        None
    };
    let strictness = if kind == Text::Message { Strictness::Address } else { Strictness::Within };
    let mut paths_until = 0;
    let mut lines = Lines::default();
    for hit in hits {
        match uses.get(hit.word) {
            Some(Use::Path) if hit.start >= paths_until => {
                paths_until =
                    path_at(text, Span::new(hit.start, hit.end), strictness, &mut found).max(paths_until);
            }
            Some(&Use::Spelling(place)) => lines.spelling(text, hit.start, place),
            Some(Use::Line | Use::Path | Use::Secret) | None => {}
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
    }
    settled(text, found)
}

/// Could there be anything in this prose that a shell would do? There is not without a sign that ties
/// commands together, or the name of a program that fetches, sends or runs something.
fn may_hold_lines(text: &str) -> bool {
    let bytes = text.as_bytes();
    if memchr::memchr3(b'|', b'$', b'`', bytes).is_some()
        || memchr::memchr3(b'<', b'>', b'%', bytes).is_some()
    {
        return true;
    }
    // With quotes as they stand, and as a shell takes them: `cu"rl"`.
    let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'\\');
    has_name_of_note(bytes.iter().copied())
        || has_name_of_note(bytes.iter().copied().filter(|&byte| !is_quote(byte)))
}

fn has_name_of_note(text: impl Iterator<Item = u8>) -> bool {
    const LONGEST: usize = 24;
    let of_note = |name: &[u8]| {
        let name = std::str::from_utf8(name).unwrap_or_default();
        let bare = name.strip_suffix(".exe").unwrap_or(name).trim_matches('.');
        !bare.is_empty() && (program::is_of_note(bare) || exfiltration::is_of_note(bare))
    };
    let mut name = [0; LONGEST];
    let mut length = 0_usize;
    for byte in text.chain([b' ']) {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') {
            name.get_mut(length).into_iter().for_each(|place| *place = byte.to_ascii_lowercase());
            length = length.saturating_add(1);
            continue;
        }
        if name.get(..length).is_some_and(of_note) {
            return true;
        }
        length = 0;
    }
    false
}

/// The same for the words of one command that no shell reads.
pub(crate) fn examine_words(words: &[&str]) -> Vec<(usize, Act)> {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    let mut starts = Vec::new();
    let mut line = String::new();
    for word in &quoted {
        starts.push(line.len());
        line.push_str(word);
        line.push(' ');
    }
    let acts = examine(&line, Text::Line);
    let place = |act: &Act| starts.partition_point(|start| *start < act.span.end).saturating_sub(1);
    acts.into_iter().map(|act| (place(&act), act)).collect()
}

/// The strings of `text` that their commands only print, search for or keep.
pub(crate) fn data_strings(text: &str) -> Vec<Span> {
    let script = shell::read(text, 0, Manner::Line);
    let data =
        script.commands.iter().filter(|command| !command.piped && program::Program::of(command).is_data());
    let words =
        data.flat_map(|command| command.words.iter().chain(&command.given)).filter(|word| word.quoted);
    words.map(|word| Span::new(word.start, word.end)).collect()
}

/// Is text only text to the program of this name?
pub(crate) fn is_data_program(name: &str) -> bool {
    let word = shell::Word { text: name.to_owned(), ..shell::Word::default() };
    program::Program::of(&shell::Command { words: vec![word], ..shell::Command::default() }).is_data()
}

/// Judges the path around a place, and says where it ends.
fn path_at(text: &str, place: Span, strictness: Strictness, found: &mut Vec<Act>) -> usize {
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

/// Paths that only a shell puts together: `/e''tc/shadow`.
fn disguised_paths(script: &shell::Script, found: &mut Vec<Act>) {
    let mut waiting: Vec<&shell::Command> = script.commands.iter().collect();
    while let Some(command) = waiting.pop() {
        let words = command.words.iter().chain(&command.reads).chain(&command.writes);
        for word in words {
            waiting.extend(word.substitutions.iter().flat_map(|inner| &inner.commands));
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

/// Does this program start others?
fn runs_programs(text: &str) -> bool {
    static RUNNERS: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r"(?i)\bos\.(?:system|popen|exec\w*|spawn\w*)\b|\bsubprocess\b|\bpopen\b|\bexec(?:Sync|File\w*|v\w*|l\w*)?\b|\bspawn(?:Sync)?\b|\bshell_exec\b|\bpassthru\b|\bproc_open\b|\bsystem\b|\bCommand\b|\bProcessBuilder\b|\bstart-process\b|\bchild_process\b|\bpty\b|\bsh\b|\bbash\b|\bsource\b|\beval\b|\bgetattr\b|__import__|\bctypes\b|\bimportlib\b";
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

/// Lines that hold one of the words.
#[derive(Default)]
struct Lines(Vec<Line>);

struct Line {
    start: usize,
    end: usize,
    shell: bool,
    secrets: bool,
    spellings: Vec<usize>,
}

impl Lines {
    fn add(&mut self, text: &str, at: usize, secrets: bool) {
        self.change(text, at, |line| {
            line.secrets |= secrets;
            line.shell |= !secrets;
        });
    }

    fn spelling(&mut self, text: &str, at: usize, place: usize) {
        self.change(text, at, |line| {
            if !line.spellings.contains(&place) {
                line.spellings.push(place);
            }
        });
    }

    /// Changes the line at `at`, as a shell reads lines; hits come in the order of the text.
    fn change(&mut self, text: &str, at: usize, change: impl FnOnce(&mut Line)) {
        let end = self.0.last().map_or(0, |last| last.end);
        if let Some(line) = self.0.last_mut().filter(|line| at < line.end) {
            return change(line);
        }
        let (start, end) = logical_line(text, at, end);
        let mut line = Line { start, end, shell: false, secrets: false, spellings: Vec::new() };
        change(&mut line);
        self.0.push(line);
    }
}

/// A line that ends with a backslash or an operator goes on, for so many bytes.
fn logical_line(text: &str, at: usize, floor: usize) -> (usize, usize) {
    const LONGEST: usize = 4_096;
    let bytes = text.as_bytes();
    let line_start = |from: usize| {
        bytes
            .get(floor..from)
            .unwrap_or_default()
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(floor, |place| floor + place + 1)
    };
    let line_end = |from: usize| {
        bytes
            .get(from..)
            .unwrap_or_default()
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(bytes.len(), |place| from + place + 1)
    };
    let goes_on = |end: usize, start: usize| {
        let line = bytes.get(start..end).unwrap_or_default().trim_ascii_end();
        line.ends_with(b"\\") || line.ends_with(b"|") || line.ends_with(b"&&")
    };
    let (mut start, mut end) = (line_start(at), line_end(at));
    for _ in 0..8 {
        let Some(previous) =
            start.checked_sub(1).filter(|previous| *previous > floor && at - start < LONGEST)
        else {
            break;
        };
        let before = line_start(previous);
        if !goes_on(start, before) {
            break;
        }
        start = before;
    }
    while end < bytes.len() && end - start < LONGEST {
        let last = line_start(end - 1).max(start);
        let next = line_end(end);
        let pipe_follows = bytes.get(end..next).unwrap_or_default().trim_ascii_start().first() == Some(&b'|');
        let table = bytes.get(start..end).unwrap_or_default().trim_ascii_start().first() == Some(&b'|');
        let continued = goes_on(end, last) || (pipe_follows && !table);
        if !continued {
            break;
        }
        end = next;
    }
    (start, end)
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

#[cfg(test)]
mod tests {
    #[test]
    fn every_word_is_long_enough_to_be_searched_for() {
        let spellings = super::injection::spelling_words();
        let paths = super::traversal::WORDS.iter().copied();
        let secrets = super::exfiltration::words().chain(super::source::WORDS.iter().copied());
        let short: Vec<&str> = spellings.chain(paths).chain(secrets).filter(|word| word.len() < 3).collect();
        assert!(short.is_empty(), "{short:?}");
    }
}
