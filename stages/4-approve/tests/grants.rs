//! A grant never covers more than it says.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod kit;

use approve::{Answer, Approval, Approvers, Extent, Grant, NotCovered, Rules, Scope, Settled, settle};
use call::{
    Access, Change, Effect, Effects, Located, PathPlace, Program, Query, Reach, Run, RunLimits, Sha256,
    WebAddress, WebRequest,
};
use kit::{approval, approvers, asked, at, located, one, path, signed, write};

/// A grant of these, for `write_file` in session `s1` until 10:05.
fn grant(extents: Vec<Extent>) -> Grant {
    let scope = Scope::Grant {
        tool: "write_file".parse().unwrap(),
        extents,
        session: "s1".parse().unwrap(),
        until: at(300),
    };
    let answer = signed(&Approval { scope, ..approval("ada@example.org", at(1)) }, 1);
    match settle(&asked(), &[answer], &Rules::new(1, false, 900).unwrap(), &approvers(), at(2)) {
        Settled::Granted { grant, .. } => *grant.unwrap(),
        other @ (Settled::StillWaiting { .. } | Settled::Refused { .. }) => panic!("{other:?}"),
    }
}

fn read(at: &str, reach: Reach) -> Effect {
    Effect::Read { path: located(at), reach }
}

fn request(method: &str, url: &str, header: Option<&str>, body: Option<&[u8]>) -> Effect {
    Effect::Network(WebRequest {
        method: method.into(),
        url: WebAddress::parse(url).unwrap(),
        headers: header.map(|name| (name.to_owned(), Sha256::of(b"v"))).into_iter().collect(),
        body: body.map(Sha256::of),
    })
}

fn run(word: &str, time: Option<u32>) -> Effect {
    Effect::Run(Run {
        program: Program::Argv { language: "python".into(), argv: vec!["python3".into(), word.into()] },
        lane: None,
        network: false,
        stdin: None,
        inputs: 0,
        limits: RunLimits { time_limit_sec: time, memory_limit_mb: None, cpu_limit: None },
        environment: Vec::new(),
    })
}

fn query(access: Access, tables: &[&str]) -> Effect {
    Effect::Query(Query {
        database: "main".into(),
        access,
        tables: tables.iter().map(|&table| table.to_owned()).collect(),
        sql: "SELECT 1".into(),
        parameters: Sha256::of(b"[]"),
    })
}

