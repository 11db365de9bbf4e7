//! What holds for every answer, file and page.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "a test may panic")]

mod kit;

use std::collections::BTreeSet;

use approve::show::{Asking, Exhibit, render};
use approve::{Answer, Approval, Approvers, BadApproval, Binding, Revoked, Risk, Scope, Subject, check};
use call::{
    Actor, CallContext, CallId, Change, Confinement, Effect, Effects, Expected, Lane, Program, Reason,
    ReasonCode, Run, RunCaps, RunLimits, SecretUse, Sha256, Target, TargetState, WebAddress, WebRequest,
};
use kit::{approval, approvers, at, located, one, path};
use proptest::prelude::*;
use serde_json::Value;

fn bound(effects: &Effects, expected: &Expected) -> Binding {
    let subject = Subject::Call(CallId::new(at(0), [1; 10]));
    let digest = Sha256::of(b"x");
    Binding::new(subject, "tool".parse().unwrap(), effects, digest, digest, expected)
}

/// Everything about a call that is load-bearing, as texts and numbers that can be changed one by one.
#[derive(Clone, Debug, PartialEq)]
struct Call {
    texts: Vec<String>,
    numbers: Vec<u32>,
    network: bool,
}

const TEXTS: usize = 8;
const NUMBERS: usize = 5;

impl Call {
    fn effects(&self) -> Effects {
        let text = |place: usize| self.texts[place].clone();
        let number = |place: usize| self.numbers[place];
        let limits = RunLimits {
            time_limit_sec: Some(number(0)),
            memory_limit_mb: Some(number(1)),
            cpu_limit: Some(number(2)),
        };
        let digest = Sha256::of(text(2).as_bytes());
        Effects::new(vec![
            Effect::Delete { path: located(&format!("/w/{}", text(0))) },
            Effect::Write {
                path: located(&format!("/w/{}", text(1))),
                change: Change::Content {
                    sha256: digest,
                    bytes: number(3).into(),
                    binary: false,
                    create_dirs: false,
                },
            },
            Effect::Run(Run {
                program: Program::Argv { language: text(3), argv: vec![text(4), text(5)] },
                lane: Some(Lane::Jail),
                network: self.network,
                stdin: Some(digest),
                inputs: 1,
                limits,
                environment: Vec::new(),
            }),
            Effect::Network(WebRequest {
                method: "GET".into(),
                url: WebAddress::parse(&format!("https://h.example/{}", text(6))).unwrap(),
                headers: Vec::new(),
                body: Some(digest),
            }),
            Effect::Secret { scope: "s".into(), name: text(7), reveal: SecretUse::Env },
        ])
    }

    fn expected(&self) -> Expected {
        let state =
            TargetState::File { sha256: Sha256::of(self.texts[1].as_bytes()), bytes: self.numbers[4].into() };
        Expected::new(vec![Target { path: path("/w/input"), state }])
    }

    fn binding(&self) -> Binding {
        bound(&self.effects(), &self.expected())
    }
}

fn calls() -> impl Strategy<Value = Call> {
    let texts = prop::collection::vec("[a-z0-9]{1,12}", TEXTS);
    let numbers = prop::collection::vec(1..100_000_u32, NUMBERS);
    (texts, numbers, any::<bool>()).prop_map(|(texts, numbers, network)| Call { texts, numbers, network })
}

/// Texts that somebody wrote to deceive.
fn hostile() -> impl Strategy<Value = String> {
    let bits = prop::sample::select(vec![
        "\u{1b}[2J",
        "\u{1b}]8;;x\u{7}",
        "\u{202e}",
        "\u{200b}",
        "\n",
        "\r",
        "\t",
        "          ",
        "| ",
        "  ! ",
        "а",
        "日本",
        "e\u{301}",
        "אב",
        "नमस्ते",
        "<U+0041>",
        "rm -rf /",
        "\u{9b}",
        "\u{e0041}",
        "\u{1f468}\u{200d}\u{1f469}",
        "x",
    ]);
    prop_oneof![prop::collection::vec(bits, 0..12).prop_map(|bits| bits.concat()), any::<String>()]
}

