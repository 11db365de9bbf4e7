//! What the gate tells its ledger about one call that may run and only looks: its arrival, its ruling and its
//! outcome, in one append.

use std::collections::BTreeSet;
use std::sync::Arc;

use call::{
    AbsolutePath, Actor, CallContext, CallId, Effect, Effects, FileKind, Located, Moment, PathPlace, Reach,
    Sha256, SkillChain,
};
use record::{Asked, Ended, Event, Ruling, Status};

/// The events of one more call.
pub(crate) fn events(now: Moment, number: u64) -> Option<Vec<Event>> {
    let mut chance = [3; 10];
    chance.iter_mut().zip(number.to_be_bytes()).for_each(|(place, byte)| *place = byte);
    let call = CallId::new(now, chance);
    let actor = Actor {
        agent: "bench-0".parse().ok()?,
        session: "4a3cb5a4-0c1d-4a7e-9d8e-1f2a3b4c5d6e".parse().ok()?,
        skills: SkillChain::default(),
        context: CallContext::Agent,
    };
    let path = AbsolutePath::parse("/tmp/.tmpAbCdEf/notes.txt")?;
    let artifact = "/tmp/.tmpAbCdEf/notes.txt".to_owned();
    let place = PathPlace::Below { path, kind: FileKind::File };
    let located = Located::new("notes.txt", place);
    let effects = Effects::new(vec![Effect::Read { path: located, reach: Reach::Itself }]);
    let policy = Sha256::of(b"policy");
    let asked = Arc::new(Asked {
        call,
        actor: Some(actor.clone()),
        tool: "read_file".to_owned(),
        purpose: Some("measure".to_owned()),
        arguments: Some(format!("sha256:{}", Sha256::of(b"arguments"))),
    });
    let ended = Ended {
        asked: Arc::clone(&asked),
        status: Status::Success,
        elapsed_ms: 0,
        error_class: None,
        flags: BTreeSet::new(),
        artifacts: vec![artifact],
        decision: Some("allow".to_owned()),
        reasons: Vec::new(),
        policy: Some(policy),
        approval: None,
        effects: Some(effects.digest()),
        diff: None,
        lane: None,
        verified: None,
    };
    let ruling = Ruling {
        call,
        actor: Some(actor),
        tool: "read_file".parse().ok(),
        effects: Some(effects),
        objections: Vec::new(),
        verdict: "allow",
        reasons: Vec::new(),
        rules: vec!["home.read".to_owned()],
        flags: BTreeSet::new(),
        policy,
        held: None,
    };
    Some(vec![Event::Asked(asked), Event::Ruled(Box::new(ruling)), Event::Outcome(Box::new(ended))])
}
