//! Text that is spelled out sign by sign, with something between the signs: `67 68 70`, `=67=68`,
//! `\147\150`, `103, 104, 112`, `01100111 01101000`, `g-h-p`.
//!
//! Such a row has many ends of groups or many digits, and words have not. So a block of bytes after the
//! other is counted, and the text read closely only where two of them have that many.

use call::Span;

use crate::blocks::bits;
use crate::wide::{Work, widely};

/// Fewer groups than this spell nothing that matters.
const FEWEST: usize = 16;

/// A row has so many bytes in front of any of its groups, or from it on.
const SIDE: usize = FEWEST - 1;

/// What is counted at a time. Two of them lie inside the shortest row.
const BLOCK: usize = 16;

/// The rows in `text` and what they spell. A row of numbers may spell two things.
pub(crate) fn spelled(text: &str) -> Vec<(Span, String)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut read = 0;
    each_busy(bytes, |at| {
        if at >= read && bytes.get(at..).and_then(<[u8]>::first_chunk).is_some_and(is_telling) {
            read = read_rows(bytes, at, read, &mut found);
        }
    });
    found
}

/// Calls `found` with the start of every two blocks that have enough of what tells a row.
#[inline]
fn each_busy(bytes: &[u8], found: impl FnMut(usize)) {
    widely(EachBusy { bytes, found });
}

struct EachBusy<'b, F> {
    bytes: &'b [u8],
    found: F,
}

/// Blocks that are looked at together.
const MANY: usize = 4;

impl<F: FnMut(usize)> Work for EachBusy<'_, F> {
    type Done = ();

    #[inline(always)]
    fn done(mut self) {
        // Where the block before starts, and how much of it tells.
        let (mut at, mut before, mut last) = (0, 0, 0);
        let mut add = |start: usize, count: u32| {
            if last + count >= 8 {
                (self.found)(before);
            }
            (before, last) = (start, count);
        };
        // With the last of them, what stands behind it.
        while let Some(many) = self.bytes.get(at..).and_then(<[u8]>::first_chunk::<{ MANY * BLOCK + 2 }>) {
            let ([here @ .., _, _], [_, next @ .., _], [_, _, second @ ..]) = (many, many, many);
            let mut marks = [0; MANY * BLOCK];
            for (((mark, byte), next), second) in marks.iter_mut().zip(here).zip(next).zip(second) {
                *mark = u8::from(tells(*byte, *next, *second));
            }
            let marks = bits(&marks);
            for block in 0..MANY {
                add(at + block * BLOCK, (marks >> (block * BLOCK) & 0xFFFF).count_ones());
            }
            at += MANY * BLOCK;
        }
        for block in self.bytes.get(at..).unwrap_or_default().as_chunks::<BLOCK>().0 {
            let (next, second) = (from(self.bytes, at + 1), from(self.bytes, at + 2));
            let telling = block.iter().zip(next).zip(second);
            let count = telling.map(|((byte, next), second)| u32::from(tells(*byte, *next, *second))).sum();
            add(at, count);
            at += BLOCK;
        }
    }
}

/// Reads the rows around `at` that start behind what is read, and says where the last of them ends.
#[inline(never)]
fn read_rows(bytes: &[u8], at: usize, read: usize, found: &mut Vec<(Span, String)>) -> usize {
    let rows = [row_of_groups(bytes, at, read), row_of_letters(bytes, at, read)];
    let mut end = read;
    for row in rows.into_iter().flatten() {
        end = end.max(row.span.end);
        found.extend(row.texts().into_iter().map(|spelled| (row.span, spelled)));
    }
    end
}

/// What is put in the place of a byte that counts. Of one bit only, a compiler would collect the bits and
/// count those, which takes twice as long as adding up bytes.
const MARK: u8 = 5;

const fn mark(counts: bool) -> u8 {
    if counts { MARK } else { 0 }
}

/// Is this a digit, or a sign that is the same as the second byte behind it? Words have few of either.
#[inline(always)]
const fn tells(byte: u8, next: u8, second: u8) -> bool {
    let digit = byte.wrapping_sub(b'0') < 10;
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    // Blanks in front of a line are alike too, but nothing stands between them.
    digit | (!letter & (byte == second) & (next > b' '))
}

