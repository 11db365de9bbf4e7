//! Looks for a value in everything that was left behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use data_encoding::{BASE64_NOPAD, HEXLOWER, HEXUPPER};

/// The value as it could have been written: plain, in hexadecimal, and in base64 at each of its offsets.
pub(super) fn spellings(value: &str) -> Vec<Vec<u8>> {
    let mut all = vec![value.as_bytes().to_vec()];
    all.extend(
        [HEXLOWER.encode(value.as_bytes()), HEXUPPER.encode(value.as_bytes())].map(String::into_bytes),
    );
    for offset in 0..3 {
        let padded = [vec![0; offset], value.as_bytes().to_vec()].concat();
        let encoded = BASE64_NOPAD.encode(&padded).into_bytes();
        // The first and the last letters also depend on what stands around the value.
        let first = (offset * 8).div_ceil(6);
        let last = encoded.len().saturating_sub(usize::from(padded.len() % 3 != 0));
        all.extend(encoded.get(first..last).map(<[u8]>::to_vec));
    }
    all
}

/// Whether any of the spellings is in there.
pub(super) fn holds(bytes: &[u8], spellings: &[Vec<u8>]) -> bool {
    spellings.iter().any(|spelling| bytes.windows(spelling.len()).any(|window| window == spelling))
}

/// All files below a folder.
pub(super) fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use data_encoding::{BASE64, HEXUPPER};

    use super::{holds, spellings};

    #[test]
    fn a_value_is_found_however_it_was_written_and_nothing_else_is() {
        let value = "demo-3f9a51";
        let spellings = spellings(value);
        for before in ["", "a", "ab", "abc"] {
            let text = format!("{before}{value}{before}");
            assert!(holds(text.as_bytes(), &spellings), "{text}");
            assert!(holds(BASE64.encode(text.as_bytes()).as_bytes(), &spellings), "{text} in base64");
            assert!(holds(HEXUPPER.encode(text.as_bytes()).as_bytes(), &spellings), "{text} in hex");
        }
        for other in ["", "demo-3f9a5", "demo-3f9a52", "ZGVtby0zZjliNTE="] {
            assert!(!holds(other.as_bytes(), &spellings), "{other}");
        }
    }
}
