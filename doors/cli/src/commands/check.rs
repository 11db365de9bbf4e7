//! `toolgate check`: are these documents good?

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use document::Profile;

use super::lost;
use crate::arguments::{CheckArguments, Format, ProfileName};
use crate::checker::Checker;
use crate::exit::Exit;
use crate::find::candidates;
use crate::printer::{Form, Printer};
use crate::quarantine::Quarantine;
use crate::session::{Session, Tally, Vanishing};
use crate::terminal::{self, Lost, reason, say_error};
use crate::watch;

/// More threads than this only get in each other's way.
const MOST_WORKERS: usize = 256;

pub(crate) fn run(arguments: &CheckArguments) -> Exit {
    if let Err((message, hint)) = sensible(arguments) {
        say_error(&message, Some(&hint));
        return Exit::CouldNot;
    }
    let quarantine = match arguments.quarantine.as_deref().map(Quarantine::open).transpose() {
        Ok(quarantine) => quarantine,
        Err(error) => {
            let path = arguments.quarantine.as_deref().unwrap_or(std::path::Path::new(""));
            let message = format!("quarantine folder `{}`: {}", path.to_string_lossy(), reason(&error));
            say_error(
                &message,
                Some("`--quarantine` names a folder that can be written to; nothing was checked"),
            );
            return Exit::CouldNot;
        }
    };
    let mut session = session(arguments, quarantine);
    let end = if arguments.watch {
        watch::run(&arguments.paths, &mut session)
    } else {
        all_at_once(arguments, &mut session)
    };
    match end {
        Ok(()) => session.tally.exit,
        Err(error) => lost(&error, session.tally.exit),
    }
}

fn all_at_once(arguments: &CheckArguments, session: &mut Session) -> Result<(), Lost> {
    let skip = session.quarantine.as_ref().map(|quarantine| quarantine.id);
    let candidates = candidates(&arguments.paths, skip);
    session.printer.begin()?;
    session.check(&candidates, Vanishing::IsAnError, || false)?;
    session.printer.end()
}

/// What clap cannot see: switches that make no sense together. A message and a hint.
fn sensible(arguments: &CheckArguments) -> Result<(), (String, String)> {
    let n_stdin = arguments.paths.iter().filter(|path| path.as_os_str() == "-").count();
    if n_stdin > 1 {
        return Err((String::from("standard input can be read once"), String::from("give `-` only once")));
    }
    if arguments.watch {
        for path in &arguments.paths {
            if path.as_os_str() == "-" || !path.is_dir() {
                return Err((
                    format!("`{}` is not a folder, and only folders can be watched", path.to_string_lossy()),
                    String::from("leave out `--watch` to check it once"),
                ));
            }
        }
    }
    Ok(())
}

fn session(arguments: &CheckArguments, quarantine: Option<Quarantine>) -> Session {
    let one = matches!(arguments.paths.as_slice(), [only] if !only.is_dir());
    let form = match (arguments.format, arguments.watch) {
        (Format::Json, true) => Form::JsonLines,
        (Format::Json, false) => Form::Json,
        (Format::Text, false) if one => Form::Word,
        (Format::Text, _) => Form::Lines,
    };
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    Session {
        checker: Checker {
            profile: match arguments.profile {
                ProfileName::Strict => Profile::Strict,
                ProfileName::ThreegateV1 => Profile::ThreegateV1,
            },
            explain: arguments.explain_profile,
            digests: arguments.format == Format::Json || quarantine.is_some(),
            talks: arguments.format == Format::Text,
            colour: terminal::colour(),
            keeps_rejected: quarantine.is_some(),
        },
        quarantine,
        printer: Printer::new(form),
        workers: arguments.jobs.map_or(cores, NonZeroUsize::get).min(MOST_WORKERS),
        tally: Tally::default(),
    }
}
