//! Events as a gate writes them.

use std::sync::Arc;

use call::{Actor, CallContext, CallId, SkillChain};
use record::{Asked, Ended, Event, Intent, Ruling, Status};

use crate::keepers::now;

/// The name of a call, by a number.
pub(crate) fn call(number: u32) -> CallId {
    let mut chance = [0; 10];
    chance[6..].copy_from_slice(&number.to_be_bytes());
    CallId::new(now(), chance)
}

pub(crate) fn asked(number: u32) -> Asked {
    Asked {
        call: call(number),
        actor: Some(Actor {
            agent: "writer".parse().unwrap(),
            session: "s1".parse().unwrap(),
            skills: SkillChain::default(),
            context: CallContext::Agent,
        }),
        tool: "read_file".to_owned(),
        purpose: Some("see what this is".to_owned()),
        arguments: Some("sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a".to_owned()),
    }
}

pub(crate) fn ruled(number: u32, verdict: &'static str) -> Event {
    let Asked { call, actor, .. } = asked(number);
    Event::Ruled(Box::new(Ruling {
        call,
        actor,
        tool: Some("read_file".parse().unwrap()),
        effects: Some(call::Effects::new(vec![call::Effect::Status])),
        objections: Vec::new(),
        verdict,
        reasons: Vec::new(),
        rules: vec!["policy.toml#allowed_roots[0]".to_owned()],
        flags: [].into(),
        policy: call::Sha256::of(b"policy"),
        held: None,
    }))
}

pub(crate) fn intent(number: u32) -> Event {
    let effects = call::Sha256::of(b"effects");
    Event::Intent(Box::new(Intent { call: call(number), effects, lane: None, approval: None }))
}

pub(crate) fn ended(number: u32, status: Status) -> Ended {
    Ended {
        asked: Arc::new(asked(number)),
        status,
        elapsed_ms: 12,
        error_class: None,
        flags: [].into(),
        artifacts: vec!["/w/README.md".to_owned()],
        decision: Some("allow".to_owned()),
        reasons: Vec::new(),
        policy: Some(call::Sha256::of(b"policy")),
        approval: None,
        effects: Some(call::Sha256::of(b"effects")),
        diff: None,
        lane: None,
        verified: None,
    }
}

pub(crate) fn outcome(number: u32) -> Event {
    Event::Outcome(Box::new(ended(number, Status::Success)))
}

/// A whole call.
pub(crate) fn whole(number: u32) -> [Event; 4] {
    [Event::Asked(Arc::new(asked(number))), ruled(number, "allow"), intent(number), outcome(number)]
}
