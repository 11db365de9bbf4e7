//! `toolgate demo`: an agent's morning, to watch.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;

use serde::Serialize;

use super::{lost, print};
use crate::arguments::{DemoArguments, Format};
use crate::demo::{Ink, Morning, NoPlace, Outcome, Place, Step};
use crate::exit::Exit;
use crate::interrupt;
use crate::terminal::{self, Lost, Output, reason, say, say_error};
use crate::visible::visible_path;

/// What programs are told.
#[derive(Serialize)]
struct Answer<'a> {
    ok: bool,
    folder: String,
    kept: bool,
    steps: &'a [Step],
}

pub(crate) fn run(arguments: &DemoArguments) -> Exit {
    let place = match Place::make(arguments.dir.as_deref()) {
        Ok(place) => place,
        Err(error) => {
            let hint = match error {
                NoPlace::NotEmpty(_) => Some("name a folder that is new or empty: it is left as it is"),
                NoPlace::Unwritable { .. } => Some("`--dir DIR` plays somewhere else"),
                NoPlace::Chance(_) => None,
            };
            say_error(&error.to_string(), hint);
            return Exit::CouldNot;
        }
    };
    let kept = arguments.keep || arguments.open || arguments.dir.is_some();
    let (report, exit) = (place.report(), play(arguments, &place, kept));
    if arguments.open && report.exists() {
        open(&report);
    }
    if kept {
        return exit;
    }
    match place.remove() {
        Ok(()) => exit,
        Err(error) => {
            say_error(&error.to_string(), Some("the demo is over; the folder can be removed"));
            Exit::Failed.worst(exit)
        }
    }
}

/// Plays the morning, and tells of each step as soon as it is over.
fn play(arguments: &DemoArguments, place: &Place, kept: bool) -> Exit {
    let mut morning = match Morning::new(place) {
        Ok(morning) => morning,
        Err(error) => {
            say_error(&error.to_string(), None);
            return Exit::CouldNot;
        }
    };
    let cancelled = interrupt::cancelled();
    let (mut steps, mut output, mut gone) = (Vec::new(), Output::new(), None);
    let ink = ink();
    let text = arguments.format == Format::Text;
    if text {
        gone = tell(&mut output, &headline(place)).err();
    }
    morning.play(|number, step| {
        if text && gone.is_none() {
            gone = tell(&mut output, &step.text(number, ink)).err();
        }
        steps.push(step);
        !cancelled.load(Ordering::Relaxed)
    });
    let interrupted = cancelled.load(Ordering::Relaxed);
    let n_of = |outcome| steps.iter().filter(|step| step.outcome() == outcome).count();
    let exit = if n_of(Outcome::Wrong) == 0 && !interrupted { Exit::Done } else { Exit::Failed };
    if !text {
        let folder = place.root().to_string_lossy().into_owned();
        return print::json(&Answer { ok: exit == Exit::Done, folder, kept, steps: &steps }, exit);
    }
    let counts = [n_of(Outcome::Ok), n_of(Outcome::Skipped), n_of(Outcome::Wrong)];
    let mut end = if interrupted { String::from("interrupted\n") } else { counted(counts) };
    end.push_str(&where_it_is(place, kept));
    match gone.map_or_else(|| tell(&mut output, &end), Err) {
        Ok(()) => exit,
        Err(error) => lost(&error, exit),
    }
}

fn tell(output: &mut Output, text: &str) -> Result<(), Lost> {
    output.text(text).and_then(|()| output.flush())
}

fn headline(place: &Place) -> String {
    format!("An agent's morning, in {}\n\n", visible_path(&place.workspace()))
}

/// How the steps went, in a sentence.
fn counted([ok, skipped, wrong]: [usize; 3]) -> String {
    let mut text = format!("{ok} steps went as they must");
    if skipped > 0 {
        text.push_str(&format!(", {skipped} skipped"));
    }
    if wrong > 0 {
        text.push_str(&format!(", {wrong} WRONG"));
    }
    text + "\n"
}

fn where_it_is(place: &Place, kept: bool) -> String {
    if kept {
        format!("report: {}\n", visible_path(&place.report()))
    } else {
        String::from("the folder is removed; `toolgate demo --keep` keeps it, with the report\n")
    }
}

/// Colours only for a person who looks at standard output.
fn ink() -> Ink {
    match terminal::colour() && std::io::stdout().is_terminal() {
        true => Ink::Coloured,
        false => Ink::Plain,
    }
}

/// Shows the report in whatever this desktop shows pages with.
fn open(report: &Path) {
    let program = PathBuf::from("xdg-open");
    let mut command = Command::new(&program);
    command.arg(report).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(_) => say("note: `xdg-open` could not open the report"),
        Err(error) => say(&format!("note: the report is not opened, `xdg-open`: {}", reason(&error))),
    }
}
