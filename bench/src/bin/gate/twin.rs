//! A ledger beside the gate's, of the same kind and on the same disk, that is told the same about the same calls.

use std::sync::Arc;

use call::CallId;
use gate::Incoming;
use record::{Asked, Ended, Event, Ledger, Ruling, Status};
use tempfile::TempDir;

use crate::home::{self, Home, call_id, now};
use crate::told;

pub(crate) struct Twin {
    pub(crate) ledger: Ledger,
    asked: Asked,
    ruling: Ruling,
    ended: Ended,
    _folder: TempDir,
}

impl Twin {
    /// What the gate of this home writes down about a call that may run and only looks, at this file.
    pub(crate) fn new(home: &Home, incoming: &Incoming, artifact: String) -> Result<Self, String> {
        let weighed = home.standing.weigh(incoming, &home.gate.knowledge.now(), now());
        let call = weighed.call.ok_or("the gate takes this for no call")?;
        let (id, policy) = (call_id()?, weighed.ruled.policy);
        let verdict = weighed.ruled.ruling.verdict();
        let asked = Asked {
            call: id,
            actor: Some(call.actor.clone()),
            tool: incoming.tool.clone(),
            purpose: incoming.purpose.clone(),
            arguments: Some(call.arguments.hash()),
        };
        let ended = Ended {
            asked: Arc::new(asked.clone()),
            status: Status::Success,
            elapsed_ms: 0,
            error_class: None,
            flags: weighed.ruled.flags.clone(),
            artifacts: vec![artifact],
            decision: Some(verdict.to_owned()),
            reasons: weighed.ruled.ruling.reasons().to_vec(),
            policy: Some(policy),
            approval: None,
            effects: weighed.effects.as_ref().map(call::Effects::digest),
            diff: None,
            lane: None,
            verified: None,
        };
        let ruling = Ruling {
            call: id,
            actor: Some(call.actor),
            tool: weighed.tool,
            effects: weighed.effects,
            objections: weighed.objections,
            verdict,
            reasons: weighed.ruled.ruling.reasons().to_vec(),
            rules: weighed.ruled.rules,
            flags: weighed.ruled.flags,
            policy,
            held: None,
        };
        let folder = TempDir::new().map_err(told)?;
        let ledger = home::ledger(folder.path(), &home::knowledge(), &Arc::default())?;
        Ok(Self { ledger, asked, ruling, ended, _folder: folder })
    }

    /// All that there is to say about one more such call.
    pub(crate) fn events(&self) -> Result<(CallId, Vec<Event>), String> {
        let call = call_id()?;
        let asked = Arc::new(Asked { call, ..self.asked.clone() });
        let ruling = Ruling { call, ..self.ruling.clone() };
        let ended = Ended { asked: Arc::clone(&asked), ..self.ended.clone() };
        let events =
            vec![Event::Asked(asked), Event::Ruled(Box::new(ruling)), Event::Outcome(Box::new(ended))];
        Ok((call, events))
    }

    /// Fails unless the gate wrote as much about a call of its own as this ledger is told about one.
    pub(crate) fn must_be_alike(&self, gate: &Ledger, its: CallId) -> Result<(), String> {
        let (ours, events) = self.events()?;
        self.ledger.append_all(&events, now()).map_err(told)?;
        let bytes = |ledger: &Ledger, call| -> Result<Vec<usize>, String> {
            Ok(ledger.of_call(call).map_err(told)?.iter().map(|entry| entry.leaf.len()).collect())
        };
        let (ours, its) = (bytes(&self.ledger, ours)?, bytes(gate, its)?);
        // How long it took may have more digits on one side.
        if ours.len() != its.len() || ours.iter().zip(&its).any(|(one, other)| one.abs_diff(*other) > 4) {
            return Err(format!("the ledgers are told different things: {ours:?} and {its:?} bytes"));
        }
        Ok(())
    }
}
