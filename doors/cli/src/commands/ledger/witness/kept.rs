//! Checkpoints that were kept elsewhere, in a file or a repository.

use std::path::Path;

use record::Known;
use verify::checkpoint::{BadNotes, Checkpoint, cut};
use verify::key::VerifierKey;
use verify::note::SignedNote;

use super::{NotWitnessed, file, git};
use crate::home::{Reference, Target};

/// All checkpoints at a place that somebody typed: a file, or `git:REPOSITORY#REF`.
pub(in super::super) fn kept(place: &Path, key: &VerifierKey) -> Result<Vec<Known>, NotWitnessed> {
    let from = format!("`{}`", place.display());
    let notes = match place.to_str().filter(|text| text.starts_with("git:")) {
        Some(text) => {
            let here = std::env::current_dir()
                .map_err(|source| NotWitnessed::File { path: ".".to_owned(), source })?;
            git::notes(&Reference::parse(text, &here)?)?
        }
        None => cut(&file::read(place)?.ok_or_else(|| missing(place))?),
    };
    known(&notes, &from, key)
}

/// The checkpoints that cover most of what a witness keeps. Nothing of one that cannot be asked, or that has
/// nothing yet.
pub(super) fn newest(target: &Target, key: &VerifierKey) -> Result<Vec<Known>, NotWitnessed> {
    let notes = match target {
        Target::File(path) => match file::read(path)?.filter(|bytes| !bytes.is_empty()) {
            Some(bytes) => cut(&bytes),
            None => return Ok(Vec::new()),
        },
        Target::Git(reference) => match git::notes(reference)? {
            Err(BadNotes::None) => return Ok(Vec::new()),
            notes => notes,
        },
        Target::Http(_) => return Ok(Vec::new()),
    };
    let mut known = known(&notes, &format!("`{target}`"), key)?;
    let most = known.iter().map(|known| known.checkpoint.size()).max();
    known.retain(|known| Some(known.checkpoint.size()) == most);
    Ok(known)
}

/// The checkpoints of these notes. One that is not signed by the key says nothing, and ends the check.
pub(super) fn known(
    notes: &Result<Vec<SignedNote>, BadNotes>,
    from: &str,
    key: &VerifierKey,
) -> Result<Vec<Known>, NotWitnessed> {
    let notes = notes.as_ref().map_err(|&source| NotWitnessed::Notes { from: from.to_owned(), source })?;
    let mut known = Vec::new();
    for (number, note) in (1..).zip(notes) {
        let from = if notes.len() == 1 { from.to_owned() } else { format!("{from} ({number})") };
        let checkpoint = Checkpoint::of_note(note, key)
            .map_err(|source| NotWitnessed::OtherLog { from: from.clone(), source })?;
        known.push(Known { checkpoint, from });
    }
    Ok(known)
}

fn missing(path: &Path) -> NotWitnessed {
    let source = std::io::Error::from(std::io::ErrorKind::NotFound);
    NotWitnessed::File { path: path.display().to_string(), source }
}
