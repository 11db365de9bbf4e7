//! What a text would make a machine do: run what somebody else wrote, climb out of a folder, give
//! secrets away.
//!
//! Three families ([`Family::Injection`], [`Family::Traversal`], [`Family::Exfiltration`]) that are
//! read the way their readers would read them: lines as a shell does, paths as a file system does,
//! programs from top to bottom. In text that nobody runs, only lines that hold one of a few words
//! are looked at, so that ordinary text costs one pass.

mod computed_path;
mod embedded;
mod exfiltration;
mod fed;
mod fetched;
mod injection;
mod interest;
mod joined_path;
mod kept;
mod messages;
mod metadata;
mod names;
mod operands;
mod program;
mod remote;
mod shell;
mod source;
mod traversal;
mod vaults;

use std::sync::{LazyLock, OnceLock};

use call::{Family, Span};
use regex::bytes::{Regex, RegexBuilder};

use crate::keywords::Hit;
use crate::landmarks::Landmarks;
use crate::reading::encoded;
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

/// What the words of the search are for.
#[derive(Clone, Copy)]
enum Use {
    Line,
    Spelling(usize),
    Path,
    Secret,
    /// Only looked at closely: the name of a file of secrets, or a way to read the environment.
    File,
    /// The same: the name of a secret value.
    Value,
}

static WORDS: LazyLock<Vec<(&str, Use)>> = LazyLock::new(|| {
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
    let files = source::FILES.iter().map(|word| (*word, Use::File));
    let values = source::VALUES.iter().map(|word| (*word, Use::Value));
    lines.chain(spellings).chain(paths).chain(secrets).chain(files).chain(values).collect()
});

/// Words that say where a closer look is due.
pub(crate) fn words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(word, _)| *word)
}

fn use_of(hit: &Hit) -> Option<Use> {
    WORDS.get(hit.word()).map(|(_, use_of)| *use_of)
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

/// `print(env)` in a program: the brackets of a call hold a name, and no command. What the name stands for is
/// looked at by [`source`].
fn is_bare_name(text: &str, act: &Act) -> bool {
    let quote = |sign: char| matches!(sign, '"' | '\'' | '`');
    let Some(said) = act.span.of(text).filter(|_| act.family == Family::Exfiltration) else { return false };
    let before = text.get(..act.span.start).unwrap_or_default().trim_end();
    let behind = text.get(act.span.end..).unwrap_or_default().trim_start();
    let named = matches!(said.trim(), "env" | "set" | "export");
    // `%x(env)` is a command after all.
    let ruby = ["%x(", "%x{", "%x["].iter().any(|opening| before.ends_with(opening));
    named && !ruby && !before.ends_with(quote) && !behind.starts_with(quote)
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
            found.retain(|act| !is_bare_name(text, act));
        }
        source::find(text, 0, setting, &mut found);
        if kind == Text::Program {
            fetched::find(text, 0, &mut found);
            metadata::find_in_program(text, &mut found);
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
        messages::mark(&script, &mut found);
    }
    Examined { acts: settled(text, found), quiet }
}

/// What prose says to a shell; nothing when it says nothing that could matter. Gives back
/// [`Examined::quiet`].
fn examine_prose(text: &str, setting: Setting, hits: &[Hit], found: &mut Vec<Act>) -> bool {
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

/// What the name of a file would make a machine do.
pub(crate) fn examine_path(path: &str) -> Option<Act> {
    let kind = traversal::judge(path, Strictness::Name)?;
    Some(Act { family: Family::Traversal, kind, span: Span::new(0, path.len()), mention: false })
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

/// A string that its command only prints, searches for or keeps.
pub(crate) struct Data {
    pub(crate) span: Span,
    /// Somebody will read it there: a message of a commit, the text of an issue, a line of a file.
    pub(crate) kept: bool,
}

/// The strings of `text` that their commands only print, search for or keep.
pub(crate) fn data_strings(text: &str) -> Vec<Data> {
    let script = shell::read(text, 0, Manner::Line);
    let mut strings = Vec::new();
    for command in script.commands.iter().filter(|command| !command.piped) {
        let program = program::Program::of(command);
        if !program.is_data() {
            continue;
        }
        let kept = keeps_text(command, &program);
        let words = command.words.iter().chain(&command.given).filter(|word| word.quoted);
        strings.extend(words.map(|word| Data { span: Span::new(word.start, word.end), kept }));
    }
    strings
}

/// Does this command put its strings where others read them?
fn keeps_text(command: &shell::Command, program: &program::Program<'_>) -> bool {
    let says = |words: &[&str]| program.arguments().iter().take(4).any(|word| words.contains(&&*word.text));
    match program.name() {
        "git" => says(&["commit", "tag", "notes"]),
        "gh" | "glab" | "hub" => {
            says(&["pr", "issue", "release", "gist", "mr"])
                && says(&["create", "comment", "edit", "review", "note", "new"])
        }
        "echo" | "printf" | "cat" => command.writes.iter().any(|file| file.text != "/dev/null"),
        "tee" => true,
        _ => false,
    }
}

/// What text is to a program that is given it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// More than text.
    Run,
    /// Text that it prints or searches for.
    Shown,
    /// Text that it puts where others read it.
    Kept,
}

/// What text is to the command of these words.
pub(crate) fn taken_by(words: &[&str]) -> Taken {
    let word = |text: &&str| shell::Word { text: (*text).to_owned(), ..shell::Word::default() };
    let command =
        shell::Command { words: words.iter().take(5).map(word).collect(), ..shell::Command::default() };
    let program = program::Program::of(&command);
    match program.is_data() {
        false => Taken::Run,
        true if keeps_text(&command, &program) => Taken::Kept,
        true => Taken::Shown,
    }
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

/// `Path.home() / ".ssh" / "id_rsa"`
fn path_put_together(text: &str, place: Span, found: &mut Vec<Act>) {
    if let Some((path, span)) = joined_path::joined(text, place)
        && let Some(kind) = traversal::judge(&path, Strictness::Within)
    {
        found.push(Act { family: Family::Traversal, kind, span, mention: false });
    }
}

/// `ssh-add ~/.ssh/id_ed25519`: a key is named to the program that keeps keys, which shows it to nobody.
fn is_given_to_key_tool(text: &str, span: Span) -> bool {
    let line_start = text.get(..span.start).and_then(|before| before.rfind('\n')).map_or(0, |feed| feed + 1);
    let before = text.get(line_start..span.start).unwrap_or_default();
    let line = text.get(span.end..).unwrap_or_default();
    let behind = line.get(..line.find('\n').unwrap_or(line.len())).unwrap_or_default();
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
fn disguised_paths(script: &shell::Script, found: &mut Vec<Act>) {
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
    digits.take(8).flat_map(encoded::decode).collect()
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
    use call::Span;
    use proptest::prelude::*;

    use super::{Act, Manner, Setting, Strings, examine_prose, exfiltration, injection, shell};
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

    #[test]
    fn every_word_is_long_enough_to_be_searched_for() {
        let spellings = super::injection::spelling_words();
        let paths = super::traversal::WORDS.iter().copied();
        let secrets = super::exfiltration::words().chain(super::source::WORDS.iter().copied());
        let short: Vec<&str> = spellings.chain(paths).chain(secrets).filter(|word| word.len() < 3).collect();
        assert!(short.is_empty(), "{short:?}");
    }
}
