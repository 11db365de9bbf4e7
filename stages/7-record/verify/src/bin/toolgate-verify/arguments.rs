//! What can be typed.

use std::ffi::OsString;
use std::path::PathBuf;

/// What is asked.
#[derive(Debug)]
pub(crate) enum Request {
    Help,
    Version,
    Check { key: String, subject: Subject },
}

/// What is to be checked.
#[derive(Debug)]
pub(crate) enum Subject {
    Log { folder: PathBuf, against: Vec<PathBuf> },
    Proof { file: PathBuf, entry: PathBuf },
    Checkpoint { file: PathBuf },
}

/// Why arguments are not a request.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadUsage {
    #[error("there is no option `{0}`")]
    UnknownOption(String),
    #[error("`{0}` needs a value")]
    NoValue(&'static str),
    #[error("`{0}` is given twice")]
    Twice(&'static str),
    #[error("`{0}` is missing")]
    Missing(&'static str),
    #[error("`{option}` does not belong to `{command}`")]
    Foreign { option: &'static str, command: &'static str },
    #[error("there is no command `{0}`, expected `log`, `proof` or `checkpoint`")]
    UnknownCommand(String),
    #[error("`{0}` is one argument too many")]
    TooMany(String),
    #[error("the key is not UTF-8")]
    KeyNotText,
}

pub(crate) const HELP: &str = "\
Checks a ledger of toolgate from outside, offline.

Usage:
  toolgate-verify --key KEY log FOLDER [--against FILE]...
  toolgate-verify --key KEY proof FILE --entry FILE
  toolgate-verify --key KEY checkpoint FILE

Commands:
  log         checks all entries, tiles and the signed checkpoint of a log in a folder
  proof       checks that an entry is in the log
  checkpoint  checks the signature of a checkpoint

Options:
  --key KEY        the public key of the log, as `NAME+HASH+BASE64`, or `@FILE` with that in it
  --against FILE   one or several checkpoints that were kept elsewhere; the log must still begin with their
                   entries
  --entry FILE     the bytes of the entry that the proof is for
  --help           this text
  --version        the version

Exit codes:
  0  everything holds
  2  something does not: changed, cut, forked, or not signed by the key
  3  could not be checked: bad usage, or a file that cannot be read

Examples:
  toolgate-verify --key @ledger.vkey log ./ledger
  toolgate-verify --key @ledger.vkey log ./ledger --against march.checkpoint --against april.checkpoint
  toolgate-verify --key @ledger.vkey proof entry-7.tlog-proof --entry entry-7.json
  toolgate-verify --key @ledger.vkey checkpoint april.checkpoint
";

/// The request that these arguments are.
pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Request, BadUsage> {
    let mut arguments = arguments;
    let (mut key, mut entry) = (None, None);
    let (mut against, mut plain) = (Vec::new(), Vec::new());
    while let Some(argument) = arguments.next() {
        let mut value = |option| arguments.next().ok_or(BadUsage::NoValue(option));
        match argument.to_str() {
            Some("--help" | "-h") => return Ok(Request::Help),
            Some("--version" | "-V") => return Ok(Request::Version),
            Some("--key") => once(&mut key, "--key", value("--key")?)?,
            Some("--entry") => once(&mut entry, "--entry", value("--entry")?)?,
            Some("--against") => against.push(PathBuf::from(value("--against")?)),
            Some(option) if option.starts_with('-') => {
                return Err(BadUsage::UnknownOption(option.to_owned()));
            }
            Some(_) | None => plain.push(argument),
        }
    }
    let mut plain = plain.into_iter();
    let command = plain.next().ok_or(BadUsage::Missing("log, proof or checkpoint"))?;
    let path = plain.next().map(PathBuf::from);
    if let Some(more) = plain.next() {
        return Err(BadUsage::TooMany(more.to_string_lossy().into_owned()));
    }
    let subject = match command.to_str() {
        Some("log") => {
            none(entry.is_some(), "--entry", "log")?;
            Subject::Log { folder: path.ok_or(BadUsage::Missing("FOLDER"))?, against }
        }
        Some("proof") => {
            none(!against.is_empty(), "--against", "proof")?;
            let entry = entry.map(PathBuf::from).ok_or(BadUsage::Missing("--entry"))?;
            Subject::Proof { file: path.ok_or(BadUsage::Missing("FILE"))?, entry }
        }
        Some("checkpoint") => {
            none(entry.is_some(), "--entry", "checkpoint")?;
            none(!against.is_empty(), "--against", "checkpoint")?;
            Subject::Checkpoint { file: path.ok_or(BadUsage::Missing("FILE"))? }
        }
        Some(_) | None => return Err(BadUsage::UnknownCommand(command.to_string_lossy().into_owned())),
    };
    let key = key.ok_or(BadUsage::Missing("--key"))?.into_string().map_err(|_| BadUsage::KeyNotText)?;
    Ok(Request::Check { key, subject })
}

fn once(slot: &mut Option<OsString>, option: &'static str, value: OsString) -> Result<(), BadUsage> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(BadUsage::Twice(option)),
    }
}

fn none(given: bool, option: &'static str, command: &'static str) -> Result<(), BadUsage> {
    if given { Err(BadUsage::Foreign { option, command }) } else { Ok(()) }
}
