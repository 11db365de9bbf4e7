//! `toolgate call`: one tool call through the gate.

use std::io::Read as _;

use call::{CallContext, CallId, Clock as _, Reason, Ruling};
use record::Status;
use serde::Serialize;

use super::policy::no_books;
use super::print;
use crate::arguments::{CallArguments, CallWords, ContextName, Format};
use crate::chance::chance;
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::gatehouse::{Gatehouse, could_not};
use crate::home::NoBooks;
use crate::recording::{End, OnRecord};
use crate::terminal::{reason, say, say_error};
use crate::visible::visible;
use crate::weigh::{Typed, Weighed};

/// Bytes of arguments that are read from a file; one more than a call may carry.
const LARGEST: u64 = call::Arguments::LARGEST as u64 + 1;

/// What programs are told.
#[derive(Serialize)]
struct Answer<'a> {
    call_id: Option<String>,
    status: &'static str,
    summary: String,
    artifacts: [String; 0],
    content: Option<String>,
    untrusted: bool,
    labels: [String; 0],
    verdict: &'static str,
    reasons: &'a [Reason],
    risk_flags: Vec<String>,
    ledger_entry: Option<u64>,
    rules: &'a [String],
    policy: String,
    effects: Option<serde_json::Value>,
    effects_digest: Option<String>,
    confinement: Option<&'a call::Confinement>,
}

pub(crate) fn run(arguments: &CallArguments) -> Exit {
    let gatehouse = match Gatehouse::open(arguments.home.home.as_deref()) {
        Ok(gatehouse) => gatehouse,
        Err(error) => return could_not(&error),
    };
    let typed = match typed(&arguments.words) {
        Ok(typed) => typed,
        Err(exit) => return exit,
    };
    if arguments.dry_run {
        return show(&gatehouse.weigh(&typed, SystemClock.now()), None, arguments.home.format);
    }
    match through(&gatehouse, &typed) {
        Ok((weighed, recorded)) => {
            let exit = show(&weighed, Some(recorded), arguments.home.format);
            if matches!(weighed.ruled.ruling, Ruling::Allow(_)) {
                say_error(
                    "this version decides about calls and does not run them",
                    Some("`--dry-run` shows the ruling"),
                );
                return Exit::CouldNot;
            }
            exit
        }
        Err(error) => no_books(&error),
    }
}

/// Where a call is on record: its name, and its last entry.
#[derive(Clone, Copy)]
struct Recorded {
    call: CallId,
    entry: u64,
}

/// One call, on record from its first moment to its end.
fn through(gatehouse: &Gatehouse, typed: &Typed) -> Result<(Weighed, Recorded), NoBooks> {
    let (now, start) = (SystemClock.now(), SystemClock.tick());
    let ledger = gatehouse.books().start_knowing(gatehouse.known_secrets(), now)?;
    let mut call = OnRecord::ask(&ledger, CallId::new(now, chance()?), typed, now)?;
    let name = call.call();
    let weighed = gatehouse.weigh(typed, now);
    let ruled = call.rule(typed, &weighed, SystemClock.now())?;
    let ended = match weighed.ruled.ruling {
        Ruling::Ask(_) => None,
        Ruling::Deny(_) => Some((Status::Denied, None)),
        Ruling::Allow(_) => Some((Status::Error, Some("not_run"))),
    };
    let entry = match ended {
        None => ruled,
        Some((status, error_class)) => {
            let end = End { status, error_class, elapsed: start.elapsed() };
            call.end(&weighed, &end, SystemClock.now())?
        }
    };
    Ok((weighed, Recorded { call: name, entry }))
}

