//! `toolgate run REQUEST`: an approved document runs, once, and what comes back is another document.
//!
//! In this order, and each step only after the one before: read once, checked, weighed, approved, inputs
//! taken, lane tried, a folder for what comes back, the intent on record, the run, the result, the outcome on
//! record, the move to `done/`. Whatever is refused before the intent uses nothing up.

use std::collections::BTreeSet;
use std::time::Instant;

use call::{Clock as _, Moment, Reason, ReasonCode, RiskFlag, Sha256};
use document::{Document, Profile, Request, Source, check, digest};
use lanes::Ran;
use record::Ledger;

use super::answer::Answer;
use super::approval::{self, Agreed, NotAgreed};
use super::aside::set_aside;
use super::done::Done;
use super::once::{self, Begun, Ending, NotBegun, Refused};
use super::paper::{Paper, Shelf};
use super::report::{MadeOf, missing_outputs};
use super::results::{Staging, verified};
use super::setting::Setting;
use super::weighing::Weighed;
use super::{INVALID_DOCUMENT, inputs, lane, own_reason, reason};
use crate::arguments::{Format, RunArguments};
use crate::chance::chance;
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::gatehouse::LEDGER_UNAVAILABLE;
use crate::home::NoBooks;
use crate::terminal::{self, say, say_error, with_causes};

pub(crate) fn run(arguments: &RunArguments) -> Exit {
    let format = arguments.home.format;
    let setting = match Setting::open(arguments.home.home.as_deref()) {
        Ok(setting) => setting,
        Err(error) => return not_taken(format, error.code(), &error.to_string(), error.hint()),
    };
    let paper = match Paper::open(setting.home(), &arguments.request) {
        Ok(paper) => paper,
        Err(error) => {
            let hint = "a request is named by its path, or by its id when it lies in the home";
            return not_taken(format, "no_request", &error.to_string(), Some(hint));
        }
    };
    let ledger = match setting.ledger(SystemClock.now()) {
        Ok(ledger) => ledger,
        Err(error) => return not_taken(format, LEDGER_UNAVAILABLE, &error.to_string(), error.hint()),
    };
    let running = Running { setting: &setting, ledger: &ledger, arguments, began: SystemClock.tick() };
    match running.through(paper) {
        Ok(exit) => exit,
        Err(error) => not_taken(format, LEDGER_UNAVAILABLE, &error.to_string(), error.hint()),
    }
}

/// Says that nothing can be run; to programs in the form of every other answer.
fn not_taken(format: Format, code: &str, message: &str, hint: Option<&str>) -> Exit {
    say_error(message, hint);
    if format == Format::Text {
        return Exit::CouldNot;
    }
    let reason =
        |code| Reason { code, message: message.to_owned(), rule: None, remedy: hint.map(str::to_owned) };
    let reasons = ReasonCode::parse(code).map(reason).into_iter().collect();
    Answer { verdict: "deny", status: "error", reasons, ..Answer::default() }.print(format, Exit::CouldNot)
}

struct Running<'r> {
    setting: &'r Setting,
    ledger: &'r Ledger,
    arguments: &'r RunArguments,
    began: Instant,
}

/// A request that may run.
struct Cleared {
    weighed: Weighed,
    agreed: Agreed,
    inputs: Vec<lanes::Input>,
    ready: lane::Ready,
    limits: lanes::Limits,
    judge: super::setting::Judge,
}

/// Why a request does not run.
struct Stopped {
    weighed: Option<Box<Weighed>>,
    id: Option<String>,
    reasons: Vec<Reason>,
    exit: Exit,
}

