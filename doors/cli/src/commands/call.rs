//! `toolgate call`: one tool call through the gate.

use std::io::Read as _;
use std::time::Duration;

use call::{CallId, Clock as _, Content, Fault, Lane, Reason, ReasonCode, Refusal, RiskFlag, Ruling};
use gate::{Incoming, Reply, Status, Weighed};
use rustix::fs::{Mode, OFlags};
use screen::KnownSecrets;
use serde::Serialize;

use super::print;
use crate::arguments::{CallArguments, CallWords, Format};
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::gatehouse::{Gatehouse, LEDGER_UNAVAILABLE};
use crate::interrupt;
use crate::terminal::{reason, say, say_error};
use crate::toolbox::sandbox;
use crate::visible::{visible, visible_lines};
use crate::works;

/// Bytes of arguments that are read from a file; one more than a call may carry.
const LARGEST: u64 = call::Arguments::LARGEST as u64 + 1;

/// What programs are told.
#[derive(Serialize)]
struct Answer<'a> {
    call_id: Option<String>,
    status: &'static str,
    summary: &'a str,
    artifacts: &'a [String],
    content: serde_json::Value,
    untrusted: bool,
    labels: &'a [String],
    verdict: &'static str,
    reasons: &'a [Reason],
    risk_flags: Vec<String>,
    ledger_entry: Option<u64>,
}

/// What programs are told about a call that was only weighed.
#[derive(Serialize)]
struct Forecast<'a> {
    #[serde(flatten)]
    answer: Answer<'a>,
    rules: &'a [String],
    policy: String,
    effects: Option<serde_json::Value>,
    effects_digest: Option<String>,
    confinement: Option<&'a call::Confinement>,
    /// What this machine lacks for it.
    missing: Option<Reason>,
}

pub(crate) fn run(arguments: &CallArguments) -> Exit {
    let format = arguments.home.format;
    let gatehouse = match Gatehouse::open(arguments.home.home.as_deref()) {
        Ok(gatehouse) => gatehouse,
        Err(error) => return not_taken(format, error.code(), &error.to_string(), error.hint()),
    };
    let incoming = match typed(&arguments.words) {
        Ok(incoming) => incoming,
        Err(exit) => return exit,
    };
    if arguments.dry_run {
        let weighed = gatehouse.weigh(&incoming, SystemClock.now());
        let weighed = foreseen(weighed, gatehouse.known_secrets());
        return forecast(&weighed, gatehouse.known_secrets(), format);
    }
    let gate = match works::gate(&gatehouse, Duration::from_secs(arguments.wait)) {
        Ok(gate) => gate,
        Err(error) => return not_taken(format, error.code(), &error.to_string(), error.hint()),
    };
    let cancelled = interrupt::cancelled();
    let replied = match &arguments.approval {
        None => gate.handle(&incoming, cancelled),
        Some(id) => match id.parse::<CallId>() {
            Ok(id) => gate.resume(id, &incoming, cancelled),
            Err(error) => {
                say_error(
                    &format!("`--approval {id}`: {error}"),
                    Some("`toolgate pending` lists what waits"),
                );
                return Exit::CouldNot;
            }
        },
    };
    match replied {
        Ok(reply) => show(&reply, format),
        Err(halt) => not_taken(format, LEDGER_UNAVAILABLE, &halt.to_string(), Some(STOPPED)),
    }
}

/// What is to be known about a call that the ledger left alone. Its intent was on record before it did anything.
const STOPPED: &str = "nothing was handed over; make the ledger writable again: what the call had begun is then \
    on record as `interrupted`";

/// Says that there is no gate that takes the call; to programs in the form of every other answer.
fn not_taken(format: Format, code: &str, message: &str, hint: Option<&str>) -> Exit {
    say_error(message, hint);
    if format == Format::Text {
        return Exit::CouldNot;
    }
    let reason =
        |code| Reason { code, message: message.to_owned(), rule: None, remedy: hint.map(str::to_owned) };
    let reasons: Vec<Reason> = ReasonCode::parse(code).map(reason).into_iter().collect();
    let answer = Answer {
        call_id: None,
        status: "error",
        summary: message,
        artifacts: &[],
        content: serde_json::Value::Null,
        untrusted: false,
        labels: &[],
        verdict: "deny",
        reasons: &reasons,
        risk_flags: Vec::new(),
        ledger_entry: None,
    };
    print::json(&answer, Exit::CouldNot)
}

