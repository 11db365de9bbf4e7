//! `read_file`: the lines that were asked for, in constant memory.
//!
//! A file is read from one descriptor, once and forwards. What will be shown is held, with some more around
//! it so that secrets are recognised that lie across an edge; what comes behind is counted and not held.
//! Stage 6 takes the secrets out, cuts what was asked for out of the rest, and says how much is missing.

use std::fs::File;
use std::io::Read as _;

use call::{Content, Done, Errand, Excerpt, Fault, Span};
use rustix::fs::SeekFrom;

use super::characters::{Characters, whole};
use super::patience::Patience;
use super::seen::room_for;
use super::target::{self, unreadable};
use super::{Files, arguments, counted};
use crate::place::Extent;

/// Bytes before and behind what was asked for, for whoever looks for secrets. The longest private keys in
/// use have some 13 KB.
const AROUND: usize = 32 * 1024;

/// Bytes that are counted one by one. What a larger file has behind them is counted as one character a byte.
const COUNTED: u64 = 2 << 30;

/// Says that what is left out was in part counted by its bytes.
const ABOUT: &str = "left_out_is_counted_in_bytes";

impl Files {
    /// Reads a file, or some of its lines.
    ///
    /// # Errors
    /// When it is not what was decided about, or cannot be read.
    pub fn read_file(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let given: arguments::Read = arguments::take(errand.arguments)?;
        let decided = target::read_path(errand.effects)?;
        let (path, file) = target::open_to_read(&self.locator, decided)?;
        let (file, extent) = file.ok_or_else(|| target::not_found(&decided.given))?;
        let first = u64::from(given.offset.unwrap_or(1).max(1));
        let most = errand.walls.max_file_chars.saturating_mul(4).saturating_add(4 * AROUND);
        let lines = Lines { first, behind: given.limit.map(|limit| first.saturating_add(limit.into())) };
        let taken = Reader::new(file, extent, lines, most).run(&decided.given, Patience::of(errand))?;
        Ok(taken.into_done(&decided.given, path.as_str(), first))
    }
}

/// The lines that were asked for, counted from 1.
#[derive(Clone, Copy)]
struct Lines {
    first: u64,
    /// The first line that was not.
    behind: Option<u64>,
}

/// Reading under way.
struct Reader {
    file: File,
    extent: Extent,
    lines: Lines,
    /// Bytes to be held of what was asked for.
    most: usize,
    /// The line that the next byte stands on.
    line: u64,
    lead: Vec<u8>,
    kept: Vec<u8>,
    trail: Vec<u8>,
    left_out: Option<Characters>,
    /// Bytes that were read or skipped.
    at: u64,
    about: u64,
    ends_with_line: bool,
}

/// What was read.
struct Taken {
    text: String,
    excerpt: Excerpt,
    lines: u64,
    about: bool,
}

/// Where a byte belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Before,
    Asked,
    Behind,
}

impl Reader {
    const fn new(file: File, extent: Extent, lines: Lines, most: usize) -> Self {
        Self {
            file,
            extent,
            lines,
            most,
            line: 1,
            lead: Vec::new(),
            kept: Vec::new(),
            trail: Vec::new(),
            left_out: None,
            at: 0,
            about: 0,
            ends_with_line: true,
        }
    }

