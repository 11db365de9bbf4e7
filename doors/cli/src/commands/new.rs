//! `toolgate new`: writes a request document that passes all but the approval.

use std::io;
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};

use call::{Clock as _, Sha256};
use rustix::fs::{Mode, OFlags};
use serde::Serialize;

use super::lost;
use crate::arguments::{Backend, Format, NewArguments};
use crate::clock::SystemClock;
use crate::draft::{self, Plan, draft_from, is_approval};
use crate::exit::Exit;
use crate::publish::{flush_names, new_file};
use crate::render::Blocks;
use crate::terminal::{self, Output, reason, say, say_error};
use crate::visible::{visible_json, visible_path};

/// The answer for programs.
#[derive(Serialize)]
struct Written {
    path: String,
    request_id: String,
    digest: Option<Sha256>,
}

/// A message and a hint.
type Refusal = (String, Option<String>);

pub(crate) fn run(flags: &NewArguments) -> Exit {
    let plan = match plan(flags) {
        Ok(plan) => plan,
        Err((message, hint)) => {
            say_error(&message, hint.as_deref());
            return Exit::CouldNot;
        }
    };
    let (text, checked) = plan.written();
    let Ok(checked) = checked else {
        // A draft is put together from text, so this cannot be.
        say_error("the draft is not UTF-8 text", None);
        return Exit::CouldNot;
    };
    let name = format!("{}.md", plan.draft.request_id);
    let (approval, rest): (Vec<_>, Vec<_>) = checked.findings.into_iter().partition(is_approval);
    drop(approval);
    let refused = rest.iter().any(document::Finding::is_error);
    if !rest.is_empty() {
        let shown = crate::visible::visible(&name);
        say(Blocks::new(terminal::colour()).all(&rest, &text, &shown).trim_end());
    }
    if refused {
        say_error("nothing was written, because the request would be refused", None);
        return Exit::Refused;
    }
    deliver(flags, &plan.draft.request_id, &name, &text)
}

/// Puts the draft together from flags and, on a terminal, answers.
fn plan(flags: &NewArguments) -> Result<Plan, Refusal> {
    if flags.backend == Some(Backend::Monty) && flags.command.is_some() {
        let hint = String::from("give the code with `--code FILE`, or leave out `--backend monty`");
        return Err((String::from("`--command` does not go with `--backend monty`"), Some(hint)));
    }
    if flags.backend == Some(Backend::Era) && flags.code.is_some() {
        let hint = String::from("give the command with `--command`, or leave out `--backend era`");
        return Err((String::from("`--code` does not go with `--backend era`"), Some(hint)));
    }
    let now = SystemClock.now();
    let base = match flags.from.as_deref().map(|path| draft_from(path, now)).transpose() {
        Ok(base) => base,
        Err(error) => {
            let hint = "`toolgate check` says all that is wrong with it";
            return Err((error.to_string(), Some(String::from(hint))));
        }
    };
    let mut plan = Plan::new(flags, base, now).map_err(|error| (error.to_string(), None))?;
    let missing = plan.missing();
    if missing.is_empty() {
        return Ok(plan);
    }
    if !terminal::can_ask() {
        let names: Vec<&str> = missing.iter().map(|question| question.flag()).collect();
        let message = format!("missing: {}", names.join(", "));
        let hint = "give these flags, or run `toolgate new` on a terminal to be asked";
        return Err((message, Some(String::from(hint))));
    }
    let asked = draft::ask(&mut plan, &mut io::stdin().lock(), &mut io::stderr().lock());
    match asked {
        Ok(()) => Ok(plan),
        Err(stopped) => Err((stopped.to_string(), None)),
    }
}

/// Prints the document, or writes it to its file and says where.
fn deliver(flags: &NewArguments, id: &str, name: &str, text: &str) -> Exit {
    let mut output = Output::new();
    let printed = if flags.stdout {
        output.text(text)
    } else {
        let path = match write(&flags.dir, name, text) {
            Ok(path) => path,
            Err((message, hint)) => {
                say_error(&message, hint.as_deref());
                return Exit::CouldNot;
            }
        };
        let shown = visible_path(&path);
        match flags.format {
            Format::Text => {
                let next = "a person reads it, agrees and signs";
                say(&format!("wrote {shown}\n\nnext: {next}\n  toolgate approve {shown} --key KEY"));
                Ok(())
            }
            Format::Json => {
                let path = path.to_string_lossy().into_owned();
                let digest = document::digest(&document::Source { stem: Some(id), bytes: text.as_bytes() });
                let written = Written { path, request_id: id.to_owned(), digest };
                output.line(&visible_json(serde_json::to_string(&written).unwrap_or_default()))
            }
        }
    };
    match printed.and_then(|()| output.flush()) {
        Ok(()) => Exit::Done,
        Err(error) => lost(&error, Exit::Done),
    }
}

/// Writes a new file whole, and never over one that is there.
fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Refusal> {
    let path = folder.join(name);
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let written =
        rustix::fs::open(folder, flags, Mode::empty()).map_err(io::Error::from).and_then(|opened| {
            new_file(opened.as_fd(), name.as_ref(), text.as_bytes(), Mode::from_raw_mode(0o666))?;
            flush_names(opened.as_fd())
        });
    match written {
        Ok(()) => Ok(path),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err((
            format!("`{}` is there already, and is not overwritten", path.to_string_lossy()),
            Some(String::from("choose another `--slug`, or try again in a second")),
        )),
        Err(error) => Err((
            format!("`{}` cannot be written: {}", path.to_string_lossy(), reason(&error)),
            Some(String::from("`--dir` names a folder that can be written to")),
        )),
    }
}
