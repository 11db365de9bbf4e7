//! `toolgate ledger prove`

use std::fs;
use std::path::Path;

use call::Clock as _;
use record::proofs;
use verify::note::SignedNote;
use verify::proof::EntryProof;

use super::{books, failed};
use crate::arguments::HomeArguments;
use crate::clock::SystemClock;
use crate::commands::policy::no_books;
use crate::commands::print;
use crate::exit::Exit;
use crate::home::NoBooks;
use crate::terminal::{reason, say_error};
use crate::visible::visible;

pub(super) fn run(place: u64, out: Option<&Path>, arguments: &HomeArguments) -> Exit {
    let books = match books(arguments.home.as_deref()) {
        Ok(books) => books,
        Err(exit) => return exit,
    };
    // A checkpoint of this moment covers the entry, and so do the hashes below it.
    let signed = books.start(SystemClock.now()).and_then(|ledger| Ok(ledger.checkpoint()?));
    let opened = signed.and_then(|note| Ok((note, books.look()?, books.key()?)));
    let (note, mut store, key) = match opened {
        Ok(opened) => opened,
        Err(error) => return no_books(&error),
    };
    let (Ok(signed), Ok(checkpoint)) =
        (SignedNote::parse(note.as_bytes()), verify::checkpoint::open(note.as_bytes(), key.public()))
    else {
        return no_books(&NoBooks::Store(record::store::StoreError::Damaged("a checkpoint".to_owned())));
    };
    let hashes = match proofs::inclusion(&mut *store, place, checkpoint.size()) {
        Ok(hashes) => hashes,
        Err(error) => {
            say_error(&error.to_string(), None);
            return Exit::CouldNot;
        }
    };
    let proof = EntryProof::new(place, hashes, signed).to_string();
    let Some(folder) = out else { return print::text(&proof, Exit::Done) };
    let entry = match store.read(place, 1) {
        Ok(entries) => entries.into_iter().next().map(|entry| entry.leaf).unwrap_or_default(),
        Err(error) => return failed(&error),
    };
    let names = [format!("{place}.tlog-proof"), format!("{place}.json")];
    let written = fs::create_dir_all(folder).and_then(|()| {
        fs::write(folder.join(&names[0]), proof)?;
        fs::write(folder.join(&names[1]), entry)
    });
    if let Err(error) = written {
        say_error(&format!("`{}`: {}", folder.display(), reason(&error)), None);
        return Exit::CouldNot;
    }
    let lines = names.map(|name| format!("{}\n", visible(&folder.join(name).to_string_lossy())));
    print::text(&lines.concat(), Exit::Done)
}
