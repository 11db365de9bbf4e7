//! What people said about calls that wait, held against what those calls would do at this very moment.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use approve::{Asked, Binding, Grant, Principal, Settled, Signed, Subject, settle};
use call::{CallId, Confinement, Expected, Fault, Moment, Reason, ReasonCode, Ruling, Sha256};
use record::{Event, NotRecorded};
use serde_json::Value;

use crate::clean::without_secrets;
use crate::docket::Docket;
use crate::pass::{Case, Pending, Permitted, Refused, Weighed, Yes};
use crate::risk::risk_of;
use crate::standing::{Rulebook, Standing};
use crate::waiting::{Waiting, waiting_reply};
use crate::{Gate, Halt, Incoming, Reply, Status};

/// A question as a person is asked it: what the call would do now.
pub struct Question {
    /// What waits.
    pub waiting: Waiting,
    /// What policy says about it now.
    pub weighed: crate::weigh::Weighed,
    /// What an answer is bound to.
    pub asked: Asked,
    /// What stands at the targets.
    pub expected: Expected,
    /// The difference that it would make.
    pub diff: Option<String>,
    /// The walls within which it would run.
    pub walls: Confinement,
    /// Why a person is asked.
    pub reasons: Vec<Reason>,
}

/// Why there is nothing to answer.
#[derive(Debug, thiserror::Error)]
pub enum NoQuestion {
    /// It has ended, somebody runs it, or there never was such a call.
    #[error("no call {0} waits for anybody: it has ended, is being run, or never came")]
    NotWaiting(CallId),
    /// People are not asked about it any more.
    #[error("policy does not ask people about this call any more: {0}")]
    Decided(String),
    /// What it would change cannot be looked at.
    #[error("it cannot be told what the call would change: {0}")]
    Unclear(#[from] Fault),
    /// The rules of approval cannot be read.
    #[error("{0}")]
    Rules(String),
    /// The ledger failed.
    #[error(transparent)]
    Halt(#[from] Halt),
}

/// Where a question stands.
enum Stand {
    Yes(Box<(Yes, Option<Grant>)>),
    NotYet,
    No(Reason),
}

/// Why a call that names one which waits is not that call, and is asked about anew.
fn anew(code: ReasonCode, message: String) -> Reason {
    let remedy =
        "make the call without `approval` (`--approval` on the command line), so that a person is asked";
    Reason { code, message, rule: None, remedy: Some(remedy.to_owned()) }
}

/// What a call is that names one which waits.
enum Again {
    /// Policy refuses it.
    Denied,
    /// The call that waits; as it was weighed, where not a word of it is another.
    Same(Option<Box<Case>>),
    /// Another one.
    Other,
}

impl Gate {
    /// Whether somebody has answered such a question before: a grant that covers the call, or a refusal that
    /// is remembered. The question comes back where nobody has.
    pub(crate) fn answered_before(
        &self,
        pending: Pending,
        now: Moment,
        cancelled: &AtomicBool,
    ) -> Result<Result<Reply, Pending>, Halt> {
        if let Some(reason) = self.remembered_refusal(&pending, now)? {
            return Refused::new(pending.case, vec![reason]).record(&self.ledger, now).map(Ok);
        }
        let Some(grant) = self.covering_grant(&pending, now)? else { return Ok(Err(pending)) };
        let yes = Yes {
            approval: grant.digest,
            approver: names(&grant.approvers),
            expected: None,
            flags: Vec::new(),
        };
        match permitted(pending, yes) {
            Ok(permitted) => self.run(permitted, cancelled).map(Ok),
            Err(refused) => refused.record(&self.ledger, now).map(Ok),
        }
    }

    /// The call that waited, once enough people have agreed. What is asked for again must be that call.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn resume(&self, id: CallId, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        let Some(waiting) = self.waiting(id)? else {
            let reason = match self.refused_by_a_person(id, incoming)? {
                Some(said) => Reason {
                    code: ReasonCode::APPROVAL_REFUSED,
                    message: format!("the call {id} was refused: {said}"),
                    rule: None,
                    remedy: Some("do something else, or ask them in person".to_owned()),
                },
                None => anew(
                    ReasonCode::APPROVAL_USED,
                    format!("no call {id} waits for approval: it has ended, is being run, or never came"),
                ),
            };
            return self.refuse_anew(incoming, reason);
        };
        match self.asked_again(&waiting, incoming) {
            // What is refused whatever anybody agreed to is refused as that, and what waits goes on waiting.
            Again::Denied => self.handle(incoming, cancelled),
            Again::Same(case) => {
                let now = self.clock.now();
                let case = case.unwrap_or_else(|| self.case_again(&waiting, now));
                self.take_up_as(&waiting, case, now, cancelled)
            }
            Again::Other => {
                let message = format!("the approval {id} is for another call");
                self.refuse_anew(incoming, anew(ReasonCode::APPROVAL_MISMATCH, message))
            }
        }
    }

