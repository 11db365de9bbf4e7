//! What `new` writes is accepted once a person has approved it, and refused before that for nothing else.

#![expect(clippy::unwrap_used, reason = "a strategy builds what is known to be right")]

mod request;

use document::{Document, Draft, DraftInput, DraftOutput, DraftRisk, DraftTask, Profile, Verdict};
use proptest::prelude::*;
use request::check_text;

/// Words that mean nothing to the screens: this is about the form of what is written.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-zA-Z]{1,9}",
        "[0-9]{1,4}",
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("日本".to_owned()),
        Just("Größe".to_owned()),
        Just("\"quoted\"".to_owned()),
        Just("it's".to_owned()),
        Just("a:b".to_owned()),
        Just("#x".to_owned()),
        Just("{a}".to_owned()),
        Just("*b*".to_owned()),
        Just("back\\slash".to_owned()),
        Just("&c".to_owned()),
        Just("- d".to_owned()),
        Just("---".to_owned()),
    ];
    prop::collection::vec(word, 1..6).prop_map(|words| words.join(" "))
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9_][a-zA-Z0-9_ .'&+-]{0,12}[a-z0-9]"
}

fn task(files: Vec<String>) -> impl Strategy<Value = DraftTask> {
    let script = files.first().cloned().unwrap_or_else(|| "main.py".to_owned());
    let quoted = format!("python3 '{}' --out /out/x.json", script.replace('\'', "'\\''"));
    prop_oneof![
        Just(DraftTask::Command(quoted)),
        Just(DraftTask::Command("python -c 'print(1); print(\"a > b\")'".to_owned())),
    ]
}

prop_compose! {
    fn draft()(
        names in prop::collection::btree_set(name(), 0..4),
        outputs in prop::collection::btree_set("[a-z]{1,8}\\.json", 0..3),
        purpose in words(),
        justification in words(),
        description in words(),
        constraint in words(),
        hosts in prop::collection::vec(prop_oneof![Just("example.org"), Just("*.example.org:443")], 0..2),
        (cpu, memory, seconds) in (1_u32..64, 1_u32..4096, 1_u32..86_400),
        level in prop_oneof![Just("low"), Just("medium"), Just("high")],
    )(
        task in task(names.iter().cloned().collect()),
        names in Just(names),
        outputs in Just(outputs),
        text in Just((purpose, justification, description, constraint)),
        hosts in Just(hosts),
        limits in Just((cpu, memory, seconds)),
        level in Just(level),
    ) -> Draft {
        let (purpose, justification, description, constraint) = text;
        Draft {
            request_id: "TR-20260209-160501Z-drafted".to_owned(),
            created: "2026-02-09T16:05:01Z".parse().unwrap(),
            requested_by: "human".to_owned(),
            purpose,
            language: "python".to_owned(),
            network_allowlist: hosts.iter().map(|host| (*host).to_owned()).collect(),
            cpu_limit: limits.0.to_string(),
            memory_limit_mb: limits.1.to_string(),
            time_limit_sec: limits.2.to_string(),
            inputs: names.into_iter().map(|name| DraftInput { name, sha256: call::Sha256::of(b"x") }).collect(),
            outputs: outputs.into_iter().map(|path| DraftOutput { path, description: description.clone() }).collect(),
            constraints: vec![constraint],
            task,
            risk: DraftRisk {
                level: level.to_owned(),
                justification: format!("because {justification}"),
                data_sensitivity: "internal".to_owned(),
                network_rationale: if hosts.is_empty() { "none".to_owned() } else { "reads an index".to_owned() },
            },
        }
    }
}

fn approved(text: &str) -> String {
    text.replacen("approved_by: \"\"", "approved_by: Ada Lovelace", 1).replacen(
        "approved_utc: \"\"",
        "approved_utc: \"2026-02-09T16:12:00Z\"",
        1,
    )
}

proptest! {
    #[test]
    fn what_is_drafted_and_approved_is_accepted(draft in draft()) {
        let text = draft.to_markdown();
        let before = check_text(&text, None, Profile::Strict);
        let errors: Vec<_> = before.findings.iter().filter(|f| f.is_error()).map(|f| f.rule.code).collect();
        prop_assert_eq!(errors, ["TR109", "TR110"], "{}", text);
        let after = check_text(&approved(&text), Some(&draft.request_id), Profile::Strict);
        prop_assert_eq!(after.verdict(), Verdict::Accept, "{:?}\n{}", after.findings, text);
        let Some(Document::Request(request)) = after.document else {
            return Err(TestCaseError::fail("accepted, and yet no request"));
        };
        prop_assert_eq!(&request.purpose, draft.purpose.trim());

        let again = Draft::again(&request, draft.request_id.clone(), draft.created).to_markdown();
        let again = check_text(&approved(&again), None, Profile::Strict);
        prop_assert_eq!(again.verdict(), Verdict::Accept, "{:?}", again.findings);
    }
}

#[test]
fn a_drafted_monty_request_is_accepted_once_approved() {
    let draft = Draft {
        request_id: "TR-20260209-160501Z-sum".to_owned(),
        created: "2026-02-09T16:05:01Z".parse().unwrap(),
        requested_by: "core_draft".to_owned(),
        purpose: "Add two numbers.".to_owned(),
        language: "python".to_owned(),
        network_allowlist: Vec::new(),
        cpu_limit: "1".to_owned(),
        memory_limit_mb: "64".to_owned(),
        time_limit_sec: "5".to_owned(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        constraints: Vec::new(),
        task: DraftTask::Code {
            code: "# sum\na + b\n".to_owned(),
            inputs_json: Some("{\"a\": 1, \"b\": 2}".to_owned()),
            result: "The sum.".to_owned(),
        },
        risk: DraftRisk {
            level: "low".to_owned(),
            justification: "arithmetic".to_owned(),
            data_sensitivity: "public".to_owned(),
            network_rationale: "none".to_owned(),
        },
    };
    let checked = check_text(&approved(&draft.to_markdown()), None, Profile::Strict);
    assert_eq!(checked.findings, Vec::new());
}