    fn run(mut self, given: &str, patience: Patience<'_>) -> Result<Taken, Fault> {
        let failed = |error: std::io::Error| unreadable(given, &error);
        let Extent { size, is_sparse } = self.extent;
        let mut chunk = vec![0; room_for(size)];
        while !self.has_all() {
            patience.check()?;
            if is_sparse && self.holds_enough() && self.skip_hole(size).map_err(failed)? {
                continue;
            }
            if self.left_out.is_some() && self.at >= size.min(COUNTED) {
                // What somebody adds meanwhile is not run after.
                self.about = size.saturating_sub(self.at);
                break;
            }
            match self.file.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => {
                    self.take(chunk.get(..read).unwrap_or_default());
                    // There was room for more than the whole file, and no more came.
                    if self.at == size && read < chunk.len() {
                        break;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(self.finish())
    }

    fn part(&self) -> Part {
        if self.line < self.lines.first {
            Part::Before
        } else if self.lines.behind.is_some_and(|behind| self.line >= behind) {
            Part::Behind
        } else {
            Part::Asked
        }
    }

    fn has_all(&self) -> bool {
        self.part() == Part::Behind && (self.left_out.is_some() || self.trail.len() >= AROUND)
    }

    /// Whether what comes next is only passed over or counted.
    fn holds_enough(&self) -> bool {
        match self.part() {
            Part::Before => self.lead.len() >= AROUND,
            Part::Asked => self.left_out.is_some(),
            Part::Behind => false,
        }
    }

    /// Passes over a hole, which reads as NUL bytes: characters all of them, and no ends of lines.
    fn skip_hole(&mut self, size: u64) -> Result<bool, std::io::Error> {
        let data = match rustix::fs::seek(&self.file, SeekFrom::Data(self.at)) {
            Ok(data) => data.min(size),
            Err(rustix::io::Errno::NXIO) => size,
            // A disk that knows no holes.
            Err(_) => self.at,
        };
        rustix::fs::seek(&self.file, SeekFrom::Start(data))?;
        let hole = data.saturating_sub(self.at);
        if hole == 0 {
            return Ok(false);
        }
        if let Some(left_out) = self.left_out.as_mut() {
            left_out.push_nothing(hole);
        } else {
            self.lead = vec![0; AROUND];
        }
        self.at = data;
        self.ends_with_line = false;
        Ok(true)
    }

    fn take(&mut self, mut bytes: &[u8]) {
        self.at += bytes.len() as u64;
        if let Some(last) = bytes.last() {
            self.ends_with_line = *last == b'\n';
        }
        while !bytes.is_empty() {
            let part = self.part();
            // As far as the part goes: up to the line that ends it, or all of it.
            let lines = match part {
                Part::Before => self.lines.first - self.line,
                Part::Asked => self.lines.behind.map_or(u64::MAX, |behind| behind - self.line),
                Part::Behind => u64::MAX,
            };
            let (length, ended) = line_ends(bytes, lines);
            self.line += ended;
            let (piece, rest) = bytes.split_at_checked(length).unwrap_or((bytes, &[]));
            match part {
                Part::Before => keep_last(&mut self.lead, piece),
                Part::Asked => self.keep(piece),
                Part::Behind => {
                    let room = AROUND.saturating_sub(self.trail.len());
                    self.trail.extend(piece.iter().take(room));
                }
            }
            bytes = rest;
        }
    }

    fn keep(&mut self, piece: &[u8]) {
        if let Some(left_out) = self.left_out.as_mut() {
            return left_out.push(piece);
        }
        let room = self.most.saturating_sub(self.kept.len());
        if piece.len() <= room {
            return self.kept.extend_from_slice(piece);
        }
        let (fits, rest) = piece.split_at_checked(room).unwrap_or((piece, &[]));
        self.kept.extend_from_slice(fits);
        let cut = self.kept.split_off(whole(&self.kept));
        let mut left_out = Characters::default();
        left_out.push(&cut);
        left_out.push(rest);
        self.left_out = Some(left_out);
    }

    fn finish(self) -> Taken {
        let lead_start = self.lead.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
        let lead = self.lead.get(lead_start..).unwrap_or_default();
        let (mut text, start) = if lead.is_empty() {
            (lossy(self.kept), 0)
        } else {
            let mut text = lossy(lead.to_vec());
            let start = text.len();
            text.push_str(&lossy(self.kept));
            (text, start)
        };
        let end = text.len();
        text.push_str(&lossy(self.trail.get(..whole(&self.trail)).unwrap_or_default().to_vec()));
        let left_out = self.left_out.map_or(0, Characters::finish) + self.about;
        let lines = self.line - u64::from(self.ends_with_line);
        Taken {
            text,
            excerpt: Excerpt { span: Span::new(start, end), left_out },
            lines,
            about: self.about > 0,
        }
    }
}

impl Taken {
    fn into_done(self, given: &str, path: &str, first: u64) -> Done {
        let shown = self.excerpt.span.of(&self.text).unwrap_or_default();
        let characters = shown.chars().count() as u64 + self.excerpt.left_out;
        let summary = if characters == 0 && first > 1 {
            format!("`{given}` has {}, and so nothing from line {first} on", counted(self.lines, "line"))
        } else if first > 1 {
            format!("{} of `{given}`, from line {first} on", counted(characters, "character"))
        } else {
            format!("{} of `{given}`", counted(characters, "character"))
        };
        Done {
            summary,
            excerpt: Some(self.excerpt),
            content: Content::Text(self.text),
            artifacts: vec![path.to_owned()],
            untrusted: true,
            labels: self.about.then(|| ABOUT.to_owned()).into_iter().collect(),
            ..Done::default()
        }
    }
}

/// How many bytes there are up to the end of as many lines, and how many lines end in them.
fn line_ends(bytes: &[u8], lines: u64) -> (usize, u64) {
    let mut ended = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        ended += 1;
        if ended == lines {
            return (end + 1, ended);
        }
    }
    (bytes.len(), ended)
}

/// Keeps the last of what came by.
fn keep_last(held: &mut Vec<u8>, piece: &[u8]) {
    let piece = piece.get(piece.len().saturating_sub(AROUND)..).unwrap_or_default();
    let surplus = (held.len() + piece.len()).saturating_sub(AROUND).min(held.len());
    held.drain(..surplus);
    held.extend_from_slice(piece);
}

/// Nearly all files are text, which is told much quicker than what is text of them.
fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|not| String::from_utf8_lossy(not.as_bytes()).into_owned())
}
