//! `toolgate screen`: what does a text carry?

use std::io::Read as _;

use call::{Contraband, Family, Places};
use serde::Serialize;

use super::print;
use crate::arguments::{Format, ScreenArguments};
use crate::exit::Exit;
use crate::terminal::{reason, say, say_error};
use crate::visible::visible;

/// Bytes that are read.
const LARGEST: u64 = 64 * 1024 * 1024;

#[derive(Serialize)]
struct Answer {
    path: String,
    findings: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    family: &'static str,
    kind: &'static str,
    line: usize,
    column: usize,
    start: usize,
    end: usize,
}

pub(crate) fn run(arguments: &ScreenArguments) -> Exit {
    let path = arguments.file.to_string_lossy().into_owned();
    let bytes = match read(arguments) {
        Ok(bytes) => bytes,
        Err(error) => {
            say_error(&format!("`{path}`: {}", reason(&error)), None);
            return Exit::CouldNot;
        }
    };
    // What is not UTF-8 is screened as far as it is text: an attack in a log is an attack.
    if let Err(error) = std::str::from_utf8(&bytes) {
        let (path, offset) = (visible(&path), error.valid_up_to());
        say(&format!(
            "note: `{path}` is not UTF-8 from byte {offset} on; each bad byte counts as `\u{fffd}`"
        ));
    }
    let text = String::from_utf8_lossy(&bytes);
    let found = screen::labels(&text);
    let exit = if found.is_empty() { Exit::Done } else { Exit::Refused };
    let mut places = Places::of(&text);
    let findings: Vec<Found> = found.iter().map(|found| placed(found, &mut places)).collect();
    match arguments.format {
        Format::Json => print::json(&Answer { path, findings }, exit),
        Format::Text => {
            let lines = findings.iter().map(|found| {
                let Found { line, column, family, kind, .. } = found;
                format!("{}:{line}:{column}: {family}: {}\n", visible(&path), kind.replace('_', " "))
            });
            print::text(&lines.collect::<String>(), exit)
        }
    }
}

fn read(arguments: &ScreenArguments) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if arguments.file.as_os_str() == "-" {
        std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)?;
    } else {
        let file = std::fs::File::open(&arguments.file)?;
        if !file.metadata()?.is_file() {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not an ordinary file"));
        }
        file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > LARGEST {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "larger than 64 MiB"));
    }
    Ok(bytes)
}

fn placed(found: &Contraband, places: &mut Places<'_>) -> Found {
    let place = places.place(found.span.start);
    let family = match found.family {
        Family::Secret => "secret",
        Family::Override => "override",
        Family::Payload => "payload",
        Family::Injection => "injection",
        Family::Traversal => "traversal",
        Family::Exfiltration => "exfiltration",
    };
    let (start, end) = (found.span.start, found.span.end);
    Found { family, kind: found.kind, line: place.line, column: place.column, start, end }
}