    /// Runs a call that waited, if what was agreed to is what it would do now.
    pub(crate) fn take_up(&self, waiting: &Waiting, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        let now = self.clock.now();
        self.take_up_as(waiting, self.case_again(waiting, now), now, cancelled)
    }

    /// The same for a call that was weighed just now.
    fn take_up_as(
        &self,
        waiting: &Waiting,
        case: Box<Case>,
        now: Moment,
        cancelled: &AtomicBool,
    ) -> Result<Reply, Halt> {
        let id = waiting.id;
        Ok(match case.ruled(&waiting.incoming) {
            Weighed::Denied(refused) => refused.record(&self.ledger, now)?,
            Weighed::Allowed(permitted) => self.run(*permitted, cancelled)?,
            Weighed::Asked(pending) => match self.stand(&pending, waiting, now)? {
                Stand::Yes(yes) => {
                    let (yes, grant) = *yes;
                    let reply = match permitted(pending, yes) {
                        Ok(permitted) => self.run(permitted, cancelled)?,
                        Err(refused) => return refused.record(&self.ledger, now),
                    };
                    // It holds from when the call has run: not when limits or a changed target kept it from
                    // that, and not for whoever came too late.
                    if let Some(grant) = grant
                        && !matches!(reply.status, Status::Denied)
                    {
                        self.keep_grant(&grant, waiting, self.clock.now())?;
                    }
                    reply
                }
                Stand::NotYet => waiting_reply(id, pending.docket(), None),
                Stand::No(reason) => Refused::new(pending.case, vec![reason]).record(&self.ledger, now)?,
            },
        })
    }

    /// What a person is asked about a call that waits.
    ///
    /// # Errors
    /// When there is nothing to answer.
    pub fn question(&self, id: CallId) -> Result<Question, NoQuestion> {
        let now = self.clock.now();
        let waiting = self.waiting(id)?.ok_or(NoQuestion::NotWaiting(id))?;
        let pending = match self.case_again(&waiting, now).ruled(&waiting.incoming) {
            Weighed::Asked(pending) => pending,
            Weighed::Allowed(_) => {
                return Err(NoQuestion::Decided("it is allowed now; ask again with its name".to_owned()));
            }
            Weighed::Denied(refused) => return Err(NoQuestion::Decided(refused.first_message())),
        };
        let (asked, expected) = self.asked(&pending, &waiting)?;
        let weighed = pending.docket().weighed.clone();
        let Ruling::Ask(question) = weighed.ruled.ruling.clone() else {
            return Err(NoQuestion::NotWaiting(id));
        };
        let diff = match (&weighed.tool, &weighed.call, &weighed.effects) {
            (Some(tool), Some(call), Some(effects)) => self.tools.preview(tool, &call.arguments, effects)?,
            _ => None,
        };
        // A file may hold a secret that nobody is shown, and that no record of an answer may hold.
        let known = self.knowledge.now();
        let diff = diff.map(|diff| without_secrets(&diff, &known));
        let (walls, reasons) = (question.walls, question.reasons);
        Ok(Question { waiting, weighed, asked, expected, diff, walls, reasons })
    }

