//! `toolgate ledger witness`: others who keep checkpoints.

mod file;
mod git;
mod http;
mod kept;
mod not_witnessed;
mod push;

use std::path::Path;

use serde::Serialize;

pub(super) use self::kept::kept;
pub(super) use self::not_witnessed::NotWitnessed;
use super::books;
use crate::arguments::{Format, HomeArguments, WitnessAddArguments, WitnessCommand};
use crate::commands::print;
use crate::exit::Exit;
use crate::home::{Books, Target, Witness, Witnesses, is_witness_name};
use crate::terminal::say;
use crate::visible::visible;

pub(super) fn run(command: &WitnessCommand) -> Exit {
    let done = match command {
        WitnessCommand::Add(arguments) => add(arguments),
        WitnessCommand::List { home } => list(home),
        WitnessCommand::Remove { name, home } => remove(name, home),
        WitnessCommand::Push { name, home } => push::run(name.as_deref(), home),
    };
    done.unwrap_or_else(|stop| match stop {
        Stop::Said(exit) => exit,
        Stop::Not(error) => error.say(),
    })
}

/// Why a command ends early: somebody was told already, or not.
enum Stop {
    Said(Exit),
    Not(Box<NotWitnessed>),
}

impl<E: Into<NotWitnessed>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Not(Box::new(error.into()))
    }
}

fn open(home: Option<&Path>) -> Result<(Books, Witnesses), Stop> {
    let books = books(home).map_err(Stop::Said)?;
    let witnesses = Witnesses::open(books.folder())?;
    Ok((books, witnesses))
}

fn add(arguments: &WitnessAddArguments) -> Result<Exit, Stop> {
    let (_, mut witnesses) = open(arguments.home.home.as_deref())?;
    let name = &arguments.name;
    if !is_witness_name(name) {
        return Err(NotWitnessed::BadName(name.clone()).into());
    }
    if witnesses.all.iter().any(|witness| witness.name == *name) {
        return Err(NotWitnessed::Taken(name.clone()).into());
    }
    let here =
        std::env::current_dir().map_err(|source| NotWitnessed::File { path: ".".to_owned(), source })?;
    let target = Target::parse(&arguments.target, &here)?;
    let key =
        arguments.key.as_deref().map(|key| key.trim().parse()).transpose().map_err(NotWitnessed::Key)?;
    if key.is_some() && matches!(target, Target::File(_) | Target::Git(_)) {
        return Err(NotWitnessed::KeyWithoutAddress.into());
    }
    if let Target::Git(reference) = &target {
        git::check(reference)?;
    }
    let authorities =
        arguments.ca.as_deref().map(|path| http::authorities_at(&here.join(path))).transpose()?;
    if authorities.is_some() && !matches!(&target, Target::Http(address) if address.starts_with("https://")) {
        return Err(NotWitnessed::AuthoritiesWithoutTls.into());
    }
    if key.is_none() && matches!(target, Target::Http(_)) {
        say("note: without `--key` its cosignatures are kept and not checked");
    }
    let shown = visible(&target.to_string()).into_owned();
    witnesses.all.push(Witness { name: name.clone(), target, key, authorities, seen: None });
    witnesses.save()?;
    let next = format!("{name}: {shown}\n\nnext: `toolgate ledger witness push {name}`\n");
    Ok(match arguments.home.format {
        Format::Text => print::text(&next, Exit::Done),
        Format::Json => {
            print::json(&Shows { name: name.clone(), target: shown, size: None, note: None }, Exit::Done)
        }
    })
}

/// A witness, as programs are told of it.
#[derive(Serialize)]
struct Shows {
    name: String,
    target: String,
    size: Option<u64>,
    note: Option<String>,
}

#[derive(Serialize)]
struct List {
    witnesses: Vec<Shows>,
}

fn list(arguments: &HomeArguments) -> Result<Exit, Stop> {
    let (_, witnesses) = open(arguments.home.as_deref())?;
    let shows = |witness: &Witness| Shows {
        name: witness.name.clone(),
        target: witness.target.to_string(),
        size: witness.seen.as_ref().map(|seen| seen.size),
        note: witness.seen.as_ref().map(|seen| seen.note.clone()),
    };
    let all: Vec<Shows> = witnesses.all.iter().map(shows).collect();
    if arguments.format == Format::Json {
        return Ok(print::json(&List { witnesses: all }, Exit::Done));
    }
    let line = |shows: &Shows| {
        let seen = match shows.size {
            Some(size) => format!("has seen {size} entries"),
            None => "has seen nothing yet".to_owned(),
        };
        format!("{}  {}  {seen}\n", shows.name, visible(&shows.target))
    };
    Ok(print::text(&all.iter().map(line).collect::<String>(), Exit::Done))
}

fn remove(name: &str, arguments: &HomeArguments) -> Result<Exit, Stop> {
    let (_, mut witnesses) = open(arguments.home.as_deref())?;
    let before = witnesses.all.len();
    witnesses.all.retain(|witness| witness.name != name);
    if witnesses.all.len() == before {
        return Err(NotWitnessed::NoWitness(name.to_owned()).into());
    }
    witnesses.save()?;
    say("note: what it keeps stays where it is");
    Ok(Exit::Done)
}
