//! `write_file` that a person agreed to: what it costs to take the call up again.

use approve::{Answer, Approval, NAMESPACE, Proposal, Scope};
use bench::Clean;
use call::CallId;
use gate::{Reply, Status};
use serde_json::json;
use ssh_key::{HashAlg, LineEnding};

use crate::figures::{Figures, timed};
use crate::home::{APPROVER, Home, incoming, now, wanted};
use crate::{Plan, told};

/// Calls that were taken up. Times in microseconds.
#[derive(Default)]
pub(crate) struct Approved {
    pub(crate) all: Figures,
    pub(crate) durable: Figures,
    pub(crate) tool: Figures,
    pub(crate) own: Figures,
    /// Transactions that appended events.
    pub(crate) appends: Figures,
    /// Transactions beside the log.
    pub(crate) others: Figures,
}

pub(crate) fn measure(plan: &Plan) -> Result<Approved, String> {
    let home = Home::make()?;
    let mut approved = Approved::default();
    let text = Clean::Markdown.text(4 * 1024);
    for number in 0..plan.approvals {
        let content = format!("{number}\n{text}");
        let call = incoming("write_file", &json!({ "path": "plan.md", "content": content }));
        let asked = home.gate.handle(&call, &wanted()).map_err(told)?;
        let id = must_be(&asked, Status::Waiting)?;
        agree(&home, id)?;
        let before = home.meter.read();
        let (reply, all) = timed(|| home.gate.resume(id, &call, &wanted()).map_err(told))?;
        let part = home.meter.read().since(before);
        must_be(&reply, Status::Success)?;
        if std::fs::read_to_string(home.workspace.join("plan.md")).map_err(told)? != content {
            return Err("something else was written".to_owned());
        }
        approved.all.push_microseconds(all);
        approved.durable.push_microseconds(part.durable);
        approved.tool.push_microseconds(part.tools);
        approved.own.push_microseconds(all.saturating_sub(part.durable + part.tools));
        approved.appends.push(part.appends as f64);
        approved.others.push(part.others as f64);
    }
    Ok(approved)
}

fn must_be(reply: &Reply, status: Status) -> Result<CallId, String> {
    match reply.call {
        Some(id) if reply.status == status => Ok(id),
        Some(_) | None => Err(format!("not {status:?}: {reply:?}")),
    }
}

/// A person looks at the question and signs it.
fn agree(home: &Home, id: CallId) -> Result<(), String> {
    let question = home.gate.question(id).map_err(told)?;
    let approval = Approval {
        answer: Answer::Approve,
        proposal: Proposal {
            action: "write".to_owned(),
            target: question.expected.targets().iter().map(|target| target.path.to_string()).collect(),
            summary: question.diff.clone().unwrap_or_default(),
            purpose: question.waiting.incoming.purpose.clone().unwrap_or_default(),
            verification: "what was written is read again and compared".to_owned(),
        },
        expected: question.expected.clone(),
        approver: APPROVER.parse().map_err(told)?,
        at: now(),
        expires: question.asked.expires,
        reason: String::new(),
        binding: question.asked.binding.clone(),
        scope: Scope::Once,
    };
    let text = approval.canonical();
    let signature = home.key.sign(NAMESPACE, HashAlg::Sha512, &text).map_err(told)?;
    let signed = record::Signed {
        approver: APPROVER.to_owned(),
        approval: approval.digest(),
        record: serde_json::from_slice(&text).map_err(told)?,
        signature: Some(signature.to_pem(LineEnding::LF).map_err(told)?),
    };
    home.gate.approve(id, signed).map(drop).map_err(told)
}