    /// Puts on record what a person signed. The call waits on until it is asked for again.
    ///
    /// # Errors
    /// When the ledger fails, or the call does not wait any more.
    pub fn approve(&self, id: CallId, signed: record::Signed) -> Result<u64, NotRecorded> {
        self.ledger.append(&Event::Approved { call: id, signed: Box::new(signed) }, self.clock.now())
    }

    /// Where a question stands with the answers that it has.
    ///
    /// # Errors
    /// When there is nothing to answer.
    pub fn settled(&self, question: &Question) -> Result<Settled, NoQuestion> {
        self.settled_with(question, signed(&question.waiting.approved))
    }

    /// Where a question would stand with one more answer, so that whoever gives one that does not count is
    /// told before anything is put on record.
    ///
    /// # Errors
    /// When there is nothing to answer.
    pub fn would_settle(&self, question: &Question, answer: &record::Signed) -> Result<Settled, NoQuestion> {
        let mut answers = signed(&question.waiting.approved);
        let text = call::canonical::of_value(&answer.record).unwrap_or_default();
        answers.push(Signed { text, signature: answer.signature.clone().unwrap_or_default() });
        self.settled_with(question, answers)
    }

    fn settled_with(&self, question: &Question, answers: Vec<Signed>) -> Result<Settled, NoQuestion> {
        let standing = self.house.standing();
        let rulebook = standing.rulebook().ok_or(NoQuestion::NotWaiting(question.waiting.id))?;
        let rules = rulebook.approval_rules().map_err(|error| NoQuestion::Rules(error.to_string()))?;
        Ok(settle(&question.asked, &answers, &rules, &rulebook.approvers, self.clock.now()))
    }

