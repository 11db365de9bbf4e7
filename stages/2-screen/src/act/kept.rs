//! Files that a program writes secrets into, and reads or sends again.
//!
//! Writing the environment into a file is ordinary work (a configuration, a dump for a test). The file
//! then is what it holds: printing or sending it is printing or sending that.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use call::Span;
use regex::bytes::Regex;

use super::source::{Held, arguments_end};
use super::{compiled, injection};

/// What a program has put where, from top to bottom.
#[derive(Default)]
pub(super) struct Kept {
    // Names of files that hold secrets.
    files: BTreeSet<String>,
    // Variables that a file was opened for writing into, and the file.
    handles: BTreeMap<String, String>,
}

impl Kept {
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.handles.is_empty()
    }

    /// Remembers the files that this line opens for writing, and those that it writes secrets into.
    pub(super) fn read_line(&mut self, text: &str, line: Span, held: &Held<'_>) {
        let Some(written) = line.of(text) else { return };
        // Whatever opens or writes is called.
        if memchr::memchr(b'(', written.as_bytes()).is_none() {
            return;
        }
        self.open(written);
        for write in writes(written) {
            let arguments = Span::new(line.start + write.arguments.start, line.start + write.arguments.end);
            // The arguments may go on behind the line.
            let end = arguments_end(text, arguments.start).max(arguments.end);
            if !held.stands_in(text, Span::new(arguments.start, end)) {
                continue;
            }
            let inside = text.get(arguments.start..end).unwrap_or_default();
            let by_handle =
                write.handle.iter().cloned().chain(words(inside)).find_map(|name| self.handles.get(&name));
            let file = write.file.clone().or_else(|| by_handle.cloned());
            self.files.extend(file);
        }
    }

    /// Does a string in `arguments` name a file that holds secrets?
    pub(super) fn is_named_in(&self, arguments: &str) -> bool {
        let parts = || arguments.split(['"', '\'', '`', ' ', '@', '=']).take(128);
        !self.files.is_empty() && parts().any(|part| self.files.contains(&injection::file_name(part)))
    }

    /// Is a file that holds secrets opened or read in `arguments`?
    pub(super) fn is_read_in(&self, arguments: &str) -> bool {
        static READS: OnceLock<Option<Regex>> = OnceLock::new();
        let reads = r#"(?i)\b(?:open|read_text|read_bytes|readFileSync|readFile|readTextFile|File\.(?:read|open|readlines)|file_get_contents|ReadFile|Path|IO\.read|createReadStream)\s*\(\s*[fbru]?["'`]([^"'`\n]{1,200})["'`]"#;
        if self.files.is_empty() {
            return false;
        }
        let found =
            compiled(&READS, reads).into_iter().flat_map(|reads| reads.captures_iter(arguments.as_bytes()));
        found
            .filter_map(|read| read.get(1))
            .take(16)
            .any(|path| self.files.contains(&injection::file_name(&String::from_utf8_lossy(path.as_bytes()))))
    }

    /// `f = open("out.txt", "w")`, `with open("out.txt", "w") as f:`
    fn open(&mut self, line: &str) {
        static OPENS: OnceLock<Option<Regex>> = OnceLock::new();
        let opens = r#"(?:\b(\w{1,60})\s*=\s*)?\b(?:open|fopen|createWriteStream|File\.open|File\.new|os\.Create)\s*\(\s*[fbru]?["'`]([^"'`\n]{1,200})["'`][^)\n]{0,60}\)(?:\s*as\s+(\w{1,60})|\s*(?:do\s*)?[{|]\s*\|?(\w{1,60}))?"#;
        let Some(opens) = compiled(&OPENS, opens) else { return };
        for captures in opens.captures_iter(line.as_bytes()).take(8) {
            let shown = |place: usize| {
                captures.get(place).map(|found| String::from_utf8_lossy(found.as_bytes()).into_owned())
            };
            let file = shown(2).map(|path| injection::file_name(&path)).unwrap_or_default();
            for name in [shown(1), shown(3), shown(4)].into_iter().flatten() {
                if self.handles.len() < 256 {
                    self.handles.insert(name, file.clone());
                }
            }
        }
    }
}

/// A call that writes: its arguments in the line, and what it writes to.
struct Write {
    arguments: Span,
    handle: Option<String>,
    file: Option<String>,
}

fn writes(line: &str) -> Vec<Write> {
    static WRITES: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"(?i)(?:\b(?:open|Path)\s*\(\s*[fbru]?["'`]([^"'`\n]{1,200})["'`][^)\n]{0,40}\)|\b(\w{1,60}))\.(?:write|writelines|write_text|write_bytes|puts|print|write_all|WriteString|end)\s*\(|\b(?:json|pickle|yaml|toml|marshal)\.(?:dump|safe_dump)\s*\(|\b(?:fs\.)?(?:promises\.)?(?:writeFileSync|writeFile|appendFileSync|appendFile)\s*\(\s*["'`]([^"'`\n]{1,200})["'`]|\b(?:File|IO)\.write\s*\(\s*["'`]([^"'`\n]{1,200})["'`]|\bfile_put_contents\s*\(\s*["'`]([^"'`\n]{1,200})["'`]|\bos\.WriteFile\s*\(\s*["'`]([^"'`\n]{1,200})["'`]|\bprint\s*\("#;
    let Some(expression) = compiled(&WRITES, pattern) else { return Vec::new() };
    let write = |captures: regex::bytes::Captures<'_>| {
        let all = captures.get(0)?;
        // What is printed is written only where a file is named for it.
        let prints = all.as_bytes().starts_with(b"print");
        let bracket = line.get(all.start()..all.end())?.rfind('(').map(|place| all.start() + place)?;
        let end = arguments_end(line, bracket);
        if prints && !line.get(bracket..end)?.contains("file=") {
            return None;
        }
        let shown = |place: usize| {
            captures.get(place).map(|found| String::from_utf8_lossy(found.as_bytes()).into_owned())
        };
        let file = [1, 3, 4, 5, 6].into_iter().find_map(shown).map(|path| injection::file_name(&path));
        Some(Write { arguments: Span::new(bracket, end), handle: shown(2), file })
    };
    expression.captures_iter(line.as_bytes()).filter_map(write).take(16).collect()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    super::source::words(text).map(|(_, word)| word.to_owned()).take(64)
}