impl Running<'_> {
    fn format(&self) -> Format {
        self.arguments.home.format
    }

    fn through(&self, paper: Paper) -> Result<Exit, NoBooks> {
        let content = Sha256::of(&paper.bytes);
        let cleared = match self.clear(&paper) {
            Ok(cleared) => cleared,
            Err(stopped) => return self.stop(*stopped, content, Some(paper)),
        };
        let results =
            self.arguments.results.clone().unwrap_or_else(|| self.setting.home().folder().join("results"));
        let call = once::call_of(&cleared.weighed.request.id);
        let staging = match Staging::new(&results, call, u64::from_ne_bytes(chance()?)) {
            Ok(staging) => staging,
            Err(error) => {
                let message = format!("`{}`: {}", results.display(), terminal::reason(&error));
                say_error(
                    &message,
                    Some("nothing was run; `--results` names a folder that can be written to"),
                );
                return Ok(Exit::CouldNot);
            }
        };
        let begun = once::begin(
            self.ledger,
            &cleared.weighed,
            &cleared.agreed,
            cleared.ready.lane,
            SystemClock.now(),
        );
        match begun {
            Ok(begun) => self.begun(&paper, cleared, &begun, staging),
            Err(NotBegun::Used(reason)) => {
                staging.remove();
                let id = Some(cleared.weighed.request.id.clone());
                let weighed = Some(Box::new(cleared.weighed));
                self.stop(Stopped { weighed, id, reasons: vec![reason], exit: Exit::Refused }, content, None)
            }
            Err(NotBegun::NotRecorded(error)) => {
                staging.remove();
                Err(error.into())
            }
            Err(NotBegun::Store(error)) => {
                staging.remove();
                Err(error.into())
            }
        }
    }

    /// Everything that is looked at before anything is used up.
    fn clear(&self, paper: &Paper) -> Result<Cleared, Box<Stopped>> {
        let now = SystemClock.now();
        let (request, document) = self.checked(paper, now)?;
        let id = request.id.clone();
        let early = |reasons: Vec<Reason>| {
            Box::new(Stopped { weighed: None, id: Some(id.clone()), reasons, exit: Exit::Refused })
        };
        let in_force = self.setting.in_force().map_err(|reason| early(vec![reason]))?;
        let Some(weighed) = Weighed::new(request, document, in_force.policy, now) else {
            return Err(early(vec![reason(
                ReasonCode::BAD_REQUEST,
                "the request has no name to be known by",
                "",
            )]));
        };
        let stopped = |weighed: Weighed, reasons: Vec<Reason>, exit: Exit| {
            Box::new(Stopped { weighed: Some(Box::new(weighed)), id: Some(id.clone()), reasons, exit })
        };
        let walls = match weighed.walls() {
            Ok(walls) => walls.clone(),
            Err(reasons) => {
                let reasons = reasons.to_vec();
                return Err(stopped(weighed, reasons, Exit::Refused));
            }
        };
        match once::used(self.ledger, &id, weighed.document) {
            Ok(None) => {}
            Ok(Some(reason)) => return Err(stopped(weighed, vec![reason], Exit::Refused)),
            Err(error) => {
                let reason = reason(ReasonCode::POLICY_ERROR, error.to_string(), "");
                return Err(stopped(weighed, vec![reason], Exit::CouldNot));
            }
        }
        let agreed = match approval::verify(&weighed, paper, &in_force, now) {
            Ok(agreed) => agreed,
            Err(NotAgreed::Refused(reasons)) => return Err(stopped(weighed, reasons, Exit::Refused)),
            Err(NotAgreed::Waiting(reason)) => return Err(stopped(weighed, vec![reason], Exit::Waits)),
        };
        let most = lane::megabytes(walls.run.disk_mb);
        let found = inputs::collect(
            &weighed.request,
            paper,
            self.arguments.inputs.as_deref(),
            self.setting.home(),
            most,
        );
        let inputs = match found {
            Ok(inputs) => inputs,
            Err(reasons) => return Err(stopped(weighed, reasons, Exit::Refused)),
        };
        let ready = match lane::prepare(&weighed.request, &walls) {
            Ok(ready) => ready,
            Err(reason) => return Err(stopped(weighed, vec![reason], Exit::CouldNot)),
        };
        let judge = self.setting.judge(&weighed, now);
        let limits = lane::limits(&weighed.request, &walls);
        Ok(Cleared { weighed, agreed, inputs, ready, limits, judge })
    }

    /// The request that the document is, when it keeps every rule.
    fn checked(&self, paper: &Paper, now: Moment) -> Result<(Request, Sha256), Box<Stopped>> {
        let stem = paper.stem();
        let source = Source { stem: stem.as_deref(), bytes: &paper.bytes };
        let refused = |reasons: Vec<Reason>| {
            let id = stem.clone().filter(|stem| stem.starts_with("TR-"));
            Box::new(Stopped { weighed: None, id, reasons, exit: Exit::Refused })
        };
        let checked = check(&source, Profile::Strict, now)
            .map_err(|error| refused(vec![own_reason(INVALID_DOCUMENT, error.to_string(), "")]))?;
        if !self.setting.known_secrets().find(&String::from_utf8_lossy(&paper.bytes)).is_empty() {
            let message = "the document holds the value of a secret of this home";
            return Err(refused(vec![reason(ReasonCode::SECRET_EXFILTRATION, message, "take it out")]));
        }
        match (checked.document, digest(&source)) {
            (Some(Document::Request(request)), Some(digest)) => Ok((*request, digest)),
            (Some(Document::Result(_)), _) => {
                Err(refused(vec![own_reason(INVALID_DOCUMENT, "this is a result, and not a request", "")]))
            }
            (Some(Document::Request(_)) | None, _) => {
                let errors = checked.findings.iter().filter(|finding| finding.is_error());
                let reasons = errors.map(|finding| {
                    let place = finding.place;
                    let message = format!(
                        "{} at {}:{}: {}",
                        finding.rule.code, place.line, place.column, finding.message
                    );
                    own_reason(INVALID_DOCUMENT, message, finding.hint.as_deref().unwrap_or_default())
                });
                Err(refused(reasons.collect()))
            }
        }
    }

    /// Puts a refusal on record, and tells it.
    fn stop(&self, stopped: Stopped, content: Sha256, paper: Option<Paper>) -> Result<Exit, NoBooks> {
        let refused = Refused {
            weighed: stopped.weighed.as_deref(),
            content,
            reasons: &stopped.reasons,
            elapsed: self.began.elapsed(),
        };
        let entry = once::refuse(self.ledger, &refused, SystemClock.now())?;
        if stopped.weighed.is_none()
            && let Some(paper) = paper
        {
            set_aside(paper, self.setting.home());
        }
        let (verdict, status) = match stopped.exit {
            Exit::Waits => ("needs_approval", "waiting"),
            Exit::CouldNot if !stopped.reasons.iter().any(|reason| reason.code.is_missing()) => {
                ("deny", "error")
            }
            Exit::CouldNot | Exit::Done | Exit::Failed | Exit::Refused => ("deny", "denied"),
        };
        let answer = Answer {
            request_id: stopped.id,
            verdict,
            status,
            reasons: stopped.reasons,
            ledger_entry: Some(entry),
            ..Answer::default()
        };
        Ok(answer.print(self.format(), stopped.exit))
    }

    /// From here on the request is used up, whatever happens.
    fn begun(
        &self,
        paper: &Paper,
        cleared: Cleared,
        begun: &Begun,
        staging: Staging,
    ) -> Result<Exit, NoBooks> {
        let Cleared { weighed, agreed, inputs, ready, limits, judge } = cleared;
        let ran = ready.run(&weighed.request, inputs, limits, judge, &staging.outputs());
        let done = match ran {
            Ok(ran) => {
                let known = self.setting.known_secrets();
                let made_of =
                    MadeOf { weighed: &weighed, agreed: &agreed, ready: &ready, limits, begun, known };
                self.report(&made_of, ran, staging)
            }
            Err(error) => {
                staging.remove();
                Err((with_causes(&error), "lane_failed"))
            }
        };
        let mut answer =
            Answer { request_id: Some(weighed.request.id.clone()), verdict: "allow", ..Answer::default() };
        let (ending, exit) = match done {
            Ok(done) => done.told(&mut answer, self.began.elapsed()),
            Err((message, class)) => {
                answer.status = "error";
                answer.reasons.push(own_reason(
                    class,
                    message,
                    "the request is used up; draft it anew under another id",
                ));
                answer.lane = Some(ready.lane.as_str());
                (Ending::failed(class, self.began.elapsed(), ready.lane), Exit::CouldNot)
            }
        };
        let flags: BTreeSet<RiskFlag> =
            ending.flags.iter().chain(weighed.flags()).chain(&agreed.flags).cloned().collect();
        let ending = Ending { flags, ..ending };
        answer.ledger_entry =
            Some(once::end(self.ledger, begun, &weighed, &agreed, ending, SystemClock.now())?);
        if agreed.unsigned {
            say("nobody signed this request; policy lets that pass");
        }
        if matches!(paper.shelf, Shelf::Approved | Shelf::Drafts) {
            match paper.move_to(self.setting.home(), "done") {
                Ok(true) => {}
                Ok(false) => say("the document was changed while it ran, and stays where it is"),
                Err(error) => say_error(
                    &format!("the document was not moved to `done`: {}", terminal::reason(&error)),
                    None,
                ),
            }
        }
        Ok(answer.print(self.format(), exit))
    }

    /// Writes the result of a run.
    fn report(
        &self,
        made_of: &MadeOf<'_>,
        ran: Ran,
        staging: Staging,
    ) -> Result<Done, (String, &'static str)> {
        let missing = missing_outputs(made_of.request(), &ran);
        let report = made_of.report(&ran, &missing, SystemClock.now());
        let kept = staging.finish(&report, &ran.stdout, &ran.stderr);
        let (path, kept) = kept.map_err(|error| (with_causes(&error), "result_not_written"))?;
        let verified = verified(&kept) && missing.is_empty();
        Ok(Done { path, kept, ran, lane: made_of.ready.lane, verified, missing })
    }
}
