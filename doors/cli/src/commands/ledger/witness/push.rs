//! `toolgate ledger witness push`
//!
//! In this order: the ledger is held against everything that witnesses are known to have seen; a checkpoint
//! is signed; each witness gets it; what it has seen is remembered, and then put on record. A ledger that
//! does not follow from what one witness has seen is shown to none.

use call::Clock as _;
use record::store::Store;
use record::witness::succession;
use record::{Event, Known, Ledger, proofs};
use serde::Serialize;
use verify::checkpoint::Checkpoint;
use verify::key::VerifierKey;

use super::{NotWitnessed, Stop, file, git, http, kept, open};
use crate::arguments::{Format, HomeArguments};
use crate::clock::SystemClock;
use crate::commands::print;
use crate::exit::Exit;
use crate::home::{Seen, Target, Witness, Witnesses};
use crate::terminal::say;

/// What came of a push, for programs.
#[derive(Serialize)]
struct Pushed {
    checkpoint: String,
    pushed: Vec<Given>,
    problems: Vec<Problem>,
}

#[derive(Serialize)]
struct Given {
    witness: String,
    size: u64,
    root: String,
}

#[derive(Serialize)]
struct Problem {
    witness: String,
    what: String,
}

pub(super) fn run(name: Option<&str>, arguments: &HomeArguments) -> Result<Exit, Stop> {
    let (books, mut witnesses) = open(arguments.home.as_deref())?;
    let wanted = |witness: &Witness| name.is_none_or(|name| witness.name == name);
    let chosen: Vec<String> =
        witnesses.all.iter().filter(|witness| wanted(witness)).map(|witness| witness.name.clone()).collect();
    if let (true, Some(name)) = (chosen.is_empty(), name) {
        return Err(NotWitnessed::NoWitness(name.to_owned()).into());
    }
    if chosen.is_empty() {
        return Err(NotWitnessed::NoWitnesses.into());
    }
    let key = books.key()?.public().clone();
    let mut store = books.look()?;
    let mut problems = Vec::new();
    hold_against(&mut *store, &witnesses, &chosen, &key, &mut problems)?;
    let ledger = books.start(SystemClock.now())?;
    let note = ledger.checkpoint()?;
    let checkpoint = verify::checkpoint::open(note.as_bytes(), &key)
        .map_err(|source| NotWitnessed::OtherLog { from: "the ledger itself".to_owned(), source })?;
    let mut pushed = Vec::new();
    for name in in_order(&witnesses, &chosen, &problems) {
        let Some(witness) = witnesses.all.iter_mut().find(|witness| witness.name == name) else { continue };
        match give(&mut *store, witness, &note, &checkpoint, &key) {
            Ok(note) => {
                witness.seen = Some(Seen { size: checkpoint.size(), note });
                witnesses.save()?;
                pushed.push(put_on_record(&ledger, &name, &checkpoint)?);
            }
            Err(error) => {
                let forked = error.is_fork();
                problems.push((name, error));
                if forked {
                    break;
                }
            }
        }
    }
    Ok(show_pushed(note, pushed, &problems, arguments.format))
}

/// Those that are to be given a checkpoint, and whose notes could be read. Servers come first: only they can
/// still object, and what they object to is given to nobody else.
fn in_order(witnesses: &Witnesses, chosen: &[String], problems: &[(String, NotWitnessed)]) -> Vec<String> {
    let readable = |name: &String| problems.iter().all(|(unreadable, _)| unreadable != name);
    let mut wanted: Vec<&Witness> = witnesses
        .all
        .iter()
        .filter(|witness| chosen.contains(&witness.name) && readable(&witness.name))
        .collect();
    wanted.sort_by_key(|witness| !matches!(witness.target, Target::Http(_)));
    wanted.into_iter().map(|witness| witness.name.clone()).collect()
}

