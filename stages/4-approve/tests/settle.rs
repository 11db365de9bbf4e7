//! Which answers count, and when they are enough.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

mod kit;

use approve::{
    Answer, Approval, Approvers, Asked, Extent, May, NoQuorum, Risk, Rules, Scope, Settled, Signed, Subject,
    settle,
};
use call::{Expected, Moment, RiskFlag, Sha256};
use kit::{approval, approvers, asked, at, flags, one, path, public, sign_text, signed, write};

fn rules(quorum: u32) -> Rules {
    Rules::new(quorum, false, 900).unwrap()
}

/// The end of a question in one line.
fn told(asked: &Asked, answers: &[Signed], rules: &Rules, approvers: &Approvers, now: Moment) -> String {
    match settle(asked, answers, rules, approvers, now) {
        Settled::Granted { approvers, expires, .. } => {
            let names: Vec<&str> = approvers.iter().map(|signer| signer.principal.as_str()).collect();
            format!("yes by {} until {expires}", names.join(", "))
        }
        Settled::StillWaiting { have, need, set_aside } => {
            let aside: Vec<String> =
                set_aside.iter().map(|one| format!("; {}: {}", one.answer, one.why)).collect();
            format!("{have} of {need}{}", aside.concat())
        }
        Settled::Refused { why } => format!("no: {why}"),
    }
}

#[track_caller]
fn check(answer: &Approval, seed: u8, now: Moment, want: &str) {
    assert_eq!(told(&asked(), &[signed(answer, seed)], &rules(1), &approvers(), now), want);
}

#[test]
fn only_a_timely_yes_counts() {
    let ada = |when| approval("ada@example.org", when);
    // when it was given, when it is looked at -> what comes of it
    check(&ada(at(10)), 1, at(20), "yes by ada@example.org until 2026-11-18T10:10:10Z");
    check(&ada(at(10)), 1, at(609), "yes by ada@example.org until 2026-11-18T10:10:10Z");
    check(&ada(at(10)), 1, at(610), "0 of 1; 0: the answer has expired");
    check(&ada(at(80)), 1, at(20), "yes by ada@example.org until 2026-11-18T10:11:20Z");
    check(
        &ada(at(81)),
        1,
        at(20),
        "0 of 1; 0: the answer is dated in the future; check the clock of whoever gave it",
    );
    check(
        &ada(kit::moment("2026-11-18T09:59:00Z")),
        1,
        at(1),
        "yes by ada@example.org until 2026-11-18T10:09:00Z",
    );
    check(
        &ada(kit::moment("2026-11-18T09:58:59Z")),
        1,
        at(1),
        "0 of 1; 0: the answer is older than the question",
    );
    check(&ada(at(10)), 1, at(1_800), "no: nobody answered before the question expired");
    let never = Approval { expires: at(10), ..ada(at(10)) };
    check(&never, 1, at(10), "0 of 1; 0: the answer expires before it was given");
}

#[test]
fn a_yes_never_holds_longer_than_policy_says() {
    let forever =
        Approval { expires: kit::moment("2099-01-01T00:00:00Z"), ..approval("ada@example.org", at(10)) };
    check(&forever, 1, at(909), "yes by ada@example.org until 2026-11-18T10:15:10Z");
    check(&forever, 1, at(910), "0 of 1; 0: the answer has expired");
}

#[test]
fn a_yes_to_anything_else_is_no_yes_to_this() {
    let change = |change: &dyn Fn(&mut Asked)| {
        let mut asked = asked();
        change(&mut asked);
        let answer = signed(&approval("ada@example.org", at(1)), 1);
        told(&asked, &[answer], &rules(1), &approvers(), at(2))
    };
    let other = Sha256::of(b"other");
    assert_eq!(change(&|_| {}), "yes by ada@example.org until 2026-11-18T10:10:01Z");
    assert_eq!(
        change(&|asked| asked.binding.effects = one(write("/srv/app/a.txt", b"other")).digest()),
        "0 of 1; 0: the call does not do what was agreed to"
    );
    assert_eq!(
        change(&|asked| asked.binding.policy = other),
        "0 of 1; 0: the policy was changed after the answer"
    );
    assert_eq!(
        change(&|asked| asked.binding.definition = other),
        "0 of 1; 0: the tool was changed after the answer"
    );
    assert_eq!(
        change(&|asked| asked.binding.state = other),
        "0 of 1; 0: what the call changes is not what it was when the answer was given"
    );
    assert_eq!(
        change(&|asked| asked.binding.tool = "delete_file".parse().unwrap()),
        "0 of 1; 0: the answer is for another tool"
    );
    assert_eq!(
        change(&|asked| asked.binding.subject = Subject::Request { id: "TR-1".into(), document: other }),
        "0 of 1; 0: the answer is for another call or request"
    );
}