#[test]
fn an_extent_covers_what_lies_within_and_nothing_beside_it() {
    let below = |text: &str| path(text);
    let requests = |method: &str, address: &str, body| Extent::Requests {
        method: method.into(),
        address: address.into(),
        headers: vec!["accept".into()],
        body,
    };
    let statements = Extent::Statements {
        database: "main".into(),
        access: Access::Read,
        tables: vec!["a".into(), "b".into()],
    };
    let exactly = |effect: &Effect| Extent::exactly(effect).unwrap();
    let api = requests("GET", "https://h.example/api", false);
    let cases = [
        (Extent::ReadBelow { path: below("/srv/app") }, read("/srv/app", Reach::Itself), true),
        (Extent::ReadBelow { path: below("/srv/app") }, read("/srv/app/x/y", Reach::Below), true),
        (Extent::ReadBelow { path: below("/srv/app") }, read("/srv/apple", Reach::Itself), false),
        (Extent::ReadBelow { path: below("/srv/app") }, read("/srv", Reach::Below), false),
        (Extent::ReadBelow { path: below("/srv/app") }, write("/srv/app/x", b"1"), false),
        (Extent::WriteBelow { path: below("/srv/app") }, write("/srv/app/x", b"1"), true),
        (Extent::WriteBelow { path: below("/srv/app") }, write("/srv/app.txt", b"1"), false),
        (
            Extent::WriteBelow { path: below("/srv/app") },
            Effect::Delete { path: located("/srv/app/x") },
            false,
        ),
        (
            Extent::DeleteBelow { path: below("/srv/app") },
            Effect::Delete { path: located("/srv/app/x") },
            true,
        ),
        (Extent::DeleteBelow { path: below("/srv/app") }, write("/srv/app/x", b"1"), false),
        (exactly(&write("/a", b"1")), write("/a", b"1"), true),
        (exactly(&write("/a", b"1")), write("/a", b"2"), false),
        (exactly(&write("/a", b"1")), write("/a/b", b"1"), false),
        (exactly(&read("/a", Reach::Below)), read("/a/b", Reach::Itself), true),
        (exactly(&read("/a", Reach::Itself)), read("/a/b", Reach::Itself), false),
        (exactly(&read("/a", Reach::Itself)), read("/a", Reach::Below), false),
        (exactly(&run("x.py", Some(60))), run("x.py", Some(60)), true),
        (exactly(&run("x.py", Some(60))), run("x.py", Some(59)), true),
        (exactly(&run("x.py", Some(60))), run("x.py", Some(61)), false),
        (exactly(&run("x.py", Some(60))), run("x.py", None), false),
        (exactly(&run("x.py", None)), run("x.py", Some(1)), false),
        (exactly(&run("x.py", None)), run("y.py", None), false),
        (api.clone(), request("GET", "https://h.example/api", None, None), true),
        (api.clone(), request("GET", "https://h.example/api/v1?q=1", Some("accept"), None), true),
        (api.clone(), request("GET", "https://h.example/apis", None, None), false),
        (api.clone(), request("GET", "https://h.example/", None, None), false),
        (api.clone(), request("GET", "https://h.example/api/%2e%2e/x", None, None), false),
        (api.clone(), request("GET", "https://h.example/api/..%2fx", None, None), false),
        (api.clone(), request("GET", "https://h.example/api/../x", None, None), false),
        (api.clone(), request("GET", "http://h.example/api", None, None), false),
        (api.clone(), request("GET", "https://h.example:8443/api", None, None), false),
        (api.clone(), request("GET", "https://h.example.evil.example/api", None, None), false),
        (api.clone(), request("POST", "https://h.example/api", None, None), false),
        (api.clone(), request("GET", "https://h.example/api", None, Some(b"x")), false),
        (api, request("GET", "https://h.example/api", Some("authorization"), None), false),
        (
            requests("POST", "https://h.example/", true),
            request("POST", "https://h.example/any", None, Some(b"x")),
            true,
        ),
        (statements.clone(), query(Access::Read, &["a"]), true),
        (statements.clone(), query(Access::Read, &["a", "c"]), false),
        (statements.clone(), query(Access::Read, &[]), false),
        (statements, query(Access::Write, &["a"]), false),
        (Extent::ReadBelow { path: below("/") }, Effect::Unknown { why: "?".into() }, false),
        (
            Extent::WriteBelow { path: below("/") },
            Effect::Write { path: Located::new("/x", PathPlace::Outside), change: Change::Foreign },
            false,
        ),
    ];
    for (extent, effect, want) in cases {
        assert_eq!(extent.covers(&effect), want, "{extent:?} {effect:?}");
    }
    assert_eq!(Extent::exactly(&Effect::Unknown { why: "?".into() }), None);
}

#[test]
fn a_grant_is_for_its_tool_session_time_policy_and_definition() {
    let grant = grant(vec![Extent::WriteBelow { path: path("/srv/app") }]);
    let (policy, definition, other) =
        (Sha256::of(b"policy"), Sha256::of(b"definition"), Sha256::of(b"other"));
    let inside = one(write("/srv/app/x", b"1"));
    let both = Effects::new(vec![write("/srv/app/x", b"1"), write("/srv/y", b"1")]);
    let cases = [
        ("write_file", &inside, "s1", policy, definition, at(299), Ok(())),
        ("write_file", &inside, "s1", policy, definition, at(300), Err(NotCovered::Expired)),
        ("edit_file", &inside, "s1", policy, definition, at(2), Err(NotCovered::Tool)),
        ("write_file", &inside, "s2", policy, definition, at(2), Err(NotCovered::Session)),
        ("write_file", &inside, "s1", other, definition, at(2), Err(NotCovered::Policy)),
        ("write_file", &inside, "s1", policy, other, at(2), Err(NotCovered::Definition)),
        ("write_file", &both, "s1", policy, definition, at(2), Err(NotCovered::More)),
    ];
    for (tool, effects, session, policy, definition, now, want) in cases {
        let got =
            grant.covers(&tool.parse().unwrap(), effects, &session.parse().unwrap(), policy, definition, now);
        assert_eq!(got, want, "{tool} {session} {now}");
    }
}