/// The call of its words. Arguments that name a file are read from there.
pub(crate) fn typed(words: &CallWords) -> Result<Incoming, Exit> {
    let (arguments, not_text) = match words.args.strip_prefix('@') {
        None => (words.args.clone(), None),
        Some(file) => read_arguments(file).map_err(|error| {
            say_error(&format!("`{file}`: {}", reason(&error)), Some("`--args @FILE` reads one JSON object"));
            Exit::CouldNot
        })?,
    };
    Ok(Incoming {
        tool: words.tool.clone(),
        purpose: words.purpose.clone(),
        arguments,
        not_text,
        agent: words.agent.clone(),
        session: words.session.clone(),
        skill: words.skill.clone(),
        context: words.context.context(),
    })
}

/// The text of a file, and the first byte that is none. What is not UTF-8 is no JSON either, and is
/// refused as that: the call is denied, not the reading.
fn read_arguments(file: &str) -> std::io::Result<(String, Option<usize>)> {
    let mut bytes = Vec::new();
    if file == "-" {
        std::io::stdin().lock().take(LARGEST).read_to_end(&mut bytes)?;
    } else {
        // A pipe that nobody writes to is not waited for.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = std::fs::File::from(rustix::fs::open(file, flags, Mode::empty())?);
        if !file.metadata()?.is_file() {
            let why = "not an ordinary file; `@-` reads from standard input";
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, why));
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

/// A refusal for want of something on this machine is one that nobody could have given otherwise.
fn denied(reasons: &[Reason]) -> Exit {
    let is_missing = reasons.first().is_some_and(|reason| reason.code.is_missing());
    if is_missing { Exit::CouldNot } else { Exit::Refused }
}

/// With what the smallest lane would refuse: an allowed call would end there as denied.
fn foreseen(mut weighed: Weighed, known: &KnownSecrets) -> Weighed {
    let Ruling::Allow(walls) = &weighed.ruled.ruling else { return weighed };
    let Some(call) = weighed.call.as_ref().filter(|_| walls.lane == Some(Lane::Monty)) else {
        return weighed;
    };
    let arguments = call.arguments.values();
    let code = arguments.get("code").and_then(serde_json::Value::as_str);
    let has_stdin = arguments.get("stdin").is_some_and(serde_json::Value::is_string);
    if let Some(mut reason) = code.and_then(|code| execute::sandbox::refusal(code, has_stdin)) {
        if !known.find(&reason.message).is_empty() {
            "the lane `monty` does not run this code".clone_into(&mut reason.message);
        }
        weighed.ruled.flags.insert(RiskFlag::denial(&reason.code));
        weighed.ruled.ruling = Ruling::Deny(Refusal { reasons: vec![reason] });
    }
    weighed
}

/// What this machine lacks for the call. It is no part of what policy says, which is the same on every machine;
/// the call itself would be refused for it.
fn lacking(weighed: &Weighed, known: &KnownSecrets) -> Option<Reason> {
    let lane = match &weighed.ruled.ruling {
        Ruling::Allow(walls) => walls.lane,
        Ruling::Ask(question) => question.walls.lane,
        Ruling::Deny(_) => None,
    };
    let lane = lane.filter(|lane| matches!(lane, Lane::Jail | Lane::Microvm))?;
    match sandbox().prospect(weighed.effects.as_ref()?, Some(lane)) {
        Err(Fault::Denied(reason)) => Some(reason).filter(|reason| known.find(&reason.message).is_empty()),
        // Whatever else goes wrong now may go well when the call is made.
        Ok(()) | Err(_) => None,
    }
}

/// Tells what policy would say.
fn forecast(weighed: &Weighed, known: &KnownSecrets, format: Format) -> Exit {
    let ruled = &weighed.ruled;
    let exit = exit_of(&ruled.ruling);
    let missing = lacking(weighed, known);
    match format {
        Format::Text => {
            for reason in ruled.ruling.reasons() {
                say(&spelled(reason));
            }
            if let Some(reason) = &missing {
                say(&format!("this machine could not do it\n{}", spelled(reason)));
            }
            print::text(&format!("{}\n", ruled.ruling.verdict()), exit)
        }
        Format::Json => {
            let (status, confinement) = match &ruled.ruling {
                Ruling::Allow(walls) => ("success", Some(walls)),
                Ruling::Ask(question) => ("waiting", Some(&question.walls)),
                Ruling::Deny(_) => ("denied", None),
            };
            let summary = match ruled.ruling.reasons().first() {
                None => "policy allows this call",
                Some(first) => &first.message,
            };
            let effects = weighed.effects.as_ref();
            // What a call would do repeats its arguments, and so a secret that it came with.
            let shown = effects.and_then(|effects| String::from_utf8(effects.canonical()).ok());
            let shown = shown.filter(|text| known.find(text).is_empty());
            let answer = Answer {
                call_id: None,
                status,
                summary,
                artifacts: &[],
                content: serde_json::Value::Null,
                untrusted: false,
                labels: &[],
                verdict: ruled.ruling.verdict(),
                reasons: ruled.ruling.reasons(),
                risk_flags: ruled.flags.iter().map(ToString::to_string).collect(),
                ledger_entry: None,
            };
            let forecast = Forecast {
                answer,
                rules: &ruled.rules,
                policy: ruled.policy.to_string(),
                effects: shown.and_then(|text| serde_json::from_str(&text).ok()),
                effects_digest: effects.map(|effects| effects.digest().to_string()),
                confinement,
                missing,
            };
            print::json(&forecast, exit)
        }
    }
}

/// Tells what came of a call.
pub(crate) fn show(reply: &Reply, format: Format) -> Exit {
    let exit = match reply.status {
        Status::Success => Exit::Done,
        Status::Error => Exit::Failed,
        Status::Denied => denied(&reply.reasons),
        Status::Waiting => Exit::Waits,
    };
    match format {
        Format::Json => print::json(&answer(reply), exit),
        Format::Text => {
            for reason in &reply.reasons {
                say(&spelled(reason));
            }
            let call = reply.call.map(|call| format!("call {call}\n")).unwrap_or_default();
            match reply.status {
                Status::Success => {
                    let labels = match reply.labels.is_empty() {
                        true => String::new(),
                        false => format!(" [{}]", reply.labels.join(", ")),
                    };
                    say(&format!("{call}{}{labels}", visible(&reply.summary)));
                    print::text(&told(&reply.content), exit)
                }
                // A program that failed has said something all the same.
                Status::Error => print::text(&format!("{call}error\n{}", told(&reply.content)), exit),
                Status::Denied | Status::Waiting => print::text(&format!("{call}{}\n", reply.verdict), exit),
            }
        }
    }
}

/// What was asked for, as a terminal can be trusted with it.
fn told(content: &Content) -> String {
    match content {
        Content::Nothing => String::new(),
        Content::Text(text) if text.ends_with('\n') || text.is_empty() => visible_lines(text),
        Content::Text(text) => visible_lines(text) + "\n",
        Content::Data(data) => visible_lines(&serde_json::to_string_pretty(data).unwrap_or_default()) + "\n",
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

fn answer(reply: &Reply) -> Answer<'_> {
    Answer {
        call_id: reply.call.map(|call| call.to_string()),
        status: reply.status.as_str(),
        summary: &reply.summary,
        artifacts: &reply.artifacts,
        content: match &reply.content {
            Content::Nothing => serde_json::Value::Null,
            Content::Text(text) => text.clone().into(),
            Content::Data(data) => data.clone(),
        },
        untrusted: reply.untrusted,
        labels: &reply.labels,
        verdict: reply.verdict,
        reasons: &reply.reasons,
        risk_flags: reply.flags.iter().map(ToString::to_string).collect(),
        ledger_entry: reply.entry,
    }
}
