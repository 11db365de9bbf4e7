//! Python that needs nothing, in the smallest lane.

use std::sync::{Arc, PoisonError};

use call::{Content, Done, Errand, ExitReason, Fault, Lane, Language, Reason, ReasonCode, Run};
use monty_lane::rules::{Refusal, Rules};
use monty_lane::{Cancel, Exit, Failure, FailureKind, Outcome, Pool, PoolError, Request};
use serde_json::{Value, json};

use super::program::Start;
use super::{Sandbox, limits, told, watched};

impl Sandbox {
    pub(super) fn run_monty(
        &self,
        run: &Run,
        start: Start,
        stdin: &str,
        errand: &Errand<'_>,
    ) -> Result<Done, Fault> {
        let Start::Runtime(Language::Python, lanes::Program::Code(source)) = start else {
            return Err(Fault::failed("bad_request", "the lane `monty` only runs Python `code`"));
        };
        if errand.arguments.values().get("env").and_then(Value::as_object).is_some_and(|env| !env.is_empty())
        {
            return Err(Fault::Failed {
                class: "bad_request",
                message: "the lane `monty` has no environment".to_owned(),
                remedy: Some("ask for the lane `jail`".to_owned()),
            });
        }
        let mut inputs = serde_json::Map::new();
        if run.stdin.is_some() {
            inputs.insert("stdin".to_owned(), Value::String(stdin.to_owned()));
        }
        let bytes = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let output = bytes(limits::output(errand.walls));
        let caps = monty_lane::Limits {
            time: limits::time(run, errand.walls),
            memory: bytes(limits::memory(run, errand.walls)),
            prints: output,
            value: output,
        };
        let request = Request { source, modules: Vec::new(), inputs, limits: caps };
        let pool = self.pool().map_err(|error| missing(&error))?;
        let cancel = Cancel::new()
            .map_err(|error| Fault::failed("lane_failed", format!("no descriptor is left: {error}")))?;
        let outcome = watched(errand.cancelled, || cancel.cancel(), || pool.run(&request, Some(&cancel)));
        tell(outcome.map_err(|error| missing(&error))?, &limits::of_job(run, errand.walls))
    }

    fn pool(&self) -> Result<Arc<Pool>, PoolError> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = &*pool {
            return Ok(Arc::clone(pool));
        }
        let started = Arc::new(Pool::start(self.monty.clone())?);
        *pool = Some(Arc::clone(&started));
        Ok(started)
    }
}

fn missing(error: &PoolError) -> Fault {
    use std::error::Error as _;
    let why = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    match error {
        PoolError::Request(_) => Fault::failed("bad_request", error.to_string()),
        PoolError::Start(_)
        | PoolError::NotConfined(_)
        | PoolError::NotAWorker(_)
        | PoolError::Closed
        | _ => super::missing(
            ReasonCode::LANE_MISSING,
            format!("the lane `monty` is not there: {error}{why}"),
            super::DOCTOR,
        ),
    }
}

fn tell(outcome: Outcome, limits: &lanes::Limits) -> Result<Done, Fault> {
    let Outcome { exit, result, prints, duration, layers } = outcome;
    let reason = match exit {
        Exit::Exited => ExitReason::Exited,
        Exit::TimeLimit => ExitReason::TimeLimit,
        Exit::MemoryLimit => ExitReason::MemoryLimit,
        Exit::OutputLimit => ExitReason::OutputLimit,
        Exit::Cancelled => ExitReason::Cancelled,
    };
    told::ended(reason, limits, &prints)?;
    let (code, stderr, value) = match result {
        Ok(value) => {
            // Whole numbers of any length are JSON, and more than most readers of JSON take: then it is text.
            let json = serde_json::from_str(&value.json).unwrap_or(Value::String(value.json));
            (0, String::new(), json)
        }
        Err(failure) => (1, failed(failure)?, Value::Null),
    };
    let data = json!({
        "exit_code": code,
        "exit_reason": reason.as_str(),
        "stdout": prints,
        "stderr": stderr,
        "value": value,
        "lane": Lane::Monty.as_str(),
        "seconds": duration.as_secs_f64(),
    });
    Ok(Done {
        summary: told::summary(Lane::Monty, code, reason, 0),
        content: Content::Data(data),
        untrusted: true,
        labels: vec!["program_output".to_owned()],
        lane: Some((Lane::Monty, layers)),
        failed: told::failed(code),
        ..Done::default()
    })
}

/// What Python would have written to its standard errors; a failure where it is not the program's own.
fn failed(failure: Failure) -> Result<String, Fault> {
    let message = failure.to_string();
    match failure.kind {
        FailureKind::Python | FailureKind::Syntax | FailureKind::Recursion => {
            Ok(failure.traceback.unwrap_or(failure.message))
        }
        FailureKind::Refused => Err(Fault::Denied(broken_rule(&failure.refusals, message))),
        FailureKind::Unsupported => {
            Err(Fault::Failed { class: "unsupported", message, remedy: Some(JAIL.to_owned()) })
        }
        FailureKind::Memory
        | FailureKind::Time
        | FailureKind::Output
        | FailureKind::Cancelled
        | FailureKind::Crashed => Err(Fault::failed("lane_failed", message)),
    }
}

const JAIL: &str = "ask for the lane `jail`, which runs the machine's own Python";

fn broken_rule(refusals: &[Refusal], otherwise: String) -> Reason {
    let places: Vec<String> = refusals.iter().map(ToString::to_string).collect();
    let message = if places.is_empty() { otherwise } else { places.join("\n") };
    let code = ReasonCode::parse("sandbox_rule").unwrap_or(ReasonCode::UNKNOWN_EFFECT);
    Reason { code, message, rule: Some("lanes.monty".to_owned()), remedy: Some(JAIL.to_owned()) }
}

/// Why the lane would refuse to run this source, for whoever asks beforehand. The lane itself looks again.
#[must_use]
pub fn refusal(source: &str, has_stdin: bool) -> Option<Reason> {
    if Rules::is_plain(source) {
        return None;
    }
    let inputs: &[&str] = if has_stdin { &["stdin"] } else { &[] };
    let refusals = Rules::default().check(source, inputs).err()?;
    // A program that is none is run, and ends with the error that its interpreter gives it.
    let syntax = refusals.first().is_some_and(|first| first.message.starts_with("SyntaxError"));
    (!syntax).then(|| broken_rule(&refusals, String::new()))
}