#[test]
fn the_same_request_id_with_other_content_is_not_approved() {
    let request = |document: &[u8]| Subject::Request { id: "TR-1".into(), document: Sha256::of(document) };
    let mut question = asked();
    question.binding.subject = request(b"one");
    let mut answer = approval("ada@example.org", at(1));
    answer.binding.subject = request(b"one");
    let answer = [signed(&answer, 1)];
    assert!(told(&question, &answer, &rules(1), &approvers(), at(2)).starts_with("yes"));
    question.binding.subject = request(b"two");
    assert_eq!(
        told(&question, &answer, &rules(1), &approvers(), at(2)),
        "0 of 1; 0: the request was changed after it was answered"
    );
}

#[test]
fn a_reworded_purpose_needs_no_new_yes() {
    let mut answer = approval("ada@example.org", at(1));
    answer.proposal.purpose = "Quite another wording".into();
    answer.proposal.summary = "a summary in other words".into();
    answer.reason = String::new();
    check(&answer, 1, at(2), "yes by ada@example.org until 2026-11-18T10:10:01Z");
}

#[test]
fn as_many_people_as_must_agree_and_each_counts_once() {
    let answer = |name: &str, seed| signed(&approval(&format!("{name}@example.org"), at(1)), seed);
    let two_keys = format!(
        "ada@example.org {}\nada@example.org {}\nbob@example.org {}\nzoe@example.org,kim@example.org {}\n",
        public(1),
        public(4),
        public(2),
        public(5)
    );
    let two_keys = Approvers::parse(&two_keys).unwrap();
    let twice = "has answered already, or the key has; each person counts once";
    let cases = [
        (vec![], "0 of 2".to_owned()),
        (vec![answer("ada", 1)], "1 of 2".to_owned()),
        (vec![answer("ada", 1), answer("ada", 1)], format!("1 of 2; 1: ada@example.org {twice}")),
        (vec![answer("ada", 1), answer("ada", 4)], format!("1 of 2; 1: ada@example.org {twice}")),
        (vec![answer("zoe", 5), answer("kim", 5)], format!("1 of 2; 1: kim@example.org {twice}")),
        (
            vec![answer("ada", 1), answer("bob", 2)],
            "yes by ada@example.org, bob@example.org until 2026-11-18T10:10:01Z".to_owned(),
        ),
        (
            vec![answer("ada", 1), answer("ada", 4), answer("bob", 2)],
            "yes by ada@example.org, bob@example.org until 2026-11-18T10:10:01Z".to_owned(),
        ),
    ];
    for (answers, want) in cases {
        assert_eq!(told(&asked(), &answers, &rules(2), &two_keys, at(2)), want);
    }
}

#[test]
fn a_quorum_of_nobody_is_an_error_and_never_a_free_pass() {
    assert_eq!(Rules::new(0, true, 900), Err(NoQuorum));
}

#[test]
fn nobody_answers_their_own_question_and_where_they_may_it_is_flagged() {
    let own = Asked { asked_by: vec!["robot".into(), "Ada@example.org".into()], ..asked() };
    let answers = [signed(&approval("ada@example.org", at(1)), 1)];
    assert_eq!(
        told(&own, &answers, &rules(1), &approvers(), at(2)),
        "0 of 1; 0: ada@example.org asked, and may not answer their own question; somebody else must"
    );
    let lenient = Rules::new(1, true, 900).unwrap();
    let flagged = |asked: &Asked| match settle(asked, &answers, &lenient, &approvers(), at(2)) {
        Settled::Granted { flags, .. } => flags,
        other @ (Settled::StillWaiting { .. } | Settled::Refused { .. }) => panic!("{other:?}"),
    };
    assert_eq!(flagged(&own), flags(&[RiskFlag::SELF_APPROVED]));
    assert_eq!(flagged(&asked()), flags(&[]));
    let risky = Asked { risk: Risk::High, ..asked() };
    assert_eq!(flagged(&risky), flags(&[RiskFlag::HIGH_RISK_APPROVED]));
}

#[test]
fn whoever_asked_may_still_say_no() {
    let own = Asked { asked_by: vec!["ada@example.org".into()], ..asked() };
    let no = Approval { answer: Answer::Refuse, ..approval("ada@example.org", at(1)) };
    let end = told(&own, &[signed(&no, 1)], &rules(1), &approvers(), at(2));
    assert_eq!(end, "no: refused by ada@example.org: looks right");
}

#[test]
fn one_no_outweighs_any_yes_and_only_of_somebody_who_may() {
    let yes = signed(&approval("ada@example.org", at(1)), 1);
    let no =
        Approval { answer: Answer::Refuse, reason: "too risky".into(), ..approval("bob@example.org", at(1)) };
    let answers = [yes.clone(), signed(&no, 2)];
    assert_eq!(
        told(&asked(), &answers, &rules(1), &approvers(), at(2)),
        "no: refused by bob@example.org: too risky"
    );
    let forged = [yes, signed(&no, 9)];
    assert_eq!(
        told(&asked(), &forged, &rules(1), &approvers(), at(2)),
        "yes by ada@example.org until 2026-11-18T10:10:01Z"
    );
}

