//! `toolgate approve`: a person looks at exactly what will happen, and signs it.

use approve::show::{Asking, Exhibit, render};
use approve::{Answer, Approval, Extent, Principal, Proposal, Scope, Settled, Subject};
use call::{CallId, Clock as _, Effect, Moment};
use gate::{Gate, NoQuestion, Question, Standing};
use serde::Serialize;

use super::pending::gate_of;
use super::print;
use crate::arguments::{ApproveArguments, Format};
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::gatehouse::Gatehouse;
use crate::pager;
use crate::sign::{self, Signature};
use crate::terminal::{ask_line, can_ask, say, say_error, with_causes};

/// What is checked once a call has run.
const VERIFICATION: &str = "what was written is read again and compared; the outcome is in the ledger";

/// What programs are told.
#[derive(Serialize)]
struct Told {
    call_id: String,
    approval: String,
    approver: String,
    expires_utc: String,
    have: u32,
    need: u32,
    approved: bool,
}

pub(crate) fn run(arguments: &ApproveArguments) -> Exit {
    match arguments.subject.parse::<CallId>() {
        Ok(id) => approve_call(id, arguments),
        Err(_) => crate::requests::approve_named(arguments),
    }
}

fn approve_call(id: CallId, arguments: &ApproveArguments) -> Exit {
    let (gatehouse, gate) = match gate_of(&arguments.home) {
        Ok(gate) => gate,
        Err(exit) => return exit,
    };
    let question = match gate.question(id) {
        Ok(question) => question,
        Err(error) => return no_question(&error),
    };
    let signer = match signer(&gatehouse, arguments) {
        Ok(signer) => signer,
        Err(exit) => return exit,
    };
    if let Err(exit) = agreed(&gate, &question, arguments) {
        return exit;
    }
    let approval = match approval(&gatehouse, &question, &signer, arguments) {
        Ok(approval) => approval,
        Err(why) => {
            say_error(&why, None);
            return Exit::CouldNot;
        }
    };
    let signature = match sign::sign(&approval.canonical(), &arguments.key) {
        Ok(signature) => signature,
        Err(error) => {
            say_error(&with_causes(&error), error.hint().as_deref());
            return Exit::CouldNot;
        }
    };
    put_down(&gate, &question, &approval, signature, arguments.home.format)
}

/// Puts the answer on record, unless it would not count.
fn put_down(
    gate: &Gate,
    question: &Question,
    approval: &Approval,
    signature: Signature,
    format: Format,
) -> Exit {
    let id = question.waiting.id;
    let record = match serde_json::from_slice(&approval.canonical()) {
        Ok(record) => record,
        Err(error) => {
            say_error(&format!("the record cannot be written: {error}"), None);
            return Exit::CouldNot;
        }
    };
    let signed = record::Signed {
        approver: approval.approver.to_string(),
        approval: approval.digest(),
        record,
        signature: Some(signature.armored),
    };
    // An answer that does not count is told to whoever gave it, and leaves no trace that looks like a yes.
    let (have, need) = match gate.would_settle(question, &signed) {
        Ok(Settled::Granted { approvers, .. }) => {
            let have = u32::try_from(approvers.len()).unwrap_or(u32::MAX);
            (have, have)
        }
        Ok(Settled::StillWaiting { set_aside, .. })
            if set_aside.last().is_some_and(|aside| aside.answer == question.waiting.approved.len()) =>
        {
            let why = set_aside.last().map(|aside| aside.why.to_string()).unwrap_or_default();
            say_error(
                &format!("your yes does not count: {why}"),
                Some("`approvers` in the home lists who may agree"),
            );
            return Exit::Refused;
        }
        Ok(Settled::StillWaiting { have, need, .. }) => (have, need),
        Ok(Settled::Refused { why }) => {
            say_error(&why.to_string(), None);
            return Exit::Refused;
        }
        Err(error) => return no_question(&error),
    };
    if let Err(error) = gate.approve(id, signed) {
        say_error(&error.to_string(), Some("`toolgate pending` lists what waits"));
        return Exit::CouldNot;
    }
    let approved = have >= need;
    let exit = if approved { Exit::Done } else { Exit::Waits };
    let told = Told {
        call_id: id.to_string(),
        approval: approval.digest().to_string(),
        approver: approval.approver.to_string(),
        expires_utc: approval.expires.to_string(),
        have,
        need,
        approved,
    };
    match format {
        Format::Json => print::json(&told, exit),
        Format::Text if approved => {
            say(&format!("{} has agreed until {}", told.approver, told.expires_utc));
            say(&format!("the agent runs it by asking again with `--approval {id}`"));
            print::text(&format!("approved {id}\n"), exit)
        }
        Format::Text => {
            say(&format!("{have} of {need} have agreed"));
            print::text(&format!("waiting {id}\n"), exit)
        }
    }
}

