//! `toolgate policy apply`: files become the policy in force.

use std::io;

use call::{Clock as _, Moment, Sha256};
use decide::compare::Comparison;
use decide::{Policy, PolicyFiles};
use serde::Serialize;

use super::changes::Changes;
use super::check::{all_findings, say_findings};
use super::proving::{Method, compared};
use super::review::{self, Said};
use super::{home, look, no_books, no_home};
use crate::arguments::{ApplyArguments, Format};
use crate::clock::SystemClock;
use crate::commands::print;
use crate::exit::Exit;
use crate::home::{Applied, BadState, Books, Disk, Home, NoBooks};
use crate::terminal::{reason, say, say_error};
use crate::visible::visible;

/// What is in force where nothing is: less authority than any policy has.
const NOTHING: &str = "allowed_roots = []\nwrite_paths = []\napproval_required = []\n";

#[derive(Serialize)]
struct Answer {
    applied: bool,
    previous: Option<String>,
    digest: String,
    review: Option<String>,
    changes: Changes,
}

pub(super) fn run(arguments: &ApplyArguments) -> Exit {
    let (now, start) = (SystemClock.now(), SystemClock.tick());
    let home = match home(arguments.home.home.as_deref()) {
        Ok(home) => home,
        Err(exit) => return exit,
    };
    let files = match home.policy_files() {
        Ok(files) => files,
        Err(error) => return no_home(&error),
    };
    let disk = Disk::new(home.workspace());
    let new = match sound(&files, &disk) {
        Ok(new) => new,
        Err(exit) => return exit,
    };
    let before = match look(&home).map(|mut ledger| Applied::load(home.folder(), &mut *ledger)) {
        Err(exit) => return exit,
        Ok(Ok(applied)) => Some(applied.files),
        Ok(Err(BadState::Nothing | BadState::Damaged(_) | BadState::NotRecorded(_))) => None,
        Ok(Err(error @ (BadState::Unreadable { .. } | BadState::Ledger(_)))) => {
            say_error(&error.to_string(), None);
            return Exit::CouldNot;
        }
    };
    let nothing = PolicyFiles([("policy.toml".to_owned(), NOTHING.as_bytes().to_vec())].into());
    let old = Policy::load(before.as_ref().unwrap_or(&nothing), &disk).policy;
    // A policy in force that no longer loads allowed nothing, so everything is new.
    let Some(old) = old.or_else(|| Policy::load(&nothing, &disk).policy) else {
        say_error("the policy before this one cannot be read", None);
        return Exit::CouldNot;
    };
    let (comparison, method) = compared(old, new, now, start);
    let comparison = comparison.with_files(before.as_ref(), &files);
    let previous = before.as_ref().map(PolicyFiles::digest);
    apply(arguments, &home, &files, (&comparison, &method), previous, now)
}

/// The policy, when nothing is wrong with it that would close the gate.
fn sound(files: &PolicyFiles, disk: &Disk) -> Result<Policy, Exit> {
    let findings = all_findings(files, disk);
    let policy = Policy::load(files, disk).policy;
    let bad_mapping =
        findings.iter().any(|found| found.finding.is_error() && found.file.starts_with("tools/"));
    say_findings(&findings, files);
    match policy {
        Some(policy) if !bad_mapping => {
            if findings.iter().any(|found| found.finding.is_error()) {
                say("note: skills whose manifest has errors are denied everything until it is mended");
            }
            Ok(policy)
        }
        Some(_) | None => {
            say_error(
                "the policy has errors, and what is in force stays so",
                Some("mend them and apply again"),
            );
            Err(Exit::Refused)
        }
    }
}

fn apply(
    arguments: &ApplyArguments,
    home: &Home,
    files: &PolicyFiles,
    (comparison, method): (&Comparison, &Method),
    previous: Option<Sha256>,
    now: Moment,
) -> Exit {
    let changes = Changes::of(comparison, method);
    if arguments.home.format == Format::Text {
        say(changes.text().trim_end());
    }
    let review = if changes.is_expansion() {
        let said = match Said::gather(arguments) {
            Ok(said) => said,
            Err(missing) => {
                let hint = format!("more authority needs a review; say it with {}", missing.join(", "));
                say_error("nothing was applied", Some(&hint));
                return match arguments.home.format {
                    Format::Text => Exit::Refused,
                    Format::Json => print::json(
                        &Answer {
                            applied: false,
                            previous: previous.map(|digest| digest.to_string()),
                            digest: files.digest().to_string(),
                            review: None,
                            changes,
                        },
                        Exit::Refused,
                    ),
                };
            }
        };
        let digests = (previous, files.digest());
        match review::write(home.folder(), &said, comparison, digests, now) {
            Ok(path) => Some(path.to_string_lossy().into_owned()),
            Err(error) => return failed("the review cannot be written", &error),
        }
    } else {
        None
    };
    // The ledger first: files that it does not know are in force nowhere.
    let applied = record::Applied {
        policy: files.digest(),
        before: previous,
        risk: changes.risk().map(str::to_owned),
        review: review.as_ref().and_then(|path| std::fs::read(path).ok()).map(|text| Sha256::of(&text)),
        by: None,
    };
    if let Err(error) = recorded(home, applied, now) {
        return no_books(&error);
    }
    if let Err(error) = Applied::store(home.folder(), files, now) {
        return failed("the policy cannot be put in force", &error);
    }
    match arguments.home.format {
        Format::Json => {
            let previous = previous.map(|digest| digest.to_string());
            let digest = files.digest().to_string();
            print::json(&Answer { applied: true, previous, digest, review, changes }, Exit::Done)
        }
        Format::Text => {
            let review = review.map(|path| format!("review {}\n", visible(&path))).unwrap_or_default();
            print::text(&format!("{review}applied {}\n", files.digest()), Exit::Done)
        }
    }
}

fn recorded(home: &Home, applied: record::Applied, now: Moment) -> Result<(), NoBooks> {
    let ledger = Books::of(home.folder())?.start(now)?;
    ledger.append(&record::Event::PolicyApplied(applied), now)?;
    Ok(())
}

fn failed(message: &str, error: &io::Error) -> Exit {
    say_error(&format!("{message}: {}", reason(error)), Some("what was in force stays so"));
    Exit::CouldNot
}
