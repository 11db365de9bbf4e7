//! The file with signatures beside a document: `<id>.sig`.
//!
//! One line for each answer: a JSON object with the record as it was signed, byte for byte, and OpenSSH's
//! armoured signature of it. Whoever wants to check one by hand writes the record to a file and asks
//! `ssh-keygen -Y verify -n toolgate-approval@v1`.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::os::fd::BorrowedFd;

use approve::Signed;
use rustix::fs::Mode;
use serde::{Deserialize, Serialize};

use crate::publish::{flush_names, replace_file};
use crate::read::{Opened, Unreadable};

/// Bytes of the largest file: many answers of many pages.
const LARGEST: u64 = 64 * 1024 * 1024;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    record: String,
    signature: String,
}

/// Why the signatures cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadSignatures {
    #[error("{0}")]
    Unreadable(#[from] Unreadable),
    #[error("larger than any file of signatures")]
    TooLarge,
    #[error("line {0} is no answer")]
    Line(usize),
}

/// The answers in a file of signatures; none when there is no such file.
pub(crate) fn read(folder: BorrowedFd<'_>, name: &OsStr) -> Result<Vec<Signed>, BadSignatures> {
    let opened = match Opened::open_in(folder, name) {
        Ok(opened) => opened,
        Err(why) if why.is_gone() => return Ok(Vec::new()),
        Err(why) => return Err(why.into()),
    };
    let mut bytes = Vec::new();
    let file = opened.rewound().map_err(Unreadable::System)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(Unreadable::System)?;
    if bytes.len() as u64 > LARGEST {
        return Err(BadSignatures::TooLarge);
    }
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    lines
        .map(|(number, line)| {
            let line: Line = serde_json::from_slice(line).map_err(|_| BadSignatures::Line(number + 1))?;
            Ok(Signed { text: line.record.into_bytes(), signature: line.signature })
        })
        .collect()
}

/// Writes the answers, in place of those that are there.
pub(crate) fn write(folder: BorrowedFd<'_>, name: &OsStr, all: &[Signed]) -> io::Result<()> {
    let mut text = String::new();
    for Signed { text: record, signature } in all {
        let record = String::from_utf8(record.clone()).map_err(io::Error::other)?;
        let line = Line { record, signature: signature.clone() };
        text.push_str(&serde_json::to_string(&line).map_err(io::Error::other)?);
        text.push('\n');
    }
    replace_file(folder, name, text.as_bytes(), Mode::from_raw_mode(0o644))?;
    flush_names(folder)
}
