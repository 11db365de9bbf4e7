//! Where in prose a shell could do anything that matters.
//!
//! Prose is long, and lines for a shell in it are few: only those are read as a shell reads them that
//! hold something without which nothing is ever reported. That is a program that runs what it is
//! given, where something stands that could give it; a program that fetches, with something to fetch;
//! one that decodes, with somewhere to put it; one that tells secrets; a variable named as a secret; a
//! word that a shell would put together. The words of [`super::WORDS`] are searched for elsewhere.
//!
//! What spans several lines is not lost: [`Region::open`] says when a line alone is not enough.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::names::is_secret;
use super::{program, remote, vaults};
use crate::blocks::{any_block, bits, bits_where};
use crate::folding::ByFolding;

/// A place to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    pub(super) at: usize,
    pub(super) kind: Kind,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A word that says little.
    Word,
    /// A program.
    Program,
    /// The name of a secret; what shows it may stand anywhere in front.
    Secret,
}

/// Lines that a shell reads as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Something begins in it that ends elsewhere, or the other way round.
    pub(super) open: bool,
}

/// All places in `text`, in no order.
pub(super) fn marks(text: &str) -> Marks {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    put_together(bytes, &mut all);
    signs(bytes, &mut all);
    let named = names(bytes, &mut all);
    // Which names are put together with backticks depends on what else stands in the text.
    let quiet = all.is_empty() && !named && memchr::memchr(b'`', bytes).is_none();
    Marks { all, quiet }
}

/// The places in a text.
pub(super) struct Marks {
    pub(super) all: Vec<Mark>,
    /// There are none, and would be none in any of the texts inside it, if it is JSON: not in one that is
    /// written without escapes. No name of a program stands anywhere, and whatever else makes a place, a
    /// quotation mark on either side does not undo it.
    pub(super) quiet: bool,
}

/// The lines around `marks`.
pub(super) fn regions(text: &str, mut marks: Vec<Mark>) -> Vec<Region> {
    let bytes = text.as_bytes();
    marks.sort_unstable();
    let mut regions: Vec<Region> = Vec::new();
    // What is known of the last region. Its marks may be many, so its lines are read once for all of them.
    let (mut ends_elsewhere, mut has_variable): (Option<bool>, Option<bool>) = (None, None);
    for mark in marks {
        let floor = regions.last().map_or(0, |last| last.end);
        if mark.at >= floor {
            let (start, end) = lines_around(bytes, mark.at, floor);
            regions.push(Region { start, end, open: false });
            (ends_elsewhere, has_variable) = (None, None);
        }
        if let Some(last) = regions.last_mut().filter(|last| !last.open) {
            let lines = bytes.get(last.start..last.end).unwrap_or_default();
            last.open = match mark.kind {
                Kind::Word => false,
                Kind::Program => *ends_elsewhere.get_or_insert_with(|| is_open(lines)),
                Kind::Secret => {
                    *has_variable.get_or_insert_with(|| memchr::memchr2(b'$', b'%', lines).is_some())
                }
            };
        }
    }
    regions
}

// What a program does; a name may stand for several.
const FETCHES: u8 = 1;
const DECODES: u8 = 2;
const RUNS: u8 = 4;
/// Runs what comes by a pipe, and is an ordinary word otherwise.
const RUNS_PIPED: u8 = 8;
const TELLS: u8 = 16;
/// Runs the program that is named behind it.
const WRAPS: u8 = 32;
/// The same, and an ordinary word otherwise.
const LEADS: u8 = 64;
/// Prints the environment.
const LISTS: u8 = 128;

/// What each name does, and sieves in front of them.
struct Programs {
    does: HashMap<&'static str, u8, ByFolding>,
    sieve: [u64; SIEVE],
    // The same for those that do more than lead to another: only these ever make a text worth reading.
    doing: [u64; SIEVE],
}

/// Numbers in the sieve.
const SIEVE: usize = 512;

