//! `search_files`: the lines that match, of files that may be looked at.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::Read;

use call::{Content, Done, Errand, Fault, FileKind, RiskFlag};
use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkFinish, SinkMatch};
use serde_json::{Value, json};

use super::list::{MOST_RESULTS, RESULTS, glob, with_missed};
use super::patience::Patience;
use super::target::{self, not_opened};
use super::walk::{Found, Missed, Tree, Visitor};
use super::{Files, arguments, counted};
use crate::key_block;
use crate::place::{Below, Locator};

/// As large as stage 1 takes patterns to be.
const PATTERN_SIZE: usize = 1 << 20;

/// Bytes of one line that are held at once. A file with longer ones is not searched to its end.
const LONGEST_LINE: usize = 16 << 20;

/// Bytes of one line that are shown. A longer one is named and not cut, because the cut could go through a
/// secret.
const SHOWN_LINE: usize = 64 * 1024;

/// Bytes of all lines together that each thread holds.
const HELD: usize = 8 << 20;

impl Files {
    /// Searches the files below a folder, or one file, for a regular expression.
    ///
    /// Binary files are passed over. What is found is in order of file and line.
    ///
    /// # Errors
    /// When the pattern cannot be searched for, or the folder is not the one that was decided about.
    pub fn search_files(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let search: arguments::Search = arguments::take(errand.arguments)?;
        let decided = target::read_path(errand.effects)?;
        let given = decided.given.as_str();
        let opened = target::open(&self.locator, decided)?;
        let matcher = matcher(&search.pattern)?;
        let most = search.max_results.unwrap_or(RESULTS).min(MOST_RESULTS) as usize;
        let patience = Patience::of(errand);
        let artifacts = vec![opened.path().to_string()];
        if opened.kind() == FileKind::File {
            let mut hits = Hits::new(&self.locator, None, &matcher, most, patience);
            let mut file = target::content(&opened, given)?;
            hits.search(&mut file, given)?;
            return Ok(Done { artifacts, ..summed_up(vec![hits], most, given, Missed::default()) });
        }
        let (below, folder) = self.locator.below(&opened).map_err(|error| not_opened(given, error))?;
        let tree = Tree {
            locator: &self.locator,
            below: &below,
            path: opened.path(),
            given,
            glob: search.glob.as_deref().map(glob).transpose()?,
            errand,
            patience,
        };
        let ground = Some((&below, opened.path()));
        let hits = || Hits::new(&self.locator, ground, &matcher, most, patience);
        let (visitors, missed) = tree.walk(folder, hits)?;
        Ok(Done { artifacts, ..summed_up(visitors, most, given, missed) })
    }
}

fn summed_up(visitors: Vec<Hits<'_>>, most: usize, given: &str, missed: Missed) -> Done {
    let count: u64 = visitors.iter().map(|hits| hits.count).sum();
    let files: u64 = visitors.iter().map(|hits| hits.files).sum();
    let unsearched: u64 = visitors.iter().map(|hits| hits.unsearched).sum();
    let binary: u64 = visitors.iter().map(|hits| hits.binary).sum();
    let mut all: Vec<Hit> = visitors.into_iter().flat_map(|hits| hits.first.into_vec()).collect();
    all.sort_unstable();
    all.truncate(most);
    let mut summary =
        format!("{} of {} below `{given}` match", counted(count, "line"), counted(files, "file"));
    if all.len() as u64 != count {
        summary.push_str(&format!(", of which these are the first {}", all.len()));
    }
    if binary > 0 {
        summary.push_str(&format!("; {} passed over", counted(binary, "binary file")));
    }
    if unsearched > 0 {
        summary.push_str(&format!("; {} could not be searched to the end", counted(unsearched, "file")));
    }
    let is_masked = all.iter().any(|hit| hit.is_masked);
    let hits = all.into_iter().map(|hit| json!({"file": hit.file, "line": hit.line, "text": hit.text}));
    Done {
        summary: with_missed(summary, missed),
        content: Content::Data(Value::Array(hits.collect())),
        untrusted: true,
        flags: is_masked.then_some(RiskFlag::SECRET_REDACTED).into_iter().collect(),
        ..Done::default()
    }
}

fn matcher(pattern: &str) -> Result<RegexMatcher, Fault> {
    RegexMatcherBuilder::new()
        .multi_line(true)
        .crlf(true)
        .size_limit(PATTERN_SIZE)
        .dfa_size_limit(PATTERN_SIZE)
        .nest_limit(50)
        .build(pattern)
        .map_err(|error| Fault::Failed {
            class: "bad_arguments",
            message: format!("`pattern` cannot be searched for: {error}"),
            remedy: Some("write a regular expression that matches within one line".to_owned()),
        })
}

/// One line that matches.
#[derive(Debug, PartialEq, Eq)]
struct Hit {
    file: String,
    line: u64,
    text: String,
    /// Whether the text stands for a line of a private key.
    is_masked: bool,
}

impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.file, self.line).cmp(&(&other.file, other.line))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The first lines that were found, and how many there were.
struct Hits<'a> {
    locator: &'a Locator,
    /// The ground that is walked, and the path of its folder.
    ground: Option<(&'a Below<'a>, &'a call::AbsolutePath)>,
    matcher: &'a RegexMatcher,
    searcher: Searcher,
    patience: Patience<'a>,
    most: usize,
    first: BinaryHeap<Hit>,
    held: usize,
    count: u64,
    files: u64,
    unsearched: u64,
    binary: u64,
}

impl<'a> Hits<'a> {
    fn new(
        locator: &'a Locator,
        ground: Option<(&'a Below<'a>, &'a call::AbsolutePath)>,
        matcher: &'a RegexMatcher,
        most: usize,
        patience: Patience<'a>,
    ) -> Self {
        let searcher = SearcherBuilder::new()
            .binary_detection(BinaryDetection::quit(0))
            .line_number(true)
            .line_terminator(LineTerminator::crlf())
            .heap_limit(Some(LONGEST_LINE))
            .build();
        Self {
            locator,
            ground,
            matcher,
            searcher,
            patience,
            most,
            first: BinaryHeap::new(),
            held: 0,
            count: 0,
            files: 0,
            unsearched: 0,
            binary: 0,
        }
    }

    fn search(&mut self, file: &mut File, name: &str) -> Result<(), Fault> {
        let mut stopped = None;
        let mut lines = Lines { most: self.most, found: Vec::new(), count: 0, is_binary: false };
        let watched = Watched { file, patience: self.patience, stopped: &mut stopped };
        let searched = self.searcher.search_reader(self.matcher, watched, &mut lines);
        if let Some(fault) = stopped {
            return Err(fault);
        }
        if searched.is_err() {
            self.unsearched += 1;
        }
        self.binary += u64::from(lines.is_binary);
        if lines.is_binary || lines.found.is_empty() {
            return Ok(());
        }
        let mut keys = Vec::new();
        if lines.found.iter().any(|(_, text)| key_block::is_suspect(text)) {
            // What cannot be looked at again is not shown at all.
            let all = 0..u64::MAX;
            keys = key_block::lines_of(file).unwrap_or_else(|_| vec![all]);
        }
        self.files += 1;
        self.count += lines.count;
        for (line, text) in lines.found {
            let is_masked = keys.iter().any(|range| range.contains(&line));
            let text = if is_masked { key_block::MASK.to_owned() } else { text };
            self.keep(Hit { file: name.to_owned(), line, text, is_masked });
        }
        Ok(())
    }

    fn keep(&mut self, hit: Hit) {
        self.held += hit.text.len();
        self.first.push(hit);
        while self.first.len() > self.most || self.held > HELD {
            let Some(last) = self.first.pop() else { return };
            self.held -= last.text.len();
        }
    }
}

impl Visitor for Hits<'_> {
    fn visit(&mut self, found: &Found<'_>) -> Result<(), Fault> {
        let Some((below, path)) = self.ground else { return Ok(()) };
        let opened = match &found.link {
            None => below.open(found.folder, found.name),
            // What lies on the ground itself is met under its own name, and folders are not gone into.
            Some(link) if link.kind != FileKind::File || link.path.is_within(path) => return Ok(()),
            Some(link) => {
                let opened = self.locator.open(link.path.as_str()).ok();
                let opened = opened.filter(|opened| *opened.path() == link.path);
                Ok(opened.and_then(|opened| opened.read().ok()))
            }
        };
        match opened {
            Ok(Some(mut file)) => self.search(&mut file, found.relative),
            Ok(None) => Ok(()),
            Err(_) => {
                self.unsearched += 1;
                Ok(())
            }
        }
    }
}

/// The lines of one file that match.
struct Lines {
    most: usize,
    found: Vec<(u64, String)>,
    count: u64,
    is_binary: bool,
}

impl Sink for Lines {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        self.count += 1;
        if self.found.len() < self.most {
            let bytes = without_end(found.bytes());
            let text = if bytes.len() > SHOWN_LINE {
                format!("[a line of {} bytes, too long to be shown]", bytes.len())
            } else {
                String::from_utf8_lossy(bytes).into_owned()
            };
            self.found.push((found.line_number().unwrap_or(0), text));
        }
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, finish: &SinkFinish) -> Result<(), Self::Error> {
        self.is_binary = finish.binary_byte_offset().is_some();
        Ok(())
    }
}

/// A line without the LF or CR LF at its end.
fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A file that nobody reads on when the call is to stop.
struct Watched<'f, 'a> {
    file: &'f File,
    patience: Patience<'a>,
    stopped: &'f mut Option<Fault>,
}

impl Read for Watched<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.patience.check() {
            Ok(()) => self.file.read(buffer),
            Err(fault) => {
                *self.stopped = Some(fault);
                Err(std::io::Error::other("stopped"))
            }
        }
    }
}
