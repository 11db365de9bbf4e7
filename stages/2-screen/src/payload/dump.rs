//! Bytes written out one by one: hex dumps, `\xNN`, `0xNN`; more than a kilobyte of it.

use call::Span;

use crate::lines::lines;

/// Longer than this, the bytes are a file.
const LONGEST: usize = 1_024;

pub(super) fn find(text: &str, found: &mut Vec<(&'static str, Span)>) {
    if text.len() <= LONGEST {
        return;
    }
    dumped(text, found);
    escaped(text.as_bytes(), found);
}

/// Lines of hexadecimal digits in groups, as `xxd` and `hexdump` write them.
fn dumped(text: &str, found: &mut Vec<(&'static str, Span)>) {
    let mut dump = Dump::default();
    let mut at = 0;
    for line in lines(text) {
        let start = at;
        at += line.len();
        match Groups::of(line) {
            Some(groups) => dump.add(&groups, start, at),
            None => found.extend(std::mem::take(&mut dump).finish()),
        }
    }
    found.extend(dump.finish());
}

/// Lines that follow each other.
#[derive(Default)]
struct Dump {
    digits: usize,
    with_letters: usize,
    start: Option<usize>,
    end: usize,
}

impl Dump {
    fn add(&mut self, groups: &Groups, start: usize, end: usize) {
        self.digits += groups.digits;
        self.with_letters += groups.with_letters;
        self.start.get_or_insert(start);
        self.end = end;
    }

    /// Columns of decimal numbers have no letters.
    fn finish(self) -> Option<(&'static str, Span)> {
        let long = self.digits > LONGEST && self.with_letters >= 4;
        self.start.filter(|_| long).map(|start| ("encoded_blob", Span::new(start, self.end)))
    }
}

/// The groups of one line.
struct Groups {
    digits: usize,
    with_letters: usize,
}

impl Groups {
    /// At least four groups of two or four digits each, all of one size; behind an offset, any number.
    fn of(line: &str) -> Option<Self> {
        // Nearly every line is passed over by its first word.
        let is_around = |byte: &u8| byte.is_ascii_whitespace() || b">`\":,".contains(byte);
        let mut bytes = line.bytes().skip_while(is_around);
        bytes.by_ref().take(2).all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
        let line = line.trim_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '`' | '"'));
        let (offset, rest) = match line.split_once([' ', ':']) {
            Some((offset, rest)) if offset.len() >= 6 && is_hex(offset) => (true, rest),
            _ => (false, line),
        };
        // Four digits and a comma are the name of a cell or a number.
        let commas = rest.contains(',');
        let mut groups = Self { digits: 0, with_letters: 0 };
        let (mut size, mut count) = (0, 0);
        for group in rest.split([' ', ':', ',', '\t']).filter(|group| !group.is_empty()) {
            let whole = is_hex(group)
                && (group.len() == 2 || (group.len() == 4 && !commas) || (offset && group.len() == 8));
            // The characters that the digits stand for are shown behind them.
            if !whole || (count > 0 && group.len() > size) {
                if offset {
                    break;
                }
                return None;
            }
            size = group.len();
            count += 1;
            groups.digits += group.len();
            groups.with_letters += usize::from(group.bytes().any(|byte| byte.is_ascii_alphabetic()));
        }
        (count >= if offset { 1 } else { 4 }).then_some(groups)
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `\x7f\x45…`, `0x7f, 0x45, …`.
fn escaped(bytes: &[u8], found: &mut Vec<(&'static str, Span)>) {
    let mut at = 0;
    while let Some(place) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'x', b'X', rest)) {
        let start = (at + place).saturating_sub(1);
        let mut end = start;
        let mut next = start;
        while is_byte(bytes.get(next..next + 4)) {
            end = next + 4;
            let between = bytes.get(end..).unwrap_or_default().iter().take(16);
            next = end + between.take_while(|&&byte| b" \t\r\n,;+\"'".contains(&byte)).count();
        }
        if end - start > LONGEST {
            found.push(("encoded_blob", Span::new(start, end)));
        }
        at = end.max(at + place + 1);
    }
}

fn is_byte(written: Option<&[u8]>) -> bool {
    let digits = |high: &u8, low: &u8| high.is_ascii_hexdigit() && low.is_ascii_hexdigit();
    matches!(written, Some([b'\\' | b'0', b'x' | b'X', high, low]) if digits(high, low))
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn bytes_written_out_are_found_and_tables_are_not() {
        let cases = [
            // text, is it a dump?
            ("00000000: 7f45 4c46 0201 0100 0000 0000 0000 0000  .ELF............\n".repeat(40), true),
            ("00000000  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  |.ELF|\n".repeat(40), true),
            ("7f 45 4c 46 02 01 01 00\n".repeat(80), true),
            ("7f 45 4c 46 ".repeat(200), true),
            ("\\x7f\\x45".repeat(200), true),
            ("0x7f, 0x45,\n".repeat(200), true),
            ("12 34 56 78 90 11\n".repeat(200), false),
            ("2019 2020 2021 2022\n".repeat(200), false),
            ("A000, A001, A002, A003,\n".repeat(200), false),
            ("9b2c8e5d7f1a4066 c3e9d8b7a5f4e3d2\n".repeat(100), false),
            ("7f 45 4c 46\n".repeat(20), false),
            ("\\x7f\\x45 and 0x10\n".repeat(200), false),
            ("an axe, six boxes\n".repeat(200), false),
        ];
        for (text, want) in cases {
            let mut found = Vec::new();
            find(&text, &mut found);
            assert_eq!(!found.is_empty(), want, "{:?}", text.get(..20));
        }
    }
}