proptest! {
    #[test]
    fn any_change_of_what_is_done_changes_the_binding(
        call in calls(), place in 0..TEXTS + NUMBERS + 1, letter in "[a-z0-9]",
    ) {
        let mut other = call.clone();
        if let Some(text) = other.texts.get_mut(place) {
            text.push_str(&letter);
        } else if let Some(number) = other.numbers.get_mut(place - TEXTS) {
            *number += 1;
        } else {
            other.network = !call.network;
        }
        prop_assert_ne!(call.binding().digest(), other.binding().digest());
        prop_assert_ne!(call.binding().difference(&other.binding()), None);
        prop_assert!(!call.binding().same_deed(&other.binding()));
    }

    #[test]
    fn the_order_of_keys_and_the_spelling_of_paths_do_not_change_the_binding(call in calls(), spelled in "[a-z]{1,8}") {
        let text = backwards(&call.effects().recorded());
        let again = Effects::from_recorded(&serde_json::from_str(&text).unwrap()).unwrap();
        let respelled = again.with_paths(|mut path| {
            path.given = spelled.clone();
            path
        });
        prop_assert_eq!(call.binding(), bound(&respelled, &call.expected()));
    }

    #[test]
    fn wording_is_signed_and_never_compared(purpose in hostile(), summary in hostile(), reason in hostile()) {
        let plain = approval("ada@example.org", at(1));
        let mut other = plain.clone();
        other.proposal.purpose = purpose;
        other.proposal.summary = summary;
        other.reason = reason;
        prop_assert_eq!(plain.binding.digest(), other.binding.digest());
        prop_assert_eq!(plain.digest() == other.digest(), plain == other);
    }

    #[test]
    fn a_record_comes_back_as_it_was(purpose in hostile(), target in hostile(), reason in hostile(), no in any::<bool>()) {
        let mut record = approval("ada@example.org", at(1));
        record.proposal.purpose = purpose;
        record.proposal.target = vec![target];
        record.reason = reason;
        record.answer = if no { Answer::Refuse } else { Answer::Approve };
        prop_assert_eq!(Approval::parse(&record.canonical()), Ok(record));
    }

    #[test]
    fn a_changed_byte_of_a_record_is_never_the_same_record(place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let record = approval("ada@example.org", at(1));
        let mut text = record.canonical();
        let place = place.index(text.len());
        prop_assume!(text[place] != byte);
        text[place] = byte;
        if let Ok(other) = Approval::parse(&text) {
            prop_assert_ne!(other.digest(), record.digest());
        }
    }

    #[test]
    fn nothing_from_outside_makes_a_reader_fail(bytes in prop::collection::vec(any::<u8>(), 0..400), text in hostile()) {
        let _ = Approval::parse(&bytes);
        let _ = Revoked::parse(&bytes);
        let _ = Approvers::parse(&text);
        let _ = Approvers::parse(&format!("ada {text} {}", kit::public(1)));
        let body = data_encoding::BASE64.encode(&[b"SSHSIG\0\0\0\x01", &bytes[..]].concat());
        let armored = format!("-----BEGIN SSH SIGNATURE-----\n{body}\n-----END SSH SIGNATURE-----\n");
        let ada = "ada@example.org".parse().unwrap();
        prop_assert!(check(b"x", &armored, &ada, &approvers(), at(1)).is_err());
        prop_assert!(check(b"x", &text, &ada, &approvers(), at(1)).is_err());
    }

    #[test]
    fn nothing_from_outside_draws_outside_of_its_box(
        purpose in hostile(), code in hostile(), word in hostile(), width in 40..120_usize,
    ) {
        let effects = one(Effect::Run(Run {
            program: Program::Argv { language: "python".into(), argv: vec!["python3".into(), word] },
            lane: None,
            network: false,
            stdin: None,
            inputs: 0,
            limits: RunLimits::default(),
            environment: Vec::new(),
        }));
        let page = page(&effects, &purpose, &code, width);
        for line in page.lines() {
            let columns: usize = line.chars().map(|c| unicode_width::UnicodeWidthChar::width_cjk(c).unwrap_or(99)).sum();
            prop_assert!(columns <= width, "{columns} of {width}: {line:?}");
            prop_assert!(!line.chars().any(|c| c.is_control() || (c.is_whitespace() && c != ' ')), "{line:?}");
            prop_assert!(line.is_ascii() || line.trim_start().starts_with(['|', '\\']) || line.contains(" | "), "{line:?}");
        }
        let headings: Vec<&str> = page.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
        prop_assert_eq!(headings.iter().filter(|line| line.starts_with("Your answer")).count(), 1);
        prop_assert_eq!(headings.iter().filter(|line| line.starts_with("May `")).count(), 1);
    }
}

