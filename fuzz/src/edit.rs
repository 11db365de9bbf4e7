//! Edits of a valid document, read from the fuzzer's bytes.
//!
//! Random bytes almost never get past the front matter. A few edited lines of a document that is
//! otherwise right reach every rule behind it.

/// `document` after the edits that `script` describes.
///
/// The script is a row of edits, each a line number, an operation, a length, and as many bytes of
/// text. Numbers wrap around, so every script means something.
#[must_use]
pub fn edited(document: &str, script: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = document.lines().map(|line| line.as_bytes().to_vec()).collect();
    let mut rest = script;
    while let [line, operation, length, tail @ ..] = rest {
        let (text, after) = tail.split_at(usize::from(*length).min(tail.len()));
        rest = after;
        let at = usize::from(*line) % lines.len().max(1);
        match operation % 8 {
            0 => lines.insert(at, text.to_vec()),
            1 if at < lines.len() => lines[at] = text.to_vec(),
            2 if at < lines.len() => drop(lines.remove(at)),
            3 if at < lines.len() => lines.insert(at, lines[at].clone()),
            4 if at < lines.len() => lines[at].extend_from_slice(text),
            5 if at < lines.len() => value_becomes(&mut lines[at], text),
            6 if at < lines.len() => {
                let other = text.first().map_or(0, |&byte| usize::from(byte) % lines.len());
                lines.swap(at, other);
            }
            _ => lines.push(text.to_vec()),
        }
    }
    lines.join(&b'\n')
}

/// Keeps `key: ` of a line and replaces what follows.
fn value_becomes(line: &mut Vec<u8>, text: &[u8]) {
    if let Some(colon) = line.iter().position(|&byte| byte == b':') {
        line.truncate(colon + 1);
        line.push(b' ');
    }
    line.extend_from_slice(text);
}
