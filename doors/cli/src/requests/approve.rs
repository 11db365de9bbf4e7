//! `toolgate approve REQUEST`: a person looks at a request document, and signs it.
//!
//! What is signed is the digest of the document as it was shown, with everything that it does. The two fields
//! of the approval are filled in, which changes neither; the signature lies beside the document.

use std::os::fd::AsFd as _;
use std::path::Path;

use approve::show::{Asking, Exhibit, render};
use approve::{Answer as Said, Approval, Principal, Proposal, Scope, Settled, Signed};
use call::{Clock as _, Expected, Moment, ReasonCode};
use record::{Event, Ledger};
use rustix::fs::Mode;
use serde::Serialize;

use super::approval::settled;
use super::paper::{Paper, Shelf};
use super::proposed::{Proposed, approver, count, propose, refused};
use super::setting::{InForce, Setting};
use super::{reason, signatures};
use crate::arguments::Format;
use crate::clock::SystemClock;
use crate::commands::{no_books, print};
use crate::exit::Exit;
use crate::gatehouse::could_not;
use crate::home::NoBooks;
use crate::publish::replace_file;
use crate::terminal::{self, say, say_error};
use crate::visible::visible_path;

/// What is checked once a document has run.
const VERIFICATION: &str =
    "expected outputs are there, their digests are on record, and what was kept is read again";

/// What somebody wants to sign, and how.
pub(crate) struct Wish<'w> {
    /// The document: its path, or its id.
    pub(crate) request: &'w str,
    /// The name to sign by; nothing means the one that `approvers` has for the key.
    pub(crate) name: Option<&'w str>,
    /// Seconds that the yes holds at most.
    pub(crate) expires: Option<u32>,
    /// Why they agree.
    pub(crate) reason: &'w str,
    pub(crate) home: Option<&'w Path>,
    pub(crate) format: Format,
    /// The public key, as it stands in a `.pub` file.
    pub(crate) public_key: &'w str,
    /// Shows a page, and says whether the answer was a typed yes.
    pub(crate) ask: &'w dyn Fn(&str) -> Result<(), Exit>,
    /// Signs a text with the key, or says why not.
    pub(crate) sign: &'w dyn Fn(&[u8]) -> Result<String, Exit>,
}

/// What programs are told.
#[derive(Serialize)]
struct Told {
    request_id: String,
    path: String,
    document: String,
    approval: String,
    approver: String,
    expires_utc: String,
    have: u32,
    need: u32,
    approved: bool,
}

pub(crate) fn approve(wish: &Wish<'_>) -> Exit {
    let setting = match Setting::open(wish.home) {
        Ok(setting) => setting,
        Err(error) => return could_not(&error),
    };
    // A home that cannot be written to is known before anybody is asked.
    let ledger = match setting.ledger(SystemClock.now()) {
        Ok(ledger) => ledger,
        Err(error) => return no_books(&error),
    };
    through(wish, &setting, &ledger).unwrap_or_else(|exit| exit)
}

fn through(wish: &Wish<'_>, setting: &Setting, ledger: &Ledger) -> Result<Exit, Exit> {
    let in_force = setting.in_force().map_err(|reason| refused(&reason.message, reason.remedy.as_deref()))?;
    let approver = approver(wish, &in_force)?;
    let at = SystemClock.now();
    let proposed = propose(wish, setting, &in_force, ledger, &approver, at)?;
    (wish.ask)(&page(&proposed, &in_force, at))?;
    let approval = approval(&proposed, wish, &in_force, approver, at);
    let signature = (wish.sign)(&approval.canonical())?;
    let mut answers = proposed.before.clone();
    answers.push(Signed { text: approval.canonical(), signature: signature.clone() });
    let (have, need) = counted(&proposed, &answers, &in_force)?;
    let record = serde_json::from_slice(&approval.canonical()).unwrap_or_default();
    let event = Event::RequestApproved {
        request: proposed.weighed.request.id.clone(),
        document: proposed.weighed.document,
        signed: Box::new(record::Signed {
            approver: approval.approver.to_string(),
            approval: approval.digest(),
            record,
            signature: Some(signature),
        }),
    };
    ledger.append(&event, SystemClock.now()).map_err(|error| no_books(&NoBooks::from(error)))?;
    let path = put_down(&proposed, setting, &answers).map_err(|why| {
        say_error(&why, Some("the signature is on record, and the document is as it was; try again"));
        Exit::CouldNot
    })?;
    Ok(tell(wish, &proposed, &approval, &path, have, need))
}

/// The same with the new answer, which must count itself.
fn counted(proposed: &Proposed, answers: &[Signed], in_force: &InForce<'_>) -> Result<(u32, u32), Exit> {
    let end = settled(&proposed.weighed, answers, in_force, SystemClock.now());
    if let Ok(Settled::StillWaiting { set_aside, .. }) = &end
        && let Some(aside) = set_aside.iter().find(|aside| aside.answer + 1 == answers.len())
    {
        let message = format!("your yes does not count: {}", aside.why);
        return Err(refused(&message, Some("`approvers` in the home lists who may agree")));
    }
    let (have, need) = count(&proposed.weighed, answers, in_force).map_err(|why| refused(&why, None))?;
    if have <= proposed.have {
        return Err(refused("your yes adds nothing to those that count already", None));
    }
    Ok((have, need))
}

