//! Counts the characters of bytes that come in pieces, without holding them.

/// A count of characters (Unicode scalar values), where what is no UTF-8 counts as the replacement
/// characters that it would become.
#[derive(Debug, Default)]
pub(super) struct Characters {
    count: u64,
    /// The beginning of a character whose end has not come yet: at most three bytes.
    begun: Vec<u8>,
}

impl Characters {
    /// More bytes.
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        while !self.begun.is_empty() {
            let Some((&first, rest)) = bytes.split_first() else { return };
            self.begun.push(first);
            match std::str::from_utf8(&self.begun) {
                Ok(_) => {
                    self.count += 1;
                    self.begun.clear();
                    bytes = rest;
                }
                Err(error) if error.error_len().is_none() => bytes = rest,
                // What was begun is no character, and this byte may begin the next one.
                Err(_) => {
                    self.count += 1;
                    self.begun.clear();
                }
            }
        }
        loop {
            match std::str::from_utf8(bytes) {
                Ok(text) => {
                    self.count += text.chars().count() as u64;
                    return;
                }
                Err(error) => {
                    let (valid, rest) = bytes.split_at_checked(error.valid_up_to()).unwrap_or((bytes, &[]));
                    self.count += String::from_utf8_lossy(valid).chars().count() as u64;
                    let Some(wrong) = error.error_len() else {
                        self.begun.extend_from_slice(rest);
                        return;
                    };
                    self.count += 1;
                    bytes = rest.get(wrong..).unwrap_or_default();
                }
            }
        }
    }

    /// As many NUL bytes, which nobody has to read.
    pub(super) fn push_nothing(&mut self, bytes: u64) {
        if bytes > 0 {
            self.count += bytes + u64::from(!self.begun.is_empty());
            self.begun.clear();
        }
    }

    /// How many there were.
    pub(super) fn finish(self) -> u64 {
        self.count + u64::from(!self.begun.is_empty())
    }
}

/// Where the last whole character of `bytes` ends; bytes that begin none count as whole.
pub(super) fn whole(bytes: &[u8]) -> usize {
    let start = bytes.len().saturating_sub(3);
    for at in start..bytes.len() {
        let tail = bytes.get(at..).unwrap_or_default();
        let begins = tail.first().is_some_and(|byte| *byte >= 0xC0);
        let unfinished = std::str::from_utf8(tail)
            .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none());
        if begins && unfinished {
            return at;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::{Characters, whole};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_count_like_the_whole(bytes: Vec<u8>, text: String, cuts in prop::collection::vec(0..64usize, 0..8)) {
            for bytes in [bytes, text.into_bytes()] {
                let mut characters = Characters::default();
                let mut rest = bytes.as_slice();
                for cut in &cuts {
                    let (piece, behind) = rest.split_at((*cut).min(rest.len()));
                    characters.push(piece);
                    rest = behind;
                }
                characters.push(rest);
                prop_assert_eq!(characters.finish(), String::from_utf8_lossy(&bytes).chars().count() as u64);
            }
        }

        #[test]
        fn a_cut_at_a_whole_character_changes_nothing(text: String, at: usize) {
            let bytes = text.as_bytes();
            let cut = whole(&bytes[..at % (bytes.len() + 1)]);
            prop_assert!(text.is_char_boundary(cut));
        }
    }
}