static PROGRAMS: LazyLock<Programs> = LazyLock::new(|| {
    let leads = ["run", "if", "then", "else", "elif", "do", "while", "until", "time", "watch"];
    let runs = ["eval", "iex", "invoke-expression", "source", "awk", "gawk", "mawk", "crontab", "parallel"];
    let named = [
        (program::FETCHERS, FETCHES),
        (program::DECODERS, DECODES),
        (program::SHELLS, RUNS),
        (program::INTERPRETERS, RUNS),
        (&runs, RUNS),
        (&["at", "batch"], RUNS_PIPED),
        (&vaults::TOOLS, TELLS),
        (&remote::RUNNERS, TELLS),
        (program::ELSEWHERE, WRAPS),
        (&leads, LEADS),
        (&["env", "printenv", "set", "export", "declare", "typeset", "gci", "get-childitem"], LISTS),
    ];
    let wrappers = program::WRAPPERS.iter().map(|(name, _, _)| *name);
    let wrappers = wrappers.filter(|name| !leads.contains(name) && name.len() > 1).map(|name| (name, WRAPS));
    let named = named.into_iter().flat_map(|(names, does)| names.iter().map(move |name| (*name, does)));
    let mut programs = Programs { does: HashMap::default(), sieve: [0; SIEVE], doing: [0; SIEVE] };
    for (name, does) in named.chain(wrappers) {
        *programs.does.entry(name).or_default() |= does;
        let (place, bit) = sieve_place(name.as_bytes());
        programs.sieve.get_mut(place).into_iter().for_each(|bits| *bits |= bit);
        let doing = if does & !(WRAPS | LEADS) != 0 { bit } else { 0 };
        programs.doing.get_mut(place).into_iter().for_each(|bits| *bits |= doing);
    }
    programs
});

/// By its length and three of its letters; most words are told apart from all names by these.
fn sieve_place(name: &[u8]) -> (usize, u64) {
    let letter = |place: usize| name.get(place).copied().unwrap_or_default();
    sieve_place_of(letter(0), letter(1), letter(name.len().saturating_sub(1)), name.len())
}

#[inline(always)]
const fn sieve_place_of(first: u8, second: u8, last: u8, length: usize) -> (usize, u64) {
    let letters = u32::from_le_bytes([first, second, last, 0]) | 0x0020_2020;
    let hash = (letters | (length as u32) << 24).wrapping_mul(0x9E37_79B1) >> (u32::BITS - 15);
    ((hash >> 6) as usize, 1 << (hash & 63))
}

const LONGEST: usize = 24;

/// What the program of this name does; nothing for other words.
fn program_at(name: &[u8], programs: &Programs) -> u8 {
    let name = match name {
        [b'-' | b'.', ..] | [.., b'.'] => {
            let start = name.iter().take_while(|byte| matches!(byte, b'-' | b'.')).count();
            let behind = name.iter().rev().take_while(|&&byte| byte == b'.').count();
            name.get(start..name.len() - behind).unwrap_or_default()
        }
        _ => name,
    };
    let name = match name {
        [bare @ .., b'.', b'e' | b'E', b'x' | b'X', b'e' | b'E'] => bare,
        _ => name,
    };
    let python = matches!(name, [b'p' | b'P', b'y' | b'Y', _, ..]);
    if name.len() > LONGEST || !(programs.may_have(name) || python) {
        return 0;
    }
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..name.len()).unwrap_or_default();
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    let lower = std::str::from_utf8(lower).unwrap_or_default();
    let version = if python && program::is_interpreter(lower) { RUNS } else { 0 };
    programs.does.get(lower).copied().unwrap_or_default() | version
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
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

fn class(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Other)
}

/// Names of programs, where they are more than a word. Says whether there are any names at all.
fn names(bytes: &[u8], marks: &mut Vec<Mark>) -> bool {
    let (any, may_matter) = may_name(bytes, !marks.is_empty());
    if may_matter {
        read_names(bytes, marks);
    }
    any
}