/// What the person is shown: what it does, and the whole document.
fn page(proposed: &Proposed, in_force: &InForce<'_>, now: Moment) -> String {
    let weighed = &proposed.weighed;
    let mut reasons = weighed.ruled.ruling.reasons().to_vec();
    if reasons.is_empty() {
        reasons.push(reason(
            ReasonCode::APPROVAL_REQUIRED,
            "a request document runs when a person has approved it",
            "",
        ));
    }
    let Ok(walls) = weighed.walls() else { return String::new() };
    let exhibits = [Exhibit { title: "document", text: &proposed.text }];
    let asking = Asking {
        subject: &weighed.binding.subject,
        tool: &weighed.tool,
        effects: &weighed.effects,
        expected: &Expected::default(),
        exhibits: &exhibits,
        walls,
        risk: weighed.risk,
        flags: weighed.flags(),
        reasons: &reasons,
        actor: &weighed.actor,
        purpose: &weighed.request.purpose,
        verification: VERIFICATION,
        have: proposed.have,
        need: proposed.need,
        expires: now.later_by(in_force.policy.home().approvals.expires_seconds),
        now,
    };
    render(&asking, crate::pager::width())
}

fn approval(
    proposed: &Proposed,
    wish: &Wish<'_>,
    in_force: &InForce<'_>,
    approver: Principal,
    at: Moment,
) -> Approval {
    let weighed = &proposed.weighed;
    let longest = in_force.policy.home().approvals.expires_seconds;
    let seconds = wish.expires.map_or(longest, |asked| asked.min(longest));
    let summary = match &weighed.request.task {
        document::Task::Command { line, .. } => line.clone(),
        document::Task::Code { code, .. } => code.clone(),
    };
    let inputs =
        weighed.request.inputs.iter().map(|input| format!("/in/{} sha256 {}", input.name, input.sha256));
    let outputs = weighed.request.outputs.iter().map(|output| output.path.clone());
    Approval {
        answer: Said::Approve,
        proposal: Proposal {
            action: "run".to_owned(),
            target: inputs.chain(outputs).collect(),
            summary,
            purpose: weighed.request.purpose.clone(),
            verification: VERIFICATION.to_owned(),
        },
        expected: Expected::default(),
        approver,
        at,
        expires: at.later_by(seconds),
        reason: wish.reason.to_owned(),
        binding: weighed.binding.clone(),
        scope: Scope::Once,
    }
}

/// Writes the document and its signatures, and moves a draft on.
fn put_down(
    proposed: &Proposed,
    setting: &Setting,
    answers: &[Signed],
) -> Result<std::path::PathBuf, String> {
    let paper = &proposed.paper;
    let failed = |error: std::io::Error| format!("`{}`: {}", paper.path.display(), terminal::reason(&error));
    if !paper.is_there() {
        return Err(format!("`{}` was changed while it was looked at", paper.path.display()));
    }
    let changed = proposed.text.as_bytes() != paper.bytes;
    if changed {
        let mode = Mode::from_raw_mode(0o644);
        replace_file(paper.folder().as_fd(), paper.name(), proposed.text.as_bytes(), mode).map_err(failed)?;
    }
    signatures::write(paper.folder(), &paper.signatures(), answers).map_err(failed)?;
    if paper.shelf != Shelf::Drafts {
        return Ok(paper.path.clone());
    }
    let written = Paper::read(setting.home(), &paper.path)
        .map_err(|why| format!("`{}`: {why}", paper.path.display()))?;
    if written.bytes != proposed.text.as_bytes() {
        return Err(format!("`{}` was changed while it was signed", paper.path.display()));
    }
    match written.move_to(setting.home(), "approved") {
        Ok(true) => Ok(super::paper::shelf(setting.home(), "approved").join(paper.name())),
        Ok(false) => Err(format!("`{}` was changed while it was signed", paper.path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err("a request with this id has been approved before; give the draft another id".to_owned())
        }
        Err(error) => Err(failed(error)),
    }
}

fn tell(
    wish: &Wish<'_>,
    proposed: &Proposed,
    approval: &Approval,
    path: &Path,
    have: u32,
    need: u32,
) -> Exit {
    let approved = have >= need;
    let exit = if approved { Exit::Done } else { Exit::Waits };
    let id = &proposed.weighed.request.id;
    let told = Told {
        request_id: id.clone(),
        path: path.to_string_lossy().into_owned(),
        document: proposed.weighed.document.to_string(),
        approval: approval.digest().to_string(),
        approver: approval.approver.to_string(),
        expires_utc: approval.expires.to_string(),
        have,
        need,
        approved,
    };
    match wish.format {
        Format::Json => print::json(&told, exit),
        Format::Text if approved => {
            say(&format!("{} has agreed until {}", told.approver, told.expires_utc));
            say(&format!("next: toolgate run {}", visible_path(path)));
            print::text(&format!("approved {id}\n"), exit)
        }
        Format::Text => {
            say(&format!("{have} of {need} have agreed"));
            print::text(&format!("waiting {id}\n"), exit)
        }
    }
}