/// Shows what will happen, and asks for the typed word.
fn agreed(gate: &Gate, question: &Question, arguments: &ApproveArguments) -> Result<(), Exit> {
    let (weighed, waiting) = (&question.weighed, &question.waiting);
    let (Some(tool), Some(effects), Some(call)) = (&weighed.tool, &weighed.effects, &weighed.call) else {
        return Err(no_question(&NoQuestion::NotWaiting(waiting.id)));
    };
    let given = serde_json::to_string_pretty(call.arguments.values()).unwrap_or_default();
    let mut exhibits = Vec::new();
    if let Some(diff) = &question.diff {
        exhibits.push(Exhibit { title: "difference", text: diff });
    }
    exhibits.push(Exhibit { title: "call", text: &given });
    let (have, need) = match gate.settled(question) {
        Ok(Settled::StillWaiting { have, need, .. }) => (have, need),
        Ok(Settled::Granted { .. }) => (1, 1),
        Ok(Settled::Refused { why }) => {
            say_error(&why.to_string(), None);
            return Err(Exit::Refused);
        }
        Err(error) => return Err(no_question(&error)),
    };
    let page = render(
        &Asking {
            subject: &Subject::Call(waiting.id),
            tool,
            effects,
            expected: &question.expected,
            exhibits: &exhibits,
            walls: &question.walls,
            risk: question.asked.risk,
            flags: &weighed.ruled.flags,
            reasons: &question.reasons,
            actor: &call.actor,
            purpose: call.purpose.as_str(),
            verification: VERIFICATION,
            have,
            need,
            expires: question.asked.expires,
            now: SystemClock.now(),
        },
        pager::width(),
    );
    typed_yes(&page, arguments.yes)
}

/// Shows a page, and takes nothing for a yes but the typed word.
pub(crate) fn typed_yes(page: &str, without_asking: bool) -> Result<(), Exit> {
    if without_asking {
        say(page.trim_end());
        return Ok(());
    }
    if !can_ask() {
        say(page.trim_end());
        say_error(
            "nobody is at the terminal to answer",
            Some("`--yes` signs without asking, for scripts whose caller has looked"),
        );
        return Err(Exit::CouldNot);
    }
    pager::show(page);
    match ask_line("Type `yes` to sign this, anything else to leave it:") {
        Some(answer) if answer == "yes" => Ok(()),
        _ => {
            say("nothing was signed");
            Err(Exit::Refused)
        }
    }
}

/// Whose name is signed by.
pub(crate) fn signer(gatehouse: &Gatehouse, arguments: &ApproveArguments) -> Result<Principal, Exit> {
    let Standing::Ready(rulebook) = &**gatehouse.standing() else {
        say_error(
            "the policy of this home is not in force",
            Some("`toolgate policy apply` shows what changed and puts it in force"),
        );
        return Err(Exit::Refused);
    };
    if let Some(name) = &arguments.name {
        return name.parse().map_err(|error: approve::BadPrincipal| {
            say_error(&format!("`--as`: {error}"), None);
            Exit::CouldNot
        });
    }
    let public = sign::public_key(&arguments.key).map_err(|error| {
        say_error(&with_causes(&error), error.hint().as_deref());
        Exit::CouldNot
    })?;
    let names = rulebook.approvers.names_of_key(&public);
    match names.as_slice() {
        [name] => name.parse().map_err(|error: approve::BadPrincipal| {
            say_error(&error.to_string(), None);
            Exit::CouldNot
        }),
        [] => {
            let hint = format!(
                "add a line to `approvers` in the home, and `toolgate policy apply`:\n      you@example.org {public}"
            );
            say_error("the file `approvers` lists nobody with this key", Some(&hint));
            Err(Exit::Refused)
        }
        several => {
            let message = format!("the key is listed for several people: {}", several.join(", "));
            say_error(&message, Some("say with `--as` whose name you sign by"));
            Err(Exit::CouldNot)
        }
    }
}

