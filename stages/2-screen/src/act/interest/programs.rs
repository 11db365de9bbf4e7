//! What programs do, as far as that makes a line worth reading, and a sieve that tells most words from all of
//! their names.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::beginnings::Beginnings;
use crate::act::{program, remote, vaults};
use crate::folding::ByFolding;

// What a program does; a name may stand for several.
pub(super) const FETCHES: u8 = 1;

pub(super) const DECODES: u8 = 2;

pub(super) const RUNS: u8 = 4;

/// Runs what comes by a pipe, and is an ordinary word otherwise.
pub(super) const RUNS_PIPED: u8 = 8;

pub(super) const TELLS: u8 = 16;

/// Runs the program that is named behind it.
pub(super) const WRAPS: u8 = 32;

/// The same, and an ordinary word otherwise.
pub(super) const LEADS: u8 = 64;

/// Prints the environment.
pub(super) const LISTS: u8 = 128;

/// What each name does, and sieves in front of them.
pub(super) struct Programs {
    pub(super) does: HashMap<&'static str, u8, ByFolding>,
    pub(super) sieve: [u64; SIEVE],
    // The same for those that do more than lead to another: only these ever make a text worth reading.
    pub(super) doing: [u64; SIEVE],
    pub(super) beginnings: Beginnings,
}

/// Numbers in the sieve.
const SIEVE: usize = 512;

pub(super) static PROGRAMS: LazyLock<Programs> = LazyLock::new(|| {
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
    let (sieve, doing, mut beginnings) = ([0; SIEVE], [0; SIEVE], Beginnings::none());
    // `python3.11`
    beginnings.add(b"py");
    let mut programs = Programs { does: HashMap::default(), sieve, doing, beginnings };
    for (name, does) in named.chain(wrappers) {
        *programs.does.entry(name).or_default() |= does;
        let (place, bit) = sieve_place(name.as_bytes());
        programs.sieve.get_mut(place).into_iter().for_each(|bits| *bits |= bit);
        if does & !(WRAPS | LEADS) != 0 {
            programs.doing.get_mut(place).into_iter().for_each(|bits| *bits |= bit);
            programs.beginnings.add(name.as_bytes());
        }
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

pub(super) const LONGEST: usize = 24;

/// What the program of this name does; nothing for other words.
pub(super) fn program_at(name: &[u8], programs: &Programs) -> u8 {
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

impl Programs {
    /// Is this word one that [`program_at`] has to look at, for more than what leads to another program? Told by
    /// the sieve alone, unless something may have to be taken off the name first.
    #[inline(never)]
    pub(super) fn may_be(&self, whole: &[u8]) -> bool {
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
