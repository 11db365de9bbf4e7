//! The lines around places, as far as a shell reads them as one.

use super::{Kind, Mark};

/// Lines that a shell reads as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::act) struct Region {
    pub(in crate::act) start: usize,
    pub(in crate::act) end: usize,
    /// Something begins in it that ends elsewhere, or the other way round.
    pub(in crate::act) open: bool,
}

/// The lines around `marks`.
pub(in crate::act) fn regions(text: &str, mut marks: Vec<Mark>) -> Vec<Region> {
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