/// The block that starts at `at`.
fn from(bytes: &[u8], at: usize) -> &[u8; BLOCK] {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).unwrap_or(&[0; BLOCK])
}

/// Numbers with something between them, binary digits, single letters with the same sign between them.
#[inline(never)]
fn is_telling(window: &[u8; 2 * BLOCK]) -> bool {
    let count = |is: fn(u8) -> bool| window.iter().map(|&byte| mark(is(byte))).sum::<u8>() / MARK;
    let digits = count(|byte| byte.wrapping_sub(b'0') < 10);
    let between = 32 - digits - count(|byte| (byte | 0x20).wrapping_sub(b'a') < 26);
    (between >= 7 && digits >= 8) || (digits >= 24 && between > 0) || signs_alike(window) >= 10
}

/// How many signs are the same as the second byte behind them, with something that shows in between.
/// Wherever the shortest row of single letters stands, a window that it is looked for in has ten. Two of
/// them are counted twice, because nothing stands behind the last two bytes of a window.
fn signs_alike(window: &[u8; 2 * BLOCK]) -> u8 {
    let mut alike = [0; BLOCK];
    for at in [0, BLOCK - 2] {
        let (signs, between, second) = (from(window, at), from(window, at + 1), from(window, at + 2));
        for (((alike, sign), between), second) in alike.iter_mut().zip(signs).zip(between).zip(second) {
            *alike += mark((sign == second) & (*between > b' ') & !sign.is_ascii_alphanumeric());
        }
    }
    alike.iter().sum::<u8>() / MARK
}

/// What groups are written with.
const fn is_sign(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// How a group may be read. One bit each.
type Ways = u8;
const HEX: Ways = 1;
const DECIMAL: Ways = 2;
const OCTAL: Ways = 4;
const BINARY: Ways = 8;
const MARKED_HEX: Ways = 16;
const LETTER: Ways = 32;

fn ways(group: &[u8]) -> Ways {
    let all = |is: fn(&u8) -> bool| group.iter().all(is);
    let way = |fits: bool, way: Ways| if fits { way } else { 0 };
    let decimal = || way(all(u8::is_ascii_digit), DECIMAL);
    let octal = || way(all(|digit| (b'0'..=b'7').contains(digit)), OCTAL);
    let marked = || way(matches!(group, [b'0', b'x' | b'X', ..]), MARKED_HEX);
    match group.len() {
        1 => decimal(),
        2 => way(all(u8::is_ascii_hexdigit), HEX) | decimal() | octal(),
        3 => decimal() | octal() | marked(),
        4 => marked(),
        8 => way(all(|digit| matches!(digit, b'0' | b'1')), BINARY),
        _ => 0,
    }
}

/// Groups of signs with the same between all of them, and the ways in which all of them can be read.
struct Row<'t> {
    span: Span,
    groups: Vec<&'t [u8]>,
    ways: Ways,
}

const LONGEST: usize = 8;

