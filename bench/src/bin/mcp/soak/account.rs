//! The answers that callers have, held against the ledger.

use std::collections::HashMap;
use std::fmt;

use call::CallId;
use serde::Deserialize;

use crate::gate::Gate;

/// What the ledger and the callers know about calls.
#[derive(Debug, Default)]
pub(super) struct Account {
    answered: usize,
    /// Calls on record.
    calls: usize,
    intents: usize,
    /// Answered calls that are not on record.
    unknown: usize,
    /// Calls on record without an end.
    lost: usize,
    /// Calls with more than one end.
    doubled: usize,
    /// Calls with more than one answer.
    told_twice: usize,
    /// Calls that nobody heard the answer of.
    unheard: usize,
}

/// What is known about one call.
#[derive(Clone, Copy, Default)]
struct Life {
    on_record: bool,
    intents: u8,
    ends: u8,
    answers: u8,
}

#[derive(Deserialize)]
struct Line<'l> {
    #[serde(borrow)]
    event: Event<'l>,
}

#[derive(Deserialize)]
struct Event<'l> {
    event: &'l str,
    call: Option<&'l str>,
}

impl Account {
    /// Reads the whole ledger once.
    pub(super) fn of(gate: &Gate, answered: &[CallId]) -> Result<Self, String> {
        let mut lives: HashMap<CallId, Life> = HashMap::new();
        for call in answered {
            let life = lives.entry(*call).or_default();
            life.answers = life.answers.saturating_add(1);
        }
        let limit = u32::MAX.to_string();
        gate.lines(&["ledger", "query", "--limit", &limit, "--format", "json"], |line| {
            let wrong = |error: &dyn fmt::Display| format!("an entry is not understood: {error}: {line}");
            let Event { event, call } =
                serde_json::from_str::<Line>(line).map_err(|error| wrong(&error))?.event;
            let Some(call) = call else { return Ok(()) };
            let life = lives.entry(call.parse().map_err(|error| wrong(&error))?).or_default();
            life.on_record = true;
            match event {
                "intent" => life.intents = life.intents.saturating_add(1),
                "outcome" | "refused" => life.ends = life.ends.saturating_add(1),
                _ => {}
            }
            Ok(())
        })?;
        let count = |which: fn(&Life) -> bool| lives.values().filter(|life| which(life)).count();
        Ok(Self {
            answered: answered.len(),
            calls: count(|life| life.on_record),
            intents: count(|life| life.intents > 0),
            unknown: count(|life| !life.on_record),
            lost: count(|life| life.on_record && life.ends == 0),
            doubled: count(|life| life.ends > 1 || life.intents > 1),
            told_twice: count(|life| life.answers > 1),
            unheard: count(|life| life.on_record && life.answers == 0),
        })
    }

    /// Whether each call has one end. Where the gate was killed, there are calls that nobody heard of.
    pub(super) fn check(&self, killed: bool) -> Result<(), String> {
        let whole = self.unknown == 0 && self.lost == 0 && self.doubled == 0 && self.told_twice == 0;
        if self.answered > 0 && whole && (killed || self.unheard == 0) {
            Ok(())
        } else {
            Err("calls without one end".to_owned())
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`ledger verify` is content; answered {}, on record {}, with an intent {}; lost {}, doubled {}, answered and \
             not on record {}, answered twice {}, on record and not heard {}",
            self.answered,
            self.calls,
            self.intents,
            self.lost,
            self.doubled,
            self.unknown,
            self.told_twice,
            self.unheard
        )
    }
}
