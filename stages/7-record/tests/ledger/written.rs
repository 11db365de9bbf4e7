//! The bytes of every event, which stay what they are for ever.

use std::sync::Arc;

use call::{
    AbsolutePath, Change, Contraband, Effect, Effects, Family, FileKind, Lane, Located, Objection, PathPlace,
    Reason, ReasonCode, RiskFlag, Sha256, Span, Weight,
};
use proptest::prelude::*;
use record::store::RunId;
use record::{Applied, Asked, Declined, Ended, Event, Intent, Ruling, Signed, Status};

use crate::events::{asked, call, ended};
use crate::keepers::now;

/// Every event, with all that it can say and with as little as it can say.
fn all() -> Vec<Event> {
    let digest = Sha256::of(b"x");
    let bare = Asked { actor: None, purpose: None, arguments: None, ..asked(1) };
    let mut chained = asked(2);
    chained.actor.as_mut().unwrap().skills = "outer/inner".parse().unwrap();
    chained.arguments = Some(format!("hmac-sha256:{digest}"));
    chained.purpose = Some("a \"quoted\"\nword, é".to_owned());
    let signed = |signature: Option<&str>| {
        let record = serde_json::json!({ "b": [1, 2.5, -3], "a": { "ü": null, "z": "\t", "k": true } });
        Box::new(Signed {
            approver: "ada@example.org".to_owned(),
            approval: digest,
            record,
            signature: signature.map(str::to_owned),
        })
    };
    let ruling = Ruling {
        call: call(2),
        actor: chained.actor.clone(),
        tool: Some("write_file".parse().unwrap()),
        effects: Some(effects()),
        objections: vec![Objection {
            argument: "content".to_owned(),
            found: Contraband { span: Span::new(0, 3), family: Family::Override, kind: "phrase" },
            weight: Weight::Refuse,
        }],
        verdict: "deny",
        reasons: vec![reason(Some("policy.toml#deny[0]"), Some("ask"))],
        rules: vec!["policy.toml#deny[0]".to_owned(), "skills/web/tools".to_owned()],
        flags: [RiskFlag::PATH_DENIED, RiskFlag::TOOL_DENIED].into(),
        policy: digest,
        held: Some(digest),
    };
    let nothing = Ruling {
        actor: None,
        tool: None,
        effects: None,
        objections: Vec::new(),
        reasons: Vec::new(),
        rules: Vec::new(),
        flags: [].into(),
        held: None,
        ..ruling.clone()
    };
    let end = Ended {
        asked: Arc::new(chained.clone()),
        error_class: Some("timeout".to_owned()),
        flags: [RiskFlag::TIMEOUT].into(),
        reasons: vec![reason(None, None)],
        approval: Some((digest, "ada@example.org, bob@example.org".to_owned())),
        diff: Some(digest),
        lane: Some((Lane::Jail, vec!["seccomp".to_owned(), "landlock".to_owned()])),
        verified: Some(false),
        ..ended(2, Status::Timeout)
    };
    let no_end = Ended {
        asked: Arc::new(bare.clone()),
        artifacts: Vec::new(),
        decision: None,
        policy: None,
        effects: None,
        ..ended(1, Status::Denied)
    };
    let files = [("policy.toml".to_owned(), digest), ("skills/ü".to_owned(), digest)].into();
    let applied = Applied {
        policy: digest,
        before: Some(digest),
        risk: Some("high".to_owned()),
        review: Some(digest),
        by: Some("ada".to_owned()),
    };
    let declined = Declined {
        session: "s1".to_owned(),
        effects: digest,
        by: "ada".to_owned(),
        why: Some("no".to_owned()),
        until: "2026-03-01T12:00:00Z".to_owned(),
    };
    let intent = Intent { call: call(2), effects: digest, lane: Some(Lane::Monty), approval: Some(digest) };
    vec![
        Event::GateStarted { version: "0.1.0".to_owned(), policy: Some(digest) },
        Event::GateStarted { version: "0.1.0".to_owned(), policy: None },
        Event::GateRecovered { interrupted: vec![call(1), call(2)] },
        Event::PolicyApplied(applied),
        Event::PolicyApplied(Applied { policy: digest, before: None, risk: None, review: None, by: None }),
        Event::PolicyLoaded { policy: digest, files },
        Event::Asked(Arc::new(chained)),
        Event::Asked(Arc::new(bare)),
        Event::Ruled(Box::new(ruling)),
        Event::Ruled(Box::new(nothing)),
        Event::Approved { call: call(2), signed: signed(Some("-----BEGIN\nx\n")) },
        Event::RequestApproved { request: "TR-1".to_owned(), document: digest, signed: signed(None) },
        Event::Granted(signed(None)),
        Event::GrantRevoked { grant: digest, by: "ada".to_owned(), why: Some("over".to_owned()) },
        Event::GrantRevoked { grant: digest, by: "ada".to_owned(), why: None },
        Event::Declined(Box::new(declined)),
        Event::Consumed { call: call(2), approval: Some(digest) },
        Event::Consumed { call: call(2), approval: None },
        Event::Intent(Box::new(intent)),
        Event::Refused(Box::new(no_end)),
        Event::Outcome(Box::new(end)),
        Event::CheckpointWitnessed { witness: "w".to_owned(), size: 7, root: "00ff".to_owned() },
        Event::BlobRemoved { blob: digest, why: "the call has ended".to_owned() },
    ]
}