/// The row of groups around `at`, and not in front of `from`.
fn row_of_groups(bytes: &[u8], at: usize, from: usize) -> Option<Row<'_>> {
    // To the first end of a group, to see what stands between groups.
    let end = at + bytes.get(at..at + 2 * BLOCK)?.iter().position(|&byte| !is_sign(byte))?;
    let front = bytes.get(from.min(end)..end)?;
    let end = end - front.iter().rev().take(2).take_while(|byte| !is_sign(**byte)).count();
    let length = bytes.get(end..)?.iter().take(3).take_while(|byte| !is_sign(**byte)).count();
    let between = bytes.get(end..end + length.min(2))?;
    let is_between = |place: usize| bytes.get(place..place + between.len()) == Some(between);
    let middle = end + between.len();
    // The shortest row has so many bytes on one side of its middle, and nothing else stands in it.
    let (first, last) = (between.first()?, between.last()?);
    let fits = |byte: &u8| is_sign(*byte) || byte == first || byte == last;
    let in_front = middle.checked_sub(SIDE).and_then(|start| bytes.get(start..middle));
    let behind = bytes.get(middle..middle + SIDE);
    if ![in_front, behind].into_iter().flatten().any(|side| side.iter().all(fits)) {
        return None;
    }
    // Nearly all rows are too short, so groups are counted before they are collected.
    let mut count = 0_usize;
    let mut all = Ways::MAX;
    // Back from the middle, then on.
    let mut start = middle;
    while let Some(end) = start.checked_sub(between.len()).filter(|&end| end >= from && is_between(end)) {
        let front = bytes.get(from..end)?;
        let length = front.iter().rev().take(LONGEST + 1).take_while(|byte| is_sign(**byte)).count();
        let group = bytes.get(end - length..end)?;
        let fitting = all & ways(group);
        if length == 0 || fitting == 0 {
            break;
        }
        all = fitting;
        count += 1;
        start = end - length;
    }
    let mut place = middle;
    let mut last = middle - between.len();
    while let Some(rest) = bytes.get(place..) {
        let length = sign_count(rest);
        let group = bytes.get(place..place + length)?;
        let fitting = all & ways(group);
        if length == 0 || fitting == 0 {
            break;
        }
        all = fitting;
        count += 1;
        last = place + length;
        if !is_between(last) {
            break;
        }
        place = last + between.len();
    }
    if count < FEWEST {
        return None;
    }
    let mut groups = Vec::with_capacity(count);
    let mut place = start.min(last);
    while groups.len() < count {
        let length = sign_count(bytes.get(place..)?);
        groups.push(bytes.get(place..place + length)?);
        place += length + between.len();
    }
    // Behind a backslash, numbers are octal.
    let ways = if between == b"\\" { all & !DECIMAL } else { all };
    Some(Row { span: Span::new(start.min(last), last), groups, ways })
}

/// How many signs of a group stand here, and at most one more than a group may have.
fn sign_count(bytes: &[u8]) -> usize {
    bytes.iter().take(LONGEST + 1).take_while(|byte| is_sign(**byte)).count()
}

/// The row of single letters around `at`: every other byte is the same.
fn row_of_letters(bytes: &[u8], at: usize, from: usize) -> Option<Row<'_>> {
    let near: &[u8; 12] = bytes.get(at..)?.first_chunk()?;
    let alike = near.array_windows().map(|&[byte, _, second, _, fourth]| {
        (byte == second) & (byte == fourth) & !byte.is_ascii_alphanumeric()
    });
    let first = at + alike.enumerate().find(|(_, alike)| *alike)?.0;
    let sign = *bytes.get(first)?;
    let mut start = first.checked_sub(1).filter(|&place| place >= from)?;
    while let Some(place) = start.checked_sub(2).filter(|&place| place >= from) {
        let word =
            place.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(u8::is_ascii_alphanumeric);
        let letter = bytes.get(place).is_some_and(u8::is_ascii_graphic);
        if bytes.get(place + 1) != Some(&sign) || !letter || word {
            break;
        }
        start = place;
    }
    let mut groups = Vec::new();
    let mut place = start;
    while bytes.get(place).is_some_and(u8::is_ascii_graphic) {
        groups.push(bytes.get(place..=place)?);
        place += 1;
        if bytes.get(place) != Some(&sign) {
            break;
        }
        place += 1;
    }
    let span = Span::new(start, place.min(bytes.len()));
    (groups.len() >= FEWEST).then_some(Row { span, groups, ways: LETTER })
}