/// The same value, written with all keys in the opposite order.
fn backwards(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::from(key.as_str()), backwards(value))
            };
            let entries: Vec<String> = map.iter().rev().map(entry).collect();
            format!("{{ {} }}", entries.join(" , "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(backwards).collect::<Vec<_>>().join(",")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

fn page(effects: &Effects, purpose: &str, code: &str, width: usize) -> String {
    let subject = Subject::Call(CallId::new(at(0), [1; 10]));
    let actor = Actor {
        agent: "robot".parse().unwrap(),
        session: "s1".parse().unwrap(),
        skills: call::SkillChain::default(),
        context: CallContext::Agent,
    };
    let run = RunCaps { disk_mb: 1, files: 1, processes: 1, output_kb: 1 };
    let walls = Confinement {
        max_file_chars: 8_000,
        lane: Some(Lane::Jail),
        sandbox_required: false,
        max_runtime_seconds: None,
        memory_limit_mb: None,
        run,
        max_files_written: None,
        max_bytes_written: None,
        max_calls_per_minute: None,
        max_concurrent: None,
    };
    let reason = Reason {
        code: ReasonCode::APPROVAL_REQUIRED,
        message: "a person must agree".into(),
        rule: None,
        remedy: None,
    };
    let asking = Asking {
        subject: &subject,
        tool: &"exec_sandbox".parse().unwrap(),
        effects,
        expected: &Expected::default(),
        exhibits: &[Exhibit { title: "code", text: code }],
        walls: &walls,
        risk: Risk::High,
        flags: &BTreeSet::new(),
        reasons: &[reason],
        actor: &actor,
        purpose,
        verification: "",
        have: 0,
        need: 1,
        expires: at(60),
        now: at(0),
    };
    render(&asking, width)
}

#[test]
fn an_unknown_field_another_version_and_another_spelling_are_refused() {
    let text = String::from_utf8(approval("ada@example.org", at(1)).canonical()).unwrap();
    let parse = |text: String| Approval::parse(text.as_bytes()).map(|_| ()).map_err(|why| why.to_string());
    let cases = [
        (text.clone(), Ok(())),
        (text.replacen('{', "{\"extra\":1,", 1), Err("unknown field `extra`")),
        (text.replacen("\"kind\":\"call\"", "\"kind\":\"call\",\"x\":1", 1), Err("unknown field `x`")),
        (text.replacen("\"version\":1", "\"version\":2", 1), Err("version 2, expected 1")),
        (text.replacen("\"version\":1", "\"version\": 1", 1), Err("not in its canonical form")),
        (text.replacen("\"answer\":\"approve\"", "\"answer\":\"maybe\"", 1), Err("unknown variant `maybe`")),
        (
            text.replacen("\"state\":\"file\"", "\"extra\":1,\"state\":\"file\"", 1),
            Err("not in its canonical form"),
        ),
        (
            text.replacen("2026-11-18T10:00:01Z", "2026-11-18T10:00:01.0Z", 1),
            Err("not in its canonical form"),
        ),
        (text.replacen("2026-11-18T10:00:01Z", "yesterday", 1), Err("the record's `at` is none")),
        (text.replacen("ada@example.org", "*@example.org", 1), Err("the record's `approver` is none")),
        (format!("{text}{text}"), Err("trailing characters")),
        (String::new(), Err("cannot be read")),
    ];
    for (text, want) in cases {
        match (parse(text.clone()), want) {
            (Ok(()), Ok(())) => {}
            (Err(why), Err(want)) => assert!(why.contains(want), "{why}"),
            (got, want) => assert_eq!(got, want.map_err(str::to_owned), "{text}"),
        }
    }
    assert_eq!(Approval::parse(&vec![b' '; Approval::LONGEST + 1]), Err(BadApproval::TooLong));
}

#[test]
fn a_deeply_nested_record_is_refused_and_exhausts_nothing() {
    let mut record = approval("ada@example.org", at(1));
    record.scope = Scope::Once;
    let text = String::from_utf8(record.canonical()).unwrap();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let text =
        text.replacen("{\"scope\":\"once\"}", &format!("{{\"scope\":\"grant\",\"extents\":{deep}}}"), 1);
    assert!(Approval::parse(text.as_bytes()).is_err());
}
