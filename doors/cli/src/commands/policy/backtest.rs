//! `toolgate policy backtest`: the calls on record, decided again by another policy.

use std::path::Path;

use call::{Effects, Located, PathPlace, Paths as _};
use decide::{Deciding, Policy, decide};
use execute::place::Locator;
use record::store::{Store, StoreError};
use record::{Entry, PastRuling};
use serde::Serialize;
use serde_json::Value;

use super::diff::{files_of, sound};
use super::{home, look};
use crate::arguments::{Format, HomeArguments};
use crate::commands::print;
use crate::exit::Exit;
use crate::home::Disk;
use crate::terminal::{say_error, show_progress, wants_progress};
use crate::visible::visible;
use crate::weigh::locator;

/// Entries that are read at a time.
const AT_ONCE: usize = 1_000;

/// Changes that are listed; all are counted.
const MOST: usize = 1_000;

/// What programs are told.
#[derive(Debug, Default, Serialize)]
struct Answer {
    /// Calls that were decided again.
    calls: u64,
    unchanged: u64,
    /// Refusals of what was no call, or could not be decided about at all.
    not_calls: u64,
    /// Rulings whose effects are no longer kept.
    not_kept: u64,
    /// What was not allowed and would be.
    loosened: u64,
    /// What was allowed and would not be.
    tightened: u64,
    changes: Vec<Change>,
}

#[derive(Debug, Serialize)]
struct Change {
    entry: u64,
    call_id: String,
    at: String,
    agent: String,
    tool: String,
    old: String,
    new: &'static str,
    reasons: Vec<String>,
}

pub(super) fn run(new: &Path, arguments: &HomeArguments) -> Exit {
    match tested(new, arguments) {
        Ok(answer) => {
            let exit = if answer.loosened > 0 { Exit::Refused } else { Exit::Done };
            match arguments.format {
                Format::Json => print::json(&answer, exit),
                Format::Text => print::text(&answer.text(), exit),
            }
        }
        Err(exit) => exit,
    }
}

fn tested(new: &Path, arguments: &HomeArguments) -> Result<Answer, Exit> {
    let home = home(arguments.home.as_deref())?;
    let files = files_of(new, Some(&home))?;
    let policy = sound(Policy::load(&files, &Disk::new(home.workspace())), &files)?;
    let locator = locator(&home, &policy).map_err(|error| {
        say_error(&error.to_string(), None);
        Exit::CouldNot
    })?;
    let mut ledger = look(&home)?;
    let mut answer = Answer::default();
    answer.replay(&mut *ledger, &policy, &locator).map_err(|error| {
        say_error(&error.to_string(), None);
        Exit::CouldNot
    })?;
    Ok(answer)
}

impl Answer {
    fn replay(
        &mut self,
        ledger: &mut dyn Store,
        policy: &Policy,
        locator: &Locator,
    ) -> Result<(), StoreError> {
        let progress = wants_progress();
        let (mut next, size) = (0, ledger.size()?);
        loop {
            let entries = ledger.search(next, &["\"event\":\"ruled\""], AT_ONCE)?;
            for entry in &entries {
                self.again(entry, ledger, policy, locator)?;
                next = entry.place + 1;
            }
            if progress {
                show_progress(&format!("{next} of {size} entries"));
            }
            if entries.len() < AT_ONCE {
                break;
            }
        }
        if progress {
            show_progress("");
        }
        Ok(())
    }

    /// Decides one call again.
    fn again(
        &mut self,
        entry: &Entry,
        ledger: &mut dyn Store,
        policy: &Policy,
        locator: &Locator,
    ) -> Result<(), StoreError> {
        let Some(event) = entry.value().filter(|event| event.get("event") == Some(&"ruled".into())) else {
            return Ok(());
        };
        let digest = event.get("moved").and_then(Value::as_str).and_then(|digest| digest.parse().ok());
        let moved = match digest {
            Some(digest) => match ledger.blob(digest)? {
                Some(content) => serde_json::from_slice::<Value>(&content).ok(),
                None => {
                    self.not_kept += 1;
                    return Ok(());
                }
            },
            None => None,
        };
        let Some(past) = PastRuling::of(&event, moved.as_ref()) else {
            self.not_calls += 1;
            return Ok(());
        };
        let effects = relocated(past.effects, locator);
        let deciding = Deciding {
            tool: &past.tool,
            actor: &past.actor,
            effects: &effects,
            objections: &past.objections,
            now: past.at,
        };
        let ruling = decide(policy, &deciding).ruling;
        let new = ruling.verdict();
        self.calls += 1;
        match (rank(&past.verdict), rank(new)) {
            (old, new) if old == new => {
                self.unchanged += 1;
                return Ok(());
            }
            (old, new) if new > old => self.loosened += 1,
            (_, _) => self.tightened += 1,
        }
        if self.changes.len() < MOST {
            self.changes.push(Change {
                entry: entry.place,
                call_id: past.call.to_string(),
                at: past.at.to_string(),
                agent: past.actor.agent.to_string(),
                tool: past.tool.to_string(),
                old: past.verdict,
                new,
                reasons: ruling.reasons().iter().map(|reason| reason.code.to_string()).collect(),
            });
        }
        Ok(())
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for change in &self.changes {
            let reasons = change.reasons.join(" ");
            text.push_str(&format!(
                "{:>8}  {}  {} -> {}  {} {} {}\n",
                change.entry,
                change.call_id,
                visible(&change.old),
                change.new,
                visible(&change.agent),
                visible(&change.tool),
                visible(&reasons),
            ));
        }
        let listed = u64::try_from(self.changes.len()).unwrap_or(u64::MAX);
        let more = (self.loosened + self.tightened).saturating_sub(listed);
        if more > 0 {
            text.push_str(&format!("and {more} more\n"));
        }
        text.push_str(&format!(
            "{} calls decided again: {} unchanged, {} loosened, {} tightened\n",
            self.calls, self.unchanged, self.loosened, self.tightened
        ));
        if self.not_calls > 0 {
            text.push_str(&format!("{} refusals were about no call, and stay\n", self.not_calls));
        }
        if self.not_kept > 0 {
            text.push_str(&format!(
                "{} rulings are left out: what they were about is no longer kept\n",
                self.not_kept
            ));
        }
        text
    }
}

/// How far a verdict lets a call go.
fn rank(verdict: &str) -> u8 {
    match verdict {
        "allow" => 2,
        "needs_approval" => 1,
        _ => 0,
    }
}

/// Effects with paths that lay outside of the roots of that time looked up below those of another policy.
fn relocated(effects: Effects, locator: &Locator) -> Effects {
    effects.with_paths(|path: Located| match path.place {
        PathPlace::Outside => locator.locate(&path.given),
        PathPlace::Below { .. } | PathPlace::GateHome | PathPlace::Unclear(_) => path,
    })
}