#[test]
fn policy_says_who_may_answer_for_what_and_up_to_which_risk() {
    let may = |name: Option<&str>, tool: Option<&str>, up_to| May {
        approver: name.map(|name| name.parse().unwrap()),
        tools: tool.map(|tool| vec![tool.parse().unwrap()]),
        up_to,
    };
    let no = "0 of 1; 0: ada@example.org may not answer for this tool at medium risk";
    let yes = "yes by ada@example.org until 2026-11-18T10:10:01Z";
    let cases = [
        (vec![], yes),
        (vec![may(None, None, Risk::Medium)], yes),
        (vec![may(None, None, Risk::Low)], no),
        (vec![may(Some("ada@example.org"), None, Risk::Critical)], yes),
        (vec![may(Some("bob@example.org"), None, Risk::Critical)], no),
        (vec![may(None, Some("write_file"), Risk::Medium)], yes),
        (vec![may(None, Some("run_shell"), Risk::Critical)], no),
        (vec![may(None, None, Risk::Low), may(Some("ada@example.org"), None, Risk::High)], yes),
    ];
    let answers = [signed(&approval("ada@example.org", at(1)), 1)];
    for (may, want) in cases {
        let mut rules = rules(1);
        rules.may = may;
        assert_eq!(told(&asked(), &answers, &rules, &approvers(), at(2)), want, "{:?}", rules.may);
    }
}

#[test]
fn a_signature_by_another_key_or_of_another_text_is_none() {
    let text = approval("ada@example.org", at(1)).canonical();
    let mut other = approval("ada@example.org", at(1));
    other.reason = "another".into();
    let answer = |text: &[u8], signature: String| Signed { text: text.to_vec(), signature };
    let cases = [
        (answer(&text, sign_text(&text, 2)), "is not listed for `ada@example.org`"),
        (answer(&text, sign_text(&text, 9)), "is not in the file of approvers"),
        (answer(&other.canonical(), sign_text(&text, 1)), "the signature is not of this text"),
        (answer(&text, String::new()), "the signature cannot be read"),
        (
            answer(&text, "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----".into()),
            "cannot be read",
        ),
        (answer(b"{}", sign_text(b"{}", 1)), "the record cannot be read"),
        (
            answer(&[&text[..], b"\n"].concat(), sign_text(&text, 1)),
            "the record is not in its canonical form",
        ),
    ];
    for (answer, want) in cases {
        let got = told(&asked(), &[answer], &rules(1), &approvers(), at(2));
        assert!(got.starts_with("0 of 1; 0: ") && got.contains(want), "{got}");
    }
}

#[test]
fn a_record_that_shows_one_state_and_is_bound_to_another_is_refused() {
    let lying = Approval { expected: Expected::new(Vec::new()), ..approval("ada@example.org", at(1)) };
    check(&lying, 1, at(2), "0 of 1; 0: the record is bound to another state than it shows");
}

#[test]
fn a_grant_is_given_only_when_enough_people_sign_the_very_same() {
    let granting = |name: &str, folder: &str, until| Approval {
        scope: Scope::Grant {
            tool: "write_file".parse().unwrap(),
            extents: vec![Extent::WriteBelow { path: path(folder) }],
            session: "s1".parse().unwrap(),
            until,
        },
        ..approval(name, at(1))
    };
    let given =
        |answers: &[Signed], quorum| match settle(&asked(), answers, &rules(quorum), &approvers(), at(2)) {
            Settled::Granted { grant, .. } => grant,
            other @ (Settled::StillWaiting { .. } | Settled::Refused { .. }) => panic!("{other:?}"),
        };
    let ada = signed(&granting("ada@example.org", "/srv/app", at(300)), 1);
    let bob = signed(&granting("bob@example.org", "/srv/app", at(300)), 2);
    let narrow = signed(&granting("bob@example.org", "/srv/app/sub", at(300)), 2);
    let once = signed(&approval("bob@example.org", at(1)), 2);
    assert!(given(&[ada.clone(), bob], 2).is_some_and(|grant| grant.approvers.len() == 2));
    assert_eq!(given(&[ada.clone(), narrow], 2), None);
    assert_eq!(given(&[ada.clone(), once], 2), None);
    // No grant outlives what policy says.
    let long = signed(&granting("ada@example.org", "/srv/app", at(90_000)), 1);
    assert_eq!(given(&[long], 1).map(|grant| grant.until), Some(at(901)));
    let other_tool = Approval {
        scope: Scope::Grant {
            tool: "run_shell".parse().unwrap(),
            extents: vec![Extent::WriteBelow { path: path("/srv") }],
            session: "s1".parse().unwrap(),
            until: at(300),
        },
        ..approval("ada@example.org", at(1))
    };
    assert_eq!(given(&[signed(&other_tool, 1)], 1), None);
}