    /// Ends a call that waits, because a person says no; and says no to the same for a while, if they want.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn decline(
        &self,
        id: CallId,
        by: &str,
        why: &str,
        until: Option<Moment>,
    ) -> Result<Option<Reply>, Halt> {
        let now = self.clock.now();
        let Some(waiting) = self.waiting(id)? else { return Ok(None) };
        let reason = Reason {
            code: ReasonCode::APPROVAL_REFUSED,
            message: format!("refused by {by}: {why}"),
            rule: None,
            remedy: None,
        };
        if let (Some(until), Some(effects)) = (until, waiting.effects) {
            let declined = record::Declined {
                session: waiting.incoming.session.clone(),
                effects,
                by: by.to_owned(),
                why: Some(why.to_owned()),
                until: until.to_string(),
            };
            self.ledger.append(&Event::Declined(Box::new(declined)), now)?;
        }
        let refused = Refused::new(self.case_again(&waiting, now), vec![reason]);
        let reply = refused.record(&self.ledger, now)?;
        // Somebody was quicker: it is run, or has ended. Whoever says no must not be told that it was refused.
        Ok(reply.entry.is_some().then_some(reply))
    }

    /// Ends calls that nobody answered in time, whatever policy says about them by now; and those that
    /// nobody can answer any more, because what was kept of them is gone.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn end_expired(&self) -> Result<(), Halt> {
        let now = self.clock.now();
        for id in self.ledger.waiting()? {
            let Some(waiting) = self.waiting(id)? else {
                self.ledger.end_lost(id, now)?;
                continue;
            };
            let standing = self.house.standing();
            let Some(rulebook) = standing.rulebook() else { continue };
            if now >= waiting.asked.later_by(rulebook.policy.home().approvals.expires_seconds) {
                Refused::new(self.case_again(&waiting, now), vec![expired()]).record(&self.ledger, now)?;
            }
        }
        Ok(())
    }

    /// A call that waits, weighed as it would be now.
    fn case_again(&self, waiting: &Waiting, now: Moment) -> Box<Case> {
        let standing = self.house.standing();
        let weighed = standing.weigh(&waiting.incoming, &self.knowledge.now(), now);
        self.case_of(waiting, standing, weighed)
    }

    fn case_of(
        &self,
        waiting: &Waiting,
        standing: Arc<Standing>,
        weighed: crate::weigh::Weighed,
    ) -> Box<Case> {
        let docket = Docket::again(&self.ledger, waiting, weighed);
        Box::new(Case { standing, docket, on_record: true, held: Some(waiting.held) })
    }

    /// The question as it is now: under the policy and tools of now, about what stands there now.
    fn asked(&self, pending: &Pending, waiting: &Waiting) -> Result<(Asked, Expected), NoQuestion> {
        let nothing = || NoQuestion::NotWaiting(waiting.id);
        let rulebook = pending.case.rulebook().ok_or_else(nothing)?;
        let weighed = &pending.docket().weighed;
        let (Some(tool), Some(effects)) = (&weighed.tool, &weighed.effects) else { return Err(nothing()) };
        let expected = self.tools.survey(effects)?;
        let binding = Binding::new(
            Subject::Call(waiting.id),
            tool.clone(),
            effects,
            weighed.ruled.policy,
            rulebook.definition(tool.as_str()),
            &expected,
        );
        let asked = Asked {
            binding,
            risk: risk_of(effects, &weighed.ruled.flags),
            asked_by: vec![waiting.incoming.agent.clone()],
            at: waiting.asked,
            expires: waiting.asked.later_by(rulebook.policy.home().approvals.expires_seconds),
        };
        Ok((asked, expected))
    }

    /// Where a question stands.
    fn stand(&self, pending: &Pending, waiting: &Waiting, now: Moment) -> Result<Stand, Halt> {
        let (asked, expected) = match self.asked(pending, waiting) {
            Ok(asked) => asked,
            Err(NoQuestion::Halt(halt)) => return Err(halt),
            Err(other) => return Ok(Stand::No(invalid(other.to_string()))),
        };
        let Some(rulebook) = pending.case.rulebook() else { return Ok(Stand::NotYet) };
        let rules = match rulebook.approval_rules() {
            Ok(rules) => rules,
            Err(error) => return Ok(Stand::No(invalid(error.to_string()))),
        };
        let answers = signed(&waiting.approved);
        Ok(match settle(&asked, &answers, &rules, &rulebook.approvers, now) {
            Settled::Granted { approvers, records, flags, grant, .. } => {
                let people: Vec<Principal> = approvers.into_iter().map(|signer| signer.principal).collect();
                let yes = Yes {
                    approval: consumed(&records),
                    approver: names(&people),
                    expected: Some(expected),
                    flags: flags.into_iter().collect(),
                };
                Stand::Yes(Box::new((yes, grant.map(|grant| *grant))))
            }
            Settled::Refused { why: approve::Why::Expired } => Stand::No(expired()),
            Settled::Refused { why: why @ approve::Why::Said { .. } } => Stand::No(Reason {
                code: ReasonCode::APPROVAL_REFUSED,
                message: why.to_string(),
                rule: None,
                remedy: None,
            }),
            Settled::StillWaiting { set_aside, .. } => {
                match set_aside.into_iter().find(|aside| aside.is_stale()) {
                    Some(aside) => Stand::No(invalid(aside.why.to_string())),
                    None => Stand::NotYet,
                }
            }
        })
    }

    /// Whether what is asked for again is the call that waits: the same deed, for the same agent.
    fn asked_again(&self, waiting: &Waiting, again: &Incoming) -> Again {
        let (standing, known, now) = (self.house.standing(), self.knowledge.now(), self.clock.now());
        let objections = self.knowledge.objections_to(again, &standing, &known);
        let weighed = standing.weigh_again(again, &known, now, objections);
        if matches!(weighed.ruled.ruling, Ruling::Deny(_)) {
            return Again::Denied;
        }
        if waiting.incoming == *again && weighed.tool.is_some() && weighed.effects.is_some() {
            return Again::Same(Some(self.case_of(waiting, standing, weighed)));
        }
        let deed = |weighed: crate::weigh::Weighed| Some((weighed.tool?, weighed.effects?.digest()));
        let one = &waiting.incoming;
        let same_actor = (&one.agent, &one.session, &one.skill, one.context)
            == (&again.agent, &again.session, &again.skill, again.context);
        let deed_now = deed(weighed);
        // The same words do the same, and mostly they are the same; only others are weighed to find out.
        let same_words =
            (&one.tool, &one.arguments, one.not_text) == (&again.tool, &again.arguments, again.not_text);
        let same_deed = || deed_now == deed(standing.weigh(one, &known, now));
        match same_actor && deed_now.is_some() && (same_words || same_deed()) {
            true => Again::Same(None),
            false => Again::Other,
        }
    }

    /// A call that names an approval which does not help it is a call of its own, and refused.
    fn refuse_anew(&self, incoming: &Incoming, reason: Reason) -> Result<Reply, Halt> {
        let (id, now) = (self.new_name()?, self.clock.now());
        let standing = self.house.standing();
        let weighed = standing.weigh(incoming, &self.knowledge.now(), now);
        let docket = Docket::new(&self.ledger, id, now, incoming, weighed);
        let mut refused =
            Refused::new(Box::new(Case { standing, docket, on_record: false, held: None }), vec![reason]);
        refused.is_denial();
        refused.record(&self.ledger, now)
    }

    /// What a person said who refused this call, for the agent that made it and nobody else.
    fn refused_by_a_person(&self, id: CallId, again: &Incoming) -> Result<Option<String>, Halt> {
        let text = |event: &Value, name: &str| event.get(name).and_then(Value::as_str).map(str::to_owned);
        for entry in &self.ledger.of_call(id)? {
            let Some(event) = self.ledger.event(entry)? else { continue };
            if text(&event, "error_class").as_deref() == Some(ReasonCode::APPROVAL_REFUSED.as_str())
                && text(&event, "agent").as_deref() == Some(&again.agent)
            {
                return Ok(event.pointer("/reasons/0/message").and_then(Value::as_str).map(str::to_owned));
            }
        }
        Ok(None)
    }

    fn remembered_refusal(&self, pending: &Pending, now: Moment) -> Result<Option<Reason>, Halt> {
        let effects = pending.docket().weighed.effects.as_ref().map(|effects| effects.digest().to_string());
        let text = |event: &Value, name: &str| event.get(name).and_then(Value::as_str).map(str::to_owned);
        for event in self.ledger.all_of("declined")?.into_iter().rev() {
            let until: Option<Moment> = text(&event, "until").and_then(|until| until.parse().ok());
            if text(&event, "session").as_deref() == Some(&pending.incoming.session)
                && text(&event, "effects") == effects
                && until.is_some_and(|until| now < until)
            {
                let by = text(&event, "by").unwrap_or_default();
                let why = text(&event, "why").map(|why| format!(": {why}")).unwrap_or_default();
                return Ok(Some(Reason {
                    code: ReasonCode::APPROVAL_REFUSED,
                    message: format!("{by} does not want to be asked about this again{why}"),
                    rule: None,
                    remedy: Some("do something else, or ask them in person".to_owned()),
                }));
            }
        }
        Ok(None)
    }

    /// A grant that covers the call, was not taken back, and whose signatures still count.
    fn covering_grant(&self, pending: &Pending, now: Moment) -> Result<Option<Grant>, Halt> {
        let weighed = &pending.docket().weighed;
        let (Some(rulebook), Some(tool), Some(effects), Some(actor)) =
            (pending.case.rulebook(), &weighed.tool, &weighed.effects, pending.docket().actor())
        else {
            return Ok(None);
        };
        let definition = rulebook.definition(tool.as_str());
        let own_counts = rulebook.approval_rules().is_ok_and(|rules| rules.self_approval);
        for (grant, _) in self.grants(rulebook, now)? {
            // Nobody runs their own calls on a grant of their own, where they may not agree to one either.
            if !own_counts && grant.approvers.iter().any(|by| by.looks_like(actor.agent.as_str())) {
                continue;
            }
            if grant.covers(tool, effects, &actor.session, weighed.ruled.policy, definition, now).is_ok() {
                return Ok(Some(grant));
            }
        }
        Ok(None)
    }

    /// The grants that hold now, each with its event.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn grants(&self, rulebook: &Rulebook, now: Moment) -> Result<Vec<(Grant, Value)>, Halt> {
        let Ok(rules) = rulebook.approval_rules() else { return Ok(Vec::new()) };
        let revoked: Vec<Value> = self
            .ledger
            .all_of("grant_revoked")?
            .into_iter()
            .filter_map(|event| event.get("grant").cloned())
            .collect();
        let mut grants = Vec::new();
        for event in self.ledger.all_of("granted")? {
            if event.get("approval").is_some_and(|grant| revoked.contains(grant)) {
                continue;
            }
            let answers = event.get("record").and_then(|record| record.get("answers")?.as_array().cloned());
            let answers = signed(&answers.unwrap_or_default());
            if let Some(grant) = Grant::verified(&answers, &rules, &rulebook.approvers, now)
                && now < grant.until
            {
                grants.push((grant, event));
            }
        }
        Ok(grants)
    }

    /// Takes a grant back.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn revoke(&self, grant: Sha256, by: &str, why: Option<&str>) -> Result<u64, NotRecorded> {
        let event = Event::GrantRevoked { grant, by: by.to_owned(), why: why.map(str::to_owned) };
        self.ledger.append(&event, self.clock.now())
    }

    fn keep_grant(&self, grant: &Grant, waiting: &Waiting, now: Moment) -> Result<(), Halt> {
        let answers: Vec<Value> = waiting
            .approved
            .iter()
            .map(|event| serde_json::json!({ "record": event.get("record"), "signature": event.get("signature") }))
            .collect();
        let signed = record::Signed {
            approver: names(&grant.approvers),
            approval: grant.digest,
            record: serde_json::json!({ "answers": answers, "call": waiting.id }),
            signature: None,
        };
        self.ledger.append(&Event::Granted(Box::new(signed)), now)?;
        Ok(())
    }
}

