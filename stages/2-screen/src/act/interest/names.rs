//! Names of programs, where they are more than a word.

use super::beginnings::each_word;
use super::programs::{
    DECODES, FETCHES, LEADS, LISTS, PROGRAMS, Programs, RUNS, RUNS_PIPED, TELLS, WRAPS, program_at,
};
use super::{Kind, Mark};
use crate::act::vaults;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Name,
    Blank,
    /// A command may begin behind it.
    Separator,
    Other,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        let letter = byte as u8;
        #[expect(clippy::indexing_slicing, reason = "runs when this is compiled")]
        {
            classes[byte] = match letter {
                b'-' | b'_' | b'.' => Class::Name,
                _ if letter.is_ascii_alphanumeric() => Class::Name,
                b' ' | b'\t' | b'\r' => Class::Blank,
                b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'`' | b'"' | b'\'' | b'<' | b'>' => {
                    Class::Separator
                }
                _ => Class::Other,
            };
        }
        byte += 1;
    }
    classes
};

pub(super) fn class(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Other)
}

/// Names of programs, where they are more than a word. Says whether there are any names at all.
pub(super) fn names(bytes: &[u8], marks: &mut Vec<Mark>) -> bool {
    let (any, may_matter) = may_name(bytes, !marks.is_empty());
    if may_matter {
        read_names(bytes, marks);
    }
    any
}

/// Could [`read_names`] add anything? Not if no word is a program that matters even where a command begins
/// and where a pipe leads on what was brought. Most prose is told by this, which is quicker because of most
/// words only the beginning is looked at. Says first whether any word is a program.
fn may_name(bytes: &[u8], brought: bool) -> (bool, bool) {
    let mut named = Named { bytes, programs: &PROGRAMS, any: false, brought, runs_piped: false };
    let programs = named.programs;
    let may_matter = each_word(bytes, &programs.beginnings, |start, end| {
        programs.may_be(bytes.get(start..end).unwrap_or_default()) && named.matters(start, end)
    });
    (named.any, may_matter)
}

/// What was met so far that a pipe may lead on, or lead to.
struct Named<'b> {
    bytes: &'b [u8],
    programs: &'static Programs,
    // Some word is a program that does more than lead to another.
    any: bool,
    brought: bool,
    runs_piped: bool,
}

impl Named<'_> {
    /// Does this word make the text worth reading?
    #[inline(never)]
    fn matters(&mut self, start: usize, end: usize) -> bool {
        let name = self.bytes.get(start..end).unwrap_or_default();
        let does = program_at(name, self.programs);
        self.any |= does & !(WRAPS | LEADS) != 0;
        self.brought |= does & (FETCHES | DECODES) != 0;
        self.runs_piped |= does & (RUNS | RUNS_PIPED) != 0;
        (self.brought && self.runs_piped) || matters(self.bytes, end, does, true, false)
    }
}

pub(super) fn read_names(bytes: &[u8], marks: &mut Vec<Mark>) {
    let programs = &*PROGRAMS;
    // Nothing but what leads to a program stood in this command so far.
    let mut opening = true;
    // Everything behind may be the program.
    let mut wrapped = false;
    let mut separator = b'\n';
    // Something was fetched or decoded that a pipe may lead on.
    let mut brought = !marks.is_empty();
    // The word that is being read is one that leads to a program.
    let mut leading = true;
    let mut assigns = false;
    // The next word is a file, and the program stands behind it.
    let mut to_file = false;
    let mut begun = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match class(byte) {
            Class::Name => {
                let rest = bytes.get(at..).unwrap_or_default();
                let length =
                    rest.iter().position(|&byte| class(byte) != Class::Name).unwrap_or(rest.len()).max(1);
                let name = rest.get(..length).unwrap_or_default();
                let does = if length > 1 { program_at(name, programs) } else { 0 };
                let end = at + length;
                if does != 0 {
                    let program = opening || wrapped;
                    brought |= does & (FETCHES | DECODES) != 0 && !is_scheme(bytes, end);
                    if matters(bytes, end, does, program, brought && separator == b'|') {
                        marks.push(Mark { at, kind: if program { Kind::Program } else { Kind::Word } });
                    }
                    wrapped |= program && does & WRAPS != 0;
                }
                leading = does & (LEADS | WRAPS) != 0 || byte == b'-' || assigns || to_file;
                begun = true;
                at = end;
                continue;
            }
            Class::Blank => {
                opening &= leading;
                assigns = false;
                to_file &= !begun;
                begun = false;
            }
            Class::Separator => {
                // A pipe leads over lines.
                if byte != b'\n' || separator != b'|' || !opening {
                    separator = byte;
                }
                (opening, wrapped, leading, assigns) = (true, false, true, false);
                (to_file, begun) = (matches!(byte, b'<' | b'>'), false);
            }
            Class::Other => {
                assigns |= byte == b'=';
                leading |= assigns;
            }
        }
        at += 1;
    }
}

/// Is there anything on its line that makes this program matter?
fn matters(bytes: &[u8], end: usize, does: u8, program: bool, piped: bool) -> bool {
    let line = || {
        // One byte more than is looked at tells that there is more.
        let rest = bytes.get(end..).unwrap_or_default();
        let rest = rest.get(..rest.len().min(FAR + 1)).unwrap_or(rest);
        rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len())).unwrap_or_default()
    };
    let has = |signs: &[u8]| {
        let line = line();
        line.len() > FAR || line.iter().any(|byte| signs.contains(byte))
    };
    let fetches = does & FETCHES != 0 && !is_scheme(bytes, end) && has(b"/$<>|`");
    let decodes = does & DECODES != 0 && has(b">$`|");
    let runs = program && does & RUNS != 0 && (piped || has(b"|$`<>-\\"));
    let runs_piped = program && does & RUNS_PIPED != 0 && piped;
    let ends = || line().trim_ascii().is_empty();
    let lists = does & LISTS != 0 && (has(b"|") || program && (has(b">)`") || ends()));
    fetches || decodes || runs || runs_piped || lists || (program && does & TELLS != 0 && tells(line()))
}

/// `https://…` is no program.
fn is_scheme(bytes: &[u8], end: usize) -> bool {
    bytes.get(end..).is_some_and(|rest| rest.starts_with(b"://"))
}

/// How much of a line is looked at; a longer one is taken to hold everything.
const FAR: usize = 1_024;

/// Could this line make one of the programs tell a secret?
fn tells(line: &[u8]) -> bool {
    let near = line.get(..FAR).unwrap_or(line);
    near.len() < line.len() || vaults::may_tell(near)
}

pub(super) fn is_name(byte: u8) -> bool {
    class(byte) == Class::Name
}