#[test]
fn a_grant_of_nothing_or_of_nonsense_is_no_record() {
    let unsound = [
        vec![],
        vec![Extent::Exactly { effect: serde_json::json!({"effect": "fly"}) }],
        vec![Extent::Exactly { effect: serde_json::json!({"effect": "unknown", "why": "?"}) }],
        vec![Extent::Requests {
            method: "GET".into(),
            address: "h.example".into(),
            headers: vec![],
            body: false,
        }],
        vec![Extent::Requests {
            method: "GET".into(),
            address: "https://h.example/?q".into(),
            headers: vec![],
            body: false,
        }],
    ];
    for extents in unsound {
        let (tool, session) = ("write_file".parse().unwrap(), "s1".parse().unwrap());
        let scope = Scope::Grant { tool, extents, session, until: at(300) };
        let record = Approval { scope, ..approval("ada@example.org", at(1)) };
        let why = Approval::parse(&record.canonical()).unwrap_err().to_string();
        assert_eq!(why, "the record's `scope` is none");
    }
}

#[test]
fn a_kept_grant_holds_only_while_enough_people_stand_behind_the_very_same() {
    let granting = |name: &str, seed: u8, change: &dyn Fn(&mut Approval)| {
        let scope = Scope::Grant {
            tool: "write_file".parse().unwrap(),
            extents: vec![Extent::WriteBelow { path: path("/srv/app") }],
            session: "s1".parse().unwrap(),
            until: at(300),
        };
        let mut record = Approval { scope, ..approval(name, at(1)) };
        change(&mut record);
        signed(&record, seed)
    };
    let same = |_: &mut Approval| {};
    let (ada, bob) = (granting("ada@example.org", 1, &same), granting("bob@example.org", 2, &same));
    let other_policy = granting("bob@example.org", 2, &|record| record.binding.policy = Sha256::of(b"other"));
    let refusal = granting("bob@example.org", 2, &|record| record.answer = Answer::Refuse);
    let once = signed(&approval("bob@example.org", at(1)), 2);
    let wide = granting("eve@example.org", 3, &|record| {
        let extents = vec![Extent::WriteBelow { path: path("/") }];
        let (tool, session) = ("write_file".parse().unwrap(), "s1".parse().unwrap());
        record.scope = Scope::Grant { tool, extents, session, until: at(300) };
    });
    // One key with two names is one person.
    let two_names = Approvers::parse(&format!("ada@example.org,kim@example.org {}", kit::public(1))).unwrap();
    let kim = granting("kim@example.org", 1, &same);
    let cases = [
        (vec![ada.clone(), bob.clone()], approvers(), 2, true),
        (vec![wide, ada.clone(), bob.clone()], approvers(), 2, true),
        (vec![ada.clone()], approvers(), 1, true),
        (vec![ada.clone()], approvers(), 2, false),
        (vec![ada.clone(), ada.clone()], approvers(), 2, false),
        (vec![ada.clone(), other_policy], approvers(), 2, false),
        (vec![ada.clone(), refusal.clone()], approvers(), 2, false),
        (vec![refusal], approvers(), 1, false),
        (vec![ada.clone(), once], approvers(), 2, false),
        (vec![ada.clone(), kim], two_names, 2, false),
        (
            vec![ada.clone(), bob],
            Approvers::parse(&format!("ada@example.org {}", kit::public(1))).unwrap(),
            2,
            false,
        ),
        (vec![ada], Approvers::default(), 1, false),
        (vec![], approvers(), 1, false),
    ];
    for (number, (answers, approvers, quorum, want)) in cases.into_iter().enumerate() {
        let rules = Rules::new(quorum, false, 900).unwrap();
        let grant = Grant::verified(&answers, &rules, &approvers, at(2));
        let extents = grant.map(|grant| grant.extents);
        assert_eq!(
            extents,
            want.then(|| vec![Extent::WriteBelow { path: path("/srv/app") }]),
            "case {number}"
        );
    }
}