/// What people signed, as the ledger has it. The record is kept as data; what was signed is its one spelling.
fn signed(events: &[Value]) -> Vec<Signed> {
    let one = |event: &Value| {
        let text = call::canonical::of_value(event.get("record")?)?;
        let signature = event.get("signature")?.as_str()?.to_owned();
        Some(Signed { text, signature })
    };
    events.iter().filter_map(one).collect()
}

fn permitted(pending: Pending, yes: Yes) -> Result<Permitted, Refused> {
    let walls = match &pending.docket().weighed.ruled.ruling {
        Ruling::Ask(question) => question.walls.clone(),
        Ruling::Allow(_) | Ruling::Deny(_) => {
            return Err(Refused::new(pending.case, vec![invalid("nobody was asked".to_owned())]));
        }
    };
    Permitted::new(pending.case, walls, Some(yes))
}

/// One digest for everything that was signed.
fn consumed(records: &[Sha256]) -> Sha256 {
    match records {
        [only] => *only,
        several => {
            let texts: Vec<String> = several.iter().map(ToString::to_string).collect();
            Sha256::of(texts.join("\n").as_bytes())
        }
    }
}

fn names(people: &[Principal]) -> String {
    let names: Vec<&str> = people.iter().map(Principal::as_str).collect();
    names.join(", ")
}

fn invalid(message: String) -> Reason {
    Reason {
        code: ReasonCode::APPROVAL_INVALID,
        message,
        rule: None,
        remedy: Some("make the call again, so that a person is asked about it as it is now".to_owned()),
    }
}

fn expired() -> Reason {
    Reason {
        code: ReasonCode::APPROVAL_EXPIRED,
        message: "nobody agreed in time".to_owned(),
        rule: None,
        remedy: Some("make the call again".to_owned()),
    }
}
