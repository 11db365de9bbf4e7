//! `toolgate ledger export`
//!
//! What is written is decided in `record::export`; here are the files. Entries are read in batches and go
//! out as they come, so that a ledger of any length needs the same memory.

mod days;
mod folder;
mod tiles;

use call::{Clock as _, Moment};
use record::export::{NotEvent, Record, otlp, tiles::NotLaid};
use record::store::{Store, StoreError};

use self::days::Days;
use self::folder::{Folder, NotPlaced};
use super::books;
use crate::arguments::{ExportArguments, ExportFormat};
use crate::clock::SystemClock;
use crate::commands::print;
use crate::exit::Exit;
use crate::home::{Books, NoBooks};
use crate::terminal::{on_terminal, say_error, show_progress};
use crate::visible::visible_path;

/// Entries that are read at a time.
const AT_ONCE: usize = 1_000;

/// What an export came to.
struct Exported {
    /// Events or entries.
    things: u64,
    /// Files that are there now.
    files: u64,
}

/// Why there is no export.
#[derive(Debug, thiserror::Error)]
enum NotExported {
    #[error(transparent)]
    Books(#[from] NoBooks),
    #[error(transparent)]
    Folder(#[from] NotPlaced),
    #[error(transparent)]
    NotEvent(#[from] NotEvent),
    #[error(transparent)]
    NotLaid(#[from] NotLaid),
    #[error("tiles are the whole log, and a part of it could not be checked")]
    PartOfTiles,
    #[error("`{text}` is not a moment: {source}")]
    Moment { text: String, source: call::BadMoment },
    #[error("the entries do not have the root that was signed: the ledger is damaged")]
    OtherRoot,
    #[error("`{path}` is an export of another log: {why}")]
    OtherLog { path: String, why: String },
    #[error(
        "`{path}` has {old} entries and the ledger has {new}: the ledger was cut or put back since it was exported"
    )]
    Truncated { path: String, old: u64, new: u64 },
    #[error("`{path}` has other entries than the ledger: one of the two was changed since it was exported")]
    Forked { path: String },
    #[error("`{0}` has a part of this day that the new file would not have")]
    CutDay(String),
}

impl From<StoreError> for NotExported {
    fn from(error: StoreError) -> Self {
        Self::Books(error.into())
    }
}

impl NotExported {
    /// What does not agree with the ledger is refused; everything else could not be done.
    const fn exit(&self) -> Exit {
        match self {
            Self::NotEvent(_)
            | Self::NotLaid(_)
            | Self::OtherRoot
            | Self::OtherLog { .. }
            | Self::Truncated { .. }
            | Self::Forked { .. } => Exit::Refused,
            Self::Books(_) | Self::Folder(_) | Self::PartOfTiles | Self::Moment { .. } | Self::CutDay(_) => {
                Exit::CouldNot
            }
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Books(error) => error.hint(),
            Self::Folder(error) => error.hint(),
            Self::NotEvent(_) | Self::NotLaid(_) | Self::OtherRoot => {
                Some("`toolgate ledger verify` says what is wrong")
            }
            Self::Truncated { .. } | Self::Forked { .. } => Some(
                "keep both: `toolgate-verify log` checks the export, `toolgate ledger verify` the ledger",
            ),
            Self::PartOfTiles => Some("leave out `--since` and `--until`"),
            Self::Moment { .. } => Some("a moment is written `2026-02-09T16:05:01Z`"),
            Self::OtherLog { .. } => Some("`--out` names a folder for this ledger alone"),
            Self::CutDay(_) => {
                Some("let `--since` and `--until` name the start of a day, or take another folder")
            }
        }
    }
}

pub(super) fn run(arguments: &ExportArguments) -> Exit {
    let books = match books(arguments.home.as_deref()) {
        Ok(books) => books,
        Err(exit) => return exit,
    };
    let exported = export(&books, arguments);
    if on_terminal() {
        show_progress("");
    }
    match exported {
        Ok(Exported { things, files }) => {
            let what = match arguments.format {
                ExportFormat::Jsonl | ExportFormat::Otlp => "events",
                ExportFormat::Tiles => "entries",
            };
            let out = visible_path(&arguments.out);
            let plural = if files == 1 { "" } else { "s" };
            print::text(&format!("{out}: {things} {what} in {files} file{plural}\n"), Exit::Done)
        }
        Err(error) => {
            say_error(&error.to_string(), error.hint());
            error.exit()
        }
    }
}

fn export(books: &Books, arguments: &ExportArguments) -> Result<Exported, NotExported> {
    let range = Range::of(arguments)?;
    let out = &arguments.out;
    match arguments.format {
        ExportFormat::Jsonl => {
            let mut days = Days::new(Folder::open(out, days::belongs)?);
            let things = each(&mut *books.look()?, &range, &mut |record| days.write(&record))?;
            Ok(Exported { things, files: days.end(&range)? })
        }
        ExportFormat::Otlp => {
            let folder = Folder::open(out, |name| name == otlp::FILE)?;
            let mut file = folder.begin()?;
            let mut batch = Vec::new();
            let things = each(&mut *books.look()?, &range, &mut |record| {
                batch.push(record);
                if batch.len() == otlp::MOST_RECORDS {
                    file.write(otlp::request(&batch).as_bytes())?;
                    batch.clear();
                }
                Ok(())
            })?;
            if !batch.is_empty() {
                file.write(otlp::request(&batch).as_bytes())?;
            }
            folder.place(file, otlp::FILE)?;
            folder.flush()?;
            Ok(Exported { things, files: 1 })
        }
        ExportFormat::Tiles if range.is_everything() => {
            let folder = Folder::open(out, tiles::belongs)?;
            // A checkpoint of this moment covers every entry that is there.
            let note = books.start(SystemClock.now())?.checkpoint().map_err(NoBooks::from)?;
            tiles::write(&folder, &mut *books.look()?, &note, books.key()?.public())
        }
        ExportFormat::Tiles => Err(NotExported::PartOfTiles),
    }
}

/// Which events are wanted.
struct Range {
    since: Option<Moment>,
    until: Option<Moment>,
}

impl Range {
    fn of(arguments: &ExportArguments) -> Result<Self, NotExported> {
        let moment = |text: &Option<String>| {
            let read = |text: &String| {
                text.parse().map_err(|source| NotExported::Moment { text: text.clone(), source })
            };
            text.as_ref().map(read).transpose()
        };
        Ok(Self { since: moment(&arguments.since)?, until: moment(&arguments.until)? })
    }

    const fn is_everything(&self) -> bool {
        self.since.is_none() && self.until.is_none()
    }

    fn has(&self, at: Moment) -> bool {
        self.since.is_none_or(|since| at >= since) && self.until.is_none_or(|until| at < until)
    }

    /// Does it begin or end inside of this day?
    fn cuts(&self, day: &str) -> bool {
        let midnight = format!("{day}T00:00:00.000000Z");
        let inside = |moment: Moment| moment.day() == day && moment.microseconds_text() != midnight;
        self.since.is_some_and(inside) || self.until.is_some_and(inside)
    }
}

/// Shows every event of a range, whole; how many there were.
fn each(
    store: &mut dyn Store,
    range: &Range,
    show: &mut dyn FnMut(Record) -> Result<(), NotExported>,
) -> Result<u64, NotExported> {
    let mut shown = 0;
    let size = store.size()?;
    batches(store, size, &mut |store, entry| {
        let mut record = Record::of(entry)?;
        if range.has(record.at()) {
            if let Some(moved) = record.moved()
                && let Some(content) = store.blob(moved)?
            {
                record = record.restored(&content);
            }
            show(record)?;
            shown += 1;
        }
        Ok(())
    })?;
    Ok(shown)
}

/// Shows the first `size` entries, one after the other, and tells a terminal how far it has come.
fn batches(
    store: &mut dyn Store,
    size: u64,
    show: &mut dyn FnMut(&mut dyn Store, &record::Entry) -> Result<(), NotExported>,
) -> Result<(), NotExported> {
    let progress = on_terminal();
    let mut next = 0;
    while next < size {
        let most = usize::try_from(size - next).map_or(AT_ONCE, |rest| rest.min(AT_ONCE));
        let entries = store.read(next, most)?;
        if entries.is_empty() {
            return Err(StoreError::Damaged(format!("entry {next} is missing")).into());
        }
        for entry in &entries {
            if entry.place != next {
                return Err(NotLaid::Missing { expected: next, found: entry.place }.into());
            }
            show(store, entry)?;
            next += 1;
        }
        if progress {
            show_progress(&format!("{next} of {size} entries"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn a_range_has_its_beginning_and_not_its_end() {
        let moment = |text: &str| text.parse().unwrap();
        let range = |since: Option<&str>, until: Option<&str>| Range {
            since: since.map(moment),
            until: until.map(moment),
        };
        let (noon, midnight) = ("2026-02-09T12:00:00Z", "2026-02-10T00:00:00Z");
        let cases = [
            // range, moment -> is it wanted, is its day cut
            (range(None, None), noon, true, false),
            (range(Some(noon), None), noon, true, true),
            (range(None, Some(noon)), noon, false, true),
            (range(None, Some(midnight)), "2026-02-09T23:59:59.999999Z", true, false),
            (range(None, Some(midnight)), midnight, false, false),
            (range(Some(midnight), None), midnight, true, false),
            (range(Some(noon), None), midnight, true, false),
        ];
        for (range, at, wanted, cut) in cases {
            let at: call::Moment = moment(at);
            assert_eq!((range.has(at), range.cuts(&at.day())), (wanted, cut), "{at}");
        }
    }
}