/// The call of its words. Arguments that name a file are read from there.
pub(crate) fn typed(words: &CallWords) -> Result<Typed, Exit> {
    let (arguments, not_text) = match words.args.strip_prefix('@') {
        None => (words.args.clone(), None),
        Some(file) => read_arguments(file).map_err(|error| {
            say_error(&format!("`{file}`: {}", reason(&error)), Some("`--args @FILE` reads one JSON object"));
            Exit::CouldNot
        })?,
    };
    Ok(Typed {
        tool: words.tool.clone(),
        purpose: words.purpose.clone(),
        arguments,
        not_text,
        agent: words.agent.clone(),
        session: words.session.clone(),
        skill: words.skill.clone(),
        context: match words.context {
            ContextName::Operator => CallContext::Operator,
            ContextName::Agent => CallContext::Agent,
            ContextName::Webhook => CallContext::Webhook,
            ContextName::External => CallContext::External,
        },
    })
}

/// The text of a file, and the first byte that is none. What is not UTF-8 is no JSON either, and is
/// refused as that: the call is denied, not the reading.
fn read_arguments(file: &str) -> std::io::Result<(String, Option<usize>)> {
    let mut bytes = Vec::new();
    if file == "-" {
        std::io::stdin().lock().take(LARGEST).read_to_end(&mut bytes)?;
    } else {
        let file = std::fs::File::open(file)?;
        if !file.metadata()?.is_file() {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not an ordinary file"));
        }
        file.take(LARGEST).read_to_end(&mut bytes)?;
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(at))
        }
    })
}

/// How a ruling ends the program.
pub(crate) const fn exit_of(ruling: &Ruling) -> Exit {
    match ruling {
        Ruling::Allow(_) => Exit::Done,
        Ruling::Ask(_) => Exit::Waits,
        Ruling::Deny(_) => Exit::Refused,
    }
}

fn show(weighed: &Weighed, recorded: Option<Recorded>, format: Format) -> Exit {
    let ruling = &weighed.ruled.ruling;
    let exit = exit_of(ruling);
    match format {
        Format::Json => print::json(&answer(weighed, recorded), exit),
        Format::Text => {
            for reason in ruling.reasons() {
                say(&spelled(reason));
            }
            let call = recorded.map(|recorded| format!("call {}\n", recorded.call)).unwrap_or_default();
            print::text(&format!("{call}{}\n", ruling.verdict()), exit)
        }
    }
}

/// One reason, for people.
pub(crate) fn spelled(reason: &Reason) -> String {
    let mut text = format!("{}: {}", reason.code, visible(&reason.message));
    if let Some(rule) = &reason.rule {
        text.push_str(&format!("\n  rule: {}", visible(rule)));
    }
    if let Some(remedy) = &reason.remedy {
        text.push_str(&format!("\n  hint: {}", visible(remedy)));
    }
    text
}

fn answer(weighed: &Weighed, recorded: Option<Recorded>) -> Answer<'_> {
    let ruled = &weighed.ruled;
    let (status, confinement) = match &ruled.ruling {
        Ruling::Allow(walls) => ("success", Some(walls)),
        Ruling::Ask(question) => ("waiting", Some(&question.walls)),
        Ruling::Deny(_) => ("denied", None),
    };
    let summary = match ruled.ruling.reasons().first() {
        None => "policy allows this call".to_owned(),
        Some(first) => first.message.clone(),
    };
    let effects = weighed.effects.as_ref();
    Answer {
        call_id: recorded.map(|recorded| recorded.call.to_string()),
        status,
        summary,
        artifacts: [],
        content: None,
        untrusted: false,
        labels: [],
        verdict: ruled.ruling.verdict(),
        reasons: ruled.ruling.reasons(),
        risk_flags: ruled.flags.iter().map(ToString::to_string).collect(),
        ledger_entry: recorded.map(|recorded| recorded.entry),
        rules: &ruled.rules,
        policy: ruled.policy.to_string(),
        effects: effects.and_then(|effects| serde_json::from_slice(&effects.canonical()).ok()),
        effects_digest: effects.map(|effects| effects.digest().to_string()),
        confinement,
    }
}
