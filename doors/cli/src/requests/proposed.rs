//! A request document that a person can be asked about: it keeps every rule, and policy lets it run.

use approve::{Principal, Settled, Signed};
use call::{Clock as _, Moment};
use document::{Document, Profile, Source, check, digest, fill_approval};
use record::Ledger;

use super::approval::settled;
use super::approve::Wish;
use super::aside::set_aside;
use super::paper::{Paper, Shelf};
use super::setting::{InForce, Setting};
use super::weighing::Weighed;
use super::{once, signatures};
use crate::clock::SystemClock;
use crate::draft::is_approval;
use crate::exit::Exit;
use crate::render::Blocks;
use crate::terminal::{self, say, say_error};
use crate::visible::visible_path;

/// A document that can be approved.
pub(super) struct Proposed {
    pub(super) paper: Paper,
    pub(super) weighed: Weighed,
    /// The document with its approval filled in.
    pub(super) text: String,
    /// Answers that count already.
    pub(super) before: Vec<Signed>,
    pub(super) have: u32,
    pub(super) need: u32,
}

/// Whose name is signed by.
pub(super) fn approver(wish: &Wish<'_>, in_force: &InForce<'_>) -> Result<Principal, Exit> {
    let names = in_force.approvers.names_of_key(wish.public_key);
    let name = match (wish.name, names.as_slice()) {
        (Some(name), _) => name,
        (None, [name]) => name,
        (None, []) => {
            let hint =
                format!("add a line to `approvers` in the home:\n      you@example.org {}", wish.public_key);
            return Err(refused("the file `approvers` lists nobody with this key", Some(&hint)));
        }
        (None, several) => {
            let message = format!("the key is listed for several people: {}", several.join(", "));
            say_error(&message, Some("say with `--as` whose name you sign by"));
            return Err(Exit::CouldNot);
        }
    };
    name.parse().map_err(|error: approve::BadPrincipal| refused(&format!("`{name}`: {error}"), None))
}

/// Reads the document, and holds it to every rule but that it is approved.
pub(super) fn propose(
    wish: &Wish<'_>,
    setting: &Setting,
    in_force: &InForce<'_>,
    ledger: &Ledger,
    approver: &Principal,
    at: Moment,
) -> Result<Proposed, Exit> {
    let paper = Paper::open(setting.home(), wish.request).map_err(|error| {
        say_error(
            &error.to_string(),
            Some("a request is named by its path, or by its id when it lies in the home"),
        );
        Exit::CouldNot
    })?;
    match paper.shelf {
        Shelf::Drafts | Shelf::Approved | Shelf::Elsewhere => {}
        Shelf::Done => {
            return Err(refused("the request has run already", Some("`toolgate new --from` drafts it anew")));
        }
        Shelf::Quarantine => {
            return Err(refused("the request is in quarantine", Some("the reasons lie beside it")));
        }
    }
    let Ok(text) = String::from_utf8(paper.bytes.clone()) else {
        return Err(refused("the document is not UTF-8 text", None));
    };
    let before = signatures::read(paper.folder(), &paper.signatures())
        .map_err(|error| refused(&format!("`{}`: {error}", paper.signatures().to_string_lossy()), None))?;
    let signed =
        weigh(&paper, &text, in_force).ok().and_then(|weighed| count(&weighed, &before, in_force).ok());
    // Answers that count stand, and so does what the document says of them; the first one is filled in.
    let (text, before, have) = match signed {
        Some((have, _)) if have > 0 => (text, before, have),
        Some(_) | None => {
            let filled = fill_approval(&text, approver.as_str(), at);
            match filled {
                Ok(filled) => (filled, Vec::new(), 0),
                Err(error) => return Err(broken(paper, &text, setting, &error.to_string())),
            }
        }
    };
    let weighed = match weigh(&paper, &text, in_force) {
        Ok(weighed) => weighed,
        Err(why) => return Err(broken(paper, &text, setting, &why)),
    };
    if let Err(reasons) = weighed.walls() {
        let told: Vec<String> =
            reasons.iter().map(|reason| format!("{}: {}", reason.code, reason.message)).collect();
        return Err(refused(&told.join("; "), Some("policy refuses it, whoever agrees")));
    }
    match once::used(ledger, &weighed.request.id, weighed.document) {
        Ok(None) => {}
        Ok(Some(reason)) => return Err(refused(&reason.message, reason.remedy.as_deref())),
        Err(error) => {
            say_error(&error.to_string(), None);
            return Err(Exit::CouldNot);
        }
    }
    let need = in_force.policy.home().approvals.quorum;
    Ok(Proposed { paper, weighed, text, before, have, need })
}

/// The request of a text that keeps every rule.
fn weigh(paper: &Paper, text: &str, in_force: &InForce<'_>) -> Result<Weighed, String> {
    let stem = paper.stem();
    let source = Source { stem: stem.as_deref(), bytes: text.as_bytes() };
    let now = SystemClock.now();
    let checked = check(&source, Profile::Strict, now).map_err(|error| error.to_string())?;
    match (checked.document, digest(&source)) {
        (Some(Document::Request(request)), Some(document)) => {
            Weighed::new(*request, document, in_force.policy, now)
                .ok_or_else(|| "the request has no name to be known by".to_owned())
        }
        (Some(Document::Result(_)), _) => Err("this is a result, and not a request".to_owned()),
        (Some(Document::Request(_)) | None, _) => {
            Err("the request would be refused, so nobody is asked".to_owned())
        }
    }
}

/// Says everything that is wrong with a document, and sets it aside.
fn broken(paper: Paper, text: &str, setting: &Setting, why: &str) -> Exit {
    let stem = paper.stem();
    let source = Source { stem: stem.as_deref(), bytes: text.as_bytes() };
    if let Ok(checked) = check(&source, Profile::Strict, SystemClock.now()) {
        let findings: Vec<_> = checked.findings.into_iter().filter(|finding| !is_approval(finding)).collect();
        if !findings.is_empty() {
            say(Blocks::new(terminal::colour()).all(&findings, text, &visible_path(&paper.path)).trim_end());
        }
    }
    set_aside(paper, setting.home());
    refused(why, None)
}

/// How many answers count, and how many must.
pub(super) fn count(
    weighed: &Weighed,
    answers: &[Signed],
    in_force: &InForce<'_>,
) -> Result<(u32, u32), String> {
    match settled(weighed, answers, in_force, SystemClock.now())? {
        Settled::Granted { approvers, .. } => {
            let have = u32::try_from(approvers.len()).unwrap_or(u32::MAX);
            Ok((have, in_force.policy.home().approvals.quorum))
        }
        Settled::StillWaiting { have, need, .. } => Ok((have, need)),
        Settled::Refused { why } => Err(why.to_string()),
    }
}

/// Says why it is refused.
pub(super) fn refused(message: &str, hint: Option<&str>) -> Exit {
    say_error(message, hint);
    Exit::Refused
}