fn approval(
    gatehouse: &Gatehouse,
    question: &Question,
    signer: &Principal,
    arguments: &ApproveArguments,
) -> Result<Approval, String> {
    let Standing::Ready(rulebook) = &**gatehouse.standing() else { return Err(String::new()) };
    let now = SystemClock.now();
    let most = now.later_by(rulebook.policy.home().approvals.expires_seconds);
    let expires = arguments.expires.map_or(most, |time| now.later_by(time.0)).min(most);
    let weighed = &question.weighed;
    let targets = question.expected.targets().iter().map(|target| target.path.to_string()).collect();
    let action: Vec<&str> = weighed.classes.iter().map(|class| class.as_str()).collect();
    Ok(Approval {
        answer: Answer::Approve,
        proposal: Proposal {
            action: action.join(" "),
            target: targets,
            summary: question.diff.clone().unwrap_or_default(),
            purpose: question.waiting.incoming.purpose.clone().unwrap_or_default(),
            verification: VERIFICATION.to_owned(),
        },
        expected: question.expected.clone(),
        approver: signer.clone(),
        at: now,
        expires,
        reason: arguments.reason.clone(),
        binding: question.asked.binding.clone(),
        scope: scope(question, arguments, now)?,
    })
}

/// How far the yes goes.
fn scope(question: &Question, arguments: &ApproveArguments, now: Moment) -> Result<Scope, String> {
    let Some(time) = arguments.grant else { return Ok(Scope::Once) };
    let weighed = &question.weighed;
    let (Some(tool), Some(effects), Some(call)) = (&weighed.tool, &weighed.effects, &weighed.call) else {
        return Ok(Scope::Once);
    };
    let below = match &arguments.below {
        None => None,
        Some(folder) => {
            let folder = std::fs::canonicalize(folder).map_err(|error| {
                format!("`--below {}`: {}", folder.display(), crate::terminal::reason(&error))
            })?;
            let folder = folder.to_str().and_then(call::AbsolutePath::parse);
            Some(folder.ok_or("`--below` is not a path of plain text")?)
        }
    };
    let extent = |effect: &Effect| -> Result<Extent, String> {
        match (&below, effect) {
            (Some(path), Effect::Read { .. }) => Ok(Extent::ReadBelow { path: path.clone() }),
            (Some(path), Effect::Write { .. }) => Ok(Extent::WriteBelow { path: path.clone() }),
            (Some(path), Effect::Delete { .. }) => Ok(Extent::DeleteBelow { path: path.clone() }),
            (Some(_) | None, effect) => {
                Extent::exactly(effect).ok_or_else(|| "what the call does cannot be granted".to_owned())
            }
        }
    };
    let extents = effects.iter().map(extent).collect::<Result<Vec<_>, _>>()?;
    Ok(Scope::Grant {
        tool: tool.clone(),
        extents,
        session: call.actor.session.clone(),
        until: now.later_by(time.0),
    })
}

fn no_question(error: &NoQuestion) -> Exit {
    match error {
        NoQuestion::NotWaiting(_) | NoQuestion::Decided(_) => {
            say_error(&error.to_string(), Some("`toolgate pending` lists what waits"));
            Exit::Refused
        }
        NoQuestion::Unclear(_) | NoQuestion::Rules(_) | NoQuestion::Halt(_) => {
            say_error(&error.to_string(), None);
            Exit::CouldNot
        }
    }
}