/// Could [`read_names`] add anything? Not if no word is a program that matters even where a command begins
/// and where a pipe leads on what was brought. Most prose is told by this, which is quicker because words
/// are looked at without what stands between them. Says first whether any word is a program.
fn may_name(bytes: &[u8], brought: bool) -> (bool, bool) {
    let mut named = Named { bytes, programs: &PROGRAMS, any: false, brought, runs_piped: false };
    let programs = named.programs;
    let may_matter = each_word(bytes, |word, start, end| programs.may_be(word) && named.matters(start, end));
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

/// A run of bytes that names are written with, as far as it is looked at first.
enum Word<'b> {
    /// In a block, and without a sign but at its end.
    Plain { block: &'b [u8; BLOCK], start: usize, end: usize },
    /// Any other.
    Any(&'b [u8]),
}

/// Calls `found` with each run of bytes that names are written with and that has more than one, and where it
/// starts and ends, until it says yes; and says whether it did.
#[inline]
fn each_word(bytes: &[u8], mut found: impl FnMut(Word<'_>, usize, usize) -> bool) -> bool {
    let any = |start: usize, end: usize| Word::Any(bytes.get(start..end).unwrap_or_default());
    // Where the run began that reached the end of the last block.
    let mut open = None;
    let mut at = 0;
    let mut last = [0; BLOCK];
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let block = rest.first_chunk::<BLOCK>().unwrap_or_else(|| {
            last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
            &last
        });
        let (mut left, signs) = name_bytes(block);
        // Signs with more of their word behind them.
        let odd = signs & (left >> 1);
        if let Some(start) = open {
            let length = (!left).trailing_zeros();
            if length == u64::BITS {
                at += BLOCK;
                continue;
            }
            open = None;
            left &= u64::MAX << length;
            let end = at + length as usize;
            if end - start > 1 && found(any(start, end), start, end) {
                return true;
            }
        }
        while left != 0 {
            let start = left.trailing_zeros() as usize;
            // Adding the first byte of a run carries to the place behind its last one.
            let behind = left.wrapping_add(left & left.wrapping_neg());
            if behind == 0 {
                open = Some(at + start);
                break;
            }
            let end = behind.trailing_zeros() as usize;
            let is_odd = odd & left & !behind != 0;
            left &= behind;
            let (from, to) = (at + start, at + end);
            let word = if is_odd { any(from, to) } else { Word::Plain { block, start, end } };
            if end - start > 1 && found(word, from, to) {
                return true;
            }
        }
        at += BLOCK;
    }
    open.is_some_and(|start| bytes.len() > start + 1 && found(any(start, bytes.len()), start, bytes.len()))
}

const BLOCK: usize = 64;

/// One bit for each byte that names are written with, and for those of them that are `-` or `.`.
#[inline(never)]
fn name_bytes(block: &[u8; BLOCK]) -> (u64, u64) {
    let (mut marks, mut signs) = ([0; BLOCK], [0; BLOCK]);
    for ((mark, sign), &byte) in marks.iter_mut().zip(&mut signs).zip(block) {
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        // `-`, `.` and the digits, with `/` between them.
        let other = (byte.wrapping_sub(b'-') < 13) & (byte != b'/');
        *mark = u8::from(letter | other | (byte == b'_'));
        *sign = u8::from(byte.wrapping_sub(b'-') < 2);
    }
    (bits(&marks), bits(&signs))
}

impl Programs {
    /// Is this word one that [`program_at`] has to look at, for more than what leads to another program? Told by
    /// the sieve alone, unless something may have to be taken off the name first.
    #[inline(always)]
    fn may_be(&self, word: Word<'_>) -> bool {
        match word {
            Word::Plain { block, start, end } => self.may_be_plain(block, start, end),
            Word::Any(whole) => self.may_be_any(whole),
        }
    }

    /// The same for a word that has no sign but at its end, without a branch: words are too many, and which one
    /// is a name cannot be guessed.
    #[inline(always)]
    fn may_be_plain(&self, block: &[u8; BLOCK], start: usize, end: usize) -> bool {
        let byte = |place: usize| block.get(place % BLOCK).copied().unwrap_or_default();
        // The end of a sentence.
        let end = end - usize::from(byte(end.wrapping_sub(1)) == b'.');
        let (first, second, last) = (byte(start), byte(start + 1), byte(end.wrapping_sub(1)));
        let python = (first | 0x20 == b'p') & (second | 0x20 == b'y');
        let length = end.wrapping_sub(start);
        let (place, bit) = sieve_place_of(first, second, last, length);
        // Too short to have its place.
        let short = length < 2;
        let known = self.doing.get(place % SIEVE).copied().unwrap_or_default() & bit != 0;
        python | short | known
    }

    /// The same for any word.
    #[inline(never)]
    fn may_be_any(&self, whole: &[u8]) -> bool {
        // The end of a sentence.
        let name = match whole {
            [name @ .., b'.'] => name,
            name => name,
        };
        let (Some(&[first, second]), Some(&last)) = (name.first_chunk(), name.last()) else { return true };
        // `-curl`, `curl..`, `curl.exe`, `python3.11`
        let odd = matches!(first, b'-' | b'.')
            || last == b'.'
            || (last | 0x20 == b'e' && matches!(name, [.., b'.', _, _, _]))
            || (first | 0x20 == b'p' && second | 0x20 == b'y');
        let (place, bit) = sieve_place_of(first, second, last, name.len());
        odd || self.doing.get(place).is_some_and(|bits| bits & bit != 0)
    }

    fn may_have(&self, name: &[u8]) -> bool {
        let (place, bit) = sieve_place(name);
        self.sieve.get(place).is_some_and(|bits| bits & bit != 0)
    }
}

fn read_names(bytes: &[u8], marks: &mut Vec<Mark>) {
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

/// Names with quotes in them, as a shell takes them: `cu"rl"`.
fn put_together(bytes: &[u8], marks: &mut Vec<Mark>) {
    let mut from = 0;
    let mut read = |at| from = put_together_at(bytes, at, from, marks);
    each_behind_name(bytes, |byte| (byte == b'"') | (byte == b'\'') | (byte == b'\\'), &mut read);
    if memchr::memchr(b'`', bytes).is_some() {
        each_behind_name(bytes, |byte| byte == b'`', read);
    }
}

/// Calls `found` with every place where such a sign stands directly behind a byte that names are written with.
#[inline]
fn each_behind_name(bytes: &[u8], is_sign: impl Fn(u8) -> bool, mut found: impl FnMut(usize)) {
    any_block(bytes, |block, start| {
        let mut left = bits_where(block, &is_sign);
        while left != 0 {
            let at = start + left.trailing_zeros() as usize;
            left &= left - 1;
            if at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(|&byte| is_name(byte)) {
                found(at);
            }
        }
        false
    });
}

/// The same of the name with a quote at `at`, if that was not read before `from`. Says up to where names were read.
#[inline]
fn put_together_at(bytes: &[u8], at: usize, from: usize, marks: &mut Vec<Mark>) -> usize {
    if at < from {
        return from;
    }
    // Nothing of a name goes on behind most quotes: they end a string.
    match bytes.get(at + 1) {
        Some(&behind) if is_name(behind) || matches!(behind, b'"' | b'\'' | b'\\' | b'`' | b'\n') => {
            read_put_together(bytes, at, marks)
        }
        Some(_) | None => at + 1,
    }
}

#[inline(never)]
fn read_put_together(bytes: &[u8], at: usize, marks: &mut Vec<Mark>) -> usize {
    let before = bytes.get(..at).unwrap_or_default().iter().rev();
    let start = at - before.take(LONGEST + 1).take_while(|&&byte| is_name(byte)).count();
    let (mut name, mut length, mut end) = ([0; LONGEST], 0_usize, start);
    while let Some(&byte) = bytes.get(end) {
        let quote = matches!(byte, b'"' | b'\'' | b'\\' | b'`')
            || (byte == b'\n' && bytes.get(end.saturating_sub(1)) == Some(&b'\\'));
        if is_name(byte) {
            name.get_mut(length).into_iter().for_each(|place| *place = byte);
            length += 1;
        } else if !quote {
            break;
        }
        end += 1;
    }
    let name = name.get(..length).unwrap_or_default();
    if end > at + 1 && program_at(name, &PROGRAMS) & !(LEADS | RUNS_PIPED) != 0 {
        marks.push(Mark { at: start, kind: Kind::Program });
    }
    end
}

fn is_name(byte: u8) -> bool {
    class(byte) == Class::Name
}

/// Variables named as secrets, and words that a shell puts together.
fn signs(bytes: &[u8], marks: &mut Vec<Mark>) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let name_from = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        let length = rest.iter().take(80).take_while(|&&byte| is_word(byte)).count();
        rest.get(..length).unwrap_or_default()
    };
    let secret = |name: &[u8]| name.len() >= 3 && std::str::from_utf8(name).is_ok_and(is_secret);
    let mut percent_until = 0;
    for at in memchr::memchr3_iter(b'$', b'`', b'%', bytes) {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before)).copied();
        let behind = bytes.get(at + 1).copied().unwrap_or(b' ');
        let attached = before.is_some_and(|byte| byte.is_ascii_alphanumeric());
        let kind = match bytes.get(at) {
            Some(b'$') => {
                let puts_in = match behind {
                    b'(' | b'{' | b'@' | b'*' | b'_' => true,
                    b'1'..=b'9' => bytes.get(at + 2).is_some_and(u8::is_ascii_alphabetic),
                    _ => behind.is_ascii_alphabetic(),
                };
                let name = name_from(at + if behind == b'{' { 2 } else { 1 });
                match puts_in {
                    true if secret(name) => Some(Kind::Secret),
                    true if attached || is_first(bytes, at) => Some(Kind::Program),
                    true => None,
                    false => (behind == b'\'').then_some(Kind::Program),
                }
            }
            Some(b'`') => (attached && behind.is_ascii_alphanumeric()).then_some(Kind::Program),
            // `%API_KEY%`
            _ => {
                let name = if at < percent_until { &[][..] } else { name_from(at + 1) };
                let closed = bytes.get(at + 1 + name.len()) == Some(&b'%');
                percent_until = at + 1 + name.len();
                (closed && secret(name)).then_some(Kind::Secret)
            }
        };
        marks.extend(kind.map(|kind| Mark { at, kind }));
    }
}

