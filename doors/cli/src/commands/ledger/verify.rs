//! `toolgate ledger verify`

use std::path::Path;

use record::{Audited, Known, audit, audit_since};
use serde::Serialize;
use verify::key::VerifierKey;
use verify::proof::EntryProof;

use super::{books, failed};
use crate::arguments::{Format, VerifyArguments};
use crate::commands::policy::no_books;
use crate::commands::print;
use crate::exit::Exit;
use crate::home::Books;
use crate::ordinary;
use crate::terminal::{reason, say, say_error, show_progress, wants_progress, with_causes};
use crate::visible::visible;

/// Bytes of a proof or an entry that are read; both are much smaller.
const LARGEST: u64 = 16 * 1024 * 1024;

/// What programs are told.
#[derive(Serialize)]
struct Answer {
    ok: bool,
    entries: u64,
    /// How many of them are covered by a signature.
    signed: u64,
    root: Option<String>,
    checkpoint: Option<String>,
    problems: Vec<Line>,
    notices: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    entry: u64,
    what: String,
}

pub(super) fn run(arguments: &VerifyArguments) -> Exit {
    if let (Some(proof), Some(entry)) = (&arguments.proof, &arguments.entry) {
        return check_proof(proof, entry, arguments);
    }
    let books = match books(arguments.home.home.as_deref()) {
        Ok(books) => books,
        Err(exit) => return exit,
    };
    match check(&books, arguments) {
        Ok(answer) => show(&answer, arguments.home.format),
        Err(exit) => exit,
    }
}

fn check(books: &Books, arguments: &VerifyArguments) -> Result<Answer, Exit> {
    let key = key(arguments, Some(books))?;
    let mut store = books.look().map_err(|error| no_books(&error))?;
    let mut known = Vec::new();
    let own = store.checkpoint().map_err(|error| failed(&error))?;
    for path in &arguments.against {
        known.extend(kept(path, &key)?);
    }
    let progress = wants_progress();
    let mut told = |done: u64, all: u64| {
        if progress {
            show_progress(&format!("{done} of {all} entries"));
        }
    };
    let audited = match &arguments.since {
        None => audit(&mut *store, &key, &known, &mut told),
        Some(path) => audit_since(&mut *store, &key, &latest(path, &key)?, &known, &mut told),
    };
    if progress {
        show_progress("");
    }
    let Audited { entries, signed, root, problems: found, notices } =
        audited.map_err(|error| failed(&error))?;
    let problems: Vec<Line> =
        found.into_iter().map(|problem| Line { entry: problem.place, what: problem.what }).collect();
    let notices = notices.into_iter().map(|notice| Line { entry: notice.place, what: notice.what }).collect();
    Ok(Answer {
        ok: problems.is_empty(),
        entries,
        signed,
        root: Some(root.to_string()),
        checkpoint: own,
        problems,
        notices,
    })
}

fn show(answer: &Answer, format: Format) -> Exit {
    let exit = if answer.ok { Exit::Done } else { Exit::Refused };
    if format == Format::Json {
        return print::json(answer, exit);
    }
    for Line { entry, what } in &answer.problems {
        say(&format!("entry {entry}: {}", visible(what)));
    }
    for Line { entry, what } in &answer.notices {
        say(&format!("note: entry {entry}: {}", visible(what)));
    }
    let bare = answer.entries.saturating_sub(answer.signed);
    if answer.ok && bare > 0 {
        say(&format!(
            "note: no checkpoint covers the last {bare} entries yet; `toolgate ledger checkpoint` signs them"
        ));
    }
    let verdict = if answer.ok { "ok" } else { "NOT OK" };
    let root = answer.root.as_deref().unwrap_or_default();
    print::text(&format!("{verdict}: {} entries, root {root}\n", answer.entries), exit)
}

/// The key that signatures are checked by.
fn key(arguments: &VerifyArguments, books: Option<&Books>) -> Result<VerifierKey, Exit> {
    match (&arguments.key, books) {
        (Some(text), _) => text.trim().parse().map_err(|error: verify::key::BadKey| {
            say_error(&format!("`--key`: {error}"), Some("`toolgate ledger key` prints one"));
            Exit::CouldNot
        }),
        (None, Some(books)) => books.key().map(|key| key.public().clone()).map_err(|error| no_books(&error)),
        (None, None) => Err(Exit::CouldNot),
    }
}

/// The checkpoints that somebody kept. One that is not signed by the key says nothing, and ends the check.
fn kept(place: &Path, key: &VerifierKey) -> Result<Vec<Known>, Exit> {
    super::witness::kept(place, key).map_err(|error| {
        let hint = (error.exit() == Exit::Refused).then_some("`--key` names the key it was signed with");
        say_error(&error.to_string(), hint);
        error.exit()
    })
}

/// The checkpoint that covers most of those that somebody kept.
fn latest(place: &Path, key: &VerifierKey) -> Result<Known, Exit> {
    let kept = kept(place, key)?.into_iter().max_by_key(|known| known.checkpoint.size());
    kept.ok_or(Exit::CouldNot)
}

fn check_proof(proof: &Path, entry: &Path, arguments: &VerifyArguments) -> Exit {
    let books = match &arguments.key {
        Some(_) => None,
        None => match books(arguments.home.home.as_deref()) {
            Ok(books) => Some(books),
            Err(exit) => {
                say("note: `--key` names the key of a ledger that is not here");
                return exit;
            }
        },
    };
    let checked = read(proof).and_then(|proof| Ok((proof, read(entry)?, key(arguments, books.as_ref())?)));
    let (bytes, entry, key) = match checked {
        Ok(checked) => checked,
        Err(exit) => return exit,
    };
    let parsed = match EntryProof::parse(&bytes) {
        Ok(parsed) => parsed,
        Err(error) => {
            say_error(&format!("`{}`: {}", proof.display(), with_causes(&error)), None);
            return Exit::Refused;
        }
    };
    let (place, checked) = (parsed.index(), parsed.check(&entry, &key));
    let answer = match checked {
        Ok(checkpoint) => Answer {
            ok: true,
            entries: checkpoint.size(),
            signed: checkpoint.size(),
            root: Some(checkpoint.root().to_string()),
            checkpoint: None,
            problems: Vec::new(),
            notices: Vec::new(),
        },
        Err(error) => Answer {
            ok: false,
            entries: 0,
            signed: 0,
            root: None,
            checkpoint: None,
            problems: vec![Line { entry: place, what: with_causes(&error) }],
            notices: Vec::new(),
        },
    };
    show(&answer, arguments.home.format)
}

fn read(path: &Path) -> Result<Vec<u8>, Exit> {
    ordinary::read(path, LARGEST).map_err(|error| {
        say_error(&format!("`{}`: {}", path.display(), reason(&error)), None);
        Exit::CouldNot
    })
}