impl Row<'_> {
    /// What it spells, in every way that it can be read.
    fn texts(&self) -> Vec<String> {
        let read = |way: Ways, radix: u32, skipped: usize| {
            let value = |group: &&[u8]| {
                u8::from_str_radix(std::str::from_utf8(group.get(skipped..)?).ok()?, radix).ok()
            };
            let can = self.ways & way != 0;
            can.then(|| self.groups.iter().map(value).collect::<Option<Vec<u8>>>()).flatten()
        };
        let readable = |bytes: Vec<u8>| {
            let odd = bytes.iter().filter(|byte| !byte.is_ascii_graphic() && **byte != b' ').count();
            String::from_utf8(bytes).ok().filter(|text| odd * 10 <= text.len())
        };
        let ways = [
            read(HEX, 16, 0),
            read(DECIMAL, 10, 0),
            read(OCTAL, 8, 0),
            read(BINARY, 2, 0),
            read(MARKED_HEX, 16, 2),
            (self.ways & LETTER != 0).then(|| self.groups.concat()),
        ];
        ways.into_iter().flatten().filter_map(readable).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{BLOCK, each_busy, row_of_groups, spelled, tells};

    /// Block by block, each with what stands behind it, if that is as much as a block.
    fn busy_one_by_one(bytes: &[u8]) -> Vec<usize> {
        let from = |at: usize| bytes.get(at..at + BLOCK).unwrap_or(&[0; BLOCK]);
        let tells =
            |at: usize, place: usize| tells(bytes[at + place], from(at + 1)[place], from(at + 2)[place]);
        let starts = (0..).step_by(BLOCK).take(bytes.len() / BLOCK);
        let counts: Vec<usize> =
            starts.map(|at| (0..BLOCK).filter(|place| tells(at, *place)).count()).collect();
        let both = |block: usize| counts[block] + block.checked_sub(1).map_or(0, |before| counts[before]);
        let busy = (0..counts.len()).filter(|block| both(*block) >= 8);
        busy.map(|block| block.saturating_sub(1) * BLOCK).collect()
    }

    proptest! {
        #[test]
        fn blocks_are_counted_as_one_by_one(text in "[a-c0-2 .,:-]{0,260}", sign in "[ ,.]", every in 1..4_usize) {
            let text: String = text
                .char_indices()
                .map(|(place, character)| if place % (every + 1) == 1 { sign.clone() } else { character.to_string() })
                .collect();
            let mut busy = Vec::new();
            each_busy(text.as_bytes(), |at| busy.push(at));
            prop_assert_eq!(busy, busy_one_by_one(text.as_bytes()));
        }
    }

    #[test]
    fn a_row_is_read_from_any_of_its_groups() {
        for (groups, between) in [("6", ", "), ("6f", " "), ("147", "\\"), ("01100001", "\r\n")] {
            for count in 14..20 {
                let row = [groups].repeat(count).join(between);
                let text = format!("(x!{row}?)                                        ");
                for at in 0..row.len() {
                    let read = row_of_groups(text.as_bytes(), at, 0).is_some();
                    let inside = at >= 3 && at + groups.len() < row.len();
                    assert!(!read || count >= 16, "{text} {at}");
                    assert!(read || !inside || count < 16, "{text} {at}");
                }
            }
        }
    }

    #[test]
    fn a_row_spells_a_text() {
        let text = "ghp_k3JxQ9vLw2ZrT8nYb5Md";
        let join = |sign: &str, spell: &dyn Fn(u8) -> String| {
            text.bytes().map(spell).collect::<Vec<String>>().join(sign)
        };
        let rows = [
            join(" ", &|byte| format!("{byte:02x}")),
            join(":", &|byte| format!("{byte:02X}")),
            join("-", &|byte| format!("{byte:02x}")),
            join(", ", &|byte| format!("0x{byte:02x}")),
            format!("={}", join("=", &|byte| format!("{byte:02X}"))),
            format!("\\{}", join("\\", &|byte| format!("{byte:03o}"))),
            join(" ", &|byte| format!("{byte:o}")),
            join(", ", &|byte| byte.to_string()),
            join(",", &|byte| byte.to_string()),
            join(" ", &|byte| byte.to_string()),
            join(" ", &|byte| format!("{byte:08b}")),
            join(" ", &|byte| char::from(byte).to_string()),
            join("-", &|byte| char::from(byte).to_string()),
            join(".", &|byte| char::from(byte).to_string()),
        ];
        for row in rows {
            for (before, behind) in
                [("", ""), ("see: ", "."), ("[", "]\n"), ("a long word and ", " and more words")]
            {
                let written = format!("{before}{row}{behind}");
                let found = spelled(&written);
                assert!(found.iter().any(|(_, spelled)| spelled.contains(text)), "{written} {found:?}");
                assert!(found.iter().all(|(span, _)| span.of(&written).is_some()), "{written}");
            }
        }
    }

    #[test]
    fn words_spell_nothing() {
        for text in
            ["an ordinary sentence of ordinary words, as they are", "a = b + c; d[e] = f(g, h);", "1.2.3.4"]
        {
            assert_eq!(spelled(text), [], "{text}");
        }
    }
}