/// Does a command begin here?
fn is_first(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default().iter().rev().take(64);
    before
        .copied()
        .find(|&byte| class(byte) != Class::Blank)
        .is_none_or(|byte| class(byte) == Class::Separator)
}

/// The line at `at` and those that it goes on in or goes on from.
fn lines_around(bytes: &[u8], at: usize, floor: usize) -> (usize, usize) {
    let line_start = |from: usize| {
        let before = bytes.get(floor..from).unwrap_or_default();
        memchr::memrchr(b'\n', before).map_or(floor, |place| floor + place + 1)
    };
    let line_end = |from: usize| {
        let behind = bytes.get(from..).unwrap_or_default();
        memchr::memchr(b'\n', behind).map_or(bytes.len(), |place| from + place + 1)
    };
    let line = |start: usize, end: usize| bytes.get(start..end).unwrap_or_default().trim_ascii();
    let goes_on = |line: &[u8]| line.ends_with(b"\\") || line.ends_with(b"|") || line.ends_with(b"&&");
    let (mut start, mut end) = (line_start(at), line_end(at));
    // Signs alone make no command.
    let first = |line: &[u8]| {
        let signs = b";&()<>\\ \t\r";
        line.iter().copied().find(|byte| !signs.contains(byte))
    };
    let mut pipe_first = first(line(start, end)) == Some(b'|');
    let mut probe = start;
    while probe > floor {
        let previous = line_start(probe - 1);
        let written = line(previous, probe);
        if first(written).is_some() {
            if !pipe_first && !goes_on(written) {
                break;
            }
            start = previous;
            pipe_first = first(written) == Some(b'|');
        }
        probe = previous;
    }
    let mut last = line(line_start(end.saturating_sub(1)).max(start), end);
    let mut probe = end;
    while probe < bytes.len() {
        let next = line_end(probe);
        let written = line(probe, next);
        if first(written).is_some() {
            if !goes_on(last) && first(written) != Some(b'|') {
                break;
            }
            last = written;
            end = next;
        } else if !written.is_empty() && goes_on(last) {
            last = written;
            end = next;
        }
        probe = next;
    }
    (start, end)
}

