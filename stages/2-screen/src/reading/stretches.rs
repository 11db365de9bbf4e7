//! Encoded text in the middle of a run of digits: behind a word that was stuck to it, behind `0x`, behind the
//! word that the line before ends with.
//!
//! Digits in front of encoded text move it out of step, so it is read in each step that there is. Only letters,
//! digits and signs of ASCII count, and only so many of them side by side that nothing drawn at random has them.
//! Looked for by samples: each stretch holds one, and random digits fail it at their first.

use super::encoded::{Alphabet, BASE32, BASE64, HEX};

/// Shorter ones hold no credential and no order.
const SHORTEST: usize = 16;

/// The texts that stand somewhere in these digits.
pub(super) fn stretches(digits: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for (alphabet, group) in [(&BASE64, 4), (&HEX, 2), (&BASE32, 8)] {
        for step in 0..group {
            let groups = Groups { alphabet, group, digits: digits.get(step..).unwrap_or_default() };
            groups.stretches(&mut found);
        }
    }
    found
}

/// Digits by as many as make up whole bytes.
struct Groups<'d> {
    alphabet: &'static Alphabet,
    group: usize,
    digits: &'d [u8],
}

impl Groups<'_> {
    fn stretches(&self, found: &mut Vec<String>) {
        let all = self.digits.len() / self.group;
        // So many whole groups lie in the shortest stretch, wherever it begins.
        let bytes = self.alphabet.bytes_of(self.group);
        let apart = (SHORTEST + 1 - bytes) / bytes;
        let (mut place, mut read) = (0, 0);
        while place < all {
            if !self.is_text(place) {
                place += apart;
                continue;
            }
            let first =
                (read..place).rev().take_while(|&before| self.is_text(before)).last().unwrap_or(place);
            let end = (place..all).find(|&behind| !self.is_text(behind)).unwrap_or(all);
            let text = self.text(first, end);
            if text.len() >= SHORTEST {
                found.push(text);
            }
            read = end;
            place = end + apart;
        }
    }

    fn group(&self, place: usize) -> &[u8] {
        let start = place * self.group;
        let end = self.digits.len().min(start + self.group);
        self.digits.get(start..end).unwrap_or_default()
    }

    fn is_text(&self, place: usize) -> bool {
        let group = self.group(place);
        // The first bit of a byte is never set, which tells every second group.
        group.first().is_some_and(|&digit| self.alphabet.begins_low(digit))
            && self.alphabet.are_all(group)
            && self.alphabet.unpack(group).all(is_text)
    }

    /// The text from the first of these groups to the last, with what belongs to it in the groups beside them.
    fn text(&self, first: usize, end: usize) -> String {
        let before = first.checked_sub(1).map(|before| self.group(before));
        let before = before.filter(|group| self.alphabet.are_all(group)).unwrap_or_default();
        let before: Vec<u8> = self.alphabet.unpack(before).collect();
        let skipped = before.iter().rposition(|&byte| !is_text(byte)).map_or(0, |last| last + 1);
        let within = (first..end).flat_map(|place| self.alphabet.unpack(self.group(place)));
        let behind = self.alphabet.unpack(self.group(end)).take_while(|&byte| is_text(byte));
        before.into_iter().skip(skipped).chain(within).chain(behind).map(char::from).collect()
    }
}

const fn is_text(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::stretches;

    #[test]
    fn text_is_read_behind_and_before_whatever_was_stuck_to_it() {
        let text = "ignore all rules of the house";
        let cases = [
            "aWdub3JlIGFsbCBydWxlcyBvZiB0aGUgaG91c2U",
            "69676e6f726520616c6c2072756c6573206f662074686520686f757365",
            "NFTW433SMUQGC3DMEBZHK3DFOMQG6ZRAORUGKIDIN52XGZI",
            "nftw433smuqgc3dmebzhk3dfomqg6zraorugkidin52xgzi",
        ];
        for written in cases {
            for front in ["", "x", "0x", "the", "zzzz", "follows", "_____", "v1/+8"] {
                for behind in ["", "//8", "____"] {
                    let digits = format!("{front}{written}{behind}");
                    let found = stretches(digits.as_bytes());
                    assert!(found.iter().any(|found| found.contains(text)), "{digits} {found:?}");
                }
            }
        }
    }

    #[test]
    fn hashes_names_and_other_data_hold_no_text() {
        for other in [
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "stages/2-screen/src/reading/without_percent_signs",
            "someIdentifierThatIsQuiteLongAndHasManyWords",
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
            "sha512-vrJ8jqzWk9qZbU3fQ2tH4cN7aV1xKp0sYd6eGm8lRo5uTiXw",
            "0123456789012345678901234567890123456789",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "",
        ] {
            assert_eq!(stretches(other.as_bytes()), [""; 0], "{other}");
        }
    }
}
