//! The letters of a word: quotes, backslashes and the escapes between `$'` and `'`.

use super::{Kind, List, Manner, Place, Reader, Until};

impl Reader<'_> {
    pub(super) fn letter(&mut self, byte: u8, list: &mut List, depth: usize) {
        match byte {
            b'\\' => {
                // Of the word that ends a here-document it is a quotation mark: `<<\EOF`.
                list.word.quoted |= list.place == Place::HereDocument;
                let next = self.bytes.get(self.at + 1).copied();
                match next {
                    Some(b'\n') => self.at += 2,
                    Some(b'\r') if self.bytes.get(self.at + 2) == Some(&b'\n') => self.at += 3,
                    Some(next) => {
                        self.begin(list);
                        // In a path of Windows it stands for itself.
                        if next.is_ascii_alphanumeric() && is_windows_path(&list.letters) {
                            list.letters.push(b'\\');
                        }
                        list.letters.push(next);
                        self.at += 2;
                    }
                    None => self.at += 1,
                }
            }
            b'\'' => self.apostrophe(list),
            b'"' => self.quote(list, depth),
            b'`' => {
                let ticks = self.bytes.get(self.at..).unwrap_or_default().iter();
                let ticks = ticks.take_while(|&&byte| byte == b'`').count();
                self.at += ticks;
                if ticks == 1 {
                    self.begin(list);
                    self.substitution(Kind::Output, Until::Backtick, list, depth);
                }
            }
            b'$' => self.dollar(false, list, depth),
            _ => {
                self.begin(list);
                list.letters.push(byte);
                self.at += 1;
            }
        }
    }

    pub(super) fn begin(&self, list: &mut List) {
        if !list.begun {
            list.begun = true;
            list.word.start = self.offset + self.at;
        }
    }

    /// From an apostrophe to the next one.
    fn apostrophe(&mut self, list: &mut List) {
        let inside_word = self.manner == Manner::Prose
            && self
                .at
                .checked_sub(1)
                .and_then(|before| self.bytes.get(before))
                .is_some_and(u8::is_ascii_alphabetic)
            && self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_alphabetic);
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let close = if inside_word || self.no_more_apostrophes {
            None
        } else {
            rest.iter().position(|&byte| byte == b'\'')
        };
        self.begin(list);
        match close {
            Some(length) => {
                list.letters.extend_from_slice(rest.get(..length).unwrap_or_default());
                list.word.quoted = true;
                self.at += length + 2;
            }
            None => {
                self.no_more_apostrophes |= !inside_word;
                list.letters.push(b'\'');
                self.at += 1;
            }
        }
    }

    /// From a quotation mark to the next one, with what is put in between.
    fn quote(&mut self, list: &mut List, depth: usize) {
        self.begin(list);
        self.at += 1;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if self.no_more_quotes || !rest.contains(&b'"') {
            self.no_more_quotes = true;
            list.letters.push(b'"');
            return;
        }
        list.word.quoted = true;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\\' => {
                    match self.bytes.get(self.at + 1) {
                        Some(b'\n') => {}
                        Some(&next @ (b'"' | b'\\' | b'$' | b'`')) => list.letters.push(next),
                        Some(&next) => list.letters.extend([b'\\', next]),
                        None => {}
                    }
                    self.at += 2;
                }
                b'$' => self.dollar(true, list, depth),
                b'`' => {
                    self.at += 1;
                    self.substitution(Kind::Output, Until::Backtick, list, depth);
                }
                _ => {
                    list.letters.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    /// `$'\x63url'`
    pub(super) fn escaped(&mut self, list: &mut List) {
        list.word.quoted = true;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\'' => return,
                b'\\' => {
                    let rest = self.bytes.get(self.at..).unwrap_or_default();
                    let (letter, length) = ansi_escape(rest);
                    list.letters.extend(letter);
                    self.at += length;
                }
                _ => list.letters.push(byte),
            }
        }
    }
}

/// `C:`, `.`, `%TEMP%`, and what goes on from there.
fn is_windows_path(start: &[u8]) -> bool {
    match start {
        [drive, b':', ..] => drive.is_ascii_alphabetic(),
        [b'.'] | [b'.', b'.'] | [b'.', b'\\', ..] | [b'.', b'.', b'\\', ..] => true,
        [b'%', .., b'%'] => true,
        [b'%', rest @ ..] => rest.contains(&b'\\'),
        _ => false,
    }
}

/// The letter behind a backslash in `$'…'`, and how long it is.
pub(super) fn ansi_escape(rest: &[u8]) -> (Option<u8>, usize) {
    let digits = |from: usize, most: usize, radix: u32| {
        let taken = rest.iter().skip(from).take(most).take_while(|&&byte| char::from(byte).is_digit(radix));
        let (mut value, mut length) = (0_u32, 0);
        for &byte in taken {
            value = value * radix + char::from(byte).to_digit(radix).unwrap_or_default();
            length += 1;
        }
        (u8::try_from(value & 255).ok(), length)
    };
    match rest.first() {
        Some(b'x') => {
            let (letter, length) = digits(1, 2, 16);
            (letter, 1 + length)
        }
        Some(b'u' | b'U') => {
            let (letter, length) = digits(1, 8, 16);
            (letter, 1 + length)
        }
        Some(b'0'..=b'7') => digits(0, 3, 8),
        Some(b'n') => (Some(b'\n'), 1),
        Some(b't') => (Some(b'\t'), 1),
        Some(&other) => (Some(other), 1),
        None => (None, 0),
    }
}