/// Is something open at the end of these lines, or closed that is not open; or does a group end there
/// whose commands stand elsewhere?
fn is_open(lines: &[u8]) -> bool {
    let (mut depth, mut double, mut single, mut ticks) = (0_usize, false, false, false);
    let mut letter = false;
    for (at, &byte) in lines.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => match depth.checked_sub(1) {
                Some(left) => depth = left,
                None => return true,
            },
            b'"' => double = !double,
            b'\'' if letter && lines.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => {}
            b'\'' => single = !single,
            b'`' => ticks = !ticks,
            b'|' => {
                let before = lines.get(..at).unwrap_or_default().trim_ascii_end();
                if [&b"}"[..], b")", b"done", b"fi", b"esac"].iter().any(|end| before.ends_with(end)) {
                    return true;
                }
            }
            _ => {}
        }
        letter = byte.is_ascii_alphabetic();
    }
    depth > 0 || double || single || ticks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        Class, Kind, LEADS, Mark, PROGRAMS, WRAPS, class, each_word, marks, names, program_at, read_names,
        regions,
    };

    /// The lines that are looked at; `!` in front of those that are not enough.
    fn shown(text: &str) -> Vec<String> {
        let regions = regions(text, marks(text).all);
        let line = |start: usize, end: usize| text.get(start..end).unwrap_or_default().trim_end().to_owned();
        regions
            .iter()
            .map(|region| format!("{}{}", if region.open { "!" } else { "" }, line(region.start, region.end)))
            .collect()
    }

    #[test]
    fn words_are_what_is_read_one_by_one() {
        let text = "a bc -de.f python3.exe _x/y-z 日q r.. ab\n".repeat(4) + &"w".repeat(150) + " . ok";
        for from in 0..text.len() {
            let Some(text) = text.get(from..) else { continue };
            let mut words = Vec::new();
            each_word(text.as_bytes(), |word, start, end| {
                words.push((start, end));
                let whole = text.as_bytes().get(start..end).unwrap();
                // Told in two ways: neither passes over what the other has to look at.
                let looked_at = PROGRAMS.may_be(word);
                let does = program_at(whole, &PROGRAMS);
                assert!(looked_at || does & !(WRAPS | LEADS) == 0, "{whole:?}");
                assert!(looked_at || !PROGRAMS.may_be_any(whole), "{whole:?}");
                false
            });
            let mut plainly = Vec::new();
            let mut start = 0;
            for at in 0..=text.len() {
                if text.as_bytes().get(at).is_none_or(|&byte| class(byte) != Class::Name) {
                    plainly.extend((at > start + 1).then_some((start, at)));
                    start = at + 1;
                }
            }
            assert_eq!(words, plainly, "{text}");
        }
    }

    proptest! {
        /// What is passed over quickly would have been passed over anyway.
        #[test]
        fn names_are_found_wherever_reading_all_of_it_finds_them(
            words in proptest::collection::vec(proptest::sample::select(WORDS.to_vec()), 0..24),
            known in any::<bool>(),
        ) {
            let text = words.concat();
            let before = if known { vec![Mark { at: 0, kind: Kind::Word }] } else { Vec::new() };
            let (mut quickly, mut slowly) = (before.clone(), before);
            names(text.as_bytes(), &mut quickly);
            read_names(text.as_bytes(), &mut slowly);
            prop_assert_eq!(quickly, slowly, "{}", text);
        }
    }

    proptest! {
        /// A text of JSON that is passed over because all of it is quiet would have been passed over anyway.
        #[test]
        fn texts_inside_quiet_json_are_quiet(
            texts in proptest::collection::vec(
                proptest::collection::vec(proptest::sample::select(WORDS.to_vec()), 0..6), 1..5),
        ) {
            let texts: Vec<String> = texts.iter().map(|words| words.concat().replace(['"', '\\'], "")).collect();
            let quoted: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
            let json = format!("[{}, {{{}: {}}}]", quoted.join(","), quoted[0], quoted.join(", \"k\" :"));
            for text in &texts {
                prop_assert!(!marks(&json).quiet || marks(text).all.is_empty(), "{json}");
            }
        }
    }

    const WORDS: &[&str] = &[
        "curl",
        "curl.exe.",
        "a.",
        "..curl",
        "CURL.exe",
        "curl.",
        "-curl",
        "sh",
        "bash",
        "zcat ",
        "base64 ",
        "python3.12",
        "py",
        "at",
        "batch",
        "env",
        "printenv",
        "set",
        "sudo ",
        "time ",
        "if ",
        "do ",
        "run ",
        "eval",
        "vault",
        "kubectl ",
        "ssh ",
        "aws ",
        "|",
        " | ",
        "\n",
        "; ",
        "$",
        "$(",
        ")",
        "`",
        "<",
        ">",
        " -c ",
        "\"",
        "'",
        "=",
        "A=b ",
        "/",
        "://",
        " ",
        "word ",
        "of ",
        "x",
        "an-ordinary_word.of.some.length.that.is.longer ",
        "日本",
        "secrets ",
        "get ",
        "node ",
        "\\",
    ];

    #[test]
    fn only_lines_that_can_matter_are_looked_at() {
        let cases: [(&str, &[&str]); 18] = [
            ("The host will pass. At dawn we fetch links, and the node is fish.\n", &[]),
            ("See https://x.invalid/a and pay $5 or 100%.\n", &[]),
            ("don't\ndo\npass\n", &[]),
            ("| a | b |\n| host | at noon |\n", &[]),
            ("a\nxxd b | sh\nc\n", &["xxd b | sh"]),
            ("zcat a |\n\n sh\nb\n", &["zcat a |\n\n sh"]),
            ("zcat a\n| sh\nb\n", &["zcat a\n| sh"]),
            ("x\naxel x.invalid/i.sh\ny\n", &["axel x.invalid/i.sh"]),
            ("we axel https://x.invalid/i.sh\n", &["we axel https://x.invalid/i.sh"]),
            ("sudo -u a b''ash -c \"$(\nx)\"\n", &["!sudo -u a b''ash -c \"$("]),
            ("c\\url\n", &["c\\url"]),
            ("say c`x`url\n", &["say c`x`url"]),
            ("q\n$(echo c)url x\n", &["$(echo c)url x"]),
            ("cu$@rl\n", &["cu$@rl"]),
            ("so: mail $MY_PAT\n", &["!so: mail $MY_PAT"]),
            ("so: %API_KEY% 5%\n", &["!so: %API_KEY% 5%"]),
            ("then run python3.11 -c \"x\"\n", &["then run python3.11 -c \"x\""]),
            ("do\n axel x\ndone | sh\n", &["!done | sh"]),
        ];
        for (text, want) in cases {
            assert_eq!(shown(text), want, "{text}");
        }
    }
}