fn reason(rule: Option<&str>, remedy: Option<&str>) -> Reason {
    Reason {
        code: ReasonCode::PATH_DENIED,
        message: "the path is on a deny list: `a\\b`".to_owned(),
        rule: rule.map(str::to_owned),
        remedy: remedy.map(str::to_owned),
    }
}

fn effects() -> Effects {
    let path = AbsolutePath::parse("/w/a").unwrap();
    let below = PathPlace::Below { path, kind: FileKind::Absent };
    let change = Change::Content { sha256: Sha256::of(b"x"), bytes: 1, binary: false, create_dirs: true };
    Effects::new(vec![
        Effect::Write { path: Located::new("a", below), change },
        Effect::Delete { path: Located::new("../b", PathPlace::Outside) },
    ])
}

#[test]
fn every_event_is_written_as_it_always_was() {
    let written: Vec<String> = all()
        .iter()
        .map(|event| {
            let (draft, moved) = event.draft(now(), &RunId(call(9)));
            assert_eq!(moved, None);
            String::from_utf8(draft.leaf().to_vec()).unwrap()
        })
        .collect();
    let kept: Vec<&str> = include_str!("written.jsonl").lines().collect();
    assert_eq!(written, kept);
}

proptest! {
    #[test]
    fn an_event_is_canonical_whatever_it_says_and_however_large_it_is(
        texts in proptest::collection::vec(any::<String>(), 8),
        more in proptest::collection::vec((0..6_usize, 0..20_000_usize), 0..6),
    ) {
        let mut texts = texts;
        for (place, bytes) in more {
            texts[place].push_str(&"x\"".repeat(bytes));
        }
        let [tool, purpose, arguments, decision, class, artifact, layer, message] = &texts[..] else { panic!() };
        let asked = Arc::new(Asked {
            tool: tool.clone(),
            purpose: Some(purpose.clone()),
            arguments: Some(arguments.clone()),
            ..asked(1)
        });
        let ended = Event::Outcome(Box::new(Ended {
            asked,
            decision: Some(decision.clone()),
            error_class: Some(class.clone()),
            artifacts: vec![artifact.clone()],
            lane: Some((Lane::Jail, vec![layer.clone()])),
            reasons: vec![Reason { message: message.clone(), ..reason(None, None) }],
            ..ended(1, Status::Error)
        }));
        let (draft, moved) = ended.draft(now(), &RunId(call(9)));
        let mut fields: serde_json::Value = serde_json::from_slice(draft.leaf()).unwrap();
        prop_assert_eq!(&call::canonical::of_value(&fields).unwrap(), draft.leaf());
        if let Some(moved) = moved {
            let content: serde_json::Value = serde_json::from_slice(&moved).unwrap();
            prop_assert_eq!(&call::canonical::of_value(&content).unwrap(), &moved);
            prop_assert_eq!(fields["moved"].as_str().unwrap(), Sha256::of(&moved).to_string());
            for (name, value) in content.as_object().unwrap() {
                prop_assert!(value.to_string().len() > 4_096, "{}", name);
                prop_assert!(fields.get(name).is_none(), "{}", name);
            }
            let fields = fields.as_object_mut().unwrap();
            prop_assert!(fields.values().all(|value| value.to_string().len() <= 4_096));
            fields.extend(content.as_object().unwrap().clone());
        } else {
            prop_assert!(draft.leaf().len() <= record::store::LARGEST_ENTRY);
        }
        let said = [
            (&fields["tool"], tool),
            (&fields["purpose"], purpose),
            (&fields["args_hash"], arguments),
            (&fields["decision"], decision),
            (&fields["error_class"], class),
            (&fields["artifacts"][0], artifact),
            (&fields["layers"][0], layer),
            (&fields["reasons"][0]["message"], message),
        ];
        for (value, text) in said {
            prop_assert_eq!(value.as_str(), Some(text.as_str()));
        }
    }
}
