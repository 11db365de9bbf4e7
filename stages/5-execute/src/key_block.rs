//! Lines of private keys, which do not look like secrets once they stand alone.
//!
//! Stage 6 finds a private key by the lines around it. A search, a difference or the last words of a program
//! are lines without what is around them, so here those inside of a key are masked before they are shown.
//! Whoever masks one says so, because nobody can tell afterwards: by [`RiskFlag::SECRET_REDACTED`].
//!
//! [`RiskFlag::SECRET_REDACTED`]: call::RiskFlag::SECRET_REDACTED

use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _};
use std::ops::Range;

/// What stands in the place of such a line, in the words of stage 6.
pub(crate) const MASK: &str = "<REDACTED:private_key>";

/// Lines that a key without an end may have.
const LONGEST: u64 = 2_000;

/// How much of a line is looked at.
const HEAD: usize = 256;

/// Follows a text line by line, and knows whether it is inside of a key.
#[derive(Debug, Default)]
struct Follower {
    inside: Option<u64>,
}

impl Follower {
    /// Whether the next line is one that only a key has.
    fn is_inside(&mut self, line: &[u8]) -> bool {
        let has = |word: &[u8]| memchr::memmem::find(line, word).is_some();
        match self.inside {
            Some(_) if has(b"-----END ") || has(b"Private-MAC:") => {
                self.inside = None;
                false
            }
            Some(left) => {
                self.inside = left.checked_sub(1);
                true
            }
            None => {
                let begins = has(b"-----BEGIN ") && has(b"PRIVATE KEY") || has(b"PuTTY-User-Key-File-");
                self.inside = (begins && !has(b"-----END ")).then_some(LONGEST);
                false
            }
        }
    }
}

/// Whether a line could be one of a key: nothing else is worth a second look at its file.
pub(crate) fn is_suspect(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 16
        && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=-_\"',\\".contains(&byte))
}

/// The lines of a file that are inside of a key, counted from 1.
pub(crate) fn lines_of(file: &mut File) -> Result<Vec<Range<u64>>, std::io::Error> {
    file.rewind()?;
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    let mut follower = Follower::default();
    let mut found: Vec<Range<u64>> = Vec::new();
    let mut head: Vec<u8> = Vec::new();
    let mut line = 1;
    loop {
        let bytes = reader.fill_buf()?;
        let is_over = bytes.is_empty();
        let end = memchr::memchr(b'\n', bytes);
        let length = end.map_or(bytes.len(), |end| end + 1);
        head.extend(bytes.iter().take(length.min(HEAD.saturating_sub(head.len()))));
        reader.consume(length);
        // The last line need not have an end.
        if end.is_some() || is_over {
            if follower.is_inside(&head) {
                match found.last_mut() {
                    Some(last) if last.end == line => last.end += 1,
                    _ => found.push(line..line + 1),
                }
            }
            head.clear();
            line += 1;
        }
        if is_over {
            return Ok(found);
        }
    }
}

/// The same text with such lines masked.
pub(crate) fn masked(text: &str) -> String {
    let mut follower = Follower::default();
    let mut masked = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if follower.is_inside(line.as_bytes()) {
            let end = if line.ends_with("\r\n") {
                "\r\n"
            } else if line.ends_with('\n') {
                "\n"
            } else {
                ""
            };
            masked.extend([MASK, end]);
        } else {
            masked.push_str(line);
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn only_lines_inside_of_a_private_key_are_masked() {
        let begin = ["-----BEGIN RSA PRIVATE", " KEY-----"].concat();
        let end = ["-----END RSA PRIVATE", " KEY-----"].concat();
        let cases = [
            ("a\nb\n".to_owned(), "a\nb\n".to_owned()),
            (format!("x\n{begin}\nMIIabc\nMIIdef\n{end}\ny"), format!("x\n{begin}\n@\n@\n{end}\ny")),
            (format!("{begin}\r\nMIIabc\r\n{end}\r\n"), format!("{begin}\r\n@\r\n{end}\r\n")),
            (format!("{begin}\nMIIabc"), format!("{begin}\n@")),
            (format!("{begin}MII{end}\nnext\n"), format!("{begin}MII{end}\nnext\n")),
            (
                "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n".to_owned(),
                "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n".to_owned(),
            ),
        ];
        for (text, want) in cases {
            assert_eq!(masked(&text), want.replace('@', super::MASK), "{text}");
        }
    }
}
