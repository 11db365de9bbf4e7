//! `toolgate ledger report`
//!
//! Only looks at the ledger. The tree is built of the entries as they are read, so that the root in the
//! report is that of what it was made of.

use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd as _;
use std::path::Path;

use call::{Clock as _, Moment, Sha256};
use record::Entry;
use record::store::{Store, StoreError};
use rustix::fs::{Mode, OFlags};
use serde_json::{Map, Value};
use verify::checkpoint::Checkpoint;
use verify::tree::{Frontier, Hash};

use super::{books, failed};
use crate::arguments::{ReportArguments, ReportFormat};
use crate::clock::SystemClock;
use crate::commands::policy::no_books;
use crate::commands::print;
use crate::exit::Exit;
use crate::publish::{flush_names, replace_file};
use crate::report::{self, CallLine, Checked, Figures, Period, Source};
use crate::terminal::{on_terminal, reason, say_error, show_progress, wants_progress};
use crate::visible::visible_path;

/// Entries that are read at a time.
const AT_ONCE: usize = 4_096;

/// Open calls that are listed.
const MOST_OPEN: usize = 200;

pub(super) fn run(arguments: &ReportArguments) -> Exit {
    let period = match period(arguments) {
        Ok(period) => period,
        Err(message) => {
            say_error(&message, Some("a moment is written `2026-02-09T16:05:01Z`"));
            return Exit::CouldNot;
        }
    };
    match written(arguments, period) {
        Ok(text) => match &arguments.out {
            None => print::text(&text, Exit::Done),
            Some(path) => save(path, &text),
        },
        Err(exit) => exit,
    }
}

fn period(arguments: &ReportArguments) -> Result<Period, String> {
    let moment = |text: &Option<String>| {
        let parse = |text: &String| {
            text.parse::<Moment>().map_err(|error| format!("`{text}` is not a moment: {error}"))
        };
        text.as_ref().map(parse).transpose()
    };
    let (since, until) = (moment(&arguments.since)?, moment(&arguments.until)?);
    match (since, until) {
        (Some(since), Some(until)) if since >= until => {
            Err(format!("`--since` is {since}, which is not before `--until`, {until}"))
        }
        _ => Ok(Period { since, until }),
    }
}

fn written(arguments: &ReportArguments, period: Period) -> Result<String, Exit> {
    let books = books(arguments.home.as_deref())?;
    let key = books.key().map_err(|error| no_books(&error))?.public().clone();
    let mut store = books.look().map_err(|error| no_books(&error))?;
    let progress = if arguments.out.is_some() { on_terminal() } else { wants_progress() };
    let note = store.checkpoint().map_err(|error| failed(&error))?;
    let checkpoint = note.as_ref().and_then(|note| verify::checkpoint::open(note.as_bytes(), &key).ok());
    let read = Read::all(&mut *store, period, checkpoint.as_ref(), progress);
    if progress {
        show_progress("");
    }
    let Read { figures, tree, size, agrees } = read.map_err(|error| failed(&error))?;
    let open = open_calls(&mut *store, size).map_err(|error| failed(&error))?;
    let checked = match checkpoint {
        None => Checked::NotSigned,
        Some(checkpoint) if agrees => Checked::Agrees(checkpoint.size()),
        Some(checkpoint) => Checked::Differs(checkpoint.size()),
    };
    let source = Source {
        made: SystemClock.now(),
        version: env!("CARGO_PKG_VERSION"),
        size,
        root: tree.root().to_string(),
        key: key.to_string(),
        checkpoint: note.map(|note| (note, checked)),
    };
    let blocks = report::page(&figures, &open, &source);
    Ok(match arguments.format {
        ReportFormat::Html => report::html(&blocks),
        ReportFormat::Markdown => report::markdown(&blocks),
    })
}

/// All entries, read once.
struct Read {
    figures: Figures,
    tree: Frontier,
    size: u64,
    /// Whether the tree had the root of the checkpoint when it had its size.
    agrees: bool,
}

impl Read {
    fn all(
        store: &mut dyn Store,
        period: Period,
        checkpoint: Option<&Checkpoint>,
        progress: bool,
    ) -> Result<Self, StoreError> {
        let size = store.size()?;
        let mut read = Self { figures: Figures::new(period), tree: Frontier::default(), size, agrees: false };
        read.compare(checkpoint);
        let mut next = 0;
        while next < size {
            let mut entries = store.read(next, AT_ONCE)?;
            // What came after the reading began is for the next report.
            entries.retain(|entry| entry.place < size);
            let Some(last) = entries.last().map(|entry| entry.place) else { break };
            for entry in &entries {
                read.take(store, entry, checkpoint);
            }
            next = last + 1;
            if progress {
                show_progress(&format!("{next} of {size} entries"));
            }
        }
        let n_read = read.tree.size();
        read.figures.miss(size.saturating_sub(n_read));
        Ok(read)
    }

    fn take(&mut self, store: &mut dyn Store, entry: &Entry, checkpoint: Option<&Checkpoint>) {
        self.figures.take(entry, &mut |digest| content(store, digest));
        self.tree.push(Hash::of_leaf(&entry.leaf));
        self.compare(checkpoint);
    }

    fn compare(&mut self, checkpoint: Option<&Checkpoint>) {
        let compared = checkpoint.filter(|checkpoint| checkpoint.size() == self.tree.size());
        if let Some(checkpoint) = compared {
            self.agrees = checkpoint.root() == self.tree.root();
        }
    }
}

/// What was moved out of an entry, if it is still kept and is what the entry names.
fn content(store: &mut dyn Store, digest: &str) -> Option<Map<String, Value>> {
    let digest: Sha256 = digest.parse().ok()?;
    let bytes = store.blob(digest).ok()??;
    if Sha256::of(&bytes) != digest {
        return None;
    }
    serde_json::from_slice(&bytes).ok()
}

/// The newest calls without an end among the first `size` entries.
fn open_calls(store: &mut dyn Store, size: u64) -> Result<Vec<CallLine>, StoreError> {
    let mut open = Vec::new();
    // Names of calls begin with their time.
    for call in store.open_calls()?.into_iter().rev() {
        if open.len() == MOST_OPEN {
            break;
        }
        let mut entries = store.of_call(call)?;
        entries.retain(|entry| entry.place < size);
        open.extend(CallLine::open(&entries));
    }
    Ok(open)
}

/// Puts the report in its place, whole or not at all.
fn save(path: &Path, text: &str) -> Exit {
    let saved =
        path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory)).and_then(|name| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            save_in(folder.unwrap_or(Path::new(".")), name, text)
        });
    match saved {
        Ok(()) => print::text(&format!("{}\n", visible_path(path)), Exit::Done),
        Err(error) => {
            let message = format!("`{}`: {}", path.to_string_lossy(), reason(&error));
            say_error(&message, Some("`--out` names a new file, or an ordinary one that is replaced"));
            Exit::CouldNot
        }
    }
}

fn save_in(folder: &Path, name: &OsStr, text: &str) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::open(folder, flags, Mode::empty())?;
    // A report says as much as the ledger, which nobody else can read either.
    replace_file(folder.as_fd(), name, text.as_bytes(), Mode::RUSR | Mode::WUSR)?;
    flush_names(folder.as_fd())
}