/// Holds the ledger against what every witness was given, and what those that are chosen say they have.
/// Witnesses whose notes cannot be read now are named in `problems`.
fn hold_against(
    store: &mut dyn Store,
    witnesses: &Witnesses,
    chosen: &[String],
    key: &VerifierKey,
    problems: &mut Vec<(String, NotWitnessed)>,
) -> Result<(), NotWitnessed> {
    let size = store.size()?;
    let now = Checkpoint::new(key.name().clone(), size, proofs::root(store, size)?);
    for witness in &witnesses.all {
        let mut seen = Vec::new();
        if let Some(Seen { note, .. }) = &witness.seen {
            let from = format!("what the witness `{}` has seen", witness.name);
            seen.extend(kept::known(&verify::checkpoint::cut(note.as_bytes()), &from, key)?);
        }
        if chosen.contains(&witness.name) {
            match kept::newest(&witness.target, key) {
                Ok(newest) => {
                    if let (Some(Seen { size, .. }), Target::File(_) | Target::Git(_)) =
                        (&witness.seen, &witness.target)
                        && newest.iter().all(|known| known.checkpoint.size() < *size)
                    {
                        say(&format!("note: `{}` no longer has what it was given", witness.name));
                    }
                    seen.extend(newest);
                }
                Err(error) => problems.push((witness.name.clone(), error)),
            }
        }
        for Known { checkpoint, .. } in &seen {
            succession(store, checkpoint, &now)
                .map_err(|source| NotWitnessed::NotSuccessor { name: witness.name.clone(), source })?;
        }
    }
    Ok(())
}

/// Gives a witness the checkpoint; what it then has.
fn give(
    store: &mut dyn Store,
    witness: &Witness,
    note: &str,
    checkpoint: &Checkpoint,
    key: &VerifierKey,
) -> Result<String, NotWitnessed> {
    match &witness.target {
        Target::File(path) => {
            let failed = |source| NotWitnessed::File { path: path.display().to_string(), source };
            file::append(path, note).map_err(failed)?;
            Ok(note.to_owned())
        }
        Target::Git(reference) => {
            git::commit(reference, note, checkpoint, SystemClock.now())?;
            Ok(note.to_owned())
        }
        Target::Http(address) => {
            let asked = http::Asked {
                address,
                note,
                checkpoint,
                key: witness.key.as_ref(),
                authorities: witness.authorities.as_deref(),
            };
            let seen = witness.seen.as_ref().map(|seen| verify::checkpoint::open(seen.note.as_bytes(), key));
            let seen = seen.transpose().map_err(|source| NotWitnessed::OtherLog {
                from: format!("what the witness `{}` has seen", witness.name),
                source,
            })?;
            asked.cosigned(store, seen.map_or(0, |seen| seen.size()))
        }
    }
}

fn put_on_record(ledger: &Ledger, name: &str, checkpoint: &Checkpoint) -> Result<Given, NotWitnessed> {
    let (size, root) = (checkpoint.size(), checkpoint.root().to_string());
    let event = Event::CheckpointWitnessed { witness: name.to_owned(), size, root: root.clone() };
    ledger.append(&event, SystemClock.now())?;
    Ok(Given { witness: name.to_owned(), size, root })
}

fn show_pushed(
    checkpoint: String,
    pushed: Vec<Given>,
    problems: &[(String, NotWitnessed)],
    format: Format,
) -> Exit {
    let exit = problems.iter().fold(Exit::Done, |exit, (_, error)| exit.worst(error.exit()));
    for (_, error) in problems {
        let _ = error.say();
    }
    match format {
        Format::Text => {
            let line =
                |given: &Given| format!("{}: {} entries, root {}\n", given.witness, given.size, given.root);
            print::text(&pushed.iter().map(line).collect::<String>(), exit)
        }
        Format::Json => {
            let problem = |(name, error): &(String, NotWitnessed)| Problem {
                witness: name.clone(),
                what: error.to_string(),
            };
            let problems = problems.iter().map(problem).collect();
            print::json(&Pushed { checkpoint, pushed, problems }, exit)
        }
    }
}
